// The passes of louvain and leiden over the lists of the stored graph, and what follows in memory.
//
// A pass takes a window of lists at a time. The weights of each vertex's edges to each community
// are added up in hash tables, two places for each edge. The vertices of the window choose by what
// the windows before have left. Then they move, one after the other, if that still pays. So a pass
// reads each list once, and needs no more memory than a window's tables.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "common/units.h"
#include "engine/algorithms/shared/communities/community_functions.h"
#include "engine/algorithms/shared/communities/community_levels.h"

namespace edgemill {
inline namespace EM_VIEWS_NAMESPACE {

/// A run's passes. Its parts write arrays on the host only while no journal answers: then the
/// arrays are those of a checkpoint afterwards. What decides goes through `facts`.
template <typename E>
class CommunityPasses {
 public:
  CommunityPasses(E& engine, CommunityState& state)
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

  E& engine_;
  CommunityState& state_;
  const DegreeView degree_;
  double units_ = 1;  // of a weight of 1
  ModularityRule rule_;
  uint64_t passes_ = 0;
};

template <typename E>
Status CommunityPasses<E>::MeasureStrengths() {
  const VertexSet all = engine_.sets().All();
  const double num_edges = static_cast<double>(engine_.graph().num_edges());
  if (state_.weights() != WeightType::kNone) {
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
  state_.moves.strength.Fill(0);
  Tally<Sum<uint64_t>> loops("loops");
  RETURN_IF_ERROR(engine_.EdgeVisit(
      kOut, all, AddUnits{state_.moves.strength.into<Sum<uint64_t>>(), loops.view(), units_}));
  ASSIGN_OR_RETURN(const uint64_t of_loops, loops.Take());
  ++passes_;
  rule_.resolution = state_.Get(kResolution);
  ASSIGN_OR_RETURN(rule_.weight, engine_.template Reduce<Sum<uint64_t>>(
                                     all, StrengthOf{state_.moves.strength.read()}));
  if (rule_.weight == 0) return OkStatus();
  const double weight = static_cast<double>(rule_.weight);
  ASSIGN_OR_RETURN(const double squares,
                   engine_.template Reduce<Sum<double>>(
                       all, SquareOfShare{state_.moves.strength.read(), weight}));
  state_.of_single_vertices = static_cast<double>(of_loops) / weight - rule_.resolution * squares;
  return OkStatus();
}

template <typename E>
template <typename Act>
Status CommunityPasses<E>::VisitWindows(VertexArray<VertexId>& label, bool alone, bool loops,
                                        Act act) {
  const uint64_t num_edges = engine_.graph().num_edges(), window = state_.tables.window;
  VertexIndexView index = engine_.graph().index(Direction::kOut);
  ++passes_;
  for (uint64_t begin = 0; begin < num_edges; begin += window) {
    const VertexId from = index.LowerBound(begin);
    const VertexId to = begin + window < num_edges ? index.LowerBound(begin + window)
                                                   : static_cast<VertexId>(state_.num_vertices());
    if (from == to) continue;
    const InWindow in_window{label.read(), state_.moves.size.anywhere(), degree_, from, to, alone};
    ASSIGN_OR_RETURN(const VertexSet set, engine_.VertexFilter(engine_.sets().All(), in_window));
    if (set.empty()) continue;
    const AddToLabel add{label.read(),
                         state_.community.read(),
                         state_.tables.labels.shared(),
                         state_.tables.sums.shared(),
                         degree_,
                         begin,
                         state_.tables.most_places,
                         units_,
                         alone,
                         loops};
    RETURN_IF_ERROR(engine_.EdgeVisit(kOut, set, add));
    RETURN_IF_ERROR(act(begin, from, to, set));
  }
  return OkStatus();
}

/// Serial, because each move changes what the next one gains.
template <typename E>
void CommunityPasses<E>::Accept(VertexId begin, VertexId end, std::span<VertexId> label, bool alone,
                                uint64_t* moved) {
  const std::span<uint64_t> total = state_.moves.total.mutable_span();
  const std::span<uint32_t> size = state_.moves.size.mutable_span();
  const std::span<const VertexId> choice = state_.moves.choice.span();
  const std::span<const uint64_t> strength = state_.moves.strength.span(),
                                  more = state_.moves.more.span();
  for (VertexId v = begin; v < end; ++v) {
    const VertexId home = label[v], other = choice[v];
    if (degree_[v] == 0 || (alone && size[home] > 1) || other == home) continue;
    if (size[other] == 0) continue;  // the neighbours there have all left
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

template <typename E>
StatusOr<uint64_t> CommunityPasses<E>::MoveAll(VertexArray<VertexId>& label, bool alone) {
  uint64_t moved = 0;
  const auto move = [&](uint64_t begin, VertexId from, VertexId to, const VertexSet& set) {
    const Choose choose{state_.tables.labels.shared(),
                        state_.tables.sums.shared(),
                        label.read(),
                        state_.moves.strength.read(),
                        state_.moves.total.anywhere(),
                        state_.moves.choice.view(),
                        state_.moves.more.view(),
                        degree_,
                        begin,
                        state_.tables.most_places,
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

template <typename E>
Status CommunityPasses<E>::MoveUntilFewDo(VertexArray<VertexId>& label, bool alone,
                                          uint64_t most_passes) {
  const BeginAlone begin{state_.moves.strength.read(), label.view(), state_.moves.total.view(),
                         state_.moves.size.view()};
  RETURN_IF_ERROR(engine_.VertexMap(engine_.sets().All(), begin));
  for (uint64_t pass = 0; pass < most_passes; ++pass) {
    ASSIGN_OR_RETURN(const uint64_t moved, MoveAll(label, alone));
    if (moved <= state_.num_vertices() / kFewOf) break;
  }
  return OkStatus();
}

template <typename E>
StatusOr<WeightedGraph> CommunityPasses<E>::BareGraph(std::span<const VertexId> label) {
  const std::span<const uint64_t> arcs = state_.moves.total.span(),
                                  inside = state_.moves.more.span();
  const std::span<const uint64_t> strength = state_.moves.strength.span();
  const std::span<VertexId> number = state_.moves.choice.mutable_span();
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

template <typename E>
Status CommunityPasses<E>::FillArcs(VertexArray<VertexId>& label, WeightedGraph* graph) {
  CountedArray<uint64_t> next;  // where the next arc of each group goes
  if (graph != nullptr) {
    ASSIGN_OR_RETURN(next, CountedArray<uint64_t>::Of(graph->num_vertices(), engine_.budget()));
    std::copy_n(graph->first.span().begin(), next.size(), next.span().begin());
  }
  const auto fill = [&](uint64_t begin, VertexId from, VertexId to, const VertexSet&) {
    if (graph == nullptr) {
      state_.tables.labels.Fill(0);
      state_.tables.sums.Fill(0);
      return OkStatus();
    }
    const Tables tables{begin, state_.tables.most_places};
    const std::span<uint32_t> labels = state_.tables.labels.mutable_span();
    const std::span<uint64_t> sums = state_.tables.sums.mutable_span();
    const std::span<const VertexId> number = state_.moves.choice.span(), own = label.span();
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

template <typename E>
StatusOr<WeightedGraph> CommunityPasses<E>::GraphOfGroups(VertexArray<VertexId>& label) {
  state_.moves.total.Fill(0);
  state_.moves.more.Fill(0);
  const auto count = [&](uint64_t begin, VertexId, VertexId, const VertexSet& set) {
    return engine_.VertexMap(
        set,
        CountArcs{state_.tables.labels.shared(), state_.tables.sums.shared(), label.read(),
                  state_.moves.total.into<Sum<uint64_t>>(), state_.moves.more.into<Sum<uint64_t>>(),
                  degree_, begin, state_.tables.most_places});
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

template <typename E>
Status CommunityPasses<E>::FinishInMemory(const WeightedGraph& graph,
                                          std::span<const VertexId> group, Answer* answer) {
  const uint64_t n = state_.num_vertices();
  const std::span<VertexId> community = state_.community.mutable_span();
  const std::span<const VertexId> number = state_.moves.choice.span();
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
    ASSIGN_OR_RETURN(found, ImproveCommunities(graph, start.span(),
                                               {rule_, state_.refines, seed(), engine_.budget()}));
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

template <typename E>
Status CommunityPasses<E>::Run(Answer* answer) {
  state_.tables.labels.Fill(0);
  state_.tables.sums.Fill(0);
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
