// Columns return the ids that were stored in them.
#include "loaders/stages/id_columns.h"

#include <gtest/gtest.h>

#include "test/ingest_stage_fixture.h"

namespace edgemill {
namespace {

TEST(IdColumnsTest, HoldTheIdsInTheOrderOfTheirRanks) {
  StageFixture fixture(EdgeListOf({{4, 70'000}, {9, 4}, {70'000, 9}}, false));
  const IdRanks ids = fixture.ReadAndDecide();
  ASSERT_TRUE(WriteExternalIds(ids, CompressionPolicy::kNever, 3, fixture.writer).ok());
  EXPECT_EQ(fixture.writer.ExternalIds(), (std::vector<uint64_t>{4, 9, 70'000}));
  std::vector<uint32_t> internal(1000);
  for (uint32_t rank = 0; rank < 1000; ++rank) internal[rank] = 999 - rank;
  ASSERT_TRUE(WriteInternalOfRank(internal, CompressionPolicy::kNever, 3, fixture.writer).ok());
  EXPECT_EQ(fixture.writer.Values(ColumnKind::kInternalOfRank), internal);
}

TEST(IdColumnsTest, ManyBlocksComeInOrderOnAnyThreads) {
  EdgeList list{.name = "gaps", .weighted = false};
  std::vector<uint64_t> want;
  for (uint64_t id = 0; id < 30'000; id += 1 + id % 7) want.push_back(id);
  for (const uint64_t id : want) list.edges.push_back({id, 0, 0});
  for (const int threads : {1, 3, 16}) {
    StageFixture fixture(list);
    const IdRanks ids = fixture.ReadAndDecide();
    const CompressionPolicy compression = CompressionPolicy::kWhereItPays;
    ASSERT_TRUE(WriteExternalIds(ids, compression, threads, fixture.writer).ok());
    EXPECT_GT(fixture.writer.num_blocks(ColumnKind::kExternalIds), 20u);
    EXPECT_EQ(fixture.writer.ExternalIds(), want);
  }
}

TEST(IdColumnsTest, DenseIdsHaveNoColumn) {
  StageFixture fixture(EdgeListOf({{0, 1}}, false));
  ASSERT_TRUE(
      WriteExternalIds(fixture.ReadAndDecide(), CompressionPolicy::kNever, 3, fixture.writer).ok());
  EXPECT_EQ(fixture.writer.num_blocks(ColumnKind::kExternalIds), 0u);
}

}  // namespace
}  // namespace edgemill
