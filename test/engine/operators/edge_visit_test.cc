// EdgeVisit gives what a plain loop over the edges gives, for every slice.
#include <gtest/gtest.h>

#include <algorithm>

#include "test/operator_cases.h"

namespace edgemill::operator_cases {
namespace {

struct VisitedState : State {
  VisitedState(uint64_t num_vertices, int threads, Directions directions)
      : State(num_vertices, threads), lists(*this, directions) {}
  VertexArray<uint64_t> value{*this, "value"};
  VertexArray<uint64_t> sent{*this, "sent"};
  VisitedLists lists;
};

/// Adds up the edges for which a function on edges is called.
struct AddUp {
  Into<Sum<uint64_t>> value;
  Into<Sum<uint64_t>> sent;
  TallyView<Sum<uint64_t>> edges;
  void operator()(const Edge& edge) {
    value.Add(edge.to, 1 + edge.from);
    sent.Add(edge.from, Mix64(edge.to) % 1000);
    edges.Add(1);
  }
};
struct AddUpShared {  // the same, for many edges at a time
  Shared<uint64_t> value;
  Into<Sum<uint64_t>> sent;
  TallyView<Sum<uint64_t>> edges;
  void operator()(const Edge& edge) {
    AtomicAdd(value[edge.to], 1 + edge.from);
    sent.Add(edge.from, Mix64(edge.to) % 1000);
    edges.Add(1);
  }
};

template <typename F, typename ValueView>
void VisitsAsDefined(ValueView (*view)(VertexArray<uint64_t>&)) {
  for (const Slice slice : {Slice{}, Slice{.count = 1}, Slice{.count = 2}, Slice{.skip = 2},
                            Slice{.skip = 1, .count = 20}}) {
    RunAllCases([&](const Case& one, const OperatorSetting& setting, Directions directions,
                    const auto& set) {
      if (setting.mode != Mode::kAuto) return;
      OperatorFixture fixture(*one.graph, setting);
      VisitedState state(fixture.num_vertices(), setting.threads, directions);
      auto engine = fixture.Start(state);
      ASSERT_TRUE(engine.ok()) << engine.status().message();
      std::vector<uint64_t> value(fixture.num_vertices()), sent(fixture.num_vertices());
      uint64_t edges = 0;
      const auto visit = [&](Directions one_way) {
        std::vector<std::vector<VertexId>> lists(fixture.num_vertices());
        PlainLoop(one, one_way, set,
                  [&](const PlainEdge& edge) { lists[edge.from].push_back(edge.to); });
        for (VertexId v = 0; v < lists.size(); ++v) {
          std::sort(lists[v].begin(), lists[v].end());
          for (size_t i = slice.skip; i < lists[v].size() && i - slice.skip < slice.count; ++i) {
            value[lists[v][i]] += 1 + v;
            sent[v] += Mix64(lists[v][i]) % 1000;
            ++edges;
          }
        }
      };
      if (directions != kBoth || !one.directed) visit(directions);
      if (directions == kBoth && one.directed) visit(kOut);  // a slice of each list
      if (directions == kBoth && one.directed) visit(kIn);
      Tally<Sum<uint64_t>> count("edges");
      auto from = SetOf(**engine, set);
      ASSERT_TRUE(from.ok());
      const Status status = (*engine)->EdgeVisit(
          directions, *from, slice,
          F{view(state.value), state.sent.template into<Sum<uint64_t>>(), count.view()});
      ASSERT_TRUE(status.ok()) << status.message();
      EXPECT_EQ(std::vector<uint64_t>(state.value.span().begin(), state.value.span().end()), value);
      EXPECT_EQ(std::vector<uint64_t>(state.sent.span().begin(), state.sent.span().end()), sent);
      EXPECT_EQ(*count.Take(), edges);
    });
  }
}

TEST(EdgeVisit, CallsTheFunctionForEachEdgeOfTheSlice) {
  VisitsAsDefined<AddUp>(
      +[](VertexArray<uint64_t>& values) { return values.into<Sum<uint64_t>>(); });
}
TEST(EdgeVisit, CallsAFunctionOnSharedViewsForTheSame) {
  VisitsAsDefined<AddUpShared>(+[](VertexArray<uint64_t>& values) { return values.shared(); });
}

}  // namespace
}  // namespace edgemill::operator_cases
