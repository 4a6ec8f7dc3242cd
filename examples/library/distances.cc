// Makes a graph of arrays, opens it and runs two algorithms on it: distances OUT.mill.
#include <edgemill/edgemill.h>

#include <cstdio>
#include <string>
#include <vector>

namespace {

/// A ring of 1,000 vertices, in which each tenth vertex has an edge to vertex 0.
edgemill::Status MakeRing(const std::string& path) {
  std::vector<edgemill::ExternalId> sources, targets;
  std::vector<double> weights;
  for (edgemill::ExternalId v = 0; v < 1000; ++v) {
    sources.push_back(v);
    targets.push_back((v + 1) % 1000);
    weights.push_back(1);
    if (v % 10 != 0) continue;
    sources.push_back(v);
    targets.push_back(0);
    weights.push_back(2.5);
  }
  return edgemill::Ingest(edgemill::EdgeArrays{sources, targets, weights}, path).status();
}

edgemill::Status AskRing(const std::string& path) {
  EDGEMILL_ASSIGN_OR_RETURN(const auto graph, edgemill::OpenGraph(path));
  std::printf("vertices %zu\n", size_t{graph->info().num_vertices});

  edgemill::RunSettings settings;
  settings.resources.memory_bytes = size_t{128} << 20;
  settings.resources.progress = [](const edgemill::ProgressReport& report) {
    std::fprintf(stderr, "%s: iteration %zu\n", report.stage.c_str(), size_t{report.iteration});
    return true;  // false cancels
  };
  EDGEMILL_ASSIGN_OR_RETURN(const edgemill::RunAnswer distances,
                            Run(*graph, "sssp", {{"--source", 995}}, settings));
  std::printf("distance from 995 to 7: %g\n", distances.reals.at(7));

  EDGEMILL_ASSIGN_OR_RETURN(const edgemill::RunAnswer ranks,
                            Run(*graph, "pagerank", {{"--damping", 0.5}}, settings));
  std::printf("%s of 0: %.3f\n", ranks.column.c_str(), ranks.reals.at(0));
  return edgemill::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "ring.mill";
  edgemill::Status status = MakeRing(path);
  if (status.ok()) status = AskRing(path);
  if (!status.ok()) std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
  return status.exit_code();
}
