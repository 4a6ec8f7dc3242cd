// Runs with checkpoints, on graphs in memory: all algorithms, with the options that change their
// way.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/os/file.h"
#include "common/strings.h"
#include "engine/api/algorithm.h"
#include "engine/run/algorithm_help.h"
#include "test/engine_testing.h"
#include "test/temporary_directory.h"

namespace edgemill {

/// Less than any run takes from one boundary to the next: a checkpoint is due at each boundary.
inline constexpr double kAtEachBoundary = 1e-12;

/// No disk is tested.
struct ScratchInMemory : TemporaryDirectory {
  ScratchInMemory() : TemporaryDirectory("/dev/shm") {}
};

struct CheckpointCase {
  std::string name;
  const InMemoryGraph* graph;
  RunOptions options;
  bool is_tree = false;  // several answers are right: the verifier checks them
};

/// A directed graph with weights, and an undirected one with loops and duplicates, each with some
/// levels and components; and an undirected grid with weights, without duplicates.
struct CheckpointGraphs {
  std::unique_ptr<InMemoryGraph> directed, undirected, simple;

  CheckpointGraphs() {
    TestCase grid = WeightedGrid(9);
    for (uint64_t v = 0; v < 40; ++v) grid.edges.push_back({(v * 7) % 81, (v * 31) % 81, 3});
    for (const TestEdge& edge : RandomTestEdges(4, 60, 150)) {
      grid.edges.push_back({81 + edge.source, 81 + edge.target, edge.weight});
    }
    directed = InMemoryGraph::Dense(150, grid.edges, {.weights = WeightType::kFloat64});
    for (uint64_t v = 0; v < 20; ++v) {
      grid.edges.push_back({v, v, 1});
      grid.edges.push_back(grid.edges[v]);
    }
    TestGraphOptions options{.directed = false, .weights = WeightType::kInt32};
    undirected = InMemoryGraph::Dense(150, grid.edges, options);
    simple = InMemoryGraph::Dense(100, WeightedGrid(10).edges, options);
  }
};

/// All algorithms on the graphs that they take, with each of their methods, and with options that
/// change what the driver does.
inline std::vector<CheckpointCase> CheckpointCases(const CheckpointGraphs& graphs) {
  std::vector<CheckpointCase> cases;
  const std::vector<std::pair<std::string, OptionValues>> variants = {
      {"bfs", {{"--parents", true}}},
      {"bfs", {{"--iterations", 3}}},
      {"sssp", {{"--parents", true}}},
      {"sssp", {{"--delta", 2.0}}},
      {"sssp", {{"--iterations", 4}}},
      {"sswp", {{"--delta", 1.0}}},
      {"closeness", {{"--harmonic", true}, {"--sample", 20}}},
      {"kcore", {{"--core", 3}}},
      {"degrees", {{"--weighted", true}}},
      {"path", {{"--weighted", true}}},
      {"ppr", {{"--weighted", true}, {"--iterations", 4}}},
      {"betweenness", {{"--normalized", true}}},
      {"ssnsp", {{"--iterations", 4}}},
      {"pagerank", {{"--iterations", 5}, {"--dangling", "drop"}}},
      {"coloring", {{"--order", "random"}}},
      {"diameter", {{"--eccentricity", true}}},
      {"cdlp", {{"--iterations", 4}}},
      {"similarity", {{"--measure", "adamic-adar"}}},
  };
  const auto add = [&](const AlgorithmHelp& help, const InMemoryGraph* graph,
                       const OptionValues& values) {
    CheckpointCase& made = cases.emplace_back();
    made.options = {.algorithm = std::string(help.name), .values = values, .threads = 2};
    if (help.needs_source()) {
      const bool many = help.Find("--source")->kind == OptionKind::kVertices;
      made.options.values.Set(
          "--source", many ? OptionValue(InputVertices{{3, 90, 40}}) : OptionValue(InputVertex{3}));
    }
    if (help.Find("--target") != nullptr) made.options.values.Set("--target", InputVertex{40});
    made.graph = graph;
    made.is_tree = made.options.verify = values.Has("--parents");
    made.name = StrCat(help.name, graph->info().directed ? ", directed" : ", undirected");
    for (const auto& [name, value] : values.entries()) {
      made.name += StrCat(" ", name, " ", value.Text());
    }
  };
  for (const AlgorithmHelp& help : Algorithms()) {
    if (help.name == "betweenness") add(help, graphs.simple.get(), {{"--weighted", true}});
    for (const InMemoryGraph* const graph : {graphs.directed.get(), graphs.undirected.get()}) {
      if (help.name == "toposort" && !graph->info().directed) continue;
      if ((help.name == "louvain" || help.name == "leiden") && graph->info().directed) continue;
      add(help, graph, {});
      for (const std::string& method : help.Methods()) {
        add(help, graph, {{"--method", std::string_view(method)}});
      }
      for (const auto& [name, values] : variants) {
        if (name == help.name) add(help, graph, values);
      }
    }
  }
  return cases;
}

/// Keeps what a run says.
class NotedProgress : public Progress {
 public:
  void Note(std::string_view message) override { notes_.emplace_back(message); }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::vector<std::string> notes_;
};

/// Runs a case with these checkpoints.
inline Outcome RunCase(const CheckpointCase& c, const CheckpointOptions& checkpoints,
                       const std::function<void(RunOptions*)>& change = {},
                       uint64_t budget_bytes = uint64_t{256} << 20, Progress* progress = nullptr) {
  RunOptions options = c.options;
  options.checkpoints = checkpoints;
  if (change) change(&options);
  MemoryBudget budget(budget_bytes);
  Progress silent;
  const auto reader = [&](const GraphStore&, const BlockReaderOptions&,
                          MemoryBudget&) -> StatusOr<std::unique_ptr<BlockReader>> {
    return std::unique_ptr<BlockReader>(std::make_unique<InMemoryReader>(*c.graph, 1));
  };
  return OutcomeOf(
      Run(*c.graph, options, budget, progress == nullptr ? silent : *progress, reader));
}
inline Outcome RunCase(const CheckpointCase& c, const CheckpointOptions& checkpoints,
                       Progress& progress) {
  return RunCase(c, checkpoints, {}, uint64_t{256} << 20, &progress);
}

/// A case of a small graph: its checkpoints have few bytes.
inline CheckpointCase SmallCase(const InMemoryGraph& graph) {
  return {"small", &graph, {.algorithm = "bfs", .values = {{"--source", InputVertex{0}}}}};
}
inline std::unique_ptr<InMemoryGraph> SmallPath() {
  std::vector<TestEdge> edges;
  for (uint64_t v = 0; v + 1 < 12; ++v) edges.push_back({v, v + 1});
  return InMemoryGraph::Dense(12, edges);
}

/// Calls `run(checkpoints)`, a run with a checkpoint at each boundary, and copies its checkpoints
/// whenever one is whole: what a run that is killed there leaves. Returns the directories, of each
/// boundary or of one in `step`.
template <typename Run>
std::vector<std::string> CopiesAtBoundaries(const TemporaryDirectory& scratch, Run run,
                                            uint64_t step = 1) {
  namespace fs = std::filesystem;
  const std::string directory = scratch / "checkpoints";
  std::vector<std::string> copies;
  uint64_t boundary = 0;
  fault::SetHook([&](fault::Op op, std::string_view name) {
    if (op != fault::Op::kKillPoint || name != "checkpoint.renamed") return 0;
    if (boundary++ % step != 0) return 0;
    copies.push_back(scratch / StrCat("copy", copies.size()));
    fs::copy(directory, copies.back());
    return 0;
  });
  run(CheckpointOptions{.every_seconds = kAtEachBoundary, .directory = directory});
  fault::SetHook({});
  return copies;
}

/// Removes the checkpoints of a case's run.
inline Status RemoveCheckpointsOf(const CheckpointCase& c, const CheckpointOptions& checkpoints) {
  RunOptions options = c.options;
  options.checkpoints = checkpoints;
  return RemoveCheckpoints(*c.graph, options);
}

/// An empty string where both runs have the same answer and facts: every bit, or, where `bits` is
/// false, reals within rounding.
inline std::string Difference(const CheckpointCase& c, const Outcome& got, const Outcome& want,
                              bool bits = true) {
  if (!got.status.ok()) return std::string(got.status.message());
  if (got.values.size() != want.values.size()) return "another number of values";
  for (size_t i = 0; i < want.values.size(); ++i) {
    const VertexValue& a = got.values[i];
    const VertexValue& b = want.values[i];
    const bool near = std::abs(a.real - b.real) <= 1e-5 * (1 + std::abs(b.real));
    const bool same = a.real == b.real || (!bits && near);
    const bool same_integer = c.is_tree || a.integer == b.integer;
    if (a.id != b.id || !same_integer || !same) return StrCat("another value ", i);
  }
  for (const ResultFact& fact : want.facts) {
    const ResultFact* const other = FindFact(got, fact.name);
    if (other == nullptr || (bits && other->text != fact.text)) {
      return StrCat("another fact ", fact.name, ": ", other == nullptr ? "none" : other->text,
                    ", not ", fact.text);
    }
  }
  return got.warnings == want.warnings ? "" : "other warnings";
}

}  // namespace edgemill
