// Functions on vertices: the results of Reduce, and the bounds of tallies.
#include <gtest/gtest.h>

#include <set>

#include "test/operator_testing.h"

namespace edgemill {
namespace {

struct ValueState : State {
  using State::State;
  VertexArray<uint64_t> value{*this, "value"};
};

struct ValueAndCount {
  View<const uint64_t> value;
  TallyView<Sum<uint64_t>> calls;
  TallyView<Sum<double>> halves;
  uint64_t operator()(VertexId v) {
    calls.Add(1);
    halves.Add(0.5);
    return value[v];
  }
};

TEST(VertexFunctions, ReduceKeepsWhatTalliesGet) {
  constexpr uint64_t kVertices = 100000;  // many chunks
  const auto graph = InMemoryGraph::Dense(kVertices, {{0, 1}}, {});
  for (const int threads : {1, 4}) {
    OperatorFixture fixture(*graph, {.threads = threads});
    ValueState state(kVertices, threads);
    auto engine = fixture.Start(state);
    ASSERT_TRUE(engine.ok());
    for (VertexId v = 0; v < kVertices; ++v) state.value.Set(v, v % 10);
    std::vector<VertexId> thirds;
    for (VertexId v = 0; v < kVertices; v += 3) thirds.push_back(v);
    auto some = (*engine)->sets().Of(thirds);
    ASSERT_TRUE(some.ok());
    const VertexSet all = (*engine)->sets().All();
    for (const VertexSet* set : {&all, static_cast<const VertexSet*>(&*some)}) {
      Tally<Sum<uint64_t>> calls("calls");
      Tally<Sum<double>> halves("halves", kVertices);
      const ValueAndCount value{state.value.read(), calls.view(), halves.view()};
      const auto most = (*engine)->Reduce<Max<uint64_t>>(*set, value);
      ASSERT_TRUE(most.ok());
      EXPECT_EQ(*most, 9u);
      EXPECT_EQ(*calls.Take(), set->size());
      EXPECT_EQ(*halves.Take(), static_cast<double>(set->size()) / 2);
    }
  }
}

/// Whether a tally with this bound accepts these numbers and gives their sum.
bool Takes(double bound, std::initializer_list<double> numbers) {
  Tally<Sum<double>> tally("numbers", bound);
  double want = 0;
  for (const double number : numbers) {
    tally.sum().Add(number);
    want += number;
  }
  const auto sum = tally.Take();
  if (!sum.ok()) {
    EXPECT_EQ(sum.status().message(), StrCat("the sum of numbers passed its bound, ", bound));
    return false;
  }
  EXPECT_EQ(*sum, want);
  return true;
}

TEST(VertexFunctions, TalliesRefuseSumsAboveTheirBounds) {
  for (const double bound : {1.0, 0.75, 3.0, 0x1p-20, 0x1p40}) {
    EXPECT_TRUE(Takes(bound, {bound})) << bound;
    EXPECT_TRUE(Takes(bound, {-bound})) << bound;
    EXPECT_TRUE(Takes(bound, {bound / 2, bound / 2, -bound, bound / 4})) << bound;
    EXPECT_FALSE(Takes(bound, {bound, bound / 64})) << bound;
    EXPECT_FALSE(Takes(bound, {-bound, -bound / 64})) << bound;
    EXPECT_FALSE(Takes(bound, {bound / 2, bound / 2, bound / 2})) << bound;
    EXPECT_FALSE(Takes(bound, {2.5 * bound})) << bound;
  }
  EXPECT_FALSE(Takes(1, {1, 1, 1, 1, 1, 1, 1, 1})) << "all bits of the sum overflow to 0";
  EXPECT_FALSE(Takes(1, {std::numeric_limits<double>::quiet_NaN()}));
  EXPECT_FALSE(Takes(1, {std::numeric_limits<double>::infinity()}));
}

}  // namespace
}  // namespace edgemill
