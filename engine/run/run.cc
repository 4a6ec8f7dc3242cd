#include "engine/run/run.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "common/check.h"
#include "common/strings.h"
#include "engine/checkpoint/checkpoints.h"
#include "engine/run/gpu_choice.h"
#include "engine/run/prepared_run.h"
#include "engine/run/processor.h"
#include "engine/run/run_plan.h"

namespace edgemill {
namespace {

/// "--source 5 --iterations 10", in the order of names: what decides the answer.
std::string ParametersOf(const RunOptions& options) {
  std::vector<std::string> parameters;
  for (const auto& [name, value] : options.values.entries()) {
    std::string text = value.Text();
    if (const auto* const file = std::get_if<InputValues>(&value.variant())) {
      uint64_t hash = 0;
      for (const InputValues::Row& row :
           file->rows == nullptr ? std::vector<InputValues::Row>() : *file->rows) {
        const std::array<uint64_t, 2> words = {row.first, std::bit_cast<uint64_t>(row.second)};
        hash = Checksum64(std::as_bytes(std::span(words)), hash);
      }
      text = StrCat("values of checksum ", hash);
    }
    parameters.push_back(StrCat(name, " ", text));
  }
  std::sort(parameters.begin(), parameters.end());
  std::string text;
  for (const std::string& parameter : parameters) {
    text += StrCat(text.empty() ? "" : " ", parameter);
  }
  return text;
}

CheckpointIdentity IdentityOf(const GraphStore& store, const Algorithm& algorithm,
                              const RunOptions& options) {
  std::string parameters = ParametersOf(options);
  if (!store.weight_name().empty()) {
    parameters += StrCat(parameters.empty() ? "" : " ", "--weight ", store.weight_name());
  }
  return {store.info().uuid, std::string(algorithm.name), std::move(parameters)};
}

CheckpointStore StoreOf(const GraphStore& store, const RunOptions& options) {
  const Algorithm* const algorithm = FindAlgorithm(options.algorithm);
  CHECK(algorithm != nullptr);  // it has run
  const std::string& directory = options.checkpoints.directory;
  return CheckpointStore(directory.empty() ? OwnCheckpointDirectory(store.path()) : directory,
                         IdentityOf(store, *algorithm, options));
}

/// Bytes for checkpoints: more than the least where the run leaves some.
uint64_t CheckpointBytes(const MemoryBudget& budget, uint64_t least_budget) {
  constexpr uint64_t kMost = uint64_t{256} << 20;
  const uint64_t total = budget.total_bytes();
  const uint64_t spare = total > least_budget ? (total - least_budget) / 8 : 0;
  return Checkpoints::kMinMemoryBytes + std::min(spare, kMost);
}

/// The checkpoints of a run that wants them; null for others. UsageError where it cannot have them.
StatusOr<std::unique_ptr<Checkpoints>> OpenCheckpoints(const PreparedRun& run,
                                                       const RunResources& resources) {
  const RunOptions& options = run.options;
  if (!options.checkpoints.wanted()) return std::unique_ptr<Checkpoints>();
  if (options.warm) return UsageError("--warm runs twice, and checkpoints are of one run");
  ASSIGN_OR_RETURN(const uint64_t least, LeastBudget(run.store, options, resources.budget));
  ASSIGN_OR_RETURN(
      MemoryReservation memory,
      resources.budget.Reserve(CheckpointBytes(resources.budget, least), "checkpoints"));
  return Checkpoints::Open({.options = options.checkpoints,
                            .identity = IdentityOf(run.store, run.algorithm, options),
                            .graph_path = run.store.path(),
                            .threads = options.threads,
                            .progress = resources.progress,
                            .memory = std::move(memory)});
}

/// The options of a run on `store`: without helpers where it has too few edges for them.
RunOptions OptionsFor(const GraphStore& store, const RunOptions& options) {
  RunOptions own = options;
  if (store.info().num_edges < options.gpu.helpers.least_edges) own.gpu.helpers.ordinals.clear();
  return own;
}

/// As Run, but a GpuError does not suggest the CPU.
StatusOr<std::unique_ptr<RunResult>> RunAsPlanned(const GraphStore& store,
                                                  const RunOptions& options,
                                                  const RunResources& resources) {
  ASSIGN_OR_RETURN(PreparedRun run, PrepareRun(store, options));
  ASSIGN_OR_RETURN(const std::unique_ptr<Checkpoints> checkpoints, OpenCheckpoints(run, resources));
  ASSIGN_OR_RETURN(const std::unique_ptr<Processor> processor,
                   Processor::Choose(options, resources.progress));
  ASSIGN_OR_RETURN(const RunPlan plan,
                   PlanRun(run, resources.budget, resources.progress, *processor));
  processor->Begin(store, plan);
  ASSIGN_OR_RETURN(const std::unique_ptr<OpenedRun> opened,
                   OpenedRun::Open(run, plan, *processor, resources));
  opened->Keep(checkpoints.get());
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

StatusOr<uint64_t> LeastBudget(const GraphStore& store, const RunOptions& asked,
                               const MemoryBudget& budget) {
  const RunOptions options = OptionsFor(store, asked);
  ASSIGN_OR_RETURN(const PreparedRun run, PrepareRun(store, options));
  PassOptions passes = AskedPasses(options);
  if (!AsksForGpu(options)) passes.mode = LeastMode(run, budget);
  const uint64_t bytes = CountRun(run, budget, ProcessorsOf(options), passes).min_budget_bytes;
  return bytes + (options.checkpoints.wanted() ? Checkpoints::kMinMemoryBytes : 0);
}

Status CheckGpu(const GraphStore& store, const RunOptions& asked, const MemoryBudget& budget,
                Progress& progress) {
  const RunOptions options = OptionsFor(store, asked);
  if (!AsksForGpu(options)) return OkStatus();
  ASSIGN_OR_RETURN(const PreparedRun run, PrepareRun(store, options));
  const auto processor = Processor::Choose(options, progress);
  if (!processor.ok()) return OrOnCpu(processor.status());
  RunPlan plan = CountRun(run, budget, ProcessorsOf(options), AskedPasses(options));
  return (*processor)->Fit(store, &plan.needs.device);
}

Status RemoveCheckpoints(const GraphStore& store, const RunOptions& options) {
  return options.checkpoints.wanted() ? StoreOf(store, options).Remove() : OkStatus();
}

bool HasCheckpoint(const GraphStore& store, const RunOptions& options) {
  return options.checkpoints.wanted() && FindAlgorithm(options.algorithm) != nullptr &&
         StoreOf(store, options).has_any();
}

StatusOr<std::unique_ptr<RunResult>> Run(const GraphStore& store, const RunOptions& options,
                                         MemoryBudget& budget, Progress& progress,
                                         const ReaderFactory& make_reader) {
  auto result = RunAsPlanned(store, OptionsFor(store, options), {budget, progress, make_reader});
  if (!result.ok()) return OrOnCpu(result.status());
  return result;
}

}  // namespace edgemill
