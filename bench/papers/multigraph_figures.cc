#include <utility>

#include "bench/papers/paper_quantities.h"

namespace edgemill::bench {

namespace {

using namespace quantities;  // NOLINT(build/namespaces)
using namespace ways;        // NOLINT(build/namespaces)

PaperFigure Choice() {
  return {.name = "multigraph-s6",
          .title = "MultiGraph, section 6: the choice in each iteration",
          .rows = {{"BFS", "bfs"}, {"CC", "labels"}, {"SSSP", "bellman-ford"}},
          .columns = {{"# edges", &kSinglePushes, &kActiveEdges},
                      {"pushes", &kSinglePushes, &kMilliseconds},
                      {"pulls", &kSinglePulls, &kMilliseconds},
                      {"by samples", nullptr, &kMilliseconds, PaperRelation::kSampled},
                      {"best possible", nullptr, &kMilliseconds, PaperRelation::kLeast},
                      {"Edgemill", &kSinglePasses, &kMilliseconds},
                      {"its mode", &kSinglePasses, &kMode}},
          .by_iteration = true,
          .has_totals = true,
          .note =
              "Edgemill's kernels, one pass a launch. By samples: pushes are known in each "
              "iteration, pulls from the first one, and samples cost nothing. Edgemill chooses by "
              "constants."};
}

/// What shows the dense kernel.
std::vector<PaperFigure> OfCells() {
  constexpr std::string_view kCells =
      "cells of edges, which the GPU makes from packed blocks that are in its memory";
  return {
      {.name = "multigraph-t7",
       .title = "MultiGraph, table 7: preprocessing time",
       .rows = {{"PR", "pagerank"}},
       .columns = {{"MultiGraphD", &kResidentDense, &kMakeCellMilliseconds}},
       .note = kCells},
      {.name = "multigraph-t8",
       .title = "MultiGraph, table 8: normalised preprocessing",
       .rows = {{"PR", "pagerank"}},
       .columns = {{"over the iterations by cells", &kResidentDense, &kMakeCellShare}},
       .note = kCells},
      {.name = "multigraph-12",
       .title = "MultiGraph, figure 12: PageRank, topology-driven",
       .rows = {{"PR", "pagerank"}},
       .columns = {{"MultiGraphS", &kRawSparse, &kMegaEdgesPerSecond},
                   {"MultiGraphD", &kResidentDense, &kMegaEdgesPerSecond},
                   {"pushes", &kResidentPush, &kMegaEdgesPerSecond},
                   {"pulls by lists", &kResidentLists, &kMegaEdgesPerSecond},
                   {"Edgemill", &kResident, &kMegaEdgesPerSecond}},
       .note = "MultiGraphS: a plain version of its kernel. MultiGraphD: pulls by cells, without "
               "making them. Others: Edgemill on packed edges. Other systems are not run."},
      {.name = "multigraph-14a",
       .title = "MultiGraph, figure 14a: memory over that of raw CSR",
       .rows = {{"PR", "pagerank"}},
       .columns = {{"MultiGraphD", &kResidentDense, &kCellBytes}},
       .note = "Cells, messages and partial sums over 4 bytes an edge and 8 a vertex; the packed "
               "blocks are there too."}};
}

}  // namespace

std::vector<PaperFigure> MultigraphFigures() {
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
  std::vector<PaperFigure> others = {
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
      Choice(),
      {.name = "multigraph-t5", .title = "MultiGraph, table 5: speedup", .left_out = kOthers},
      {.name = "multigraph-t6",
       .title = "MultiGraph, table 6: speedup, random numbering",
       .left_out = kOthers},
      rate("multigraph-8", "MultiGraph, figure 8: betweenness centrality", {"BC", "betweenness"}),
      rate("multigraph-9", "MultiGraph, figure 9: breadth first search", {"BFS", "bfs"}),
      rate("multigraph-10", "MultiGraph, figure 10: connected components", {"CC", "labels"}),
      rate("multigraph-11", "MultiGraph, figure 11: PageRank, data-driven", {"PR", "delta-zero"}),
      rate("multigraph-13", "MultiGraph, figure 13: shortest paths", {"SSSP", "bellman-ford"}),
      {.name = "multigraph-14bcd",
       .title = "MultiGraph, figure 14b to d: hardware metrics",
       .left_out = kHardware}};
  return Joined({std::move(others), OfCells()});
}

}  // namespace edgemill::bench
