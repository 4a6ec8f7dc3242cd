#include "cli/options/field_names.h"

#include <algorithm>
#include <string_view>

#include "common/strings.h"
#include "engine/run/algorithm_help.h"

namespace edgemill::cli {
namespace {

/// Names of one problem, separated by blanks, each in small letters without separators.
struct FieldName {
  std::string_view names;
  std::string_view called;   // Edgemill's name for it; or else
  std::string_view missing;  // what Edgemill lacks,
  std::string_view near;     // and the nearest thing that it has
};

constexpr FieldName kFieldNames[] = {
    {"breadthfirstsearch breadthfirst reachability hops levels", "bfs", "", ""},
    {"dijkstra deltastepping shortestpath shortestpaths distances sp", "sssp", "", ""},
    {"connectedcomponents components weaklyconnectedcomponents unionfind afforest", "cc", "", ""},
    {"coredecomposition kcores core cores", "kcore", "", ""},
    {"brandes betweennesscentrality", "betweenness", "", ""},
    {"widestpaths maximumbottleneck bottleneck", "sswp", "", ""},
    {"stronglyconnectedcomponents strongcomponents tarjan kosaraju", "scc", "", ""},
    {"bcc biconnectedcomponents bridges articulationpoints", "", "biconnected components",
     "cc gives connected ones"},
    {"triangle trianglecount trianglecounting trianglescount", "triangles", "", ""},
    {"clusteringcoefficient localclusteringcoefficient averageclustering transitivity", "lcc", "",
     ""},
    {"ktruss truss trussness trussdecomposition", "the command edgemill truss", "", ""},
    {"cliques clique maximalcliques maximumclique kclique", "", "cliques", "kcore gives cores"},
    {"closenesscentrality", "closeness", "", ""},
    {"multisource multisourcesearch multibfs", "msbfs", "", ""},
    {"harmonic harmoniccentrality harmoniccloseness", "closeness --harmonic", "", ""},
    {"eigenvectorcentrality", "eigenvector", "", ""},
    {"katzcentrality", "katz", "", ""},
    {"hubs authorities", "hits", "", ""},
    {"rwr personalisedpagerank randomwalkwithrestart topicsensitivepagerank", "ppr", "", ""},
    {"randomwalk randomwalks node2vec deepwalk", "", "random walks",
     "ppr ranks vertices by walks from seeds"},
    {"communities modularitycommunities louvaincommunities clauset fastgreedy", "leiden", "", ""},
    {"infomap walktrap", "", "communities by random walks", "leiden gives those by modularity"},
    {"labelpropagation lpa communitybylabelpropagation", "cdlp", "", ""},
    {"minimumspanningtree minimumspanningforest spanningtree spanningforest kruskal prim boruvka",
     "mst", "", ""},
    {"dfs depthfirstsearch depthfirst", "", "depth-first search", "bfs goes breadth-first"},
    {"topologicalsort topologicalorder topologicalgenerations isdag acyclic", "toposort", "", ""},
    {"isbipartite twocoloring oddcycle", "bipartite", "", ""},
    {"apsp allpairs allpairsshortestpaths floydwarshall johnson", "", "distances of all pairs",
     "sssp gives those from one source"},
    {"bellmanford negativeweights", "", "distances over negative weights",
     "sssp takes weights that are not negative"},
    {"astar bidirectional bidirectionalsearch pathbetween", "path", "", ""},
    {"ksp kshortestpaths yen", "", "several paths to a target", "path gives a shortest one"},
    {"eccentricities center periphery", "diameter --eccentricity", "", ""},
    {"maxflow minimumcut mincut flow", "", "flows and cuts", ""},
    {"graphcoloring vertexcoloring greedycoloring jonesplassmann", "coloring", "", ""},
    {"maximalindependentset independentset luby", "mis", "", ""},
    {"matching maximummatching maximalmatching", "", "matchings", ""},
    {"linkprediction commonneighbors jaccardcoefficient jaccardsimilarity nodesimilarity "
     "vertexsimilarity",
     "similarity", "", ""},
    {"cosine cosinesimilarity", "similarity --measure cosine", "", ""},
    {"overlap overlapcoefficient", "similarity --measure overlap", "", ""},
    {"sorensen dice sorensencoefficient", "similarity --measure sorensen", "", ""},
    {"adamicadar adamicadarindex", "similarity --measure adamic-adar", "", ""},
    {"resourceallocation resourceallocationindex", "similarity --measure allocation", "", ""},
    {"simrank knn nearestneighbors", "", "SimRank, and similarities of all pairs",
     "similarity compares all vertices with one"},
    {"degree degreecentrality degreedistribution strengths", "degrees", "", ""},
    {"motifs subgraphisomorphism subgraphmatching isomorphism gnn gcn", "", "patterns", ""},
};

std::string Plain(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c == '-' || c == '_' || c == ' ') continue;
    plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return plain;
}

bool HasWord(std::string_view words, std::string_view wanted) {
  return StrCat(" ", words, " ").find(StrCat(" ", wanted, " ")) != std::string::npos;
}

/// The registered algorithm that has one of these names; empty when there is none.
std::string AlgorithmAmong(std::string_view names) {
  for (const AlgorithmHelp& help : Algorithms()) {
    bool is_among = HasWord(names, Plain(help.name));
    for (const std::string_view alias : help.aliases) is_among |= HasWord(names, Plain(alias));
    if (is_among) return std::string(help.name);
  }
  return "";
}

}  // namespace

std::string AboutFieldName(std::string_view name) {
  if (AlgorithmCalled(name).has_value()) return "";
  const std::string plain = Plain(name);
  for (const FieldName& known : kFieldNames) {
    if (plain.empty() || !HasWord(known.names, plain)) continue;
    if (!known.called.empty()) return StrCat("did you mean ", known.called, "?");
    const std::string called = AlgorithmAmong(known.names);
    if (!called.empty()) return StrCat("did you mean ", called, "?");
    return StrCat("Edgemill has no algorithm for ", known.missing,
                  known.near.empty() ? "" : StrCat("; ", known.near),
                  ": edgemill help run lists what it has");
  }
  return "";
}

}  // namespace edgemill::cli
