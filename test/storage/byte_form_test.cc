// Packed payloads come back from their byte forms bit for bit. Bytes that are no byte form are
// refused.
#include "storage/format/byte_form.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "common/random.h"
#include "storage/format/block_format.h"
#include "test/graphs/packed_payload.h"

namespace edgemill {
namespace {

void ExpectComesBack(const PackedPayload& packed) {
  const PackedView view = packed.view();
  const auto payload = packed.bytes();
  std::vector<std::byte> form_memory;
  const auto form = MakeByteForm(view, 0, view.num_groups(), &form_memory);
  ASSERT_LE(form.size(), MaxByteFormBytes(view.num_values()));
  // The memory is exactly as large as the payload, so that sanitizers find writes beyond it.
  std::vector<uint32_t> memory(payload.size() / 4);
  const std::span<std::byte> back(reinterpret_cast<std::byte*>(memory.data()), payload.size());
  const Status status = RebuildPacked(form, view.num_values(), back);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_TRUE(std::equal(payload.begin(), payload.end(), back.begin()));
}

TEST(ByteForm, ValuesOfEveryWidthComeBack) {
  Random random(1);
  for (uint32_t bits = 0; bits <= 32; ++bits) {
    for (const uint32_t count : {1u, 127u, 128u, 129u, 1000u}) {
      for (const uint32_t rare : {2u, 10u, 1000000u}) {
        const auto packed = PackedPayload::OfValues(RandomValues(random, count, bits, rare));
        ExpectComesBack(packed);
      }
    }
  }
}

TEST(ByteForm, NumbersAroundEveryLengthComeBack) {
  std::vector<uint32_t> values;
  for (const uint32_t edge : {0u, 251u, 252u, 255u, 256u, 65535u, 65536u, 0xffffffu, 0x1000000u}) {
    for (uint32_t step = 0; step < 3; ++step) values.push_back(edge + step - (edge > 0 ? 1 : 0));
  }
  values.push_back(0xffffffffu);
  for (size_t zeros = 0; zeros < 200; zeros += 40) {  // at widths from 32 down to 0
    const auto packed = PackedPayload::OfValues(values);
    ExpectComesBack(packed);
    values.insert(values.end(), 40, 0);
  }
}

TEST(ByteForm, ListsAndOffsetsComeBack) {
  Random random(2);
  std::vector<uint64_t> edges(5000);
  for (uint64_t& edge : edges) edge = random.Below(100) << 32 | random.Below(1 << 28);
  std::sort(edges.begin(), edges.end());
  ExpectComesBack(PackedPayload::OfNeighbors(edges));
  std::vector<uint32_t> offsets(5000);
  for (size_t i = 0; i < offsets.size(); ++i) offsets[i] = uint32_t(0xfffff000 + i * 7);
  ExpectComesBack(PackedPayload::OfAscending(offsets, 0xffffeff0));
}

TEST(ByteForm, DamagedByteFormsAreRefused) {
  Random random(3);
  const auto packed = PackedPayload::OfValues(RandomValues(random, 1000, 5, 10));
  std::vector<std::byte> form_memory;
  const auto form = MakeByteForm(packed.view(), 0, packed.view().num_groups(), &form_memory);
  std::vector<uint64_t> memory(packed.size() / 8 + 2);
  const auto rebuilds = [&](std::span<const std::byte> bytes, uint32_t num_values, size_t size) {
    return RebuildPacked(bytes, num_values, {reinterpret_cast<std::byte*>(memory.data()), size})
        .ok();
  };
  ASSERT_TRUE(rebuilds(form, 1000, packed.size()));
  EXPECT_FALSE(rebuilds(form, 1000, packed.size() - 4));
  EXPECT_FALSE(rebuilds(form, 1000, packed.size() + 4));
  EXPECT_FALSE(rebuilds(form, 1000, 4));
  EXPECT_FALSE(rebuilds(form, 2000, packed.size()));
  EXPECT_FALSE(rebuilds(form, 100, packed.size()));
  for (size_t size = 0; size < form.size(); ++size) {
    ASSERT_FALSE(rebuilds(form.first(size), 1000, packed.size())) << size;
  }
  for (const int width : {31, 33, 255}) {
    form_memory[0] = std::byte(width);
    EXPECT_FALSE(rebuilds(form, 1000, packed.size())) << width;
  }
  // 128 values that exceed a width of 0 are more exceptions than a header can count.
  std::fill_n(form_memory.begin(), 1 + 129, std::byte{9});
  form_memory[0] = std::byte{0};
  EXPECT_FALSE(rebuilds(form.first(1 + 129), 128, 8 + 4 * ((128 * (7 + 4) + 31) / 32)));
}

/// Seals `packed` and opens it again; returns how it was stored.
Compression SealAndOpen(const PackedPayload& packed) {
  const auto payload = packed.bytes();
  const BlockIdentity identity{Uuid{}, ColumnKind::kOutNeighbors, 0, 0};
  std::vector<std::byte> stored;
  const BlockContents contents{Codec::kPackedNeighbors, packed.num_values()};
  const BlockLocation location =
      BlockSealer().Seal(identity, contents, payload, CompressionPolicy::kWhereItPays, &stored);
  const StatusOr<BlockHeader> header = CheckBlock(identity, contents, location, stored);
  EXPECT_TRUE(header.ok());
  if (header->compression != Compression::kNone) {
    std::vector<uint64_t> memory(payload.size() / 8 + 1);
    const std::span<std::byte> out(reinterpret_cast<std::byte*>(memory.data()), payload.size());
    EXPECT_TRUE(DecompressPayload(*header, stored, out).ok());
    EXPECT_TRUE(std::equal(out.begin(), out.end(), payload.begin()));
  }
  return header->compression;
}

TEST(ByteForm, SealersTakeItWhereItPays) {
  Random random(4);
  const std::vector<uint32_t> noise = RandomValues(random, 30000, 13, 20);
  std::vector<uint32_t> repeats;
  for (int list = 0; list < 300; ++list) {
    // Each copy has another length, so copies begin at different bits, in groups of different
    // widths.
    repeats.insert(repeats.end(), noise.begin(), noise.begin() + 90 + list % 20);
  }
  auto packed = PackedPayload::OfValues(repeats);
  EXPECT_EQ(SealAndOpen(packed), Compression::kByteForm);
  EXPECT_EQ(SealAndOpen(PackedPayload::OfValues(noise)), Compression::kNone);
  // These bytes are right, but this encoder would not write them: no group uses the last word.
  packed.AppendWord();
  EXPECT_EQ(SealAndOpen(packed), Compression::kNone);
}

}  // namespace
}  // namespace edgemill
