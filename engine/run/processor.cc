#include "engine/run/processor.h"

#include <algorithm>
#include <utility>

#include "common/check.h"
#include "common/strings.h"
#include "engine/cost/calibration_file.h"
#include "engine/gpu/workspace/device_needs.h"
#include "engine/plan/staging_memory.h"
#include "engine/run/gpu_choice.h"
#include "engine/run/make_engine.h"
#include "engine/run/run_plan.h"

namespace edgemill {
namespace {

/// Whether the block cache is to be pinned too. The cache is not pinned where `options` say that
/// each block crosses the link once. It is not pinned where the GPU has memory for all blocks that
/// are read again and again, and as much for the rest.
bool PinsCache(const Gpu& gpu, const RunOptions& options, uint64_t scanned_bytes) {
#if defined(EDGEMILL_WITH_CUDA)
  const Transfer transfer = options.gpu.transfer;
  return transfer != Transfer::kResident && transfer != Transfer::kManaged &&
         (transfer != Transfer::kAuto || gpu.memory_bytes() <= 2 * scanned_bytes);
#else
  (void)gpu, (void)options, (void)scanned_bytes;
  return false;
#endif
}

#if defined(EDGEMILL_WITH_CUDA)
/// Takes a GPU into use that can share passes with `main`. GpuError; BudgetError.
StatusOr<std::unique_ptr<Gpu>> OpenLike(const Gpu& main, const GpuOptions& options) {
  ASSIGN_OR_RETURN(std::unique_ptr<Gpu> gpu, Gpu::Open(options));
  if (gpu->properties().multiprocessors != main.properties().multiprocessors) {
    return GpuError(StrCat("GPU ", options.ordinal, ", ", gpu->properties().name,
                           ", is not like GPU ", main.ordinal(), ", ", main.properties().name,
                           ": passes are shared in equal parts, so give equal GPUs to --gpus"));
  }
  return gpu;
}
#endif

}  // namespace

StatusOr<std::unique_ptr<Processor>> Processor::Choose(const RunOptions& options,
                                                       Progress& progress) {
  std::unique_ptr<Processor> processor(new Processor(options));
  ASSIGN_OR_RETURN(processor->gpu_, ChooseGpu(options, progress, &processor->why_cpu_));
  if (processor->has_gpu()) RETURN_IF_ERROR(processor->OpenHelpers(progress));
  return processor;
}

Status Processor::OpenHelpers(Progress& progress) {
  const std::vector<int>& ordinals = options_.gpu.helpers.ordinals;
  if (ordinals.empty()) return OkStatus();
  if (options_.device == Device::kHybrid) {
    return UsageError(
        "--device hybrid shares passes between the CPU and one GPU: give --device gpu "
        "for several GPUs");
  }
#if defined(EDGEMILL_WITH_CUDA)
  std::vector<Gpu*> all = {gpu_.get()};
  for (const int ordinal : ordinals) {
    GpuOptions options = options_.gpu.gpu;
    options.ordinal = ordinal;
    StatusOr<std::unique_ptr<Gpu>> helper = OpenLike(*gpu_, options);
    if (!helper.ok()) {
      if (options_.gpu.helpers.least_edges == 0) return helper.status();
      progress.Note(StrCat("running without GPU ", ordinal, ": ", helper.status().message()));
      continue;
    }
    all.push_back(helper->get());
    helpers_.push_back(std::move(*helper));
  }
  for (Gpu* const gpu : all) {
    for (const Gpu* const other : all) {
      ASSIGN_OR_RETURN(const bool reaches, gpu->Reach(*other));
      in_reach_ &= reaches;
    }
  }
  in_reach_ &= !options_.gpu.helpers.out_of_reach;
  if (!in_reach_) {
    progress.Note("the GPUs cannot use each other's memory: values go through the host's");
  }
  return gpu_->UseInThread();
#else
  (void)progress;
  return OkStatus();
#endif
}

Processors Processor::processors() const {
  if (gpu_ == nullptr) return Processors::kCpu;
  return options_.device == Device::kHybrid ? Processors::kBoth : Processors::kGpu;
}

Status Processor::Fit(const GraphStore& store, DeviceNeeds* needs) const {
  if (gpu_ == nullptr) return OkStatus();
  needs->gathers = !helpers_.empty() && !in_reach_;
  RETURN_IF_ERROR(FitGpu(store, options_.gpu, DeviceMemoryOf(*gpu_), needs));
  for (const std::unique_ptr<Gpu>& helper : helpers_) {
    DeviceNeeds of_helper = HelperNeedsOf(*needs);
    RETURN_IF_ERROR(FitGpu(store, options_.gpu, DeviceMemoryOf(*helper, num_gpus()), &of_helper));
  }
  return OkStatus();
}

void Processor::FallBack(std::string why, Progress& progress) {
  CHECK(gpu_ != nullptr && !gpu_run_.has_value());  // before Begin
  why_cpu_ = std::move(why);
  progress.Note(StrCat("running on the CPU: ", why_cpu_));
  helpers_.clear();
  gpu_.reset();
}

void Processor::Begin(const GraphStore& store, const RunPlan& plan) {
  CHECK(plan.processors == processors());
  CHECK(!gpu_run_.has_value());  // once
  if (gpu_ == nullptr) return;
  const uint64_t bookkeeping = BookkeepingBytes(store.info(), options_.gpu.transfer);
  CHECK_GT(plan.gpu_staging_bytes, bookkeeping);
  gpu_options_ = options_.gpu;
  gpu_options_.calibration =
      CalibrationForGpu(gpu_options_.calibration, gpu_->properties().name, gpu_->properties().link);
#if defined(EDGEMILL_WITH_CUDA)
  registrar_ = std::make_unique<PinningRegistrar>(*gpu_, options_.threads);
#endif
  const bool pins_cache = PinsCache(*gpu_, options_, plan.scanned_bytes);
  const auto run_of = [&](Gpu& gpu) {
    return GpuRun{.gpu = gpu,
                  .options = gpu_options_,
                  .staging_bytes = plan.gpu_staging_bytes - bookkeeping,
                  .shared = plan.processors == Processors::kBoth || !helpers_.empty(),
                  .async_passes = plan.passes.async_passes,
                  .pull_threshold = plan.passes.pull_threshold,
                  .pins_cache = pins_cache,
                  .in_memory = pins_cache && plan.fits_in_cache,
                  .num_gpus = num_gpus()};
  };
  gpu_run_.emplace(run_of(*gpu_));
  for (const std::unique_ptr<Gpu>& helper : helpers_) helper_runs_.push_back(run_of(*helper));
}

BlockReaderOptions Processor::ReaderOptions(const RunPlan& plan) const {
  BlockReaderOptions reader = plan.reader;
  reader.registrar = registrar_.get();
  reader.registers_cache = gpu_run_.has_value() && gpu_run_->pins_cache;
  return reader;
}

Dispatcher Processor::MakeDispatcher(const RunPlan& plan, const LoadedGraph& graph) const {
  CHECK(gpu_ != nullptr);
  const bool on_device = gpu_->memory_bytes() > 2 * plan.scanned_bytes;
  uint64_t edge_bytes = graph.store().column(ColumnKind::kOutNeighbors).payload_bytes;
  if (plan.needs.weights) {
    edge_bytes += std::max(graph.store().column(ColumnKind::kOutWeights).payload_bytes,
                           graph.store().column(ColumnKind::kInWeights).payload_bytes);
  }
  return Dispatcher({.num_vertices = graph.num_vertices(),
                     .num_edges = graph.num_edges(),
                     .num_blocks = graph.num_blocks(),
                     .edge_bytes = edge_bytes,
                     .threads = graph.threads(),
                     .in_memory = plan.fits_in_cache,
                     .on_device = on_device,
                     .loops_on_gpu = on_device && plan.needs.device.may_run_in_one_launch,
                     .other_gpus = static_cast<uint32_t>(helpers_.size())},
                    gpu_options_.calibration, options_.hybrid);
}

StatusOr<std::unique_ptr<Engine>> Processor::MakeEngine(const PreparedRun& run, const RunPlan& plan,
                                                        LoadedGraph& graph,
                                                        Recorder& recorder) const {
  if (gpu_ == nullptr) return MakeCpuEngine(graph, *run.state, plan.passes, recorder);
  CHECK(gpu_run_.has_value());  // after Begin
  std::optional<Dispatcher> dispatcher;
  if (gpu_run_->shared) dispatcher.emplace(MakeDispatcher(plan, graph));
  const GpuSetup setup{*gpu_run_,
                       plan.needs.device,
                       FileOf(run.algorithm),
                       dispatcher.has_value() ? &*dispatcher : nullptr,
                       helper_runs_,
                       options_.hybrid.random_seed};
  return MakeGpuEngine(graph, *run.state, plan.passes, setup, recorder);
}

void Processor::Report(const PreparedRun& run, const RunPlan& plan, RunReport* report) const {
  report->gpu_fallback = why_cpu_;
  if (gpu_ == nullptr) return;
  report->cost_model = CostModelName(gpu_options_.cost_model);
  report->calibration = gpu_options_.calibration.source;
  report->gpu = gpu_->properties().name;
  if (!helpers_.empty()) report->gpu = StrCat(num_gpus(), " x ", report->gpu);
  report->gpu_memory_bytes = gpu_->memory_bytes();
  report->peak_gpu_bytes = gpu_->peak_bytes();
  report->misses_neighbors =
      plan.needs.device.may_sample.has_value() && !report->samples_neighbors &&
      options_.gpu.transfer == Transfer::kResident && run.store.info().num_edges > 0;
  report->link_bytes = gpu_->copied_bytes();
  for (const std::unique_ptr<Gpu>& helper : helpers_) {
    report->link_bytes += helper->copied_bytes();
    report->peak_gpu_bytes = std::max(report->peak_gpu_bytes, helper->peak_bytes());
  }
}

}  // namespace edgemill
