#include "loaders/stages/id_columns.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "common/check.h"
#include "common/threads/parallel.h"
#include "loaders/encode/column_writer.h"
#include "storage/format/group_codec.h"

namespace edgemill {

namespace {

/// The most blocks that are sealed at a time. Each takes up to twice its 8 bytes a value meanwhile.
constexpr int kMaxBlocks = 4;

/// Seals some blocks of a column at a time, on as many threads, and appends them.
class BlockTeam {
 public:
  BlockTeam(ColumnKind column, CompressionPolicy compression, int threads, GraphWriter& writer)
      : column_(column), writer_(writer) {
    const int most = std::clamp(threads, 1, kMaxBlocks);
    for (int i = 0; i < most; ++i) sealers_.emplace_back(compression);
  }

  /// How many blocks are sealed at a time.
  size_t size() const { return sealers_.size(); }

  /// Appends `count` blocks, at most size(), each as `seal(i, sealer, identity)` makes it.
  template <typename Seal>
  Status Append(size_t count, const Seal& seal) {
    CHECK_LE(count, size());
    const uint64_t first = writer_.num_blocks(column_);
    std::vector<SealedBlock> sealed(count);
    const auto seal_some = [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        sealed[i] = seal(i, sealers_[i], IdentityOf(writer_, column_, first + i));
      }
      return OkStatus();
    };
    RETURN_IF_ERROR(ParallelFor(count, 1, static_cast<int>(size()), seal_some));
    for (SealedBlock& block : sealed) {
      RETURN_IF_ERROR(writer_.AppendBlock(column_, block.location, std::move(block.stored)));
    }
    return OkStatus();
  }

 private:
  const ColumnKind column_;
  GraphWriter& writer_;
  std::deque<ColumnSealer> sealers_;
};

/// Blocks of rising ids.
class IdBlocks {
 public:
  IdBlocks(CompressionPolicy compression, int threads, GraphWriter& writer)
      : block_ids_(writer.block_edges()),
        team_(ColumnKind::kExternalIds, compression, threads, writer) {}

  Status Append(ExternalId id) {
    if (gaps_.empty() || gaps_.back().size() == block_ids_) {
      if (gaps_.size() == team_.size()) RETURN_IF_ERROR(Flush());
      gaps_.emplace_back().reserve(block_ids_);
    }
    // A block's first value is whole, so that blocks decode alone.
    gaps_.back().push_back(gaps_.back().empty() ? id : id - previous_);
    previous_ = id;
    return OkStatus();
  }

  Status Flush() {
    const auto seal = [&](size_t i, ColumnSealer& sealer, const BlockIdentity& identity) {
      return sealer.Seal(identity, {Codec::kRaw64Gaps, static_cast<uint32_t>(gaps_[i].size())},
                         std::as_bytes(std::span(gaps_[i])));
    };
    RETURN_IF_ERROR(team_.Append(gaps_.size(), seal));
    gaps_.clear();
    return OkStatus();
  }

 private:
  const size_t block_ids_;
  BlockTeam team_;
  std::vector<std::vector<uint64_t>> gaps_;
  ExternalId previous_ = 0;
};

}  // namespace

Status WriteExternalIds(const IdRanks& ids, CompressionPolicy compression, int threads,
                        GraphWriter& writer) {
  if (!ids.sparse()) return OkStatus();
  IdBlocks blocks(compression, threads, writer);
  RETURN_IF_ERROR(ids.VisitIds([&](ExternalId id) { return blocks.Append(id); }));
  return blocks.Flush();
}

Status WriteInternalOfRank(std::span<const uint32_t> internal_of_rank,
                           CompressionPolicy compression, int threads, GraphWriter& writer) {
  const size_t block_ids = writer.block_edges();
  BlockTeam team(ColumnKind::kInternalOfRank, compression, threads, writer);
  std::vector<std::vector<uint64_t>> payloads(
      team.size(),
      std::vector<uint64_t>((MaxPackedBytes(writer.block_edges()) + kDecodeSlackBytes) / 8));
  std::span<const uint32_t> rest = internal_of_rank;
  while (!rest.empty()) {
    const auto some = rest.first(std::min(rest.size(), team.size() * block_ids));
    const auto seal = [&](size_t i, ColumnSealer& sealer, const BlockIdentity& identity) {
      const auto own = some.subspan(i * block_ids);
      const auto values = own.first(std::min(own.size(), block_ids));
      std::byte* const payload = reinterpret_cast<std::byte*>(payloads[i].data());
      const size_t bytes = PackValues(values, payload);
      return sealer.Seal(identity, {Codec::kPackedValues, static_cast<uint32_t>(values.size())},
                         {payload, bytes});
    };
    RETURN_IF_ERROR(team.Append((some.size() + block_ids - 1) / block_ids, seal));
    rest = rest.subspan(some.size());
  }
  return OkStatus();
}

}  // namespace edgemill
