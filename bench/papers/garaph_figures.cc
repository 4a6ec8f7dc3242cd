#include "bench/papers/paper_quantities.h"

namespace edgemill::bench {
namespace {

std::vector<PaperFigure> GaraphSystems() {
  using namespace quantities;  // NOLINT(build/namespaces)
  using namespace ways;        // NOLINT(build/namespaces)
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
       .left_out = "ingest prints the time of preprocessing, which needs the edges as input"}};
}

std::vector<PaperFigure> GaraphShards() {
  using namespace quantities;  // NOLINT(build/namespaces)
  using namespace ways;        // NOLINT(build/namespaces)
  constexpr std::string_view kShards =
      "Edges by target, as in the paper, but shards of over 262,144 edges are several thread "
      "blocks' work. By source: Edgemill's order of a shard's edges.";
  return {{.name = "garaph-8",
           .title = "Garaph, figure 8: pages with replication",
           .rows = {{"PR", "pagerank"}},
           .columns = {{"R = 1", &kRawShards1, &kPageMilliseconds},
                       {"2", &kRawShards2, &kPageMilliseconds},
                       {"4", &kRawShards4, &kPageMilliseconds},
                       {"8", &kRawShards8, &kPageMilliseconds},
                       {"16", &kRawShards16, &kPageMilliseconds},
                       {"32", &kRawShards32, &kPageMilliseconds},
                       {"customised", &kRawShardsCustom, &kPageMilliseconds},
                       {"by source", &kRawShards, &kPageMilliseconds}},
           .by_page = true,
           .note = kShards},
          {.name = "garaph-9",
           .title = "Garaph, figure 9: replication factors",
           .rows = {{"PR", "pagerank"}},
           .columns = {{"R = 1", &kRawShards1, &kSeconds},
                       {"2", &kRawShards2, &kSeconds},
                       {"4", &kRawShards4, &kSeconds},
                       {"8", &kRawShards8, &kSeconds},
                       {"16", &kRawShards16, &kSeconds},
                       {"32", &kRawShards32, &kSeconds},
                       {"customised", &kRawShardsCustom, &kSeconds},
                       {"mean R", &kRawShardsCustom, &kMeanCopies},
                       {"by source", &kRawShards, &kSeconds},
                       {"Edgemill", &kResident, &kSeconds}},
           .note = kShards}};
}

std::vector<PaperFigure> GaraphModes() {
  using namespace quantities;  // NOLINT(build/namespaces)
  using namespace ways;        // NOLINT(build/namespaces)
  return {{.name = "garaph-10",
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

}  // namespace

std::vector<PaperFigure> GaraphFigures() {
  return Joined({GaraphSystems(), GaraphShards(), GaraphModes()});
}

}  // namespace edgemill::bench
