// Appends payloads to one column of a graph as sealed blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/status.h"
#include "storage/format/block_format.h"
#include "storage/write/graph_writer.h"

namespace edgemill {

/// A block that is sealed in memory and not appended yet.
struct SealedBlock {
  BlockLocation location;
  std::vector<std::byte> stored;
};

/// The identity of the block with number `block` of `column`.
BlockIdentity IdentityOf(const GraphWriter& writer, ColumnKind column, uint64_t block);

/// Seals blocks of one column. Each thread has its own.
class ColumnSealer {
 public:
  explicit ColumnSealer(CompressionPolicy policy) : policy_(policy) {}
  SealedBlock Seal(const BlockIdentity& identity, const BlockContents& contents,
                   std::span<const std::byte> payload);

 private:
  CompressionPolicy policy_;
  BlockSealer sealer_;
};

/// Appends one column's blocks in order, from the writer's next block number on. Not thread-safe.
class ColumnWriter {
 public:
  ColumnWriter(GraphWriter& writer, ColumnKind column, CompressionPolicy policy)
      : writer_(&writer), column_(column), sealer_(policy) {}

  uint32_t block_values() const { return writer_->block_edges(); }
  /// Memory for a payload of up to `bytes`, aligned to 8 bytes, valid until the next call.
  std::byte* Scratch(size_t bytes);
  /// Seals `payload` as the next block and appends it.
  Status Append(const BlockContents& contents, std::span<const std::byte> payload);

 private:
  GraphWriter* writer_;
  ColumnKind column_;
  ColumnSealer sealer_;
  std::vector<uint64_t> scratch_;
};

}  // namespace edgemill
