// Turns what was read of a block into its payload.
#pragma once

#include <cstdint>
#include <span>

#include "common/status.h"
#include "storage/read/block_cache.h"
#include "storage/read/block_reader.h"
#include "storage/read/stream_state.h"

namespace edgemill {

/// `error`, with the place of the block and what to do about it.
Status BadBlock(const GraphStore& store, ColumnKind column, uint64_t block, const Status& error);

/// Checks and decompresses blocks that were read. Thread-safe.
class BlockOpener {
 public:
  BlockOpener(const GraphStore& store, BlockCache& cache, BlockReaderStats& stats)
      : store_(store), cache_(cache), stats_(stats) {}

  /// The payload of a part of `read`: in the cache where it was admitted (`admit`), otherwise in
  /// the read's memory. BadDataError when the block is not what was written.
  StatusOr<std::span<const std::byte>> Open(ColumnKind column, uint64_t block,
                                            const ReadInFlight& read, const ReadPart& part,
                                            bool admit) const;

 private:
  const GraphStore& store_;
  BlockCache& cache_;
  BlockReaderStats& stats_;
};

}  // namespace edgemill
