// The callers' side of BlockPipeline: opening streams, taking blocks, and giving them back.
#include <algorithm>
#include <memory>
#include <utility>

#include "common/cancel.h"
#include "common/check.h"
#include "common/clock.h"
#include "storage/read/block_opener.h"
#include "storage/read/block_pipeline.h"

namespace edgemill {
namespace {

/// How often a waiting thread looks for cancellation and dead devices.
constexpr double kTickSeconds = 0.1;

/// A stream of which every block is cached. Hands them out without the pipeline's lock; the I/O
/// thread does not know of it.
class CachedStream final : public BlockStream {
 public:
  CachedStream(BlockPipeline& pipeline, StreamBlocks blocks)
      : pipeline_(pipeline), blocks_(std::move(blocks)) {}
  ~CachedStream() override {
    pipeline_.CloseCached(blocks_, std::min<uint64_t>(next_, blocks_.size()));
  }
  StatusOr<std::optional<BlockLease>> Next() override {
    RETURN_IF_ERROR(CheckCancelled());
    const uint64_t next = next_.fetch_add(1, std::memory_order_relaxed);
    if (next >= blocks_.size()) return std::optional<BlockLease>();
    return std::optional<BlockLease>(pipeline_.LeaseCached(blocks_, static_cast<uint32_t>(next)));
  }
  uint64_t num_to_read() const override { return 0; }

 private:
  BlockPipeline& pipeline_;
  const StreamBlocks blocks_;
  alignas(64) std::atomic<uint64_t> next_{0};  // apart from fields that are only read
};

/// A stream that reads some of its blocks.
class ReadStream final : public BlockStream {
 public:
  ReadStream(BlockPipeline& pipeline, std::unique_ptr<StreamState> state)
      : pipeline_(pipeline), state_(std::move(state)) {}
  ~ReadStream() override { pipeline_.Close(*state_); }
  StatusOr<std::optional<BlockLease>> Next() override { return pipeline_.Next(*state_); }
  uint64_t num_to_read() const override { return state_->blocks.num_to_read; }

 private:
  BlockPipeline& pipeline_;
  const std::unique_ptr<StreamState> state_;
};

}  // namespace

std::unique_ptr<BlockStream> BlockPipeline::Open(std::span<const ColumnKind> columns,
                                                 std::vector<uint64_t> numbers, bool lookup) {
  StreamBlocks blocks(columns, std::move(numbers));
  for (const ColumnKind column : columns) {
    CHECK(blocks.numbers.empty() || blocks.numbers.back() < store_.blocks(column).size());
  }
  MutexLock lock(mutex_);
  const uint64_t cached = ChooseSources(blocks, lookup);
  blocks.num_to_read = blocks.size() - cached;
  if (broken_.ok() && blocks.num_to_read == 0) {
    return std::make_unique<CachedStream>(*this, std::move(blocks));
  }
  auto stream = std::make_unique<StreamState>(std::move(blocks));
  stream->lookup = lookup;
  stream->cached.left = cached;
  stream->error = broken_;
  scheduler_.Add(*stream);
  engine_->Wake();
  return std::make_unique<ReadStream>(*this, std::move(stream));
}

uint64_t BlockPipeline::ChooseSources(StreamBlocks& blocks, bool lookup) {
  if (!cache_.enabled()) return 0;
  const uint32_t num_blocks = static_cast<uint32_t>(blocks.size());
  for (uint8_t column = 0; column < blocks.num_columns; ++column) {
    if (!lookup) cache_.BeginStream(blocks.columns[column]);
  }
  // First all cached blocks count as wanted; only then may others be evicted for new ones.
  uint64_t cached = 0;
  for (uint32_t index = 0; index < num_blocks; ++index) {
    bool all = true;
    for (uint8_t column = 0; column < blocks.num_columns; ++column) {
      const ColumnKind kind = blocks.columns[column];
      const bool hit = lookup ? cache_.Pin(kind, blocks.numbers[index])
                              : cache_.Want(kind, blocks.numbers[index]);
      if (hit) blocks.source(index, column) = BlockSource::kCache;
      all = all && hit;
    }
    cached += all;
  }
  if (lookup) return cached;
  for (uint32_t index = 0; index < num_blocks; ++index) {
    for (uint8_t column = 0; column < blocks.num_columns; ++column) {
      BlockSource& source = blocks.source(index, column);
      if (source == BlockSource::kDisk &&
          cache_.Admit(blocks.columns[column], blocks.numbers[index])) {
        source = BlockSource::kAdmit;
      }
    }
  }
  return cached;
}

void BlockPipeline::CloseCached(const StreamBlocks& blocks, uint64_t taken) {
  stats_.cache_hits.fetch_add(taken * blocks.num_columns, std::memory_order_relaxed);
  for (uint64_t index = taken; index < blocks.size(); ++index) {
    for (uint8_t column = 0; column < blocks.num_columns; ++column) {
      cache_.Unpin(blocks.columns[column], blocks.numbers[index]);
    }
  }
}

void BlockPipeline::Close(StreamState& stream) {
  {
    MutexLock lock(mutex_);
    CHECK_EQ(stream.waiting_threads, 0u);  // a stream outlives the threads that use it
    scheduler_.Remove(stream);
    StreamBlocks& blocks = stream.blocks;
    for (uint32_t index = 0; index < blocks.size(); ++index) {
      for (uint8_t column = 0; column < blocks.num_columns; ++column) {
        const BlockSource source = blocks.source(index, column);
        const ColumnKind kind = blocks.columns[column];
        if (source == BlockSource::kCache) cache_.Unpin(kind, blocks.numbers[index]);
        if (source == BlockSource::kAdmit) cache_.Drop(kind, blocks.numbers[index]);
      }
    }
  }
  WakeIfFreed();
}

Status BlockPipeline::AwaitChange(StreamState& stream) {
  const Stopwatch watch;
  // The I/O thread may sleep: nothing else might wake it for this stream.
  if (scheduler_.MayExceedShare(stream)) engine_->Wake();
  ++stream.waiting_threads;
  const bool changed = stream.changed.WaitFor(mutex_, kTickSeconds, WaitCause::kDisk);
  --stream.waiting_threads;
  stats_.wait_ns.fetch_add(static_cast<uint64_t>(watch.seconds() * 1e9), std::memory_order_relaxed);
  return changed ? OkStatus() : scheduler_.CheckStalled(stream);
}

StatusOr<std::optional<uint32_t>> BlockPipeline::AwaitIndex(StreamState& stream) {
  while (true) {
    if (Status status = CheckCancelled(); !status.ok()) stream.Fail(std::move(status));
    if (!stream.error.ok()) return stream.error;
    const std::optional<uint32_t> index = stream.PopIndex();
    if (index.has_value() || stream.blocks_left == 0) return index;
    if (Status status = AwaitChange(stream); !status.ok()) stream.Fail(std::move(status));
  }
}

StatusOr<std::optional<BlockLease>> BlockPipeline::Next(StreamState& stream) {
  std::optional<uint32_t> index;
  std::optional<PendingBlock> pending;  // unset where all is cached
  {
    MutexLock lock(mutex_);
    ASSIGN_OR_RETURN(index, AwaitIndex(stream));
    if (!index.has_value()) return std::optional<BlockLease>();
    if (const auto found = stream.pending.extract(*index); !found.empty()) {
      pending = found.mapped();
      for (ReadInFlight* const read : pending->reads) {
        if (read != nullptr) read->touched = true;
      }
    } else {
      for (uint8_t column = 0; column < stream.blocks.num_columns; ++column) {
        stream.blocks.source(*index, column) = BlockSource::kDone;
      }
    }
  }
  if (!pending.has_value()) {
    stats_.cache_hits.fetch_add(stream.blocks.num_columns, std::memory_order_relaxed);
    return std::optional<BlockLease>(LeaseCached(stream.blocks, *index));
  }
  StatusOr<BlockLease> lease = MakeLease(stream, *index, *pending);
  if (lease.ok()) return std::optional<BlockLease>(std::move(lease).value());
  MutexLock lock(mutex_);
  stream.Fail(lease.status());
  return stream.error;
}

BlockLease BlockPipeline::EmptyLease(uint64_t block) {
  BlockLease lease;
  lease.block_ = block;
  lease.release_ = std::make_unique<BlockLease::Release>();
  lease.release_->pipeline = this;
  lease.release_->block = block;
  return lease;
}

BlockLease BlockPipeline::LeaseCached(const StreamBlocks& blocks, uint32_t index) {
  BlockLease lease = EmptyLease(blocks.numbers[index]);
  lease.cached_ = true;
  lease.registered_ = cache_.registered();
  for (uint8_t column = 0; column < blocks.num_columns; ++column) {
    const ColumnKind kind = blocks.columns[column];
    lease.release_->holds[column] = {nullptr, kind, true};
    lease.payloads_[column] = cache_.payload(kind, lease.block_);
  }
  return lease;
}

StatusOr<BlockLease> BlockPipeline::MakeLease(StreamState& stream, uint32_t index,
                                              const PendingBlock& pending) {
  CHECK_EQ(pending.missing, 0);  // a ready block has all of its columns
  const StreamBlocks& blocks = stream.blocks;
  BlockLease lease = EmptyLease(blocks.numbers[index]);
  const BlockOpener opener(store_, cache_, stats_);
  Status status;
  std::array<bool, 2> kept{};
  for (uint8_t column = 0; column < blocks.num_columns; ++column) {
    const ColumnKind kind = blocks.columns[column];
    ReadInFlight* const read = pending.reads[column];
    lease.release_->holds[column] = {read, kind, true};
    if (read == nullptr) {
      lease.payloads_[column] = cache_.payload(kind, lease.block_);
      stats_.cache_hits.fetch_add(1, std::memory_order_relaxed);
      continue;
    }
    if (!status.ok()) continue;
    const bool admit = blocks.source(index, column) == BlockSource::kAdmit;
    StatusOr<std::span<const std::byte>> payload =
        opener.Open(kind, lease.block_, *read, *pending.parts[column], admit);
    if (payload.ok())
      lease.payloads_[column] = *payload;
    else
      status = payload.status();
    kept[column] = admit && payload.ok();
  }
  EndOpening(stream, index, kept, &lease);
  if (!status.ok()) return status;
  return lease;
}

void BlockPipeline::EndOpening(StreamState& stream, uint32_t index, const std::array<bool, 2>& kept,
                               BlockLease* lease) {
  lease->registered_ = lease->cached_ = true;
  {
    MutexLock lock(mutex_);
    for (uint8_t column = 0; column < stream.blocks.num_columns; ++column) {
      BlockSource& source = stream.blocks.source(index, column);
      BlockLease::Release::Hold& hold = lease->release_->holds[column];
      CHECK(source != BlockSource::kDone);  // a block is opened once
      if (kept[column]) {                   // from here on the lease is one on the cache
        cache_.Filled(hold.column, lease->block_);
        scheduler_.DropPart(*std::exchange(hold.read, nullptr));
      } else if (source == BlockSource::kAdmit) {
        cache_.Drop(hold.column, lease->block_);
      }
      source = BlockSource::kDone;
      lease->cached_ &= hold.read == nullptr;
      lease->registered_ &= hold.read == nullptr
                                ? cache_.registered()
                                : scheduler_.buffers_registered() && hold.read->shared();
    }
  }
  WakeIfFreed();
}

void BlockPipeline::Return(const BlockLease::Release& release) {
  bool was_read = false;
  for (const BlockLease::Release::Hold& hold : release.holds) {
    if (hold.in_use && hold.read == nullptr) cache_.Unpin(hold.column, release.block);
    was_read |= hold.read != nullptr;
  }
  if (!was_read) return;
  {
    MutexLock lock(mutex_);
    for (const BlockLease::Release::Hold& hold : release.holds) {
      if (hold.read != nullptr) scheduler_.DropPart(*hold.read);
    }
  }
  WakeIfFreed();
}

void BlockPipeline::WakeIfFreed() {
  {
    MutexLock lock(mutex_);
    if (!scheduler_.MayRetryReads()) return;
  }
  engine_->Wake();
}

std::vector<BusySpan> BlockPipeline::DrainBusySpans() {
  MutexLock lock(mutex_);
  return scheduler_.reads().DrainBusySpans();
}

std::vector<uint64_t> BlockPipeline::CachedBlocks(std::span<const ColumnKind> columns) {
  std::vector<uint64_t> blocks;
  MutexLock lock(mutex_);
  if (!cache_.enabled()) return blocks;
  for (uint64_t block = 0; block < store_.blocks(columns[0]).size(); ++block) {
    if (std::all_of(columns.begin(), columns.end(),
                    [&](ColumnKind column) { return cache_.Has(column, block); })) {
      blocks.push_back(block);
    }
  }
  return blocks;
}

}  // namespace edgemill
