// Reads pages of a stream from their file.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "common/buffer.h"
#include "common/status.h"
#include "loaders/spill/page_table.h"
#include "loaders/spill/spill_files.h"

namespace edgemill {

/// Reads and checks pages of a stream of `size` bytes. Files are not trusted: checksums find pages
/// that are damaged, stale or of another stream. Has the memory for one read. Not thread-safe.
class PageReader {
 public:
  PageReader(SpillFiles& files, const PageTable& table, uint64_t size)
      : files_(files),
        table_(table),
        layout_(table.layout()),
        page_bytes_(layout_.page_bytes()),
        size_(size) {}

  /// Reads bytes at `offset` of the stream. `pages` lie one after the other in their file, and the
  /// first has the offset. Returns how many bytes of `into` they fill. BadDataError when the bytes
  /// are not those that were written. Other errors are those of TransferPool.
  StatusOr<uint64_t> Read(const std::vector<SpilledPage>& pages, uint64_t offset,
                          std::span<std::byte> into);
  /// The error for bytes at `offset`. `what` says what is wrong with them.
  Status BadAt(uint64_t offset, std::string_view what) const;

 private:
  /// Fills `into` from pages that are not packed.
  Status ReadAsIs(const SpilledPage& first, uint64_t offset, std::span<std::byte> into);
  /// The same for whole chunks, each of which has a checksum.
  Status ReadChunks(const SpilledPage& first, uint64_t offset, std::span<std::byte> into);
  /// Reads packed pages, all of them in one read.
  StatusOr<uint64_t> ReadPacked(const std::vector<SpilledPage>& pages, uint64_t offset,
                                std::span<std::byte> into);
  /// Unpacks `bytes`, a page of `size` bytes, and copies its bytes from `inside` on to `part`.
  /// False when `bytes` cannot be unpacked.
  StatusOr<bool> Unpack(std::span<const std::byte> bytes, uint64_t size, uint64_t inside,
                        std::span<std::byte> part);

  SpillFiles& files_;
  const PageTable& table_;
  const PageLayout& layout_;  // the table's
  const uint64_t page_bytes_;
  const uint64_t size_;
  Buffer cover_;  // memory for packed pages, or for a chunk of which a part is wanted
  Buffer page_;   // memory for an unpacked page of which a part is wanted
};

}  // namespace edgemill
