// Blocks from disk to the threads that use them: cached, prefetched, checked, decompressed.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/status.h"
#include "storage/io/io_engine.h"
#include "storage/read/graph_store.h"
#include "storage/read/memory_registrar.h"

namespace edgemill {

/// How blocks are read. All sizes come from the budget that the caller plans.
struct BlockReaderOptions {
  /// Memory for reads under way and for blocks handed out but not yet released.
  uint64_t buffer_bytes = uint64_t{16} << 20;
  /// Memory for blocks kept from one pass to the next; 0 keeps none. A block takes its payload and
  /// up to 128 bytes more (CacheBytes gives the sum for a column).
  uint64_t cache_bytes = 0;
  /// Largest single read. Neighbouring blocks are read together up to this size. Gaps between
  /// wanted blocks are read too where reading is cheaper than skipping.
  uint32_t max_read_bytes = 1u << 20;
  uint32_t max_gap_bytes = 64u << 10;  // and at most a quarter of the wanted bytes
  uint32_t queue_depth = 32;           // reads under way, for each data directory
  /// Threads that use the reader at once. Each holds one lease while it gets the next. Small
  /// buffers are divided so that threads cannot block each other. 0: the number of processors that
  /// the process may use (AvailableThreads).
  int threads = 0;
  /// A read that takes more seconds fails: the device is assumed to be dead.
  double stall_seconds = 30;
  IoEngineKind engine = IoEngineKind::kAuto;
  /// Registers the memory of blocks with a device that reads it directly. Null: no registration.
  /// Must outlive the reader.
  MemoryRegistrar* registrar = nullptr;
  bool registers_cache = true;  // registers the cache's memory too
  bool operator==(const BlockReaderOptions&) const = default;
};

/// The cost of all reads so far. Counters only grow.
struct BlockReaderStats {
  std::atomic<uint64_t> bytes_read{0};  // from devices, as asked of the kernel
  std::atomic<uint64_t> reads{0};
  std::atomic<uint64_t> blocks_read{0};
  std::atomic<uint64_t> cache_hits{0};  // blocks
  std::atomic<uint64_t> wait_ns{0};     // worker time spent waiting for the disk
  std::atomic<uint64_t> idle_ns{0};     // no read under way between two streams that read
  std::atomic<uint64_t> check_ns{0};    // checksums
  std::atomic<uint64_t> decompress_ns{0};
};

/// A time in which at least one device was reading.
struct BusySpan {
  std::chrono::steady_clock::time_point begin;
  std::chrono::steady_clock::time_point end;
};

/// One block number of one or two columns, ready to decode: payload k belongs to columns[k] of
/// Start. Holds the memory until it is destroyed, which must happen before its reader is destroyed.
/// Move-only.
class BlockLease {
 public:
  BlockLease() noexcept;  // defined in the source file: Release is incomplete here
  BlockLease(BlockLease&&) noexcept;
  BlockLease& operator=(BlockLease&&) noexcept;
  ~BlockLease();
  /// A lease on memory that outlives the lease, for readers over blocks in memory.
  static BlockLease Borrow(uint64_t block, std::array<std::span<const std::byte>, 2> payloads) {
    BlockLease lease;
    lease.block_ = block;
    lease.payloads_ = payloads;
    return lease;
  }
  uint64_t block() const { return block_; }
  /// The decompressed payload: 8-byte aligned, kDecodeSlackBytes readable after it. Its checksum
  /// has been checked.
  std::span<const std::byte> payload(size_t column = 0) const { return payloads_[column]; }
  /// Whether the payloads are in registered memory (BlockReaderOptions).
  bool registered() const { return registered_; }
  /// Whether all payloads are in the cache. Such a lease may be kept for long, because it holds no
  /// buffer that reads need.
  bool cached() const { return cached_; }

 private:
  friend class BlockPipeline;
  struct Release;
  uint64_t block_ = 0;
  std::array<std::span<const std::byte>, 2> payloads_;
  bool registered_ = false;
  bool cached_ = false;
  std::unique_ptr<Release> release_;
};

/// A pass under way: the planned blocks, each handed to one thread once.
class BlockStream {
 public:
  virtual ~BlockStream() = default;
  /// The next block that is in memory, in any order. Blocks that were read come first, because they
  /// hold buffers that further reads need. Cached blocks come while no other is ready. nullopt when
  /// all have been handed out. Waits for the disk. Thread-safe. Verifies (CheckBlock) and
  /// decompresses on the calling thread. The first error ends the stream for every thread. Checks
  /// for cancellation.
  virtual StatusOr<std::optional<BlockLease>> Next() = 0;
  /// How many of the planned blocks were not cached when it started.
  virtual uint64_t num_to_read() const = 0;
};

/// Reads blocks of one graph through one block cache. Thread-safe. Several streams may run at once,
/// and share the buffers so that none stops for ever.
class BlockReader {
 public:
  /// Reserves buffer_bytes, CacheBytes and OverheadBytes in `budget`; `store` must outlive the
  /// reader. BudgetError when the budget has less left, or buffer_bytes is under
  /// MinimumBufferBytes. Starts one thread.
  static StatusOr<std::unique_ptr<BlockReader>> Create(const GraphStore& store,
                                                       const BlockReaderOptions& options,
                                                       MemoryBudget& budget);
  /// The least buffer_bytes that works for this store with `threads` users.
  static uint64_t MinimumBufferBytes(const GraphStore& store, int threads);
  /// Cache memory that holds every block of `column`. Cost: one look at each block's location.
  static uint64_t CacheBytes(const GraphStore& store, ColumnKind column);
  /// What a reader takes beside buffers and cached payloads: 12 bytes a block with a cache, and a
  /// stream's list.
  static uint64_t OverheadBytes(const GraphStore& store, const BlockReaderOptions& options);
  virtual ~BlockReader() = default;

  /// Starts reading `blocks` (rising numbers) of `columns` (one or two that share block numbers,
  /// such as neighbours and weights) ahead of use. The stream must not outlive the reader. The
  /// stream keeps `blocks` (8 bytes a block) and up to 2 bytes more a block.
  ///
  /// Repeated passes do not thrash the cache: if it holds a fraction c of what a pass wants, the
  /// pass reads 1 - c of the bytes. A block is evicted only when it was not wanted in the last two
  /// streams over its column and a wanted block needs its memory.
  virtual std::unique_ptr<BlockStream> Start(std::span<const ColumnKind> columns,
                                             std::vector<uint64_t> blocks) = 0;

  /// Reads one block before all planned reads, for id look-ups. Waits.
  virtual StatusOr<BlockLease> ReadOne(ColumnKind column, uint64_t block) = 0;

  /// The blocks of which the cache has all `columns` (one or two), rising: 8 bytes each. Other
  /// threads may change the set at any time.
  virtual std::vector<uint64_t> CachedBlocks(std::span<const ColumnKind> columns) const = 0;

  virtual const BlockReaderStats& stats() const = 0;
  /// The spans of time since the last call in which reads were under way, rising: the first
  /// kMaxBusySpans.
  static constexpr size_t kMaxBusySpans = 1000;
  virtual std::vector<BusySpan> DrainBusySpans() { return {}; }
  /// "io_uring, O_DIRECT", "pread, buffered" and so on, for reports. Reads are buffered where some
  /// file system refuses O_DIRECT. Buffered reads use memory that --memory does not count; callers
  /// should warn the user once.
  virtual std::string engine_name() const = 0;
};

/// Passes all calls on to the reader of another owner, which must outlive it.
class BorrowedReader : public BlockReader {
 public:
  explicit BorrowedReader(BlockReader& reader) : reader_(reader) {}

  std::unique_ptr<BlockStream> Start(std::span<const ColumnKind> columns,
                                     std::vector<uint64_t> blocks) override {
    return reader_.Start(columns, std::move(blocks));
  }
  StatusOr<BlockLease> ReadOne(ColumnKind column, uint64_t block) override {
    return reader_.ReadOne(column, block);
  }
  std::vector<uint64_t> CachedBlocks(std::span<const ColumnKind> columns) const override {
    return reader_.CachedBlocks(columns);
  }
  const BlockReaderStats& stats() const override { return reader_.stats(); }
  std::vector<BusySpan> DrainBusySpans() override { return reader_.DrainBusySpans(); }
  std::string engine_name() const override { return reader_.engine_name(); }

 private:
  BlockReader& reader_;
};

}  // namespace edgemill
