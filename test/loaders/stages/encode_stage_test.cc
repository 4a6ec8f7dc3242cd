// Buckets become the columns of one direction, also by two processes.
#include "loaders/stages/encode_stage.h"

#include <gtest/gtest.h>

#include "test/ingest_stage_fixture.h"

namespace edgemill {
namespace {

/// Edges u -> (u * 7 + i) % 1000 for i < 20, shuffled.
std::vector<TestEdge> ManyLines() {
  std::vector<TestEdge> lines;
  for (uint64_t i = 0; i < 20'000; ++i) {
    const uint64_t u = i * 7919 % 1000;
    lines.push_back({u, (u * 7 + i / 1000) % 1000, static_cast<double>(i % 100)});
  }
  return lines;
}

TEST(EncodeStageTest, EncodesBothDirections) {
  IngestOptions options;
  options.max_sort_edges = 900;
  StageFixture fixture(EdgeListOf(ManyLines(), false), options);
  const IdRanks ids = fixture.ReadAndDecide();
  EncodeOrder order{.num_vertices = ids.num_vertices()};
  order.rules.ids = &ids;
  const auto want = SortedEdgesOf(*fixture.edges.forward);
  const auto want_in = SortedEdgesOf(*fixture.edges.reversed);
  EncodedGraph graph;
  ASSERT_TRUE(EncodeColumns(fixture.context, order, *fixture.edges.forward, &graph).ok());
  EXPECT_EQ(graph.totals.num_edges, 20'000u);
  EXPECT_EQ(fixture.writer.Edges(false), want);
  order.in_columns = true;
  ASSERT_TRUE(EncodeColumns(fixture.context, order, *fixture.edges.reversed, &graph).ok());
  EXPECT_EQ(graph.totals.num_edges, 20'000u);
  EXPECT_EQ(fixture.writer.Edges(true), want_in);
  ASSERT_EQ(fixture.times.size(), 9u);  // reading, and an encoding with three parts twice
}

TEST(EncodeStageTest, GoesOnFromACheckpoint) {
  IngestOptions options;
  options.max_sort_edges = 900;
  std::string state;
  size_t first_bucket = 0;
  StageFixture fixture(EdgeListOf(ManyLines(), false), options);
  const IdRanks ids = fixture.ReadAndDecide();
  const auto want = SortedEdgesOf(*fixture.edges.forward);
  EncodeOrder order{.num_vertices = ids.num_vertices(), .checkpoint_bytes = 30'000};
  order.rules.ids = &ids;
  order.checkpoint = [&](const EdgeEncoder& encoder) -> Status {
    StateWriter out;
    encoder.PutState(&out);
    state = out.Take();
    first_bucket = encoder.first_remaining_bucket();
    return IoError("stopped");
  };
  EncodedGraph graph;
  EXPECT_EQ(EncodeColumns(fixture.context, order, *fixture.edges.forward, &graph).code(),
            Code::kIo);
  ASSERT_GT(first_bucket, 0u);
  // A process that resumes has only the remaining buckets.
  std::vector<Bucket>& buckets = fixture.edges.forward->buckets();
  buckets.erase(buckets.begin(), buckets.begin() + static_cast<ptrdiff_t>(first_bucket));
  order.encoder_state = state;
  order.checkpoint = [](const EdgeEncoder&) { return OkStatus(); };
  ASSERT_TRUE(EncodeColumns(fixture.context, order, *fixture.edges.forward, &graph).ok());
  EXPECT_EQ(graph.totals.num_edges, 20'000u);
  EXPECT_EQ(fixture.writer.Edges(false), want);
}

}  // namespace
}  // namespace edgemill
