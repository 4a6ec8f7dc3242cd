// Communities by modularity: the state, the driver and the verifier of louvain and leiden. Here the
// vertices of the stored graph make groups, by passes over its lists. community_levels.h goes on
// with the graph of these groups, in memory.
//
// A pass takes a window of lists at a time. The weights of each vertex's edges to each community
// are added up in hash tables, two places for each edge. The vertices of the window choose by what
// the windows before have left. Then they move, one after the other, if that still pays. So a pass
// reads each list once, and needs no more memory than a window's tables.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "common/units.h"
#include "engine/algorithms/shared/community_levels.h"
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

struct CommunityState : RunState {
  CommunityState(const RunSetup& setup, bool refines) : RunState(setup), refines(refines) {
    HoldSets(1);
  }
  static constexpr uint64_t kLeastWindow = 64;  // edges
  const bool refines;                           // Leiden
  const bool weighted = weights() != WeightType::kNone;
  /// Edges of the lists that begin in a window. The places in a vertex's table, at most: for a
  /// vertex of very many edges not two an edge, but more than there are communities.
  const uint64_t window = std::max(num_vertices() / 2, kLeastWindow);
  const uint64_t most_places = num_vertices() + num_vertices() / 4 + 2;
  VertexArray<VertexId> community{*this, "community", ArrayUse::kVertices};
  VertexArray<VertexId> group{*this, "group", UseIf(refines, ArrayUse::kWork)};
  VertexArray<VertexId> choice{*this, "choice"};
  VertexArray<uint64_t> more{*this, "more"};
  VertexArray<uint64_t> strength{*this, "strength"}, total{*this, "total"};
  VertexArray<uint32_t> size{*this, "size"};
  Counters<Or<uint32_t>> labels{*this, "labels", 2 * window + most_places};
  Counters<Sum<uint64_t>> sums{*this, "sums", 2 * window + most_places};
  Counters<Sum<uint64_t>> facts{*this, "facts", 2};
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
struct SquareOf {
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

/// A run's passes. Its parts write arrays on the host only while no journal answers: then the
/// arrays are those of a checkpoint afterwards. What decides goes through `facts`.
class CommunityPasses {
 public:
  CommunityPasses(Engine& engine, CommunityState& state)
      : engine_(engine), state_(state), degree_(engine.Degrees(kOut)) {}

  Status Run(Answer* answer);

 private:
  static constexpr uint64_t kMostPasses = 16, kMostRefinements = 2;
  /// Passes end when of so many vertices less than one moves.
  static constexpr uint64_t kFewOf = 64;

  Status MeasureStrengths();
  /// Calls act(begin, end, set) for the vertices of each window, with their tables filled: the
  /// weights of edges to each label. `alone`: only vertices that are alone in their group.
  template <typename Act>
  Status VisitWindows(VertexArray<VertexId>& label, bool alone, bool loops, Act act);
  /// One pass in which vertices move. Returns how many did.
  StatusOr<uint64_t> MoveAll(VertexArray<VertexId>& label, bool alone);
  void Accept(VertexId begin, VertexId end, std::span<VertexId> label, bool alone, uint64_t* moved);
  Status MoveUntilFewDo(VertexArray<VertexId>& label, bool alone, uint64_t most_passes);
  /// The graph of the groups that `label` names, and their numbers in `choice`.
  StatusOr<WeightedGraph> GraphOfGroups(VertexArray<VertexId>& label);
  /// The graph without its arcs.
  StatusOr<WeightedGraph> BareGraph(std::span<const VertexId> label);
  /// Fills arcs in: `next` says where the next one of each group goes. Null: does not.
  Status FillArcs(VertexArray<VertexId>& label, WeightedGraph* graph);
  Status FinishInMemory(const WeightedGraph& graph, std::span<const VertexId> group,
                        Answer* answer);
  uint64_t seed() const { return state_.Get(kOrderSeed); }

  Engine& engine_;
  CommunityState& state_;
  const DegreeView degree_;
  double units_ = 1;  // of a weight of 1
  ModularityRule rule_;
  uint64_t passes_ = 0;
};

inline Status CommunityPasses::MeasureStrengths() {
  const VertexSet all = engine_.sets().All();
  const double num_edges = static_cast<double>(engine_.graph().num_edges());
  if (state_.weighted) {
    Tally<Max<double>> heaviest("the heaviest edge");
    RETURN_IF_ERROR(engine_.EdgeVisit(kOut, all, HeaviestEdge{heaviest.view()}));
    ASSIGN_OR_RETURN(const double most, heaviest.Take());
    ++passes_;
    if (most > 1e300) return BadDataError("weights above 1e300: scale the weights");
    // All weights together, loops twice, are below 2^62 units. Whole weights stay whole.
    int exponent = 0;
    std::frexp(2 * num_edges * std::max(most, 1e-300), &exponent);
    const bool whole = state_.weights() == WeightType::kInt32;
    units_ = std::ldexp(1, whole ? std::min(0, 61 - exponent) : 61 - exponent);
  }
  state_.strength.Fill(0);
  Tally<Sum<uint64_t>> loops("loops");
  RETURN_IF_ERROR(engine_.EdgeVisit(
      kOut, all, AddUnits{state_.strength.into<Sum<uint64_t>>(), loops.view(), units_}));
  ASSIGN_OR_RETURN(const uint64_t of_loops, loops.Take());
  ++passes_;
  rule_.resolution = state_.Get(kResolution);
  ASSIGN_OR_RETURN(rule_.weight,
                   engine_.Reduce<Sum<uint64_t>>(all, StrengthOf{state_.strength.read()}));
  if (rule_.weight == 0) return OkStatus();
  const double weight = static_cast<double>(rule_.weight);
  ASSIGN_OR_RETURN(const double squares,
                   engine_.Reduce<Sum<double>>(all, SquareOf{state_.strength.read(), weight}));
  state_.of_single_vertices = static_cast<double>(of_loops) / weight - rule_.resolution * squares;
  return OkStatus();
}

template <typename Act>
Status CommunityPasses::VisitWindows(VertexArray<VertexId>& label, bool alone, bool loops,
                                     Act act) {
  const uint64_t num_edges = engine_.graph().num_edges(), window = state_.window;
  VertexIndexView index = engine_.graph().index(Direction::kOut);
  ++passes_;
  for (uint64_t begin = 0; begin < num_edges; begin += window) {
    const VertexId from = index.LowerBound(begin);
    const VertexId to = begin + window < num_edges ? index.LowerBound(begin + window)
                                                   : static_cast<VertexId>(state_.num_vertices());
    if (from == to) continue;
    const InWindow in_window{label.read(), state_.size.anywhere(), degree_, from, to, alone};
    ASSIGN_OR_RETURN(const VertexSet set, engine_.VertexFilter(engine_.sets().All(), in_window));
    if (set.empty()) continue;
    const AddToLabel add{label.read(),
                         state_.community.read(),
                         state_.labels.shared(),
                         state_.sums.shared(),
                         degree_,
                         begin,
                         state_.most_places,
                         units_,
                         alone,
                         loops};
    RETURN_IF_ERROR(engine_.EdgeVisit(kOut, set, add));
    RETURN_IF_ERROR(act(begin, from, to, set));
  }
  return OkStatus();
}

/// Serial, because each move changes what the next one gains.
inline void CommunityPasses::Accept(VertexId begin, VertexId end, std::span<VertexId> label,
                                    bool alone, uint64_t* moved) {
  const std::span<uint64_t> total = state_.total.mutable_span();
  const std::span<uint32_t> size = state_.size.mutable_span();
  const std::span<const VertexId> choice = state_.choice.span();
  const std::span<const uint64_t> strength = state_.strength.span(), more = state_.more.span();
  for (VertexId v = begin; v < end; ++v) {
    const VertexId home = label[v], other = choice[v];
    if (degree_[v] == 0 || (alone && size[home] > 1) || other == home) continue;
    if (size[other] == 0) continue;  // all have left: nobody is there with whom v has edges
    const double gain = static_cast<double>(static_cast<int64_t>(more[v]));
    const double others =
        static_cast<double>(total[other]) - static_cast<double>(total[home] - strength[v]);
    if (gain <= rule_.Expected(strength[v], others) + rule_.LeastGain(strength[v])) continue;
    total[home] -= strength[v];
    total[other] += strength[v];
    --size[home];
    ++size[other];
    label[v] = other;
    ++*moved;
  }
}

inline StatusOr<uint64_t> CommunityPasses::MoveAll(VertexArray<VertexId>& label, bool alone) {
  uint64_t moved = 0;
  const auto move = [&](uint64_t begin, VertexId from, VertexId to, const VertexSet& set) {
    const Choose choose{state_.labels.shared(),
                        state_.sums.shared(),
                        label.read(),
                        state_.strength.read(),
                        state_.total.anywhere(),
                        state_.choice.view(),
                        state_.more.view(),
                        degree_,
                        begin,
                        state_.most_places,
                        seed(),
                        rule_.ratio()};
    RETURN_IF_ERROR(engine_.VertexMap(set, choose));
    if (!state_.answers()) Accept(from, to, label.mutable_span(), alone, &moved);
    // Each window adds here, so that what it moved is in a checkpoint after it.
    state_.facts.Set(0, moved);
    moved = state_.facts.Get(0);
    return OkStatus();
  };
  RETURN_IF_ERROR(VisitWindows(label, alone, /*loops=*/false, move));
  return moved;
}

inline Status CommunityPasses::MoveUntilFewDo(VertexArray<VertexId>& label, bool alone,
                                              uint64_t most_passes) {
  const BeginAlone begin{state_.strength.read(), label.view(), state_.total.view(),
                         state_.size.view()};
  RETURN_IF_ERROR(engine_.VertexMap(engine_.sets().All(), begin));
  for (uint64_t pass = 0; pass < most_passes; ++pass) {
    ASSIGN_OR_RETURN(const uint64_t moved, MoveAll(label, alone));
    if (moved <= state_.num_vertices() / kFewOf) break;
  }
  return OkStatus();
}

inline StatusOr<WeightedGraph> CommunityPasses::BareGraph(std::span<const VertexId> label) {
  const std::span<const uint64_t> arcs = state_.total.span(), inside = state_.more.span();
  const std::span<const uint64_t> strength = state_.strength.span();
  const std::span<VertexId> number = state_.choice.mutable_span();
  std::fill(number.begin(), number.end(), kInvalidVertex);
  VertexId groups = 0;
  uint64_t num_arcs = 0;
  for (const VertexId g : label) {
    if (number[g] != kInvalidVertex) continue;
    number[g] = groups++;
    num_arcs += arcs[g];
  }
  ASSIGN_OR_RETURN(WeightedGraph graph, WeightedGraph::Of(groups, num_arcs, engine_.budget()));
  for (size_t v = 0; v < label.size(); ++v) {
    graph.strength[number[label[v]]] += strength[v];
    if (number[v] == kInvalidVertex) continue;  // no group is called after v
    graph.first[number[v] + 1] = arcs[v];
    graph.inside[number[v]] = inside[v];
  }
  for (VertexId g = 0; g < groups; ++g) graph.first[g + 1] += graph.first[g];
  return graph;
}

inline Status CommunityPasses::FillArcs(VertexArray<VertexId>& label, WeightedGraph* graph) {
  CountedArray<uint64_t> next;  // where the next arc of each group goes
  if (graph != nullptr) {
    ASSIGN_OR_RETURN(next, CountedArray<uint64_t>::Of(graph->num_vertices(), engine_.budget()));
    std::copy_n(graph->first.span().begin(), next.size(), next.span().begin());
  }
  const auto fill = [&](uint64_t begin, VertexId from, VertexId to, const VertexSet&) {
    if (graph == nullptr) {
      state_.labels.Fill(0);
      state_.sums.Fill(0);
      return OkStatus();
    }
    const Tables tables{begin, state_.most_places};
    const std::span<uint32_t> labels = state_.labels.mutable_span();
    const std::span<uint64_t> sums = state_.sums.mutable_span();
    const std::span<const VertexId> number = state_.choice.span(), own = label.span();
    ForEachChunk(to - from, 256, engine_.threads(), [&](size_t first, size_t last) {
      for (auto v = static_cast<VertexId>(from + first); v < from + last; ++v) {
        const uint64_t place = tables.FirstOf(v, degree_);
        for (uint64_t i = place; i < place + tables.SizeOf(v, degree_); ++i) {
          if (labels[i] != 0 && labels[i] != own[v] + 1) {
            const uint64_t at = AtomicAdd(&next[number[own[v]]], uint64_t{1});
            graph->arcs[at] = {sums[i], number[labels[i] - 1]};
          }
          labels[i] = 0;
          sums[i] = 0;
        }
      }
    });
    return OkStatus();
  };
  return VisitWindows(label, /*alone=*/false, /*loops=*/true, fill);
}

inline StatusOr<WeightedGraph> CommunityPasses::GraphOfGroups(VertexArray<VertexId>& label) {
  state_.total.Fill(0);
  state_.more.Fill(0);
  const auto count = [&](uint64_t begin, VertexId, VertexId, const VertexSet& set) {
    return engine_.VertexMap(
        set, CountArcs{state_.labels.shared(), state_.sums.shared(), label.read(),
                       state_.total.into<Sum<uint64_t>>(), state_.more.into<Sum<uint64_t>>(),
                       degree_, begin, state_.most_places});
  };
  RETURN_IF_ERROR(VisitWindows(label, /*alone=*/false, /*loops=*/true, count));
  // Arcs are not in the state. If a checkpoint answers a part of the windows, all come again.
  while (true) {
    const bool answers = state_.answers();
    WeightedGraph graph;
    if (!answers) {
      ASSIGN_OR_RETURN(graph, BareGraph(label.span()));
    }
    RETURN_IF_ERROR(FillArcs(label, answers ? nullptr : &graph));
    state_.facts.Set(1, answers && !state_.answers() ? 1 : 0);
    if (state_.facts.Get(1) != 0) continue;
    if (!answers) graph.MergeArcs(engine_.threads());
    return graph;
  }
}

inline Status CommunityPasses::FinishInMemory(const WeightedGraph& graph,
                                              std::span<const VertexId> group, Answer* answer) {
  const uint64_t n = state_.num_vertices();
  const std::span<VertexId> community = state_.community.mutable_span();
  const std::span<const VertexId> number = state_.choice.span();
  Communities found;
  if (rule_.weight > 0) {
    // A community is called after the first of its groups.
    const uint64_t groups = graph.num_vertices();
    ASSIGN_OR_RETURN(auto start, CountedArray<VertexId>::Of(groups, engine_.budget()));
    ASSIGN_OR_RETURN(auto name, CountedArray<VertexId>::Of(n, engine_.budget()));  // and 1
    for (uint64_t v = 0; v < n; ++v) {
      VertexId& first = name[community[v]];
      if (first == 0) first = number[group[v]] + 1;
      start[number[group[v]]] = first - 1;
    }
    ASSIGN_OR_RETURN(found, ImproveCommunities(graph, start.span(), rule_, state_.refines, seed(),
                                               engine_.budget()));
  }
  ASSIGN_OR_RETURN(auto least, CountedArray<VertexId>::Of(n, engine_.budget()));  // and 1
  ASSIGN_OR_RETURN(auto members, CountedArray<VertexId>::Of(n, engine_.budget()));
  if (found.count == 0 || found.modularity < state_.of_single_vertices) {
    std::iota(community.begin(), community.end(), VertexId{0});
    found.count = n;
    found.modularity = state_.of_single_vertices;
  } else {
    for (uint64_t v = 0; v < n; ++v) {
      VertexId& first = least[found.of[number[group[v]]]];
      if (first == 0) first = static_cast<VertexId>(v + 1);
      community[v] = first - 1;
    }
  }
  VertexId largest = 0;
  for (const VertexId c : community) largest = std::max(largest, ++members[c]);
  state_.modularity = found.modularity;
  answer->AddCount("communities", found.count);
  answer->AddFact("modularity", FormatSignificant(found.modularity), found.modularity);
  answer->AddFact("largest", StrCat(FormatCount(largest), " vertices"), uint64_t{largest},
                  "largest_community_vertices");
  answer->AddCount("levels", 1 + found.levels);
  answer->passes = passes_;
  answer->Fill("community", state_.community.span());
  return OkStatus();
}

inline Status CommunityPasses::Run(Answer* answer) {
  state_.labels.Fill(0);
  state_.sums.Fill(0);
  RETURN_IF_ERROR(MeasureStrengths());
  RETURN_IF_ERROR(MoveUntilFewDo(state_.community, /*alone=*/false, kMostPasses));
  VertexArray<VertexId>& group = state_.refines ? state_.group : state_.community;
  if (state_.refines) {
    RETURN_IF_ERROR(MoveUntilFewDo(group, /*alone=*/true, kMostRefinements));
  }
  WeightedGraph graph;
  if (rule_.weight > 0) {
    ASSIGN_OR_RETURN(graph, GraphOfGroups(group));
  }
  return FinishInMemory(graph, group.span(), answer);
}

}  // namespace EM_VIEWS_NAMESPACE

}  // namespace edgemill
