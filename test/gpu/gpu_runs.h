// Runs on a GPU beside the same on the CPU: every algorithm and method, and how answers may differ.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/units.h"
#include "test/engine_testing.h"
#include "test/gpu/gpu_testing.h"

namespace edgemill {

/// Counts differ by nothing, sums of doubles by their rounding.
inline constexpr double kTolerance = 1e-9;

struct NamedOptions {
  std::string name;
  RunOptions options;
};

inline constexpr Transfer kTransfers[] = {Transfer::kAuto,     Transfer::kResident,
                                          Transfer::kFilter,   Transfer::kCompaction,
                                          Transfer::kZeroCopy, Transfer::kManaged};

/// Every algorithm and method.
inline std::vector<NamedOptions> AllRuns() {
  std::vector<NamedOptions> runs;
  const auto add = [&](std::string name, std::string algorithm, auto set) {
    NamedOptions run{std::move(name), {}};
    run.options.algorithm = std::move(algorithm);
    run.options.gpu.batch_bytes = uint64_t{1} << 18;
    set(run.options);
    runs.push_back(std::move(run));
  };
  add("bfs", "bfs", [](RunOptions& o) { o.source = 0; });
  add("parents", "bfs", [](RunOptions& o) {
    o.source = 0;
    o.parents = true;
  });
  add("sssp", "sssp", [](RunOptions& o) { o.source = 0; });
  add("afforest", "cc", [](RunOptions&) {});
  add("labels", "cc", [](RunOptions& o) { o.method = "labels"; });
  add("jacobi", "pagerank", [](RunOptions& o) { o.iterations = 7; });
  add("delta", "pagerank", [](RunOptions& o) {
    o.method = "delta";
    o.tolerance = 1e-8;
  });
  return runs;
}

class GpuRuns : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    gpu_.reset();
  }

  /// Runs `run` on the CPU alone and on `device`; answers must agree. Verifies the latter's too.
  void ExpectSame(const InMemoryGraph& graph, const NamedOptions& run, const std::string& where,
                  Device device = Device::kGpu) {
    if (run.name == "labels" && graph.info().directed) return;
    RunOptions options = run.options;
    options.device = Device::kCpu;
    const Outcome cpu = RunInMemory(graph, options);
    options.device = device;
    options.verify = true;
    const Outcome gpu = RunInMemory(graph, options);
    const std::string name = StrCat(run.name, " on ", where, ", mode ", ModeName(options.mode));
    ASSERT_EQ(cpu.status.exit_code(), gpu.status.exit_code())
        << name << ": " << cpu.status.message() << " | " << gpu.status.message();
    ASSERT_EQ(cpu.values.size(), gpu.values.size()) << name;
    for (size_t i = 0; i < cpu.values.size(); ++i) {
      ASSERT_EQ(cpu.values[i].id, gpu.values[i].id) << name;
      ASSERT_EQ(cpu.values[i].reached, gpu.values[i].reached) << name << ", vertex " << i;
      const double tolerance = run.name == "delta" ? 2e-8 : kTolerance;
      if (cpu.values[i].real != gpu.values[i].real) {  // infinity is
        ASSERT_NEAR(cpu.values[i].real, gpu.values[i].real, tolerance) << name << ", vertex " << i;
      }
      if (run.name == "parents") continue;  // any tree will do; the verifier looked at it
      ASSERT_EQ(cpu.values[i].integer, gpu.values[i].integer) << name << ", vertex " << i;
    }
    if (gpu.status.ok()) {
      EXPECT_FALSE(gpu.report.gpu.empty());
      EXPECT_LE(gpu.report.peak_gpu_bytes, gpu.report.gpu_memory_bytes);
    }
  }
};

}  // namespace edgemill
