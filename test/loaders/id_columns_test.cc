// The columns hold the ids that they were given.
#include "loaders/stages/id_columns.h"

#include <gtest/gtest.h>

#include "test/ingest_stage_fixture.h"

namespace edgemill {
namespace {

TEST(IdColumnsTest, HoldTheIdsInTheOrderOfTheirRanks) {
  StageFixture fixture(EdgeListOf({{4, 70'000}, {9, 4}, {70'000, 9}}, false));
  const IdRanks ids = fixture.ReadAndDecide();
  ASSERT_TRUE(WriteExternalIds(ids, CompressionPolicy::kNever, fixture.writer).ok());
  EXPECT_EQ(fixture.writer.ExternalIds(), (std::vector<uint64_t>{4, 9, 70'000}));
  std::vector<uint32_t> internal(1000);
  for (uint32_t rank = 0; rank < 1000; ++rank) internal[rank] = 999 - rank;
  ASSERT_TRUE(WriteInternalOfRank(internal, CompressionPolicy::kNever, fixture.writer).ok());
  EXPECT_EQ(fixture.writer.Values(ColumnKind::kInternalOfRank), internal);
}

TEST(IdColumnsTest, DenseIdsHaveNoColumn) {
  StageFixture fixture(EdgeListOf({{0, 1}}, false));
  ASSERT_TRUE(
      WriteExternalIds(fixture.ReadAndDecide(), CompressionPolicy::kNever, fixture.writer).ok());
  EXPECT_EQ(fixture.writer.num_blocks(ColumnKind::kExternalIds), 0u);
}

}  // namespace
}  // namespace edgemill
