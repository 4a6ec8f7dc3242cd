// Triangles: how many there are, and at how many each vertex is a corner.
//
// Result   triangles[v]: the triangles of the simple undirected graph that have v as a corner:
//          edges are taken both ways, duplicates count once, loops never.
// Method   Each edge is kept at the end of lower degree. So the longest list is short, and each
//          triangle is found once: where the lists of two of its corners share the third.
// Paper    Chiba, Nishizeki: Arboricity and Subgraph Listing Algorithms, SIAM J. Comput. 1985.
//          Latapy: Main-Memory Triangle Computations for Very Large Graphs, TCS 2008.
// State    8 bytes a vertex, and the kept edges, as many as fit.
#include "engine/api/algorithm.h"
#include "engine/verify/plain_visit.h"
#include "engine/verify/triangle_check.h"

namespace edgemill {
namespace {

struct CountAtCorners {
  using Monoid = Sum<uint64_t>;
  Into<Monoid> triangles;
  Corners<uint64_t> operator()(const Triangle&) const { return {1, 1, 1}; }
  void Take(VertexId v, uint64_t sum) { triangles.Add(v, sum); }
};
struct TrianglesOf {
  View<const uint64_t> triangles;
  uint64_t operator()(VertexId v) const { return triangles[v]; }
};

struct TriangleState : RunState {
  using RunState::RunState;
  VertexArray<uint64_t> triangles{*this, "triangles", ArrayUse::kResult};
  IntersectedLists lists{*this};
};

Status CountTriangles(Engine& engine, TriangleState& state, const RunContext&, Answer* answer) {
  state.triangles.Fill(0);
  RETURN_IF_ERROR(engine.Intersect(CountAtCorners{state.triangles.into<Sum<uint64_t>>()}));
  ASSIGN_OR_RETURN(
      const uint64_t corners,
      engine.Reduce<Sum<uint64_t>>(engine.sets().All(), TrianglesOf{state.triangles.read()}));
  answer->AddCount("triangles", corners / 3);
  answer->Fill("triangles", state.triangles.span());
  return OkStatus();
}

/// Corners come in threes. The joined pairs of neighbours are counted again.
Status Verify(LoadedGraph& graph, TriangleState& state, TriangleCheck& check, const RunContext&) {
  const std::span<const uint64_t> triangles = state.triangles.span();
  uint64_t corners = 0;
  for (const uint64_t count : triangles) corners += count;
  if (corners % 3 != 0)
    return InternalError(StrCat(corners, " corners do not make whole triangles"));
  return CheckCorners(graph, check, [&](const CountedCorner& at) {
    const uint64_t given = triangles[at.vertex];
    return WrongVertex(graph, given == at.triangles ? kInvalidVertex : at.vertex,
                       StrCat("is a corner of ", at.triangles, " triangles, not of ", given));
  });
}

}  // namespace

EDGEMILL_ALGORITHM(triangles) = {
    .name = "triangles",
    .group = AlgorithmGroup::kStructure,
    .aliases = {"tc"},
    .summary = "triangles: how many there are, and how many each vertex is a corner of",
    .facts = {.formula = "triangles[v] = pairs of neighbours of v that are neighbours",
              .direction = "both ways",
              .duplicates = "duplicates count once, loops never",
              .weights = "ignored",
              .ends = "when all lists that share a neighbour have met",
              .passes = "one where all kept edges fit in memory; else one more for each part that "
                        "fits"},
    .text = R"(Directions do not count: a directed graph needs both columns. The graph may be larger
than memory. If half of its edges fit, at 4 bytes each, it is read once. It is fastest with ids by
degree (`ingest --renumber degree`). --verify counts again at all vertices of graphs with up to
4,096 of them, else at 64 vertices.
)",
    .paper = "Latapy, Main-Memory Triangle Computations for Very Large Graphs, TCS 2008",
    .results = {{.name = "triangles", .type = ResultType::kLongCount, .top = TopKind::kValues}},
    .driver = kDriver<CountTriangles>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill
