// The requests across the link that raw kernels are said to make, against a count lane by lane.
#include "bench/rivals/raw_reading.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

namespace edgemill::bench {
namespace {

/// The edges of one list that one worker reads.
struct ReadSlice {
  uint64_t begin = 0;
  uint64_t end = 0;
};

/// What a warp requests that reads `slices`, one a worker: each lane of each load by itself.
template <typename Value, typename Reading>
void AddRequestsByLane(const std::vector<ReadSlice>& slices, RequestCounts* counts) {
  std::vector<uint64_t> cached(slices.size(), ~uint64_t{0});
  for (uint64_t load = 0, reading = 1; reading > 0; ++load) {
    reading = 0;
    std::set<uint64_t> sectors;
    for (size_t worker = 0; worker < slices.size(); ++worker) {
      const auto [begin, end] = slices[worker];
      uint64_t last = cached[worker];
      for (uint64_t lane = 0; lane < Reading::kLanes; ++lane) {
        const uint64_t edge = Reading::First(begin) + load * Reading::kLanes + lane;
        reading += edge < end;
        if (edge < begin || edge >= end) continue;
        last = edge * sizeof(Value) / 32;
        if (last != cached[worker]) sectors.insert(last);
      }
      cached[worker] = last;
    }
    // One request for each group of consecutive sectors in a line.
    uint64_t size = 0;
    for (auto it = sectors.begin(); it != sectors.end(); ++it) {
      ++size;
      if (sectors.contains(*it + 1) && (*it + 1) / 4 == *it / 4) continue;
      ++counts->of_sectors[size - 1];
      size = 0;
    }
  }
}

/// The same as AddRequests.
template <typename Value, typename Reading>
void AddRequestsSlowly(const WarpLists<Reading>& lists, RequestCounts* counts) {
  std::vector<ReadSlice> together;
  for (uint32_t i = 0; i < lists.kLists; ++i) {
    const auto [begin, end] = ReadSlice{lists.begin[i], lists.end[i]};
    if (end - begin <= kRawSliceEdges) {
      together.push_back({begin, end});
      continue;
    }
    for (uint64_t first = Reading::First(begin); first < end; first += kRawSliceEdges) {
      AddRequestsByLane<Value, Reading>(
          {{std::max(first, begin), std::min(first + kRawSliceEdges, end)}}, counts);
    }
  }
  AddRequestsByLane<Value, Reading>(together, counts);
}

template <typename Value, typename Reading>
void ExpectSameRequests() {
  uint64_t seed = 7;
  const auto random = [&](uint64_t below) { return Mix64(++seed) % below; };
  for (const uint64_t most : {1u, 3u, 9u, 33u, 150u, 5'000u, 20'000u}) {
    for (int round = 0; round < 60; ++round) {
      WarpLists<Reading> lists;
      uint64_t edge = random(100);
      for (uint32_t i = 0; i < lists.kLists; ++i) {
        // Lists follow each other, or inactive lists lie between them.
        edge += random(3) == 0 ? random(most) : 0;
        lists.begin[i] = edge;
        edge += random(most + 1);
        lists.end[i] = edge;
      }
      RequestCounts fast, slow;
      AddRequests<Value>(lists, &fast);
      AddRequestsSlowly<Value>(lists, &slow);
      for (size_t i = 0; i < 4; ++i) {
        ASSERT_EQ(fast.of_sectors[i], slow.of_sectors[i])
            << i + 1 << " sectors, lists of up to " << most << ", round " << round;
      }
    }
  }
}

TEST(RawReadingTest, RequestsAreThoseOfEveryLane) {
  ExpectSameRequests<VertexId, StridedReading<VertexId>>();
  ExpectSameRequests<VertexId, MergedReading<VertexId>>();
  ExpectSameRequests<VertexId, AlignedReading<VertexId>>();
  ExpectSameRequests<uint64_t, StridedReading<uint64_t>>();
  ExpectSameRequests<uint64_t, MergedReading<uint64_t>>();
  ExpectSameRequests<uint64_t, AlignedReading<uint64_t>>();
  ExpectSameRequests<int32_t, AlignedReading<uint64_t>>();  // weights
}

TEST(RawReadingTest, RequestsAreThoseOfEmogisFigure) {
  const auto sizes = [](auto lists) {
    RequestCounts counts;
    AddRequests<VertexId>(lists, &counts);
    return std::vector<uint64_t>(std::begin(counts.of_sectors), std::end(counts.of_sectors));
  };
  // A list of 10 lines that begins 32 bytes behind a line (3.3, figure 3).
  using Sizes = std::vector<uint64_t>;
  EXPECT_EQ(sizes(WarpLists<MergedReading<VertexId>>{{8}, {328}}), (Sizes{10, 0, 10, 0}));
  EXPECT_EQ(sizes(WarpLists<AlignedReading<VertexId>>{{8}, {328}}), (Sizes{1, 0, 1, 9}));
  EXPECT_EQ(sizes(WarpLists<StridedReading<VertexId>>{{8}, {328}}), (Sizes{40, 0, 0, 0}));
}

}  // namespace
}  // namespace edgemill::bench
