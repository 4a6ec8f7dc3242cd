// Another process reads from the journal the state that was saved.
#include "loaders/ingest/ingest_journal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "common/units.h"
#include "loaders/buckets/bucket_scatter.h"
#include "test/graphs/memory_graph_writer.h"

namespace edgemill {
namespace {

constexpr uint64_t kJournalPageBytes = 16384;
constexpr uint64_t kMaxId = 9999;

uint64_t KeyOfEdge(uint64_t i) {
  return EdgeKey(static_cast<uint32_t>(i * 7919 % 1000), static_cast<uint32_t>(i));
}

class IngestJournalTest : public testing::Test {
 protected:
  IngestJournalTest() { plan_.pages.bytes = 32 * kJournalPageBytes; }

  /// A state with `num_edges` edges in two buckets of forward edges.
  void Fill(IngestState* state, uint64_t num_edges) {
    SpillSpace::Options options;
    options.directories = writer_.spill_directories();
    options.page_bytes = kJournalPageBytes;
    options.memory_bytes = plan_.pages.bytes;
    auto space = SpillSpace::Create(options, budget_);
    ASSERT_TRUE(space.ok());
    state->edges.space = std::move(*space);
    state->edges.forward.emplace(*state->edges.space, SpilledWeight::kNone, 1,
                                 KeySplitters({0, EdgeKey(500, 0)}));
    BucketScatter scatter;
    std::vector<uint64_t> keys;
    for (uint64_t i = 0; i < num_edges; ++i) keys.push_back(KeyOfEdge(i));
    ASSERT_TRUE(scatter.SortAndAppend(*state->edges.forward, keys, {}).ok());
    state->edges.Seal();
    state->stats.edges = num_edges;
    state->stats.max_id = kMaxId;
    state->source_position = "after chunk 7";
    state->seen_ids.seen = MakeSet();
    for (uint64_t id = 0; id < kMaxId; id += 3) state->seen_ids.seen->Mark(id);
    state->encoded.totals.num_edges = 123;
    state->encoded.crossings[1] = {4, 5, 6};
  }
  SeenIds MakeSet() {
    auto set = SeenIds::Create(1 << 16, budget_);
    EXPECT_TRUE(set.ok());
    return std::move(*set);
  }

  MemoryBudget budget_{128 * kMebibyte};
  MemoryGraphWriter writer_{256, 4};
  IngestPlan plan_;
};

TEST_F(IngestJournalTest, StateComesBackAsItWasSaved) {
  plan_.sort.max_edges = 77;
  constexpr uint64_t kEdges = 300'000;
  {
    IngestState state;
    Fill(&state, kEdges);
    ASSERT_TRUE(state.edges.space->spilling());
    IngestJournal journal(writer_, plan_, state);
    EXPECT_FALSE(journal.durable());
    ASSERT_TRUE(journal.Save(IngestStage::kPrepare).ok());
    EXPECT_TRUE(journal.durable());
    EXPECT_EQ(state.stage, IngestStage::kPrepare);
    EXPECT_EQ(writer_.checkpoints(), 1);
  }
  IngestState state;
  state.seen_ids.seen = MakeSet();
  // The pages had more memory than a plan gives them at first.
  const uint64_t paging_bytes = plan_.pages.total_bytes();
  plan_ = PlanIngest({}, {}, budget_).value();
  plan_.pages.bytes = paging_bytes - kJournalPageBytes;
  plan_.pages.table_bytes = 0;
  IngestJournal journal(writer_, plan_, state);
  const Status loaded = journal.Load(budget_);
  ASSERT_TRUE(loaded.ok()) << loaded.message();
  EXPECT_EQ(plan_.pages.total_bytes(), paging_bytes);
  EXPECT_TRUE(journal.durable());
  EXPECT_EQ(state.stage, IngestStage::kPrepare);
  EXPECT_EQ(state.largest_sortable_bucket, 77u);
  EXPECT_EQ(state.stats.edges, kEdges);
  EXPECT_EQ(state.source_position, "after chunk 7");
  EXPECT_EQ(state.encoded.totals.num_edges, 123u);
  EXPECT_EQ(state.encoded.crossings[1], (std::vector<VertexId>{4, 5, 6}));
  EXPECT_TRUE(state.encoder_state.empty());
  EXPECT_EQ(state.seen_ids.seen->Count(kMaxId), (kMaxId + 2) / 3);
  ASSERT_TRUE(state.edges.forward.has_value());
  EXPECT_FALSE(state.edges.reversed.has_value());
  ASSERT_EQ(state.edges.forward->buckets().size(), 2u);
  EXPECT_EQ(state.edges.forward->num_edges(), kEdges);
  std::vector<uint64_t> keys, want;
  for (const Bucket& bucket : state.edges.forward->buckets()) {
    std::vector<uint64_t> some(bucket.count());
    ASSERT_TRUE(bucket.records[0]->Read(0, std::as_writable_bytes(std::span(some))).ok());
    keys.insert(keys.end(), some.begin(), some.end());
  }
  for (uint64_t i = 0; i < kEdges; ++i) want.push_back(KeyOfEdge(i));
  std::sort(keys.begin(), keys.end());
  std::sort(want.begin(), want.end());
  EXPECT_EQ(keys, want);
}

TEST_F(IngestJournalTest, WhatLiesInMemoryOnlyIsNotKept) {
  IngestState state;
  Fill(&state, 1000);
  IngestJournal journal(writer_, plan_, state);
  ASSERT_TRUE(journal.Save(IngestStage::kPrepare).ok());
  EXPECT_FALSE(journal.durable());
  EXPECT_EQ(state.stage, IngestStage::kPrepare);
  EXPECT_EQ(writer_.checkpoints(), 0);
  IngestState fresh;
  IngestJournal again(writer_, plan_, fresh);
  ASSERT_TRUE(again.Load(budget_).ok());
  EXPECT_EQ(fresh.stage, IngestStage::kRead);
}

TEST_F(IngestJournalTest, ADamagedJournalIsAnError) {
  {
    IngestState state;
    Fill(&state, 300'000);
    IngestJournal journal(writer_, plan_, state);
    ASSERT_TRUE(journal.Save(IngestStage::kPrepare).ok());
  }
  const std::string whole = *writer_.GetJournal("ingest.state");
  for (size_t size = 0; size < whole.size(); size += 1 + size / 16) {
    writer_.PutJournal("ingest.state", whole.substr(0, size));
    IngestState state;
    state.seen_ids.seen = MakeSet();
    IngestJournal journal(writer_, plan_, state);
    EXPECT_EQ(journal.Load(budget_).code(), Code::kBadData) << size;
  }
  writer_.PutJournal("ingest.state", whole);
  IngestState state;  // without the set of ids
  IngestJournal journal(writer_, plan_, state);
  EXPECT_EQ(journal.Load(budget_).code(), Code::kBadData);
}

}  // namespace
}  // namespace edgemill
