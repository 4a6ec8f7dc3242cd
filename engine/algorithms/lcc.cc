// Local clustering: how many pairs of a vertex's neighbours are joined.
//
// Result   clustering[v]: the number of edges from a neighbour of v to another one, over the number
//          of ordered pairs of neighbours: d (d - 1), where v has d neighbours. 0 where d < 2.
// Method   As for triangles: each edge is kept at the end of lower degree, and a triangle is found
//          where the lists of two of its corners share the third. A corner gets the edges between
//          the other two, 1 or 2 in a directed graph.
// Paper    Watts, Strogatz: Collective Dynamics of Small-World Networks, Nature 1998.
//          Iosup et al.: LDBC Graphalytics, VLDB 2016, which says what directed graphs mean.
// State    12 bytes a vertex, and the kept edges, as many as fit.
#include "engine/api/algorithm.h"
#include "engine/verify/plain_visit.h"
#include "engine/verify/triangle_check.h"

namespace edgemill {
namespace {

struct CountLinks {
  using Monoid = Both<Sum<uint64_t>, Sum<uint32_t>>;
  using Value = Monoid::Value;
  Into<Sum<uint64_t>> links;
  Into<Sum<uint32_t>> neighbors;
  Corners<Value> operator()(const ArcTriangle& t) const {
    return {{t.vw, 0}, {t.uw, 0}, {t.uv, 0}};
  }
  Ends<Value> Pair(const ArcPair&) const { return {{0, 1}, {0, 1}}; }
  void Take(VertexId v, Value sum) {
    if (sum.first > 0) links.Add(v, sum.first);
    if (sum.second > 0) neighbors.Add(v, sum.second);
  }
};

constexpr double PairsOf(uint32_t neighbors) {
  return static_cast<double>(neighbors) * (static_cast<double>(neighbors) - 1);
}
constexpr double ClusteringOf(uint64_t links, uint32_t neighbors) {
  return neighbors < 2 ? 0 : static_cast<double>(links) / PairsOf(neighbors);
}

struct AddClustering {  // of all vertices: clustering, links, and pairs of neighbours
  using Monoid = Both<Sum<double>, Both<Sum<double>, Sum<double>>>;
  View<const uint64_t> links;
  View<const uint32_t> neighbors;
  Monoid::Value operator()(VertexId v) const {
    return {ClusteringOf(links[v], neighbors[v]),
            {static_cast<double>(links[v]), neighbors[v] < 2 ? 0 : PairsOf(neighbors[v])}};
  }
};

struct ClusteringState : RunState {
  using RunState::RunState;
  VertexArray<uint64_t> links{*this, "links", ArrayUse::kResult};
  VertexArray<uint32_t> neighbors{*this, "neighbours", ArrayUse::kResult};
  IntersectedLists lists{*this, AsksForArcs::kYes};
};

Status FindClustering(Engine& engine, ClusteringState& state, const RunContext&, Answer* answer) {
  state.links.Fill(0);
  state.neighbors.Fill(0);
  RETURN_IF_ERROR(engine.Intersect(
      CountLinks{state.links.into<Sum<uint64_t>>(), state.neighbors.into<Sum<uint32_t>>()}));
  ASSIGN_OR_RETURN(const auto sums, engine.Reduce<AddClustering::Monoid>(
                                        engine.sets().All(),
                                        AddClustering{state.links.read(), state.neighbors.read()}));
  const double vertices = std::max<double>(1, static_cast<double>(engine.num_vertices()));
  const double mean = sums.first / vertices;
  const double transitivity = sums.second.second > 0 ? sums.second.first / sums.second.second : 0;
  answer->AddFact("mean clustering", FormatSignificant(mean), mean);
  answer->AddFact("transitivity", FormatSignificant(transitivity), transitivity);
  const std::span<const uint64_t> links = state.links.span();
  const std::span<const uint32_t> neighbors = state.neighbors.span();
  answer->Fill("clustering", [=](VertexId v) { return ClusteringOf(links[v], neighbors[v]); });
  return OkStatus();
}

Status Verify(LoadedGraph& graph, ClusteringState& state, TriangleCheck& check, const RunContext&) {
  const std::span<const uint64_t> links = state.links.span();
  const std::span<const uint32_t> neighbors = state.neighbors.span();
  return CheckCorners(graph, check, [&](const CountedCorner& at) {
    const bool right = links[at.vertex] == at.arcs && neighbors[at.vertex] == at.neighbors;
    return WrongVertex(
        graph, right ? kInvalidVertex : at.vertex,
        StrCat("has ", at.arcs, " edges between its ", at.neighbors, " neighbours, not ",
               links[at.vertex], " between ", neighbors[at.vertex]));
  });
}

}  // namespace

EDGEMILL_ALGORITHM(lcc) = {
    .name = "lcc",
    .group = AlgorithmGroup::kStructure,
    .aliases = {"clustering"},
    .summary = "local clustering coefficients: how many of a vertex's neighbours are neighbours",
    .facts = {.formula = "clustering[v] = edges between neighbours of v / (d (d - 1)), where v has "
                         "d neighbours",
              .direction = "neighbours are joined either way; an edge between them counts each way",
              .duplicates = "duplicates count once, loops never",
              .weights = "ignored",
              .ends = "when all lists that share a neighbour have met",
              .passes = "one where all kept edges fit in memory; else one more for each part that "
                        "fits"},
    .text = R"(The values of undirected graphs are those of NetworkX's clustering. Those of directed
graphs are the ones of Graphalytics (LCC); NetworkX has another definition for these. A directed
graph needs both columns. A vertex with fewer than two neighbours has 0. The summary has the mean
over all vertices, and the transitivity: of all pairs of neighbours, the share that is joined.
--verify counts again at all vertices of graphs with up to 4,096 of them, else at 64 vertices.
)",
    .paper = "Watts, Strogatz, Collective Dynamics of Small-World Networks, Nature 1998",
    .results = {{.name = "clustering", .type = ResultType::kReal, .top = TopKind::kValues}},
    .driver = kDriver<FindClustering>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill
