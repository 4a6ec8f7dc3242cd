#include "storage/format/group_codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "common/random.h"

namespace edgemill {
namespace {

/// A payload with the slack that decoders may read.
struct Packed {
  explicit Packed(size_t num_values)
      : bytes((MaxPackedBytes(uint32_t(num_values)) + kDecodeSlackBytes) / 8 + 1) {}
  std::byte* data() { return reinterpret_cast<std::byte*>(bytes.data()); }
  PackedView View(size_t size, size_t num_values) {
    StatusOr<PackedView> view = PackedView::Open({data(), size}, uint32_t(num_values));
    EXPECT_TRUE(view.ok()) << view.status().message();
    return *view;
  }
  std::vector<uint64_t> bytes;
};

/// Values with a random width for each group, and some much larger values.
std::vector<uint32_t> MixedValues(size_t count, uint64_t seed) {
  Random random(seed);
  std::vector<uint32_t> values(count);
  uint32_t width = 0;
  for (size_t i = 0; i < count; ++i) {
    if (i % kGroupSize == 0) width = uint32_t(random.Below(33));
    const uint32_t bits = random.Below(20) == 0 ? 32 : width;
    values[i] = uint32_t(random() & ((uint64_t{1} << bits) - 1));
  }
  return values;
}

TEST(GroupCodec, ValuesComeBackAtEveryLengthAndWidth) {
  for (size_t count = 1; count < 1500; count += 37) {
    const std::vector<uint32_t> values = MixedValues(count, count);
    Packed packed(count);
    const size_t size = PackValues(values, packed.data());
    ASSERT_LE(size, MaxPackedBytes(uint32_t(count)));
    std::vector<uint32_t> back(count);
    UnpackValues(packed.View(size, count), back.data());
    ASSERT_EQ(back, values) << "count " << count;
  }
}

TEST(GroupCodec, EveryUniformWidthComesBack) {
  for (uint32_t width = 0; width <= 32; ++width) {
    const uint32_t value = width == 0 ? 0 : uint32_t((uint64_t{1} << width) - 1);
    const std::vector<uint32_t> values(300, value);
    Packed packed(300);
    const size_t size = PackValues(values, packed.data());
    EXPECT_EQ(packed.View(size, 300).header(0).width, width == 31 ? 32 : width);
    std::vector<uint32_t> back(300);
    UnpackValues(packed.View(size, 300), back.data());
    ASSERT_EQ(back, values) << "width " << width;
  }
}

TEST(GroupCodec, TheLargestBlockOfRandomWordsFits) {
  Random random(5);
  std::vector<uint32_t> values(kMaxBlockValues);
  for (uint32_t& value : values) value = uint32_t(random());
  Packed packed(values.size());
  const size_t size = PackValues(values, packed.data());
  std::vector<uint32_t> back(values.size());
  UnpackValues(packed.View(size, values.size()), back.data());
  EXPECT_EQ(back, values);
}

TEST(GroupCodec, AscendingWrapsModulo32Bits) {
  std::vector<uint32_t> values;
  uint64_t sum = 0xfffffff0;
  for (int i = 0; i < 1000; ++i) values.push_back(uint32_t(sum += uint64_t(i) * 7919));
  Packed packed(values.size());
  const size_t size = PackAscending(values, 0xfffffff0, packed.data());
  std::vector<uint32_t> back(values.size());
  UnpackAscending(packed.View(size, values.size()), back.data());
  EXPECT_EQ(back, values);
}

/// Sorted edges of `num_sources` sources. Each has up to `max_degree` edges, to targets below
/// `num_vertices`.
std::vector<uint64_t> RandomLists(uint64_t seed, uint32_t num_sources, uint32_t max_degree,
                                  uint64_t num_vertices) {
  Random random(seed);
  std::vector<uint64_t> edges;
  for (uint32_t source = 0; source < num_sources; ++source) {
    std::vector<uint32_t> targets(random.Below(max_degree + 1));
    for (uint32_t& target : targets) target = uint32_t(random.Below(num_vertices));
    std::sort(targets.begin(), targets.end());
    for (const uint32_t target : targets) edges.push_back(uint64_t{source} << 32 | target);
  }
  return edges;
}

void ExpectNeighborsComeBack(const std::vector<uint64_t>& edges, size_t first, size_t count) {
  const std::span<const uint64_t> part(edges.data() + first, count);
  Packed packed(count);
  const size_t size = PackNeighbors(
      part, first == 0 ? std::nullopt : std::optional(edges[first - 1]), packed.data());
  const PackedView view = packed.View(size, count);
  const auto source_of = [&](uint32_t edge) {
    const size_t number = first + std::min<size_t>(edge, count - 1);
    const uint32_t source = uint32_t(edges[number] >> 32);
    return std::pair(source, number == 0 || edges[number - 1] >> 32 != source);
  };
  std::vector<uint64_t> back;
  VisitNeighbors(view, 0, uint32_t(count), source_of, [&](uint32_t, uint32_t source, uint32_t id) {
    back.push_back(uint64_t{source} << 32 | id);
  });
  EXPECT_EQ(back, std::vector<uint64_t>(part.begin(), part.end()));
}

TEST(GroupCodec, NeighborListsComeBackFromAnyCut) {
  for (const uint64_t num_vertices : {uint64_t{2}, uint64_t{1000}, uint64_t{1} << 32}) {
    const std::vector<uint64_t> edges = RandomLists(num_vertices, 200, 40, num_vertices);
    for (size_t first = 0; first + 600 < edges.size(); first += 311) {
      ExpectNeighborsComeBack(edges, first, 600);
    }
  }
}

TEST(GroupCodec, AHubAndDuplicatesComeBack) {
  std::vector<uint64_t> edges;
  for (uint64_t i = 0; i < 5000; ++i) edges.push_back(uint64_t{7} << 32 | (i / 3) * 1000);
  ExpectNeighborsComeBack(edges, 0, 5000);
  ExpectNeighborsComeBack(edges, 1000, 3000);
}

TEST(GroupCodec, HeadersThatPointOutsideAreRefused) {
  const std::vector<uint32_t> values = MixedValues(512, 3);
  Packed packed(512);
  const size_t size = PackValues(values, packed.data());
  EXPECT_FALSE(PackedView::Open({packed.data(), size - 4}, 512).ok());
  EXPECT_FALSE(PackedView::Open({packed.data(), 16}, 512).ok());
  EXPECT_FALSE(PackedView::Open({packed.data(), size}, 0).ok());
  packed.bytes[3] |= uint64_t{0xffff} << 32;
  EXPECT_FALSE(PackedView::Open({packed.data(), size}, 512).ok());
}

}  // namespace
}  // namespace edgemill
