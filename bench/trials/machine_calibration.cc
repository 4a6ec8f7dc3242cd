#include "bench/trials/machine_calibration.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "bench/io/io_trial.h"
#include "bench/io/scratch_file.h"
#include "bench/trials/generated_graph.h"
#include "bench/trials/known_algorithms.h"
#include "bench/trials/source_picker.h"
#include "common/os/file.h"
#include "common/units.h"
#include "engine/cost/calibration_file.h"
#include "engine/gpu/probes/kernel_probe.h"
#include "engine/gpu/probes/link_probe.h"
#include "engine/graph/loaded_graph.h"
#include "engine/run/gpu_choice.h"
#include "engine/run/run.h"
#include "storage/write/graph_writer.h"

namespace edgemill::bench {
namespace {

constexpr uint64_t kMinMemory = 256 * kMebibyte;
constexpr uint64_t kDiskFileBytes = 256 * kMebibyte;
constexpr uint64_t kScratchBytes = 512 * kMebibyte;  // of the file and the graphs
constexpr uint64_t kReadSizes[] = {4096, 65536, kMebibyte};
constexpr uint64_t kReadDepth = 32;
constexpr double kReadSeconds = 0.3;
constexpr uint32_t kRunIterations = 3;

/// A graph for one calibration, which the destructor removes.
class ScratchGraph {
 public:
  ScratchGraph(std::string path, const CalibrationOptions& options, Progress& progress)
      : path_(std::move(path)), options_(options), progress_(progress) {}
  ~ScratchGraph() {
    store_.reset();
    if (PathExists(path_)) (void)RemoveGraph(path_, {});
  }

  Status Make(const GeneratorOptions& generator) {
    store_.reset();
    if (PathExists(path_)) RETURN_IF_ERROR(RemoveGraph(path_, {}));
    const GeneratedGraphOptions graph{.generator = generator,
                                      .by_degree = true,
                                      .threads = options_.threads,
                                      .memory_bytes = options_.memory_bytes};
    RETURN_IF_ERROR(MakeGeneratedGraph(graph, path_, progress_));
    budget_ = std::make_unique<MemoryBudget>(options_.memory_bytes);
    ASSIGN_OR_RETURN(store_, GraphStore::Open(path_, {}, *budget_));
    return OkStatus();
  }
  const GraphStore& store() const { return *store_; }
  MemoryBudget& budget() { return *budget_; }
  double num_edges() const { return static_cast<double>(store_->info().num_edges); }
  double state_bytes() const {
    return static_cast<double>(store_->info().num_vertices * kStateBytes);
  }

  /// Runs PageRank over all edges, by pull, or by push and addition. Returns its report.
  StatusOr<RunReport> PageRank(bool pull, Device device) {
    return Report(pull ? PullingRun(kRunIterations) : AddingRun(kRunIterations), device);
  }
  /// Runs BFS by push, and returns its report.
  StatusOr<RunReport> Bfs(ExternalId source, Device device) {
    RunOptions run = ReachingRun(source);
    run.gpu.loops = false;  // edge passes are timed
    return Report(std::move(run), device);
  }

  /// A vertex with edges.
  StatusOr<ExternalId> SomeSource() {
    ASSIGN_OR_RETURN(const auto sources,
                     PickSources(*store_, {.count = 1}, options_.threads, *budget_, progress_));
    return sources[0];
  }

 private:
  StatusOr<RunReport> Report(RunOptions run, Device device) {
    run.device = device;
    run.gpu.gpu = options_.gpu;
    run.gpu.transfer = Transfer::kResident;
    run.threads = options_.threads;
    run.warm = true;
    ASSIGN_OR_RETURN(const auto result, Run(*store_, run, *budget_, progress_));
    return result->report();
  }

  const std::string path_;
  const CalibrationOptions& options_;
  Progress& progress_;
  std::unique_ptr<MemoryBudget> budget_;
  std::unique_ptr<GraphStore> store_;
};

Status MeasureDisk(const CalibrationOptions& options, Progress& progress,
                   Calibration* calibration) {
  ASSIGN_OR_RETURN(ScratchDirectory directory, OpenScratchDirectory(options.directory));
  RETURN_IF_ERROR(CheckFreeDisk(options.directory, kScratchBytes, "name another --scratch"));
  ASSIGN_OR_RETURN(Buffer memory, Buffer::Allocate(kReadDepth * kMebibyte));
  progress.StartStage("writing a file", "bytes", kDiskFileBytes);
  RETURN_IF_ERROR(FillStamped(directory.read_file, kDiskFileBytes, memory.bytes(), progress));
  progress.StartStage("measuring the disk", "trials", std::size(kReadSizes));
  std::vector<Curve::Point> points;
  ScratchDirectory* const directories[] = {&directory};
  for (const uint64_t size : kReadSizes) {
    const IoPoint point{IoPattern::kRandomRead, size, kReadDepth};
    ASSIGN_OR_RETURN(const IoTrial trial,
                     RunIoTrial(point, directories, memory.bytes(),
                                {.seconds = kReadSeconds, .file_bytes = kDiskFileBytes}, progress));
    points.emplace_back(static_cast<double>(size), trial.bytes_per_second);
    progress.Advance(1, trial.bytes);
  }
  calibration->disk_rate = Curve(std::move(points));
  return OkStatus();
}

/// Edges a second of one thread, in the first iteration, which visits all edges.
double CpuRate(const ScratchGraph& graph, const RunReport& report) {
  return graph.num_edges() / std::max(report.iterations.front().compute_seconds, 1e-9);
}

Status MeasureCpu(ScratchGraph& graph, Calibration* calibration) {
  ASSIGN_OR_RETURN(const RunReport pull, graph.PageRank(true, Device::kCpu));
  ASSIGN_OR_RETURN(const RunReport push, graph.PageRank(false, Device::kCpu));
  calibration->cpu_pull_rate = CpuRate(graph, pull);
  calibration->cpu_push_rate = CpuRate(graph, push);
  return OkStatus();
}

#if defined(EDGEMILL_WITH_CUDA)
/// The most memory to pin for the link. It is more than a GPU's TLBs cover, if the host has enough.
constexpr uint64_t kMaxPinned = 4096 * kMebibyte;
/// For GPUs, whose caches hold the state of the small graph.
constexpr GeneratorOptions kLargeGraph{.scale = 24, .edge_factor = 4};
constexpr GeneratorOptions kLargeGraphOfFewCores{.scale = 23, .edge_factor = 2};
constexpr int kManyCores = 8;

/// Edges a second of `iterations`, which together visit each edge once. The time of launches is
/// left out.
double GpuRate(const ScratchGraph& graph, std::span<const IterationReport> iterations,
               double launch_seconds) {
  double seconds = 0;
  for (const IterationReport& iteration : iterations) {
    const double measured = iteration.transfers[Transfer::kResident].measured_seconds;
    seconds += std::max(0.0, measured - launch_seconds);
  }
  return graph.num_edges() / std::max(seconds, 1e-6);
}

/// The rates of passes over edges by the bytes of state.
struct EdgePassRates {
  std::vector<Curve::Point> pull, push;
};

Status MeasureEdgePasses(ScratchGraph& graph, double launch_seconds, EdgePassRates* rates) {
  ASSIGN_OR_RETURN(const RunReport pulled, graph.PageRank(true, Device::kGpu));
  ASSIGN_OR_RETURN(const ExternalId source, graph.SomeSource());
  ASSIGN_OR_RETURN(const RunReport pushed, graph.Bfs(source, Device::kGpu));
  const auto add = [&](std::vector<Curve::Point>* rate, std::span<const IterationReport> of) {
    rate->emplace_back(graph.state_bytes(), GpuRate(graph, of, launch_seconds));
  };
  add(&rates->pull, std::span(pulled.iterations).first(1));
  add(&rates->push, pushed.iterations);
  return OkStatus();
}

Status MeasureGpu(std::unique_ptr<Gpu> gpu, ScratchGraph& small, const CalibrationOptions& options,
                  Progress& progress, Calibration* calibration) {
  progress.StartStage("measuring the GPU", "steps", 0);
  KernelFigures figures;
  {
    calibration->gpu = gpu->properties().name;
    calibration->link = gpu->properties().link;
    MemoryBudget budget(options.memory_bytes);
    const LinkProbeOptions link{
        .max_bytes =
            std::min(kMaxPinned, budget.available_bytes() / (64 * kMebibyte) * (64 * kMebibyte)),
        .threads = options.threads};
    ASSIGN_OR_RETURN(const std::vector<LinkPoint> points, ProbeLink(*gpu, link, budget));
    ExtractLinkRates(points, calibration);
    ASSIGN_OR_RETURN(const auto reader, BlockReader::Create(small.store(),
                                                            {.buffer_bytes = 64 * kMebibyte,
                                                             .threads = options.threads},
                                                            small.budget()));
    ASSIGN_OR_RETURN(const auto loaded, LoadedGraph::Load({small.store(), *reader, options.threads,
                                                           small.budget(), progress},
                                                          {.out_index = true}));
    ASSIGN_OR_RETURN(figures, ProbeKernels(*gpu, *loaded));
    calibration->zero_copy_rate = figures.zero_copy_rate;
  }
  gpu.reset();  // runs open it themselves
  EdgePassRates rates;
  RETURN_IF_ERROR(MeasureEdgePasses(small, figures.batch_seconds, &rates));
  ScratchGraph large(StrCat(options.directory, "/edgemill-calibration-large.mill"), options,
                     progress);
  RETURN_IF_ERROR(large.Make(options.threads >= kManyCores ? kLargeGraph : kLargeGraphOfFewCores));
  RETURN_IF_ERROR(MeasureEdgePasses(large, figures.batch_seconds, &rates));
  calibration->pull_rate = Curve(std::move(rates.pull));
  calibration->push_rate = Curve(std::move(rates.push));
  return OkStatus();
}
#endif

}  // namespace

StatusOr<Calibration> CalibrateMachine(const CalibrationOptions& options, Progress& progress) {
  if (options.memory_bytes < kMinMemory) {
    return BudgetError(StrCat("calibrate needs at least --memory ", FormatMebibytesUp(kMinMemory),
                              ", and has ", FormatBytes(options.memory_bytes)));
  }
  RunOptions run;
  run.device = options.device;
  run.gpu.gpu = options.gpu;
  std::string why_none;
  auto chosen = ChooseGpu(run, progress, &why_none);
  if (!chosen.ok()) return OrOnCpu(chosen.status());
  std::unique_ptr<Gpu> gpu = std::move(*chosen);
  Calibration calibration;
  calibration.machine = ThisMachineName();
  RETURN_IF_ERROR(MeasureDisk(options, progress, &calibration));
  ScratchGraph small(StrCat(options.directory, "/edgemill-calibration-small.mill"), options,
                     progress);
  RETURN_IF_ERROR(small.Make({.scale = options.scale, .edge_factor = 16}));
  RETURN_IF_ERROR(MeasureCpu(small, &calibration));
#if defined(EDGEMILL_WITH_CUDA)
  if (gpu != nullptr) {
    RETURN_IF_ERROR(MeasureGpu(std::move(gpu), small, options, progress, &calibration));
  }
#endif
  return calibration;
}

}  // namespace edgemill::bench
