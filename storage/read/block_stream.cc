// The callers' side of BlockPipeline: opening streams, taking blocks.
#include <algorithm>
#include <cstring>
#include <utility>

#include "common/cancel.h"
#include "common/check.h"
#include "common/clock.h"
#include "storage/io/patient_engine.h"
#include "storage/read/block_pipeline.h"

namespace edgemill {
namespace {

/// How often a waiting thread looks for cancellation and dead devices.
constexpr double kTickSeconds = 0.1;

uint64_t Nanoseconds(const Stopwatch& watch) {
  return static_cast<uint64_t>(watch.seconds() * 1e9);
}

/// Live ranges of memory that one stream may have when it cannot go on, for the proof in
/// FragmentationProof.
uint64_t MostHeldRanges(const GraphStore& store, size_t columns, int threads) {
  const uint64_t leases = columns * static_cast<uint64_t>(threads);
  // With one column a read's blocks can all be handed out; with two, each column and directory may
  // have a read that reaches past the last block whose other half has come (read_plan.h).
  const uint64_t directories = std::max<size_t>(1, store.data_directories().size());
  return columns == 1 ? leases : leases + columns * directories;
}

/// With k ranges held of at most m bytes each, some gap among the k + 1 is at least m long when the
/// arena has (2 k + 1) m.
uint64_t FragmentationProof(uint64_t held_ranges, uint64_t range_bytes) {
  return (2 * held_ranges + 1) * range_bytes;
}

}  // namespace

uint64_t BlockReader::MinimumBufferBytes(const GraphStore& store, int threads) {
  // Columns that are streamed together: neighbours and weights, or both id columns.
  const bool pairs =
      store.has(ColumnKind::kOutWeights) || store.has(ColumnKind::kInWeights) ||
      (store.has(ColumnKind::kExternalIds) && store.has(ColumnKind::kInternalOfRank));
  return RangeArena::kGuardBytes + FragmentationProof(MostHeldRanges(store, pairs ? 2 : 1, threads),
                                                      store.largest_read_bytes());
}

std::unique_ptr<StreamState> BlockPipeline::Open(std::span<const ColumnKind> columns,
                                                 std::vector<uint64_t> blocks, bool lookup) {
  auto stream = std::make_unique<StreamState>();
  StreamState& s = *stream;
  s.num_columns = static_cast<uint8_t>(columns.size());
  std::copy(columns.begin(), columns.end(), s.columns.begin());
  s.blocks = std::move(blocks);
  s.blocks_left = s.blocks.size();
  s.lookup = lookup;
  s.sources.resize(s.blocks.size() * columns.size(), BlockSource::kDisk);
  for (size_t i = 0; i < s.blocks.size(); ++i) {
    CHECK(i == 0 || s.blocks[i - 1] < s.blocks[i]);
    for (const ColumnKind column : columns) CHECK_LT(s.blocks[i], store_.blocks(column).size());
  }
  MutexLock lock(mutex_);
  s.error = broken_;
  ChooseSources(s);
  s.num_to_read = s.blocks.size() - s.cached_left;
  s.all_cached = s.error.ok() && s.num_to_read == 0;
  if (s.all_cached) return stream;
  // Reads are no longer than what lets every thread hold a lease and the next read still fit.
  const uint64_t fair =
      buffers_.size_bytes() /
      FragmentationProof(MostHeldRanges(store_, columns.size(), options_.threads), 1) / 4096 * 4096;
  s.planner = std::make_unique<ReadPlanner>(
      store_, columns, s.blocks, s.sources,
      ReadLimits{options_.max_read_bytes, fair, options_.max_gap_bytes});
  streams_.push_back(&s);
  engine_->Wake();
  return stream;
}

void BlockPipeline::ChooseSources(StreamState& stream) {
  if (!cache_.enabled()) return;
  const uint32_t num_blocks = static_cast<uint32_t>(stream.blocks.size());
  for (uint8_t column = 0; column < stream.num_columns; ++column) {
    if (!stream.lookup) cache_.BeginStream(stream.columns[column]);
  }
  // First all that is there counts as wanted; only then may room be made for more.
  for (uint32_t index = 0; index < num_blocks; ++index) {
    bool all = true;
    for (uint8_t column = 0; column < stream.num_columns; ++column) {
      const ColumnKind kind = stream.columns[column];
      const bool hit = stream.lookup ? cache_.Pin(kind, stream.blocks[index])
                                     : cache_.Want(kind, stream.blocks[index]);
      if (hit) stream.source(index, column) = BlockSource::kCache;
      all = all && hit;
    }
    stream.cached_left += all;
  }
  if (stream.lookup) return;
  for (uint32_t index = 0; index < num_blocks; ++index) {
    for (uint8_t column = 0; column < stream.num_columns; ++column) {
      BlockSource& source = stream.source(index, column);
      if (source == BlockSource::kDisk &&
          cache_.Admit(stream.columns[column], stream.blocks[index])) {
        source = BlockSource::kAdmit;
      }
    }
  }
}

void BlockPipeline::Close(StreamState& stream) {
  if (stream.all_cached) {
    const uint64_t taken = std::min<uint64_t>(stream.next_of_all, stream.blocks.size());
    stats_.cache_hits.fetch_add(taken * stream.num_columns, std::memory_order_relaxed);
    for (uint64_t index = taken; index < stream.blocks.size(); ++index) {
      for (uint8_t column = 0; column < stream.num_columns; ++column) {
        cache_.Unpin(stream.columns[column], stream.blocks[index]);
      }
    }
    return;
  }
  {
    MutexLock lock(mutex_);
    std::erase(streams_, &stream);
    for (auto& [id, read] : std::exchange(stream.reads, {})) {
      read->stream = nullptr;
    }
    // Parts that were never handed out: those of blocks still pending, and of reads still under
    // way.
    for (auto& [index, pending] : stream.pending) {
      for (LiveRead* const read : pending.reads) {
        if (read != nullptr) DropPart(*read);
      }
    }
    for (auto& [id, read] : live_) {
      if (read->stream == nullptr && !read->done) read->users = 0;
    }
    for (uint32_t index = 0; index < stream.blocks.size(); ++index) {
      for (uint8_t column = 0; column < stream.num_columns; ++column) {
        const BlockSource source = stream.source(index, column);
        if (source == BlockSource::kCache)
          cache_.Unpin(stream.columns[column], stream.blocks[index]);
        if (source == BlockSource::kAdmit)
          cache_.Drop(stream.columns[column], stream.blocks[index]);
      }
    }
  }
  WakeIfStarved();
}

Status BlockPipeline::CheckStalled(const StreamState& stream) {
  const double now = patience_.Now();
  for (const auto& [id, read] : stream.reads) {
    if (read->done || now - read->start < options_.stall_seconds) continue;
    stalled_ = true;
    return StallError(IoRequest::Op::kRead, store_.segments()[read->plan.segment].file.path(),
                      read->plan.begin, read->plan.extent_bytes(), options_.stall_seconds);
  }
  return OkStatus();
}

Status BlockPipeline::AwaitChange(StreamState& stream) {
  const Stopwatch watch;
  if (starved_ && stream.in_flight == 0) {
    // With nothing ready or coming this stream may now take what its fair share forbade before, and
    // its I/O thread sleeps: nothing else might tell it so.
    starved_ = false;
    engine_->Wake();
  }
  ++stream.waiting_threads;
  const bool changed = stream.changed.WaitFor(mutex_, kTickSeconds, WaitCause::kDisk);
  --stream.waiting_threads;
  stats_.wait_ns.fetch_add(Nanoseconds(watch), std::memory_order_relaxed);
  return changed ? OkStatus() : CheckStalled(stream);
}

std::optional<uint32_t> BlockPipeline::TakeIndex(StreamState& stream) {
  std::optional<uint32_t> index;
  if (!stream.ready.empty()) {
    index = stream.ready.front();
    stream.ready.pop_front();
  } else if (stream.cached_left > 0) {
    const auto is_cached = [&](uint32_t i) {
      for (uint8_t column = 0; column < stream.num_columns; ++column) {
        if (stream.source(i, column) != BlockSource::kCache) return false;
      }
      return true;
    };
    while (!is_cached(stream.next_cached)) ++stream.next_cached;
    index = stream.next_cached++;
    --stream.cached_left;
  }
  if (index.has_value() && --stream.blocks_left == 0) stream.changed.NotifyAll();
  return index;
}

StatusOr<std::optional<BlockLease>> BlockPipeline::Next(StreamState& stream) {
  if (stream.all_cached) {
    RETURN_IF_ERROR(CheckCancelled());
    const uint64_t next = stream.next_of_all.fetch_add(1, std::memory_order_relaxed);
    if (next >= stream.blocks.size()) return std::optional<BlockLease>();
    return std::optional<BlockLease>(LeaseCached(stream, static_cast<uint32_t>(next)));
  }
  uint32_t index = 0;
  bool cached = false;
  PendingBlock pending;
  {
    MutexLock lock(mutex_);
    while (true) {
      if (Status status = CheckCancelled(); !status.ok()) Fail(stream, std::move(status));
      if (!stream.error.ok()) return stream.error;
      const std::optional<uint32_t> taken = TakeIndex(stream);
      if (taken.has_value()) {
        index = *taken;
        break;
      }
      if (stream.blocks_left == 0) return std::optional<BlockLease>();
      if (Status status = AwaitChange(stream); !status.ok()) Fail(stream, std::move(status));
    }
    const auto found = stream.pending.extract(index);
    if (found.empty()) {  // nothing of it is read
      for (uint8_t column = 0; column < stream.num_columns; ++column) {
        stream.source(index, column) = BlockSource::kDone;
      }
      cached = true;
    } else {
      pending = found.mapped();
    }
    for (LiveRead* const read : pending.reads) {
      if (read != nullptr) read->touched = true;
    }
  }
  if (cached) {
    stats_.cache_hits.fetch_add(stream.num_columns, std::memory_order_relaxed);
    return std::optional<BlockLease>(LeaseCached(stream, index));
  }
  StatusOr<BlockLease> lease = MakeLease(stream, index, pending);
  if (lease.ok()) return std::optional<BlockLease>(std::move(lease).value());
  MutexLock lock(mutex_);
  Fail(stream, lease.status());
  return stream.error;
}

std::vector<BusySpan> BlockPipeline::TakeBusySpans() {
  MutexLock lock(mutex_);
  return std::exchange(busy_, {});
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

Status BlockPipeline::OpenBad(const Status& status, ColumnKind column, uint64_t block) const {
  const BlockLocation& location = store_.blocks(column)[block];
  return status
      .WithMessage(StrCat(store_.Place(column, location), ": ", status.message(),
                          ": restore the disk, or run `edgemill verify ", store_.path(), "`"))
      .At(store_.PlaceOf(column, block));
}

StatusOr<std::span<const std::byte>> BlockPipeline::OpenPayload(ColumnKind column, uint64_t block,
                                                                const LiveRead& read,
                                                                const ReadPart& part, bool admit) {
  const BlockLocation& location = store_.blocks(column)[block];
  const std::span<const std::byte> stored =
      read.memory.subspan(location.offset() - read.plan.begin, location.stored_bytes);
  Stopwatch watch;
  StatusOr<BlockHeader> checked = CheckBlock(
      store_.identity(column, block), store_.block_contents(column, block), location, stored);
  stats_.check_ns.fetch_add(Nanoseconds(watch), std::memory_order_relaxed);
  if (!checked.ok()) return OpenBad(checked.status(), column, block);
  const BlockHeader& header = *checked;
  const std::span<const std::byte> payload = StoredPayload(header, stored);
  if (header.compression == Compression::kNone) {
    if (!admit) return payload;
    const std::span<std::byte> kept = cache_.payload(column, block);
    std::memcpy(kept.data(), payload.data(), payload.size());
    return std::span<const std::byte>(kept);
  }
  std::span<std::byte> out;
  if (admit) {
    out = cache_.payload(column, block);
  } else {
    const std::span<std::byte> scratch = read.memory.subspan(read.plan.scratch_begin());
    if (size_t{part.scratch} + header.payload_bytes > scratch.size()) {
      return OpenBad(BadDataError(StrCat("block ", block, " of ", ColumnName(column),
                                         ": compressed, yet not smaller")),
                     column, block);
    }
    out = scratch.subspan(part.scratch, header.payload_bytes);
  }
  watch.Restart();
  const Status status = DecompressPayload(header, stored, out);
  stats_.decompress_ns.fetch_add(Nanoseconds(watch), std::memory_order_relaxed);
  if (!status.ok()) return OpenBad(status, column, block);
  return std::span<const std::byte>(out);
}

}  // namespace edgemill
