#include "bench/papers/paper_quantities.h"

namespace edgemill::bench {

std::vector<PaperFigure> MultigraphFigures() {
  using namespace quantities;  // NOLINT(build/namespaces)
  using namespace ways;        // NOLINT(build/namespaces)
  constexpr std::string_view kOthers = "compares with systems that are not run here";
  constexpr std::string_view kHardware = "counts transactions by a profiler of the hardware";
  const auto rate = [](std::string_view name, std::string_view title, PaperRow row) {
    return PaperFigure{
        .name = name,
        .title = title,
        .rows = {row},
        .columns = {{"MultiGraphS", &kRawSparse, &kMegaEdgesPerSecond},
                    {"pushes", &kResidentPush, &kMegaEdgesPerSecond},
                    {"pulls", &kResidentPull, &kMegaEdgesPerSecond},
                    {"Edgemill", &kResident, &kMegaEdgesPerSecond}},
        .note =
            "MultiGraphS: a plain version of its kernel, which has no betweenness centrality. "
            "Others: Edgemill on packed edges. Other systems are not run."};
  };
  return {
      {.name = "multigraph-t2",
       .title = "MultiGraph, table 2: BFS frontier sizes",
       .rows = {{"BFS", "bfs"}},
       .columns = {{"# vertices", &kResidentPush, &kActiveVertices},
                   {"# edges", &kResidentPush, &kActiveEdges},
                   {"Sparse time", &kRawSparse, &kMilliseconds},
                   {"pushes", &kResidentPush, &kMilliseconds},
                   {"Dense time", &kResidentPull, &kMilliseconds},
                   {"Best possible time", nullptr, &kMilliseconds, PaperRelation::kLeast}},
       .by_iteration = true,
       .note = "Sparse: a plain version of MultiGraph's kernel. Pushes, and pulls as dense: "
               "Edgemill's. Several pulls are one launch here, and share a row."},
      {.name = "multigraph-t5", .title = "MultiGraph, table 5: speedup", .left_out = kOthers},
      {.name = "multigraph-t6",
       .title = "MultiGraph, table 6: speedup, random numbering",
       .left_out = kOthers},
      {.name = "multigraph-t7",
       .title = "MultiGraph, table 7: preprocessing time",
       .left_out = "no structure is built but the packed one, whose time ingest prints"},
      {.name = "multigraph-t8",
       .title = "MultiGraph, table 8: normalised preprocessing",
       .left_out = "no structure is built but the packed one, whose time ingest prints"},
      rate("multigraph-8", "MultiGraph, figure 8: betweenness centrality", {"BC", "betweenness"}),
      rate("multigraph-9", "MultiGraph, figure 9: breadth first search", {"BFS", "bfs"}),
      rate("multigraph-10", "MultiGraph, figure 10: connected components", {"CC", "labels"}),
      rate("multigraph-11", "MultiGraph, figure 11: PageRank, data-driven", {"PR", "delta-zero"}),
      rate("multigraph-12", "MultiGraph, figure 12: PageRank, topology-driven", {"PR", "pagerank"}),
      rate("multigraph-13", "MultiGraph, figure 13: shortest paths", {"SSSP", "bellman-ford"}),
      {.name = "multigraph-14",
       .title = "MultiGraph, figure 14: memory and hardware metrics",
       .left_out = kHardware}};
}

}  // namespace edgemill::bench
