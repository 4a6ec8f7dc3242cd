// The I/O thread of BlockPipeline: submits reads and takes them in.
#include "storage/read/block_pipeline.h"

#include <algorithm>
#include <utility>

#include "common/cancel.h"
#include "common/check.h"
#include "common/threads/parallel.h"
#include "common/units.h"

namespace edgemill {
namespace {

constexpr size_t kMaxDepth = 4096;
/// How long the I/O thread sleeps at most while reads are under way, and while none are.
constexpr double kBusySeconds = 1;
constexpr double kIdleSeconds = 600;
/// Seconds to wait for reads under way when the user has cancelled, or a device does not answer.
constexpr double kAbandonSeconds = 1;

size_t EngineDepth(const GraphStore& store, const BlockReaderOptions& options) {
  const size_t directories = std::max<size_t>(1, store.data_directories().size());
  return std::clamp<size_t>(size_t{options.queue_depth} * directories, 1, kMaxDepth);
}

}  // namespace

uint64_t BlockReader::MinimumBufferBytes(const GraphStore& store, int threads) {
  // Columns that are streamed together: neighbours and values, or both id columns.
  const bool pairs =
      !store.info().edge_columns.empty() || store.has(ColumnKind::kOutWeights) ||
      store.has(ColumnKind::kInWeights) ||
      (store.has(ColumnKind::kExternalIds) && store.has(ColumnKind::kInternalOfRank));
  return RangeArena::kGuardBytes +
         LeastBufferBytes(store, pairs ? 2 : 1, threads, store.largest_read_bytes());
}

BlockPipeline::BlockPipeline(const GraphStore& store, const BlockReaderOptions& options,
                             Contents contents)
    : store_(store),
      options_(options),
      reservation_(std::move(contents.reservation)),
      engine_(std::move(contents.engine)),
      cache_(std::move(contents.cache)),
      scheduler_(store, options_, stats_, std::move(contents.buffers), engine_->depth()) {}

StatusOr<std::unique_ptr<BlockPipeline>> BlockPipeline::Create(const GraphStore& store,
                                                               const BlockReaderOptions& options,
                                                               MemoryBudget& budget) {
  const uint64_t least = BlockReader::MinimumBufferBytes(store, options.threads);
  if (options.buffer_bytes < least) {
    return BudgetError(StrCat("reading ", store.path(), " needs ", FormatBytes(least),
                              " of buffers, and has ", FormatBytes(options.buffer_bytes),
                              ": give a larger --memory or fewer --threads"));
  }
  const uint64_t cache_bytes = BlockCache::PayloadBytes(store, options.cache_bytes);
  Contents contents;
  ASSIGN_OR_RETURN(contents.reservation,
                   budget.Reserve(options.buffer_bytes + cache_bytes +
                                      BlockReader::OverheadBytes(store, options),
                                  "blocks read and cached"));
  ASSIGN_OR_RETURN(contents.cache,
                   BlockCache::Create(store, cache_bytes,
                                      options.registers_cache ? options.registrar : nullptr));
  ASSIGN_OR_RETURN(contents.engine, MakeIoEngine(options.engine, EngineDepth(store, options)));
  ASSIGN_OR_RETURN(contents.buffers, ReadBuffers::Create(options.buffer_bytes, options.registrar));
  contents.engine->RegisterMemory(contents.buffers.memory());
  std::unique_ptr<BlockPipeline> pipeline(new BlockPipeline(store, options, std::move(contents)));
  ASSIGN_OR_RETURN(pipeline->thread_, StartThread([p = pipeline.get()] { p->Run(); }));
  return pipeline;
}

void BlockPipeline::Become(PipelineState next) {
  CHECK(MayFollow(state_, next));
  state_ = next;
  state_changed_.NotifyAll();
}

bool BlockPipeline::Stop() {
  bool abandoned = false;
  {
    MutexLock lock(mutex_);
    if (state_ == PipelineState::kRunning) Become(PipelineState::kStopping);
    ReadsInFlight& reads = scheduler_.reads();
    const bool hopeless = reads.AnyOverdue() || !broken_.ok() || CancelRequested();
    const double deadline = reads.Now() + (hopeless ? kAbandonSeconds : options_.stall_seconds);
    engine_->Wake();
    const auto stopped = [this]() REQUIRES(mutex_) { return state_ == PipelineState::kStopped; };
    while (!stopped() && reads.Now() < deadline) state_changed_.WaitFor(mutex_, 0.1);
    abandoned = !stopped();
    if (abandoned) Become(PipelineState::kAbandoned);
    engine_->Wake();
    // The thread itself only hangs when the kernel holds it inside a submission.
    for (int i = 0; i < 10 && !stopped(); ++i) state_changed_.WaitFor(mutex_, 0.1);
    if (!stopped()) {
      thread_.detach();
      return false;
    }
  }
  thread_.join();
  MutexLock lock(mutex_);
  return !abandoned && scheduler_.reads().in_flight() == 0;
}

void BlockPipeline::Submit(const std::vector<ReadInFlight*>& reads,
                           std::vector<IoCompletion>* completions) {
  for (ReadInFlight* const read : reads) {
    const Status status = engine_->Submit({.op = IoRequest::Op::kRead,
                                           .file = &store_.segments()[read->plan.segment].file,
                                           .offset = read->plan.begin,
                                           .memory = read->memory.first(read->plan.extent_bytes()),
                                           .tag = read->id});
    if (!status.ok()) completions->push_back({.tag = read->id, .status = status});
  }
}

void BlockPipeline::Run() {
  std::vector<ReadInFlight*> reads;
  std::vector<IoCompletion> completions;
  while (true) {
    bool busy = false;
    reads.clear();
    {
      MutexLock lock(mutex_);
      busy = scheduler_.reads().in_flight() > 0;
      if (state_ == PipelineState::kAbandoned || (state_ == PipelineState::kStopping && !busy)) {
        break;
      }
      if (state_ == PipelineState::kRunning) scheduler_.StartReads(&reads);
      busy = busy || !reads.empty();
    }
    completions.clear();
    Submit(reads, &completions);
    const Status status = engine_->WaitFor(completions.empty() ? 1 : 0,
                                           busy ? kBusySeconds : kIdleSeconds, &completions);
    MutexLock lock(mutex_);
    if (state_ == PipelineState::kAbandoned) break;
    for (const IoCompletion& completion : completions) scheduler_.Complete(completion);
    if (!status.ok()) {
      broken_ = status;
      scheduler_.FailAll(status);
      break;
    }
  }
  MutexLock lock(mutex_);
  Become(PipelineState::kStopped);
}

std::string BlockPipeline::engine_name() const {
  const auto segments = store_.segments();
  const bool direct = std::all_of(segments.begin(), segments.end(),
                                  [](const SegmentFile& segment) { return segment.direct; });
  return StrCat(engine_->name(), direct ? ", O_DIRECT" : ", buffered");
}

}  // namespace edgemill
