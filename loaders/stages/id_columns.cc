#include "loaders/stages/id_columns.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "common/parallel.h"
#include "loaders/encode/column_writer.h"
#include "storage/format/group_codec.h"

namespace edgemill {

namespace {

/// Sealed side by side. Each takes up to twice its 8 bytes a value meanwhile.
constexpr int kMostBlocks = 4;

/// Seals some blocks of ids at a time, on as many threads, and appends them.
class IdBlocks {
 public:
  IdBlocks(CompressionPolicy compression, int threads, GraphWriter& writer) : writer_(writer) {
    const int most = std::clamp(threads, 1, kMostBlocks);
    for (int i = 0; i < most; ++i) sealers_.emplace_back(compression);
  }

  Status Append(ExternalId id) {
    if (gaps_.empty() || gaps_.back().size() == writer_.block_edges()) {
      if (gaps_.size() == sealers_.size()) RETURN_IF_ERROR(Flush());
      gaps_.emplace_back().reserve(writer_.block_edges());
    }
    // A block's first value is whole, so that blocks decode alone.
    gaps_.back().push_back(gaps_.back().empty() ? id : id - previous_);
    previous_ = id;
    return OkStatus();
  }

  Status Flush() {
    const ColumnKind column = ColumnKind::kExternalIds;
    const uint64_t first = writer_.num_blocks(column);
    std::vector<SealedBlock> sealed(gaps_.size());
    const auto seal = [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        sealed[i] = sealers_[i].Seal(IdentityOf(writer_, column, first + i), Codec::kRaw64Gaps,
                                     static_cast<uint32_t>(gaps_[i].size()),
                                     std::as_bytes(std::span(gaps_[i])));
      }
      return OkStatus();
    };
    RETURN_IF_ERROR(ParallelFor(gaps_.size(), 1, static_cast<int>(sealers_.size()), seal));
    for (SealedBlock& block : sealed) {
      RETURN_IF_ERROR(writer_.AppendBlock(column, block.location, std::move(block.stored)));
    }
    gaps_.clear();
    return OkStatus();
  }

 private:
  GraphWriter& writer_;
  std::deque<ColumnSealer> sealers_;
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
                           CompressionPolicy compression, GraphWriter& writer) {
  ColumnWriter column(writer, ColumnKind::kInternalOfRank, compression);
  std::span<const uint32_t> rest = internal_of_rank;
  while (!rest.empty()) {
    const auto values = rest.first(std::min<size_t>(rest.size(), column.block_values()));
    const auto count = static_cast<uint32_t>(values.size());
    std::byte* const payload = column.Scratch(MaxPackedBytes(count));
    const size_t bytes = PackValues(values, payload);
    RETURN_IF_ERROR(column.Append(Codec::kPackedValues, count, {payload, bytes}));
    rest = rest.subspan(values.size());
  }
  return OkStatus();
}

}  // namespace edgemill
