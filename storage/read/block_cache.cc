#include "storage/read/block_cache.h"

#include <algorithm>

#include "common/check.h"

namespace edgemill {
uint64_t BlockCache::PayloadBytes(const GraphStore& store, uint64_t bytes) {
  constexpr uint64_t kMaxBytes = (uint64_t{1} << 32) * kUnitBytes - kUnitBytes;  // 32-bit places
  uint64_t all = 0;
  for (int column = 0; column < kNumColumns; ++column) {
    for (const BlockLocation& location : store.blocks(static_cast<ColumnKind>(column))) {
      all += RoundUp(location.payload_bytes);
    }
  }
  return std::min({bytes, all, kMaxBytes});
}

uint64_t BlockCache::IndexBytes(const GraphStore& store) {
  uint64_t blocks = 0;
  for (int column = 0; column < kNumColumns; ++column) {
    blocks += store.column(static_cast<ColumnKind>(column)).num_blocks;
  }
  return blocks * sizeof(Entry);
}

StatusOr<BlockCache> BlockCache::Create(const GraphStore& store, uint64_t bytes,
                                        MemoryRegistrar* registrar) {
  BlockCache cache;
  cache.store_ = &store;
  if (bytes == 0) return cache;
  ASSIGN_OR_RETURN(cache.arena_, RangeArena::Create(PayloadBytes(store, bytes), kUnitBytes));
  ASSIGN_OR_RETURN(cache.registered_, RegisteredMemory::Register(registrar, cache.arena_.memory()));
  for (size_t column = 0; column < kNumColumns; ++column) {
    cache.entries_[column].resize(store.blocks(static_cast<ColumnKind>(column)).size());
    cache.num_entries_ += cache.entries_[column].size();
  }
  return cache;
}

void BlockCache::BeginStream(ColumnKind column) {
  ++streams_[static_cast<size_t>(column)];
  scan_left_ = num_entries_;
  failures_ = 0;
}

bool BlockCache::Want(ColumnKind column, uint64_t block) {
  if (!Pin(column, block)) return false;
  entry(column, block).wanted = streams_[static_cast<size_t>(column)];
  return true;
}

bool BlockCache::Pin(ColumnKind column, uint64_t block) {
  if (!enabled()) return false;
  Entry& e = entry(column, block);
  if (!e.filled()) return false;
  e.Add(Entry::kPin);
  return true;
}

bool BlockCache::Admit(ColumnKind column, uint64_t block) {
  if (!enabled() || failures_ >= kMaxFailures) return false;
  Entry& e = entry(column, block);
  if (e.place != kNowhere) return false;
  const uint64_t bytes = RoundUp(store_->blocks(column)[block].payload_bytes);
  std::span<std::byte> range = arena_.Allocate(bytes);
  while (range.empty() && EvictOne()) range = arena_.Allocate(bytes);
  if (range.empty()) {
    ++failures_;
    return false;
  }
  CHECK(!e.filled() && !e.pinned());
  e.place = static_cast<uint32_t>((range.data() - arena_.memory().data()) / kUnitBytes);
  e.wanted = streams_[static_cast<size_t>(column)];
  e.Add(Entry::kPin);
  return true;
}

bool BlockCache::EvictOne() {
  for (; scan_left_ > 0; --scan_left_) {
    if (scan_block_ >= entries_[scan_column_].size()) {
      scan_block_ = 0;
      // Some column has entries, as scan_left_ is not 0.
      do scan_column_ = (scan_column_ + 1) % kNumColumns;
      while (entries_[scan_column_].empty());
    }
    const ColumnKind column = static_cast<ColumnKind>(scan_column_);
    const uint64_t block = scan_block_++;
    Entry& e = entry(column, block);
    if (!e.filled() || e.pinned() || uint64_t{e.wanted} + 2 > streams_[scan_column_]) continue;
    arena_.Free(BytesOf(column, block));
    e = Entry{};
    --scan_left_;
    return true;
  }
  return false;
}

void BlockCache::Filled(ColumnKind column, uint64_t block) {
  Entry& e = entry(column, block);
  CHECK(e.place != kNowhere && !e.filled());
  e.Add(Entry::kFilled);
}

void BlockCache::Drop(ColumnKind column, uint64_t block) {
  Entry& e = entry(column, block);
  CHECK(e.place != kNowhere && !e.filled());
  arena_.Free(BytesOf(column, block));
  e = Entry{};
}

void BlockCache::Unpin(ColumnKind column, uint64_t block) {
  CHECK_GE(entry(column, block).ReleasePin(), Entry::kPin);
}

std::span<std::byte> BlockCache::BytesOf(ColumnKind column, uint64_t block) {
  CHECK(entry(column, block).place != kNowhere);  // admitted, and not evicted
  const uint64_t offset = uint64_t{entry(column, block).place} * kUnitBytes;
  return arena_.memory().subspan(offset, RoundUp(store_->blocks(column)[block].payload_bytes));
}

std::span<std::byte> BlockCache::payload(ColumnKind column, uint64_t block) {
  return BytesOf(column, block).first(store_->blocks(column)[block].payload_bytes);
}

}  // namespace edgemill
