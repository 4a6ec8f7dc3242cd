#include "engine/run/run.h"

#include <utility>

#include "engine/run/gpu_choice.h"
#include "engine/run/prepared_run.h"
#include "engine/run/processor.h"
#include "engine/run/run_plan.h"

namespace edgemill {
namespace {

/// As Run, but a GpuError does not suggest the CPU.
StatusOr<std::unique_ptr<RunResult>> RunAsPlanned(const GraphStore& store,
                                                  const RunOptions& options,
                                                  const RunResources& resources) {
  ASSIGN_OR_RETURN(PreparedRun run, PrepareRun(store, options));
  ASSIGN_OR_RETURN(const std::unique_ptr<Processor> processor,
                   Processor::Choose(options, resources.progress));
  ASSIGN_OR_RETURN(const RunPlan plan,
                   PlanRun(run, resources.budget, resources.progress, *processor));
  processor->Begin(store, plan);
  ASSIGN_OR_RETURN(const std::unique_ptr<OpenedRun> opened,
                   OpenedRun::Open(run, plan, *processor, resources));
  if (options.warm) RETURN_IF_ERROR(opened->Warm());
  return opened->RunAndVerify();
}

bool AsksForGpu(const RunOptions& options) {
  return options.device == Device::kGpu || options.device == Device::kHybrid;
}

Processors ProcessorsOf(const RunOptions& options) {
  if (!AsksForGpu(options)) return Processors::kCpu;
  return options.device == Device::kHybrid ? Processors::kBoth : Processors::kGpu;
}

}  // namespace

StatusOr<uint64_t> LeastBudget(const GraphStore& store, const RunOptions& options,
                               const MemoryBudget& budget) {
  ASSIGN_OR_RETURN(const PreparedRun run, PrepareRun(store, options));
  PassOptions passes = AskedPasses(options);
  if (!AsksForGpu(options)) passes.mode = LeastMode(run, budget);
  return CountRun(run, budget, ProcessorsOf(options), passes).min_budget_bytes;
}

Status CheckGpu(const GraphStore& store, const RunOptions& options, const MemoryBudget& budget,
                Progress& progress) {
  if (!AsksForGpu(options)) return OkStatus();
  ASSIGN_OR_RETURN(const PreparedRun run, PrepareRun(store, options));
  const auto processor = Processor::Choose(options, progress);
  if (!processor.ok()) return OrOnCpu(processor.status());
  RunPlan plan = CountRun(run, budget, ProcessorsOf(options), AskedPasses(options));
  return (*processor)->Fit(store, &plan.needs.device);
}

StatusOr<std::unique_ptr<RunResult>> Run(const GraphStore& store, const RunOptions& options,
                                         MemoryBudget& budget, Progress& progress,
                                         const ReaderFactory& make_reader) {
  auto result = RunAsPlanned(store, options, {budget, progress, make_reader});
  if (!result.ok()) return OrOnCpu(result.status());
  return result;
}

}  // namespace edgemill
