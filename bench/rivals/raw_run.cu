// The drivers of the raw algorithms: they define an iteration, and each engine moves its edges.
#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "bench/plain/plain_algorithms.h"
#include "bench/record/sample_statistics.h"
#include "bench/rivals/garaph_kernels.cuh"
#include "bench/rivals/multigraph_kernels.cuh"
#include "bench/rivals/raw_kernels.cuh"
#include "bench/rivals/raw_mover.h"
#include "bench/rivals/raw_programs.cuh"
#include "bench/rivals/raw_ranks.cuh"
#include "bench/rivals/raw_run.h"
#include "common/cancel.h"
#include "common/clock.h"
#include "common/units.h"

namespace edgemill::bench {
namespace {

/// The most iterations by deltas: more than any tolerance needs.
constexpr uint64_t kMaxDeltaIterations = 10'000;
/// The launches of a page's kernel, of which the median counts.
constexpr int kPageTrials = 5;

template <typename T>
__global__ void FillKernel(T* values, uint64_t size, T value) {
  for (uint64_t i = ThreadNumber(); i < size; i += NumThreads()) values[i] = value;
}

__global__ void OwnLabelsKernel(uint32_t* label, uint64_t size) {
  for (uint64_t i = ThreadNumber(); i < size; i += NumThreads()) {
    label[i] = static_cast<uint32_t>(i);
  }
}

/// The kernels that run a program with one way of reading.
template <typename Program>
struct RawKernels {
  void (*lists)(Program, RawLists);
  void (*slices)(Program, RawLists);

  template <typename Reading>
  static RawKernels With() {
    return {RawListsKernel<Reading, Program>, RawSlicesKernel<Reading, Program>};
  }
  template <typename Edge>
  static RawKernels On(RawReading way) {
    if (way == RawReading::kStrided) return With<StridedReading<Edge>>();
    if (way == RawReading::kMerged) return With<MergedReading<Edge>>();
    return With<AlignedReading<Edge>>();
  }
  static RawKernels For(const RawReads& reads) {
    return reads.wide ? On<uint64_t>(reads.way) : On<VertexId>(reads.way);
  }
};

// What a program can be run by. The programs say it: the address of a function for GPUs does not
// compile alike for both compilers, and then a kernel is missing.
template <typename Program>
concept HasMessages = requires {
  typename Program::Sums;
};
template <typename Program>
inline constexpr bool kHasLists = !requires {
  Program::kNoLists;
};
template <typename Program>
inline constexpr bool kHasPulls = HasMessages<Program> && !requires {
  Program::kNoPulls;
};

/// One run.
class RawRun {
 public:
  RawRun(const PlainCsr& graph, const RawRunOptions& options)
      : graph_(graph),
        options_(options),
        mover_(RawMover::Make({graph, options, options.algorithm == RawAlgorithm::kSssp})) {}

  void Plan() {
    const uint64_t vertices = graph_.num_vertices();
    const bool ranks = options_.algorithm == RawAlgorithm::kPageRank ||
                       options_.algorithm == RawAlgorithm::kDeltaPageRank;
    const bool pulls = options_.algorithm == RawAlgorithm::kPageRank && !sends_ranks();
    const bool both =
        graph_.directed() && (pulls || options_.algorithm == RawAlgorithm::kComponents);
    arena_.Plan(&arrays_.out_offsets, vertices + 1);
    if (both) arena_.Plan(&arrays_.in_offsets, vertices + 1);
    for (int i = 0; i < (ranks ? 3 : 1); ++i) arena_.Plan(&arrays_.state[i], vertices);
    arena_.Plan(&arrays_.totals, 2);
    mover_->Plan(&arena_);
    frontier_.Plan(vertices, mover_->max_scanned(), &arena_);
    if (in_frontier()) in_frontier_.Plan(vertices, mover_->max_scanned(), &arena_);
  }
  uint64_t LeastBytes() const {
    return DeviceBuffer::Footprint(arena_.bytes() + mover_->LeastRestBytes());
  }

  Status Start(Gpu& gpu, MemoryBudget& budget) {
    gpu_ = &gpu;
    if (LeastBytes() > gpu.memory_bytes()) {
      return BudgetError(StrCat(RawEngineName(options_.engine), " needs ",
                                FormatBytes(LeastBytes()), " of GPU memory on this graph, and has ",
                                FormatBytes(gpu.memory_bytes()), ": give at least --gpu-memory ",
                                FormatMebibytesUp(LeastBytes())));
    }
    ASSIGN_OR_RETURN(main_, GpuStream::Create(gpu));
    const uint64_t room =
        gpu.memory_bytes() / DeviceBuffer::kGranularity * DeviceBuffer::kGranularity -
        arena_.bytes();
    const uint64_t rest =
        std::min(room, std::max(mover_->LeastRestBytes(), mover_->AmpleRestBytes()));
    RETURN_IF_ERROR(arena_.Allocate(gpu, rest, "raw CSR"));
    ASSIGN_OR_RETURN(host_totals_, PinnedBuffer::Allocate(gpu, 2 * sizeof(double), 1));
    RETURN_IF_ERROR(Upload(graph_.out(), arrays_.out_offsets));
    if (arrays_.in_offsets != nullptr) RETURN_IF_ERROR(Upload(graph_.in(), arrays_.in_offsets));
    RETURN_IF_ERROR(frontier_.Start(gpu, async(), main_));
    if (in_frontier()) RETURN_IF_ERROR(in_frontier_.Start(gpu, async(), main_));
    RETURN_IF_ERROR(mover_->Start(gpu, arena_, rest, budget, main_));
    return main_.Synchronize();
  }

  Status Compute() {
    steps_.watch.Restart();
    switch (options_.algorithm) {
      case RawAlgorithm::kBfs:
        return Search();
      case RawAlgorithm::kSssp:
        return Search();
      case RawAlgorithm::kComponents:
        return Components();
      case RawAlgorithm::kPageRank:
        return Ranks();
      case RawAlgorithm::kDeltaPageRank:
        break;
    }
    return RanksByDeltas();
  }

  /// The answer, which is the first array of every algorithm's state.
  const uint32_t* answer() const { return arrays_.state[0]; }
  GpuStream& main() { return main_; }
  RawMover& mover() { return *mover_; }
  uint64_t iterations() const { return iterations_; }
  std::vector<RawIteration>& steps() { return steps_.all; }

  /// Times the kernel of PageRank's iterations on each page of edges, after Compute.
  StatusOr<std::vector<double>> TimePages() {
    std::vector<double> seconds;
    ASSIGN_OR_RETURN(GpuEvent begin, GpuEvent::Create(*gpu_, true));
    ASSIGN_OR_RETURN(GpuEvent end, GpuEvent::Create(*gpu_, true));
    const auto time_page = [&](const RawShards& shards, PartRange page) -> StatusOr<double> {
      std::vector<double> trials;
      for (int trial = 0; trial < kPageTrials; ++trial) {
        RETURN_IF_ERROR(CheckCancelled());
        RETURN_IF_ERROR(main_.Record(begin));
        RETURN_IF_ERROR(
            LaunchShards(RawContributions{ranks(1), ranks(2)}, shards, page, *gpu_, main_));
        RETURN_IF_ERROR(main_.Record(end));
        RETURN_IF_ERROR(main_.Synchronize());
        ASSIGN_OR_RETURN(const double took, end.SecondsSince(begin));
        trials.push_back(took);
      }
      return Median(trials);
    };
    const auto visit = [&](const RawLists& lists, GpuStream&) -> Status {
      const std::vector<uint32_t> pages = CutPages(lists.shards->parts, options_.num_pages);
      for (uint32_t i = 0; i < options_.num_pages; ++i) {
        const PartRange page{pages[i], pages[i + 1]};
        double took = 0;
        if (page.first < page.last) {
          ASSIGN_OR_RETURN(took, time_page(lists.shards->shards, page));
        }
        seconds.push_back(took);
      }
      return OkStatus();
    };
    RETURN_IF_ERROR(
        mover_->RunPass({graph_.out(), arrays_.out_offsets, frontier_, visit, {}}, main_));
    return seconds;
  }

 private:
  struct DeviceArrays {
    uint64_t* out_offsets = nullptr;
    uint64_t* in_offsets = nullptr;  // null: not needed, or the same as out_offsets
    uint32_t* state[3] = {};         // values; or ranks, contributions and sums
    double* totals = nullptr;
  };

  Status Upload(const PlainLists& lists, uint64_t* offsets) {
    return main_.CopyToDevice(offsets, lists.offsets.data(), lists.offsets.size_bytes());
  }
  uint32_t grid() const { return RawGrid(*gpu_); }
  CUstream_st* stream() const { return main_.handle(); }
  float* ranks(int i) { return reinterpret_cast<float*>(arrays_.state[i]); }

  /// Whether PageRank's iterations send contributions, for kernels that sum up messages.
  bool sends_ranks() const {
    return options_.engine == RawEngine::kSparse || options_.engine == RawEngine::kShards;
  }
  bool async() const { return options_.engine == RawEngine::kSubCsrAsync; }
  /// Whether in-lists have active vertices of their own. What is visited again in one direction is
  /// then still active in the other one.
  bool in_frontier() const {
    return async() && graph_.directed() && options_.algorithm == RawAlgorithm::kComponents;
  }

  /// How the engine's kernels visit lists.
  template <typename Program>
  RawLaunch VisitWith(const Program& program) {
    if constexpr (HasMessages<Program>) {
      if (options_.engine == RawEngine::kSparse) {
        return [=, this](const RawLists& lists, GpuStream& on) {
          return LaunchSparse(program, lists, options_.sparse, *gpu_, on);
        };
      }
    }
    if constexpr (kHasPulls<Program>) {
      if (options_.engine == RawEngine::kShards) {
        return [=, this](const RawLists& lists, GpuStream& on) {
          const PartRange all{0, static_cast<uint32_t>(lists.shards->parts.size())};
          return LaunchShards(program, lists.shards->shards, all, *gpu_, on);
        };
      }
    }
    if constexpr (kHasLists<Program>) {
      const auto kernels = RawKernels<Program>::For(ReadsOf(options_));
      return [=, this](const RawLists& lists, GpuStream& on) -> Status {
        RETURN_IF_ERROR(on.Fill(lists.num_slices, 0, sizeof(uint32_t)));
        kernels.lists<<<grid(), kRawThreads, 0, on.handle()>>>(program, lists);
        RETURN_IF_ERROR(gpu_->AfterLaunch("raw lists"));
        kernels.slices<<<grid(), kRawThreads, 0, on.handle()>>>(program, lists);
        return gpu_->AfterLaunch("raw slices");
      };
    } else {
      CHECK(false);  // CheckRaw refuses what the engine cannot run
      return {};
    }
  }

  /// Visits the active lists of one direction. `before` comes before all visits of a vertex.
  template <typename Program>
  Status RunPass(bool in, const Program& program, RawLaunch before = {}) {
    RETURN_IF_ERROR(CheckCancelled());
    const bool own = in && graph_.directed();
    RawFrontier& frontier = own && in_frontier() ? in_frontier_ : frontier_;
    if (before && !async()) RETURN_IF_ERROR(before(frontier.items(), main_));
    return mover_->RunPass(
        {own ? graph_.in() : graph_.out(), own ? arrays_.in_offsets : arrays_.out_offsets, frontier,
         VisitWith(program), std::move(before)},
        main_);
  }

  /// Ends an iteration: makes the flagged vertices the active ones; waits.
  Status Advance() {
    const uint64_t active = frontier_.size();
    RETURN_IF_ERROR(frontier_.Advance(main_));
    steps_.all.push_back({active, steps_.watch.seconds()});
    steps_.watch.Restart();
    return OkStatus();
  }

  /// BFS and SSSP: start at the source, and visit the vertices that changed in each pass.
  Status Search() {
    RETURN_IF_ERROR(main_.Fill(arrays_.state[0], 0xff, graph_.num_vertices() * sizeof(uint32_t)));
    RETURN_IF_ERROR(main_.Fill(arrays_.state[0] + options_.source, 0, sizeof(uint32_t)));
    RETURN_IF_ERROR(frontier_.Flag(options_.source, main_));
    RETURN_IF_ERROR(frontier_.Advance(main_));
    while (frontier_.size() > 0) {
      ++iterations_;
      RETURN_IF_ERROR(SearchPass());
      RETURN_IF_ERROR(Advance());
    }
    return OkStatus();
  }
  Status SearchPass() {
    uint32_t* const values = arrays_.state[0];
    if (options_.algorithm == RawAlgorithm::kSssp) {
      return RunPass(false, RawSssp{values, frontier_.flags()});
    }
    if (async()) return RunPass(false, RawHops{values, frontier_.flags()});
    return RunPass(false, RawBfs{values, frontier_.flags(), static_cast<uint32_t>(iterations_)});
  }

  Status Components() {
    OwnLabelsKernel<<<grid(), kRawThreads, 0, stream()>>>(arrays_.state[0], graph_.num_vertices());
    RETURN_IF_ERROR(gpu_->AfterLaunch("labels"));
    RETURN_IF_ERROR(frontier_.ActivateAll(main_));
    if (in_frontier()) RETURN_IF_ERROR(in_frontier_.ActivateAll(main_));
    while (frontier_.size() + in_frontier_.size() > 0) {
      ++iterations_;
      const RawLabels program{arrays_.state[0], frontier_.flags(), in_frontier_.flags()};
      RETURN_IF_ERROR(RunPass(false, program));
      if (graph_.directed()) RETURN_IF_ERROR(RunPass(true, program));
      RETURN_IF_ERROR(Advance());
      if (in_frontier()) RETURN_IF_ERROR(in_frontier_.Advance(main_));
    }
    return OkStatus();
  }

  RankState Ranked() {
    return {arrays_.out_offsets, graph_.num_vertices(), ranks(0), ranks(1), ranks(2)};
  }

  Status Ranks() {
    RETURN_IF_ERROR(main_.Fill(arrays_.totals, 0, 2 * sizeof(double)));
    RETURN_IF_ERROR(frontier_.ActivateAll(main_));
    for (uint32_t i = 0;; ++i) {
      double* const after = &arrays_.totals[(i + 1) % 2];
      RETURN_IF_ERROR(main_.Fill(after, 0, sizeof(double)));
      RanksKernel<<<grid(), kRawThreads, 0, stream()>>>(Ranked(), i == 0, &arrays_.totals[i % 2],
                                                        after);
      RETURN_IF_ERROR(gpu_->AfterLaunch("ranks"));
      if (i == options_.iterations) break;
      ++iterations_;
      RETURN_IF_ERROR(sends_ranks() ? RunPass(false, RawContributions{ranks(1), ranks(2)})
                                    : RunPass(true, RawRanks{ranks(1), ranks(2)}));
    }
    return main_.Synchronize();
  }

  /// Gets the sums of MeasureKernel; waits.
  Status Measure(double* residual, double* rank) {
    RETURN_IF_ERROR(main_.Fill(arrays_.totals, 0, 2 * sizeof(double)));
    MeasureKernel<<<grid(), kRawThreads, 0, stream()>>>(Ranked(), arrays_.totals);
    RETURN_IF_ERROR(gpu_->AfterLaunch("measure"));
    RETURN_IF_ERROR(main_.CopyToHost(host_totals_.data(), arrays_.totals, 2 * sizeof(double)));
    RETURN_IF_ERROR(main_.Synchronize());
    std::memcpy(residual, host_totals_.data(), sizeof(double));
    std::memcpy(rank, host_totals_.data() + sizeof(double), sizeof(double));
    return OkStatus();
  }

  /// Runs, as the engine does, until the sum of residuals is below the tolerance, as a share of all
  /// rank.
  Status RanksByDeltas() {
    const double vertices = static_cast<double>(std::max<uint64_t>(graph_.num_vertices(), 1));
    RETURN_IF_ERROR(main_.Fill(ranks(0), 0, graph_.num_vertices() * sizeof(float)));
    FillKernel<<<grid(), kRawThreads, 0, stream()>>>(ranks(2), graph_.num_vertices(),
                                                     static_cast<float>((1 - kDamping) / vertices));
    RETURN_IF_ERROR(gpu_->AfterLaunch("residuals"));
    RETURN_IF_ERROR(frontier_.ActivateAll(main_));
    double left = 1 - kDamping, all = left, rank = 0;
    while (frontier_.size() > 0 && left >= options_.tolerance * all &&
           iterations_ < kMaxDeltaIterations) {
      ++iterations_;
      const float threshold = static_cast<float>(options_.tolerance * all / 2 / vertices);
      RETURN_IF_ERROR(RunPass(false, RawDeltas{ranks(1), ranks(2), frontier_.flags(), threshold},
                              [&](const RawLists& lists, GpuStream& on) {
                                TakeResidualsKernel<<<grid(), kRawThreads, 0, on.handle()>>>(
                                    Ranked(), lists);
                                return gpu_->AfterLaunch("take residuals");
                              }));
      RETURN_IF_ERROR(Measure(&left, &rank));
      all = rank + left;
      RETURN_IF_ERROR(Advance());
    }
    ScaleRanksKernel<<<grid(), kRawThreads, 0, stream()>>>(Ranked(), static_cast<float>(1 / all));
    RETURN_IF_ERROR(gpu_->AfterLaunch("scale ranks"));
    return main_.Synchronize();
  }

  const PlainCsr& graph_;
  const RawRunOptions& options_;
  Gpu* gpu_ = nullptr;
  DeviceArena arena_;
  RawFrontier frontier_;
  RawFrontier in_frontier_;  // if in_frontier()
  std::unique_ptr<RawMover> mover_;
  DeviceArrays arrays_;  // in the arena
  PinnedBuffer host_totals_;
  uint64_t iterations_ = 0;
  struct {
    std::vector<RawIteration> all;
    Stopwatch watch;  // of the iteration under way
  } steps_;
  GpuStream main_;  // last: its destructor ends all work under way, which uses the above
};

/// The shared memory that a thread block may have on the GPU in use.
uint64_t SharedBytes() {
  int device = 0, bytes = 0;
  (void)cudaGetDevice(&device);
  (void)cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  return static_cast<uint64_t>(bytes);
}

}  // namespace

Status CheckRaw(const Gpu&, const PlainCsr& graph, const RawRunOptions& options) {
  const std::string run =
      StrCat(options.choice().Name(), ", ", RawAlgorithmName(options.algorithm));
  const std::string_view why_not = WhyNot(options.choice(), options.algorithm);
  if (!why_not.empty()) return UsageError(StrCat(run, ": ", why_not));
  if (options.engine == RawEngine::kSparse) {
    RETURN_IF_ERROR(CheckSharedMemory(run, kSegmentNeed, SharedBytes()));
  }
  if (options.engine == RawEngine::kShards) {
    RETURN_IF_ERROR(CheckSharedMemory(run, kShardNeed, SharedBytes()));
  }
  if (options.algorithm != RawAlgorithm::kSssp) return OkStatus();
  if (graph.out().weights.empty() && graph.num_edges() > 0) {
    return UsageError(StrCat(run, ": the graph has no weights"));
  }
  if (graph.has_negative_weight()) {
    return UsageError(StrCat(run, ": the graph has negative weights"));
  }
  return OkStatus();
}

uint64_t LeastRawGpuBytes(const RawRunOptions& options, const PlainCsr& graph) {
  RawRun run(graph, options);
  run.Plan();
  return run.LeastBytes();
}

StatusOr<RawRunResult> RunRaw(Gpu& gpu, const PlainCsr& graph, const RawRunOptions& options,
                              MemoryBudget& budget) {
  RETURN_IF_ERROR(CheckRaw(gpu, graph, options));
  RawRunResult result;
  const uint64_t bytes = graph.num_vertices() * sizeof(uint32_t);
  ASSIGN_OR_RETURN(result.reservation, budget.Reserve(bytes, "a raw answer"));
  ASSIGN_OR_RETURN(result.answer, PinnedBuffer::Allocate(gpu, bytes, options.threads));
  RawRun run(graph, options);
  run.Plan();
  RETURN_IF_ERROR(run.Start(gpu, budget));
  Stopwatch watch;
  RETURN_IF_ERROR(run.Compute());
  result.seconds = watch.seconds();
  result.iterations = run.iterations();
  watch.Restart();
  RETURN_IF_ERROR(run.main().CopyToHost(result.answer.data(), run.answer(), bytes));
  RETURN_IF_ERROR(run.main().Synchronize());
  result.answer_seconds = watch.seconds();
  ASSIGN_OR_RETURN(result.traffic, run.mover().Traffic(run.main()));
  result.steps = std::move(run.steps());
  result.layout = run.mover().layout();
  if (options.num_pages > 0 && options.engine == RawEngine::kShards &&
      options.algorithm == RawAlgorithm::kPageRank) {
    ASSIGN_OR_RETURN(result.page_seconds, run.TimePages());
  }
  return result;
}

}  // namespace edgemill::bench
