// EdgeMap gives what a plain loop over the edges gives, in every mode.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "test/operator_cases.h"

namespace edgemill::operator_cases {
namespace {

template <typename P>
struct ValueState : State {
  ValueState(uint64_t num_vertices, int threads, Directions directions)
      : State(num_vertices, threads), programs(*this, directions) {}
  VertexArray<uint64_t> value{*this, "value"};
  VertexArray<uint64_t> sent{*this, "sent"};
  Programs<P> programs;
};

/// Collects messages. Apply depends on the whole sum.
struct Collect {
  using Monoid = Sum<uint64_t>;
  View<const uint64_t> sent;
  View<uint64_t> value;
  TallyView<Sum<uint64_t>> total;
  uint64_t Emit(VertexId u) const { return sent[u]; }
  bool Cond(VertexId v) const { return v % 7 != 3; }
  bool Apply(VertexId v, uint64_t sum) {
    value[v] = value[v] * 31 + sum;
    total.Add(sum);
    return sum % 2 == 0;
  }
};

/// The same, with Apply also for vertices without messages.
struct ApplyToAll {
  using Monoid = Sum<uint64_t>;
  static constexpr bool kAppliesToAll = true;
  View<const uint64_t> sent;
  View<uint64_t> value;
  TallyView<Sum<uint64_t>> total;
  uint64_t Emit(VertexId u) const { return sent[u]; }
  bool Cond(VertexId v) const { return v % 7 != 3; }
  bool Apply(VertexId v, uint64_t sum) {
    value[v] = value[v] * 31 + sum;
    total.Add(sum);
    return sum % 2 == 0;
  }
};

template <typename P>
void CollectsAsDefined() {
  RunAllCases([](const Case& one, const OperatorSetting& setting, Directions directions,
                 const auto& set) {
    OperatorFixture fixture(*one.graph, setting);
    ValueState<P> state(fixture.num_vertices(), setting.threads, directions);
    auto engine = fixture.Start(state);
    ASSERT_TRUE(engine.ok()) << engine.status().message();
    Tally<Sum<uint64_t>> total("total");
    std::map<VertexId, uint64_t> sums;
    std::vector<uint64_t> want(fixture.num_vertices());
    std::set<VertexId> want_set;
    for (VertexId v = 0; v < want.size(); ++v) {
      state.sent.Set(v, Mix64(v) % 1000);
      state.value.Set(v, v);
      want[v] = v;
      if (kAppliesToAllOf<P>) sums[v] = 0;
    }
    PlainLoop(one, directions, set,
              [&](const PlainEdge& edge) { sums[edge.to] += Mix64(edge.from) % 1000; });
    uint64_t want_total = 0;
    for (const auto& [v, sum] : sums) {
      if (v % 7 == 3) continue;
      want[v] = want[v] * 31 + sum;
      want_total += sum;
      if (sum % 2 == 0) want_set.insert(v);
    }
    auto from = SetOf(**engine, set);
    ASSERT_TRUE(from.ok());
    auto next = (*engine)->EdgeMap(directions, *from,
                                   P{state.sent.read(), state.value.view(), total.view()});
    ASSERT_TRUE(next.ok()) << next.status().message();
    EXPECT_EQ(std::vector<uint64_t>(state.value.span().begin(), state.value.span().end()), want);
    EXPECT_EQ(next->Members(), std::vector<VertexId>(want_set.begin(), want_set.end()));
    EXPECT_EQ(*total.Take(), want_total);
  });
}

TEST(EdgeMap, CollectsMessagesAsDefined) { CollectsAsDefined<Collect>(); }
TEST(EdgeMap, AppliesToAllAsDefined) { CollectsAsDefined<ApplyToAll>(); }

/// A program with Relax that consumes what it sends.
struct Consume {
  using Monoid = Sum<uint64_t>;
  View<uint64_t> sent;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) { return AtomicExchange(sent[u], 0); }
  bool Relax(VertexId v, uint64_t more) { return AtomicAdd(value[v], more) + more > 0; }
};

TEST(EdgeMap, ConsumesOnceAndRelaxesAsDefined) {
  RunAllCases([](const Case& one, const OperatorSetting& setting, Directions directions,
                 const auto& set) {
    OperatorFixture fixture(*one.graph, setting);
    ValueState<Consume> state(fixture.num_vertices(), setting.threads, directions);
    auto engine = fixture.Start(state);
    ASSERT_TRUE(engine.ok()) << engine.status().message();
    std::vector<uint64_t> want(fixture.num_vertices());
    std::set<VertexId> want_set;
    for (VertexId v = 0; v < want.size(); ++v) state.sent.Set(v, 1 + Mix64(v) % 1000);
    PlainLoop(one, directions, set, [&](const PlainEdge& edge) {
      want[edge.to] += 1 + Mix64(edge.from) % 1000;
      want_set.insert(edge.to);
    });
    auto from = SetOf(**engine, set);
    ASSERT_TRUE(from.ok());
    auto next =
        (*engine)->EdgeMap(directions, *from, Consume{state.sent.view(), state.value.view()});
    ASSERT_TRUE(next.ok()) << next.status().message();
    EXPECT_EQ(std::vector<uint64_t>(state.value.span().begin(), state.value.span().end()), want);
    EXPECT_EQ(next->Members(), std::vector<VertexId>(want_set.begin(), want_set.end()));
    for (VertexId v = 0; v < want.size(); ++v) {
      EXPECT_EQ(state.sent.Get(v) == 0, from->Has(v));
    }
  });
}

/// Takes the first message, once or in every pass.
template <bool kOnce>
struct TakeFirst {
  using Monoid = Any<uint64_t>;
  View<uint64_t> value;
  View<uint64_t> count;
  uint64_t Emit(VertexId u) const { return u + 1; }
  bool Cond(VertexId v) const { return v % 5 != 2 && (!kOnce || value[v] == 0); }
  bool Apply(VertexId v, uint64_t message) {
    value[v] = message;
    count[v] += 1;
    return message % 2 == 0;
  }
};

template <bool kOnce>
void TakesFirstAsDefined() {
  RunAllCases([](const Case& one, const OperatorSetting& setting, Directions directions,
                 const auto& set) {
    using P = TakeFirst<kOnce>;
    OperatorFixture fixture(*one.graph, setting);
    ValueState<P> state(fixture.num_vertices(), setting.threads, directions);
    auto engine = fixture.Start(state);
    ASSERT_TRUE(engine.ok()) << engine.status().message();
    std::vector<std::set<uint64_t>> offers(fixture.num_vertices());
    PlainLoop(one, directions, set,
              [&](const PlainEdge& edge) { offers[edge.to].insert(edge.from + 1); });
    auto from = SetOf(**engine, set);
    ASSERT_TRUE(from.ok());
    for (uint64_t pass = 1; pass <= 2; ++pass) {
      auto next = (*engine)->EdgeMap(directions, *from, P{state.value.view(), state.sent.view()});
      ASSERT_TRUE(next.ok()) << next.status().message();
      for (VertexId v = 0; v < offers.size(); ++v) {
        const bool takes = v % 5 != 2 && !offers[v].empty();
        const uint64_t value = state.value.Get(v);
        const bool now = takes && (pass == 1 || !kOnce);
        EXPECT_EQ(state.sent.Get(v), takes ? (kOnce ? 1 : pass) : 0) << "vertex " << v;
        EXPECT_TRUE(takes ? offers[v].contains(value) : value == 0) << "vertex " << v;
        EXPECT_EQ(next->Has(v), now && value % 2 == 0) << "vertex " << v;
        if (testing::Test::HasFailure()) return;
      }
    }
  });
}

TEST(EdgeMap, TakesTheFirstMessageOnce) { TakesFirstAsDefined<true>(); }
TEST(EdgeMap, TakesTheFirstMessageOfEachPass) { TakesFirstAsDefined<false>(); }

/// A minimum over weighted edges. W may differ from the type of the stored weights.
template <typename W>
struct Lightest {
  using Monoid = Min<double>;
  View<double> value;
  double Emit(VertexId u) const { return static_cast<double>(u); }
  double Along(double message, const WeightedEdge<W>& edge) const {
    return message + 100 * static_cast<double>(edge.weight) + edge.from + 2.0 * edge.to;
  }
  bool Relax(VertexId v, double message) { return AtomicMin(value[v], message); }
};

template <typename W>
struct RealState : State {
  RealState(uint64_t num_vertices, int threads, Directions directions)
      : State(num_vertices, threads), programs(*this, directions) {}
  VertexArray<double> value{*this, "value"};
  Programs<Lightest<W>> programs;
};

template <typename W>
void ReadsWeights(WeightType stored) {
  RunAllCases(
      [](const Case& one, const OperatorSetting& setting, Directions directions, const auto& set) {
        OperatorFixture fixture(*one.graph, setting);
        RealState<W> state(fixture.num_vertices(), setting.threads, directions);
        auto engine = fixture.Start(state);
        ASSERT_TRUE(engine.ok()) << engine.status().message();
        state.value.Fill(1e9);
        std::vector<double> want(fixture.num_vertices(), 1e9);
        std::set<VertexId> want_set;
        PlainLoop(one, directions, set, [&](const PlainEdge& edge) {
          const double length = edge.from + 100 * edge.weight + edge.from + 2.0 * edge.to;
          want[edge.to] = std::min(want[edge.to], length);
          want_set.insert(edge.to);
        });
        auto from = SetOf(**engine, set);
        ASSERT_TRUE(from.ok());
        auto next = (*engine)->EdgeMap(directions, *from, Lightest<W>{state.value.view()});
        ASSERT_TRUE(next.ok()) << next.status().message();
        EXPECT_EQ(std::vector<double>(state.value.span().begin(), state.value.span().end()), want);
        EXPECT_EQ(next->Members(), std::vector<VertexId>(want_set.begin(), want_set.end()));
      },
      true, stored);
}

TEST(EdgeMap, ReadsIntegersAsIntegers) { ReadsWeights<int32_t>(WeightType::kInt32); }
TEST(EdgeMap, ReadsIntegersAsReals) { ReadsWeights<double>(WeightType::kInt32); }
TEST(EdgeMap, ReadsFloatsAsDoubles) { ReadsWeights<double>(WeightType::kFloat32); }
TEST(EdgeMap, ReadsDoublesAsFloats) { ReadsWeights<float>(WeightType::kFloat64); }
TEST(EdgeMap, GivesOneWhereThereAreNoWeights) { ReadsWeights<int32_t>(WeightType::kNone); }

/// Counts neighbours. With kBoth, an edge of a directed graph counts at both of its ends.
struct CountNeighbors {
  using Monoid = Sum<uint64_t>;
  static constexpr bool kSimple = true;
  View<uint64_t> value;
  uint64_t Emit(VertexId) const { return 1; }
  bool Apply(VertexId v, uint64_t sum) {
    value[v] = sum;
    return true;
  }
};

TEST(EdgeMap, CountsParallelEdgesOnceAndNoLoops) {
  RunAllCases(
      [](const Case& one, const OperatorSetting& setting, Directions directions, const auto& set) {
        OperatorFixture fixture(*one.graph, setting);
        ValueState<CountNeighbors> state(fixture.num_vertices(), setting.threads, directions);
        auto engine = fixture.Start(state);
        ASSERT_TRUE(engine.ok()) << engine.status().message();
        std::vector<std::set<VertexId>> neighbors(fixture.num_vertices()), others(neighbors);
        const bool twice = one.directed && directions == kBoth;
        PlainLoop(one, twice ? kOut : directions, set, [&](const PlainEdge& edge) {
          if (edge.from != edge.to) neighbors[edge.to].insert(edge.from);
        });
        if (twice) {
          PlainLoop(one, kIn, set, [&](const PlainEdge& edge) {
            if (edge.from != edge.to) others[edge.to].insert(edge.from);
          });
        }
        auto from = SetOf(**engine, set);
        ASSERT_TRUE(from.ok());
        auto next = (*engine)->EdgeMap(directions, *from, CountNeighbors{state.value.view()});
        ASSERT_TRUE(next.ok()) << next.status().message();
        for (VertexId v = 0; v < neighbors.size(); ++v) {
          EXPECT_EQ(state.value.Get(v), neighbors[v].size() + others[v].size()) << "vertex " << v;
        }
      });
}

/// Two sums of 16 bytes together, which the engine can only pull.
struct CollectWide {
  using Monoid = Both<Sum<uint64_t>, Max<uint64_t>>;
  View<uint64_t> value;
  View<uint64_t> most;
  Monoid::Value Emit(VertexId u) const { return {1, u}; }
  bool Apply(VertexId v, Monoid::Value sum) {
    value[v] = sum.first;
    most[v] = sum.second;
    return true;
  }
};

TEST(EdgeMap, PullsWideMessages) {
  RunAllCases(
      [](const Case& one, const OperatorSetting& setting, Directions directions, const auto& set) {
        OperatorFixture fixture(*one.graph, setting);
        ValueState<CollectWide> state(fixture.num_vertices(), setting.threads, directions);
        auto engine = fixture.Start(state);
        ASSERT_TRUE(engine.ok()) << engine.status().message();
        std::vector<std::pair<uint64_t, uint64_t>> want(fixture.num_vertices());
        PlainLoop(one, directions, set, [&](const PlainEdge& edge) {
          ++want[edge.to].first;
          want[edge.to].second = std::max<uint64_t>(want[edge.to].second, edge.from);
        });
        auto from = SetOf(**engine, set);
        ASSERT_TRUE(from.ok());
        auto next = (*engine)->EdgeMap(directions, *from,
                                       CollectWide{state.value.view(), state.sent.view()});
        ASSERT_TRUE(next.ok()) << next.status().message();
        for (VertexId v = 0; v < want.size(); ++v) {
          EXPECT_EQ(state.value.Get(v), want[v].first);
          EXPECT_EQ(state.sent.Get(v), want[v].second);
        }
      },
      /*may_push=*/false);
}

/// Consumes what it sends, and adds up what it receives.
struct ConsumeAndCollect {
  using Monoid = Sum<uint64_t>;
  View<uint64_t> sent;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) {
    const uint64_t all = sent[u];
    sent[u] = 0;
    return all;
  }
  bool Apply(VertexId v, uint64_t sum) {
    value[v] = sum;
    return false;
  }
};

TEST(EdgeMap, CollectsWhatIsConsumedInAsynchronousRunsToo) {
  for (const Case& one : Cases(WeightType::kNone)) {
    OperatorFixture fixture(*one.graph, {.threads = 2, .async_passes = 16});
    ValueState<ConsumeAndCollect> state(fixture.num_vertices(), 2, kOut);
    auto engine = fixture.Start(state);
    ASSERT_TRUE(engine.ok()) << engine.status().message();
    state.sent.Fill(3);
    std::vector<uint64_t> want(fixture.num_vertices());
    for (const PlainEdge& edge : one.Going(kOut)) want[edge.to] += 3;
    const ConsumeAndCollect program{state.sent.view(), state.value.view()};
    auto totals = (*engine)->Fixpoint(kOut, (*engine)->sets().All(), program);
    ASSERT_TRUE(totals.ok()) << totals.status().message();
    EXPECT_EQ(totals->passes, 1u) << one.name;
    EXPECT_EQ(std::vector<uint64_t>(state.value.span().begin(), state.value.span().end()), want)
        << one.name;
  }
}

TEST(EdgeMap, AFixpointOfNoPassesGivesItsSetBack) {
  for (const Case& one : Cases(WeightType::kNone)) {
    if (one.graph->info().num_vertices == 0) continue;
    OperatorFixture fixture(*one.graph, {});
    ValueState<ConsumeAndCollect> state(fixture.num_vertices(), 1, kOut);
    auto engine = fixture.Start(state);
    ASSERT_TRUE(engine.ok()) << engine.status().message();
    auto from = (*engine)->sets().Of({0});
    ASSERT_TRUE(from.ok()) << from.status().message();
    const ConsumeAndCollect program{state.sent.view(), state.value.view()};
    auto totals = (*engine)->Fixpoint(kOut, std::move(*from), program, 0);
    ASSERT_TRUE(totals.ok()) << totals.status().message();
    EXPECT_EQ(totals->passes, 0u);
    EXPECT_EQ(totals->emitted, 0u);
    EXPECT_EQ(totals->left.Members(), std::vector<VertexId>({0}));
  }
}

}  // namespace
}  // namespace edgemill::operator_cases
