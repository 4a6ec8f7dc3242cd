#include "engine/run/processor.h"

#include <utility>

#include "common/check.h"
#include "engine/cost/calibration_file.h"
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

}  // namespace

StatusOr<std::unique_ptr<Processor>> Processor::Choose(const RunOptions& options,
                                                       Progress& progress) {
  std::unique_ptr<Processor> processor(new Processor(options));
  ASSIGN_OR_RETURN(processor->gpu_, ChooseGpu(options, progress, &processor->why_cpu_));
  return processor;
}

Processors Processor::processors() const {
  if (gpu_ == nullptr) return Processors::kCpu;
  return options_.device == Device::kHybrid ? Processors::kBoth : Processors::kGpu;
}

Status Processor::Fit(const GraphStore& store, DeviceNeeds* needs) const {
  if (gpu_ == nullptr) return OkStatus();
  return FitGpu(store, options_.gpu, DeviceMemoryOf(*gpu_), needs);
}

void Processor::FallBack(std::string why, Progress& progress) {
  CHECK(gpu_ != nullptr && !gpu_run_.has_value());  // before Begin
  why_cpu_ = std::move(why);
  progress.Note(StrCat("running on the CPU: ", why_cpu_));
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
  gpu_run_.emplace(GpuRun{.gpu = *gpu_,
                          .options = gpu_options_,
                          .staging_bytes = plan.gpu_staging_bytes - bookkeeping,
                          .shared = plan.processors == Processors::kBoth,
                          .async_passes = plan.passes.async_passes,
                          .pull_threshold = plan.passes.pull_threshold,
                          .pins_cache = pins_cache,
                          .in_memory = pins_cache && plan.fits_in_cache});
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
                     .loops_on_gpu = on_device && plan.needs.device.may_run_in_one_launch},
                    gpu_options_.calibration, options_.hybrid);
}

StatusOr<std::unique_ptr<Engine>> Processor::MakeEngine(const PreparedRun& run, const RunPlan& plan,
                                                        LoadedGraph& graph,
                                                        Recorder& recorder) const {
  if (gpu_ == nullptr) return MakeCpuEngine(graph, *run.state, plan.passes, recorder);
  CHECK(gpu_run_.has_value());  // after Begin
  std::optional<Dispatcher> dispatcher;
  if (gpu_run_->shared) dispatcher.emplace(MakeDispatcher(plan, graph));
  const GpuSetup setup{*gpu_run_, plan.needs.device, FileOf(run.algorithm),
                       dispatcher.has_value() ? &*dispatcher : nullptr};
  return MakeGpuEngine(graph, *run.state, plan.passes, setup, recorder);
}

void Processor::Report(const PreparedRun& run, const RunPlan& plan, RunReport* report) const {
  report->gpu_fallback = why_cpu_;
  if (gpu_ == nullptr) return;
  report->cost_model = CostModelName(gpu_options_.cost_model);
  report->calibration = gpu_options_.calibration.source;
  report->gpu = gpu_->properties().name;
  report->gpu_memory_bytes = gpu_->memory_bytes();
  report->peak_gpu_bytes = gpu_->peak_bytes();
  report->misses_neighbors =
      plan.needs.device.may_sample.has_value() && !report->samples_neighbors &&
      options_.gpu.transfer == Transfer::kResident && run.store.info().num_edges > 0;
  report->link_bytes = gpu_->copied_bytes();
}

}  // namespace edgemill
