#include "loaders/column_writer.h"

#include <algorithm>

namespace edgemill {
namespace {

/// Bytes of payload that are tried: repeats in web graphs lie within some lists of each other.
constexpr size_t kProbeBytes = 12288;
/// What a probe must save for the whole to be tried; less than kZstdMinimumSaving, since a short
/// piece repeats less.
constexpr double kProbeSaving = 0.05;

}  // namespace

SealedBlock ColumnSealer::Seal(const BlockIdentity& identity, Codec codec, uint32_t num_values,
                               std::span<const std::byte> payload) {
  CompressionPolicy policy = policy_;
  if (policy == CompressionPolicy::kWhereItPays && payload.size() > 3 * kProbeBytes) {
    const std::span<const std::byte> piece =
        payload.subspan((payload.size() - kProbeBytes) / 2, kProbeBytes);
    probe_.clear();
    sealer_.Seal(identity, codec, num_values, piece, policy, &probe_);
    const auto saved =
        static_cast<double>(kProbeBytes + sizeof(BlockHeader)) - static_cast<double>(probe_.size());
    if (saved < kProbeSaving * kProbeBytes) policy = CompressionPolicy::kNever;
  }
  SealedBlock block;
  block.stored.reserve(sizeof(BlockHeader) + payload.size() + kBlockAlignment);
  block.location = sealer_.Seal(identity, codec, num_values, payload, policy, &block.stored);
  return block;
}

std::byte* ColumnWriter::Scratch(size_t bytes) {
  scratch_.resize(std::max(scratch_.size(), (bytes + 7) / 8));
  return reinterpret_cast<std::byte*>(scratch_.data());
}

Status ColumnWriter::Append(Codec codec, uint32_t num_values, std::span<const std::byte> payload) {
  const uint64_t block = writer_->num_blocks(column_);
  const BlockIdentity identity{writer_->uuid(), column_,
                               static_cast<uint32_t>(block / writer_->page_blocks()), block};
  SealedBlock sealed = sealer_.Seal(identity, codec, num_values, payload);
  return writer_->AppendBlock(column_, sealed.location, std::move(sealed.stored));
}

}  // namespace edgemill
