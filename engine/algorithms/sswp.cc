// Single-source widest paths: how wide the widest path from the source to every vertex is.
//
// Result   width[v]: a path is as wide as its lightest edge; the largest width of a path from the
//          source along out-edges, or none. Whole numbers for integer weights, doubles for real
//          ones; the source, which no edge makes narrower, has the greatest number of that type.
// Method   As shortest paths, with (max, min) in the place of (min, +). Vertices whose width grew
//          are active; those in the widest bucket push the lesser of their width and the weight
//          along their out-edges, by atomic maximum; the others wait. The result is a fixed point,
//          the same bits whatever the threads.
// Paper    Pollack: The maximum capacity through a network, Operations Research 1960.
// State    4 bytes a vertex; 8 with real weights.
#include "common/number_text.h"
#include "engine/api/algorithm.h"
#include "engine/api/toolkit/bounded_passes.h"
#include "engine/api/toolkit/path_widths.h"

namespace edgemill {
namespace {

template <typename W, typename D>
struct Widen {
  using Monoid = Max<D>;
  View<D> width;
  D Emit(VertexId u) const { return width[u]; }
  D Along(D wide, const WeightedEdge<W>& edge) const {
    const D weight = static_cast<D>(edge.weight) + kLeastWidth<D>;  // -0 + 0 is 0
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
  PathWidths width{*this};
  WeightSample sample{*this};
  bool settled = true;  // not stopped by -i
  Programs<Widen<double, double>, Widen<int32_t, uint32_t>> programs{*this, kOut};
};

/// With -i all that is active is sent from, and none waits: then no path of so many edges is wider.
template <typename W, typename D>
Status SearchAs(Engine& engine, SswpState& state, const RunContext& context, Answer* answer) {
  ASSIGN_OR_RETURN(const Buckets buckets, state.sample.BucketsFor(state, engine, context));
  const Widen<W, D> program{state.width.StartAt<D>(context.source)};
  ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of({context.source}));
  ASSIGN_OR_RETURN(const FixpointTotals totals,
                   state.Given(kMostPasses)
                       ? engine.Fixpoint(kOut, std::move(from), program, MostPasses(state))
                       : engine.Bucketed(kOut, std::move(from), program, buckets));
  RETURN_IF_ERROR(state.width.AddReach<D>(engine, answer));
  state.settled = Settled(totals, "widths may be too small", answer);
  if (!state.Given(kMostPasses)) {
    answer->AddFact("delta", NumberText(buckets.width), buckets.width);
  }
  return OkStatus();
}

Status Search(Engine& engine, SswpState& state, const RunContext& context, Answer* answer) {
  RETURN_IF_ERROR((state.width.real()
                       ? SearchAs<double, double>(engine, state, context, answer)
                       : SearchAs<int32_t, uint32_t>(engine, state, context, answer)));
  state.width.FillAnswer(answer);
  return OkStatus();
}

Status Verify(LoadedGraph& graph, SswpState& state, PathCheck& check, const RunContext& context) {
  return state.width.Visit([&]<typename D>(std::span<const D> width) {
    return CheckPaths<WidestPaths<D>>(graph, width, context.source, check, state.settled);
  });
}

}  // namespace

EDGEMILL_ALGORITHM(sswp) = {
    .name = "sswp",
    .group = AlgorithmGroup::kPaths,
    .aliases = {"widest-path"},
    .summary = "widths of the widest paths from a source: of their lightest edges",
    .text = R"(Finds for every vertex the width of the widest path from the source (-r ID)
along out-edges; on symmetric graphs edges go both ways. A path is as wide as its lightest edge:
width[v] is the maximum, over edges (u, v), of min(width[u], weight). Of duplicate edges the
heaviest counts; loops change nothing. The source's width, which no edge bounds, is the greatest
number of the type: 2147483647 for integer weights, 1.7976931348623157e+308 for real ones.
Unreachable vertices are written as inf; an edge of weight 0 reaches its end. Widths are weights of
the graph, exact. A graph without weights counts 1 an edge, with a note. A graph with any negative
weight is refused, as is an unknown source. Needs out-columns. Runs until no width grows; each pass
reads the edges of active vertices alone. --delta changes the time, not the answer; its default is
as of sssp. -i N stops once no path of at most N edges is wider than the widths; buckets have no
part in that. Real weights take 8 bytes a vertex.
)",
    .paper = "Pollack, The maximum capacity through a network, Operations Research 1960",
    .options = {kSource, kMostPasses, kDelta},
    .results =
        {{.name = "width", .real_like_weights = true, .top = TopKind::kValues, .may_miss = true}},
    .note_without_weights = kNoWeightsNote,
    .refuses_negative_weights = true,
    .driver = kDriver<Search>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill
