// Runs the drivers of the model's tests on the engine, with graphs in memory, in every setting.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/model/model_cases.h"
#include "engine/model/model_operation.h"
#include "test/operator_testing.h"

namespace edgemill::model {

/// The real engine. In this namespace, Engine is the model.
using RealEngine = edgemill::Engine;

/// A graph for the textbook algorithms, and the same graph for the engine.
struct StoredCase {
  Case plain;
  std::unique_ptr<InMemoryGraph> stored;
};

inline std::unique_ptr<InMemoryGraph> Stored(const Graph& graph, TestGraphOptions options) {
  std::vector<TestEdge> edges;
  for (const InputEdge& edge : graph.input()) edges.push_back({edge.from, edge.to, edge.weight});
  options.directed = graph.directed();
  return InMemoryGraph::Dense(graph.num_vertices(), edges, options);
}

/// Graphs with more than 64 vertices and with lists longer than a block of 128 edges. Weights are
/// integers 0 to 7.
inline std::vector<Case> LongCases() {
  std::mt19937_64 random(11);
  std::vector<Case> cases;
  const auto add = [&](const char* name, uint64_t num_vertices,
                       const std::vector<InputEdge>& edges) {
    cases.push_back({std::string(name) + ", directed", Graph(num_vertices, edges, true)});
    cases.push_back({std::string(name) + ", undirected", Graph(num_vertices, edges, false)});
  };
  std::vector<InputEdge> hubs = RandomEdges(150, 200, random, false);
  for (VertexId v = 0; v < 290; ++v) {
    hubs.push_back({v % 150, 149, static_cast<double>(v % 8)});
    hubs.push_back({3, (v * 7) % 150, static_cast<double>(v % 5)});
  }
  add("hubs", 150, hubs);
  add("skewed", 200, RandomEdges(200, 1200, random, true));
  add("sparse", 180, RandomEdges(180, 220, random, false));
  std::vector<InputEdge> path;
  for (VertexId v = 0; v + 1 < 140; ++v) path.push_back({v, v + 1, static_cast<double>(v % 4)});
  for (VertexId v = 0; v < 130; ++v) path.push_back({139, 0, 1});  // 130 edges to one neighbour
  add("path and a bundle", 140, path);
  return cases;
}

/// All cases that the engine can run, in blocks of 128 or 256 edges.
inline std::vector<StoredCase> StoredCases() {
  constexpr std::array kWeights = {WeightType::kInt32, WeightType::kFloat64, WeightType::kFloat32};
  std::vector<Case> plain = Cases();
  for (Case& c : LongCases()) plain.push_back(std::move(c));
  std::vector<StoredCase> cases;
  for (Case& c : plain) {
    if (c.graph.num_vertices() == 0) continue;  // many drivers need a source
    const size_t number = cases.size();
    TestGraphOptions options;
    options.weights = kWeights[number % kWeights.size()];
    options.block_edges = number % 4 == 1 ? 256 : 128;
    auto stored = Stored(c.graph, options);
    cases.push_back({std::move(c), std::move(stored)});
  }
  return cases;
}

/// All settings that differ in their effect.
inline std::vector<OperatorSetting> Settings() {
  std::vector<OperatorSetting> settings;
  for (const edgemill::Mode mode : {edgemill::Mode::kAuto, edgemill::Mode::kPush,
                                    edgemill::Mode::kPull, edgemill::Mode::kNotifyPull}) {
    const bool pushes = mode == edgemill::Mode::kAuto || mode == edgemill::Mode::kPush;
    for (const uint32_t async_passes : {0u, 1u, 16u}) {
      if (async_passes > 0 && !pushes) continue;
      for (const int threads : ThreadCounts({1, 3})) {
        settings.push_back({.mode = mode, .threads = threads, .async_passes = async_passes});
        if (!pushes || async_passes > 0) continue;
        settings.push_back({.mode = mode, .threads = threads, .sub_csrs = true});
      }
    }
  }
  return settings;
}

inline std::string NameOf(const OperatorSetting& setting) {
  return StrCat(ModeName(setting.mode), ", ", setting.threads, " threads, ", setting.async_passes,
                " asynchronous passes, shuffled by ", setting.shuffle_seed, ", ",
                setting.spare_bytes, " bytes to spare", setting.sub_csrs ? ", SubCSRs" : "");
}

/// Runs `run(engine)` on an engine for a state of type S, which `run` allocates. Returns
/// InternalError when a program broke a rule.
template <typename S, typename Run>
auto RunOnEngine(const InMemoryGraph& stored, const OperatorSetting& setting, Run run)
    -> decltype(run(std::declval<RealEngine&>())) {
  AccessGuard::handler() = RecordViolation;
  violation.clear();
  OperatorFixture fixture(stored, setting);
  const S declared(fixture.num_vertices(), setting.threads);
  auto engine = fixture.Make(declared);
  if (!engine.ok()) return engine.status();
  auto result = run(**engine);
  if (result.ok() && !violation.empty()) return InternalError(violation);
  return result;
}

/// Whether the engine refused the mode because the program's messages are too wide to be pushed.
template <typename T>
bool CannotPush(const StatusOr<T>& result, edgemill::Mode mode) {
  return mode == edgemill::Mode::kPush && result.status().code() == Code::kUsage;
}

/// The number of runs on the engine up to now.
inline uint64_t num_engine_runs = 0;

/// Runs `run(engine)` on the graph: in all settings if the graph is large, else in half of them.
/// `check(value)` returns an empty string for a right result.
template <typename S, typename Run, typename Check>
void RunInEngineSettings(std::string_view algorithm, const StoredCase& c, Run run, Check check) {
  static std::mt19937_64 random(5);
  const bool is_small = c.plain.graph.num_vertices() < 120;
  for (OperatorSetting setting : Settings()) {
    if (is_small && random() % 2 != 0) continue;
    setting.shuffle_seed = random() % 100;
    if (random() % 4 == 0) setting.spare_bytes = 0;
    ++num_engine_runs;
    const auto result = RunOnEngine<S>(*c.stored, setting, run);
    if (CannotPush(result, setting.mode)) continue;
    const std::string wrong =
        result.ok() ? check(*result) : "error: " + std::string(result.status().message());
    if (wrong.empty()) continue;
    ADD_FAILURE() << algorithm << " on " << c.plain.name << ": " << wrong << "; "
                  << NameOf(setting);
    return;
  }
}

}  // namespace edgemill::model
