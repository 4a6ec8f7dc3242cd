// Files with vertices, one a line, and vertices as text.
#pragma once

#include <string>

#include "cli/session.h"
#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/types.h"
#include "engine/graph/names/name_dictionary.h"
#include "engine/output/external_ids.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"

namespace edgemill::cli {

/// Vertices of a graph, in an order.
struct VertexList {
  MemoryReservation memory;
  Array<VertexId> vertices;
};

/// All vertices, in the order of their ids. BudgetError, and the errors of IdMap.
StatusOr<VertexList> AllVertices(const GraphStore& store, BlockReader& reader, const Means& means);

/// Reads the vertices in the lines of `path`, by ids or names; "-" is standard input. A vertex may
/// come twice. Names are as they are or in quotes, as AppendNameField writes them. Leaves out empty
/// lines, lines that begin with # or %, and a byte-order mark.
///
/// Returns BadDataError, with the line, for what is no vertex, and for a file without vertices.
/// Also returns BudgetError, and the errors of InputStream, NameDictionary and IdMap.
StatusOr<VertexList> ReadVertexList(const std::string& path, const GraphStore& store,
                                    BlockReader& reader, const Means& means);

/// The least memory to read the vertices in `path`, or all where it is empty, and then to do work
/// that takes `work_bytes` beside them. Counts the lines of a file that can be read twice; else
/// expects few. The errors of InputStream.
StatusOr<uint64_t> BytesWithStarts(const std::string& path, const GraphStore& store,
                                   uint64_t work_bytes);

/// The vertices' ids, or their names where they have some, as fields of text files. Thread-safe.
class VertexText {
 public:
  /// What Load reserves.
  static uint64_t SizeBytes(const GraphStore& store) {
    return ExternalIds::SizeBytes(store) + LoadedNames::SizeBytes(store);
  }
  static StatusOr<VertexText> Load(const GraphStore& store, BlockReader& reader,
                                   const Means& means);
  void Append(VertexId vertex, std::string* text) const { AppendId(IdOf(vertex), text); }

  bool are_names() const { return !names_.empty(); }
  /// The vertex's id. Where vertices have names, the rank of its name.
  ExternalId IdOf(VertexId vertex) const { return ids_.Of(vertex); }
  std::string NameOf(ExternalId id) const { return names_.Of(id); }
  void AppendId(ExternalId id, std::string* text) const;

 private:
  ExternalIds ids_;
  LoadedNames names_;
};

}  // namespace edgemill::cli
