// The state of louvain and leiden, and the functions of their passes over lists.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/algorithms/shared/communities/community_moves.h"
#include "engine/algorithms/shared/seeded_order.h"
#include "engine/api/algorithm.h"
#include "engine/state/working_memory.h"

namespace edgemill {

inline constexpr Option<double> kResolution{
    .names = "--resolution",
    .help = "above 1 for smaller communities, below 1 for larger ones",
    .range = {.above = 0, .most = 1e6},
    .value = 1};

/// UsageError for a directed graph.
inline Status CheckUndirected(const RunSetup& setup) {
  if (!setup.info.directed) return OkStatus();
  return UsageError(
      "the graph is directed, and modularity is that of undirected graphs: ingest "
      "it with --symmetrize");
}

inline namespace EM_VIEWS_NAMESPACE {

/// Edges of the lists that begin in a window.
EM_HOST_DEVICE constexpr uint64_t WindowOf(uint64_t num_vertices) {
  return num_vertices < 128 ? 64 : num_vertices / 2;
}
/// Places of a vertex's table, at most: not two an edge for a vertex of very many edges, but more
/// than there are labels.
EM_HOST_DEVICE constexpr uint64_t MostPlaces(uint64_t num_vertices) {
  return num_vertices + num_vertices / 4 + 2;
}

/// Hash tables for the vertices of a window: weights of edges to labels.
struct WindowTables {
  WindowTables(State& state, uint64_t num_vertices)
      : labels(state, "labels", 2 * WindowOf(num_vertices) + MostPlaces(num_vertices)),
        sums(state, "sums", 2 * WindowOf(num_vertices) + MostPlaces(num_vertices)) {}
  Counters<Or<uint32_t>> labels;  // and 1; 0 in places that are free
  Counters<Sum<uint64_t>> sums;
};

/// What moves need, as MoveSpans has it.
struct MoveArrays {
  explicit MoveArrays(State& state)
      : choice(state, "choice"),
        limit(state, "limit"),
        strength(state, "strength"),
        total(state, "total"),
        size(state, "size"),
        bits(state, "bits") {}
  VertexArray<VertexId> choice;
  VertexArray<uint64_t> limit, strength, total;
  VertexArray<uint32_t> size;
  VertexArray<uint8_t> bits;
};

struct CommunityState : RunState {
  CommunityState(const RunSetup& setup, bool refines) : RunState(setup), refines(refines) {
    HoldSets(2);  // the vertices that look in a window, and those of them that move
  }
  const bool refines;  // Leiden
  VertexArray<VertexId> community{*this, "community", ArrayUse::kVertices};
  VertexArray<VertexId> best{*this, "best"};  // communities, of all iterations
  VertexArray<VertexId> group{*this, "group", UseIf(refines, ArrayUse::kWork)};
  MoveArrays moves{*this};
  WindowTables tables{*this, num_vertices()};
  Counters<Sum<uint64_t>> facts{*this, "facts", 3};  // by which the driver decides
  Degrees out{*this, kOut};
  VisitedLists lists{*this, kOut};
  WorkingMemory memory{*this};
  double modularity = 0, of_single_vertices = 0;
};

/// The table of a vertex, among those of its window.
struct TablePlaces {
  uint64_t first, size;

  /// `begin`: the window's first edge.
  EM_HOST_DEVICE static TablePlaces Of(VertexId v, DegreeView degree, uint64_t begin) {
    const uint64_t places = 2 * degree[v], most = MostPlaces(degree.index().num_vertices);
    return {2 * (degree.index().first_edge(v) - begin), places < most ? places : most};
  }
  EM_HOST_DEVICE static TablePlaces Of(VertexId v, DegreeView degree) {
    const uint64_t window = WindowOf(degree.index().num_vertices);
    return Of(v, degree, degree.index().first_edge(v) / window * window);
  }
};

struct HeaviestEdge {
  TallyView<Max<double>> heaviest;
  void operator()(const WeightedEdge<double>& edge) { heaviest.Add(edge.weight); }
};
struct StrengthFromDegree {  // where each edge weighs 1
  DegreeView degree;
  View<uint64_t> strength;
  void operator()(VertexId v) { strength[v] = degree[v]; }
};
struct AddLoops {
  Into<Sum<uint64_t>> strength;
  TallyView<Sum<uint64_t>> loops;
  void operator()(const Edge& edge) {
    if (edge.from != edge.to) return;
    loops.Add(2);
    strength.Add(edge.from, 1);
  }
};
struct AddUnits {
  Into<Sum<uint64_t>> strength;
  TallyView<Sum<uint64_t>> loops;
  double units;  // of a weight of 1
  void operator()(const WeightedEdge<double>& edge) {
    const auto weight = static_cast<uint64_t>(edge.weight * units);
    if (edge.from == edge.to) loops.Add(2 * weight);
    strength.Add(edge.from, edge.from == edge.to ? 2 * weight : weight);
  }
};
struct StrengthOf {
  View<const uint64_t> strength;
  uint64_t operator()(VertexId v) const { return strength[v]; }
};
struct SquareOfShare {
  View<const uint64_t> strength;
  double weight;
  double operator()(VertexId v) const {
    const double part = static_cast<double>(strength[v]) / weight;
    return part * part;
  }
};
struct BeginAlone {
  View<const uint64_t> strength;
  View<VertexId> community;
  View<uint64_t> total;
  View<uint32_t> size;
  View<uint8_t> bits;
  void operator()(VertexId v) {
    community[v] = v;
    total[v] = strength[v];
    size[v] = 1;
    bits[v] = kAwake;
  }
};
struct BeginAgain {
  View<const VertexId> community;
  View<const uint64_t> strength;
  Into<Sum<uint64_t>> total;
  Into<Sum<uint32_t>> size;
  View<uint8_t> bits;
  void operator()(VertexId v) {
    total.Add(community[v], strength[v]);
    size.Add(community[v], 1);
    bits[v] = kAwake;
  }
};
struct InWindow {  // those that may move
  View<const VertexId> label;
  View<const uint8_t> bits;
  Anywhere<uint32_t> size;
  DegreeView degree;
  VertexId begin, end;
  bool alone;  // only vertices that have their group for themselves
  bool operator()(VertexId v) {
    return v >= begin && v < end && (bits[v] & kAwake) != 0 && degree[v] > 0 &&
           !(alone && size[label[v]] > 1);
  }
};
struct InRange {
  DegreeView degree;
  VertexId begin, end;
  bool operator()(VertexId v) { return v >= begin && v < end && degree[v] > 0; }
};
struct HasMoved {
  View<const uint8_t> bits;
  bool operator()(VertexId v) { return (bits[v] & kMoves) != 0; }
};
struct WakeNeighbors {
  View<const VertexId> label;
  Shared<uint8_t> bits;
  void operator()(const Edge& edge) {
    if (label[edge.from] == label[edge.to]) return;
    uint8_t seen = bits[edge.to];
    while ((seen & kAwake) == 0 &&
           !CompareAndSet(bits[edge.to], seen, static_cast<uint8_t>(seen | kAwake))) {
      seen = bits[edge.to];
    }
  }
};
struct EndMove {
  View<uint8_t> bits;
  void operator()(VertexId v) { bits[v] = bits[v] & kAwake; }
};
struct AddToLabel {
  View<const VertexId> label, bounds;
  Shared<uint32_t> labels;  // and 1; 0 in places that are free
  Shared<uint64_t> sums;
  DegreeView degree;
  uint64_t begin;
  double units;
  bool bounded;  // only edges inside of `bounds` count
  bool loops;    // count, twice
  void operator()(const WeightedEdge<double>& edge) {
    const auto [from, to] = static_cast<const Edge&>(edge);
    if (bounded && bounds[from] != bounds[to]) return;
    if (from == to && !loops) return;
    const auto weight = static_cast<uint64_t>(edge.weight * units) * (from == to ? 2 : 1);
    if (weight == 0) return;
    const auto [first, size] = TablePlaces::Of(from, degree, begin);
    const VertexId own = label[to];
    // The table has more places than there are labels, so that the search ends.
    for (uint64_t i = uint64_t{own * 0x9e3779b1u} * size >> 32;; i = i + 1 < size ? i + 1 : 0) {
      if (labels[first + i] == 0) CompareAndSet(labels[first + i], 0, own + 1);
      if (labels[first + i] != own + 1) continue;
      AtomicAdd(sums[first + i], weight);
      return;
    }
  }
};
/// Proposes a move to the community of largest gain. Clears the vertex's table.
struct Choose {
  Shared<uint32_t> labels;
  Shared<uint64_t> sums;
  View<const VertexId> label;
  View<const uint64_t> strength;
  Anywhere<uint64_t> total;
  Anywhere<uint32_t> size;
  View<VertexId> choice;
  View<uint64_t> limit;
  DegreeView degree;
  uint64_t seed;
  double ratio, resolution;
  void operator()(VertexId v) {
    const auto [first, places] = TablePlaces::Of(v, degree);
    const VertexId own = label[v];
    const bool alone = size[own] == 1;
    BestMove move{own, strength[v], seed, ratio, resolution, alone};
    const uint64_t window = WindowOf(degree.index().num_vertices);
    const auto window_of = [&](VertexId u) { return degree.index().first_edge(u) / window; };
    const auto may_leave = [&](VertexId other) {
      return size[other] == 1 && window_of(other) == window_of(v);
    };
    for (uint64_t i = first; i < first + places; ++i) {
      if (labels[i] == 0) continue;
      const VertexId other = labels[i] - 1;
      const uint64_t weight = sums[i];
      labels[i] = 0;
      sums[i] = 0;
      move.Look(other, weight, total[other], may_leave);
    }
    if (!alone && size[v] == 0) move.Look(v, 0, 0, may_leave);  // alone
    const uint64_t most = move.Limit(total[own]);
    choice[v] = total[move.best] < most ? move.best : own;
    limit[v] = most;
  }
};
struct Propose {
  View<const VertexId> label, choice;
  Anywhere<uint32_t> size;
  View<uint8_t> bits;
  void operator()(VertexId v) {
    const bool proposes = choice[v] != label[v], alone = size[label[v]] == 1;
    bits[v] = static_cast<uint8_t>((proposes ? kProposes : 0) | (proposes && alone ? kAlone : 0));
  }
};
/// Counts the arcs of each group's members to other groups, and the weight inside. Clears tables.
struct CountArcs {
  Shared<uint32_t> labels;
  Shared<uint64_t> sums;
  View<const VertexId> label;
  Into<Sum<uint64_t>> arcs, inside;
  DegreeView degree;
  void operator()(VertexId v) {
    const auto [first, size] = TablePlaces::Of(v, degree);
    const VertexId own = label[v];
    uint64_t count = 0, at_home = 0;
    for (uint64_t i = first; i < first + size; ++i) {
      if (labels[i] == 0) continue;
      if (labels[i] == own + 1) {
        at_home = sums[i];
      } else {
        ++count;
      }
      labels[i] = 0;
      sums[i] = 0;
    }
    if (count > 0) arcs.Add(own, count);
    if (at_home > 0) inside.Add(own, at_home);
  }
};

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill
