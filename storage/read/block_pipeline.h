// The machinery behind BlockReader: one I/O thread that keeps every device busy, and what it shares
// with the threads that take blocks.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/thread_annotations.h"
#include "storage/io/io_engine.h"
#include "storage/read/block_cache.h"
#include "storage/read/block_reader.h"
#include "storage/read/read_scheduler.h"
#include "storage/read/stream_state.h"

namespace edgemill {

class BlockPipeline;

/// What a lease holds. The destructor gives it back.
struct BlockLease::Release {
  struct Hold {
    ReadInFlight* read = nullptr;  // null: the block is in the cache
    ColumnKind column = ColumnKind::kOutOffsets;
    bool in_use = false;
  };
  BlockPipeline* pipeline = nullptr;
  uint64_t block = 0;
  std::array<Hold, 2> holds;
  ~Release();
};

/// What the I/O thread is doing.
enum class PipelineState : uint8_t {
  kRunning,
  kStopping,   // starts no more reads; waits for those under way
  kAbandoned,  // waits for no reads: a device does not end some
  kStopped,    // has ended
};
/// Whether a pipeline goes from one state to the other.
constexpr bool MayFollow(PipelineState from, PipelineState to) {
  constexpr uint8_t kFollowers[] = {
      /* kRunning: the thread also ends where its queue fails */
      1 << static_cast<int>(PipelineState::kStopping) |
          1 << static_cast<int>(PipelineState::kStopped),
      /* kStopping */ 1 << static_cast<int>(PipelineState::kAbandoned) |
          1 << static_cast<int>(PipelineState::kStopped),
      /* kAbandoned */ 1 << static_cast<int>(PipelineState::kStopped),
      /* kStopped */ 0};
  return (kFollowers[static_cast<size_t>(from)] >> static_cast<int>(to) & 1) != 0;
}

/// Reads extents for streams on a thread of its own and hands out their blocks on the callers'
/// threads. Thread-safe.
class BlockPipeline {
 public:
  static StatusOr<std::unique_ptr<BlockPipeline>> Create(const GraphStore& store,
                                                         const BlockReaderOptions& options,
                                                         MemoryBudget& budget);
  ~BlockPipeline() = default;

  /// Ends the I/O thread once the reads under way have come. False when a device keeps them: then
  /// the pipeline must never be destroyed, as the kernel may still write into its memory.
  bool Stop();

  /// A stream of `blocks`; a look-up goes first, with memory of its own.
  std::unique_ptr<BlockStream> Open(std::span<const ColumnKind> columns,
                                    std::vector<uint64_t> blocks, bool lookup);
  /// The stream's next block, as BlockStream::Next.
  StatusOr<std::optional<BlockLease>> Next(StreamState& stream);
  void Close(StreamState& stream);
  /// Makes a lease that takes over a stream's pins on a block whose columns are all cached.
  BlockLease LeaseCached(const StreamBlocks& blocks, uint32_t index);
  /// Ends a stream whose blocks are all cached. The first `taken` blocks were handed out.
  void CloseCached(const StreamBlocks& blocks, uint64_t taken);
  /// Gives back what a lease held. Takes the lock only for blocks that were read, not for cached
  /// ones.
  void Return(const BlockLease::Release& release);

  /// As the functions of BlockReader with these names.
  std::vector<uint64_t> CachedBlocks(std::span<const ColumnKind> columns);
  std::vector<BusySpan> DrainBusySpans();
  const BlockReaderStats& stats() const { return stats_; }
  std::string engine_name() const;

 private:
  /// What a pipeline consists of, once all is reserved and open.
  struct Contents {
    MemoryReservation reservation;
    BlockCache cache;
    std::unique_ptr<IoEngine> engine;
    ReadBuffers buffers;
  };
  BlockPipeline(const GraphStore& store, const BlockReaderOptions& options, Contents contents);

  // The I/O thread's side (block_pipeline.cc).
  void Run();
  /// Submits `reads` to the devices; appends the completions of reads that cannot be submitted.
  void Submit(const std::vector<ReadInFlight*>& reads, std::vector<IoCompletion>* completions);
  void Become(PipelineState next) REQUIRES(mutex_);

  // The callers' side (block_pipeline_streams.cc).
  /// Chooses where a stream's blocks come from. Returns the number of blocks whose columns are all
  /// cached.
  uint64_t ChooseSources(StreamBlocks& blocks, bool lookup) REQUIRES(mutex_);
  /// Waits for the stream to change; an error on cancellation, or when a device does not answer.
  Status AwaitChange(StreamState& stream) REQUIRES(mutex_);
  /// Waits for a block to hand out. Nullopt when none is left.
  StatusOr<std::optional<uint32_t>> AwaitIndex(StreamState& stream) REQUIRES(mutex_);
  /// Checks and decompresses what was read of a block, and keeps it if it was admitted.
  StatusOr<BlockLease> MakeLease(StreamState& stream, uint32_t index, const PendingBlock& pending)
      EXCLUDES(mutex_);
  /// Hands an opened block over to its lease. The columns in `kept` belong to the cache from now
  /// on.
  void EndOpening(StreamState& stream, uint32_t index, const std::array<bool, 2>& kept,
                  BlockLease* lease) EXCLUDES(mutex_);
  /// A lease of a block that holds nothing yet.
  BlockLease EmptyLease(uint64_t block);
  /// Wakes the I/O thread if it lacked buffers, and some have come free.
  void WakeIfFreed() EXCLUDES(mutex_);

  const GraphStore& store_;
  const BlockReaderOptions options_;
  const MemoryReservation reservation_;
  BlockReaderStats stats_;
  std::unique_ptr<IoEngine> engine_;  // only the I/O thread uses it, except for Wake
  BlockCache cache_;                  // guarded by mutex_, except for what pins allow
  std::thread thread_;

  Mutex mutex_;
  CondVar state_changed_;
  PipelineState state_ GUARDED_BY(mutex_) = PipelineState::kRunning;
  ReadScheduler scheduler_ GUARDED_BY(mutex_);
  Status broken_ GUARDED_BY(mutex_);  // the queue itself has failed
};

}  // namespace edgemill
