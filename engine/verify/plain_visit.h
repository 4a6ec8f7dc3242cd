// Reads every edge of a stored graph plainly, for verifiers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/buffer.h"
#include "common/check.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/threads/parallel.h"
#include "common/types.h"
#include "engine/graph/loaded_graph.h"
#include "engine/graph/source_walk.h"
#include "engine/graph/vertex_marks.h"  // for verifiers
#include "engine/program/edge.h"
#include "kernels/portable_atomics.h"
#include "kernels/weight.h"
#include "storage/format/group_codec.h"

namespace edgemill {

namespace internal {

/// One block's payloads, opened.
struct PlainBlock {
  EdgeIndex begin = 0;  // its first edge
  PackedView neighbors;
  PackedView packed_weights;  // for integer weights
  std::span<const std::byte> raw_weights;
};

/// The lists that a visit of all edges reads: those of `preferred` if they can be read, `weighted`
/// with their weights, else those of the other direction.
Direction ListsToVisit(const LoadedGraph& graph, Direction preferred, bool weighted);

/// Calls `visit` for all blocks of `direction` on all threads, after a check of the index. `visit`
/// returns whether all ids of the block are vertices.
Status VisitPlainBlocks(LoadedGraph& graph, Direction direction, bool with_weights,
                        const std::function<bool(const PlainBlock& block)>& visit);
/// The same for the blocks with out-edges of the members of `from`, which rise. `lists` has the
/// members with out-edges in the block, and perhaps others. The index is not checked.
Status VisitPlainLists(
    LoadedGraph& graph, bool with_weights, std::span<const VertexId> from,
    const std::function<bool(const PlainBlock& block, std::span<const VertexId> lists)>& visit);

/// Calls `visit(edge, source, id)` for the block's part of the out-lists of `lists`, which rise.
/// Returns whether all ids are vertices. `visit` gets only such ids.
template <typename Visit>
bool VisitListsOf(const PlainBlock& block, const VertexIndexView& index,
                  std::span<const VertexId> lists, Visit visit) {
  ListDecoder decoder(block.neighbors);
  const EdgeIndex block_end = block.begin + block.neighbors.num_values();
  bool sound = true;
  for (const VertexId source : lists) {
    const EdgeIndex first = index.first_edge(source);
    const EdgeIndex begin = std::max(first, block.begin);
    const EdgeIndex end = std::min(index.first_edge(source + 1), block_end);
    if (begin >= end) continue;
    decoder.VisitList(source, static_cast<uint32_t>(begin - block.begin),
                      static_cast<uint32_t>(end - block.begin), first < block.begin,
                      [&](uint32_t edge, VertexId id) {
                        sound &= id < index.num_vertices;
                        if (sound) visit(edge, source, id);
                      });
  }
  return sound;
}

/// The weights of a block's edges, read in order.
template <typename W>
class PlainWeights {
 public:
  explicit PlainWeights(const PlainBlock& block) : block_(block) {}

  W At(uint32_t edge) {
    W weight;
    if constexpr (std::is_same_v<W, int32_t>) {
      if (edge / kGroupSize != group_) {
        group_ = edge / kGroupSize;
        UnpackGroup(block_.packed_weights, group_, values_);
      }
      std::memcpy(&weight, &values_[edge % kGroupSize], sizeof(W));
    } else if constexpr (!std::is_same_v<W, NoWeight>) {
      std::memcpy(&weight, block_.raw_weights.data() + edge * sizeof(W), sizeof(W));
    }
    return weight;
  }

 private:
  const PlainBlock& block_;
  uint32_t group_ = ~uint32_t{0};  // the group whose values are in values_
  uint32_t values_[kGroupSize];
};

/// The type of the weights that a function on edges takes, or NoWeight.
template <typename Visit>
constexpr auto WeightOfVisit() {
  if constexpr (std::is_invocable_v<Visit&, const Edge&>) {
    return NoWeight{};
  } else if constexpr (std::is_invocable_v<Visit&, const WeightedEdge<int32_t>&>) {
    return int32_t{};
  } else if constexpr (std::is_invocable_v<Visit&, const WeightedEdge<uint64_t>&>) {
    return uint64_t{};
  } else if constexpr (std::is_invocable_v<Visit&, const WeightedEdge<float>&>) {
    return float{};
  } else {
    static_assert(std::is_invocable_v<Visit&, const WeightedEdge<double>&>,
                  "PlainVisit: needs a function of `const Edge&` or `const WeightedEdge<W>&`");
    return double{};
  }
}
template <typename Visit>
inline constexpr bool kVisitsWeights = !std::is_same_v<decltype(WeightOfVisit<Visit>()), NoWeight>;

/// The edges of a plain visit: those in the lists of a direction, or in some of the out-lists.
struct PlainEdges {
  Direction direction = Direction::kOut;
  std::optional<std::span<const VertexId>> from = {};  // rising
};

/// Visits edges with weights as they are stored.
template <typename W, typename Visit>
Status VisitStored(LoadedGraph& graph, Visit visit, const PlainEdges& edges) {
  const Direction direction = edges.direction;
  CHECK(!edges.from.has_value() || direction == Direction::kOut);
  const VertexIndexView index = graph.index(direction);
  const auto visit_block = [&](const PlainBlock& block) {
    Visit own_visit = visit;
    SourceWalk walk(index, block.begin);
    PlainWeights<W> weights(block);
    const uint32_t num_edges = block.neighbors.num_values();
    // Edges are decoded before their visits, so that the memory accesses of several visits overlap.
    std::array<WeightedEdge<W>, kGroupSize> ahead;
    uint32_t num_ahead = 0;
    bool sound = true;
    VisitNeighbors(
        block.neighbors, 0, num_edges, [&](uint32_t edge) { return walk.At(block.begin + edge); },
        [&](uint32_t edge, VertexId owner, VertexId neighbor) {
          sound &= neighbor < index.num_vertices;
          const bool out = direction == Direction::kOut;
          ahead[num_ahead++] = {{out ? owner : neighbor, out ? neighbor : owner}, weights.At(edge)};
          if (num_ahead < kGroupSize && edge + 1 < num_edges) return;
          if (sound) {
            for (uint32_t i = 0; i < num_ahead; ++i) own_visit(std::as_const(ahead[i]));
          }
          num_ahead = 0;
        });
    return sound;
  };
  constexpr bool kWithWeights = !std::is_same_v<W, NoWeight>;
  if (!edges.from.has_value()) {
    return VisitPlainBlocks(graph, direction, kWithWeights, visit_block);
  }
  const auto visit_lists = [&](const PlainBlock& block, std::span<const VertexId> lists) {
    Visit own_visit = visit;
    PlainWeights<W> weights(block);
    return VisitListsOf(block, index, lists, [&](uint32_t edge, VertexId source, VertexId id) {
      own_visit(WeightedEdge<W>{{source, id}, weights.At(edge)});
    });
  };
  return VisitPlainLists(graph, kWithWeights, *edges.from, visit_lists);
}

/// Visits edges with weights as `visit` takes them.
template <typename Visit>
Status VisitAsAsked(LoadedGraph& graph, Visit visit, const PlainEdges& edges) {
  using W = decltype(WeightOfVisit<Visit>());
  if constexpr (std::is_same_v<W, NoWeight>) {
    return VisitStored<NoWeight>(graph, visit, edges);
  } else {
    const auto visit_as = [&]<typename Stored>(Stored) {
      return VisitStored<Stored>(
          graph,
          [visit](const WeightedEdge<Stored>& edge) mutable {
            if constexpr (std::is_same_v<Stored, NoWeight>) {
              visit(WeightedEdge<W>{{edge.from, edge.to}, W{1}});
            } else {
              visit(WeightedEdge<W>{{edge.from, edge.to}, static_cast<W>(edge.weight)});
            }
          },
          edges);
    };
    const WeightType stored = graph.info().weights;
    if (stored == WeightType::kNone) return visit_as(NoWeight{});
    if (stored == WeightType::kInt32) return visit_as(int32_t{});
    if constexpr (std::is_floating_point_v<W>) {
      return stored == WeightType::kFloat32 ? visit_as(float{}) : visit_as(double{});
    } else {
      AuthorMistake("PlainVisit asks for weights of whole numbers on a graph with real ones");
    }
  }
}

}  // namespace internal

/// Calls `visit` for every stored edge of `graph` once, on all threads at the same time. A
/// symmetric graph stores an edge once each way. The argument type of `visit` says what is read:
/// neighbours only for `const Edge&`, weights too for `const WeightedEdge<W>&`. Stored weights of
/// any type are converted to W: 1 where the graph has none. A W of whole numbers is for graphs
/// without real weights (else it is a mistake of the author). From a directed graph with both
/// directions it reads that of `preferred`, unless only the other has the weights. Blocks come in
/// any order, each on one thread and with its own copy of `visit`. Inside a block edges come in the
/// order in which they are stored, list by list. An edge goes from its source to its target.
///
/// PlainVisit uses the scalar reference decoder, and its own search for sources in the index.
/// Before that it compares the index with the stored offsets. So it shares no fault with the
/// engine's passes. Cost: reads every block once; beside the visit, some 3 ns for an edge on one
/// thread. Takes no memory beside the reader's. BadDataError for a block with an id that is no
/// vertex, and for an index that differs from the stored offsets; the reader's errors;
/// CancelledError.
template <typename Visit>
Status PlainVisit(LoadedGraph& graph, Visit visit, Direction preferred = Direction::kOut) {
  const Direction lists = internal::ListsToVisit(graph, preferred, internal::kVisitsWeights<Visit>);
  return internal::VisitAsAsked(graph, visit, {lists});
}

/// The same for the out-edges of the members of `from`, which rise. Reads only blocks, and decodes
/// only groups, that have such edges. So the cost depends on the number of these edges, not on the
/// graph's size. PlainVisit must have checked the index before. Where a graph lacks the out-lists,
/// or weights in them, all edges are visited: `visit` tells which ones begin in `from`.
template <typename Visit>
Status PlainVisitFrom(LoadedGraph& graph, std::span<const VertexId> from, Visit visit) {
  const Direction lists =
      internal::ListsToVisit(graph, Direction::kOut, internal::kVisitsWeights<Visit>);
  if (lists == Direction::kIn) return internal::VisitAsAsked(graph, visit, {lists});
  return internal::VisitAsAsked(graph, visit, {.from = from});
}

/// The least vertex for which `test(vertex)` is true; kInvalidVertex where there is none. All
/// threads search. CancelledError.
template <typename Test>
StatusOr<VertexId> FirstVertexWhere(const LoadedGraph& graph, Test test) {
  constexpr size_t kChunk = size_t{1} << 16;
  VertexId first = kInvalidVertex;
  RETURN_IF_ERROR(
      ParallelFor(graph.num_vertices(), kChunk, graph.threads(), [&](size_t begin, size_t end) {
        end = std::min<size_t>(end, LoadRelaxed(&first));
        for (size_t vertex = begin; vertex < end; ++vertex) {
          if (!test(static_cast<VertexId>(vertex))) continue;
          AtomicMin(&first, static_cast<VertexId>(vertex));
          break;
        }
        return OkStatus();
      }));
  return first;
}

/// The sum of value(vertex) over all vertices, computed on all threads. The order of additions does
/// not depend on the number of threads.
template <typename Value>
double SumOverVertices(const LoadedGraph& graph, Value value) {
  constexpr size_t kChunk = size_t{1} << 16;
  std::vector<double> sums(graph.num_vertices() / kChunk + 1);
  ForEachChunk(graph.num_vertices(), kChunk, graph.threads(), [&](size_t begin, size_t end) {
    double sum = 0;
    for (size_t vertex = begin; vertex < end; ++vertex) sum += value(static_cast<VertexId>(vertex));
    sums[begin / kChunk] = sum;
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

/// Calls function(vertex) for all vertices, on all threads, with a copy of the function for each
/// chunk.
template <typename F>
void ForEachVertex(const LoadedGraph& graph, F function) {
  constexpr size_t kChunk = size_t{1} << 16;
  ForEachChunk(graph.num_vertices(), kChunk, graph.threads(), [&](size_t begin, size_t end) {
    F own_function = function;
    for (size_t vertex = begin; vertex < end; ++vertex) own_function(static_cast<VertexId>(vertex));
  });
}

namespace internal {

/// Adds up what edges bring to targets. Consecutive edges with the same target make one sum.
template <typename Sum, typename What, typename Add>
class TargetSums {
 public:
  TargetSums(What what, Add add) : what_(std::move(what)), add_(std::move(add)) {}
  TargetSums(const TargetSums& other) : TargetSums(other.what_, other.add_) {}  // with no sum yet
  TargetSums& operator=(const TargetSums&) = delete;
  ~TargetSums() { PassOn(); }

  template <typename E>
  requires std::is_invocable_v<const What&, const E&>
  void operator()(const E& edge) {
    if (edge.to != target_) {
      PassOn();
      target_ = edge.to;
    }
    sum_ += what_(edge);
  }

 private:
  void PassOn() {
    if (target_ != kInvalidVertex) add_(target_, sum_);
    sum_ = Sum();
  }

  const What what_;
  const Add add_;
  VertexId target_ = kInvalidVertex;
  Sum sum_{};
};

}  // namespace internal

/// Calls add(v, sum) for each vertex v, perhaps several times and from several threads. Together,
/// the sums of v are the sum of what(edge) over its in-edges. The errors of PlainVisit.
template <typename Sum, typename What, typename Add>
Status AddByTarget(LoadedGraph& graph, What what, Add add) {
  return PlainVisit(graph, internal::TargetSums<Sum, What, Add>(what, add), Direction::kIn);
}

/// Adds to sums[edge.to], for each edge, value[edge.from]. The errors of PlainVisit.
Status AddAlongEdges(LoadedGraph& graph, std::span<const double> value, std::span<double> sums);

/// The vertex as the input names it: its id or its name. The errors of reading.
StatusOr<std::string> VertexLabel(LoadedGraph& graph, VertexId vertex);
/// The same for messages: names are in quotes.
StatusOr<std::string> VertexText(LoadedGraph& graph, VertexId vertex);

/// The error of a verifier for a wrong vertex, with its input id or name: InternalError "vertex 7
/// (internal 3) WHAT". Ok for kInvalidVertex, which means no vertex.
Status WrongVertex(LoadedGraph& graph, VertexId vertex, std::string_view what);

/// WrongVertex for the first vertex for which `test(vertex)` is true; ok where there is none.
template <typename Test>
Status NoVertexWhere(LoadedGraph& graph, std::string_view what, Test test) {
  ASSIGN_OR_RETURN(const VertexId first, FirstVertexWhere(graph, test));
  return WrongVertex(graph, first, what);
}

}  // namespace edgemill
