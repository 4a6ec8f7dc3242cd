// Counts and offsets over 2^32, of docs/FORMAT.md's list: synthetic, since real edges would take
// hours.
#include <gtest/gtest.h>

#include <numeric>

#include "engine/vertex_index.h"
#include "loaders/offsets_encoder.h"
#include "storage/catalog_records.h"
#include "test/memory_graph_writer.h"

namespace edgemill {
namespace {

constexpr uint64_t k2To32 = uint64_t{1} << 32;

/// E8, E9, E13, E14: what ingest's encoder writes is what a run's index reads, at, around and far
/// beyond multiples of 2^32.
TEST(CountsOver2To32, FirstEdgesComeBackFromTheOffsetsColumn) {
  std::vector<EdgeIndex> starts = {0, 5};
  for (const uint64_t multiple : {uint64_t{1}, uint64_t{2}, uint64_t{5}, uint64_t{65535}}) {
    for (const int64_t beside : {-1, 0, 0, 1}) {
      starts.push_back(multiple * k2To32 + static_cast<uint64_t>(beside));
    }
    for (int i = 0; i < 150; ++i) starts.push_back(starts.back() + static_cast<uint64_t>(i % 3));
  }
  MemoryGraphWriter writer(128, 4);
  OffsetsEncoder encoder(ColumnWriter(writer, ColumnKind::kOutOffsets, CompressionPolicy::kNever));
  const uint64_t num_vertices = starts.size() - 1;
  for (uint64_t v = 0; v < num_vertices; ++v) ASSERT_TRUE(encoder.Fill(v, starts[v]).ok());
  ASSERT_TRUE(encoder.Finish(num_vertices, starts.back()).ok());
  std::vector<uint32_t> low = writer.Values(ColumnKind::kOutOffsets);  // gaps modulo 2^32
  std::partial_sum(low.begin(), low.end(), low.begin());
  ASSERT_EQ(low.size(), starts.size());
  const std::vector<VertexId>& crossings = encoder.crossings();
  EXPECT_EQ(crossings.size(), starts.back() / k2To32);
  const VertexIndexView index{low.data(), crossings.data(), static_cast<uint32_t>(crossings.size()),
                              static_cast<VertexId>(num_vertices)};
  for (VertexId v = 0; v <= num_vertices; ++v) {
    ASSERT_EQ(index.first_edge(v), starts[v]) << "vertex " << v;
    ASSERT_TRUE(v == num_vertices || index.degree(v) == starts[v + 1] - starts[v])
        << v << ": " << index.degree(v) << ", " << starts[v] << " to " << starts[v + 1];
    const auto first = std::lower_bound(starts.begin(), starts.end() - 1, starts[v]);
    ASSERT_EQ(index.LowerBound(starts[v]), VertexId(first - starts.begin()));
  }
}

/// E6, E10, E11: blocks far into a segment, and segments beyond 4 GiB.
TEST(CountsOver2To32, PlacesInSegmentsComeBack) {
  PageRecord page;
  for (const uint64_t offset :
       {k2To32 - 128, k2To32, k2To32 * 128 - 128, k2To32 * 128, (uint64_t{1} << 47) - 128}) {
    BlockLocation location{};
    location.set_offset(offset);
    location.stored_bytes = 128;
    EXPECT_EQ(location.offset(), offset);
    page.blocks.push_back(location);
  }
  const StatusOr<PageRecord> back = DecodePage(EncodePage(page));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->blocks, page.blocks);
  for (const uint64_t length : {k2To32 - 128, k2To32, 15 * k2To32}) {
    EXPECT_EQ(*DecodeSegment(EncodeSegment(length)), length);
  }
  BlockIdentity identity{Uuid{}, ColumnKind::kOutNeighbors, 7, 3 * k2To32 + 9};
  std::vector<std::byte> stored;
  const std::vector<std::byte> payload(64);
  const BlockLocation location =
      BlockSealer().Seal(identity, Codec::kRaw32, 16, payload, CompressionPolicy::kNever, &stored);
  EXPECT_EQ(CheckBlock(identity, location, stored)->block, identity.block);
  identity.block -= k2To32;
  EXPECT_FALSE(CheckBlock(identity, location, stored).ok());
}

}  // namespace
}  // namespace edgemill
