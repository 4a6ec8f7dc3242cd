// Similarity: how much the neighbours of each vertex are those of one given vertex.
//
// Result   similarity[v], for the source s and N(x), the vertices to which edges from x lead:
//          jaccard     |N(s) and N(v)| / |N(s) or N(v)|
//          sorensen    2 |N(s) and N(v)| / (|N(s)| + |N(v)|)
//          overlap     |N(s) and N(v)| / min(|N(s)|, |N(v)|)
//          cosine      |N(s) and N(v)| / sqrt(|N(s)| |N(v)|)
//          common      |N(s) and N(v)|
//          adamic-adar the sum of 1 / ln(h(w)) over the w in N(s) and N(v)
//          allocation  the sum of 1 / h(w) over these w
//          h(w) is the number of vertices x with w in N(x). Duplicates count once, loops never. 0
//          for s, and where nothing is shared. With --neighbors in, edges count turned round.
// Method   The source tells its neighbours, and these tell the vertices with edges to them. Where
//          a measure needs |N(v)| of a vertex or h(w), the index has it if the graph is undirected
//          and simple. Otherwise edges are counted, of these vertices alone. Sums are whole numbers
//          of a small unit, so that no order of additions changes a bit.
// Paper    Liben-Nowell, Kleinberg: The Link Prediction Problem for Social Networks, 2007.
//          Adamic, Adar: Friends and Neighbors on the Web, 2003 (adamic-adar).
//          Zhou, Lu, Zhang: Predicting Missing Links via Local Information, 2009 (allocation).
// State    8 bytes a vertex with common, 20 with adamic-adar and allocation, else 12.
#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/api/algorithm.h"
#include "engine/verify/plain_visit.h"
#include "engine/verify/simple_edges.h"
#include "kernels/neighbor_similarity.h"

namespace edgemill {
namespace {

constexpr Option<std::string_view> kMeasure{
    .names = "--measure",
    .help = "what is computed of the neighbours of two vertices",
    .choices = kSimilarityMeasures};
constexpr Option<std::string_view> kNeighborsBy{
    .names = "--neighbors",
    .help = "which edges of a directed graph lead to the neighbours of a vertex",
    .choices = "out|in"};

constexpr uint32_t kNotCounted = ~uint32_t{0};

struct Reach {  // the neighbours of the source
  using Monoid = Any<VertexId>;
  VertexId source;
  VertexId Emit(VertexId u) const { return u; }
  bool Cond(VertexId v) const { return v != source; }
  bool Apply(VertexId v, VertexId) { return v != source; }
};
struct AddShared {  // true: the vertex shares a neighbour with the source
  using Monoid = Sum<uint64_t>;
  static constexpr bool kSimple = true;
  View<const uint64_t> weight;  // empty: each neighbour counts 1
  View<uint64_t> shared;
  VertexId source;
  uint64_t Emit(VertexId u) const { return weight ? uint64_t{weight[u]} : 1; }
  bool Cond(VertexId v) const { return v != source; }
  bool Relax(VertexId v, uint64_t sum) {
    if (v == source) return false;
    AtomicAdd(shared[v], sum);
    return true;
  }
};
struct StartCount {
  View<uint32_t> count;
  void operator()(VertexId v) { count[v] = 0; }
};
struct CountEdges {  // of the vertices where a count was started
  using Monoid = Sum<uint32_t>;
  static constexpr bool kSimple = true;
  View<uint32_t> count;
  uint32_t Emit(VertexId) const { return 1; }
  bool Cond(VertexId v) const { return count[v] != kNotCounted; }
  bool Relax(VertexId v, uint32_t sum) {
    if (count[v] != kNotCounted) AtomicAdd(count[v], sum);
    return false;
  }
};
struct CopyDegree {  // the same without a read of edges
  DegreeView degree;
  View<uint32_t> count;
  void operator()(VertexId v) { count[v] = static_cast<uint32_t>(degree[v]); }
};
struct RoughWeight {  // in units of 2^-20, rounded up
  View<const uint32_t> holders;
  bool by_log;
  uint64_t operator()(VertexId v) const {
    return static_cast<uint64_t>(NeighborWeight(holders[v], by_log) * 0x1p20) + 1;
  }
};
struct Weigh {
  View<const uint32_t> holders;
  View<uint64_t> weight;
  double scale;
  bool by_log;
  void operator()(VertexId v) {
    weight[v] = static_cast<uint64_t>(NeighborWeight(holders[v], by_log) * scale + .5);
  }
};

struct SimilarityState : RunState {
  explicit SimilarityState(const RunSetup& setup)
      : RunState(setup),
        by_index(!setup.info.directed && setup.info.num_self_loops == 0 &&
                 setup.info.num_duplicates == 0) {
    HoldSets(2);
  }
  bool counts_of_vertices() const { return !weighs && measure != SimilarityMeasure::kCommon; }
  Directions from_neighbors() const { return to_neighbors == kIn ? kOut : kIn; }
  double ValueOf(VertexId v) const {
    const auto sum = static_cast<double>(shared.span()[v]) * unit;
    return counts_of_vertices() ? SimilarityOf(measure, sum, num_near, count.span()[v]) : sum;
  }

  const bool by_index;  // the index has the numbers of neighbours
  const SimilarityMeasure measure = SimilarityMeasureOf(Get(kMeasure));
  const bool weighs = WeighsNeighbors(measure);
  const Directions to_neighbors = Get(kNeighborsBy) == "in" ? kIn : kOut;
  double num_near = 0;  // neighbours of the source
  double unit = 1;      // of shared[v]
  VertexArray<uint64_t> shared{*this, "shared", ArrayUse::kResult};
  VertexArray<uint32_t> count{
      *this, "neighbours",
      counts_of_vertices() ? ArrayUse::kResult : UseIf(weighs, ArrayUse::kWork)};
  VertexArray<uint64_t> weight{*this, "weight", UseIf(weighs, ArrayUse::kWork)};
  Degrees degrees{*this, kOut, by_index&& measure != SimilarityMeasure::kCommon};
  Programs<Reach> reach{*this, to_neighbors, true, PassesOf::kOne};
  Programs<AddShared> add{*this, from_neighbors(), true, PassesOf::kOne};
  Programs<CountEdges> count_edges{*this, weighs ? to_neighbors : from_neighbors(),
                                   !by_index && measure != SimilarityMeasure::kCommon,
                                   PassesOf::kOne};
};

/// Sets count[v], for v in `set`, to its neighbours, or with weights to the vertices that hold it.
Status CountAt(Engine& engine, SimilarityState& state, const VertexSet& set) {
  if (state.by_index) {
    return engine.VertexMap(set, CopyDegree{engine.Degrees(kOut), state.count.view()});
  }
  state.count.Fill(kNotCounted);
  RETURN_IF_ERROR(engine.VertexMap(set, StartCount{state.count.view()}));
  return engine
      .EdgeMap(state.weighs ? state.to_neighbors : state.from_neighbors(), engine.sets().All(),
               CountEdges{state.count.view()})
      .status();
}

/// Finds what each of `near` counts, in a unit in which all together are just below 2^62.
Status FindWeights(Engine& engine, SimilarityState& state, const VertexSet& near) {
  const bool by_log = state.measure == SimilarityMeasure::kAdamicAdar;
  RETURN_IF_ERROR(CountAt(engine, state, near));
  ASSIGN_OR_RETURN(const uint64_t rough,
                   engine.Reduce<Sum<uint64_t>>(near, RoughWeight{state.count.read(), by_log}));
  const double scale = std::ldexp(1.0, 82 - std::bit_width(rough));
  state.unit = 1 / scale;
  return engine.VertexMap(near, Weigh{state.count.read(), state.weight.view(), scale, by_log});
}

StatusOr<VertexSet> NeighborsOf(Engine& engine, const SimilarityState& state, VertexId source) {
  ASSIGN_OR_RETURN(const VertexSet from, engine.sets().Of({source}));
  return engine.EdgeMap(state.to_neighbors, from, Reach{source});
}

Status FindSimilar(Engine& engine, SimilarityState& state, const RunContext& context,
                   Answer* answer) {
  const VertexId source = context.source;
  state.shared.Fill(0);
  ASSIGN_OR_RETURN(VertexSet near, NeighborsOf(engine, state, source));
  const uint64_t num_near = near.size();
  state.num_near = static_cast<double>(num_near);
  if (state.weighs) RETURN_IF_ERROR(FindWeights(engine, state, near));
  const View<const uint64_t> weight = state.weighs ? state.weight.read() : View<const uint64_t>{};
  ASSIGN_OR_RETURN(
      const VertexSet found,
      engine.EdgeMap(state.from_neighbors(), near, AddShared{weight, state.shared.view(), source}));
  near = engine.sets().None();
  if (state.counts_of_vertices()) RETURN_IF_ERROR(CountAt(engine, state, found));
  answer->counted = CountedEdges::kSent;
  answer->AddCount("neighbours", num_near, "neighbors");
  answer->AddCount("similar", found.size(), "similar_vertices");
  answer->Fill("similarity", [&state](VertexId v) { return state.ValueOf(v); });
  return OkStatus();
}

struct NeighborCheck : RunState {
  using RunState::RunState;
  VertexBits near{*this, "the verifier's marks"};
  VertexArray<uint32_t> shared{*this, "the verifier's shared neighbours"};
  VertexArray<uint32_t> neighbors{*this, "the verifier's neighbours"};
  VertexArray<uint32_t> holders{*this, "the verifier's holders"};
  VertexArray<double> sum{*this, "the verifier's sums"};
};

/// Reads all edges three times: the source's neighbours are marked, then all vertices' neighbours
/// and holders counted, and then shared neighbours added up at the other ends of their edges.
Status Verify(LoadedGraph& graph, SimilarityState& state, NeighborCheck& check,
              const RunContext& context) {
  constexpr double kTolerance = 1e-9;
  const VertexId source = context.source;
  const std::string_view measure = check.Get(kMeasure);
  const bool turned = check.Get(kNeighborsBy) == "in";
  ASSIGN_OR_RETURN(const SimpleEdges edges, SimpleEdges::Of(graph));
  const auto visit = [&](auto function) {  // function(a vertex, its neighbour)
    return edges.VisitAll([=](const Edge& edge) {
      turned ? function(edge.to, edge.from) : function(edge.from, edge.to);
    });
  };
  const std::span<uint32_t> shared = check.shared.mutable_span();
  const std::span<uint32_t> neighbors = check.neighbors.mutable_span();
  const std::span<uint32_t> holders = check.holders.mutable_span();
  const std::span<double> sum = check.sum.mutable_span();
  RETURN_IF_ERROR(visit([&, source](VertexId v, VertexId w) {
    AtomicAdd(&neighbors[v], 1u);
    AtomicAdd(&holders[w], 1u);
    if (v == source) check.near.Add(w);
  }));
  RETURN_IF_ERROR(visit([&, source](VertexId v, VertexId w) {
    if (v == source || !check.near.has(w)) return;
    AtomicAdd(&shared[v], 1u);
    if (measure == "adamic-adar") AtomicAdd(&sum[v], 1 / std::log(static_cast<double>(holders[w])));
    if (measure == "allocation") AtomicAdd(&sum[v], 1.0 / holders[w]);
  }));
  const auto right = [&](VertexId v) -> double {
    const double both = shared[v], one = neighbors[source], other = neighbors[v];
    if (both == 0) return 0;
    if (measure == "jaccard") return both / (one + other - both);
    if (measure == "sorensen") return 2 * both / (one + other);
    if (measure == "overlap") return both / std::min(one, other);
    if (measure == "cosine") return both / std::sqrt(one) / std::sqrt(other);
    return measure == "common" ? both : sum[v];
  };
  // Weights are rounded to a unit, which is relative to the sum of all of them.
  const double rounding = state.weighs ? 0x1p-60 * 2 * neighbors[source] : 0;
  return NoVertexWhere(graph, "has another similarity to the source", [&](VertexId v) {
    const double most = kTolerance * right(v) + rounding * shared[v];
    return !(std::abs(state.ValueOf(v) - right(v)) <= most);
  });
}

}  // namespace

EDGEMILL_ALGORITHM(similarity) = {
    .name = "similarity",
    .group = AlgorithmGroup::kStructure,
    .aliases = {"jaccard", "similar"},
    .summary = "how similar each vertex is to one given vertex, by the neighbours that they share",
    .facts = {.formula = "similarity[v] = |N(s) and N(v)| / |N(s) or N(v)|, where N(x) are the "
                         "neighbours of x; --measure has others",
              .direction = "neighbours by out-edges; with --neighbors in by in-edges",
              .duplicates = "duplicates count once, loops never",
              .weights = "ignored",
              .ends = "when all vertices with an edge to a neighbour of the source are counted",
              .passes = "one from the source, one from its neighbours; one more that counts "
                        "neighbours, unless the graph is undirected without duplicates and loops"},
    .text = R"(The source s and another vertex v share the neighbours that edges from both lead to.
Vertices that share none have 0, and so has the source itself. --top N shows the N most similar
ones. The measure jaccard is the number of shared neighbours over the number of neighbours of
either vertex; sorensen (or dice) is twice the shared ones over the sum of both numbers. overlap
divides by the lesser number, and cosine by the square root of the product of both. common is the
number of shared neighbours. adamic-adar sums up 1 / ln(h) over the shared neighbours, where h
vertices have that neighbour; allocation (resource allocation) sums up 1 / h. In an undirected graph
h is the number of a neighbour's own neighbours. Values are those of NetworkX on undirected graphs
without loops. They have the same bits on every processor, with any number of threads. The sums of
adamic-adar and allocation are exact to 2^-60 of the sum over all neighbours of s. The command
edgemill pairs compares given pairs of vertices.
)",
    .paper = "Liben-Nowell, Kleinberg, The Link Prediction Problem for Social Networks, 2007",
    .options = {kSource, kMeasure, kNeighborsBy},
    .results = {{.name = "similarity",
                 .type = ResultType::kReal,
                 .top = TopKind::kValues,
                 .default_top = 10}},
    .note_with_weights = "weights are ignored: every edge counts 1",
    .driver = kDriver<FindSimilar>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill
