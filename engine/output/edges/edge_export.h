// Writes a graph's edges to a file, with the input's ids or names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "engine/graph/names/name_dictionary.h"
#include "engine/graph/vertex_index.h"
#include "engine/graph/vertex_marks.h"
#include "engine/output/edges/edge_values.h"
#include "engine/output/external_ids.h"
#include "engine/output/output_file.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"

namespace edgemill {

enum class ExportFormat {
  kEdgeList,      // "source target" lines
  kWeightedList,  // "source target weight" lines
  kCsv,           // a header line, then source, target, the weight and all edge columns
  kPairs32,       // pairs of little-endian 32-bit ids
  kPairs64,       // pairs of little-endian 64-bit ids
};

struct ExportOptions {
  ExportFormat format = ExportFormat::kEdgeList;
  /// For symmetric graphs: each edge once, not once in each direction.
  bool once = false;
};

/// Writes all edges in the order in which they are stored (the same for any number of threads).
class EdgeExport {
 public:
  /// The least memory that an export takes beside `store` and reader. UsageError when the graph
  /// lacks weights that the format needs, or has names that the format cannot hold. Also when the
  /// graph is not symmetric, but the options want each edge once.
  static StatusOr<uint64_t> MemoryBytes(const GraphStore& store, const ExportOptions& options);

  /// What `context` refers to must outlive it. Reads index and ids. Has the errors of MemoryBytes
  /// too.
  static StatusOr<EdgeExport> Create(const GraphContext& context, const ExportOptions& options);

  /// Writes to `output`; the caller finishes it. BadDataError when an id does not fit the format.
  Status Run(OutputFile& output, Progress& progress);

  /// Edges written.
  uint64_t num_written() const { return num_written_; }
  /// The number of vertices without edges, once Run has written all edges.
  uint64_t num_isolated() const { return store_.info().num_vertices - named_.Count(); }
  /// Writes the ids or names of all vertices, a line each, in the order of their internal ids; the
  /// caller finishes it. CancelledError.
  Status WriteVertices(OutputFile& output, Progress& progress) const;

 private:
  EdgeExport(const GraphStore& store, BlockReader& reader, const ExportOptions& options)
      : store_(store), reader_(reader), options_(options) {}
  /// The values that are written beside the edges of a direction.
  static std::vector<EdgeValues> ValuesOf(const GraphStore& store, const ExportOptions& options,
                                          bool incoming);
  /// The text of a block's edges, or of as many of them as there is memory for.
  struct BlockText {
    std::string text;
    uint32_t next = 0;   // the first edge of the block that is not in the text
    uint64_t edges = 0;  // in the text
    CachedName source;   // of the last edge
    CachedName target;
    std::vector<std::vector<double>> values;  // of all the block's edges, for each of lists_.values
  };
  /// The neighbours and the first values, which are read together.
  std::vector<ColumnKind> Columns() const;
  /// Reads lists_.values[i], for i > 0, of the blocks from `begin` on into `texts`.
  Status ReadValues(size_t i, uint64_t begin, std::vector<BlockText>* texts);
  /// Writes the block's edges from result->next on, and replaces the text that is there.
  Status FormatBlock(const BlockLease& lease, BlockText* result);
  /// Appends the edge with this number in its block.
  Status AppendEdge(VertexId source, VertexId target, uint32_t edge, BlockText* result) const;
  Status AppendValues(uint32_t edge, char separator, BlockText* result) const;
  void AppendVertex(VertexId vertex, char end, CachedName* cached_name, std::string* text) const;
  Status WriteWindow(uint64_t begin, uint64_t end, OutputFile& output, Progress& progress);

  const GraphStore& store_;
  BlockReader& reader_;
  ExportOptions options_;
  int threads_ = 1;
  /// The lists that are written, of out-edges or in-edges, and the values beside their edges.
  struct Lists {
    bool incoming = false;
    std::vector<EdgeValues> values;
  } lists_;
  uint64_t window_blocks_ = 1;
  MemoryReservation reservation_;
  VertexIndex index_;
  ExternalIds ids_;
  LoadedNames names_;  // where vertices have names
  VertexMarks named_;  // vertices that have edges
  uint64_t num_written_ = 0;
};

}  // namespace edgemill
