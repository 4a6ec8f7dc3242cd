// Each of Graph500's five checks refuses the wrong trees that it is for, and says its number.
#include "engine/verify/tree_check.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "test/engine_testing.h"

namespace edgemill {
namespace {

constexpr uint32_t kFar = kInvalidVertex;  // no level, no distance

/// A loaded graph, and the verdict on trees from vertex 0.
class TreeVerdicts {
 public:
  TreeVerdicts(uint64_t num_vertices, const std::vector<TestEdge>& edges, bool directed)
      : store_(InMemoryGraph::Dense(num_vertices, edges,
                                    {.directed = directed, .weights = WeightType::kInt32})),
        reader_(*store_, 3),
        setup_{store_->info(), values_, 2} {
    auto loaded =
        LoadedGraph::Load({*store_, reader_, 2, budget_, progress_}, GraphNeeds{.out_index = true});
    CHECK(loaded.ok());
    graph_ = std::move(*loaded);
  }

  /// The number of the check that refuses the tree; 0: none does.
  template <typename E>
  int Refuses(const std::vector<uint32_t>& length, const std::vector<VertexId>& parent) {
    struct Marks : RunState {
      using RunState::RunState;
      TreeMarks marks{*this, ArrayUse::kWork};
    } state(setup_);
    CHECK(state.Allocate(budget_).ok());
    const Status status = CheckTree<E>(*graph_, PathTree<uint32_t>{length, parent, 0}, state.marks);
    if (status.ok()) return 0;
    EXPECT_EQ(status.code(), Code::kInternal);
    const std::string message(status.message());
    const std::string before = "fails check ";
    const size_t at = message.find(before);
    EXPECT_NE(at, std::string::npos) << message;
    return at == std::string::npos ? -1 : message[at + before.size()] - '0';
  }
  int RefusesLevels(const std::vector<uint32_t>& level, const std::vector<VertexId>& parent) {
    return Refuses<Edge>(level, parent);
  }
  int RefusesDistances(const std::vector<uint32_t>& distance, const std::vector<VertexId>& parent) {
    return Refuses<WeightedEdge<uint64_t>>(distance, parent);
  }

 private:
  MemoryBudget budget_{uint64_t{64} << 20};
  Progress progress_;
  OptionValues values_;
  std::unique_ptr<InMemoryGraph> store_;
  InMemoryReader reader_;
  RunSetup setup_;
  std::unique_ptr<LoadedGraph> graph_;
};

// 0 - 1 - 2 - 3 - 4 - 0 is a ring, 5 - 6 an edge of its own, 7 is alone.
const std::vector<TestEdge> kRing = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1},
                                     {3, 4, 1}, {4, 0, 1}, {5, 6, 1}};
const std::vector<uint32_t> kRingLevels = {0, 1, 2, 2, 1, kFar, kFar, kFar};
const std::vector<VertexId> kRingParents = {0, 0, 1, 4, 0, kFar, kFar, kFar};

template <typename T>
std::vector<T> With(std::vector<T> values, const std::vector<std::pair<size_t, T>>& changes) {
  for (const auto& [at, value] : changes) values[at] = value;
  return values;
}

TEST(TreeCheckTest, AcceptsEveryRightTree) {
  TreeVerdicts ring(8, kRing, /*directed=*/false);
  EXPECT_EQ(ring.RefusesLevels(kRingLevels, kRingParents), 0);
  EXPECT_EQ(ring.RefusesDistances(kRingLevels, kRingParents), 0);
  TreeVerdicts directed(8, kRing, /*directed=*/true);
  EXPECT_EQ(
      directed.RefusesLevels({0, 1, 2, 3, 4, kFar, kFar, kFar}, {0, 0, 1, 2, 3, kFar, kFar, kFar}),
      0);
  TreeVerdicts loops(2, {{0, 0, 1}, {0, 1, 1}, {0, 1, 3}, {1, 1, 1}}, /*directed=*/false);
  EXPECT_EQ(loops.RefusesLevels({0, 1}, {0, 0}), 0);
  EXPECT_EQ(loops.RefusesDistances({0, 1}, {0, 0}), 0);
  TreeVerdicts alone(1, {}, /*directed=*/false);
  EXPECT_EQ(alone.RefusesLevels({0}, {0}), 0);
}

TEST(TreeCheckTest, Check1RefusesWhatIsNoTree) {
  TreeVerdicts ring(8, kRing, /*directed=*/false);
  const auto parents = [&](const std::vector<std::pair<size_t, VertexId>>& changes) {
    return ring.RefusesLevels(kRingLevels, With(kRingParents, changes));
  };
  EXPECT_EQ(parents({{2, 3}, {3, 2}}), 1) << "a cycle of two";
  EXPECT_EQ(parents({{1, 2}, {2, 3}, {3, 4}, {4, 1}}), 1) << "a cycle of four";
  EXPECT_EQ(parents({{2, 2}}), 1) << "a second root";
  EXPECT_EQ(parents({{0, 1}}), 1) << "a source with a parent";
  EXPECT_EQ(parents({{2, 8}}), 1) << "a parent that is no vertex";
  EXPECT_EQ(parents({{2, kFar}}), 1) << "a level without a parent";
  EXPECT_EQ(parents({{7, 0}}), 1) << "a parent without a level";
  EXPECT_EQ(ring.RefusesLevels(With(kRingLevels, {{0, 1u}}), kRingParents), 1) << "a source beyond";
  // 5 and 6 reach each other only.
  EXPECT_EQ(ring.RefusesLevels(With(kRingLevels, {{5, 1u}, {6, 1u}}),
                               With(kRingParents, {{5, VertexId{6}}, {6, VertexId{5}}})),
            1);
}

TEST(TreeCheckTest, Check2RefusesLevelsOffAlongTheTree) {
  TreeVerdicts ring(8, kRing, /*directed=*/false);
  EXPECT_EQ(ring.RefusesLevels(With(kRingLevels, {{2, 3u}}), kRingParents), 2);
  EXPECT_EQ(ring.RefusesLevels(With(kRingLevels, {{2, 1u}}), kRingParents), 2);
  EXPECT_EQ(ring.RefusesDistances(With(kRingLevels, {{3, 1u}}), kRingParents), 2);
}

TEST(TreeCheckTest, Check3RefusesLevelsThatAnEdgeMakesLess) {
  TreeVerdicts ring(8, kRing, /*directed=*/false);
  // A tree the long way round: all tree edges are right.
  EXPECT_EQ(
      ring.RefusesLevels({0, 1, 2, 3, 4, kFar, kFar, kFar}, {0, 0, 1, 2, 3, kFar, kFar, kFar}), 3);
  TreeVerdicts weighted(3, {{0, 1, 2}, {1, 2, 2}, {0, 2, 5}}, /*directed=*/false);
  EXPECT_EQ(weighted.RefusesDistances({0, 2, 4}, {0, 0, 1}), 0);
  EXPECT_EQ(weighted.RefusesDistances({0, 2, 5}, {0, 0, 0}), 3);
}

TEST(TreeCheckTest, Check4RefusesPartOfAComponent) {
  TreeVerdicts ring(8, kRing, /*directed=*/false);
  EXPECT_EQ(ring.RefusesLevels(With(kRingLevels, {{3, kFar}}), With(kRingParents, {{3, kFar}})), 4);
  EXPECT_EQ(ring.RefusesLevels({0, kFar, kFar, kFar, kFar, kFar, kFar, kFar},
                               {0, kFar, kFar, kFar, kFar, kFar, kFar, kFar}),
            4);
  EXPECT_EQ(ring.RefusesDistances(With(kRingLevels, {{3, kFar}}), With(kRingParents, {{3, kFar}})),
            4);
}

TEST(TreeCheckTest, Check5RefusesAParentThatIsNoNeighbour) {
  TreeVerdicts ring(8, kRing, /*directed=*/false);
  EXPECT_EQ(ring.RefusesLevels(kRingLevels, With(kRingParents, {{2, VertexId{4}}})), 5);
  EXPECT_EQ(ring.RefusesDistances(kRingLevels, With(kRingParents, {{2, VertexId{4}}})), 5);
  // A vertex without edges, given as reached.
  EXPECT_EQ(
      ring.RefusesLevels(With(kRingLevels, {{7, 1u}}), With(kRingParents, {{7, VertexId{0}}})), 5);
  // The whole of another component.
  EXPECT_EQ(ring.RefusesLevels(With(kRingLevels, {{5, 1u}, {6, 2u}}),
                               With(kRingParents, {{5, VertexId{0}}, {6, VertexId{5}}})),
            5);
}

TEST(TreeCheckTest, EdgesOfWeightZeroMakeNoCycle) {
  // 0 - 1 - 2 - 3, where 1, 2 and 3 are equally far, and a triangle 4, 5, 6 of weight 0.
  TreeVerdicts verdicts(
      7, {{0, 1, 5}, {1, 2, 0}, {2, 3, 0}, {3, 1, 0}, {4, 5, 0}, {5, 6, 0}, {6, 4, 0}},
      /*directed=*/false);
  const std::vector<uint32_t> distance = {0, 5, 5, 5, kFar, kFar, kFar};
  EXPECT_EQ(verdicts.RefusesDistances(distance, {0, 0, 1, 2, kFar, kFar, kFar}), 0);
  EXPECT_EQ(verdicts.RefusesDistances(distance, {0, 0, 1, 1, kFar, kFar, kFar}), 0);
  EXPECT_EQ(verdicts.RefusesDistances(distance, {0, 0, 3, 2, kFar, kFar, kFar}), 1);
  EXPECT_EQ(verdicts.RefusesDistances(distance, {0, 3, 1, 2, kFar, kFar, kFar}), 1);
  EXPECT_EQ(verdicts.RefusesDistances({0, 5, 5, 5, 9, 9, 9}, {0, 0, 1, 2, 6, 4, 5}), 1);
  EXPECT_EQ(
      verdicts.RefusesDistances({0, 4, 4, 4, kFar, kFar, kFar}, {0, 0, 1, 2, kFar, kFar, kFar}), 2);
}

}  // namespace
}  // namespace edgemill
