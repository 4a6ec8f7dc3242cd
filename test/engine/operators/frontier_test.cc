// In a set of active vertices, bitmap and list agree: for any order of additions, any number of
// threads, and each way to make the list.
#include "engine/program/sets/frontier.h"

#include <gtest/gtest.h>

#include <set>

#include "common/cancel.h"
#include "common/random.h"
#include "common/threads/parallel.h"

namespace edgemill {
namespace {

class FrontierTest : public testing::Test {
 protected:
  Frontier Make(uint64_t num_vertices) {
    return std::move(Frontier::Create(num_vertices, budget_).value());
  }
  void TearDown() override { ClearCancel(); }

  MemoryBudget budget_{uint64_t{256} << 20};
};

/// Checks all members by the bitmap, and by the list if there is one.
void ExpectMembers(const std::set<VertexId>& expected, const Frontier& frontier) {
  std::set<VertexId> by_bit, by_visit;
  for (VertexId vertex = 0; vertex < frontier.num_vertices(); ++vertex) {
    if (frontier.Test(vertex)) by_bit.insert(vertex);
  }
  EXPECT_EQ(expected, by_bit);
  frontier.VisitRange(0, frontier.num_vertices(), [&](VertexId vertex) {
    EXPECT_TRUE(by_visit.empty() || *by_visit.rbegin() < vertex);
    by_visit.insert(vertex);
    return true;
  });
  EXPECT_EQ(expected, by_visit);
}

TEST_F(FrontierTest, BatchesOfManyThreadsFromNoneToAll) {
  constexpr uint64_t kVertices = 300'000;
  Random random(3);
  for (const uint64_t count : {0, 1, 60, 70, 1'000, 9'000, 10'000, 100'000, 300'000}) {
    for (const int threads : {1, 4}) {
      Frontier frontier = Make(kVertices);
      std::set<VertexId> expected;
      while (expected.size() < count && count < kVertices) {
        expected.insert(static_cast<VertexId>(random.Below(kVertices)));
      }
      for (VertexId vertex = 0; count == kVertices && vertex < count; ++vertex) {
        expected.insert(expected.end(), vertex);
      }
      const std::vector<VertexId> members(expected.begin(), expected.end());
      // Each vertex is added twice, in some words by two threads, but must be listed once.
      ForEachChunk(2 * members.size(), 100, threads, [&](size_t begin, size_t end) {
        FrontierBatch batch(frontier);
        for (size_t i = begin; i < end; ++i) batch.Add(members[i % members.size()]);
      });
      EXPECT_EQ(frontier.is_sparse(), count <= kVertices / 32 + 64);
      frontier.Seal(threads);
      ExpectMembers(expected, frontier);
      if (frontier.is_sparse()) {
        EXPECT_EQ(members,
                  std::vector<VertexId>(frontier.members().begin(), frontier.members().end()));
      }
      frontier.Clear(threads);
      ExpectMembers({}, frontier);
    }
  }
}

TEST_F(FrontierTest, WordsAreAddedAtOnce) {
  Frontier frontier = Make(1000);
  ASSERT_TRUE(frontier.Add(65));
  std::array<Frontier::WordBits, 3> words = {{{1, 0b11}, {2, 0}, {15, uint64_t{1} << 39}}};
  frontier.AddWords(words);
  frontier.Seal();
  ExpectMembers({64, 65, 999}, frontier);
}

/// A later run may use the frontier that a cancelled run has left.
TEST_F(FrontierTest, IsClearedWholeAfterACancellation) {
  constexpr VertexId kVertices = 2'000'000;
  Frontier frontier = Make(kVertices);
  for (VertexId vertex = 0; vertex < kVertices; vertex += 3) frontier.Add(vertex);
  RequestCancel();
  frontier.Clear(4);
  for (const uint64_t word : frontier.words()) ASSERT_EQ(0u, word);
  EXPECT_TRUE(frontier.is_sparse());
}

TEST_F(FrontierTest, AssignedBitmapsGetAListWhereTheyAreFew) {
  for (const int threads : {1, 3}) {
    for (const VertexId step : {1, 31, 33, 100'000}) {
      Frontier frontier = Make(500'000);
      std::set<VertexId> expected;
      const std::span<uint64_t> words = frontier.BeginAssign();
      for (VertexId vertex = 5; vertex < 500'000; vertex += step) {
        words[vertex / 64] |= uint64_t{1} << vertex % 64;
        expected.insert(expected.end(), vertex);
      }
      frontier.EndAssign(threads);
      EXPECT_EQ(step > 31, frontier.is_sparse());
      ExpectMembers(expected, frontier);
    }
  }
}

}  // namespace
}  // namespace edgemill
