#include "loaders/stages/id_columns.h"

#include <algorithm>
#include <vector>

#include "loaders/encode/column_writer.h"
#include "storage/format/group_codec.h"

namespace edgemill {

Status WriteExternalIds(const IdRanks& ids, CompressionPolicy compression, GraphWriter& writer) {
  if (!ids.sparse()) return OkStatus();
  ColumnWriter column(writer, ColumnKind::kExternalIds, compression);
  std::vector<uint64_t> gaps;
  uint64_t previous = 0;
  const auto flush = [&]() -> Status {
    const auto count = static_cast<uint32_t>(gaps.size());
    if (count == 0) return OkStatus();
    const Status appended = column.Append(Codec::kRaw64Gaps, count, std::as_bytes(std::span(gaps)));
    gaps.clear();
    return appended;
  };
  RETURN_IF_ERROR(ids.VisitIds([&](uint64_t id) -> Status {
    // A block's first value is whole, so that blocks decode alone.
    gaps.push_back(gaps.empty() ? id : id - previous);
    previous = id;
    return gaps.size() == column.block_values() ? flush() : OkStatus();
  }));
  return flush();
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
