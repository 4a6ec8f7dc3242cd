#include "storage/read/read_scheduler.h"

#include <fcntl.h>

#include <algorithm>
#include <utility>

#include "common/check.h"
#include "storage/io/timeout_engine.h"
#include "storage/read/block_opener.h"

namespace edgemill {
namespace {

constexpr uint32_t kBufferUnit = 4096;

/// The most ranges of buffers that a stream may hold while it waits for its next read.
uint64_t MostHeldRanges(const GraphStore& store, size_t columns, int threads) {
  const uint64_t leases = columns * static_cast<uint64_t>(threads);
  // With one column all blocks of a read can be handed out. With two, each column and directory may
  // have a read that reaches past the last block with both halves in memory (read_plan.h).
  const uint64_t directories = std::max<size_t>(1, store.data_directories().size());
  return columns == 1 ? leases : leases + columns * directories;
}

}  // namespace

uint64_t LeastBufferBytes(const GraphStore& store, size_t columns, int threads,
                          uint64_t range_bytes) {
  // Take k held ranges of at most m bytes each. If the arena has (2 k + 1) m bytes, some gap among
  // the k + 1 is at least m long.
  return (2 * MostHeldRanges(store, columns, threads) + 1) * range_bytes;
}

StatusOr<ReadBuffers> ReadBuffers::Create(uint64_t bytes, MemoryRegistrar* registrar) {
  ReadBuffers buffers;
  ASSIGN_OR_RETURN(buffers.arena_,
                   RangeArena::Create(bytes - RangeArena::kGuardBytes, kBufferUnit));
  ASSIGN_OR_RETURN(buffers.registered_,
                   RegisteredMemory::Register(registrar, buffers.arena_.memory()));
  return buffers;
}

void ReadBuffers::SetSupply(BufferSupply next) {
  if (supply_ == next) return;
  CHECK(MayFollow(supply_, next));
  supply_ = next;
}

void ReadBuffers::Free(std::span<std::byte> range) {
  arena_.Free(range);
  if (supply_ == BufferSupply::kLacking) SetSupply(BufferSupply::kFreed);
}

ReadScheduler::ReadScheduler(const GraphStore& store, const BlockReaderOptions& options,
                             BlockReaderStats& stats, ReadBuffers buffers, size_t max_reads)
    : store_(store),
      options_(options),
      stats_(stats),
      buffers_(std::move(buffers)),
      reads_(max_reads, options.queue_depth, options.stall_seconds) {}

void ReadScheduler::Add(StreamState& stream) {
  CHECK(stream.planner == nullptr);
  if (!stream.lookup) reads_.idle().BeginStream();
  const std::span columns = std::span(stream.blocks.columns).first(stream.blocks.num_columns);
  // Reads are short enough that every thread can hold a lease and the next read still fits.
  const uint64_t fair = buffers_.size_bytes() /
                        LeastBufferBytes(store_, columns.size(), options_.threads, 1) /
                        kBufferUnit * kBufferUnit;
  stream.planner = std::make_unique<ReadPlanner>(
      store_, columns, stream.blocks.numbers, stream.blocks.sources,
      ReadLimits{options_.max_read_bytes, fair, options_.max_gap_bytes});
  streams_.push_back(&stream);
}

void ReadScheduler::Remove(StreamState& stream) {
  std::erase(streams_, &stream);
  // Parts that were never handed out: those of reads still under way, and of blocks still pending.
  for (auto& [id, read] : std::exchange(stream.reads.live, {})) {
    read->stream = nullptr;
    if (!read->done) read->users = 0;
  }
  for (auto& [index, pending] : stream.pending) {
    for (ReadInFlight* const read : pending.reads) {
      if (read != nullptr) DropPart(*read);
    }
  }
}

void ReadScheduler::StartReads(std::vector<ReadInFlight*>* reads) {
  buffers_.SetSupply(BufferSupply::kEnough);
  const auto start = [&](StreamState& stream) {
    if (!stream.error.ok() || reads_.full()) return false;
    ReadInFlight* const read = StartRead(stream);
    if (read != nullptr) reads->push_back(read);
    return read != nullptr;
  };
  for (StreamState* const stream : streams_) {
    if (stream->lookup) start(*stream);
  }
  // Starts one read of each stream after the other, until no stream can start one.
  size_t idle = 0;
  while (idle < streams_.size()) {
    next_stream_ = (next_stream_ + 1) % streams_.size();
    idle = start(*streams_[next_stream_]) ? 0 : idle + 1;
  }
}

ReadInFlight* ReadScheduler::StartRead(StreamState& stream) {
  const PlannedRead* const front = stream.planner->Front();
  if (front == nullptr || !reads_.CanStart(front->directory)) return nullptr;
  const uint64_t bytes = front->buffer_bytes();
  auto read = std::make_unique<ReadInFlight>();
  if (stream.lookup) {
    StatusOr<Buffer> own = Buffer::Allocate(bytes + RangeArena::kGuardBytes);
    if (!own.ok()) {
      stream.Fail(own.status());
      return nullptr;
    }
    read->own = std::move(own).value();
    read->memory = read->own.bytes();
  } else {
    read->memory = ReserveBuffer(stream, bytes);
    if (read->memory.empty()) {
      buffers_.SetSupply(BufferSupply::kLacking);
      return nullptr;
    }
    stream.reads.held_bytes += read->memory.size();
  }
  read->plan = stream.planner->Pop();
  read->stream = &stream;
  ReadInFlight* const begun = reads_.Begin(std::move(read));
  stats_.idle_ns = static_cast<uint64_t>(std::chrono::nanoseconds(reads_.idle().total()).count());
  stream.reads.live.emplace(begun->id, begun);
  ++stream.reads.in_flight;
  return begun;
}

std::span<std::byte> ReadScheduler::ReserveBuffer(StreamState& stream, uint64_t bytes) {
  const size_t sharing = std::count_if(streams_.begin(), streams_.end(),
                                       [](const StreamState* s) { return !s->lookup; });
  const bool stuck = stream.stuck();
  if (!stuck && stream.reads.held_bytes + bytes > buffers_.size_bytes() / sharing) return {};
  std::span<std::byte> range = buffers_.Allocate(bytes);
  while (range.empty() && stuck) {
    StreamState* largest = nullptr;
    for (StreamState* const other : streams_) {
      if (other == &stream) continue;
      if (largest == nullptr || other->reads.held_bytes > largest->reads.held_bytes) {
        largest = other;
      }
    }
    if (largest == nullptr || !Revoke(*largest)) break;
    range = buffers_.Allocate(bytes);
  }
  return range;
}

bool ReadScheduler::Revoke(StreamState& stream) {
  auto& live = stream.reads.live;
  const auto last = std::find_if(live.rbegin(), live.rend(), [](const auto& read) {
    return read.second->done && !read.second->touched;
  });
  if (last == live.rend() || !stream.error.ok()) return false;
  ReadInFlight& read = *last->second;
  stream.UndoArrive(read);
  stream.planner->Return(std::move(read.plan));
  read.users = 0;
  FreeRead(read);
  return true;
}

void ReadScheduler::Complete(const IoCompletion& completion) {
  ReadInFlight& read = reads_.End(completion.tag);
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
  CHECK_GT(stream.reads.in_flight, 0u);
  --stream.reads.in_flight;
  const Status status =
      completion.status.ok() ? CheckLength(read, completion.bytes) : completion.status;
  if (status.ok()) {
    stats_.blocks_read.fetch_add(read.plan.parts.size(), std::memory_order_relaxed);
    stream.Arrive(read);
  } else {
    stream.Fail(status);
    read.users = 0;
    FreeRead(read);
  }
}

Status ReadScheduler::CheckLength(const ReadInFlight& read, uint64_t bytes) const {
  const StreamBlocks& blocks = read.stream->blocks;
  for (const ReadPart& part : read.plan.parts) {
    const ColumnKind column = blocks.columns[part.column];
    const uint64_t block = blocks.numbers[part.index];
    const BlockLocation& location = store_.blocks(column)[block];
    if (location.offset() + location.stored_bytes > read.plan.begin + bytes) {
      return BadBlock(store_, column, block,
                      BadDataError(StrCat("block ", block, " of ", ColumnName(column),
                                          ": the file ends before its end")));
    }
  }
  return OkStatus();
}

void ReadScheduler::FailAll(const Status& error) {
  for (StreamState* const stream : streams_) stream->Fail(error);
}

void ReadScheduler::DropPart(ReadInFlight& read) {
  CHECK(read.done && read.users > 0);  // parts are handed out once their read has come
  if (--read.users == 0) FreeRead(read);
}

void ReadScheduler::FreeRead(ReadInFlight& read) {
  if (read.stream != nullptr) {
    StreamState::Reads& of_stream = read.stream->reads;
    of_stream.live.erase(read.id);
    if (read.shared()) of_stream.held_bytes -= read.memory.size();
  }
  if (read.shared()) buffers_.Free(read.memory);
  reads_.Erase(read);
}

bool ReadScheduler::MayRetryReads() {
  if (buffers_.supply() != BufferSupply::kFreed) return false;
  buffers_.SetSupply(BufferSupply::kEnough);
  return true;
}

bool ReadScheduler::MayExceedShare(const StreamState& stream) {
  if (buffers_.supply() == BufferSupply::kEnough || stream.reads.in_flight > 0) return false;
  buffers_.SetSupply(BufferSupply::kEnough);
  return true;
}

Status ReadScheduler::CheckStalled(const StreamState& stream) {
  for (const auto& [id, read] : stream.reads.live) {
    if (!reads_.IsOverdue(*read)) continue;
    return StallError(IoRequest::Op::kRead, store_.segments()[read->plan.segment].file.path(),
                      read->plan.begin, read->plan.extent_bytes(), options_.stall_seconds);
  }
  return OkStatus();
}

}  // namespace edgemill
