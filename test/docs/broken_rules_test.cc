// What docs/WRITING_ALGORITHMS.md says that one meets who breaks a rule: each message that comes
// here must be quoted there.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "test/docs/assortativity.h"
#include "test/docs/independent_set.h"
#include "test/operator_testing.h"

namespace edgemill::docs {
namespace {

static_assert(EDGEMILL_CHECK_VIEWS, "views must check");

std::string Page() {
  std::ifstream file(EDGEMILL_TEST_DATA "/../../docs/WRITING_ALGORITHMS.md");
  return std::string(std::istreambuf_iterator<char>(file), {});
}
void ExpectQuoted(const std::string& message) {
  EXPECT_NE(Page().find(message), std::string::npos) << "the page does not quote: " << message;
}

/// What the guard says first while `run()` runs.
template <typename Run>
std::string FirstViolation(Run run) {
  static std::string first;
  first.clear();
  const AccessGuard::Handler before = AccessGuard::handler();
  AccessGuard::handler() = [](std::string_view array, std::string_view what) {
    if (first.empty()) first = StrCat(array, ": ", what);
  };
  run();
  AccessGuard::handler() = before;
  return first;
}

template <typename P>
struct TwoArrays : State {
  using State::State;
  VertexArray<double> rank{*this, "rank"};
  VertexArray<double> next{*this, "next rank"};
  Programs<P> programs{*this, kOut};
};

struct SendsWhatItWrites {
  using Monoid = Sum<double>;
  View<double> rank;
  double Emit(VertexId u) const { return rank[u]; }
  bool Apply(VertexId v, double sum) {
    rank[v] = sum;
    return true;
  }
};
struct ReadsAnother {
  View<double> rank;
  void operator()(VertexId v) { rank[v] = rank[v / 2]; }
};
struct ReadsAnotherBesideIt {
  View<const double> rank;
  View<double> next;
  void operator()(VertexId v) { next[v] = rank[v / 2]; }
};
struct ReadsBeyond {
  Anywhere<double> rank;
  View<double> next;
  void operator()(VertexId v) { next[v] = rank[v + 1]; }
};
struct CollectsWide {
  using Monoid = Both<Sum<double>, Sum<double>>;
  View<double> rank;
  Monoid::Value Emit(VertexId) const { return {1, 1}; }
  bool Apply(VertexId v, Monoid::Value sum) {
    rank[v] = sum.first;
    return true;
  }
};
struct MarkTargets {
  Shared<double> marks;
  void operator()(const Edge& edge) { marks[edge.to] = 1; }
};
struct AddOne {
  TallyView<Sum<double>> total;
  void operator()(VertexId) { total.Add(1); }
};

class BrokenRules : public testing::Test {
 protected:
  /// Calls `run(engine, state)` on a triangle.
  template <typename S, typename Run>
  static void OnATriangle(const OperatorSetting& setting, Run run,
                          const TestGraphOptions& options = {}) {
    const auto graph = InMemoryGraph::Dense(3, {{0, 1}, {1, 2}, {2, 0}}, options);
    OperatorFixture fixture(*graph, setting);
    S state(3, 1);
    auto engine = fixture.Start(state);
    ASSERT_TRUE(engine.ok()) << engine.status().message();
    run(**engine, state);
  }
  template <typename F, typename Make>
  static std::string ViolationOfMap(Make make) {
    return FirstViolation([&] {
      OnATriangle<TwoArrays<SendsWhatItWrites>>({}, [&](Engine& engine, auto& state) {
        ASSERT_TRUE(engine.VertexMap(engine.sets().All(), make(state)).ok());
      });
    });
  }
};

TEST_F(BrokenRules, ViewsSayWhichArray) {
  ExpectQuoted(FirstViolation([] {
    OnATriangle<TwoArrays<SendsWhatItWrites>>({}, [](Engine& engine, auto& state) {
      const SendsWhatItWrites program{state.rank.view()};
      ASSERT_TRUE(engine.EdgeMap(kOut, engine.sets().All(), program).ok());
    });
  }));
  ExpectQuoted(
      ViolationOfMap<ReadsAnother>([](auto& state) { return ReadsAnother{state.rank.view()}; }));
  ExpectQuoted(ViolationOfMap<ReadsAnotherBesideIt>([](auto& state) {
    return ReadsAnotherBesideIt{state.rank.read(), state.next.view()};
  }));
  ExpectQuoted(ViolationOfMap<ReadsBeyond>([](auto& state) {
    return ReadsBeyond{state.rank.anywhere(), state.next.view()};
  }));
}

TEST_F(BrokenRules, ModesThatFunctionsDoNotAllow) {
  OnATriangle<TwoArrays<CollectsWide>>({.mode = Mode::kPush}, [](Engine& engine, auto& state) {
    const CollectsWide program{state.rank.view()};
    const auto set = engine.EdgeMap(kOut, engine.sets().All(), program);
    ASSERT_FALSE(set.ok());
    ExpectQuoted(std::string(set.status().message()));
  });
  OnATriangle<TwoArrays<SendsWhatItWrites>>({.mode = Mode::kPull},
                                            [](Engine& engine, auto& state) {
                                              const SendsWhatItWrites program{state.rank.view()};
                                              const auto set = engine.EdgeMap(
                                                  kOut, engine.sets().All(), program);
                                              ASSERT_FALSE(set.ok());
                                              ExpectQuoted(std::string(set.status().message()));
                                            },
                                            {.in_columns = false});
}

TEST_F(BrokenRules, ListsThatAreNotThere) {
  OnATriangle<TwoArrays<CollectsWide>>({},
                                       [](Engine& engine, auto& state) {
                                         const Status status =
                                             engine.EdgeVisit(kIn, engine.sets().All(),
                                                              MarkTargets{state.rank.shared()});
                                         ASSERT_FALSE(status.ok());
                                         ExpectQuoted(std::string(status.message()));
                                       },
                                       {.in_columns = false});
}

TEST_F(BrokenRules, TalliesHaveBounds) {
  OnATriangle<TwoArrays<CollectsWide>>({}, [](Engine& engine, auto&) {
    Tally<Sum<double>> total("total", 1);
    ASSERT_TRUE(engine.VertexMap(engine.sets().All(), AddOne{total.view()}).ok());
    const auto sum = total.Take();
    ASSERT_FALSE(sum.ok());
    ExpectQuoted(std::string(sum.status().message()));
  });
}

/// `run()` aborts, and says `text`, a check that failed.
template <typename Run>
void ExpectAbort(const std::string& text, Run run) {
  EXPECT_DEATH(run(), "check failed: " + text);
  ExpectQuoted("check failed: " + text);
}

struct Undeclared : State {
  using State::State;
  VertexArray<double> mean{*this, "mean"};
};
struct HoldsOneSet : State {
  using State::State;
};

TEST_F(BrokenRules, WhatIsNotDeclaredAborts) {
  ExpectAbort("state_declares_program", [] {
    OnATriangle<Undeclared>({}, [](Engine& engine, auto& state) {
      Tally<Sum<double>> products("products");
      const AddDegrees add{engine.Degrees(kOut), state.mean.view(), products.view()};
      static_cast<void>(engine.EdgeMap(kOut, engine.sets().All(), add));
    });
  });
  ExpectAbort("state_declares_degrees", [] {
    OnATriangle<Undeclared>({},
                            [](Engine& engine, auto&) { static_cast<void>(engine.Degrees(kIn)); },
                            {.in_columns = false});
  });
  ExpectAbort("taken_ < most_", [] {
    OnATriangle<HoldsOneSet>({}, [](Engine& engine, auto&) {
      const auto first = engine.sets().Of({0});
      const auto second = engine.sets().Of({1});
    });
  });
}

}  // namespace
}  // namespace edgemill::docs
