// The drivers of the raw algorithms: they define an iteration, and each engine moves its edges.
#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "bench/plain/plain_algorithms.h"
#include "bench/rivals/raw_kernels.cuh"
#include "bench/rivals/raw_mover.h"
#include "bench/rivals/raw_programs.cuh"
#include "bench/rivals/raw_run.h"
#include "common/cancel.h"
#include "common/clock.h"
#include "common/units.h"

namespace edgemill::bench {
namespace {

/// The most iterations by deltas: more than any tolerance needs.
constexpr uint64_t kMaxDeltaIterations = 10'000;

template <typename T>
__global__ void FillKernel(T* values, uint64_t size, T value) {
  for (uint64_t i = ThreadNumber(); i < size; i += NumThreads()) values[i] = value;
}

__global__ void OwnLabelsKernel(uint32_t* label, uint64_t size) {
  for (uint64_t i = ThreadNumber(); i < size; i += NumThreads()) {
    label[i] = static_cast<uint32_t>(i);
  }
}

struct RankState {
  const uint64_t* offsets;  // of out-lists
  uint64_t num_vertices;
  float* rank;
  float* contribution;  // by deltas: what is sent along each edge
  float* sum;           // by deltas: the residual

  __device__ uint64_t degree(uint64_t vertex) const {
    return offsets[vertex + 1] - offsets[vertex];
  }
};

/// Sets rank = base + damping * sum, or 1 / V the first time. Also clears sum and sets the
/// contributions. `*before` is the rank of dangling vertices until now, and `*after` gets the new
/// one.
__global__ void RanksKernel(RankState state, bool first, const double* before, double* after) {
  const double vertices = static_cast<double>(state.num_vertices);
  const double base = (1 - kDamping + kDamping * *before) / vertices;
  double mine = 0;
  for (uint64_t i = ThreadNumber(); i < state.num_vertices; i += NumThreads()) {
    const float rank =
        static_cast<float>(first ? 1 / vertices : base + kDamping * double{state.sum[i]});
    const uint64_t degree = state.degree(i);
    state.rank[i] = rank;
    state.sum[i] = 0;
    state.contribution[i] = degree == 0 ? 0.0f : rank / static_cast<float>(degree);
    if (degree == 0) mine += rank;
  }
  AddToTotal(mine, after);
}

/// Adds the residuals of active vertices to their ranks, and sets what these vertices send.
__global__ void TakeResidualsKernel(RankState state, RawLists lists) {
  for (uint64_t i = ThreadNumber(); i < lists.num_items; i += NumThreads()) {
    const uint64_t vertex = VertexOf(lists, ItemAt(lists, i));
    const float taken = state.sum[vertex];
    state.sum[vertex] = 0;
    state.rank[vertex] += taken;
    const uint64_t degree = state.degree(vertex);
    state.contribution[vertex] =
        degree == 0 ? 0.0f : static_cast<float>(kDamping * taken / static_cast<double>(degree));
  }
}

/// Adds up all residuals in totals[0], and all ranks in totals[1].
__global__ void MeasureKernel(RankState state, double* totals) {
  double residual = 0, rank = 0;
  for (uint64_t i = ThreadNumber(); i < state.num_vertices; i += NumThreads()) {
    residual += state.sum[i];
    rank += state.rank[i];
  }
  AddToTotal(residual, &totals[0]);
  AddToTotal(rank, &totals[1]);
}

__global__ void ScaleRanksKernel(RankState state, float factor) {
  for (uint64_t i = ThreadNumber(); i < state.num_vertices; i += NumThreads()) {
    state.rank[i] = (state.rank[i] + state.sum[i]) * factor;
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
    const bool both = graph_.directed() && (options_.algorithm == RawAlgorithm::kPageRank ||
                                            options_.algorithm == RawAlgorithm::kComponents);
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

  bool async() const { return options_.engine == RawEngine::kSubCsrAsync; }
  /// Whether in-lists have active vertices of their own. What is visited again in one direction is
  /// then still active in the other one.
  bool in_frontier() const {
    return async() && graph_.directed() && options_.algorithm == RawAlgorithm::kComponents;
  }

  /// Visits the active lists of one direction. `before` comes before all visits of a vertex.
  template <typename Program>
  Status RunPass(bool in, const Program& program, RawLaunch before = {}) {
    RETURN_IF_ERROR(CheckCancelled());
    const bool own = in && graph_.directed();
    RawFrontier& frontier = own && in_frontier() ? in_frontier_ : frontier_;
    if (before && !async()) RETURN_IF_ERROR(before(frontier.items(), main_));
    const auto kernels = RawKernels<Program>::For(ReadsOf(options_));
    const auto visit = [&](const RawLists& lists, GpuStream& on) -> Status {
      RETURN_IF_ERROR(on.Fill(lists.num_slices, 0, sizeof(uint32_t)));
      kernels.lists<<<grid(), kRawThreads, 0, on.handle()>>>(program, lists);
      RETURN_IF_ERROR(gpu_->AfterLaunch("raw lists"));
      kernels.slices<<<grid(), kRawThreads, 0, on.handle()>>>(program, lists);
      return gpu_->AfterLaunch("raw slices");
    };
    return mover_->RunPass(
        {own ? graph_.in() : graph_.out(), own ? arrays_.in_offsets : arrays_.out_offsets, frontier,
         visit, std::move(before)},
        main_);
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
      RETURN_IF_ERROR(frontier_.Advance(main_));
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
      RETURN_IF_ERROR(frontier_.Advance(main_));
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
      RETURN_IF_ERROR(RunPass(true, RawRanks{ranks(1), ranks(2)}));
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
      RETURN_IF_ERROR(frontier_.Advance(main_));
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
  GpuStream main_;  // last: its destructor ends all work under way, which uses the above
};

Status CheckOptions(const PlainCsr& graph, const RawRunOptions& options) {
  if (!CanRun(options.engine, options.algorithm)) {
    return UsageError(StrCat(RawEngineName(options.engine),
                             ": PageRank's iterations by pull are "
                             "synchronous: use PageRank by deltas"));
  }
  if (options.algorithm != RawAlgorithm::kSssp) return OkStatus();
  if (graph.out().weights.empty() && graph.num_edges() > 0) {
    return UsageError("raw SSSP: the graph has no weights");
  }
  if (graph.has_negative_weight()) return UsageError("raw SSSP: the graph has negative weights");
  return OkStatus();
}

}  // namespace

uint64_t LeastRawGpuBytes(const RawRunOptions& options, const PlainCsr& graph) {
  RawRun run(graph, options);
  run.Plan();
  return run.LeastBytes();
}

StatusOr<RawRunResult> RunRaw(Gpu& gpu, const PlainCsr& graph, const RawRunOptions& options,
                              MemoryBudget& budget) {
  RETURN_IF_ERROR(CheckOptions(graph, options));
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
  return result;
}

}  // namespace edgemill::bench
