#include "bench/papers/paper_quantities.h"

namespace edgemill::bench {
namespace {

constexpr PaperRow kRanks{"PR", "delta-zero"}, kPaths{"SSSP", "bellman-ford"};

PaperFigure ByWay(std::string_view name, std::string_view title, const PaperRow& row) {
  using namespace quantities;  // NOLINT(build/namespaces)
  using namespace ways;        // NOLINT(build/namespaces)
  return {.name = name,
          .title = title,
          .rows = {row},
          .columns = {{"E-F", &kFilter, &kMilliseconds},
                      {"E-C", &kCompaction, &kMilliseconds},
                      {"I-ZC", &kZeroCopy, &kMilliseconds},
                      {"best", nullptr, &kMilliseconds, PaperRelation::kLeast}},
          .by_iteration = true,
          .note = "Edgemill's engines. I-UM, unified memory, is not run."};
}

/// Table II and figure 3: what other systems' engines do.
std::vector<PaperFigure> EngineFigures() {
  using namespace quantities;  // NOLINT(build/namespaces)
  using namespace ways;        // NOLINT(build/namespaces)
  constexpr std::string_view kOverlap =
      "gathering and copying overlap, so that neither has a time of its own";
  return {{.name = "hytgraph-t2",
           .title = "HyTGraph, table II: Subway and EMOGI",
           .rows = {kPaths, kRanks},
           .columns = {{"Subway", &kRawSubway, &kSeconds}, {"EMOGI", &kRawEmogi, &kSeconds}}},
          {.name = "hytgraph-3a",
           .title = "HyTGraph, figure 3a: active edges and partitions",
           .rows = {kPaths, kRanks},
           .columns = {{"active edges", &kFilter, &kActiveEdgeShare},
                       {"active partitions", &kFilter, &kVisitedBlockShare}},
           .by_iteration = true},
          {.name = "hytgraph-3b",
           .title = "HyTGraph, figure 3b: Subway by iteration",
           .left_out = kOverlap},
          {.name = "hytgraph-3c",
           .title = "HyTGraph, figure 3c: Subway's time breakdown",
           .left_out = kOverlap},
          {.name = "hytgraph-3d",
           .title = "HyTGraph, figure 3d: active edges and memory pages",
           .left_out = "unified memory beyond the GPU's memory is not run"},
          {.name = "hytgraph-3e",
           .title = "HyTGraph, figure 3e: zero-copy by request size",
           .left_out = "bench transfer measures the link"},
          {.name = "hytgraph-3f",
           .title = "HyTGraph, figure 3f: degrees of the graphs",
           .left_out = "a property of the paper's graphs"},
          ByWay("hytgraph-3g", "HyTGraph, figure 3g: SSSP by iteration", kPaths),
          ByWay("hytgraph-3h", "HyTGraph, figure 3h: PageRank by iteration", kRanks)};
}

/// The figures of section VII.
std::vector<PaperFigure> ResultFigures() {
  using namespace quantities;  // NOLINT(build/namespaces)
  using namespace ways;        // NOLINT(build/namespaces)
  return {
      {.name = "hytgraph-t5",
       .title = "HyTGraph, table V: other systems",
       .rows = {kRanks, {"SSSP", "sssp"}, {"CC", "labels"}, {"BFS", "bfs"}},
       .columns = {{"ExpTM-F", &kRawPages, &kSeconds},
                   {"Subway", &kRawSubway, &kSeconds},
                   {"EMOGI", &kRawEmogi, &kSeconds},
                   {"HyTGraph", &kHytgraph, &kSeconds},
                   {"Edgemill", &kAuto, &kSeconds},
                   {"Edgemill CPU", &kCpu, &kSeconds}},
       .note = "HyTGraph: Edgemill's engines, chosen by the paper's formulas. ImpTM-UM, Grus and "
               "Galois are not run."},
      {.name = "hytgraph-6ab",
       .title = "HyTGraph, figure 6a, b: execution path",
       .rows = {kRanks, kPaths},
       .columns = {{"ExpTM-filter", &kHytgraph, &kFilterShare},
                   {"ExpTM-compaction", &kHytgraph, &kCompactionShare},
                   {"ImpTM-zero-copy", &kHytgraph, &kZeroCopyShare}},
       .by_iteration = true,
       .note = "Shares of the blocks that came in the iteration."},
      {.name = "hytgraph-6cd",
       .title = "HyTGraph, figure 6c, d: runtime by iteration",
       .rows = {kRanks, kPaths},
       .columns = {{"ExpTM-F", &kFilter, &kMilliseconds},
                   {"Subway", &kCompaction, &kMilliseconds},
                   {"EMOGI", &kZeroCopy, &kMilliseconds},
                   {"HyTGraph", &kHytgraph, &kMilliseconds},
                   {"Edgemill", &kAuto, &kMilliseconds}},
       .by_iteration = true,
       .note = "Edgemill's engines of these kinds, on packed blocks."},
      {.name = "hytgraph-7",
       .title = "HyTGraph, figure 7: task combining and contribution-driven scheduling",
       .rows = {kRanks, kPaths, {"CC", "labels"}},
       .columns = {{"Hybrid", &kHytgraphUncombined, &kSeconds},
                   {"+ TC", &kHytgraph, &kSeconds, PaperRelation::kSpeedup},
                   {"+ once more", &kHytgraphOnceMore, &kSeconds, PaperRelation::kSpeedup},
                   {"+ CDS", &kHytgraphOrdered, &kSeconds, PaperRelation::kSpeedup},
                   {"TC iterations", &kHytgraph, &kIterations},
                   {"once more iterations", &kHytgraphOnceMore, &kIterations},
                   {"CDS iterations", &kHytgraphOrdered, &kIterations},
                   {"TC moved", &kHytgraph, &kLinkGigabytes},
                   {"once more moved", &kHytgraphOnceMore, &kLinkGigabytes},
                   {"CDS moved", &kHytgraphOrdered, &kLinkGigabytes}},
       .note = "Speedups over Hybrid. Once more: what was loaded is passed over once more, in "
               "asynchronous passes. BFS has none: its vertices are active once."},
      {.name = "hytgraph-t6",
       .title = "HyTGraph, table VI: transfer volume over edge volume",
       .rows = {kRanks, kPaths},
       .columns = {{"ExpTM-F", &kRawPages, &kMovedShare},
                   {"Subway", &kRawSubway, &kMovedShare},
                   {"EMOGI", &kRawEmogi, &kMovedShare},
                   {"HyTGraph", &kHytgraph, &kMovedShare},
                   {"Edgemill", &kAuto, &kMovedShare}},
       .note = "HyTGraph and Edgemill send packed edges; the edge volume is of raw ones."},
      {.name = "hytgraph-8",
       .title = "HyTGraph, figure 8: sizes of graphs",
       .left_out = "give several graphs: table V is of each"},
      {.name = "hytgraph-9",
       .title = "HyTGraph, figure 9: GPUs",
       .left_out = "run it on each GPU: bench compare shows files beside each other"}};
}

}  // namespace

std::vector<PaperFigure> HytgraphFigures() { return Joined({EngineFigures(), ResultFigures()}); }

}  // namespace edgemill::bench
