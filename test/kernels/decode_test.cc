// The fast decoders against the scalar reference.
#include "kernels/cpu/decode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "common/random.h"
#include "test/graphs/decode_targets.h"
#include "test/graphs/packed_payload.h"

namespace edgemill {
namespace {

class Decode : public EachDecodeTarget {};
INSTANTIATE_FOR_DECODE_TARGETS(Decode);

TEST(DecodeTargets, UnknownOnesAreRefused) {
  EXPECT_FALSE(DecodeTargets().empty());
  EXPECT_FALSE(UseDecodeTarget("no such set"));
}

TEST_P(Decode, ValuesOfEveryWidthMatchReference) {
  Random random(1);
  for (uint32_t bits = 0; bits <= 32; ++bits) {
    for (const uint32_t count : {1u, 127u, 128u, 129u, 1000u}) {
      const auto packed = PackedPayload::OfValues(RandomValues(random, count, bits, 20));
      const PackedView view = packed.view();
      for (uint32_t group = 0; group < view.num_groups(); ++group) {
        uint32_t reference[kGroupSize];
        alignas(64) uint32_t fast[kGroupSize];
        UnpackGroup(view, group, reference);
        DecodeGroupValues(view, group, fast);
        ASSERT_EQ(0, std::memcmp(reference, fast, sizeof(fast))) << bits << " bits";
        std::array<uint32_t, kGroupSize> places;
        std::iota(places.begin(), places.end(), group * kGroupSize);
        DecodeValuesAt(view, places, fast);
        ASSERT_EQ(0, std::memcmp(reference, fast, sizeof(fast))) << bits << " bits";
      }
      for (const uint32_t every : {2u, 3u, 50u, 200u}) {  // several of a group, one, or none
        std::vector<uint32_t> places, fast;
        for (uint32_t place = 0; place < count; place += 1 + random.Below(2 * every)) {
          places.push_back(place);
        }
        fast.resize(places.size());
        DecodeValuesAt(view, places, fast.data());
        for (size_t i = 0; i < places.size(); ++i) {
          uint32_t reference[kGroupSize];
          UnpackGroup(view, places[i] / kGroupSize, reference);
          ASSERT_EQ(reference[places[i] % kGroupSize], fast[i]) << bits << " bits, " << places[i];
        }
      }
    }
  }
}

/// Random sorted edges of `num_vertices` vertices, with about `mean` edges in a list.
std::vector<uint64_t> RandomEdges(Random& random, uint64_t num_vertices, uint32_t count,
                                  uint32_t mean) {
  std::vector<uint64_t> edges(count);
  const uint64_t sources = std::clamp<uint64_t>(count / mean, 1, num_vertices);
  for (uint64_t& edge : edges) {
    edge = random.Below(sources) * (num_vertices / sources) << 32 | random.Below(num_vertices);
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

TEST_P(Decode, SumsOfEveryWidthMatchReference) {
  Random random(3);
  for (uint32_t bits = 0; bits <= 32; ++bits) {
    for (const uint32_t rare : {2u, 8u, 40u, 1000000u}) {  // many exceptions, some, few, none
      std::vector<uint32_t> values = RandomValues(random, 300, bits, rare);
      const auto packed = PackedPayload::OfValues(values);
      values.resize(3 * kGroupSize);
      for (uint32_t group = 0; group < 3; ++group) {
        GroupPrefix prefix;
        DecodeGroupPrefix(packed.view(), group, &prefix);
        uint64_t sum = 0;
        for (uint32_t i = 0; i < kGroupSize; ++i) {
          sum += values[group * kGroupSize + i];
          ASSERT_EQ(prefix.sums()[i], static_cast<uint32_t>(sum)) << bits << " bits, " << i;
        }
        ASSERT_EQ(prefix.sums()[-1], 0u);
        ASSERT_EQ(prefix.rising, sum >> 32 == 0) << bits << " bits";
      }
    }
  }
}

TEST_P(Decode, ListsMatchReference) {
  Random random(2);
  for (const uint64_t num_vertices : {1ull, 2ull, 1000ull, 1ull << 20, kMaxVertices + 0ull}) {
    for (const uint32_t mean : {1u, 3u, 50u, 5000u}) {
      const uint32_t count = 3000;
      const auto edges = RandomEdges(random, num_vertices, count, mean);
      const auto packed = PackedPayload::OfNeighbors(edges);
      const PackedView view = packed.view();
      GroupPrefix prefix;
      for (uint32_t begin = 0; begin < count;) {  // for the edges of one list in one group
        const uint32_t group = begin / kGroupSize;
        const uint32_t source = static_cast<uint32_t>(edges[begin] >> 32);
        uint32_t end = begin;
        while (end < count && end / kGroupSize == group && edges[end] >> 32 == source) ++end;
        DecodeGroupPrefix(view, group, &prefix);
        const bool is_head = begin == 0 || edges[begin - 1] >> 32 != source;
        uint32_t constant = 0;
        ASSERT_TRUE(ListConstant(prefix, source, begin % kGroupSize, (end - 1) % kGroupSize + 1,
                                 is_head, num_vertices, &constant));
        for (uint32_t edge = begin; edge < end; ++edge) {
          ASSERT_EQ(static_cast<uint32_t>(edges[edge]),
                    prefix.sums()[edge % kGroupSize] + constant);
        }
        begin = end;
      }
    }
  }
}

TEST_P(Decode, ListStartsMatchReference) {
  Random random(4);
  for (const uint64_t num_vertices : {1ull, 2ull, 1000ull, 1ull << 20, kMaxVertices + 0ull}) {
    for (const uint32_t mean : {1u, 3u, 15u, 50u, 5000u}) {
      const uint32_t count = 3000;
      const auto edges = RandomEdges(random, num_vertices, count, mean);
      const auto packed = PackedPayload::OfNeighbors(edges);
      std::vector<ListStart> lists;
      for (uint32_t edge = 0; edge < count; ++edge) {
        const uint32_t source = static_cast<uint32_t>(edges[edge] >> 32);
        if (edge == 0 || edges[edge - 1] >> 32 != source) lists.push_back({source, edge, 0});
        ++lists.back().size;
      }
      for (const uint32_t every : {1u, 2u, 30u}) {
        std::vector<ListStart> some;
        for (size_t i = 0; i < lists.size(); i += every) some.push_back(lists[i]);
        std::vector<uint32_t> room(some.size() * kStartIds + 16);
        uint32_t* const ids =
            room.data() + (64 - reinterpret_cast<uintptr_t>(room.data()) % 64) / 4;
        ASSERT_TRUE(DecodeListStarts(packed.view(), some, num_vertices, ids));
        for (size_t i = 0; i < some.size(); ++i) {
          const uint32_t in_group = kGroupSize - some[i].place % kGroupSize;
          ASSERT_EQ(some[i].num_ids(), std::min({some[i].size, kStartIds, in_group}));
          for (uint32_t j = 0; j < kStartIds; ++j) {
            const bool shown = j < some[i].num_ids();
            ASSERT_EQ(ids[i * kStartIds + j],
                      shown ? static_cast<uint32_t>(edges[some[i].place + j]) : 0)
                << i << ", " << j;
          }
        }
      }
    }
  }
}

TEST_P(Decode, ListStartsOutOfBoundsAreRefused) {
  const std::vector<uint64_t> edges = {0ull << 32 | 5, 0ull << 32 | 9, 1ull << 32 | 2};
  const auto packed = PackedPayload::OfNeighbors(edges);
  alignas(64) std::array<uint32_t, 2 * kStartIds> ids;
  const std::vector<ListStart> lists = {{0, 0, 2}, {1, 2, 1}};
  EXPECT_TRUE(DecodeListStarts(packed.view(), lists, 10, ids.data()));
  EXPECT_FALSE(DecodeListStarts(packed.view(), lists, 9, ids.data()));
  EXPECT_TRUE(DecodeListStarts(packed.view(), std::span(lists).subspan(1), 9, ids.data()));
}

TEST_P(Decode, IdsOutOfBoundsAreRefused) {
  const std::vector<uint64_t> edges = {0ull << 32 | 5, 0ull << 32 | 9, 1ull << 32 | 2,
                                       1ull << 32 | 4294967000};
  const auto packed = PackedPayload::OfNeighbors(edges);
  GroupPrefix prefix;
  DecodeGroupPrefix(packed.view(), 0, &prefix);
  uint32_t constant = 0;
  EXPECT_TRUE(ListConstant(prefix, 0, 0, 2, true, 10, &constant));
  EXPECT_FALSE(ListConstant(prefix, 0, 0, 2, true, 9, &constant));  // 9 is no vertex
  EXPECT_FALSE(ListConstant(prefix, 0, 0, 2, true, 5, &constant));  // 5 is no vertex either
  EXPECT_FALSE(ListConstant(prefix, 1, 2, 4, true, 10, &constant));
  EXPECT_TRUE(ListConstant(prefix, 1, 2, 3, true, 10, &constant));
  EXPECT_TRUE(ListConstant(prefix, 1, 2, 4, true, 4294967001, &constant));
}

TEST_P(Decode, WrapAroundInsideAListIsRefused) {
  // The sum of the gaps passes 2^32. The last id is below the bound again, but an id before it is
  // not.
  const std::vector<uint32_t> gaps = {2, 0xfffffff0u, 0x12u, 1u};
  const auto packed = PackedPayload::OfValues(gaps);
  GroupPrefix prefix;
  DecodeGroupPrefix(packed.view(), 0, &prefix);
  EXPECT_FALSE(prefix.rising);
  uint32_t constant = 0;
  EXPECT_FALSE(ListConstant(prefix, 0, 0, 4, true, 100, &constant));
  EXPECT_TRUE(ListConstant(prefix, 0, 0, 1, true, 100, &constant));
}

}  // namespace
}  // namespace edgemill
