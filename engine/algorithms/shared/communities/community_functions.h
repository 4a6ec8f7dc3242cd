// The state of louvain and leiden, and the functions of their passes over lists.
#pragma once

#include <algorithm>
#include <cstdint>

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

/// Hash tables for the vertices of a window: weights of edges to labels.
struct WindowTables {
  WindowTables(State& state, uint64_t num_vertices)
      : window(std::max(num_vertices / 2, kLeastWindow)),
        most_places(num_vertices + num_vertices / 4 + 2),
        labels(state, "labels", 2 * window + most_places),
        sums(state, "sums", 2 * window + most_places) {}
  static constexpr uint64_t kLeastWindow = 64;
  /// Edges of the lists that begin in a window. Places of a vertex's table, at most: not two an
  /// edge for a vertex of very many edges, but more than there are labels.
  const uint64_t window, most_places;
  Counters<Or<uint32_t>> labels;  // and 1; 0 in places that are free
  Counters<Sum<uint64_t>> sums;
};

/// What moves need: by vertex the choice, and how much more its edges there weigh than those at
/// home; by community the strength and the number of members.
struct MoveArrays {
  explicit MoveArrays(State& state)
      : choice(state, "choice"),
        more(state, "more"),
        strength(state, "strength"),
        total(state, "total"),
        size(state, "size") {}
  VertexArray<VertexId> choice;
  VertexArray<uint64_t> more, strength, total;
  VertexArray<uint32_t> size;
};

struct CommunityState : RunState {
  CommunityState(const RunSetup& setup, bool refines) : RunState(setup), refines(refines) {}
  const bool refines;  // Leiden
  VertexArray<VertexId> community{*this, "community", ArrayUse::kVertices};
  VertexArray<VertexId> group{*this, "group", UseIf(refines, ArrayUse::kWork)};
  MoveArrays moves{*this};
  WindowTables tables{*this, num_vertices()};
  Counters<Sum<uint64_t>> facts{*this, "facts", 2};  // by which the driver decides
  Degrees out{*this, kOut};
  VisitedLists lists{*this, kOut};
  WorkingMemory memory{*this};
  double modularity = 0, of_single_vertices = 0;
};

/// Where the tables of a window's vertices are.
struct Tables {
  uint64_t begin;  // the window's first edge
  uint64_t most_places;

  EM_HOST_DEVICE uint64_t FirstOf(VertexId v, DegreeView degree) const {
    return 2 * (degree.index().first_edge(v) - begin);
  }
  EM_HOST_DEVICE uint64_t SizeOf(VertexId v, DegreeView degree) const {
    const uint64_t places = 2 * degree[v];
    return places < most_places ? places : most_places;
  }
};

struct HeaviestEdge {
  TallyView<Max<double>> heaviest;
  void operator()(const WeightedEdge<double>& edge) { heaviest.Add(edge.weight); }
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
  void operator()(VertexId v) {
    community[v] = v;
    total[v] = strength[v];
    size[v] = 1;
  }
};
struct InWindow {  // those that may move
  View<const VertexId> label;
  Anywhere<uint32_t> size;
  DegreeView degree;
  VertexId begin, end;
  bool alone;  // only vertices that have their group for themselves
  bool operator()(VertexId v) {
    return v >= begin && v < end && degree[v] > 0 && !(alone && size[label[v]] > 1);
  }
};
struct AddToLabel {
  View<const VertexId> label, bounds;
  Shared<uint32_t> labels;  // and 1; 0 in places that are free
  Shared<uint64_t> sums;
  DegreeView degree;
  uint64_t begin, most_places;
  double units;
  bool bounded;  // only edges inside of `bounds` count
  bool loops;    // count, twice
  void operator()(const WeightedEdge<double>& edge) {
    const auto [from, to] = static_cast<const Edge&>(edge);
    if (bounded && bounds[from] != bounds[to]) return;
    if (from == to && !loops) return;
    const auto weight = static_cast<uint64_t>(edge.weight * units) * (from == to ? 2 : 1);
    if (weight == 0) return;
    const Tables tables{begin, most_places};
    const uint64_t first = tables.FirstOf(from, degree), size = tables.SizeOf(from, degree);
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
/// Chooses the neighbouring community of largest gain. Clears the vertex's table.
struct Choose {
  Shared<uint32_t> labels;
  Shared<uint64_t> sums;
  View<const VertexId> label;
  View<const uint64_t> strength;
  Anywhere<uint64_t> total;
  View<VertexId> choice;
  View<uint64_t> more;  // weight of edges there, beyond that of edges at home: wraps around
  DegreeView degree;
  uint64_t begin, most_places, seed;
  double ratio;
  void operator()(VertexId v) {
    const Tables tables{begin, most_places};
    const uint64_t first = tables.FirstOf(v, degree), size = tables.SizeOf(v, degree);
    const double share = ratio * static_cast<double>(strength[v]);
    const VertexId own = label[v];
    uint64_t at_home = 0, there = 0;
    VertexId best = own;
    double most = 0;
    for (uint64_t i = first; i < first + size; ++i) {
      if (labels[i] == 0) continue;
      const VertexId other = labels[i] - 1;
      const uint64_t weight = sums[i];
      labels[i] = 0;
      sums[i] = 0;
      if (other == own) {
        at_home = weight;
        continue;
      }
      const double gain = static_cast<double>(weight) - share * static_cast<double>(total[other]);
      const bool wins = best == own || gain > most ||
                        (gain == most && OrderKey(other, seed) < OrderKey(best, seed));
      if (wins) best = other, most = gain, there = weight;
    }
    choice[v] = best;
    more[v] = there - at_home;
  }
};
/// Counts the arcs of each group's members to other groups, and the weight inside. Clears tables.
struct CountArcs {
  Shared<uint32_t> labels;
  Shared<uint64_t> sums;
  View<const VertexId> label;
  Into<Sum<uint64_t>> arcs, inside;
  DegreeView degree;
  uint64_t begin, most_places;
  void operator()(VertexId v) {
    const Tables tables{begin, most_places};
    const uint64_t first = tables.FirstOf(v, degree), size = tables.SizeOf(v, degree);
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
