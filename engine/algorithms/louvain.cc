// Communities by modularity: Louvain's method.
//
// Result   community[v]: the first vertex of v's community. Modularity compares the weight of edges
//          inside of communities with what chance would put there: it is the sum over communities
//          of i / w - r (s / w)^2, where i is twice the weight of edges inside, s the strength of
//          the members, w that of all vertices, and r the resolution. A vertex's strength is the
//          weight of its edges. Duplicates count as often as they are stored. A loop counts as an
//          edge inside, and twice for strength.
// Method   The vertices of a window of lists choose the neighbouring community of largest gain, all
//          at the same time. Communities take them in one order, as long as they still gain: see
//          shared/communities/community_moves.h and community_passes.h there. When few move,
//          communities are vertices of a graph in memory, in which the same goes on: see
//          shared/communities/community_levels.h. All this is done twice, the second time from the
//          communities found. In small graphs vertices move one after the other. Weights are whole
//          numbers of units, all together below 2^62, so that sums are exact in any order. So the
//          answer is the same for any threads and memory.
// Paper    Blondel, Guillaume, Lambiotte, Lefebvre: Fast Unfolding of Communities in Large
//          Networks, J. Stat. Mech. 2008.
// State    68 bytes a vertex, and the graph of the first communities: 12 bytes for each end of an
//          edge between two of them. Where there is memory, the lists, unpacked: 4 bytes an edge,
//          or 12 with weights.
#include "engine/algorithms/shared/communities/community_check.h"
#include "engine/algorithms/shared/communities/community_passes.h"
#include "engine/api/algorithm.h"

namespace edgemill {
namespace {

struct LouvainState : CommunityState {
  explicit LouvainState(const RunSetup& setup) : CommunityState(setup, /*refines=*/false) {}
};

Status FindCommunities(Engine& engine, LouvainState& state, const RunContext&, Answer* answer) {
  return CommunityPasses<Engine>(engine, state).Run(answer);
}
Status Verify(LoadedGraph& graph, LouvainState& state, CommunityCheck& check, const RunContext&) {
  return VerifyCommunities(graph, state, check, /*connected=*/false);
}

}  // namespace

EDGEMILL_ALGORITHM(louvain) = {
    .name = "louvain",
    .group = AlgorithmGroup::kStructure,
    .aliases = {"modularity"},
    .summary = "communities of high modularity, by Louvain's method",
    .facts = {.formula = "community[v] = the least input id in v's community, of communities of "
                         "high modularity: the sum over communities of i / w - r (s / w)^2, with i "
                         "twice the weight of edges inside, s the strength of members, w that of "
                         "all vertices, r the resolution",
              .direction = "both ways; a directed graph is refused",
              .duplicates = "count as often as they are stored; a loop is an edge inside, and "
                            "counts twice for its vertex's strength",
              .weights = "not negative; a graph without weights counts 1 an edge",
              .ends = "when no vertex of the last level gains by a move",
              .passes = "up to 38: one or two for strengths, then twice one for each round in "
                        "which vertices move, until less than one of 64 does, and two for the "
                        "graph of communities; with memory for all lists, these are read once"},
    .text = R"(Louvain's communities may consist of parts that no edge joins; leiden's are
connected. The communities of the best modularity are hard to find; these are usually within a
percent. Where they would be worse than single vertices, the answer is single vertices. The graph of
the first communities, which passes over the lists find, must fit in memory beside the state: else
the run ends with code 71. The answer depends on the graph, on the order of its vertices (ingest
--renumber changes it) and on --order-seed alone: it is the same with any number of threads, and any
memory. It runs on the CPU alone. Where lists fit in memory beside the state, 4 bytes an edge or 12
with weights, they are read once. Runs that keep checkpoints read them in each pass instead.
Checkpoints do not have the graph of communities: a run that goes on from one does its last pass
over the lists again.
)",
    .paper = "Blondel et al., Fast Unfolding of Communities in Large Networks, J. Stat. Mech. 2008",
    .options = {kResolution, kOrderSeed},
    .results = {{.name = "community", .type = ResultType::kId, .top = TopKind::kGroups}},
    .refuses_negative_weights = true,
    .check = CheckUndirected,
    .driver = kDriver<FindCommunities>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill
