// The I/O thread of BlockPipeline: plans, submits and takes in reads.
#include "storage/read/block_pipeline.h"

#include <fcntl.h>

#include <algorithm>
#include <utility>

#include "common/cancel.h"
#include "common/check.h"
#include "common/parallel.h"
#include "common/units.h"

namespace edgemill {
namespace {

constexpr uint32_t kBufferUnit = 4096;
constexpr size_t kMaxDepth = 4096;
/// How long the I/O thread sleeps at most while reads are under way, and while none are.
constexpr double kBusySeconds = 1;
constexpr double kIdleSeconds = 600;
/// Patience with reads under way when the user has given up, or the device has.
constexpr double kAbandonSeconds = 1;

size_t EngineDepth(const GraphStore& store, const BlockReaderOptions& options) {
  const size_t directories = std::max<size_t>(1, store.data_directories().size());
  return std::clamp<size_t>(size_t{options.queue_depth} * directories, 1, kMaxDepth);
}

}  // namespace

BlockPipeline::BlockPipeline(const GraphStore& store, const BlockReaderOptions& options)
    : store_(store), options_(options) {}

StatusOr<std::unique_ptr<BlockPipeline>> BlockPipeline::Create(const GraphStore& store,
                                                               const BlockReaderOptions& options,
                                                               MemoryBudget& budget) {
  const uint64_t least = BlockReader::MinimumBufferBytes(store, options.threads);
  if (options.buffer_bytes < least) {
    return BudgetError(StrCat("reading ", store.path(), " needs ", FormatBytes(least),
                              " of buffers, and has ", FormatBytes(options.buffer_bytes),
                              ": give a larger --memory or fewer --threads"));
  }
  auto pipeline = std::make_unique<BlockPipeline>(store, options);
  BlockPipeline& p = *pipeline;
  const uint64_t cache_bytes = BlockCache::PayloadBytes(store, options.cache_bytes);
  ASSIGN_OR_RETURN(p.reservation_, budget.Reserve(options.buffer_bytes + cache_bytes +
                                                      BlockReader::OverheadBytes(store, options),
                                                  "blocks read and cached"));
  ASSIGN_OR_RETURN(p.cache_,
                   BlockCache::Create(store, cache_bytes,
                                      options.registers_cache ? options.registrar : nullptr));
  ASSIGN_OR_RETURN(p.engine_, MakeIoEngine(options.engine, EngineDepth(store, options)));
  {
    MutexLock lock(p.mutex_);
    ASSIGN_OR_RETURN(p.buffers_, RangeArena::Create(options.buffer_bytes - RangeArena::kGuardBytes,
                                                    kBufferUnit));
    ASSIGN_OR_RETURN(p.registered_,
                     RegisteredMemory::Register(options.registrar, p.buffers_.memory()));
    p.engine_->RegisterMemory(p.buffers_.memory());
  }
  ASSIGN_OR_RETURN(p.thread_, StartThread([&p] { p.Run(); }));
  return pipeline;
}

bool BlockPipeline::Stop() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    const bool hopeless = stalled_ || !broken_.ok() || CancelRequested();
    const double deadline = patience_.Now() + (hopeless ? kAbandonSeconds : options_.stall_seconds);
    engine_->Wake();
    while (!stopped_ && patience_.Now() < deadline) stopped_changed_.WaitFor(mutex_, 0.1);
    abandoned_ = !stopped_;
    engine_->Wake();
    // The thread itself only hangs when the kernel holds it inside a submission.
    for (int i = 0; i < 10 && !stopped_; ++i) stopped_changed_.WaitFor(mutex_, 0.1);
    if (!stopped_) {
      thread_.detach();
      return false;
    }
  }
  thread_.join();
  MutexLock lock(mutex_);
  return !abandoned_ && in_flight_ == 0;
}

void BlockPipeline::Run() {
  std::vector<LiveRead*> reads;
  std::vector<IoCompletion> completions;
  while (true) {
    bool busy = false;
    reads.clear();
    {
      MutexLock lock(mutex_);
      if (abandoned_ || (stopping_ && in_flight_ == 0)) break;
      if (!stopping_) PlanReads(&reads);
      busy = in_flight_ > 0;
    }
    completions.clear();
    for (LiveRead* const read : reads) {
      const Status status =
          engine_->Submit({.op = IoRequest::Op::kRead,
                           .file = &store_.segments()[read->plan.segment].file,
                           .offset = read->plan.begin,
                           .memory = read->memory.first(read->plan.extent_bytes()),
                           .tag = read->id});
      if (!status.ok()) completions.push_back({.tag = read->id, .status = status});
    }
    const Status status = engine_->WaitFor(completions.empty() ? 1 : 0,
                                           busy ? kBusySeconds : kIdleSeconds, &completions);
    MutexLock lock(mutex_);
    if (abandoned_) break;
    for (const IoCompletion& completion : completions) Complete(completion);
    if (!status.ok()) {
      broken_ = status;
      for (StreamState* const stream : streams_) Fail(*stream, status);
      abandoned_ = true;
      break;
    }
  }
  MutexLock lock(mutex_);
  stopped_ = true;
  stopped_changed_.NotifyAll();
}

void BlockPipeline::PlanReads(std::vector<LiveRead*>* reads) {
  starved_ = false;
  freed_ = false;
  const auto start = [&](StreamState& stream) REQUIRES(mutex_) {
    if (!stream.error.ok() || in_flight_ >= engine_->depth()) return false;
    LiveRead* const read = StartRead(stream);
    if (read != nullptr) reads->push_back(read);
    return read != nullptr;
  };
  for (StreamState* const stream : streams_) {
    if (stream->lookup) start(*stream);
  }
  // One read a stream in turn, until nobody can go on.
  size_t idle = 0;
  while (idle < streams_.size()) {
    next_stream_ = (next_stream_ + 1) % streams_.size();
    idle = start(*streams_[next_stream_]) ? 0 : idle + 1;
  }
}

LiveRead* BlockPipeline::StartRead(StreamState& stream) {
  const PlannedRead* const front = stream.planner->Front();
  if (front == nullptr || directory_in_flight_[front->directory] >= options_.queue_depth) {
    return nullptr;
  }
  const uint64_t bytes = front->buffer_bytes();
  auto read = std::make_unique<LiveRead>();
  if (stream.lookup) {
    StatusOr<Buffer> own = Buffer::Allocate(bytes + RangeArena::kGuardBytes);
    if (!own.ok()) {
      Fail(stream, own.status());
      return nullptr;
    }
    read->own = std::move(own).value();
    read->memory = read->own.bytes();
  } else {
    read->memory = TakeBuffer(stream, bytes);
    if (read->memory.empty()) {
      starved_ = true;
      return nullptr;
    }
    stream.held_bytes += read->memory.size();
  }
  read->id = next_read_id_++;
  read->plan = stream.planner->Pop();
  read->stream = &stream;
  read->users = read->plan.parts.size();
  read->start = patience_.Now();
  stream.reads.emplace(read->id, read.get());
  ++stream.in_flight;
  if (in_flight_++ == 0) busy_since_ = Clock::now();
  ++directory_in_flight_[read->plan.directory];
  return live_.emplace(read->id, std::move(read)).first->second.get();
}

std::span<std::byte> BlockPipeline::TakeBuffer(StreamState& stream, uint64_t bytes) {
  const size_t sharing = std::count_if(streams_.begin(), streams_.end(),
                                       [](const StreamState* s) { return !s->lookup; });
  // A stream that has nothing to hand out and nothing coming must get this read, or it never goes
  // on.
  const bool stuck = stream.in_flight == 0 && stream.ready.empty();
  if (!stuck && stream.held_bytes + bytes > buffers_.size_bytes() / sharing) return {};
  std::span<std::byte> range = buffers_.Allocate(bytes);
  while (range.empty() && stuck) {
    StreamState* largest = nullptr;
    for (StreamState* const other : streams_) {
      if (other != &stream && (largest == nullptr || other->held_bytes > largest->held_bytes)) {
        largest = other;
      }
    }
    if (largest == nullptr || !Revoke(*largest)) break;
    range = buffers_.Allocate(bytes);
  }
  return range;
}

bool BlockPipeline::Revoke(StreamState& stream) {
  const auto last = std::find_if(stream.reads.rbegin(), stream.reads.rend(), [](const auto& read) {
    return read.second->done && !read.second->touched;
  });
  if (last == stream.reads.rend() || !stream.error.ok()) return false;
  LiveRead& read = *last->second;
  for (const ReadPart& part : read.plan.parts) {
    PendingBlock& pending = stream.pending[part.index];
    if (pending.missing++ == 0) std::erase(stream.ready, part.index);
    pending.reads[part.column] = nullptr;
    pending.parts[part.column] = nullptr;
  }
  stream.planner->Return(std::move(read.plan));
  FreeRead(read);
  return true;
}

void BlockPipeline::Complete(const IoCompletion& completion) {
  LiveRead& read = *live_.at(completion.tag);
  if (--in_flight_ == 0 && busy_.size() < BlockReader::kMostBusySpans) {
    busy_.push_back({busy_since_, Clock::now()});
  }
  --directory_in_flight_[read.plan.directory];
  read.done = true;
  stats_.reads.fetch_add(1, std::memory_order_relaxed);
  stats_.bytes_read.fetch_add(completion.bytes, std::memory_order_relaxed);
  const SegmentFile& segment = store_.segments()[read.plan.segment];
  if (!segment.direct) {
    posix_fadvise(segment.file.fd(), static_cast<off_t>(read.plan.begin),
                  static_cast<off_t>(read.plan.extent_bytes()), POSIX_FADV_DONTNEED);
  }
  if (read.stream == nullptr) {
    FreeRead(read);
    return;
  }
  StreamState& stream = *read.stream;
  --stream.in_flight;
  const Status status =
      completion.status.ok() ? CheckLength(stream, read, completion.bytes) : completion.status;
  if (status.ok()) {
    Arrived(stream, read);
  } else {
    Fail(stream, status);
    FreeRead(read);
  }
}

Status BlockPipeline::CheckLength(const StreamState& stream, const LiveRead& read,
                                  uint64_t bytes) const {
  for (const ReadPart& part : read.plan.parts) {
    const ColumnKind column = stream.columns[part.column];
    const BlockLocation& location = store_.blocks(column)[stream.blocks[part.index]];
    if (location.offset() + location.stored_bytes > read.plan.begin + bytes) {
      return OpenBad(BadDataError(StrCat("block ", stream.blocks[part.index], " of ",
                                         ColumnName(column), ": the file ends before its end")),
                     column, stream.blocks[part.index]);
    }
  }
  return OkStatus();
}

void BlockPipeline::Arrived(StreamState& stream, LiveRead& read) {
  stats_.blocks_read.fetch_add(read.plan.parts.size(), std::memory_order_relaxed);
  for (const ReadPart& part : read.plan.parts) {
    const auto [found, is_new] = stream.pending.try_emplace(part.index);
    PendingBlock& pending = found->second;
    if (is_new) {
      for (uint8_t column = 0; column < stream.num_columns; ++column) {
        pending.missing += stream.source(part.index, column) != BlockSource::kCache;
      }
    }
    pending.reads[part.column] = &read;
    pending.parts[part.column] = &part;
    if (--pending.missing > 0) continue;
    stream.ready.push_back(part.index);
    if (stream.ready.size() <= stream.waiting_threads) stream.changed.NotifyOne();
  }
}

void BlockPipeline::Fail(StreamState& stream, Status error) {
  if (stream.error.ok()) stream.error = std::move(error);
  stream.changed.NotifyAll();
}

std::string BlockPipeline::engine_name() const {
  const auto segments = store_.segments();
  const bool direct = std::all_of(segments.begin(), segments.end(),
                                  [](const SegmentFile& segment) { return segment.direct; });
  return StrCat(engine_->name(), direct ? ", O_DIRECT" : ", buffered");
}

}  // namespace edgemill
