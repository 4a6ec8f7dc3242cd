// Maps the input's ids to internal vertices, and back.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/types.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// The id columns of one graph, read as needed. No function keeps O(vertices) memory. Thread-safe.
class IdMap {
 public:
  IdMap(const GraphStore& store, BlockReader& reader) : store_(store), reader_(reader) {}

  /// The internal vertex with input id `id`; UsageError, with the range of ids, when there is none.
  /// Reads about log2(blocks) blocks of sparse ids and one of the renumbering.
  StatusOr<VertexId> Find(ExternalId id);

  /// The input id and the internal vertex of a rank (less than num_vertices). Reads a block of each
  /// id column that there is.
  StatusOr<std::pair<ExternalId, VertexId>> At(uint64_t rank);

  /// The input id of an internal vertex. Reads the id columns of sparse or renumbered ids up to it.
  StatusOr<ExternalId> IdOf(VertexId vertex);

  /// Reads the input ids and the internal vertices of ranks, from `first_rank` on: as many as each
  /// span has elements. Reads each block of the id columns that has some of them, once.
  Status Read(uint64_t first_rank, std::span<ExternalId> ids, std::span<VertexId> vertices);

  /// Calls `visit(first_rank, ids, vertices)` for ranges of vertices, in the order of their ids:
  /// `ids` are input ids, `vertices` the internal ones. Reads the id columns once, in order.
  using Visitor = std::function<Status(uint64_t first_rank, std::span<const ExternalId> ids,
                                       std::span<const VertexId> vertices)>;
  Status Visit(const Visitor& visit);
  /// The same on `threads` threads, in any order.
  Status VisitInParallel(int threads, const Visitor& visit);

 private:
  /// Visits block `block` of the ranks, with memory for its values.
  Status VisitBlock(uint64_t block, std::vector<ExternalId>& ids, std::vector<VertexId>& vertices,
                    const Visitor& visit);
  /// Read the input ids, or the internal ids, of block `block` of the ranks. Each writes
  /// block_values values.
  Status ReadIds(uint64_t block, std::span<ExternalId> ids);
  Status ReadVertices(uint64_t block, std::span<VertexId> vertices);
  uint64_t NumValues(uint64_t block) const;
  Status Unknown(ExternalId id, ExternalId first, ExternalId last) const;

  const GraphStore& store_;
  BlockReader& reader_;
};

}  // namespace edgemill
