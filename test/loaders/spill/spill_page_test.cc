// Unpacking returns the records that were packed, whatever their keys. A packed page takes no more
// bytes than the range of its keys needs. Other bytes are refused.
#include "loaders/spill/spill_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "common/random.h"
#include "common/strings.h"
#include "loaders/spill/extent_allocator.h"
#include "storage/format/group_codec.h"

namespace edgemill {
namespace {

constexpr SpilledWeight kWeights[] = {SpilledWeight::kNone, SpilledWeight::kInt32,
                                      SpilledWeight::kFloat32, SpilledWeight::kFloat64};

struct Record {
  uint64_t key;
  double weight;
  bool operator==(const Record&) const = default;
};
using Records = std::vector<Record>;

std::vector<std::byte> BytesOf(const Records& records, SpilledWeight weight) {
  std::vector<std::byte> bytes(records.size() * SpilledRecordBytes(weight));
  WithRecordType(weight, [&]<typename R>(R*) {
    auto* const out = reinterpret_cast<R*>(bytes.data());
    for (size_t i = 0; i < records.size(); ++i) {
      out[i].key = records[i].key;
      if constexpr (sizeof(R) > sizeof(uint64_t)) {
        out[i].weight = static_cast<decltype(out[i].weight)>(records[i].weight);
      }
    }
  });
  return bytes;
}

/// The records, stably sorted by their keys.
Records Sorted(std::span<const std::byte> bytes, SpilledWeight weight) {
  Records records;
  VisitRecords(bytes, weight, [&](size_t, uint64_t key, double w) { records.push_back({key, w}); });
  std::stable_sort(records.begin(), records.end(),
                   [](const Record& a, const Record& b) { return a.key < b.key; });
  return records;
}

struct Packed {
  std::vector<uint64_t> words;
  uint64_t bytes = 0;
  std::span<const std::byte> span() const { return std::as_bytes(std::span(words)).first(bytes); }
};

Packed Pack(std::span<const std::byte> records, SpilledWeight weight) {
  const uint64_t max_bytes =
      MaxPackedPageBytes(records.size() / SpilledRecordBytes(weight), weight);
  std::vector<std::byte> scratch(2 * records.size());
  Packed packed{std::vector<uint64_t>((max_bytes + kDecodeSlackBytes) / 8)};
  packed.bytes =
      PackPage(records, weight, scratch, std::as_writable_bytes(std::span(packed.words)).data());
  EXPECT_LE(packed.bytes, max_bytes);
  EXPECT_EQ(packed.bytes % 8, 0u);
  return packed;
}

void ExpectPacks(const Records& records) {
  for (const SpilledWeight weight : kWeights) {
    SCOPED_TRACE(StrCat("weights ", static_cast<int>(weight)));
    const std::vector<std::byte> bytes = BytesOf(records, weight);
    const Packed packed = Pack(bytes, weight);
    std::vector<std::byte> unpacked(bytes.size());
    ASSERT_TRUE(UnpackPage(packed.span(), weight, unpacked));
    ASSERT_EQ(Sorted(unpacked, weight), Sorted(bytes, weight));
  }
}

/// `count` records whose keys are `key(i)`, with weights of both signs, small ones and large.
Records Make(size_t count, const std::function<uint64_t(size_t i)>& key) {
  Records records;
  for (size_t i = 0; i < count; ++i) {
    const auto weight = static_cast<int32_t>(Mix64(i) >> (i % 3 == 0 ? 32 : 56));
    records.push_back({key(i), static_cast<double>(weight)});
  }
  return records;
}

TEST(SpillPageTest, KeysOfAnyRangeComeBack) {
  for (const size_t count : {1, 2, 3, 63, 64, 65, 1000, 20'000}) {
    for (int bits = 0; bits <= 64; bits += count > 1000 ? 7 : 1) {
      SCOPED_TRACE(StrCat(count, " records of ", bits, " bits"));
      ExpectPacks(Make(
          count, [&](size_t i) { return bits == 0 ? 77 : Mix64(i * 64 + count) >> (64 - bits); }));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(SpillPageTest, HardKeysComeBack) {
  constexpr uint64_t kAll = ~uint64_t{0};
  const std::vector<std::pair<std::string, std::function<uint64_t(size_t)>>> keys = {
      {"rising", [](size_t i) { return i; }},
      {"falling", [](size_t i) { return kAll - i; }},
      {"both ends", [](size_t i) { return i % 2 == 0 ? 0 : kAll; }},
      {"one far from the others", [](size_t i) { return i == 500 ? kAll : i % 7; }},
      {"one source", [](size_t i) { return uint64_t{5} << 32 | Mix64(i) >> 32; }},
      {"one target", [](size_t i) { return Mix64(i) >> 32 << 32 | 5; }},
      {"the last id alone", [](size_t) { return kAll; }},
      {"loops", [](size_t i) { return i << 32 | i; }}};
  for (const auto& [name, key] : keys) {
    SCOPED_TRACE(name);
    for (const size_t count : {2, 1000, 100'000}) ExpectPacks(Make(count, key));
    if (HasFatalFailure()) return;
  }
}

/// Pages as in spills of large graphs: 2^17 edges in a range of 2^40 keys take 3.2 bytes each.
TEST(SpillPageTest, BytesFollowTheRange) {
  for (const int bits : {30, 40, 47}) {
    const size_t count = size_t{1} << 17;
    const int low = bits / 2;
    const Records records = Make(count, [&](size_t i) {
      const uint64_t key = Mix64(i) >> (64 - bits);
      return ((key >> low) + 1000) << 32 | (key & ((uint64_t{1} << low) - 1));
    });
    const Packed packed = Pack(BytesOf(records, SpilledWeight::kNone), SpilledWeight::kNone);
    EXPECT_LE(8.0 * static_cast<double>(packed.bytes) / static_cast<double>(count),
              bits - 16 + 1.52);
  }
  // Weights from 1 to 255 take a byte.
  const Records records = Make(87'000, [](size_t i) { return Mix64(i) >> 24; });
  Records small = records;
  for (size_t i = 0; i < small.size(); ++i) small[i].weight = static_cast<double>(1 + i % 255);
  EXPECT_LE(Pack(BytesOf(small, SpilledWeight::kInt32), SpilledWeight::kInt32).bytes,
            Pack(BytesOf(small, SpilledWeight::kNone), SpilledWeight::kNone).bytes + 95'000);
}

TEST(SpillPageTest, DamagedPagesAreRefused) {
  const Records records = Make(300, [](size_t i) { return Mix64(i) >> 20; });
  for (const SpilledWeight weight : kWeights) {
    const std::vector<std::byte> bytes = BytesOf(records, weight);
    const Packed packed = Pack(bytes, weight);
    std::vector<std::byte> unpacked(bytes.size());
    for (uint64_t size = 0; size < packed.bytes; size += 8) {
      EXPECT_FALSE(UnpackPage(packed.span().first(size), weight, unpacked)) << size;
    }
    for (const SpilledWeight other : kWeights) {
      EXPECT_EQ(other == weight, UnpackPage(packed.span(), other, unpacked));
    }
    const size_t record = SpilledRecordBytes(weight);
    EXPECT_FALSE(UnpackPage(packed.span(), weight, std::span(unpacked).first(299 * record)));
    // A checksum elsewhere detects flipped bits. Unpacking must only stay within its buffers.
    for (uint64_t bit = 0; bit < 8 * packed.bytes; bit += 13) {
      Packed flipped = packed;
      flipped.words[bit / 64] ^= uint64_t{1} << bit % 64;
      const bool taken = UnpackPage(flipped.span(), weight, unpacked);
      if (taken && bit >= 128) {
        EXPECT_EQ(Sorted(unpacked, weight).size(), records.size());
      }
    }
  }
}

TEST(FileRoomTest, GapsAreTakenAgainAndGrowTogether) {
  ExtentAllocator room;
  EXPECT_EQ(room.Allocate(100), 0u);
  EXPECT_EQ(room.Allocate(50), 100u);
  EXPECT_EQ(room.Allocate(30), 150u);
  room.Free({0, 100});
  EXPECT_EQ(room.Allocate(120), 180u);  // the gap is too small
  EXPECT_EQ(room.Allocate(40), 0u);
  room.Free({100, 50});  // beside the rest of the first gap
  EXPECT_EQ(room.Allocate(110), 40u);
  room.Free({40, 110});
  room.Free({0, 40});
  EXPECT_EQ(room.Allocate(150), 0u);
  EXPECT_EQ(room.end(), 300u);
  room.Restore({{200, 10}, {50, 20}, {60, 20}});
  EXPECT_EQ(room.Allocate(50), 0u);
  EXPECT_EQ(room.Allocate(120), 80u);
  EXPECT_EQ(room.Allocate(1), 210u);
}

}  // namespace
}  // namespace edgemill
