// The columns that translate between the input's ids and the graph's.
#include <algorithm>

#include "loaders/encode/column_writer.h"
#include "loaders/ingest/ingest_job.h"
#include "storage/format/group_codec.h"

namespace edgemill {

Status IngestJob::WriteExternalIds() {
  if (!ids_.sparse()) return OkStatus();
  ColumnWriter writer(writer_, ColumnKind::kExternalIds, options_.compression);
  std::vector<uint64_t> gaps;
  uint64_t previous = 0;
  const auto flush = [&]() -> Status {
    const auto count = static_cast<uint32_t>(gaps.size());
    if (count == 0) return OkStatus();
    const Status appended = writer.Append(Codec::kRaw64Gaps, count, std::as_bytes(std::span(gaps)));
    gaps.clear();
    return appended;
  };
  RETURN_IF_ERROR(ids_.VisitIds([&](uint64_t id) -> Status {
    // A block's first value is whole, so that blocks decode alone.
    gaps.push_back(gaps.empty() ? id : id - previous);
    previous = id;
    return gaps.size() == writer.block_values() ? flush() : OkStatus();
  }));
  return flush();
}

Status IngestJob::WriteInternalOfRank() {
  ColumnWriter writer(writer_, ColumnKind::kInternalOfRank, options_.compression);
  std::span<const uint32_t> rest = internal_of_rank_.span();
  while (!rest.empty()) {
    const auto values = rest.first(std::min<size_t>(rest.size(), writer.block_values()));
    const auto count = static_cast<uint32_t>(values.size());
    std::byte* const payload = writer.Scratch(MaxPackedBytes(count));
    const size_t bytes = PackValues(values, payload);
    RETURN_IF_ERROR(writer.Append(Codec::kPackedValues, count, {payload, bytes}));
    rest = rest.subspan(values.size());
  }
  return OkStatus();
}

}  // namespace edgemill
