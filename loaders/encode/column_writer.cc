#include "loaders/encode/column_writer.h"

#include <algorithm>

#include "common/check.h"
#include "storage/format/group_codec.h"

namespace edgemill {

BlockIdentity IdentityOf(const GraphWriter& writer, ColumnKind column, uint64_t block) {
  return {writer.uuid(), column, static_cast<uint32_t>(block / writer.page_blocks()), block};
}

SealedBlock ColumnSealer::Seal(const BlockIdentity& identity, const BlockContents& contents,
                               std::span<const std::byte> payload) {
  CHECK(contents.num_values > 0 && !payload.empty());
  SealedBlock block;
  block.stored.reserve(sizeof(BlockHeader) + payload.size() + kBlockAlignment);
  block.location = sealer_.Seal(identity, contents, payload, policy_, &block.stored);
  return block;
}

std::byte* ColumnWriter::Scratch(size_t bytes) {
  scratch_.resize(std::max(scratch_.size(), (bytes + kDecodeSlackBytes + 7) / 8));
  return reinterpret_cast<std::byte*>(scratch_.data());
}

Status ColumnWriter::Append(const BlockContents& contents, std::span<const std::byte> payload) {
  const BlockIdentity identity = IdentityOf(*writer_, column_, writer_->num_blocks(column_));
  SealedBlock sealed = sealer_.Seal(identity, contents, payload);
  return writer_->AppendBlock(column_, sealed.location, std::move(sealed.stored));
}

}  // namespace edgemill
