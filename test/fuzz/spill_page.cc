// Arbitrary bytes as a page of spilled records. A page that is packed comes back when it is
// unpacked. Other bytes are refused, or give records that can be packed.
#include "loaders/spill/spill_page.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "common/check.h"
#include "storage/format/group_codec.h"
#include "test/fuzz/targets.h"

namespace edgemill {
namespace {

using Words = std::vector<uint64_t>;  // 8-byte aligned bytes

std::span<std::byte> BytesOf(Words& words) { return std::as_writable_bytes(std::span(words)); }

/// The records, stably sorted by their keys.
std::vector<std::string> Sorted(std::span<const std::byte> records, uint32_t record_bytes) {
  std::vector<std::string> sorted;
  for (size_t at = 0; at < records.size(); at += record_bytes) {
    sorted.emplace_back(reinterpret_cast<const char*>(records.data() + at), record_bytes);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const std::string& a, const std::string& b) {
    uint64_t keys[2];
    std::memcpy(&keys[0], a.data(), sizeof(uint64_t));
    std::memcpy(&keys[1], b.data(), sizeof(uint64_t));
    return keys[0] < keys[1];
  });
  return sorted;
}

void PackAndUnpack(std::span<const std::byte> records, SpilledWeight weight) {
  const uint32_t record_bytes = SpilledRecordBytes(weight);
  const uint64_t most = MaxPackedPageBytes(records.size() / record_bytes, weight);
  Words scratch(records.size() / 4 + 1), packed((most + kDecodeSlackBytes) / 8),
      unpacked(records.size() / 8 + 1);
  const uint64_t size = PackPage(records, weight, BytesOf(scratch), BytesOf(packed).data());
  CHECK_LE(size, most);
  const auto back = BytesOf(unpacked).first(records.size());
  CHECK(UnpackPage(BytesOf(packed).first(size), weight, back));
  CHECK(Sorted(back, record_bytes) == Sorted(records, record_bytes));
}

}  // namespace

void FuzzSpillPage(FuzzInput data) {
  if (data.empty()) return;
  const auto weight = static_cast<SpilledWeight>(data[0] % 4);
  const bool is_packed = data[0] >= 128;
  data = data.subspan(1);
  const uint32_t record_bytes = SpilledRecordBytes(weight);
  if (!is_packed) {
    data = data.first(data.size() / record_bytes * record_bytes);
    Words records(data.size() / sizeof(uint64_t) + 1);
    std::ranges::copy(std::as_bytes(data), BytesOf(records).begin());
    if (!data.empty()) PackAndUnpack(BytesOf(records).first(data.size()), weight);
    return;
  }
  Words packed((data.size() + kDecodeSlackBytes + 7) / 8);
  std::ranges::copy(std::as_bytes(data), BytesOf(packed).begin());
  uint32_t count = 0;
  std::memcpy(&count, packed.data(), std::min(data.size(), sizeof(count)));
  count %= 1 << 14;
  Words records((size_t{count} * record_bytes + 7) / 8);
  const auto unpacked = BytesOf(records).first(size_t{count} * record_bytes);
  if (!UnpackPage(BytesOf(packed).first(data.size()), weight, unpacked)) return;
  PackAndUnpack(unpacked, weight);
}

}  // namespace edgemill
