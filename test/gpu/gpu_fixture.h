// Operators on a GPU, over graphs in memory. A graph's engine runs with one State at a time.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/gpu/workspace/device_needs.h"
#include "engine/plan/staging_memory.h"
#include "test/operator_testing.h"

namespace edgemill {

/// How a test uses a GPU.
struct GpuTestSetting {
  GpuRunOptions gpu;
  bool min_staging = false;  // pinned memory for only one block at a time
  /// How the CPU shares passes. With nullopt it does not.
  std::optional<HybridOptions> shares;
};

class GpuFixture {
 public:
  GpuFixture(const InMemoryGraph& graph, const OperatorSetting& setting, const GpuTestSetting& gpu)
      : store_(graph), setting_(setting), gpu_setting_(gpu), host_(graph, setting) {}

  uint64_t num_vertices() const { return host_.num_vertices(); }
  Recorder& recorder() { return host_.recorder(); }
  /// Allocates `state` and makes an engine for it, whose kernels are registered for `file`, the
  /// name of an algorithm's source file. The engine
  /// must not outlive this, nor `state`.
  StatusOr<std::unique_ptr<Engine>> Start(State& state, std::string_view file) {
    RETURN_IF_ERROR(state.Allocate(host_.budget()));
    ASSIGN_OR_RETURN(gpu_, Gpu::Open(gpu_setting_.gpu.gpu));
    needs_ = DeviceNeedsOf(state, store_, setting_.mode, setting_.async_passes,
                           gpu_setting_.shares.has_value());
    RETURN_IF_ERROR(FitGpu(store_, gpu_setting_.gpu, DeviceMemoryOf(*gpu_), &needs_));
    const bool weighted = needs_.scanned.weighted;
    const uint64_t staging = gpu_setting_.min_staging
                                 ? MinStagingBytes(store_, weighted, gpu_setting_.gpu.transfer)
                                 : MaxStagingBytes(store_, weighted, gpu_setting_.gpu);
    run_.emplace(GpuRun{
        .gpu = *gpu_,
        .options = gpu_setting_.gpu,
        .staging_bytes = staging - BookkeepingBytes(store_.info(), gpu_setting_.gpu.transfer),
        .shared = gpu_setting_.shares.has_value(),
        .async_passes = setting_.async_passes});
    std::optional<Dispatcher> dispatcher;
    if (gpu_setting_.shares.has_value()) {
      const LoadedGraph& graph = host_.graph();
      dispatcher.emplace(Dispatcher::Setting{.num_vertices = graph.num_vertices(),
                                             .num_edges = graph.num_edges(),
                                             .num_blocks = graph.num_blocks()},
                         BuiltInCalibration(), *gpu_setting_.shares);
    }
    return MakeGpuEngine(
        host_.graph(), state, {.mode = setting_.mode, .async_passes = setting_.async_passes},
        GpuSetup{*run_, needs_, file, dispatcher.has_value() ? &*dispatcher : nullptr},
        host_.recorder());
  }

 private:
  const InMemoryGraph& store_;
  const OperatorSetting setting_;
  const GpuTestSetting gpu_setting_;
  OperatorFixture host_;
  DeviceNeeds needs_;
  std::unique_ptr<Gpu> gpu_;
  std::optional<GpuRun> run_;
};

}  // namespace edgemill
