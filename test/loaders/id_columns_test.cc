// The columns hold the ids that they were given.
#include "loaders/ingest/id_columns.h"

#include <gtest/gtest.h>

#include "test/ingest_stage_bench.h"

namespace edgemill {
namespace {

TEST(IdColumnsTest, HoldTheIdsInTheOrderOfTheirRanks) {
  StageBench bench(EdgeListOf({{4, 70'000}, {9, 4}, {70'000, 9}}, false));
  const IdMap ids = bench.ReadAndDecide();
  ASSERT_TRUE(WriteExternalIds(ids, CompressionPolicy::kNever, bench.writer).ok());
  EXPECT_EQ(bench.writer.ExternalIds(), (std::vector<uint64_t>{4, 9, 70'000}));
  std::vector<uint32_t> internal(1000);
  for (uint32_t rank = 0; rank < 1000; ++rank) internal[rank] = 999 - rank;
  ASSERT_TRUE(WriteInternalOfRank(internal, CompressionPolicy::kNever, bench.writer).ok());
  EXPECT_EQ(bench.writer.Values(ColumnKind::kInternalOfRank), internal);
}

TEST(IdColumnsTest, DenseIdsHaveNoColumn) {
  StageBench bench(EdgeListOf({{0, 1}}, false));
  ASSERT_TRUE(
      WriteExternalIds(bench.ReadAndDecide(), CompressionPolicy::kNever, bench.writer).ok());
  EXPECT_EQ(bench.writer.num_blocks(ColumnKind::kExternalIds), 0u);
}

}  // namespace
}  // namespace edgemill
