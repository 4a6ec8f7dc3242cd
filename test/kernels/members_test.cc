#include "kernels/cpu/members.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "common/random.h"
#include "test/graphs/decode_targets.h"

namespace edgemill {
namespace {

class Members : public EachDecodeTarget {};
INSTANTIATE_FOR_DECODE_TARGETS(Members);

std::vector<uint64_t> RandomSet(Random& random, uint64_t num_vertices, uint64_t one_in) {
  std::vector<uint64_t> set((num_vertices + 63) / 64);
  for (uint64_t vertex = 0; vertex < num_vertices; ++vertex) {
    if (random.Below(one_in) == 0) set[vertex / 64] |= uint64_t{1} << vertex % 64;
  }
  return set;
}

TEST_P(Members, AreThoseInTheSet) {
  Random random(1);
  for (const uint64_t num_vertices : {1u, 64u, 1000u, 100000u}) {
    for (const uint64_t one_in : {1u, 3u, 100u}) {
      const auto set = RandomSet(random, num_vertices, one_in);
      alignas(64) std::array<VertexId, 256> ids;
      for (VertexId& id : ids) id = static_cast<VertexId>(random.Below(num_vertices));
      for (const uint32_t count : {1u, 64u, 65u, 256u}) {
        std::array<uint64_t, 5> members;
        members.fill(~uint64_t{0});
        FindMembers(ids.data(), count, set.data(), members.data());
        const uint32_t end = (count + 63) / 64 * 64;
        for (uint32_t i = 0; i < end; ++i) {
          ASSERT_EQ(set[ids[i] / 64] >> ids[i] % 64 & 1, members[i / 64] >> i % 64 & 1) << i;
        }
        EXPECT_EQ(~uint64_t{0}, members[end / 64]);  // nothing is written beyond the end
      }
    }
  }
}

TEST_P(Members, PlacesOfThoseInTheSet) {
  Random random(3);
  for (const uint64_t one_in : {1u, 3u, 100u}) {
    const auto set = RandomSet(random, 1 << 12, one_in);
    std::vector<uint32_t> ids(300);
    for (uint32_t& id : ids) id = static_cast<uint32_t>(random());  // the low bits count
    for (const uint32_t count : {0u, 1u, 7u, 8u, 63u, 256u, 300u}) {
      std::vector<uint32_t> found(count + 16), want;
      for (uint32_t i = 0; i < count; ++i) {
        const uint32_t bit = ids[i] % (1 << 12);
        if (set[bit / 64] >> bit % 64 & 1) want.push_back(i);
      }
      found.resize(FindPlaces(ids.data(), count, set.data(), (1 << 12) - 1, found.data()));
      EXPECT_EQ(found, want);
    }
  }
}

TEST_P(Members, DegreesAreAddedUp) {
  Random random(2);
  for (const uint32_t num_vertices : {1u, 63u, 64u, 65u, 1000u}) {
    std::vector<uint32_t> low = {0};
    for (uint32_t v = 0; v < num_vertices; ++v) {
      low.push_back(low.back() + static_cast<uint32_t>(random.Below(5)));
    }
    const VertexIndexView index{low.data(), nullptr, 0, num_vertices};
    for (const uint64_t one_in : {1u, 3u, 100u}) {
      const auto set = RandomSet(random, num_vertices, one_in);
      for (size_t first = 0; first < set.size(); ++first) {
        uint64_t sum = 0;
        for (uint32_t v = static_cast<uint32_t>(first) * 64; v < num_vertices; ++v) {
          if (set[v / 64] >> v % 64 & 1) sum += low[v + 1] - low[v];
        }
        EXPECT_EQ(sum, DegreesOf(index, first, std::span(set).subspan(first)));
      }
    }
  }
}

TEST_P(Members, DegreesBeyond32Bits) {
  // Vertex 1 has 2^32 + 3 edges. The other vertices have none.
  std::vector<uint32_t> low(129, 3);
  low[0] = low[1] = 0;
  const std::vector<VertexId> crossings = {2};
  const VertexIndexView index{low.data(), crossings.data(), 1, 128};
  const std::vector<uint64_t> all = {~uint64_t{0}, ~uint64_t{0}};
  EXPECT_EQ((uint64_t{1} << 32) + 3, DegreesOf(index, 0, all));
}

TEST(FirstMember, IsFoundWhereverARangeBegins) {
  for (const uint32_t set_bit : {0u, 1u, 55u, 56u, 57u, 63u, 64u, 100u, 191u}) {
    std::array<uint64_t, 4> bits{};  // with the bytes beyond the end that are read
    bits[set_bit / 64] = uint64_t{1} << set_bit % 64;
    for (uint32_t begin = 0; begin < 192; ++begin) {
      for (uint32_t end = begin; end <= 192; ++end) {
        const bool inside = begin <= set_bit && set_bit < end;
        ASSERT_EQ(inside ? set_bit : end, FirstMember(bits.data(), begin, end));
      }
    }
  }
}

}  // namespace
}  // namespace edgemill
