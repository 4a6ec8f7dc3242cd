// Blocks that BlockPipeline has handed out: what holds their memory, and giving them back.
#include <array>
#include <memory>
#include <utility>

#include "common/check.h"
#include "storage/read/block_pipeline.h"

namespace edgemill {

BlockLease BlockPipeline::EmptyLease(uint64_t block) {
  BlockLease lease;
  lease.block_ = block;
  lease.release_ = std::make_unique<BlockLease::Release>();
  lease.release_->pipeline = this;
  lease.release_->block = block;
  return lease;
}

BlockLease BlockPipeline::LeaseCached(const StreamState& stream, uint32_t index) {
  BlockLease lease = EmptyLease(stream.blocks[index]);
  lease.cached_ = true;
  lease.registered_ = cache_.registered();
  for (uint8_t column = 0; column < stream.num_columns; ++column) {
    const ColumnKind kind = stream.columns[column];
    lease.release_->holds[column] = {nullptr, kind, true};
    lease.payloads_[column] = cache_.payload(kind, lease.block_);
  }
  return lease;
}

StatusOr<BlockLease> BlockPipeline::MakeLease(StreamState& stream, uint32_t index,
                                              const PendingBlock& pending) {
  BlockLease lease = EmptyLease(stream.blocks[index]);
  BlockLease::Release& release = *lease.release_;
  lease.registered_ = lease.cached_ = true;
  Status status;
  std::array<bool, 2> kept{};
  for (uint8_t column = 0; column < stream.num_columns; ++column) {
    const ColumnKind kind = stream.columns[column];
    LiveRead* const read = pending.reads[column];
    release.holds[column] = {read, kind, true};
    if (read == nullptr) {
      lease.payloads_[column] = cache_.payload(kind, lease.block_);
      stats_.cache_hits.fetch_add(1, std::memory_order_relaxed);
      continue;
    }
    if (!status.ok()) continue;
    const bool admit = stream.source(index, column) == BlockSource::kAdmit;
    StatusOr<std::span<const std::byte>> payload =
        OpenPayload(kind, lease.block_, *read, *pending.parts[column], admit);
    if (payload.ok())
      lease.payloads_[column] = *payload;
    else
      status = payload.status();
    kept[column] = admit && payload.ok();
  }
  {
    MutexLock lock(mutex_);
    for (uint8_t column = 0; column < stream.num_columns; ++column) {
      BlockSource& source = stream.source(index, column);
      BlockLease::Release::Hold& hold = release.holds[column];
      if (kept[column]) {  // from here on the lease is one on the cache
        cache_.Filled(hold.column, lease.block_);
        DropPart(*std::exchange(hold.read, nullptr));
      } else if (source == BlockSource::kAdmit) {
        cache_.Drop(hold.column, lease.block_);
      }
      source = BlockSource::kDone;
      lease.cached_ &= hold.read == nullptr;
      lease.registered_ &= hold.read == nullptr
                               ? cache_.registered()
                               : registered_.registered() && hold.read->own.size() == 0;
    }
  }
  WakeIfStarved();
  if (!status.ok()) return status;
  return lease;
}

void BlockPipeline::DropPart(LiveRead& read) {
  CHECK_GT(read.users, 0u);
  if (--read.users == 0 && read.done) FreeRead(read);
}

void BlockPipeline::FreeRead(LiveRead& read) {
  if (read.stream != nullptr) {
    read.stream->reads.erase(read.id);
    if (read.own.size() == 0) read.stream->held_bytes -= read.memory.size();
  }
  if (read.own.size() == 0) buffers_.Free(read.memory);
  freed_ = true;
  live_.erase(read.id);
}

void BlockPipeline::WakeIfStarved() {
  {
    MutexLock lock(mutex_);
    if (!starved_ || !freed_) return;
    starved_ = false;
  }
  engine_->Wake();
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
      if (hold.read != nullptr) DropPart(*hold.read);
    }
  }
  WakeIfStarved();
}

}  // namespace edgemill
