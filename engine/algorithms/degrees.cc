// Degrees: how many edges each vertex has, or what their weights sum to.
//
// Result   degree[v]: the number of edges that go out of v and into v, as stored; of an undirected
//          graph, the length of its list. With --direction, of those out or in alone. With
//          --weighted, strength[v]: the sum of their weights. With --assortativity also how the
//          degrees at both ends of edges correlate.
// Method   Degrees come from the index, and no edge is read. Strengths take one pass, as the
//          correlation does.
// Paper    Barrat et al.: The Architecture of Complex Weighted Networks, PNAS 2004. Newman: Mixing
//          Patterns in Networks, Physical Review E 2003.
// State    none; with --weighted 8 bytes a vertex.
#include "engine/algorithms/shared/assortativity.h"
#include "engine/algorithms/shared/strengths.h"
#include "engine/api/algorithm.h"
#include "engine/verify/plain_visit.h"

namespace edgemill {
namespace {

constexpr Option<std::string_view> kDirection{.names = "--direction",
                                              .help = "which edges of a directed graph count",
                                              .choices = "both|out|in"};

constexpr Option<bool> kAssortativity{
    "--assortativity", "find how the degrees at both ends of edges correlate, by one pass"};

/// Which of its ends an edge counts at.
struct Sides {
  explicit Sides(const RunState& state)
      : out(!state.directed() || state.Get(kDirection) != "in"),
        in(state.directed() && state.Get(kDirection) != "out") {}
  const bool out, in;
};

struct DegreeOf {
  DegreeView out_degree, in_degree;
  bool out, in;
  uint64_t operator()(VertexId v) const {
    return (out ? out_degree[v] : 0) + (in ? in_degree[v] : 0);
  }
};

/// Combines degrees: their sum, the greatest, and how many are 0.
struct CountDegrees {
  using Monoid = Both<Sum<uint64_t>, Both<Max<uint64_t>, Sum<uint64_t>>>;
  DegreeView out_degree, in_degree;
  bool out, in;
  Monoid::Value operator()(VertexId v) const {
    const uint64_t degree = (out ? out_degree[v] : 0) + (in ? in_degree[v] : 0);
    return {degree, {degree, degree == 0 ? uint64_t{1} : uint64_t{0}}};
  }
};
struct StrengthOf {
  using Monoid = Both<Sum<double>, Max<double>>;
  View<const double> strength;
  Monoid::Value operator()(VertexId v) const { return {strength[v], strength[v]}; }
};

struct DegreeState : RunState {
  using RunState::RunState;
  const Sides sides{*this};
  const bool weighted = Get(kWeighted);
  /// Along which messages go, so that each vertex gets one for each of its edges.
  const Directions incoming = sides.out && sides.in ? kBoth : sides.in ? kOut : kIn;
  VertexArray<double> strength{*this, "strength", UseIf(weighted, ArrayUse::kResult)};
  const bool mixes = Get(kAssortativity);
  Degrees out_degrees{*this, kOut, mixes || (!weighted && sides.out)};
  Degrees in_degrees{*this, kIn, directed() && (mixes || (!weighted && sides.in))};
  VisitedLists lists{*this, kOut, mixes};
  std::optional<double> assortativity;
  Programs<AddStrengths> strengths{*this, incoming, weighted, PassesOf::kOne};
};

double Mean(double sum, uint64_t vertices) {
  return vertices == 0 ? 0 : sum / static_cast<double>(vertices);
}

Status FindStrengths(Engine& engine, DegreeState& state, Answer* answer) {
  const VertexSet all = engine.sets().All();
  RETURN_IF_ERROR(
      engine.EdgeMap(state.incoming, all, AddStrengths{state.strength.view()}).status());
  ASSIGN_OR_RETURN(const auto found,
                   engine.Reduce<StrengthOf::Monoid>(all, StrengthOf{state.strength.read()}));
  const double mean = Mean(found.first, engine.num_vertices());
  const double most = all.empty() ? 0 : found.second;
  answer->AddFact("largest strength", FormatSignificant(most), most);
  answer->AddFact("mean strength", FormatSignificant(mean), mean);
  answer->Fill("strength", state.strength.span());
  return OkStatus();
}

Status AddAssortativity(Engine& engine, DegreeState& state, Answer* answer) {
  const DegreeView out = engine.Degrees(kOut), in = state.directed() ? engine.Degrees(kIn) : out;
  ASSIGN_OR_RETURN(state.assortativity, Assortativity(engine, out, in));
  if (const std::optional<double> found = state.assortativity; found.has_value()) {
    answer->AddFact("assortativity", FormatSignificant(*found), *found);
  } else {
    answer->facts.push_back({"assortativity", "none: all ends of edges have equal degrees", {}});
  }
  return OkStatus();
}

Status FindDegrees(Engine& engine, DegreeState& state, const RunContext&, Answer* answer) {
  if (state.mixes) RETURN_IF_ERROR(AddAssortativity(engine, state, answer));
  if (state.weighted) return FindStrengths(engine, state, answer);
  const bool has_out = state.sides.out, has_in = state.sides.in;
  const DegreeView some = has_out ? engine.Degrees(kOut) : engine.Degrees(kIn);
  const DegreeView in = has_in ? engine.Degrees(kIn) : some;
  ASSIGN_OR_RETURN(const auto found,
                   engine.Reduce<CountDegrees::Monoid>(engine.sets().All(),
                                                       CountDegrees{some, in, has_out, has_in}));
  const double mean = Mean(static_cast<double>(found.first), engine.num_vertices());
  answer->AddCount("largest degree", found.second.first);
  answer->AddFact("mean degree", FormatSignificant(mean), mean);
  answer->AddCount("without edges", found.second.second, "vertices_without_edges");
  answer->Fill("degree", DegreeOf{some, in, has_out, has_in});
  return OkStatus();
}

struct DegreeCheck : RunState {
  using RunState::RunState;
  const Sides sides{*this};
  VertexArray<uint64_t> count{*this, "the verifier's counts"};
  VertexArray<double> sum{*this, "the verifier's sums",
                          UseIf(Get(kWeighted) || Get(kAssortativity), ArrayUse::kWork)};
  VertexArray<double> size{*this, "the verifier's sizes", UseIf(Get(kWeighted), ArrayUse::kWork)};
};

/// Sums up the degrees at the far ends of each vertex's edges, and the correlation of these sums.
Status VerifyAssortativity(LoadedGraph& graph, const DegreeState& state,
                           VertexArray<double>& beyond) {
  constexpr double kTolerance = 1e-6;
  const DegreeView out(graph.index(Direction::kOut));
  const DegreeView in = state.directed() ? DegreeView(graph.index(Direction::kIn)) : out;
  const double edges = std::max(1.0, static_cast<double>(graph.num_edges()));
  const std::span<double> sum = beyond.mutable_span();
  RETURN_IF_ERROR(PlainVisit(graph, [&](const Edge& edge) {
    AtomicAdd(&sum[edge.from], static_cast<double>(in[edge.to]));
  }));
  double from = 0, to = 0, from_squares = 0, to_squares = 0, products = 0;
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    from += static_cast<double>(out[v]) * static_cast<double>(out[v]) / edges;
    to += static_cast<double>(in[v]) * static_cast<double>(in[v]) / edges;
  }
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    const double x = static_cast<double>(out[v]), y = static_cast<double>(in[v]);
    from_squares += x * (x - from) * (x - from);
    to_squares += y * (y - to) * (y - to);
    products += (x - from) * (sum[v] - x * to);
  }
  beyond.Fill(0);
  const double scale = std::sqrt(from_squares) * std::sqrt(to_squares);
  const double found = state.assortativity.value_or(0);
  if (std::abs(found * scale - products) <= kTolerance * (scale + from * to)) return OkStatus();
  return InternalError(StrCat("the degrees at the ends of edges do not correlate by ", found));
}

/// Counts the edges at each vertex. Strengths may differ from the sums of weights by rounding,
/// relative to the sum of their sizes.
Status Verify(LoadedGraph& graph, DegreeState& state, DegreeCheck& check, const RunContext&) {
  constexpr double kTolerance = 1e-9;
  const bool out = check.sides.out, in = check.sides.in;
  if (state.mixes) RETURN_IF_ERROR(VerifyAssortativity(graph, state, check.sum));
  if (state.weighted) {
    const std::span<double> sum = check.sum.mutable_span(), size = check.size.mutable_span();
    const auto add = [&](VertexId v, double weight) {
      AtomicAdd(&sum[v], weight);
      AtomicAdd(&size[v], std::abs(weight));
    };
    RETURN_IF_ERROR(PlainVisit(graph, [&](const WeightedEdge<double>& edge) {
      if (out) add(edge.from, edge.weight);
      if (in) add(edge.to, edge.weight);
    }));
    const std::span<const double> strength = state.strength.span();
    return NoVertexWhere(graph, "has a strength that its weights do not sum to", [&](VertexId v) {
      return !(std::abs(strength[v] - sum[v]) <= kTolerance * size[v]) && strength[v] != sum[v];
    });
  }
  const std::span<uint64_t> count = check.count.mutable_span();
  RETURN_IF_ERROR(PlainVisit(graph, [&](const Edge& edge) {
    if (out) AtomicAdd(&count[edge.from], uint64_t{1});
    if (in) AtomicAdd(&count[edge.to], uint64_t{1});
  }));
  const DegreeView some(graph.index(out ? Direction::kOut : Direction::kIn));
  const DegreeOf degree{some, in ? DegreeView(graph.index(Direction::kIn)) : some, out, in};
  return NoVertexWhere(graph, "has a degree that is not its number of edges",
                       [&](VertexId v) { return degree(v) != count[v]; });
}

}  // namespace

EDGEMILL_ALGORITHM(degrees) = {
    .name = "degrees",
    .group = AlgorithmGroup::kStructure,
    .aliases = {"strength"},
    .summary = "the number of edges of each vertex, or with --weighted the sum of their weights",
    .facts = {.formula = "degree[v] = the number of edges (v, u) and (u, v)",
              .direction = "both; with --direction one of them; an undirected graph has one list",
              .duplicates =
                  "each duplicate counts; in a directed graph a loop goes out and in, and "
                  "counts twice; in an undirected graph it counts once",
              .weights = "ignored; with --weighted summed up",
              .ends = "at once",
              .passes = "none; with --weighted one over all edges, and one with --assortativity"},
    .text = R"(Degrees come from the index: no edge is read. --direction out or in counts the edges
of a directed graph that go out of a vertex, or into it. Such a graph needs the columns of the
directions that count. --assortativity is Newman's r, from -1 to 1: the correlation, over all edges
(u, v), of the edges out of u and the edges into v, or of the degrees of an undirected graph. There
is none where all are equal. It counts edges, not their weights, and needs both columns.
)",
    .paper = "Barrat et al., The architecture of complex weighted networks, PNAS 2004",
    .options = {kDirection, kWeighted, kAssortativity},
    .results = {{.name = "degree", .top = TopKind::kValues, .default_top = 5},
                {.name = "strength",
                 .type = ResultType::kReal,
                 .top = TopKind::kValues,
                 .default_top = 5,
                 .option = kWeighted.names}},
    .check = CheckWeighted,
    .driver = kDriver<FindDegrees>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill
