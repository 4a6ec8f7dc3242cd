// The machinery behind BlockReader: one I/O thread that keeps every device busy, and what it shares
// with the threads that take blocks.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "common/buffer.h"
#include "common/clock.h"
#include "common/memory_budget.h"
#include "common/status.h"
#include "common/thread_annotations.h"
#include "storage/read/block_cache.h"
#include "storage/read/block_reader.h"
#include "storage/read/range_arena.h"
#include "storage/read/read_plan.h"

namespace edgemill {

class BlockPipeline;
struct StreamState;

/// A read from its start until the last of its blocks is released. Guarded by the pipeline's lock.
struct LiveRead {
  uint64_t id = 0;
  PlannedRead plan;
  StreamState* stream = nullptr;  // null once the stream is closed
  std::span<std::byte> memory;    // the extent, then scratch
  Buffer own;                     // of look-ups, which take nothing from the shared buffers
  size_t users = 0;               // parts not released yet
  bool done = false;
  bool touched = false;  // some of its blocks have been handed out
  double start = 0;      // by the pipeline's patience
};

/// A block some or all of whose columns have been read.
struct PendingBlock {
  std::array<LiveRead*, 2> reads{};  // null: cached, or still to come
  std::array<const ReadPart*, 2> parts{};
  uint8_t missing = 0;  // columns still to come from disk
};

/// A stream's progress. Guarded by the pipeline's lock, but for `all_cached`, which does not
/// change, and `next_of_all`.
struct StreamState {
  std::array<ColumnKind, 2> columns{};
  uint8_t num_columns = 0;
  std::vector<uint64_t> blocks;
  std::vector<BlockSource> sources;      // num_columns a block
  std::unique_ptr<ReadPlanner> planner;  // large; null where there is nothing to read
  bool lookup = false;                   // ReadOne's: goes first, with memory of its own

  std::unordered_map<uint32_t, PendingBlock> pending;  // by index in blocks
  std::deque<uint32_t> ready;                          // indexes whose every column is in memory
  std::map<uint64_t, LiveRead*> reads;                 // by id, that is in order
  uint32_t next_cached = 0;                            // where to look for fully cached blocks
  uint64_t cached_left = 0;
  uint64_t num_to_read = 0;  // blocks that were not all cached at the start
  /// Every block is cached: `next_of_all` is the index of the next to hand out, without the lock.
  /// The I/O thread does not know of such a stream.
  bool all_cached = false;
  alignas(64) std::atomic<uint64_t> next_of_all{0};  // apart from what is only read
  alignas(64) uint64_t blocks_left = 0;              // not handed out
  uint64_t held_bytes = 0;                           // of buffers, by its reads
  size_t in_flight = 0;
  size_t waiting_threads = 0;
  Status error;
  CondVar changed;

  BlockSource& source(uint32_t index, uint8_t column) {
    return sources[size_t{index} * num_columns + column];
  }
};

/// What a lease holds on to. Gives it back when destroyed.
struct BlockLease::Release {
  struct Hold {
    LiveRead* read = nullptr;  // null: the cache's
    ColumnKind column = ColumnKind::kOutOffsets;
    bool in_use = false;
  };
  BlockPipeline* pipeline = nullptr;
  uint64_t block = 0;
  std::array<Hold, 2> holds;
  ~Release();
};

/// Reads extents for streams on a thread of its own and hands out their blocks on the callers'
/// threads. Thread-safe.
class BlockPipeline {
 public:
  static StatusOr<std::unique_ptr<BlockPipeline>> Create(const GraphStore& store,
                                                         const BlockReaderOptions& options,
                                                         MemoryBudget& budget);
  BlockPipeline(const GraphStore& store, const BlockReaderOptions& options);
  ~BlockPipeline() = default;

  /// Ends the I/O thread once the reads under way have come. False when a device keeps them: then
  /// the pipeline must never be destroyed, as the kernel may still write into its memory.
  bool Stop();

  std::unique_ptr<StreamState> Open(std::span<const ColumnKind> columns,
                                    std::vector<uint64_t> blocks, bool lookup);
  void Close(StreamState& stream);
  StatusOr<std::optional<BlockLease>> Next(StreamState& stream);
  /// Gives back what a lease held. Takes the lock only for what was read.
  void Return(const BlockLease::Release& release);

  /// BlockReader's.
  std::vector<uint64_t> CachedBlocks(std::span<const ColumnKind> columns);

  std::vector<BusySpan> TakeBusySpans();

  const BlockReaderStats& stats() const { return stats_; }
  std::string engine_name() const;

 private:
  using Clock = std::chrono::steady_clock;

  // The I/O thread's side (block_pipeline.cc).
  void Run();
  /// Starts as many planned reads as buffers and queues allow; appends them to `reads`.
  void PlanReads(std::vector<LiveRead*>* reads) REQUIRES(mutex_);
  /// The stream's next read, started; null when it has none, or something is lacking for it.
  LiveRead* StartRead(StreamState& stream) REQUIRES(mutex_);
  /// Buffer memory for the stream's next read, if need be from streams that are not being used.
  std::span<std::byte> TakeBuffer(StreamState& stream, uint64_t bytes) REQUIRES(mutex_);
  /// Forgets a whole read that another stream has prefetched but nobody has touched, for it to be
  /// read again.
  bool Revoke(StreamState& stream) REQUIRES(mutex_);
  void Complete(const IoCompletion& completion) REQUIRES(mutex_);
  /// BadDataError unless the `bytes` that came hold every block wanted from the read.
  Status CheckLength(const StreamState& stream, const LiveRead& read, uint64_t bytes) const;
  void Arrived(StreamState& stream, LiveRead& read) REQUIRES(mutex_);
  void Fail(StreamState& stream, Status error) REQUIRES(mutex_);

  // The callers' side (block_stream.cc).
  void ChooseSources(StreamState& stream) REQUIRES(mutex_);
  /// Waits for the stream to change; an error on cancellation, or when a device does not answer.
  Status AwaitChange(StreamState& stream) REQUIRES(mutex_);
  Status CheckStalled(const StreamState& stream) REQUIRES(mutex_);
  /// The index of a block to hand out now.
  std::optional<uint32_t> TakeIndex(StreamState& stream) REQUIRES(mutex_);
  /// Checks and decompresses what was read of a block, and keeps it if it was admitted.
  StatusOr<BlockLease> MakeLease(StreamState& stream, uint32_t index, const PendingBlock& pending)
      EXCLUDES(mutex_);
  StatusOr<std::span<const std::byte>> OpenPayload(ColumnKind column, uint64_t block,
                                                   const LiveRead& read, const ReadPart& part,
                                                   bool admit);
  /// A lease of a block that holds nothing yet.
  BlockLease EmptyLease(uint64_t block);
  /// A lease that takes over the stream's pins on a block all of whose columns are cached.
  BlockLease LeaseCached(const StreamState& stream, uint32_t index);
  Status OpenBad(const Status& status, ColumnKind column, uint64_t block) const;
  /// One part of `read` is not needed any more.
  void DropPart(LiveRead& read) REQUIRES(mutex_);
  void FreeRead(LiveRead& read) REQUIRES(mutex_);
  /// Wakes the I/O thread if it lacked buffers, and some have come free.
  void WakeIfStarved() EXCLUDES(mutex_);

  const GraphStore& store_;
  const BlockReaderOptions options_;
  MemoryReservation reservation_;
  std::unique_ptr<IoEngine> engine_;  // the I/O thread's, but for Wake
  std::thread thread_;
  BlockReaderStats stats_;

  Mutex mutex_;
  CondVar stopped_changed_;
  RangeArena buffers_ GUARDED_BY(mutex_);
  RegisteredMemory registered_;  // the buffers
  BlockCache cache_;             // guarded by mutex_, but for what pins allow without it
  std::vector<StreamState*> streams_ GUARDED_BY(mutex_);
  std::unordered_map<uint64_t, std::unique_ptr<LiveRead>> live_ GUARDED_BY(mutex_);
  std::array<uint32_t, 256> directory_in_flight_ GUARDED_BY(mutex_) = {};
  uint64_t next_read_id_ GUARDED_BY(mutex_) = 1;
  size_t in_flight_ GUARDED_BY(mutex_) = 0;
  PatienceClock patience_ GUARDED_BY(mutex_);
  Clock::time_point busy_since_ GUARDED_BY(mutex_);
  std::vector<BusySpan> busy_ GUARDED_BY(mutex_);
  size_t next_stream_ GUARDED_BY(mutex_) = 0;  // whose turn it is
  bool starved_ GUARDED_BY(mutex_) = false;    // some read waits for buffers
  bool freed_ GUARDED_BY(mutex_) = false;      // and since then some have come free
  bool stalled_ GUARDED_BY(mutex_) = false;    // some read was given up
  bool stopping_ GUARDED_BY(mutex_) = false;
  bool abandoned_ GUARDED_BY(mutex_) = false;
  bool stopped_ GUARDED_BY(mutex_) = false;
  Status broken_ GUARDED_BY(mutex_);  // the queue itself has failed
};

}  // namespace edgemill
