// The passes of louvain and leiden over the lists of the stored graph, and what follows in memory.
//
// A pass takes a window of lists at a time. The weights of each vertex's edges to each community
// are added up in hash tables, two places for each edge. The vertices of the window propose moves
// by what the windows before have left, and communities take them (community_moves.h). So a pass
// needs no more memory than a window's tables. If there is memory for all lists, these are unpacked
// once, and all passes are made there, with the same outcome.
//
// When few vertices move, groups of them make a graph in memory, whose communities improve by
// levels (community_levels.h). A second iteration then begins with these communities, so that
// vertices move between communities that their first passes could not know.
//
// In a small graph a window holds a large part of all vertices, which decide without knowing of
// each other. Such graphs have no passes of moves: each vertex is a group, and levels begin at once
// and move one vertex after the other.
//
// Above 400 lines: passes over stored lists, the same in memory, and the iterations of both.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/units.h"
#include "engine/algorithms/shared/communities/community_functions.h"
#include "engine/algorithms/shared/communities/community_levels.h"
#include "engine/algorithms/shared/communities/group_vertices.h"
#include "engine/algorithms/shared/communities/memory_moves.h"
#include "engine/algorithms/shared/communities/stored_lists.h"

namespace edgemill {
inline namespace EM_VIEWS_NAMESPACE {

/// Whether lists may be unpacked into memory. The model's engine makes all passes.
#if defined(EDGEMILL_ENGINE)
inline constexpr bool kMayUnpack = false;
#else
inline constexpr bool kMayUnpack = true;
#endif

/// A run's passes. Its parts write arrays on the host only while no journal answers: then the
/// arrays are those of a checkpoint afterwards. What decides goes through `facts`.
template <typename E>
class CommunityPasses {
 public:
  CommunityPasses(E& engine, CommunityState& state)
      : engine_(engine), state_(state), degree_(engine.Degrees(kOut)), pool_(engine.budget()) {}

  Status Run(Answer* answer);

 private:
  static constexpr uint64_t kMostPasses = 16, kMostRefinements = 2, kMostIterations = 2;
  /// Graphs of fewer edges have no passes of moves, but more iterations over levels.
  static constexpr uint64_t kSmallEdges = uint64_t{1} << 9, kSmallIterations = 4;
  static constexpr double kLeastGain = 1e-3;  // of modularity, of an iteration that is not the last
  bool alone(const VertexArray<VertexId>& label) const { return &label == &state_.group; }
  /// Passes end when of so many vertices less than one moves.
  static constexpr uint64_t kFewOf = 64;

  Status MeasureStrengths();
  /// The first vertices of windows, and the number of vertices.
  std::vector<VertexId> Borders() const;
  /// Calls act(from, to, set) for vertices [from, to) of each window, of which `set` may move
  /// (`moves`) or has edges, with their tables filled: the weights of edges to each label.
  template <typename Act>
  Status VisitWindows(VertexArray<VertexId>& label, bool moves, Act act);
  /// One pass in which vertices move. Returns how many did.
  StatusOr<uint64_t> MoveAll(VertexArray<VertexId>& label);
  Status MoveUntilFewDo(VertexArray<VertexId>& label);
  MoveSpans Spans(VertexArray<VertexId>& label) {
    MoveArrays& moves = state_.moves;
    return {label.mutable_span(),     moves.choice.mutable_span(), moves.limit.mutable_span(),
            moves.strength.span(),    moves.total.mutable_span(),  moves.size.mutable_span(),
            moves.bits.mutable_span()};
  }
  Status Begin(VertexArray<VertexId>& label, bool again);
  /// All iterations. With `lists` in memory, the outcome is the same. BudgetError.
  Status Iterate(const StoredLists* lists);
  Status MoveInMemory(const StoredLists& lists, VertexArray<VertexId>& label);
  StatusOr<WeightedGraph> GroupInMemory(const StoredLists& lists);
  /// The graph of the groups that `label` names, and their numbers in `choice`.
  StatusOr<WeightedGraph> GraphOfGroups(VertexArray<VertexId>& label);
  /// The graph without its arcs.
  StatusOr<WeightedGraph> BareGraph(std::span<const VertexId> label);
  /// Fills arcs in: `next` says where the next one of each group goes. Null: does not.
  Status FillArcs(VertexArray<VertexId>& label, WeightedGraph* graph);
  /// Levels of moves of groups. Writes the communities of vertices; returns their modularity.
  StatusOr<double> ImproveInMemory(WeightedGraph& graph);
  uint64_t seed() const { return state_.Get(kOrderSeed); }
  bool small() const { return engine_.graph().num_edges() < kSmallEdges; }

  E& engine_;
  CommunityState& state_;
  const DegreeView degree_;
  ArrayPool pool_;
  double units_ = 1;  // of a weight of 1
  ModularityRule rule_;
  uint64_t passes_ = 0, levels_ = 1;
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
  Tally<Sum<uint64_t>> loops("loops");
  const auto strength = state_.moves.strength.into<Sum<uint64_t>>();
  if (state_.weights() == WeightType::kNone) {
    RETURN_IF_ERROR(
        engine_.VertexMap(all, StrengthFromDegree{degree_, state_.moves.strength.view()}));
    if (engine_.graph().info().num_self_loops > 0) {
      RETURN_IF_ERROR(engine_.EdgeVisit(kOut, all, AddLoops{strength, loops.view()}));
      ++passes_;
    }
  } else {
    state_.moves.strength.Fill(0);
    RETURN_IF_ERROR(engine_.EdgeVisit(kOut, all, AddUnits{strength, loops.view(), units_}));
    ++passes_;
  }
  ASSIGN_OR_RETURN(const uint64_t of_loops, loops.Take());
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
std::vector<VertexId> CommunityPasses<E>::Borders() const {
  const VertexIndexView index = engine_.graph().index(Direction::kOut);
  const uint64_t window = WindowOf(state_.num_vertices());
  std::vector<VertexId> borders;
  for (uint64_t begin = 0; begin < engine_.graph().num_edges(); begin += window) {
    borders.push_back(index.LowerBound(begin));
  }
  borders.push_back(static_cast<VertexId>(state_.num_vertices()));
  return borders;
}

template <typename E>
template <typename Act>
Status CommunityPasses<E>::VisitWindows(VertexArray<VertexId>& label, bool moves, Act act) {
  const std::vector<VertexId> borders = Borders();
  ++passes_;
  for (size_t window = 0; window + 1 < borders.size(); ++window) {
    const VertexId from = borders[window], to = borders[window + 1];
    if (from == to) continue;
    VertexSet set;
    if (moves) {
      ASSIGN_OR_RETURN(set, engine_.VertexFilter(engine_.sets().All(),
                                                 InWindow{label.read(), state_.moves.bits.read(),
                                                          state_.moves.size.anywhere(), degree_,
                                                          from, to, alone(label)}));
    } else {
      ASSIGN_OR_RETURN(set, engine_.VertexFilter(engine_.sets().All(), InRange{degree_, from, to}));
    }
    if (set.empty()) continue;
    RETURN_IF_ERROR(
        engine_.EdgeVisit(kOut, set,
                          AddToLabel{label.read(), state_.community.read(),
                                     state_.tables.labels.shared(), state_.tables.sums.shared(),
                                     degree_, window * WindowOf(state_.num_vertices()), units_,
                                     /*bounded=*/moves && alone(label),
                                     /*loops=*/!moves}));
    RETURN_IF_ERROR(act(from, to, set));
  }
  return OkStatus();
}

template <typename E>
StatusOr<uint64_t> CommunityPasses<E>::MoveAll(VertexArray<VertexId>& label) {
  MoveArrays& moves = state_.moves;
  uint64_t moved = 0;
  const auto move = [&](VertexId from, VertexId to, const VertexSet& set) -> Status {
    RETURN_IF_ERROR(engine_.VertexMap(
        set, Choose{state_.tables.labels.shared(), state_.tables.sums.shared(), label.read(),
                    moves.strength.read(), moves.total.anywhere(), moves.size.anywhere(),
                    moves.choice.view(), moves.limit.view(), degree_, seed(), rule_.ratio(),
                    rule_.resolution}));
    RETURN_IF_ERROR(engine_.VertexMap(
        set, Propose{label.read(), moves.choice.read(), moves.size.anywhere(), moves.bits.view()}));
    if (!state_.answers()) moved += TakeProposals(Spans(label), from, to, engine_.threads());
    // Each window adds here, so that what it moved is in a checkpoint after it.
    state_.facts.Set(0, moved);
    moved = state_.facts.Get(0);
    ASSIGN_OR_RETURN(const VertexSet moving,
                     engine_.VertexFilter(set, HasMoved{moves.bits.read()}));
    if (moving.empty()) return OkStatus();
    RETURN_IF_ERROR(
        engine_.EdgeVisit(kOut, moving, WakeNeighbors{label.read(), moves.bits.shared()}));
    return engine_.VertexMap(moving, EndMove{moves.bits.view()});
  };
  RETURN_IF_ERROR(VisitWindows(label, /*moves=*/true, move));
  return moved;
}

template <typename E>
Status CommunityPasses<E>::MoveUntilFewDo(VertexArray<VertexId>& label) {
  const uint64_t most = alone(label) ? kMostRefinements : kMostPasses;
  for (uint64_t pass = 0; pass < most; ++pass) {
    ASSIGN_OR_RETURN(const uint64_t moved, MoveAll(label));
    if (moved <= state_.num_vertices() / kFewOf) break;
  }
  return OkStatus();
}

template <typename E>
Status CommunityPasses<E>::Begin(VertexArray<VertexId>& label, bool again) {
  MoveArrays& moves = state_.moves;
  const VertexSet all = engine_.sets().All();
  if (!again) {
    return engine_.VertexMap(
        all, BeginAlone{moves.strength.read(), label.view(), moves.total.view(), moves.size.view(),
                        moves.bits.view()});
  }
  moves.total.Fill(0);
  moves.size.Fill(0);
  return engine_.VertexMap(
      all,
      BeginAgain{label.read(), moves.strength.read(), moves.total.template into<Sum<uint64_t>>(),
                 moves.size.template into<Sum<uint32_t>>(), moves.bits.view()});
}

template <typename E>
Status CommunityPasses<E>::MoveInMemory(const StoredLists& lists, VertexArray<VertexId>& label) {
  uint64_t longest = 0;
  for (VertexId v = 0; v < state_.num_vertices(); ++v) {
    longest = std::max(longest, lists.NumArcs(v));
  }
  const uint64_t most = std::min(longest, state_.num_vertices());
  const int team = TeamFor(lists.num_places(), uint64_t{1} << 14, engine_.threads());
  ASSIGN_OR_RETURN(ThreadTables tables, ThreadTables::Of(most, team, pool_));
  const std::vector<VertexId> borders = Borders();
  MoveOptions options{.rule = rule_,
                      .seed = seed(),
                      .threads = engine_.threads(),
                      .bounds = {},
                      .borders = borders,
                      .most_passes = kMostPasses,
                      .few = state_.num_vertices() / kFewOf};
  if (alone(label)) {
    options.bounds = state_.community.span();
    options.most_passes = kMostRefinements;
  }
  return MemoryMoves<StoredLists>(lists, Spans(label), tables, options).Run(&passes_);
}

template <typename E>
StatusOr<WeightedGraph> CommunityPasses<E>::GroupInMemory(const StoredLists& lists) {
  const std::span<const VertexId> group =
      state_.refines ? state_.group.span() : state_.community.span();
  const std::span<VertexId> number = state_.moves.size.mutable_span();
  std::copy(group.begin(), group.end(), number.begin());
  ASSIGN_OR_RETURN(const uint64_t groups, NumberByFirst(number, engine_.threads(), pool_));
  ++passes_;
  return GroupMaker<StoredLists>(lists, state_.moves.strength.span(), number, groups,
                                 {engine_.threads(), pool_})
      .Make({});
}

template <typename E>
StatusOr<WeightedGraph> CommunityPasses<E>::BareGraph(std::span<const VertexId> label) {
  const std::span<const uint64_t> arcs = state_.moves.total.span(),
                                  inside = state_.moves.limit.span();
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
  ASSIGN_OR_RETURN(WeightedGraph graph, WeightedGraph::Of(groups, num_arcs, pool_));
  for (size_t v = 0; v < label.size(); ++v) {
    graph.strength[number[label[v]]] += strength[v];
    if (number[v] == kInvalidVertex) continue;  // no group is called after v
    graph.first[number[v]] = arcs[v];
    graph.inside[number[v]] = inside[v];
  }
  uint64_t next = 0;
  for (VertexId g = 0; g < groups; ++g) {
    graph.end[g] = next;  // until arcs come
    next += std::exchange(graph.first[g], next);
  }
  return graph;
}

template <typename E>
Status CommunityPasses<E>::FillArcs(VertexArray<VertexId>& label, WeightedGraph* graph) {
  const auto fill = [&](VertexId from, VertexId to, const VertexSet&) {
    if (graph == nullptr) {
      state_.tables.labels.Fill(0);
      state_.tables.sums.Fill(0);
      return OkStatus();
    }
    const std::span<uint32_t> labels = state_.tables.labels.mutable_span();
    const std::span<uint64_t> sums = state_.tables.sums.mutable_span();
    const std::span<const VertexId> number = state_.moves.choice.span(), own = label.span();
    ForEachChunk(to - from, 256, engine_.threads(), [&](size_t first, size_t last) {
      for (auto v = static_cast<VertexId>(from + first); v < from + last; ++v) {
        const auto [place, places] = TablePlaces::Of(v, degree_);
        for (uint64_t i = place; i < place + places; ++i) {
          if (labels[i] != 0 && labels[i] != own[v] + 1) {
            const uint64_t at = AtomicAdd(&graph->end[number[own[v]]], uint64_t{1});
            graph->to[at] = number[labels[i] - 1];
            graph->weight[at] = sums[i];
          }
          labels[i] = 0;
          sums[i] = 0;
        }
      }
    });
    return OkStatus();
  };
  return VisitWindows(label, /*moves=*/false, fill);
}

template <typename E>
StatusOr<WeightedGraph> CommunityPasses<E>::GraphOfGroups(VertexArray<VertexId>& label) {
  state_.moves.total.Fill(0);
  state_.moves.limit.Fill(0);
  const auto count = [&](VertexId, VertexId, const VertexSet& set) {
    return engine_.VertexMap(
        set, CountArcs{state_.tables.labels.shared(), state_.tables.sums.shared(), label.read(),
                       state_.moves.total.into<Sum<uint64_t>>(),
                       state_.moves.limit.into<Sum<uint64_t>>(), degree_});
  };
  RETURN_IF_ERROR(VisitWindows(label, /*moves=*/false, count));
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
    if (answers) return graph;
    MergeArcs(graph, engine_.threads());
    const std::span<const VertexId> by_label = state_.moves.choice.span();
    const std::span<VertexId> number = state_.moves.size.mutable_span();
    for (size_t v = 0; v < number.size(); ++v) number[v] = by_label[label.span()[v]];
    return graph;
  }
}

template <typename E>
StatusOr<double> CommunityPasses<E>::ImproveInMemory(WeightedGraph& graph) {
  const uint64_t n = state_.num_vertices();
  const int threads = engine_.threads();
  const std::span<VertexId> community = state_.community.mutable_span();
  const std::span<const VertexId> number = state_.moves.size.span();  // by vertex: its group
  const auto each = [&](auto body) {
    ForEachChunk(n, uint64_t{1} << 16, threads, [&](size_t begin, size_t end) {
      for (size_t v = begin; v < end; ++v) body(static_cast<VertexId>(v));
    });
  };
  // For levels, a community is called after the first of its groups.
  const std::span<VertexId> least = state_.moves.choice.mutable_span();
  each([&](VertexId v) { least[v] = kInvalidVertex; });
  each([&](VertexId v) { AtomicMin(&least[community[v]], number[v]); });
  ASSIGN_OR_RETURN(auto start, CountedArray<VertexId>::Unset(graph.num_vertices(), pool_));
  each([&](VertexId v) { StoreRelaxed(&start[number[v]], least[community[v]]); });
  const LevelOptions options{rule_, state_.refines, seed(), threads, pool_};
  ASSIGN_OR_RETURN(Communities found, ImproveCommunities(graph, start.span(), options));
  for (uint64_t i = 1; small() && i < kSmallIterations; ++i) {
    ASSIGN_OR_RETURN(Communities more, ImproveCommunities(graph, found.of.span(), options));
    const double gain = more.modularity - found.modularity;
    if (gain > 0) found = std::move(more);
    if (gain < kLeastGain) break;
  }
  levels_ = (small() ? 0 : 1) + found.levels;
  // Afterwards, it is called after its first vertex.
  each([&](VertexId v) { least[v] = kInvalidVertex; });
  each([&](VertexId v) { AtomicMin(&least[found.of[number[v]]], v); });
  each([&](VertexId v) { community[v] = least[found.of[number[v]]]; });
  return found.modularity;
}

template <typename E>
Status CommunityPasses<E>::Iterate(const StoredLists* lists) {
  VertexArray<VertexId>& community = state_.community;
  VertexArray<VertexId>& group = state_.refines ? state_.group : community;
  const auto move = [&](VertexArray<VertexId>& label) -> Status {
    if (small()) return OkStatus();
    return lists != nullptr ? MoveInMemory(*lists, label) : MoveUntilFewDo(label);
  };
  state_.modularity = -std::numeric_limits<double>::infinity();
  for (uint64_t i = 0; i < (small() ? 1 : kMostIterations); ++i) {
    if (lists == nullptr) pool_.Clear();  // blocks of lists need it
    RETURN_IF_ERROR(Begin(community, /*again=*/i > 0));
    RETURN_IF_ERROR(move(community));
    if (state_.refines) {
      RETURN_IF_ERROR(Begin(group, /*again=*/false));
      RETURN_IF_ERROR(move(group));
    }
    WeightedGraph graph;
    if (lists != nullptr) {
      ASSIGN_OR_RETURN(graph, GroupInMemory(*lists));
    } else {
      ASSIGN_OR_RETURN(graph, GraphOfGroups(group));
    }
    double modularity = 0;
    if (!state_.answers()) {
      ASSIGN_OR_RETURN(modularity, ImproveInMemory(graph));
      if (modularity > state_.modularity) {
        const std::span<const VertexId> found = community.span();
        std::copy(found.begin(), found.end(), state_.best.mutable_span().begin());
      }
    }
    state_.facts.Set(2, std::bit_cast<uint64_t>(modularity));
    modularity = std::bit_cast<double>(state_.facts.Get(2));
    const double gain = modularity - state_.modularity;
    state_.modularity = std::max(state_.modularity, modularity);
    if (gain < kLeastGain) break;
  }
  return OkStatus();
}

template <typename E>
Status CommunityPasses<E>::Run(Answer* answer) {
  RETURN_IF_ERROR(MeasureStrengths());
  state_.modularity = -std::numeric_limits<double>::infinity();
  if (rule_.weight > 0) {
    Status status = BudgetError("");
    // Moves in memory are no operators, and no journal could answer them: so runs that keep
    // checkpoints make passes.
    if (kMayUnpack && state_.journal() == nullptr) {
      const uint64_t passes = passes_;
      StatusOr<StoredLists> lists = StoredLists::Read(engine_.graph(), units_, pool_);
      status = lists.ok() ? Iterate(&*lists) : lists.status();
      if (status.code() != Code::kBudget) RETURN_IF_ERROR(status);
      if (!status.ok()) passes_ = passes;
    }
    if (!status.ok()) {
      pool_.Clear();
      state_.tables.labels.Fill(0);
      state_.tables.sums.Fill(0);
      RETURN_IF_ERROR(Iterate(nullptr));
    }
  }
  const std::span<VertexId> community = state_.community.mutable_span();
  if (state_.modularity < state_.of_single_vertices) {
    std::iota(community.begin(), community.end(), VertexId{0});
    state_.modularity = state_.of_single_vertices;
  } else {
    const std::span<const VertexId> best = state_.best.span();
    std::copy(best.begin(), best.end(), community.begin());
  }
  // A community is called after its first vertex.
  const std::span<uint32_t> members = state_.moves.size.mutable_span();
  std::fill(members.begin(), members.end(), 0);
  uint64_t count = 0;
  uint32_t largest = 0;
  for (const VertexId c : community) {
    count += members[c] == 0 ? 1 : 0;
    largest = std::max(largest, ++members[c]);
  }
  answer->AddCount("communities", count);
  answer->AddFact("modularity", FormatSignificant(state_.modularity), state_.modularity);
  answer->AddFact("largest", StrCat(FormatCount(largest), " vertices"), uint64_t{largest},
                  "largest_community_vertices");
  answer->AddCount("levels", levels_);
  answer->passes = passes_;
  answer->Fill("community", community);
  return OkStatus();
}

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill
