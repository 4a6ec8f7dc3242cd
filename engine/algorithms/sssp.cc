// Single-source shortest paths with weights that are not negative.
//
// Result   distance[v]: the least sum of weights on a path from the source along out-edges, or
//          unreached. 64-bit integers for integer weights, doubles for real ones; without weights
//          every edge counts 1. With --parents, parent[v]: a vertex before v on a shortest path;
//          that of the least internal id, unless v has no nearer one (weights of 0). The source is
//          its own parent.
// Method   Buckets, as in delta-stepping. Vertices whose distance improved are active. Those in the
//          lowest bucket push their distance plus the weight along their out-edges, by atomic
//          minimum; the others wait. The result is a fixed point, with the same bits for any number
//          of threads. Delta doubles when repeated passes over a bucket take few edges, and shrinks
//          when they take many. Parents are found afterwards: a pass along all edges finds those
//          that are nearer to the source. Others are found level by level from these, in passes
//          that are never asynchronous: there, two processors would make cycles.
// Paper    Meyer, Sanders: Delta-stepping, J. Algorithms 2003; without light and heavy edges.
// State    8 bytes a vertex, and 4 with --parents. Integer distances are tried in 4 bytes first:
//          while no distance is 2^31 or more, no sum along a shortest path has passed 2^32.
//          Otherwise the search is repeated in 8 bytes.
#include "common/number_text.h"
#include "engine/algorithms/shared/bounded_passes.h"
#include "engine/algorithms/shared/distances.h"
#include "engine/algorithms/shared/weighted_search.h"
#include "engine/api/algorithm.h"
#include "engine/verify/path_check.h"
#include "engine/verify/tree_check.h"

namespace edgemill {
namespace {

constexpr Option<bool> kParents{"--parents", "give a shortest path tree instead of distances"};

/// Finds each vertex's predecessor on a shortest path, once distances are final. No cycle arises: a
/// parent is nearer to the source, or as near and got its own parent in an earlier pass.
template <typename W, typename D>
struct FindParents {
  using Monoid = Min<VertexId>;
  static constexpr VertexId kNone = Monoid::identity();
  View<const D> distance;
  View<VertexId> parent;
  bool equal;  // whether parents are as near; vertices that have one keep theirs

  VertexId Emit(VertexId u) const { return u; }
  VertexId Along(VertexId u, const WeightedEdge<W>& edge) const {
    const D near = distance[edge.from], far = distance[edge.to];
    const bool is_tight = near + static_cast<D>(edge.weight) == far;
    return is_tight && (equal ? near == far : near < far) ? u : kNone;
  }
  bool Relax(VertexId v, VertexId u) {
    if (equal && parent[v] != kNone) return false;
    return AtomicMin(parent[v], u);
  }
};

struct HasParent {
  View<const VertexId> parent;
  bool operator()(VertexId v) const { return parent[v] != kInvalidVertex; }
};

struct SsspState : RunState {
  using RunState::RunState;
  const bool real = HasRealWeights(weights());
  VertexArray<uint64_t> distance{*this, "distance", ArrayUse::kResult};
  VertexArray<VertexId> parent{*this, "parent", UseIf(Get(kParents), ArrayUse::kVertices)};
  WeightSample sample{*this};
  bool narrow = false;  // the last search was in uint32_t
  bool settled = true;  // not stopped by -i
  Programs<Shorten<double, double>, Shorten<int32_t, uint32_t>, Shorten<int32_t, uint64_t>>
      programs{*this, kOut};
  Programs<FindParents<double, double>, FindParents<int32_t, uint32_t>,
           FindParents<int32_t, uint64_t>>
      trees{*this, kOut, Get(kParents), PassesOf::kOne};

  /// Calls `function` with the distances, a std::span<const D> of the type that the search used.
  /// Returns what `function` returns.
  template <typename F>
  auto Visit(F function) const {
    if (real) return function(distance.span_as<double>());
    return narrow ? function(distance.span_as<uint32_t>()) : function(distance.span_as<uint64_t>());
  }
};

/// Returns the farthest distance. With -i, all active vertices send in each pass, and none waits.
/// Then no path of at most that many edges is shorter.
template <typename W, typename D>
StatusOr<D> SearchAs(Engine& engine, SsspState& state, VertexId source, const Buckets& buckets,
                     Answer* answer) {
  state.narrow = sizeof(D) == sizeof(uint32_t);
  state.distance.FillAs<D>(kNoDistance<D>);
  state.distance.SetAs<D>(source, 0);
  const Shorten<W, D> program{state.distance.view_as<D>()};
  ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of({source}));
  ASSIGN_OR_RETURN(const FixpointTotals totals,
                   state.Given(kMaxPasses)
                       ? engine.Fixpoint(kOut, std::move(from), program, MostPasses(state))
                       : engine.Bucketed(kOut, std::move(from), program, buckets));
  const CountReached<Max<D>> count{state.distance.read_as<D>(), kNoDistance<D>};
  using Count = typename CountReached<Max<D>>::Monoid;
  ASSIGN_OR_RETURN(const auto reached, engine.template Reduce<Count>(engine.sets().All(), count));
  const D farthest = std::max(D{0}, reached.second);
  if constexpr (std::is_same_v<D, double>) {
    if (MayPassDoubles(farthest)) {
      RETURN_IF_ERROR(CheckLengths(engine.graph(), state.distance.span_as<double>()));
    }
  }
  answer->facts.clear();  // those of a search in a narrower type
  state.settled = Settled(totals, "distances may be too long", answer);
  answer->AddReached(reached.first, engine.num_vertices());
  answer->AddFact("farthest distance", NumberText(farthest), WideLength<D>{farthest});
  if (!state.Given(kMaxPasses)) {
    answer->AddFact("delta", NumberText(buckets.width), buckets.width);
  }
  return farthest;
}

template <typename W, typename D>
Status FindTree(Engine& engine, SsspState& state, VertexId source) {
  state.parent.Fill(kInvalidVertex);
  state.parent.Set(source, source);
  FindParents<W, D> program{state.distance.read_as<D>(), state.parent.view(), /*equal=*/false};
  ASSIGN_OR_RETURN(VertexSet from,
                   engine.VertexFilter(engine.sets().All(), IsReached<D>{program.distance}));
  const uint64_t reached = from.size();
  RETURN_IF_ERROR(engine.EdgeMap(kOut, from, program).status());
  from = {};
  ASSIGN_OR_RETURN(from, engine.VertexFilter(engine.sets().All(), HasParent{state.parent.read()}));
  if (from.size() == reached) return OkStatus();
  program.equal = true;
  while (!from.empty()) {
    ASSIGN_OR_RETURN(from, engine.EdgeMap(kOut, from, program));
  }
  return OkStatus();
}

Status Search(Engine& engine, SsspState& state, const RunContext& context, Answer* answer) {
  ASSIGN_OR_RETURN(const Buckets buckets, state.sample.BucketsFor(state, engine, context));
  const auto search = [&]<typename W, typename D>(W, D) {
    return SearchAs<W, D>(engine, state, context.source, buckets, answer);
  };
  if (state.real) {
    RETURN_IF_ERROR(search(double{}, double{}).status());
  } else {
    uint32_t farthest = ~0u;
    // The last messages of a stopped search may not have fitted 4 bytes, even if all distances do.
    if (!state.Given(kMaxPasses)) {
      ASSIGN_OR_RETURN(farthest, search(int32_t{}, uint32_t{}));
    }
    // Weights are below 2^31: sums that do not fit come after a distance of 2^31 or more.
    if (farthest >> 31 != 0) RETURN_IF_ERROR(search(int32_t{}, uint64_t{}).status());
  }
  if (!state.Get(kParents)) {
    state.Visit([&](auto distance) { answer->Fill("distance", distance); });
    return OkStatus();
  }
  const auto find = [&]<typename W, typename D>(W, D) {
    return FindTree<W, D>(engine, state, context.source);
  };
  RETURN_IF_ERROR(state.real     ? find(double{}, double{})
                  : state.narrow ? find(int32_t{}, uint32_t{})
                                 : find(int32_t{}, uint64_t{}));
  answer->Fill("parent", state.parent.span());
  return OkStatus();
}

/// For CheckPaths: least sums of weights.
template <typename D>
struct ShortestPaths {
  using Value = D;
  using Wide = WideLength<D>;
  static constexpr D kStart = 0;
  static constexpr D kNone = kNoDistance<D>;
  static constexpr std::string_view kWrong = "has a distance that its in-edges do not give";
  static Wide Through(Wide length, Wide weight) { return length + weight; }
  static bool Better(Wide a, Wide b) { return a < b; }
};

struct SsspCheck : PathCheck {
  using PathCheck::PathCheck;
  TreeMarks marks{*this, UseIf(Get(kParents), ArrayUse::kWork)};
};

Status Verify(LoadedGraph& graph, SsspState& state, SsspCheck& check, const RunContext& context) {
  return state.Visit([&]<typename D>(std::span<const D> distance) {
    if (state.Get(kParents)) {
      const PathTree<D> tree{distance, state.parent.span(), context.source};
      return CheckTree<WeightedEdge<WideLength<D>>>(graph, tree, check.marks);
    }
    return CheckPaths<ShortestPaths<D>>(graph, distance, context.source, check, state.settled);
  });
}

Status Check(const RunSetup& setup) {
  if (!setup.values.Given(kMaxPasses)) return OkStatus();
  if (setup.values.Given(kDelta)) {
    return UsageError(
        "sssp: --delta cannot act with --iterations, where buckets have no part: "
        "leave one of them out");
  }
  if (setup.values.Get(kParents)) {
    return UsageError(
        "sssp: --parents needs final distances, and --iterations stops before: "
        "leave one of them out");
  }
  return OkStatus();
}

}  // namespace

EDGEMILL_ALGORITHM(sssp) = {
    .name = "sssp",
    .group = AlgorithmGroup::kPaths,
    .aliases = {"sssp-delta"},
    .summary =
        "distances from a source over weights that are not negative, or with --parents a tree",
    .facts =
        {.formula =
             "distance[s] = 0; distance[v] = the least distance[u] + w(u, v) over edges (u, v)",
         .direction = "out-edges",
         .duplicates = "of duplicates the lightest counts; loops change nothing",
         .weights = "not negative; a graph without weights counts 1 an edge, with a note",
         .ends = "when no distance falls, or after --iterations passes",
         .passes = "as many as a bucket's paths have edges, for each bucket of width --delta; with "
                   "--parents one more, and where weights are 0 some more"},
    .text = R"(Integer weights give exact distances of up to 64 bits. Real weights (float,
double) give sums in double, taken from the source on; a vertex whose distance is above all doubles
is an error, which names it. An unknown source is an error. Graphs ingested with --columns out or
--weights-in out only push, with --columns in or --weights-in in only pull, which is slower. --delta
changes the time, not the answer; its default is a sixteenth of the mean weight of a sample while
the graph stays in memory, else the mean weight. -i N stops once no path of at most N edges is
shorter than the distances; buckets have no part in that. --parents gives for each vertex the input
id of the vertex before it on a shortest path; the source is its own parent. Of several vertices
that are nearer to the source the choice is always the same. Where all are as near as the vertex, by
weights of 0, it may differ from run to run.
)",
    .paper = "Meyer and Sanders, Delta-stepping, J. Algorithms 2003",
    .options = {kSource, kMaxPasses, kDelta, kParents},
    .results =
        {{.name = "distance", .real_like_weights = true, .top = TopKind::kValues, .may_miss = true},
         {.name = "parent", .type = ResultType::kId, .option = kParents.names, .may_miss = true}},
    .note_without_weights = kNoWeightsNote,
    .refuses_negative_weights = true,
    .check = Check,
    .driver = kDriver<Search>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill
