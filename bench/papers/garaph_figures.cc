#include "bench/papers/paper_quantities.h"

namespace edgemill::bench {

std::vector<PaperFigure> GaraphFigures() {
  using namespace quantities;  // NOLINT(build/namespaces)
  using namespace ways;        // NOLINT(build/namespaces)
  constexpr std::string_view kLater = "a kernel of Garaph's GPU engine, not built here";
  return {
      {.name = "garaph-t2",
       .title = "Garaph, table 2: six applications in memory",
       .rows = {{"PR", "pagerank"},
                {"CC", "labels"},
                {"SSSP", "sssp"},
                {"NN", "nn"},
                {"HS", "hs"},
                {"CS", "cs"}},
       .columns = {{"Garaph-C", &kCpu, &kSeconds},
                   {"Garaph-G", &kResident, &kSeconds},
                   {"Garaph-H", &kHybrid, &kSeconds}},
       .note = "10 iterations of PR, NN, HS and CS. The other systems of the table are not run."},
      {.name = "garaph-t3",
       .title = "Garaph, table 3: memory and secondary storage",
       .rows = {{"PR", "pagerank"}, {"CC", "labels"}},
       .columns = {{"in memory", &kCpu, &kSeconds},
                   {"secondary storage", &kCpuFromDisk, &kSeconds},
                   {"read", &kCpuFromDisk, &kGigabytesRead}},
       .note = "Secondary storage: from an empty cache, which --memory bounds. The paper has 5 "
               "iterations there."},
      {.name = "garaph-t4",
       .title = "Garaph, table 4: preprocessing cost",
       .left_out = "ingest prints the time of preprocessing, which needs the edges as input"},
      {.name = "garaph-8", .title = "Garaph, figure 8: pages with replication", .left_out = kLater},
      {.name = "garaph-9", .title = "Garaph, figure 9: replication factors", .left_out = kLater},
      {.name = "garaph-10",
       .title = "Garaph, figure 10: pull and notify-pull by iteration",
       .rows = {{"SSSP", "bellman-ford"}, {"CC", "labels"}},
       .columns = {{"notify-pull", &kCpuPush, &kMilliseconds},
                   {"pull", &kCpuPull, &kMilliseconds},
                   {"Garaph-C", &kCpu, &kMilliseconds},
                   {"its mode", &kCpu, &kMode},
                   {"active vertices", &kCpuPush, &kActiveVertices}},
       .by_iteration = true,
       .note = "SSSP is Bellman and Ford's. Programs that relax push where Garaph notifies and "
               "pulls. Values are visible at "
               "once, so that modes may differ in iterations."},
      {.name = "garaph-11",
       .title = "Garaph, figure 11: CPU, GPU and both by iteration",
       .rows = {{"SSSP", "bellman-ford"}, {"CC", "labels"}},
       .columns = {{"Garaph-C", &kCpu, &kMilliseconds},
                   {"Garaph-G", &kResident, &kMilliseconds},
                   {"Garaph-H", &kHybrid, &kMilliseconds},
                   {"active vertices", &kCpu, &kActiveVertices}},
       .by_iteration = true,
       .note = "SSSP is Bellman and Ford's."}};
}

}  // namespace edgemill::bench
