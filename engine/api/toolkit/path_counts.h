// Numbers of shortest paths from a source: what verifies them.
#pragma once

#include <cstdint>
#include <span>

#include "engine/api/algorithm.h"
#include "engine/api/toolkit/hops.h"
#include "engine/api/toolkit/plain_visit.h"

namespace edgemill {

/// The state of CheckPathCounts: 8 bytes a vertex.
struct PathCountCheck : RunState {
  using RunState::RunState;
  VertexArray<uint64_t> sums{*this, "the verifier's sums"};
};

/// Checks the numbers of paths of fewest edges along out-edges, of at most `most` edges. The source
/// alone has level 0, and one path. No edge leads more than one level down. And every other reached
/// vertex has as many paths as its predecessors one level up together: some, and no more than 64
/// bits hold. InternalError; the errors of PlainVisit.
inline Status CheckPathCounts(LoadedGraph& graph, std::span<const uint32_t> level,
                              std::span<const uint64_t> paths, VertexId source, uint64_t most,
                              PathCountCheck& check) {
  constexpr uint64_t kOverflow = ~uint64_t{0};
  const std::span<uint64_t> sums = check.sums.mutable_span();
  VertexId too_low = kInvalidVertex;
  RETURN_IF_ERROR(PlainVisit(graph, [&](const Edge& edge) {
    if (level[edge.from] == kUnreached || level[edge.from] >= most) return;
    const uint64_t next = uint64_t{level[edge.from]} + 1;
    if (level[edge.to] > next) AtomicMin(&too_low, edge.to);
    if (level[edge.to] != next) return;
    AtomicCombine(&sums[edge.to], paths[edge.from],
                  [](uint64_t a, uint64_t b) { return b > ~a ? kOverflow : a + b; });
  }));
  RETURN_IF_ERROR(WrongVertex(graph, too_low, "is more than one level below a predecessor"));
  return NoVertexWhere(graph, "has not as many paths as its predecessors one level up",
                       [&](VertexId v) {
                         if (v == source) return level[v] != 0 || paths[v] != 1;
                         if (level[v] == kUnreached) return paths[v] != 0;
                         return level[v] == 0 || level[v] > most || paths[v] == 0 ||
                                paths[v] == kOverflow || paths[v] != sums[v];
                       });
}

}  // namespace edgemill
