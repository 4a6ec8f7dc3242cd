#include "engine/estimate/run_estimate.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/cost/tuning.h"
#include "engine/run/prepared_run.h"
#include "engine/run/processor.h"
#include "engine/run/run.h"
#include "engine/run/run_plan.h"

namespace edgemill {
namespace {

/// 16 threads are 9 times as fast as one (docs/PERFORMANCE.md, "Scaling").
constexpr double kThreadsPower = 0.8;
/// Known runs were measured with all blocks cached. A first run takes longer: it checks blocks, and
/// touches its memory for the first time.
constexpr double kColdTimes = 1.5;
/// From the wish for a block until a thread has it, if nothing else is read.
constexpr double kReadSeconds = 0.3e-3;

GraphShape ShapeOf(const GraphStore& store) {
  const GraphInfo& info = store.info();
  const ColumnInfo& out = store.column(ColumnKind::kOutNeighbors);
  const ColumnInfo& lists = out.num_values > 0 ? out : store.column(ColumnKind::kInNeighbors);
  const auto vertices = static_cast<double>(std::max<uint64_t>(2, info.num_vertices));
  const auto edges = static_cast<double>(std::max<EdgeIndex>(1, info.num_edges));
  return {.directed = info.directed,
          .mean_degree = edges / vertices,
          .neighbor_bits = 8 * static_cast<double>(lists.payload_bytes) / edges / log2(vertices)};
}

/// From how many vertices a run starts, or for how many it computes: what was given, or all.
double SearchesOf(const RunOptions& options, uint64_t num_vertices) {
  const std::vector<ExternalId> sources = options.values.sources();
  if (!sources.empty()) return static_cast<double>(sources.size());
  return static_cast<double>(options.values.GetOr<uint64_t>("--sample", num_vertices));
}

/// How many times the work of the known run is to be done: more searches, or iterations as given.
/// The known run's searches were done together, so fewer take as long.
double TimesKnown(const RunOptions& options, const KnownRun& known, const RunSize& size,
                  uint64_t num_vertices) {
  double times = 1;
  if (known.searches > 0) {
    times = std::max(1.0, SearchesOf(options, num_vertices) / known.searches);
  }
  if (!options.values.Has("--iterations") || size.iterations == 0) return times;
  const double given = static_cast<double>(options.values.GetOr<uint64_t>("--iterations", 1));
  // Where an iteration is a pass over all edges, -i alone decides how many there are.
  const bool scans = size.passes > size.iterations / 2;
  const double share = given / size.iterations;
  return times * (scans ? share : std::min(1.0, share));
}

double SecondsOnCpu(const GraphInfo& info, const RunOptions& options, const RunSize& size) {
  const auto edges = static_cast<double>(info.num_edges);
  const double full = FullPassEdges(static_cast<double>(info.num_vertices), edges);
  // A thread takes half a block of active edges, or more.
  const double active = size.passes * edges / std::max(1.0, size.iterations);
  const double threads = std::clamp(2 * active / info.block_edges, 1.0,
                                    static_cast<double>(std::max(1, options.threads)));
  return kColdTimes * size.passes * full / options.gpu.calibration.cpu_pull_rate /
             std::pow(threads, kThreadsPower) +
         size.iterations * kFixedPassSeconds[0];
}

double SecondsOnDisk(const GraphInfo& info, const RunOptions& options, const RunSize& size,
                     double bytes, const RunEstimate& estimate) {
  const uint64_t blocks = std::max<uint64_t>(1, info.num_blocks());
  const double block_bytes = std::max<double>(
      kBlockAlignment, static_cast<double>(estimate.edge_bytes) / static_cast<double>(blocks));
  // An iteration that reads waits for its last block.
  const double waiting = size.iterations * (1 - estimate.kept_share) * kReadSeconds;
  return bytes / options.gpu.calibration.disk_rate.At(block_bytes) + waiting;
}

std::optional<ExpectedWork> WorkOf(const PreparedRun& run, const RunPlan& plan,
                                   const RunEstimate& estimate) {
  const GraphInfo& info = run.store.info();
  const std::string_view kind = KindLike(estimate.shape);
  const KnownRun* const known = FindKnownRun(run.algorithm.name, kind);
  if (known == nullptr) return std::nullopt;
  RunSize size = Extrapolate(*known, static_cast<double>(info.num_vertices));
  const double times = TimesKnown(run.options, *known, size, info.num_vertices);
  size.iterations *= times;
  size.passes *= times;
  const double again = std::max(0.0, size.reads_uncached * times - size.reads_cached);
  const double reads = size.reads_cached + again * (1 - estimate.kept_share);
  const double bytes = reads * static_cast<double>(estimate.edge_bytes);
  ExpectedWork work{.kind = kind,
                    .iterations = static_cast<uint64_t>(std::llround(size.iterations)),
                    .passes = size.passes,
                    .bytes_read = static_cast<uint64_t>(bytes)};
  if (plan.processors == Processors::kCpu) {
    // Short passes overlap little with reads.
    work.seconds = SecondsOnCpu(info, run.options, size) +
                   SecondsOnDisk(info, run.options, size, bytes, estimate);
  }
  return work;
}

}  // namespace

StatusOr<RunEstimate> EstimateRun(const GraphStore& store, const RunOptions& options,
                                  const MemoryBudget& budget, Progress& progress) {
  RunEstimate estimate{.shape = ShapeOf(store)};
  ASSIGN_OR_RETURN(estimate.least_memory_bytes, LeastBudget(store, options, budget));
  RETURN_IF_ERROR(CheckGpu(store, options, budget, progress));
  ASSIGN_OR_RETURN(const PreparedRun run, PrepareRun(store, options));
  ASSIGN_OR_RETURN(const std::unique_ptr<Processor> processor,
                   Processor::Choose(options, progress));
  StatusOr<RunPlan> plan = PlanRun(run, budget, progress, *processor);
  estimate.fits = plan.ok() && budget.total_bytes() >= estimate.least_memory_bytes;
  if (plan.status().code() == Code::kBudget) {
    plan = CountRun(run, budget, processor->processors(), AskedPasses(options));
  }
  RETURN_IF_ERROR(plan.status());
  estimate.vertex_bytes = plan->fixed_bytes;
  estimate.edge_bytes = plan->scanned_bytes;
  if (!estimate.fits) return estimate;
  estimate.kept_share = plan->scanned_bytes == 0
                            ? 1
                            : std::min(1.0, static_cast<double>(plan->reader.cache_bytes) /
                                                static_cast<double>(plan->scanned_bytes));
  estimate.work = WorkOf(run, *plan, estimate);
  return estimate;
}

}  // namespace edgemill
