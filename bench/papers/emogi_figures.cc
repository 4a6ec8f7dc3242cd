#include "bench/papers/paper_quantities.h"

namespace edgemill::bench {

std::vector<PaperFigure> EmogiFigures() {
  using namespace quantities;  // NOLINT(build/namespaces)
  using namespace ways;        // NOLINT(build/namespaces)
  constexpr std::string_view kFpga = "requests are observed by special hardware";
  const std::vector<PaperRow> all = {
      {"SSSP", "sssp"}, {"BFS", "bfs"}, {"CC", "cc"}, {"PR", "pagerank"}};
  return {
      {.name = "emogi-3", .title = "EMOGI, figure 3: request patterns", .left_out = kFpga},
      {.name = "emogi-4",
       .title = "EMOGI, figure 4: bandwidth of access patterns",
       .left_out = "bench transfer measures the link"},
      {.name = "emogi-6",
       .title = "EMOGI, figure 6: edges by degree",
       .left_out = "a property of the paper's graphs"},
      {.name = "emogi-8",
       .title = "EMOGI, figure 8: bandwidth of BFS",
       .rows = {{"BFS", "bfs"}},
       .columns = {{"Merged+Aligned", &kRawEmogi, &kLinkRate}, {"Edgemill", &kAuto, &kLinkRate}}},
      {.name = "emogi-10",
       .title = "EMOGI, figure 10: read amplification of BFS",
       .rows = {{"BFS", "bfs"}},
       .columns = {{"EMOGI", &kRawEmogi, &kMovedShare}, {"Edgemill", &kAuto, &kMovedShare}},
       .note = "Bytes over the link over those of raw edges. UVM is not run."},
      {.name = "emogi-11",
       .title = "EMOGI, figure 11: graph traversals",
       .rows = all,
       .columns = {{"EMOGI", &kRawEmogi, &kSeconds},
                   {"Edgemill", &kAuto, &kSeconds},
                   {"Edgemill", &kAuto, &kSeconds, PaperRelation::kSpeedup}},
       .note = "UVM is not run."},
      {.name = "emogi-13",
       .title = "EMOGI, figure 13: PCIe 3.0 and 4.0",
       .left_out = "run it on each machine: bench compare shows files beside each other"},
      {.name = "emogi-t3",
       .title = "EMOGI, table 3: HALO",
       .left_out = "compares with a system that is not public"},
      {.name = "emogi-t4",
       .title = "EMOGI, table 4: Subway",
       .rows = {{"SSSP", "sssp"}, {"BFS", "bfs"}, {"CC", "cc"}},
       .columns = {{"Subway", &kRawSubway, &kSeconds},
                   {"EMOGI", &kRawEmogi, &kSeconds},
                   {"Speedup", &kRawEmogi, &kSeconds, PaperRelation::kSpeedup}}}};
}

}  // namespace edgemill::bench
