// Runs on a GPU compared with the same runs on the CPU: every algorithm and method, and the
// differences that answers may have.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/random.h"
#include "common/units.h"
#include "engine/api/algorithm.h"
#include "test/engine_testing.h"
#include "test/gpu/gpu_testing.h"
#include "test/graphs/graph_builder.h"
#include "test/named_budget.h"

namespace edgemill {

/// Counts must be equal. Ranks and sums of shares may differ from exact arithmetic by 1e-6.
inline constexpr double kTolerance = 1e-6;

struct NamedOptions {
  std::string name;
  RunOptions options;
  bool undirected = false;  // of undirected graphs only
  bool weighted = false;    // reads weights
  bool needs_weights = false;
  double rounding = 0;  // how much rounding may change values that are floats
};

/// Without SubCSRs, which not every run takes (sub_csr_test.cc).
inline constexpr Transfer kTransfers[] = {Transfer::kAuto,     Transfer::kResident,
                                          Transfer::kFilter,   Transfer::kCompaction,
                                          Transfer::kZeroCopy, Transfer::kManaged};

inline NamedOptions Named(std::string name, std::string algorithm, OptionValues values = {}) {
  NamedOptions run{.name = std::move(name)};
  run.options.algorithm = std::move(algorithm);
  run.options.values = std::move(values);
  run.options.gpu.batch_bytes = uint64_t{1} << 18;
  return run;
}
/// The same for a graph with weights, and for answers that are the same but for rounding.
inline NamedOptions ByWeight(NamedOptions run) {
  run.weighted = run.needs_weights = true;
  return run;
}
inline NamedOptions Rounded(NamedOptions run) {
  run.rounding = kTolerance;
  return run;
}
/// Makes teams share its passes: the helpers take `share` of each. Not of an algorithm whose passes
/// are not shared: that would be refused.
inline void Share(double share, NamedOptions* run) {
  RunOptions& options = run->options;
  options.hybrid = {};
  const Algorithm* const algorithm = FindAlgorithm(options.algorithm);
  ASSERT_NE(algorithm, nullptr) << options.algorithm;
  if (PassChoicesOf(*algorithm, options.values).mode) options.hybrid.cpu_share = share;
}

/// Searches, and what looks for structure.
inline std::vector<NamedOptions> SearchRuns() {
  std::vector<NamedOptions> runs = {
      Named("bfs", "bfs", {{"--source", 0}}),
      Named("parents", "bfs", {{"--source", 0}, {"--parents", true}}),
      Named("ssnsp", "ssnsp", {{"--source", 0}}),
      Named("sssp", "sssp", {{"--source", 0}}),
      Named("tree", "sssp", {{"--source", 0}, {"--parents", true}}),
      Named("sswp", "sswp", {{"--source", 0}}),
      Named("afforest", "cc"),
      Named("labels", "cc", {{"--method", "labels"}}),
      Named("kcore", "kcore"),
      Named("one core", "kcore", {{"--core", 3}}),
      Named("random colors", "coloring", {{"--order", "random"}}),
      Named("eccentricity", "diameter", {{"--eccentricity", true}}),
  };
  for (const char* const name :
       {"mis", "coloring", "scc", "cdlp", "mst", "bipartite", "diameter"}) {
    runs.push_back(Named(name, name));
  }
  for (NamedOptions& run : runs) {
    const std::string& algorithm = run.options.algorithm;
    run.undirected = run.name == "labels";
    run.weighted = algorithm == "sssp" || algorithm == "sswp" || algorithm == "mst";
  }
  const OptionValues ends{{"--source", 0}, {"--target", InputVertex{1}}};
  OptionValues weighted = ends;
  weighted.Set("--weighted", true);
  runs.push_back(Named("path", "path", ends));
  runs.push_back(ByWeight(Named("light path", "path", weighted)));
  runs.push_back(Named("msbfs", "msbfs", {{"--source", InputVertices{{1, 0}}}}));
  for (const std::string measure : {"jaccard", "adamic-adar"}) {
    const OptionValues values{{"--source", 0}, {"--measure", measure}};
    runs.push_back(Named("similarity by " + measure, "similarity", values));
  }
  return runs;
}

/// Values that are added up.
inline std::vector<NamedOptions> ValueRuns() {
  std::vector<NamedOptions> runs = {
      Named("betweenness", "betweenness", {{"--source", InputVertices{{0, 1}}}}),
      Named("degrees", "degrees"),
      Rounded(ByWeight(Named("strength", "degrees", {{"--weighted", true}}))),
      Named("closeness", "closeness", {{"--sample", 150}}),
      Named("harmonic", "closeness", {{"--harmonic", true}, {"--sample", 70}}),
      Rounded(Named("katz", "katz", {{"--iterations", 6}, {"--alpha", 1e-4}})),
      Named("jacobi", "pagerank", {{"--iterations", 7}}),
      // Ranks differ from exact ones by at most 1e-7 / (1 - d).
      Rounded(Named("delta", "pagerank", {{"--method", "delta"}, {"--tolerance", 1e-7}})),
  };
  for (const std::string name : {"hs", "cs", "nn"}) {
    runs.push_back(Rounded(Named(name, name, {{"--iterations", 4}})));
    runs.back().weighted = true;
    runs.back().needs_weights = name == "nn";
    // Without this, weights of up to 100 would multiply earlier rounding errors in each iteration.
    if (name == "nn") runs.back().options.values.Set("--gain", 0.02);
  }
  for (const std::string name : {"ppr", "hits", "eigenvector"}) {
    OptionValues values{{"--iterations", 6}};
    if (name == "ppr") values.Set("--source", InputVertices{{0, 1}});
    runs.push_back(Rounded(Named(name, name, values)));
    values.Set("--weighted", true);
    runs.push_back(Rounded(ByWeight(Named(name + " by weight", name, values))));
  }
  return runs;
}

/// Every algorithm and method.
inline std::vector<NamedOptions> AllRuns() {
  std::vector<NamedOptions> runs = SearchRuns();
  for (NamedOptions& run : ValueRuns()) runs.push_back(std::move(run));
  return runs;
}

/// The same without diameters, which take searches from most vertices of a random graph: for tests
/// that run each of them often.
inline std::vector<NamedOptions> ShortRuns() {
  std::vector<NamedOptions> runs = AllRuns();
  std::erase_if(runs, [](const NamedOptions& run) { return run.options.algorithm == "diameter"; });
  return runs;
}

/// Writes `graph` into `directory` and returns the path. Its own weights are integers, which are
/// packed. Otherwise it gets fractions, which are raw.
inline StatusOr<std::string> BuildWeighted(const TestCase& graph, bool integers,
                                           uint32_t block_edges,
                                           const TemporaryDirectory& directory) {
  EdgeList list = DenseList(graph);
  if (!integers) {
    for (TestEdge& edge : list.edges) edge.weight += 0.25;
  }
  const std::string path = directory / (integers ? "integers.mill" : "reals.mill");
  IngestOptions ingest;
  ingest.block_edges = block_edges;
  RETURN_IF_ERROR(BuildGraph(list, path, ingest).status());
  return path;
}

class GpuRuns : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    gpu_.reset();
  }

  /// A number from the same fixed sequence as OneOf's choices.
  uint64_t Seed() { return random_(); }
  /// One of `choices`, from a fixed random sequence. Over many cases, all pairs of choices occur.
  /// All combinations would take the GPU an hour, and GpuPropertyTest covers more.
  template <typename Choices>
  auto OneOf(const Choices& choices) {
    return std::data(choices)[random_.Below(std::size(choices))];
  }

  /// Runs `run` on the CPU, synchronously, and on `device`. The answers must agree. Also verifies
  /// the answer of `device`.
  void ExpectSame(const InMemoryGraph& graph, const NamedOptions& run, const std::string& where,
                  Device device = Device::kGpu) {
    if (run.undirected && graph.info().directed) return;
    RunOptions options = run.options;
    options.device = Device::kCpu;
    options.gpu.transfer = Transfer::kAuto;
    options.async_passes = 0;
    const Outcome cpu = RunInMemory(graph, options);
    options.device = device;
    options.gpu.transfer = run.options.gpu.transfer;
    options.async_passes = run.options.async_passes;
    // Diameter's verifier searches from each vertex. On larger graphs, the CPU's answer must do.
    options.verify = run.options.algorithm != "diameter" || graph.info().num_vertices < 5000;
    const Outcome gpu = RunInMemory(graph, options);
    const std::string name = StrCat(run.name, " on ", where, ", mode ", ModeName(options.mode));
    ASSERT_EQ(cpu.status.exit_code(), gpu.status.exit_code())
        << name << ": " << cpu.status.message() << " | " << gpu.status.message();
    ASSERT_EQ(cpu.values.size(), gpu.values.size()) << name;
    for (size_t i = 0; i < cpu.values.size(); ++i) {
      ASSERT_EQ(cpu.values[i].id, gpu.values[i].id) << name;
      ASSERT_EQ(cpu.values[i].reached, gpu.values[i].reached) << name << ", vertex " << i;
      ExpectNear(cpu.values[i].real, gpu.values[i].real, name, i,
                 std::max(kTolerance, run.rounding));
      ASSERT_FALSE(HasFailure());
      if (run.name == "parents") continue;  // trees may differ; the verifier has checked it
      ASSERT_EQ(cpu.values[i].integer, gpu.values[i].integer) << name << ", vertex " << i;
    }
    if (gpu.status.ok()) {
      EXPECT_FALSE(gpu.report.gpu.empty());
      EXPECT_LE(gpu.report.peak_gpu_bytes, gpu.report.gpu_memory_bytes);
    }
  }

  /// Runs each of `runs` by every engine on a graph of some megabytes, with several block sizes.
  /// GPU memory begins at the least that works. Runs have one thread and stream, or several.
  void ExpectSameByEveryEngine(std::vector<NamedOptions> runs,
                               std::span<const Transfer> transfers = kTransfers) {
    const auto edges = RandomTestEdges(22, 20'000, 500'000);
    for (const uint32_t block_edges : {256u, 4096u, 32768u}) {
      TestGraphOptions shape;
      shape.block_edges = block_edges;
      shape.weights = WeightType::kInt32;
      shape.directed = false;
      const auto graph = InMemoryGraph::Dense(20'000, edges, shape);
      for (NamedOptions& run : runs) {
        for (const Transfer transfer : transfers) {
          run.options.gpu.transfer = transfer;
          run.options.device = Device::kGpu;
          run.options.gpu.gpu.memory_bytes = 1;
          const Status refused = RunInMemory(*graph, run.options).status;
          ASSERT_EQ(refused.code(), Code::kBudget) << run.name << ": " << refused.message();
          const uint64_t least = NamedMebibytes(refused.message(), "--gpu-memory");
          for (const uint64_t more : {uint64_t{0}, uint64_t{1} + random_.Below(2), uint64_t{16}}) {
            const uint32_t streams = OneOf(std::array{1u, 3u});
            run.options.gpu.gpu.memory_bytes = (least + more) << 20;
            run.options.gpu.num_batches = streams;
            run.options.threads = streams == 1 ? 1 : 4;
            ExpectSame(*graph, run,
                       StrCat("blocks of ", block_edges, " by ", TransferName(transfer), ", ",
                              least + more, " MiB, ", streams, " streams"));
            ASSERT_FALSE(HasFailure());
          }
        }
      }
    }
  }

  /// Runs `run` on `device` while the nth call of CUDA fails, until no call fails: each of the
  /// first 64, and later ones, which are a loop's, at growing distances. Each run must give the
  /// CPU's answer or an error: of the GPU, or of memory if the call allocates.
  void ExpectErrorOrAnswer(const InMemoryGraph& graph, const NamedOptions& run, Device device) {
    ExpectErrorOrAnswer([&](const RunOptions& options) { return RunInMemory(graph, options); }, run,
                        device);
  }
  /// The same for runs by `outcome_of`.
  void ExpectErrorOrAnswer(const std::function<Outcome(const RunOptions&)>& outcome_of,
                           NamedOptions run, Device device) {
    run.options.device = Device::kCpu;
    const Outcome right = outcome_of(run.options);
    ASSERT_TRUE(right.status.ok()) << right.status.message();
    run.options.device = device;
    run.options.verify = true;  // trees may differ
    const Code expected =
        run.options.gpu.gpu.fail_error == kOutOfGpuMemory ? Code::kBudget : Code::kGpu;
    uint64_t call = 0;
    for (bool failed = true; failed; call += 1 + call / 64) {
      const std::string name = StrCat(run.name, " by ", TransferName(run.options.gpu.transfer),
                                      ", call ", call, " fails");
      ASSERT_LT(call, 500'000u) << name;
      run.options.gpu.gpu.fail_call = call;
      const Outcome outcome = outcome_of(run.options);
      failed = !outcome.status.ok();
      if (failed) {
        ASSERT_EQ(outcome.status.code(), expected) << name << ": " << outcome.status.message();
        continue;
      }
      ASSERT_EQ(outcome.values.size(), right.values.size()) << name;
      for (size_t i = 0; i < right.values.size() && run.name != "parents"; ++i) {
        ASSERT_EQ(outcome.values[i].reached, right.values[i].reached) << name << ", vertex " << i;
        ASSERT_EQ(outcome.values[i].integer, right.values[i].integer) << name << ", vertex " << i;
        if (!right.values[i].reached) continue;
        ExpectNear(outcome.values[i].real, right.values[i].real, name, i);
      }
    }
    EXPECT_GT(call, 20u) << run.name;
  }

  /// Infinity equals itself. For values above 1, the tolerance is relative.
  static void ExpectNear(double right, double value, const std::string& name, size_t vertex,
                         double tolerance = kTolerance) {
    if (right == value) return;
    EXPECT_NEAR(right, value, tolerance * std::max(1.0, std::abs(right)))
        << name << ", vertex " << vertex;
  }

 private:
  Random random_{1};
};

}  // namespace edgemill
