// Memory is divided so that the number that a refusal names is enough.
#include "loaders/context/ingest_plan.h"

#include <gtest/gtest.h>

#include "common/units.h"
#include "loaders/spill/spill_space.h"
#include "test/named_budget.h"

namespace edgemill {
namespace {

IngestPlan PlanOf(const MemoryBudget& budget, const IngestOptions& options = {}) {
  const StatusOr<IngestPlan> plan = PlanIngest(options, {.num_id_sets = 1}, budget);
  EXPECT_TRUE(plan.ok()) << plan.status().message();
  return *plan;
}

TEST(IngestPlanTest, RoomThatIsLackingIsNamed) {
  constexpr uint64_t kBytes = 100 * kMebibyte;
  const MemoryBudget budget(96 * kMebibyte);
  const Status refused = CheckMemory(PlanOf(budget), budget, kBytes, "a large thing");
  ASSERT_EQ(refused.code(), Code::kBudget);
  EXPECT_NE(refused.message().find("a large thing needs"), std::string::npos);
  const uint64_t named = NamedMebibytes(refused.message(), "--memory");
  ASSERT_GT(named, 96u);
  const MemoryBudget enough(named * kMebibyte);
  EXPECT_TRUE(CheckMemory(PlanOf(enough), enough, kBytes, "a large thing").ok());
}

TEST(IngestPlanTest, SortingFitsWhatIsLeft) {
  MemoryBudget budget(256 * kMebibyte);
  IngestOptions options;
  options.threads = 8;
  IngestPlan plan = PlanOf(budget, options);
  const SortPlan before = plan.sort;
  ASSERT_TRUE(FitSorting(budget, &plan).ok());
  EXPECT_EQ(plan.sort.max_edges, before.max_edges);
  const auto taken = budget.Reserve(budget.available_bytes() - 16 * kMebibyte, "a test");
  ASSERT_TRUE(taken.ok());
  ASSERT_TRUE(FitSorting(budget, &plan).ok());
  EXPECT_LE(plan.sort.bytes, 16 * kMebibyte);
  EXPECT_LE(plan.sort.workers, before.workers);
  EXPECT_GT(plan.sort.max_edges, 0u);
  const auto rest = budget.Reserve(budget.available_bytes() - kMebibyte, "a test");
  ASSERT_TRUE(rest.ok());
  EXPECT_EQ(FitSorting(budget, &plan).code(), Code::kBudget);
}

/// With more data to spill in the same memory, pages are larger and streams fewer. So page tables
/// do not take the memory of pages. Streams never become more.
TEST(IngestPlanTest, PageTablesTakeASmallShare) {
  const MemoryBudget budget(64 * kMebibyte);
  const IngestPlan plan = PlanOf(budget);
  uint64_t last = 0, grown = 0;
  for (uint64_t bytes = kMebibyte; bytes <= 4096 * kMebibyte; bytes *= 2) {
    IngestPlan fitted = plan;
    const uint64_t page_bytes = fitted.pages.FitTables(bytes);
    EXPECT_LE(fitted.pages.max_streams, plan.pages.max_streams);
    EXPECT_GE(fitted.pages.max_streams, 4u);
    EXPECT_EQ(page_bytes, fitted.pages.PageBytes(fitted.pages.max_streams));
    EXPECT_LE(bytes / page_bytes * SpillTableBytes(page_bytes), fitted.pages.bytes / 4) << bytes;
    EXPECT_GE(page_bytes, last);
    grown += page_bytes > last ? 1 : 0;
    last = page_bytes;
  }
  EXPECT_GE(grown, 3u);
}

TEST(IngestPlanTest, PagesGetWhatHoldsAllEdgesWhereSortingHasEnough) {
  constexpr uint64_t kAvailable = 1024 * kMebibyte;
  const MemoryBudget budget(kAvailable + MemoryBudget::kProcessBytes);
  IngestOptions options;
  options.threads = 2;
  const IngestPlan before = PlanOf(budget, options);
  const auto given = [&](IngestPlan plan, uint64_t bytes, uint64_t beside = 0) {
    plan.GrowPages(bytes, 10, beside, budget.available_bytes());
    EXPECT_EQ(plan.pages.total_bytes() + plan.pass_bytes,
              before.pages.total_bytes() + before.pass_bytes);
    EXPECT_LE(plan.sort.bytes, plan.pass_bytes);
    EXPECT_LE(plan.chunk_bytes, plan.pass_bytes);
    return plan.pages.total_bytes();
  };
  const uint64_t had = before.pages.total_bytes();
  EXPECT_EQ(given(before, 100 * kMebibyte), had);  // the pages have enough
  for (const uint64_t mebibytes : {400, 500, 600}) {
    const uint64_t bytes = mebibytes * kMebibyte;
    EXPECT_GT(given(before, bytes), bytes);
    EXPECT_LT(given(before, bytes), bytes * 5 / 4);
  }
  // If not all pages fit, they get the memory that sorting does not need, or the bytes that are
  // kept beside.
  for (const uint64_t mebibytes : {900, 1500, 10'000}) {
    const uint64_t some = given(before, mebibytes * kMebibyte);
    EXPECT_GT(some, 2 * had);
    EXPECT_LT(some, 900 * kMebibyte);
    IngestPlan grown = before;
    grown.GrowPages(mebibytes * kMebibyte, 10, 0, budget.available_bytes());
    EXPECT_EQ(grown.sort.workers, before.sort.workers);
    EXPECT_EQ(grown.sort.bucket_edges, before.sort.bucket_edges);
  }
  EXPECT_LT(given(before, 600 * kMebibyte, 400 * kMebibyte), 600 * kMebibyte);
  EXPECT_EQ(given(before, 600 * kMebibyte, 650 * kMebibyte), had);
  options.spill_memory_bytes = 16 * kMebibyte;
  const IngestPlan fixed = PlanOf(budget, options);
  IngestPlan plan = fixed;
  plan.GrowPages(500 * kMebibyte, 10, 0, budget.available_bytes());
  EXPECT_EQ(plan.pages.total_bytes(), fixed.pages.total_bytes());
}

TEST(IngestPlanTest, SortWorkersShareAllMemory) {
  const MemoryBudget budget(512 * kMebibyte);
  SortPlan sort = PlanOf(budget).sort;
  ASSERT_TRUE(sort.SetWorkers(1));
  const uint64_t alone = sort.max_edges;
  ASSERT_TRUE(sort.SetWorkers(4));
  EXPECT_LT(sort.max_edges, alone);
  EXPECT_LE(4 * (sort.EncodeBytes(sort.max_waiting_blocks) + sort.max_edges * sort.edge_bytes),
            sort.bytes);
  sort.edges_limit = 1000;
  ASSERT_TRUE(sort.SetWorkers(4));
  EXPECT_EQ(sort.max_edges, 1000u);
  EXPECT_FALSE(sort.SetWorkers(1 << 20));
}

TEST(IngestPlanTest, ThreadsAreAsManyAsMemoryHas) {
  MemoryBudget budget(256 * kMebibyte);
  IngestOptions options;
  options.threads = 3;
  const IngestPlan plan = PlanOf(budget, options);
  const uint64_t available = budget.available_bytes();
  {
    const auto all = ReserveThreads(plan, budget, kMebibyte);
    ASSERT_TRUE(all.ok());
    EXPECT_EQ(all->threads, 3);
    EXPECT_EQ(budget.available_bytes(), available - 3 * kMebibyte);
  }
  EXPECT_EQ(budget.available_bytes(), available);
  const auto one = ReserveThreads(plan, budget, plan.chunk_bytes * 3 / 4);
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(one->threads, 1);
  EXPECT_EQ(ReserveThreads(plan, budget, available).status().code(), Code::kBudget);
}

}  // namespace
}  // namespace edgemill
