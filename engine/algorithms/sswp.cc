// Single-source widest paths: the width of the widest path from the source to every vertex.
//
// Result   width[v]: the largest width of a path from the source along out-edges, or none. A path
//          is as wide as its lightest edge. Whole numbers for integer weights, doubles for real
//          ones. The source, whose width no edge limits, has the greatest number of that type.
// Method   As shortest paths, with (max, min) in place of (min, +). Vertices whose width grew are
//          active. Those in the widest bucket push the minimum of their width and the weight along
//          their out-edges, by atomic maximum; the others wait. The result is a fixed point, with
//          the same bits for any number of threads.
// Paper    Pollack: The maximum capacity through a network, Operations Research 1960.
// State    4 bytes a vertex; 8 with real weights.
#include "common/number_text.h"
#include "engine/algorithms/shared/bounded_passes.h"
#include "engine/algorithms/shared/weighted_search.h"
#include "engine/api/algorithm.h"
#include "engine/verify/path_check.h"

namespace edgemill {
namespace {

// Widths are stored as doubles or, for integer weights, as uint32_t and greater by 1. The least
// number of the type means that there is no path.
template <typename D>
constexpr D kNoWidth = Max<D>::identity();
/// The width of an edge of weight 0.
template <typename D>
constexpr D kMinWidth = std::is_floating_point_v<D> ? 0 : 1;
/// The source's width, as if it had an edge of the greatest weight to itself.
template <typename D>
constexpr D kGreatestWidth = std::is_floating_point_v<D> ? std::numeric_limits<D>::max()
                                                         : D{uint32_t{1} << 31};

template <typename W, typename D>
struct Widen {
  using Monoid = Max<D>;
  View<D> width;
  D Emit(VertexId u) const { return width[u]; }
  D Along(D wide, const WeightedEdge<W>& edge) const {
    const D weight = static_cast<D>(edge.weight) + kMinWidth<D>;  // -0 + 0 is 0
    return weight < wide ? weight : wide;
  }
  bool Relax(VertexId v, D wide) { return AtomicMax(width[v], wide); }
  double Priority(VertexId v) const { return -static_cast<double>(width[v]); }
  struct Tuning {
    static bool WouldRelax(const Widen& program, VertexId v, D wide) {
      return program.width[v] < wide;
    }
  };
};

struct SswpState : RunState {
  using RunState::RunState;
  const bool real = HasRealWeights(weights());
  VertexArray<uint32_t> whole_width{*this, "width", UseIf(!real, ArrayUse::kResult)};
  VertexArray<double> real_width{*this, "real width", UseIf(real, ArrayUse::kResult)};
  WeightSample sample{*this};
  bool settled = true;  // not stopped by -i
  Programs<Widen<double, double>, Widen<int32_t, uint32_t>> programs{*this, kOut};
};

/// Fills `widths`. With -i, all active vertices send in each pass, and none waits. Then no path of
/// at most that many edges is wider.
template <typename W, typename D>
Status SearchAs(Engine& engine, SswpState& state, VertexArray<D>& widths, const RunContext& context,
                Answer* answer) {
  ASSIGN_OR_RETURN(const Buckets buckets, state.sample.BucketsFor(state, engine, context));
  widths.Fill(kNoWidth<D>);
  widths.Set(context.source, kGreatestWidth<D>);
  const Widen<W, D> program{widths.view()};
  ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of({context.source}));
  ASSIGN_OR_RETURN(const FixpointTotals totals,
                   state.Given(kMaxPasses)
                       ? engine.Fixpoint(kOut, std::move(from), program, MostPasses(state))
                       : engine.Bucketed(kOut, std::move(from), program, buckets));
  const CountReached<Min<D>> count{widths.read(), kNoWidth<D>};
  using Count = typename CountReached<Min<D>>::Monoid;
  ASSIGN_OR_RETURN(const auto reached, engine.template Reduce<Count>(engine.sets().All(), count));
  answer->AddReached(reached.first, engine.num_vertices());
  if (reached.first > 1) {
    const WideLength<D> least = reached.second - kMinWidth<D>;
    answer->AddFact("narrowest width", NumberText(least), least);
  }
  state.settled = Settled(totals, "widths may be too small", answer);
  if (!state.Given(kMaxPasses)) {
    answer->AddFact("delta", NumberText(buckets.width), buckets.width);
  }
  return OkStatus();
}

Status Search(Engine& engine, SswpState& state, const RunContext& context, Answer* answer) {
  if (state.real) {
    RETURN_IF_ERROR(SearchAs<double>(engine, state, state.real_width, context, answer));
    answer->Fill("width", [width = state.real_width.span()](VertexId v) {
      return width[v] < 0 ? std::numeric_limits<double>::infinity() : width[v];
    });
  } else {
    RETURN_IF_ERROR(SearchAs<int32_t>(engine, state, state.whole_width, context, answer));
    answer->Fill("width", [width = state.whole_width.span()](VertexId v) {
      return width[v] == 0 ? kUnreachedInteger : uint64_t{width[v]} - 1;
    });
  }
  return OkStatus();
}

/// For CheckPaths: largest least weights.
template <typename D>
struct WidestPaths {
  using Value = D;
  using Wide = WideLength<D>;
  static constexpr D kStart = kGreatestWidth<D>;
  static constexpr D kNone = kNoWidth<D>;
  static constexpr std::string_view kWrong = "has a width that its in-edges do not give";
  static Wide Through(Wide width, Wide weight) {
    return std::min(width, std::is_floating_point_v<D> ? weight : weight + 1);
  }
  static bool Better(Wide a, Wide b) { return a > b; }
};

Status Verify(LoadedGraph& graph, SswpState& state, PathCheck& check, const RunContext& context) {
  const auto verify = [&]<typename D>(std::span<const D> width) {
    return CheckPaths<WidestPaths<D>>(graph, width, context.source, check, state.settled);
  };
  return state.real ? verify(state.real_width.span()) : verify(state.whole_width.span());
}

}  // namespace

EDGEMILL_ALGORITHM(sswp) = {
    .name = "sswp",
    .group = AlgorithmGroup::kPaths,
    .aliases = {"widest-path"},
    .summary = "widths of the widest paths from a source: of their lightest edges",
    .facts = {.formula = "width[v] = the greatest min(width[u], w(u, v)) over edges (u, v)",
              .direction = "out-edges",
              .duplicates = "of duplicates the heaviest counts; loops change nothing",
              .weights = "not negative; a graph without weights counts 1 an edge, with a note",
              .ends = "when no width grows, or after --iterations passes",
              .passes = "as many as a bucket's paths have edges, for each bucket of width --delta, "
                        "the widest first"},
    .text = R"(A path is as wide as its lightest edge; an edge of weight 0 reaches its end.
Widths are weights of the graph, exact. The source's width, which no edge bounds, is the greatest
number of the type: 2147483647 for integer weights, 1.7976931348623157e+308 for real ones. An
unknown source is an error. Graphs ingested with --columns or --weights-in are pushed or pulled as
by sssp. --delta changes the time, not the answer; its default is as of sssp. -i N stops once no
path of at most N edges is wider than the widths; buckets have no part in that. Real weights take 8
bytes a vertex.
)",
    .paper = "Pollack, The maximum capacity through a network, Operations Research 1960",
    .options = {kSource, kMaxPasses, kDelta},
    .results =
        {{.name = "width", .real_like_weights = true, .top = TopKind::kValues, .may_miss = true}},
    .note_without_weights = kNoWeightsNote,
    .refuses_negative_weights = true,
    .driver = kDriver<Search>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill
