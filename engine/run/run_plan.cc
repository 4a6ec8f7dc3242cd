#include "engine/run/run_plan.h"

#include <algorithm>

#include "common/check.h"
#include "common/units.h"
#include "engine/device/device_home.h"
#include "engine/gpu/gpu_messages.h"
#include "engine/gpu/workspace/device_needs.h"
#include "engine/graph/loaded_graph.h"
#include "engine/graph/names/name_dictionary.h"
#include "engine/graph/sampled_neighbors.h"
#include "engine/graph/vertex_index.h"
#include "engine/hybrid/hybrid_run.h"
#include "engine/plan/staging_memory.h"
#include "engine/program/sets/frontier.h"
#include "engine/run/make_engine.h"
#include "engine/state/working_memory.h"

namespace edgemill {
namespace {

/// Buffers beyond this do not read faster; the cache has more use for the memory.
constexpr uint64_t kAmpleBufferBytes = uint64_t{48} << 20;
/// Plans of blocks, result facts, chunks of ids: things that are small on every graph.
constexpr uint64_t kSmallThingsBytes = uint64_t{1} << 20;

/// The GPUs of a run on `processors`.
uint64_t NumGpus(const RunOptions& options, Processors processors) {
  return processors == Processors::kCpu ? 0 : 1 + options.gpu.helpers.ordinals.size();
}

/// Threads that use the reader at once: where several processors share a run, each reads blocks.
int ReaderThreads(const RunOptions& options, Processors processors) {
  const uint64_t readers = NumGpus(options, processors) + (processors == Processors::kGpu ? 0 : 1);
  return static_cast<int>(readers) * options.threads;
}

/// Bytes of every block that the run reads again and again, in memory.
uint64_t ScannedBytes(const GraphStore& store, const RunNeeds& needs) {
  const bool directed = store.info().directed;
  uint64_t bytes = 0;
  const auto add = [&](ColumnKind neighbors, ColumnKind weights) {
    bytes += store.column(neighbors).payload_bytes;
    if (needs.weights) bytes += store.column(weights).payload_bytes;
    bytes += 2 * kBlockAlignment * store.column(neighbors).num_blocks;
  };
  if (needs.graph.out_index || !directed) {
    add(ColumnKind::kOutNeighbors, ColumnKind::kOutWeights);
  }
  if (needs.graph.in_index && directed) add(ColumnKind::kInNeighbors, ColumnKind::kInWeights);
  return bytes;
}

/// The indexes that passes of these programs, and degrees, may read.
GraphNeeds IndexesOf(const PreparedRun& run, const PassOptions& passes) {
  const State& state = *run.state;
  GraphNeeds needs{.out_index = state.has_degrees(Direction::kOut),
                   .in_index = state.has_degrees(Direction::kIn)};
  const ListColumns lists = ListColumnsOf(run.store);
  for (const ProgramTraits& program : state.programs()) {
    const DirectionPolicy policy(program, lists, passes.mode, passes.async_passes > 0, {});
    const bool along = GoesAlong(program.directions), against = GoesAgainst(program.directions);
    needs.out_index |= (along && policy.may_push()) || (against && policy.may_pull());
    needs.in_index |= (against && policy.may_push()) || (along && policy.may_pull());
  }
  for (const ListVisit& visit : state.visits()) {
    needs.out_index |= GoesAlong(visit.directions);
    needs.in_index |= GoesAgainst(visit.directions);
  }
  if (state.intersects().has_value()) needs.out_index = needs.in_index = true;
  if (!lists.directed) return {.out_index = true, .in_index = true};
  if (!lists.out) needs.out_index &= state.has_degrees(Direction::kOut);
  if (!lists.in) needs.in_index &= state.has_degrees(Direction::kIn);
  return needs;
}

/// Bytes beside the State's arrays that passes on the CPU take. With `is_host_team`, what the host
/// team takes in a run on two processors.
uint64_t CountOnCpu(const PreparedRun& run, const PassOptions& passes, bool is_host_team,
                    RunNeeds* needs) {
  const State& state = *run.state;
  const GraphInfo& info = run.store.info();
  const RunOptions& options = run.options;
  needs->block_ids |= !state.visits().empty() || state.intersects().has_value();
  if (state.intersects().has_value()) {
    needs->lists = ListMemoryOf(info, options.threads, *state.intersects() == AsksForArcs::kYes);
  }
  for (const ProgramTraits& program : state.programs()) {
    const bool pulls =
        DirectionPolicy(program, ListColumnsOf(run.store), passes.mode, passes.async_passes > 0, {})
            .may_pull();
    needs->block_ids |= pulls && program.decodes_whole;
    needs->block_weights |= pulls && program.decodes_whole && program.weighted;
    needs->tests_sampled |= pulls && program.may_search;
  }
  const uint64_t directions =
      info.directed ? uint64_t{needs->graph.out_index} + needs->graph.in_index : 1;
  const uint64_t last_neighbors = AnyOf(state.programs(), &ProgramTraits::simple)
                                      ? directions * NeighborMemory::LastNeighborsBytes(info)
                                      : 0;
  ListColumns lists = ListColumnsOf(run.store);
  lists.out &= needs->graph.out_index;
  lists.in &= needs->graph.in_index || !lists.directed;
  return last_neighbors +
         (is_host_team
              ? HybridRun::SizeBytes(HostTeamNeedsOf(state.programs(), passes, lists), info,
                                     options.threads)
              : Workspace::SizeBytes(WorkspaceNeedsOf(state.programs(), passes, lists),
                                     info.num_vertices, info.num_blocks(), state.max_sets()));
}

/// Counts what a run needs while it runs, and what it needs of the GPU.
void CountRunning(const PreparedRun& run, Processors processors, const PassOptions& passes,
                  RunNeeds* needs) {
  State& state = *run.state;
  const GraphStore& store = run.store;
  const bool on_gpu = processors != Processors::kCpu;
  const bool shares = processors == Processors::kBoth;
  needs->graph = IndexesOf(run, passes);
  needs->weights = AnyOf(state.programs(), &ProgramTraits::weighted) &&
                   store.info().weights != WeightType::kNone;
  needs->state_bytes = state.array_bytes();
  if (!on_gpu || shares) needs->state_bytes += CountOnCpu(run, passes, shares, needs);
  if (!on_gpu) return;
  const uint64_t gpus = NumGpus(run.options, processors);
  const Sharing sharing = shares     ? Sharing::kHost
                          : gpus > 1 ? Sharing::kOtherGpus
                                     : Sharing::kNothing;
  needs->device = DeviceNeedsOf(state, store, passes.mode, passes.async_passes, sharing);
  needs->state_bytes +=
      (state.max_sets() + kDeviceSets) * Frontier::SizeBytes(store.info().num_vertices) +
      gpus * DeviceHome::StagingBytes(store.info().num_vertices * 8);
  if (sharing != Sharing::kNothing) {
    needs->state_bytes += GpuMessages::SizeBytes(MostSumBytes(state.programs()));
  }
  if (sharing == Sharing::kOtherGpus) needs->state_bytes += HybridRun::SetBytes(store.info());
}

RunNeeds CountNeeds(const PreparedRun& run, Processors processors, const PassOptions& passes) {
  const State& state = *run.state;
  RunNeeds needs;
  CountRunning(run, processors, passes, &needs);
  needs.any_mode_will_do = !AnyOf(state.programs(), &ProgramTraits::collects);
  needs.answer_bytes = state.result_bytes();
  // A column of vertices may also be computed by a function.
  needs.answers_vertices = state.answers_vertices() ||
                           ColumnOf(run.algorithm, run.options.values).type == ResultType::kId;
  if (run.describes != nullptr) {
    needs.after_bytes = needs.answer_bytes + run.describes->array_bytes();
  }
  if (run.verifies != nullptr) {
    needs.after_bytes =
        std::max(needs.after_bytes, needs.answer_bytes + run.verifies->array_bytes());
  }
  // A column may be computed from degrees when it is written.
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    if (state.has_degrees(direction)) {
      needs.answer_bytes += VertexIndex::SizeBytes(run.store.info());
    }
  }
  return needs;
}

/// Of `spare` bytes, how many stay free for what the driver reserves. Without them it may fail;
/// cached blocks save only reads.
uint64_t ForDriver(const PreparedRun& run, uint64_t spare) {
  if (!WorkingMemory::IsIn(*run.state)) return 0;
  const GraphInfo& info = run.store.info();
  return std::min(WorkingMemory::MostBytes(info.num_vertices, info.num_edges), spare / 8 * 7);
}

/// Shares what `budget` has left between buffers and cache. BudgetError with the least workable
/// --memory when it is too small.
Status ShareOut(const PreparedRun& run, const MemoryBudget& budget, RunPlan* plan) {
  const GraphStore& store = run.store;
  const RunOptions& options = run.options;
  if (budget.total_bytes() < plan->min_budget_bytes ||
      budget.available_bytes() < plan->fixed_bytes + plan->min_buffer_bytes) {
    const bool sub_csrs = options.gpu.transfer == Transfer::kSubCsr;
    return BudgetError(
        StrCat(store.path(), ": ", options.algorithm, sub_csrs ? " with --transfer subcsr" : "",
               " needs at least --memory ", FormatMebibytesUp(plan->min_budget_bytes), ", and has ",
               FormatBytes(budget.total_bytes())));
  }
  if (plan->gpu_staging_bytes > 0) {
    const uint64_t spare = budget.available_bytes() - plan->fixed_bytes - plan->min_buffer_bytes;
    const uint64_t least = plan->gpu_staging_bytes, gpus = NumGpus(options, plan->processors);
    plan->gpu_staging_bytes =
        std::max(least, std::min(MaxStagingBytes(store, plan->needs.weights, options.gpu),
                                 least + spare / 4 / gpus));
    plan->fixed_bytes += gpus * (plan->gpu_staging_bytes - least);
  }
  if (plan->needs.lists.whole > 0) {
    // Lists in memory save whole passes, cached blocks only their reads.
    const uint64_t spare = budget.available_bytes() - plan->fixed_bytes - plan->min_buffer_bytes;
    const uint64_t wanted = plan->needs.lists.whole - plan->needs.lists.least;
    const uint64_t more = std::min(wanted, spare / 8 * 7);
    plan->passes.list_bytes += more;
    plan->fixed_bytes += more;
  }
  uint64_t left = budget.available_bytes() - plan->fixed_bytes;
  CHECK_GE(left, plan->min_buffer_bytes);
  left -= ForDriver(run, left - plan->min_buffer_bytes);
  const uint64_t sampled_bytes = SampledNeighbors::SizeBytes(store.info().num_vertices);
  if (plan->shares_reader) {
    plan->fits_in_cache = options.shared_reader.cache_bytes >= plan->scanned_bytes;
    const bool samples = plan->needs.tests_sampled && sampled_bytes <= left;
    plan->spare_bytes = plan->fits_in_cache ? left : samples ? sampled_bytes : 0;
    return OkStatus();
  }
  BlockReaderOptions& reader = plan->reader;
  reader.buffer_bytes = std::clamp(left / 4, plan->min_buffer_bytes,
                                   std::max(plan->min_buffer_bytes, kAmpleBufferBytes));
  // A cache for all scanned blocks is enough, with a margin for rounding up the size of each block.
  // Beside its own bytes, a cache has an entry for every block.
  const uint64_t scanned = plan->scanned_bytes;
  const uint64_t accounts = BlockReader::OverheadBytes(store, {.cache_bytes = 1}) -
                            BlockReader::OverheadBytes(store, {.cache_bytes = 0});
  const uint64_t for_cache = left - reader.buffer_bytes;
  reader.cache_bytes = for_cache <= accounts
                           ? 0
                           : std::min(for_cache - accounts, scanned + scanned / 16 + (4u << 20));
  CHECK_LE(reader.buffer_bytes + reader.cache_bytes, left);
  plan->fits_in_cache = reader.cache_bytes >= scanned;
  const bool on_gpu = plan->processors != Processors::kCpu;
  if (plan->fits_in_cache && !on_gpu) {
    plan->spare_bytes = for_cache - accounts - reader.cache_bytes;
  } else if (plan->needs.tests_sampled && !on_gpu && sampled_bytes <= reader.cache_bytes) {
    // Sampled neighbours save a pull the read of all lists. Cached blocks save only the read of
    // themselves.
    plan->spare_bytes = sampled_bytes;
    reader.cache_bytes -= sampled_bytes;
  }
  reader.threads = ReaderThreads(options, plan->processors);
  reader.queue_depth = options.queue_depth;
  reader.engine = options.io_engine;
  return OkStatus();
}

/// Whether the processor's GPU has the memory for the run, and the host for its buffers; shares out
/// the budget.
Status Fit(const PreparedRun& run, const MemoryBudget& budget, const Processor& processor,
           RunPlan* plan) {
  RETURN_IF_ERROR(processor.Fit(run.store, &plan->needs.device));
  return ShareOut(run, budget, plan);
}

/// Whether the algorithm can run on a GPU. UsageError; GpuError.
Status CheckRunsOnGpu(const PreparedRun& run) {
  if (run.state->intersects().has_value() || WorkingMemory::IsIn(*run.state)) {
    return UsageError(StrCat(run.algorithm.name, " runs on the CPU alone"));
  }
  return CheckGpuCode(FileOf(run.algorithm));
}

PassOptions WithMode(const RunOptions& options, Mode mode) {
  PassOptions passes = AskedPasses(options);
  passes.mode = mode;
  return passes;
}

/// Whether asynchronous passes read less, and change no answer: messages are minima or maxima that
/// go along lists of one direction in the order of priorities, until no vertex is active. Without
/// an order, they may read more: labels of a path 1.4 times as much. Only on the CPU, because a GPU
/// may hold all edges even if the host's cache holds few blocks.
bool MayChooseAsync(const PreparedRun& run, const RunPlan& plan) {
  const RunOptions& options = run.options;
  const bool open = !options.async_passes.has_value() && options.mode == Mode::kAuto &&
                    options.gpu.transfer != Transfer::kSubCsr &&
                    plan.processors == Processors::kCpu && !plan.fits_in_cache;
  const auto& declared = run.algorithm.options;
  const bool whole = std::none_of(declared.begin(), declared.end(), [&](const auto& option) {
    return option.stops_early && options.values.Has(option.long_name());
  });
  const ProgramList programs = run.state->programs();
  const ListColumns lists = ListColumnsOf(run.store);
  const auto can_push = [&](const ProgramTraits& program) {
    return DirectionPolicy(program, lists, options.mode, true, {}).can_push();
  };
  return open && whole && AnyOf(programs, &ProgramTraits::asynchrony_pays) &&
         !AnyOf(programs, [&](const ProgramTraits& program) {
           return program.may_run_asynchronously &&
                  (!program.asynchrony_pays || !program.has_priority ||
                   EmitsBothWays(program, run.store) || !can_push(program));
         });
}

}  // namespace

PassOptions AskedPasses(const RunOptions& options) {
  return {.mode = options.mode,
          .async_passes = options.async_passes.value_or(0),
          .disk_rate = &options.gpu.calibration.disk_rate,
          .pull_threshold = options.pull_threshold};
}

RunPlan CountRun(const PreparedRun& run, const MemoryBudget& budget, Processors processors,
                 const PassOptions& passes) {
  const GraphStore& store = run.store;
  const RunOptions& options = run.options;
  RunPlan plan{
      .processors = processors, .passes = passes, .needs = CountNeeds(run, processors, passes)};
  const RunNeeds& needs = plan.needs;
  plan.scanned_bytes = ScannedBytes(store, needs);
  const uint64_t num_vertices = store.info().num_vertices;
  const uint64_t one_index = VertexIndex::SizeBytes(store.info());
  const uint64_t indexes = store.info().directed ? (needs.graph.out_index ? one_index : 0) +
                                                       (needs.graph.in_index ? one_index : 0)
                                                 : one_index;
  if (processors == Processors::kCpu && options.gpu.transfer == Transfer::kSubCsr) {
    plan.passes.sub_csr_bytes = SubCsrPartsBytes(store.info(), needs.weights, options.threads);
  }
  plan.passes.list_bytes = needs.lists.least;
  uint64_t running =
      indexes + needs.state_bytes + plan.passes.sub_csr_bytes + plan.passes.list_bytes;
  if (needs.block_ids) {
    running += DecodeScratch::SizeBytes(store.info(), options.threads, needs.block_weights);
  }
  running = std::max(running, indexes + needs.after_bytes);
  // The answer stays when the indexes are gone. Where its values are vertices, writing their ids
  // takes a table of 8 bytes a vertex.
  uint64_t writing = needs.answer_bytes + (needs.answers_vertices ? num_vertices * 8 : 0);
  if (HasNames(store)) writing += NameCursor::kMaxBytes;
  writing += options.writing_bytes;
  plan.fixed_bytes = std::max(running, writing) + kSmallThingsBytes +
                     BlockReader::OverheadBytes(store, BlockReaderOptions());
  if (processors != Processors::kCpu)
    plan.gpu_staging_bytes = MinStagingBytes(store, needs.weights, options.gpu.transfer);
  plan.fixed_bytes += NumGpus(options, processors) * plan.gpu_staging_bytes;
  plan.shares_reader = processors == Processors::kCpu && options.shared_reader.reader != nullptr;
  if (!plan.shares_reader) {
    plan.min_buffer_bytes =
        BlockReader::MinimumBufferBytes(store, ReaderThreads(options, processors));
  }
  const uint64_t reserved =
      budget.total_bytes() > MemoryBudget::kProcessBytes + budget.available_bytes()
          ? budget.total_bytes() - MemoryBudget::kProcessBytes - budget.available_bytes()
          : 0;
  // A store that was opened for counting has not reserved its block table.
  plan.min_budget_bytes = MemoryBudget::kProcessBytes + std::max(reserved, store.table_bytes()) +
                          plan.fixed_bytes + plan.min_buffer_bytes;
  return plan;
}

Mode LeastMode(const PreparedRun& run, const MemoryBudget& budget) {
  const RunOptions& options = run.options;
  const RunPlan plan = CountRun(run, budget, Processors::kCpu, AskedPasses(options));
  if (options.mode != Mode::kAuto || !plan.needs.any_mode_will_do || !run.store.info().directed) {
    return options.mode;
  }
  uint64_t least = plan.min_budget_bytes;
  Mode best = Mode::kAuto;
  const ListColumns lists = ListColumnsOf(run.store);
  for (const Mode mode : {Mode::kPush, Mode::kPull}) {
    if (mode == Mode::kPull && options.gpu.transfer == Transfer::kSubCsr) continue;
    const auto cannot = [&](const ProgramTraits& program) {
      return !DirectionPolicy(program, lists, mode, false, {}).Check(run.store.path()).ok();
    };
    if (AnyOf(run.state->programs(), cannot)) continue;
    const uint64_t bytes =
        CountRun(run, budget, Processors::kCpu, WithMode(options, mode)).min_budget_bytes;
    if (bytes >= least) continue;
    least = bytes;
    best = mode;
  }
  return best;
}

StatusOr<RunPlan> PlanRun(const PreparedRun& run, const MemoryBudget& budget, Progress& progress,
                          Processor& processor) {
  const RunOptions& options = run.options;
  if (processor.has_gpu()) {
    const Status runs = CheckRunsOnGpu(run);
    if (!runs.ok() && options.device != Device::kAuto) return runs;
    if (!runs.ok()) processor.FallBack(std::string(runs.message()), progress);
  }
  RunPlan plan = CountRun(run, budget, processor.processors(), AskedPasses(options));
  Status fits = Fit(run, budget, processor, &plan);
  if (!fits.ok() && processor.has_gpu() && options.device == Device::kAuto) {
    processor.FallBack(std::string(fits.message()), progress);
    plan = CountRun(run, budget, Processors::kCpu, AskedPasses(options));
    fits = Fit(run, budget, processor, &plan);
  }
  if (fits.code() == Code::kBudget && !processor.has_gpu() && options.mode == Mode::kAuto) {
    plan = CountRun(run, budget, Processors::kCpu, WithMode(options, LeastMode(run, budget)));
    fits = Fit(run, budget, processor, &plan);
  }
  RETURN_IF_ERROR(fits);
  if (MayChooseAsync(run, plan)) {
    PassOptions passes = plan.passes;
    passes.async_passes = kAsyncPasses;
    RunPlan async = CountRun(run, budget, plan.processors, passes);
    if (Fit(run, budget, processor, &async).ok()) plan = async;
  }
  plan.passes.from_disk = !plan.fits_in_cache;
  return plan;
}

}  // namespace edgemill
