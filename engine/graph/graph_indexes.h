// The vertex indexes of a graph's sides, and where each block's edges and vertices begin and end.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "common/check.h"
#include "common/status.h"
#include "common/types.h"
#include "engine/graph/block_edges.h"
#include "engine/graph/vertex_index.h"
#include "storage/format/graph_info.h"

namespace edgemill {

/// Which parts of a graph an algorithm needs in memory or reads.
struct GraphNeeds {
  bool out_index = false;
  bool in_index = false;  // of undirected graphs this is the out-index
};

/// One graph's indexes. Immutable once loaded, except for ReleaseAllBut; thread-safe.
class GraphIndexes {
 public:
  /// Indexes of the graph with this `info`, which must outlive it. None is loaded.
  explicit GraphIndexes(const GraphInfo& info) : info_(info) {}
  /// Reads the indexes that `needs` names. UsageError when the graph does not have the columns.
  Status Load(const GraphContext& context, const GraphNeeds& needs);

  bool has(Direction direction) const { return sides_[SideOf(info_, direction)].has_value(); }
  VertexIndexView view(Direction direction) const {
    CHECK(has(direction));
    return side(direction).view();
  }
  /// As VertexIndex::FirstOfBlock.
  VertexId FirstOfBlock(Direction direction, uint64_t block) const {
    return side(direction).FirstOfBlock(block);
  }
  /// As VertexIndex::HaveEdges.
  uint64_t HaveEdges(Direction direction, uint64_t word) const {
    return side(direction).HaveEdges(word);
  }
  /// Block `block` of `direction` without its payload: which edges and vertices it has.
  BlockEdges Extent(Direction direction, uint64_t block) const;
  /// Gives the memory of the other indexes back.
  void ReleaseAllBut(bool out, bool in);

 private:
  const VertexIndex& side(Direction direction) const { return *sides_[SideOf(info_, direction)]; }

  const GraphInfo& info_;
  std::array<std::optional<VertexIndex>, 2> sides_;
};

}  // namespace edgemill
