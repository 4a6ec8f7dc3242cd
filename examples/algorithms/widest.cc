// Widest paths from a source: the smallest complete algorithm. A path is as wide as its lightest
// edge. The built-in sswp does the same, with options and integer widths.
#include <edgemill/algorithm.h>

namespace edgemill {
namespace {

constexpr double kNoPath = -1;  // below all widths

struct Widen {
  using Monoid = Max<double>;
  View<double> width;
  double Emit(VertexId u) const { return width[u]; }
  double Along(double wide, const WeightedEdge<double>& edge) const {
    return edge.weight < wide ? edge.weight : wide;
  }
  bool Relax(VertexId v, double wide) { return AtomicMax(width[v], wide); }
  double Priority(VertexId v) const { return -width[v]; }
};

struct WidestState : RunState {
  using RunState::RunState;
  VertexArray<double> width{*this, "width", ArrayUse::kResult};
  Programs<Widen> programs{*this, kOut};
};

Status Search(Engine& engine, WidestState& state, const RunContext& context, Answer* answer) {
  state.width.Fill(kNoPath);
  state.width.Set(context.source, std::numeric_limits<double>::max());
  EDGEMILL_ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of({context.source}));
  EDGEMILL_RETURN_IF_ERROR(
      engine.Bucketed(kOut, std::move(from), Widen{state.width.view()}, 16.0).status());
  answer->Fill("width", state.width.span());
  return OkStatus();
}

/// What CheckPaths needs to know of a path.
struct WidestPaths {
  using Value = double;
  static constexpr double kStart = std::numeric_limits<double>::max();
  static constexpr double kNone = kNoPath;
  static constexpr std::string_view kWrong = "has a width that its in-edges do not give";
  static double Through(double width, double weight) { return std::min(width, weight); }
  static bool Better(double a, double b) { return a > b; }
};

Status Verify(LoadedGraph& graph, WidestState& state, PathCheck& check, const RunContext& context) {
  return CheckPaths<WidestPaths>(graph, state.width.span(), context.source, check, true);
}

}  // namespace

EDGEMILL_ALGORITHM(widest) = {
    .name = "widest",
    .summary = "widths of the widest paths from a source, as doubles",
    .facts = {.formula = "width[v] = the greatest min(width[u], w(u, v)) over edges (u, v)",
              .direction = "out-edges",
              .duplicates = "of duplicates the heaviest counts; loops change nothing",
              .weights = "not negative; without weights each edge counts 1",
              .ends = "when no width grows",
              .passes = "as many as a bucket's paths have edges, for each bucket"},
    .text = "A vertex without a path has the width -1.\n",
    .paper = "Pollack, The maximum capacity through a network, Operations Research 1960",
    .options = {kSource},
    .results = {{.name = "width", .type = ResultType::kReal, .top = TopKind::kValues}},
    .refuses_negative_weights = true,
    .driver = kDriver<Search>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill
