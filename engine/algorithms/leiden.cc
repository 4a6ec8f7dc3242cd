// Communities by modularity: Leiden's method, whose communities are connected.
//
// Result   community[v]: the first vertex of v's community. Modularity, duplicates and loops are as
//          for louvain.
// Method   As louvain. But what a level makes a vertex of the next one is not a community: it is a
//          connected part of it. Each vertex that is still alone joins the part of largest gain
//          inside of its community. So no level keeps together what would better be apart. Of a
//          community that is not connected, the parts become communities.
//          Traag et al. join a part at random. This takes the best one, so that the answer is
//          always the same.
// Paper    Traag, Waltman, van Eck: From Louvain to Leiden: Guaranteeing Well-Connected
//          Communities, Scientific Reports 2019.
// State    72 bytes a vertex, and the graph of the first parts: 12 bytes for each end of an edge
//          between two of them. The lists, unpacked, as for louvain.
#include "engine/algorithms/shared/communities/community_check.h"
#include "engine/algorithms/shared/communities/community_passes.h"
#include "engine/api/algorithm.h"

namespace edgemill {
namespace {

struct LeidenState : CommunityState {
  explicit LeidenState(const RunSetup& setup) : CommunityState(setup, /*refines=*/true) {}
};

Status FindCommunities(Engine& engine, LeidenState& state, const RunContext&, Answer* answer) {
  return CommunityPasses<Engine>(engine, state).Run(answer);
}
Status Verify(LoadedGraph& graph, LeidenState& state, CommunityCheck& check, const RunContext&) {
  return VerifyCommunities(graph, state, check, /*connected=*/true);
}

}  // namespace

EDGEMILL_ALGORITHM(leiden) = {
    .name = "leiden",
    .group = AlgorithmGroup::kStructure,
    .aliases = {"community-detection"},
    .summary = "connected communities of high modularity, by Leiden's method",
    .facts = {.formula = "community[v] = the least input id in v's community, of connected "
                         "communities of high modularity, as louvain has it",
              .direction = "both ways; a directed graph is refused",
              .duplicates = "count as often as they are stored; a loop is an edge inside, and "
                            "counts twice for its vertex's strength",
              .weights = "not negative; a graph without weights counts 1 an edge",
              .ends = "when no vertex of the last level gains by a move, nor joins another one",
              .passes = "up to 42: as louvain, and each time up to two in which vertices join "
                        "parts of their communities"},
    .text = R"(Edges join all members of a community: those of weight 0 do not count. The graph of
parts, which passes over the lists find, must fit in memory beside the state: else the run ends with
code 71. It is larger than that of louvain, because parts are smaller than communities. The
communities are usually better. Where they would be worse than single vertices, the answer is single
vertices. The answer depends on the graph, on the order of its vertices (ingest --renumber changes
it) and on --order-seed alone: it is the same with any number of threads, and any memory. It runs on
the CPU alone. Where lists fit in memory beside the state, 4 bytes an edge or 12 with weights, they
are read once. Runs that keep checkpoints read them in each pass instead. Checkpoints do not have
the graph of parts: a run that goes on from one does its last pass over the lists again.
)",
    .paper =
        "Traag, Waltman and van Eck, From Louvain to Leiden: Guaranteeing Well-Connected "
        "Communities, Scientific Reports 2019",
    .options = {kResolution, kOrderSeed},
    .results = {{.name = "community", .type = ResultType::kId, .top = TopKind::kGroups}},
    .refuses_negative_weights = true,
    .check = CheckUndirected,
    .driver = kDriver<FindCommunities>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill
