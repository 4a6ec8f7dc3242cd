#include "bench/papers/paper_quantities.h"

namespace edgemill::bench {
namespace {

constexpr std::string_view kByRivals =
    "PT and Subway are plain versions on raw CSR, which have no SSWP and SSNSP. Edgemill's SSSP "
    "has "
    "buckets, the others' has none.";

/// The algorithms of the paper's tables and figures.
std::vector<PaperRow> AllRows(std::string_view sssp = "bellman-ford") {
  return {{"SSSP", sssp},   {"SSWP", "sswp"},   {"BFS", "bfs"},
          {"CC", "labels"}, {"SSNSP", "ssnsp"}, {"PR", "delta-zero"}};
}

std::vector<PaperFigure> SubwayTables() {
  using namespace quantities;  // NOLINT(build/namespaces)
  using namespace ways;        // NOLINT(build/namespaces)
  return {{.name = "subway-t1",
           .title = "Subway, table 1: ratio of active vertices and edges",
           .rows = AllRows(),
           .columns = {{"V-avg", &kCpuPush, &kMeanActiveVertices},
                       {"V-max", &kCpuPush, &kMostActiveVertices},
                       {"E-avg", &kCpuPush, &kMeanActiveEdges},
                       {"E-max", &kCpuPush, &kMostActiveEdges}}},
          {.name = "subway-t3",
           .title = "Subway, table 3: performance results",
           .rows = AllRows("sssp"),
           .columns = {{"PT", &kRawPages, &kSeconds},
                       {"PT-Opt", &kRawKeptPages, &kSeconds, PaperRelation::kSpeedup},
                       {"Subway-sync", &kRawSubway, &kSeconds, PaperRelation::kSpeedup},
                       {"Subway-async", &kRawSubwayAsync, &kSeconds, PaperRelation::kSpeedup},
                       {"Edgemill", &kAuto, &kSeconds, PaperRelation::kSpeedup},
                       {"Edgemill", &kAuto, &kSeconds}},
           .note = kByRivals},
          {.name = "subway-t4",
           .title = "Subway, table 4: SubCSR generation and partitioning",
           .rows = AllRows(),
           .columns = {{"Itr", &kCpuPush, &kIterations},
                       {"Itr>80%", &kCpuPush, &kIterationsAbove80},
                       {"Itr>GPU", &kCpuPush, &kIterationsBeyondGpu},
                       {"Itr, async", &kCompactionAsync, &kIterations}},
           .note = "Counted in Edgemill's pushes; async: its compaction."},
          {.name = "subway-t5",
           .title = "Subway, table 5: out of GPU memory, and on the CPU",
           .rows = AllRows("sssp"),
           .columns = {{"Subway-sync", &kRawSubway, &kSeconds},
                       {"Subway-async", &kRawSubwayAsync, &kSeconds},
                       {"Edgemill GPU", &kAuto, &kSeconds},
                       {"Edgemill CPU", &kCpu, &kSeconds}},
           .note = "Edgemill's CPU threads stand for Galois."}};
}

std::vector<PaperFigure> SubwayPlots() {
  using namespace quantities;  // NOLINT(build/namespaces)
  using namespace ways;        // NOLINT(build/namespaces)
  constexpr std::string_view kOverlap =
      "copies and kernels overlap, so that neither has a time of its own";
  constexpr std::string_view kUnified = "unified memory beyond the GPU's memory is not run";
  return {{.name = "subway-1",
           .title = "Subway, figure 1: time breakdown of partitioning",
           .left_out = kOverlap},
          {.name = "subway-6",
           .title = "Subway, figure 6: data transfer of unified memory",
           .left_out = kUnified},
          {.name = "subway-7", .title = "Subway, figure 7: page faults", .left_out = kUnified},
          {.name = "subway-8",
           .title = "Subway, figure 8: CPU-GPU data transfer by volume",
           .rows = AllRows("sssp"),
           .columns = {{"PT", &kRawPages, &kLinkGigabytes},
                       {"Subway-sync", &kRawSubway, &kLinkGigabytes, PaperRelation::kShare},
                       {"Edgemill", &kAuto, &kLinkGigabytes, PaperRelation::kShare},
                       {"Edgemill", &kAuto, &kLinkGigabytes}},
           .note = kByRivals},
          {.name = "subway-9",
           .title = "Subway, figure 9: SubCSR generation and transfer",
           .rows = AllRows(),
           .columns = {{"without", &kFilter, &kTransferSeconds},
                       {"with", &kCompaction, &kTransferSeconds, PaperRelation::kShare}},
           .note = "Edgemill's filter and compaction: bringing blocks and visiting them."},
          {.name = "subway-10",
           .title = "Subway, figure 10: numbers of outer iterations",
           .rows = AllRows(),
           .columns = {{"sync", &kCompaction, &kIterations},
                       {"async", &kCompactionAsync, &kIterations, PaperRelation::kShare},
                       {"Subway-sync", &kRawSubway, &kIterations},
                       {"Subway-async", &kRawSubwayAsync, &kIterations}},
           .note = "sync and async: Edgemill's compaction."},
          {.name = "subway-11",
           .title = "Subway, figure 11: SubCSR generation and transfer, asynchronous",
           .rows = AllRows(),
           .columns = {{"sync", &kCompaction, &kTransferSeconds},
                       {"async", &kCompactionAsync, &kTransferSeconds, PaperRelation::kShare}}},
          {.name = "subway-12",
           .title = "Subway, figure 12: graph computation time",
           .left_out = kOverlap}};
}

}  // namespace

std::vector<PaperFigure> SubwayFigures() { return Joined({SubwayTables(), SubwayPlots()}); }

}  // namespace edgemill::bench
