// Records of spills, and how a page of them is packed on its way to a temporary file.
//
// A page's records are sorted by the leading bits of their keys and packed with Elias-Fano coding:
// the low bits of each key are stored as they are, increases of the leading bits in unary code. A
// page of n records is sorted by about log2(n) leading bits. This takes two passes; what remains
// unsorted costs half a bit a key. docs/FORMAT.md describes the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace edgemill {

/// How weights are spilled beside their keys.
enum class SpilledWeight : uint8_t { kNone = 0, kInt32 = 1, kFloat32 = 2, kFloat64 = 3 };
constexpr uint32_t SpilledWeightBytes(SpilledWeight weight) {
  return weight == SpilledWeight::kNone ? 0 : weight == SpilledWeight::kFloat64 ? 8 : 4;
}

/// A record in memory: a key and, unless W is void, the weight behind it, without a gap.
template <typename W>
struct [[gnu::packed]] SpilledRecord {
  uint64_t key;
  W weight;
};
template <>
struct SpilledRecord<void> {
  uint64_t key;
};
constexpr uint32_t SpilledRecordBytes(SpilledWeight weight) {
  return static_cast<uint32_t>(sizeof(uint64_t)) + SpilledWeightBytes(weight);
}

/// Calls `visit` with a null pointer of the type of records with weights of `weight`.
template <typename Visit>
auto WithRecordType(SpilledWeight weight, Visit visit) {
  switch (weight) {
    case SpilledWeight::kInt32:
      return visit(static_cast<SpilledRecord<int32_t>*>(nullptr));
    case SpilledWeight::kFloat32:
      return visit(static_cast<SpilledRecord<float>*>(nullptr));
    case SpilledWeight::kFloat64:
      return visit(static_cast<SpilledRecord<double>*>(nullptr));
    case SpilledWeight::kNone:
      break;
  }
  return visit(static_cast<SpilledRecord<void>*>(nullptr));
}

/// Calls `visit(i, key, weight)` for each of the records in `bytes`. Without weights, `weight` is
/// 0.
template <typename Visit>
void VisitRecords(std::span<const std::byte> bytes, SpilledWeight weight, Visit visit) {
  WithRecordType(weight, [&]<typename R>(const R*) {
    const R* const records = reinterpret_cast<const R*>(bytes.data());
    for (size_t i = 0; i < bytes.size() / sizeof(R); ++i) {
      if constexpr (sizeof(R) == sizeof(uint64_t)) {
        visit(i, records[i].key, 0.0);
      } else {
        visit(i, records[i].key, static_cast<double>(records[i].weight));
      }
    }
  });
}

/// The most records that a page may hold.
inline constexpr uint64_t kMaxPageRecords = uint64_t{1} << 20;

/// The most bytes that `records` records can pack into: a multiple of 8.
uint64_t MaxPackedPageBytes(uint64_t records, SpilledWeight weight);

/// Packs `records`, the bytes of at least one and at most kMaxPageRecords records, to `out`, which
/// has MaxPackedPageBytes, and returns the bytes written: a multiple of 8. Equal keys keep their
/// order. `scratch` has twice the size of `records`. All are aligned to 8 bytes. About 5 ns a
/// record.
uint64_t PackPage(std::span<const std::byte> records, SpilledWeight weight,
                  std::span<std::byte> scratch, std::byte* out);

/// Undoes PackPage, except for the order: fills `records`. `packed` may hold anything: returns
/// false unless it is a page of exactly as many records. Both are aligned to 8 bytes, and
/// kDecodeSlackBytes behind `packed` can be read. About 2 ns a record.
bool UnpackPage(std::span<const std::byte> packed, SpilledWeight weight,
                std::span<std::byte> records);

}  // namespace edgemill
