// Operators on a GPU, over graphs in memory. A graph's engine runs with one State at a time.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/gpu/workspace/device_needs.h"
#include "engine/plan/staging_memory.h"
#include "test/operator_testing.h"

namespace edgemill {

/// How a test uses a GPU.
struct GpuTestSetting {
  GpuRunOptions gpu;
  bool min_staging = false;  // pinned memory for only one block at a time
  /// How the CPU shares passes, or other GPUs do. With nullopt none does.
  std::optional<HybridOptions> shares;
  /// So many GPUs share passes; here all of them are the same one.
  uint32_t num_gpus = 1;
  bool out_of_reach = false;

  Sharing sharing() const {
    if (num_gpus > 1) return Sharing::kOtherGpus;
    return shares.has_value() ? Sharing::kHost : Sharing::kNothing;
  }
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
    needs_ =
        DeviceNeedsOf(state, store_, setting_.mode, setting_.async_passes, gpu_setting_.sharing());
    needs_.gathers = gpu_setting_.out_of_reach;
    RETURN_IF_ERROR(FitGpu(store_, gpu_setting_.gpu, DeviceMemoryOf(*gpu_), &needs_));
    const bool weighted = needs_.scanned.weighted;
    const uint64_t staging = gpu_setting_.min_staging
                                 ? MinStagingBytes(store_, weighted, gpu_setting_.gpu.transfer)
                                 : MaxStagingBytes(store_, weighted, gpu_setting_.gpu);
    const auto run_of = [&](Gpu& gpu) {
      return GpuRun{
          .gpu = gpu,
          .options = gpu_setting_.gpu,
          .staging_bytes = staging - BookkeepingBytes(store_.info(), gpu_setting_.gpu.transfer),
          .shared = gpu_setting_.sharing() != Sharing::kNothing,
          .async_passes = setting_.async_passes,
          .num_gpus = gpu_setting_.num_gpus};
    };
    run_.emplace(run_of(*gpu_));
    for (uint32_t i = 1; i < gpu_setting_.num_gpus; ++i) {
      ASSIGN_OR_RETURN(std::unique_ptr<Gpu> helper, Gpu::Open({}));
      helper_runs_.push_back(run_of(*helper));
      helpers_.push_back(std::move(helper));
    }
    std::optional<Dispatcher> dispatcher;
    if (gpu_setting_.shares.has_value()) {
      const LoadedGraph& graph = host_.graph();
      dispatcher.emplace(Dispatcher::Setting{.num_vertices = graph.num_vertices(),
                                             .num_edges = graph.num_edges(),
                                             .num_blocks = graph.num_blocks(),
                                             .other_gpus = gpu_setting_.num_gpus - 1},
                         BuiltInCalibration(), *gpu_setting_.shares);
    }
    return MakeGpuEngine(
        host_.graph(), state, {.mode = setting_.mode, .async_passes = setting_.async_passes},
        GpuSetup{*run_, needs_, file, dispatcher.has_value() ? &*dispatcher : nullptr, helper_runs_,
                 gpu_setting_.shares.value_or(HybridOptions()).random_seed},
        host_.recorder());
  }

 private:
  const InMemoryGraph& store_;
  const OperatorSetting setting_;
  const GpuTestSetting gpu_setting_;
  OperatorFixture host_;
  DeviceNeeds needs_;
  std::unique_ptr<Gpu> gpu_;
  std::vector<std::unique_ptr<Gpu>> helpers_;
  std::optional<GpuRun> run_;
  std::vector<GpuRun> helper_runs_;
};

}  // namespace edgemill
