// Which read goes next, into which memory; and the reads that are under way.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/check.h"
#include "common/clock.h"
#include "common/status.h"
#include "storage/io/io_engine.h"
#include "storage/read/block_reader.h"
#include "storage/read/memory_registrar.h"
#include "storage/read/range_arena.h"
#include "storage/read/stream_state.h"

namespace edgemill {

/// Whether buffers suffice for the reads.
enum class BufferSupply : uint8_t {
  kEnough,   // no read waits for buffers
  kLacking,  // some read waits for buffers
  kFreed,    // some read waits, and buffers have come free since then
};
/// Whether a supply goes from one state to the other.
constexpr bool MayFollow(BufferSupply from, BufferSupply to) {
  constexpr uint8_t kFollowers[] = {
      /* kEnough */ 1 << static_cast<int>(BufferSupply::kLacking),
      /* kLacking: a new attempt may start with all reads */
      1 << static_cast<int>(BufferSupply::kEnough) | 1 << static_cast<int>(BufferSupply::kFreed),
      /* kFreed: the free buffers may be too small for the next read */
      1 << static_cast<int>(BufferSupply::kEnough) | 1 << static_cast<int>(BufferSupply::kLacking)};
  return (kFollowers[static_cast<size_t>(from)] >> static_cast<int>(to) & 1) != 0;
}

/// The memory that streams read into. Not thread-safe: the pipeline's lock guards it.
class ReadBuffers {
 public:
  ReadBuffers() = default;
  /// Buffers of `bytes`, the guard included, registered unless `registrar` is null.
  static StatusOr<ReadBuffers> Create(uint64_t bytes, MemoryRegistrar* registrar);

  uint64_t size_bytes() const { return arena_.size_bytes(); }
  std::span<std::byte> memory() { return arena_.memory(); }
  bool registered() const { return registered_.registered(); }

  std::span<std::byte> Allocate(uint64_t bytes) { return arena_.Allocate(bytes); }
  void Free(std::span<std::byte> range);
  BufferSupply supply() const { return supply_; }
  void SetSupply(BufferSupply next);

 private:
  RangeArena arena_;
  RegisteredMemory registered_;  // the registration of the arena's memory
  BufferSupply supply_ = BufferSupply::kEnough;
};

/// The time without reads between streams. Not thread-safe.
class IdleTime {
 public:
  using Clock = std::chrono::steady_clock;

  void BeginStream() { between_streams_ = true; }
  /// After a time without reads, the first one starts.
  void BeginReads(Clock::time_point now) {
    if (between_streams_ && since_.has_value()) total_ += now - *since_;
    between_streams_ = false;
  }
  /// The last read under way ends.
  void EndReads(Clock::time_point now) { since_ = now; }
  /// From streams' last reads to the next ones' first.
  Clock::duration total() const { return total_; }

 private:
  bool between_streams_ = false;            // a stream has begun since the last read started
  std::optional<Clock::time_point> since_;  // none before the first read
  Clock::duration total_{0};
};

/// All reads of a pipeline, and how many of them its devices work on. Not thread-safe: the
/// pipeline's lock guards it.
class ReadsInFlight {
 public:
  /// At most `most` are under way at once, and `max_a_directory` in each data directory.
  ReadsInFlight(size_t most, uint32_t max_a_directory, double stall_seconds)
      : most_(most), max_a_directory_(max_a_directory), stall_seconds_(stall_seconds) {}

  size_t in_flight() const { return in_flight_; }
  bool full() const { return in_flight_ >= most_; }
  bool CanStart(uint8_t directory) const {
    return !full() && directory_in_flight_[directory] < max_a_directory_;
  }
  /// Seconds by a clock that runs only while the process runs.
  double Now() { return patience_.Now(); }
  IdleTime& idle() { return idle_; }
  /// Takes in a planned read that has its memory; the read is under way from now on.
  ReadInFlight* Begin(std::unique_ptr<ReadInFlight> read) {
    CHECK(CanStart(read->plan.directory));
    CHECK(!read->plan.parts.empty() && !read->memory.empty());
    read->id = next_id_++;
    read->users = read->plan.parts.size();
    read->start = Now();
    if (in_flight_++ == 0) {
      busy_since_ = std::chrono::steady_clock::now();
      idle_.BeginReads(busy_since_);
    }
    ++directory_in_flight_[read->plan.directory];
    return reads_.emplace(read->id, std::move(read)).first->second.get();
  }
  /// Ends the read `id`, which has come or failed.
  ReadInFlight& End(uint64_t id) {
    ReadInFlight& read = *reads_.at(id);
    CHECK(!read.done);
    CHECK_GT(in_flight_, 0u);
    if (--in_flight_ == 0) {
      const auto now = std::chrono::steady_clock::now();
      idle_.EndReads(now);
      if (busy_.size() < BlockReader::kMaxBusySpans) busy_.push_back({busy_since_, now});
    }
    --directory_in_flight_[read.plan.directory];
    read.done = true;
    return read;
  }
  void Erase(const ReadInFlight& read) {
    CHECK(read.done && read.users == 0);  // neither a device nor a lease uses its memory
    reads_.erase(read.id);
  }
  /// Whether a device keeps `read` for longer than devices may.
  bool IsOverdue(const ReadInFlight& read) {
    return !read.done && Now() - read.start >= stall_seconds_;
  }
  bool AnyOverdue() {
    return std::any_of(reads_.begin(), reads_.end(),
                       [this](const auto& read) { return IsOverdue(*read.second); });
  }
  std::vector<BusySpan> DrainBusySpans() { return std::exchange(busy_, {}); }

 private:
  const size_t most_;
  const uint32_t max_a_directory_;
  const double stall_seconds_;
  std::unordered_map<uint64_t, std::unique_ptr<ReadInFlight>> reads_;
  uint64_t next_id_ = 1;
  size_t in_flight_ = 0;
  std::array<uint32_t, 256> directory_in_flight_{};
  PatienceClock patience_;
  std::chrono::steady_clock::time_point busy_since_;
  std::vector<BusySpan> busy_;
  IdleTime idle_;
};

/// Starts the reads of all streams, one of each stream after the other, and takes in their results.
/// Not thread-safe: the pipeline's lock guards it.
class ReadScheduler {
 public:
  /// At most `max_reads` are under way at once. `store`, `options` and `stats` must outlive it.
  ReadScheduler(const GraphStore& store, const BlockReaderOptions& options, BlockReaderStats& stats,
                ReadBuffers buffers, size_t max_reads);

  /// Adds a stream whose blocks have their sources chosen.
  void Add(StreamState& stream);
  /// Removes a stream that ends. Parts of its reads that leases hold stay in memory.
  void Remove(StreamState& stream);
  /// Starts as many planned reads as buffers and queues allow; appends them to `reads`.
  void StartReads(std::vector<ReadInFlight*>* reads);
  /// Takes in a read that has come or failed: its blocks become ready, or its stream fails.
  void Complete(const IoCompletion& completion);
  void FailAll(const Status& error);
  /// Gives up one part of `read`, and with the last part the read's memory.
  void DropPart(ReadInFlight& read);

  /// Whether reads that lacked buffers may be tried again, because buffers have come free. True
  /// once.
  bool MayRetryReads();
  /// Whether `stream`, which waits and has no block ready, may try its next read again although no
  /// buffers have come free: with no read under way it may take more than its fair share. True
  /// once.
  bool MayExceedShare(const StreamState& stream);
  /// IoError when a device keeps one of the stream's reads for too long.
  Status CheckStalled(const StreamState& stream);

  ReadsInFlight& reads() { return reads_; }
  bool buffers_registered() const { return buffers_.registered(); }

 private:
  /// Starts the stream's next read. Null when the stream has none, or when buffers or queue places
  /// are lacking.
  ReadInFlight* StartRead(StreamState& stream);
  /// Reserves buffer memory for the stream's next read. A stuck stream may take memory from
  /// prefetched reads of other streams.
  std::span<std::byte> ReserveBuffer(StreamState& stream, uint64_t bytes);
  /// Frees the last finished read of `stream` that no thread has touched; its blocks will be read
  /// again.
  bool Revoke(StreamState& stream);
  /// BadDataError unless the `bytes` that came hold every block wanted from the read.
  Status CheckLength(const ReadInFlight& read, uint64_t bytes) const;
  void FreeRead(ReadInFlight& read);

  const GraphStore& store_;
  const BlockReaderOptions& options_;
  BlockReaderStats& stats_;
  ReadBuffers buffers_;
  ReadsInFlight reads_;
  std::vector<StreamState*> streams_;
  size_t next_stream_ = 0;  // index of the stream whose turn it is
};

/// The least bytes of buffers with which `threads` users of a stream of `columns` columns cannot
/// block each other, where no read takes more than `range_bytes`.
uint64_t LeastBufferBytes(const GraphStore& store, size_t columns, int threads,
                          uint64_t range_bytes);

}  // namespace edgemill
