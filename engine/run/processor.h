// Where a run runs: on the CPU, on a GPU, or on both.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/progress.h"
#include "common/status.h"
#include "engine/api/engine.h"
#include "engine/device/gpu.h"
#include "engine/gpu/workspace/pass_arrays.h"
#include "engine/plan/dispatcher.h"
#include "engine/plan/gpu_run.h"
#include "engine/report/recorder.h"
#include "engine/run/prepared_run.h"
#include "engine/run/run_options.h"
#include "engine/run/run_report.h"
#include "storage/read/block_reader.h"
#include "storage/read/memory_registrar.h"

namespace edgemill {

struct RunPlan;

/// The processors of one run. Owns the GPU, if one is used, its calibration, and what pins memory
/// for it. The order of calls: Choose; Fit, and perhaps FallBack; Begin; the others.
class Processor {
 public:
  /// Takes into use the processors that `options` call for; with Device::kAuto the CPU where no GPU
  /// can be used. `options` must outlive it. GpuError.
  static StatusOr<std::unique_ptr<Processor>> Choose(const RunOptions& options, Progress& progress);

  Processors processors() const;
  bool has_gpu() const { return gpu_ != nullptr; }
  uint32_t num_gpus() const {
    return gpu_ == nullptr ? 0 : 1 + static_cast<uint32_t>(helpers_.size());
  }
  /// Why Device::kAuto takes the CPU; empty: it does not.
  const std::string& why_cpu() const { return why_cpu_; }
  /// Whether the GPU, if any, has the memory for `needs`; decides which of them it keeps. The
  /// errors of FitGpu.
  Status Fit(const GraphStore& store, DeviceNeeds* needs) const;
  /// Gives the GPU back, so that the run takes the CPU; `why` is the reason.
  void FallBack(std::string why, Progress& progress);

  /// Sets up what the run uses of the GPU, as `plan` says.
  void Begin(const GraphStore& store, const RunPlan& plan);
  /// The plan's options for a reader, with the registrar that pins the memory of blocks. The reader
  /// must not outlive this Processor.
  BlockReaderOptions ReaderOptions(const RunPlan& plan) const;
  /// An engine for one run of the driver, on `graph` and `state`, allocated. All must outlive it.
  /// BudgetError; GpuError.
  StatusOr<std::unique_ptr<Engine>> MakeEngine(const PreparedRun& run, const RunPlan& plan,
                                               LoadedGraph& graph, Recorder& recorder) const;
  /// Fills in what the report says about the processors.
  void Report(const PreparedRun& run, const RunPlan& plan, RunReport* report) const;

 private:
  explicit Processor(const RunOptions& options) : options_(options) {}
  /// Takes the other GPUs into use.
  Status OpenHelpers(Progress& progress);
  Dispatcher MakeDispatcher(const RunPlan& plan, const LoadedGraph& graph) const;

  const RunOptions& options_;
  std::string why_cpu_;
  std::unique_ptr<Gpu> gpu_;
  std::vector<std::unique_ptr<Gpu>> helpers_;
  bool in_reach_ = true;  // the GPUs can use each other's memory
  // The options of a run that has begun on it.
  GpuRunOptions gpu_options_;
  std::unique_ptr<MemoryRegistrar> registrar_;
  std::optional<GpuRun> gpu_run_;
  std::vector<GpuRun> helper_runs_;
};

}  // namespace edgemill
