#include "storage/read/block_opener.h"

#include <cstring>

#include "common/check.h"
#include "common/clock.h"

namespace edgemill {
namespace {

/// Adds the time that passes until its end to a counter.
class NanosecondsTo {
 public:
  explicit NanosecondsTo(std::atomic<uint64_t>& counter) : counter_(counter) {}
  ~NanosecondsTo() {
    counter_.fetch_add(static_cast<uint64_t>(watch_.seconds() * 1e9), std::memory_order_relaxed);
  }

 private:
  std::atomic<uint64_t>& counter_;
  const Stopwatch watch_;
};

}  // namespace

Status BadBlock(const GraphStore& store, ColumnKind column, uint64_t block, const Status& error) {
  const BlockLocation& location = store.blocks(column)[block];
  return error
      .WithMessage(StrCat(store.LocationText(column, location), ": ", error.message(),
                          ": restore the disk, or run `edgemill verify ", store.path(), "`"))
      .At(store.PlaceOf(column, block));
}

StatusOr<std::span<const std::byte>> BlockOpener::Open(ColumnKind column, uint64_t block,
                                                       const ReadInFlight& read,
                                                       const ReadPart& part, bool admit) const {
  const BlockLocation& location = store_.blocks(column)[block];
  CHECK_GE(location.offset(), read.plan.begin);  // a part lies in its read
  const std::span<const std::byte> stored =
      read.memory.subspan(location.offset() - read.plan.begin, location.stored_bytes);
  StatusOr<BlockHeader> checked = [&] {
    const NanosecondsTo time(stats_.check_ns);
    return CheckBlock(store_.identity(column, block), store_.block_contents(column, block),
                      location, stored);
  }();
  if (!checked.ok()) return BadBlock(store_, column, block, checked.status());
  const BlockHeader& header = *checked;
  const std::span<const std::byte> payload = StoredPayload(header, stored);
  if (header.compression == Compression::kNone) {
    if (!admit) return payload;
    const std::span<std::byte> kept = cache_.payload(column, block);
    CHECK_EQ(kept.size(), payload.size());  // the cache has room for the block that it admitted
    std::memcpy(kept.data(), payload.data(), payload.size());
    return std::span<const std::byte>(kept);
  }
  std::span<std::byte> out;
  if (admit) {
    out = cache_.payload(column, block);
  } else {
    const std::span<std::byte> scratch = read.memory.subspan(read.plan.scratch_begin());
    if (size_t{part.scratch} + header.payload_bytes > scratch.size()) {
      return BadBlock(store_, column, block,
                      BadDataError(StrCat("block ", block, " of ", ColumnName(column),
                                          ": compressed, yet not smaller")));
    }
    out = scratch.subspan(part.scratch, header.payload_bytes);
  }
  const NanosecondsTo time(stats_.decompress_ns);
  const Status status = DecompressPayload(header, stored, out);
  if (!status.ok()) return BadBlock(store_, column, block, status);
  return std::span<const std::byte>(out);
}

}  // namespace edgemill
