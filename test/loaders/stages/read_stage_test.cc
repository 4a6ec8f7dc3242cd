// The read stage: the edges that it puts into buckets, the ids that it sees, and when it saves.
#include "loaders/stages/read_stage.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "test/ingest_stage_fixture.h"

namespace edgemill {
namespace {

/// A cycle over `num_edges` vertices, whose ids begin at `first`.
EdgeList Cycle(uint64_t num_edges, uint64_t first = 0) {
  EdgeList list{.name = "cycle", .weighted = false};
  for (uint64_t i = 0; i < num_edges; ++i) {
    list.edges.push_back({first + i, first + (i + 1) % num_edges, 0});
  }
  return list;
}

TEST(ReadStageTest, PutsEachEdgeIntoTheBucketsOfBothDirections) {
  StageFixture fixture(Cycle(1000, 5));
  ASSERT_TRUE(fixture.Read().ok());
  const auto forward = SortedEdgesOf(*fixture.edges.forward);
  auto reversed = SortedEdgesOf(*fixture.edges.reversed);
  ASSERT_EQ(forward.size(), 1000u);
  EXPECT_EQ(forward[0], std::pair(5u, 6u));
  for (auto& [source, target] : reversed) std::swap(source, target);
  std::sort(reversed.begin(), reversed.end());
  EXPECT_EQ(reversed, forward);
  EXPECT_EQ(fixture.stats.edges, 1000u);
  EXPECT_EQ(fixture.stats.min_id, 5u);
  EXPECT_EQ(fixture.stats.max_id, 1004u);
  EXPECT_EQ(fixture.ids.seen->Count(2000), 1000u);
  ASSERT_EQ(fixture.times.size(), 1u);
  EXPECT_EQ(fixture.times[0].name, "read and partition");
}

TEST(ReadStageTest, StoresEachLineOfAnUndirectedInputBothWays) {
  IngestOptions options;
  options.direction = EdgeDirection::kUndirected;
  StageFixture fixture(Cycle(500), options);
  ASSERT_TRUE(fixture.Read().ok());
  EXPECT_EQ(fixture.edges.forward->num_edges(), 1000u);
  EXPECT_FALSE(fixture.edges.reversed.has_value());
}

TEST(ReadStageTest, LogsEdgesOfOneDirectionThatAreToBeRenumbered) {
  IngestOptions options;
  options.direction = EdgeDirection::kUndirected;
  options.renumbering = Renumbering::kDegree;
  StageFixture fixture(Cycle(500), options);
  ASSERT_TRUE(fixture.Read().ok());
  EXPECT_EQ(fixture.edges.forward->buckets().size(), 1u);
  EXPECT_EQ(fixture.edges.forward->num_edges(), 500u);
}

TEST(ReadStageTest, LogsAsReadFromTheFirstChunkWithAWideIdOn) {
  IngestOptions options;
  options.threads = 1;
  EdgeList list = Cycle(500);
  list.edges[250].target = uint64_t{1} << 40;  // in the third chunk of 100
  StageFixture fixture(std::move(list), options);
  ASSERT_TRUE(fixture.Read().ok());
  EXPECT_EQ(fixture.edges.forward->num_edges(), 200u);
  ASSERT_TRUE(fixture.edges.wide.has_value());
  const Bucket& log = fixture.edges.wide->buckets()[0];
  std::vector<WideEdge> edges(log.count(0));
  ASSERT_EQ(edges.size(), 300u);
  ASSERT_TRUE(log.records[0]->Read(0, std::as_writable_bytes(std::span(edges))).ok());
  EXPECT_EQ(edges[50].source, 250u);
  EXPECT_EQ(edges[50].target, uint64_t{1} << 40);
  EXPECT_EQ(edges[51].target, 252u);
}

TEST(ReadStageTest, SavesAfterSoManyBytesAndGoesOnFromThere) {
  IngestOptions options;
  options.spill_memory_bytes = 256 << 10;
  StageFixture fixture(Cycle(200'000), options);
  std::vector<uint64_t> saved;
  ASSERT_TRUE(fixture
                  .Read({.bytes = 128 << 10,
                         .save =
                             [&](uint64_t sequence) {
                               EXPECT_EQ(fixture.stats.edges, 100 * (sequence + 1));
                               saved.push_back(sequence);
                               return OkStatus();
                             }})
                  .ok());
  EXPECT_GE(saved.size(), 3u);
  EXPECT_TRUE(std::is_sorted(saved.begin(), saved.end()));
  EXPECT_EQ(fixture.edges.forward->num_edges(), 200'000u);
}

TEST(ReadStageTest, ReturnsTheErrorOfASaveOrOfABadEdge) {
  IngestOptions options;
  options.spill_memory_bytes = 256 << 10;
  StageFixture fixture(Cycle(100'000), options);
  const auto fail = [](uint64_t) { return IoError("the disk is full"); };
  EXPECT_EQ(fixture.Read({.bytes = 1 << 10, .save = fail}).code(), Code::kIo);
  IngestOptions dense;
  dense.ids = IdMode::kDense;
  dense.max_vertex_id = 300;
  StageFixture large(Cycle(1000), dense);
  EXPECT_EQ(large.Read().code(), Code::kBadData);
}

TEST(ReadStageTest, AnEmptyInputHasEmptyBuckets) {
  StageFixture fixture(Cycle(0));
  ASSERT_TRUE(fixture.Read().ok());
  EXPECT_EQ(fixture.edges.forward->num_edges(), 0u);
  EXPECT_FALSE(fixture.stats.any_id());
}

/// The temporary files of an input have so many pages that memory has no room for their tables. The
/// input is refused before it is read, and the error names a budget that works.
TEST(ReadStageTest, PageTablesThatDoNotFitAreRefusedFirst) {
  StageFixture stage(EdgeListOf({{0, 1}, {1, 2}}, false));
  stage.source.mutable_info().expected_edges = uint64_t{1} << 38;
  const Status status = stage.Read();
  EXPECT_EQ(status.code(), Code::kBudget) << status.message();
  for (const char* part : {"the page table of 4.00 TiB of temporary files", "--memory"}) {
    EXPECT_NE(status.message().find(part), std::string_view::npos) << status.message();
  }
  EXPECT_EQ(stage.stats.edges, 0u);
}

}  // namespace
}  // namespace edgemill
