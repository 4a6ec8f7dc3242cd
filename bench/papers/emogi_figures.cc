#include "bench/papers/paper_quantities.h"

namespace edgemill::bench {

namespace {

/// Figures 5 to 10: BFS by the three kernels.
std::vector<PaperFigure> KernelFigures() {
  using namespace quantities;  // NOLINT(build/namespaces)
  using namespace ways;        // NOLINT(build/namespaces)
  const std::vector<PaperRow> bfs = {{"BFS", "bfs"}};
  constexpr std::string_view kCounted = "Counted by a kernel from the lists that each pass reads.";
  return {{.name = "emogi-5",
           .title = "EMOGI, figure 5: request sizes of BFS",
           .rows = bfs,
           .columns = {{"Naive 32 B", &kRawEmogiStrided, &kRequests32},
                       {"64 B", &kRawEmogiStrided, &kRequests64},
                       {"96 B", &kRawEmogiStrided, &kRequests96},
                       {"128 B", &kRawEmogiStrided, &kRequests128},
                       {"Merged 32 B", &kRawEmogiMerged, &kRequests32},
                       {"64 B", &kRawEmogiMerged, &kRequests64},
                       {"96 B", &kRawEmogiMerged, &kRequests96},
                       {"128 B", &kRawEmogiMerged, &kRequests128},
                       {"+Aligned 32 B", &kRawEmogi, &kRequests32},
                       {"64 B", &kRawEmogi, &kRequests64},
                       {"96 B", &kRawEmogi, &kRequests96},
                       {"128 B", &kRawEmogi, &kRequests128}},
           .note = kCounted},
          {.name = "emogi-7",
           .title = "EMOGI, figure 7: numbers of requests of BFS",
           .rows = bfs,
           .columns = {{"Naive", &kRawEmogiStrided, &kMegaRequests},
                       {"Merged", &kRawEmogiMerged, &kMegaRequests},
                       {"Merged+Aligned", &kRawEmogi, &kMegaRequests}},
           .note = kCounted},
          {.name = "emogi-8",
           .title = "EMOGI, figure 8: bandwidth of BFS",
           .rows = bfs,
           .columns = {{"Naive", &kRawEmogiStrided, &kLinkRate},
                       {"Merged", &kRawEmogiMerged, &kLinkRate},
                       {"Merged+Aligned", &kRawEmogi, &kLinkRate},
                       {"Edgemill", &kAuto, &kLinkRate}}},
          {.name = "emogi-9",
           .title = "EMOGI, figure 9: the three kernels",
           .rows = bfs,
           .columns = {{"Naive", &kRawEmogiStrided, &kSeconds},
                       {"Merged", &kRawEmogiMerged, &kSeconds, PaperRelation::kSpeedup},
                       {"Merged+Aligned", &kRawEmogi, &kSeconds, PaperRelation::kSpeedup},
                       {"Edgemill", &kAuto, &kSeconds, PaperRelation::kSpeedup}},
           .note = "UVM is not run: speedups are over Naive."},
          {.name = "emogi-10",
           .title = "EMOGI, figure 10: read amplification of BFS",
           .rows = bfs,
           .columns = {{"EMOGI", &kRawEmogi, &kMovedShare}, {"Edgemill", &kAuto, &kMovedShare}},
           .note = "Bytes over the link over those of raw edges. UVM is not run."}};
}

/// The other figures, and the tables.
std::vector<PaperFigure> OtherFigures() {
  using namespace quantities;  // NOLINT(build/namespaces)
  using namespace ways;        // NOLINT(build/namespaces)
  constexpr std::string_view kFpga = "requests are observed by special hardware";
  const std::vector<PaperRow> all = {
      {"SSSP", "sssp"}, {"BFS", "bfs"}, {"CC", "labels"}, {"PR", "pagerank"}};
  return {{.name = "emogi-3", .title = "EMOGI, figure 3: request patterns", .left_out = kFpga},
          {.name = "emogi-4",
           .title = "EMOGI, figure 4: bandwidth of access patterns",
           .left_out = "bench transfer measures the link"},
          {.name = "emogi-6",
           .title = "EMOGI, figure 6: edges by degree",
           .left_out = "a property of the paper's graphs"},
          {.name = "emogi-11",
           .title = "EMOGI, figure 11: graph traversals",
           .rows = all,
           .columns = {{"EMOGI", &kRawEmogi, &kSeconds},
                       {"Edgemill", &kAuto, &kSeconds},
                       {"Edgemill", &kAuto, &kSeconds, PaperRelation::kSpeedup}},
           .note = "UVM is not run."},
          {.name = "emogi-12",
           .title = "EMOGI, figure 12: edges of 4 and 8 bytes",
           .rows = all,
           .columns = {{"EMOGI + 8B", &kRawEmogiWide, &kSeconds},
                       {"EMOGI + 4B", &kRawEmogi, &kSeconds, PaperRelation::kSpeedup}}},
          {.name = "emogi-13",
           .title = "EMOGI, figure 13: PCIe 3.0 and 4.0",
           .left_out = "run it on each machine: bench compare shows files beside each other"},
          {.name = "emogi-t3",
           .title = "EMOGI, table 3: HALO",
           .left_out = "compares with a system that is not public"},
          {.name = "emogi-t4",
           .title = "EMOGI, table 4: Subway",
           .rows = {{"SSSP", "sssp"}, {"BFS", "bfs"}, {"CC", "labels"}},
           .columns = {{"Subway", &kRawSubway, &kSeconds},
                       {"EMOGI", &kRawEmogi, &kSeconds},
                       {"EMOGI", &kRawEmogi, &kSeconds, PaperRelation::kSpeedup}}}};
}

}  // namespace

std::vector<PaperFigure> EmogiFigures() { return Joined({KernelFigures(), OtherFigures()}); }

}  // namespace edgemill::bench
