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

/// Reads and checks pages of a stream of `size` bytes. What was written is trusted no more than a
/// block: a page that is damaged, stale or another's is found by its checksums. Has the memory of
/// one read; not thread-safe.
class PageReader {
 public:
  PageReader(SpillFiles& files, const PageTable& table, uint64_t size)
      : files_(files),
        table_(table),
        layout_(table.layout()),
        page_bytes_(layout_.page_bytes()),
        size_(size) {}

  /// Reads bytes at `offset` of the stream. `pages`, the first of which has the offset, lie one
  /// after the other in their file. Returns how many bytes they had of what is wanted. BadDataError
  /// when they are not what was written; errors as TransferPool's.
  StatusOr<uint64_t> Read(const std::vector<SpilledPage>& pages, uint64_t offset,
                          std::span<std::byte> into);
  /// The error of bytes at `offset`; `what` is wrong with them.
  Status BadAt(uint64_t offset, std::string_view what) const;

 private:
  /// Reads all of `into` from pages that are in their file as they are.
  Status ReadAsIs(const SpilledPage& first, uint64_t offset, std::span<std::byte> into);
  /// The same of whole checked chunks, but for the stream's end.
  Status ReadChunks(const SpilledPage& first, uint64_t offset, std::span<std::byte> into);
  /// Reads packed records: each page with what follows it in the file in one read.
  StatusOr<uint64_t> ReadPacked(const std::vector<SpilledPage>& pages, uint64_t offset,
                                std::span<std::byte> into);
  /// Puts the bytes `inside` on of a page that has `size`, read as `bytes`, into `part`; false when
  /// they cannot be unpacked.
  StatusOr<bool> Unpack(std::span<const std::byte> bytes, uint64_t size, uint64_t inside,
                        std::span<std::byte> part);

  SpillFiles& files_;
  const PageTable& table_;
  const PageLayout& layout_;  // the table's
  const uint64_t page_bytes_;
  const uint64_t size_;
  Buffer cover_;  // what packed pages are read to
  Buffer page_;   // what one is unpacked to, of which a part is wanted
};

}  // namespace edgemill
