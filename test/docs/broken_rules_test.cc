// docs/WRITING_ALGORITHMS.md says which message an author gets after breaking a rule. It must quote
// each message that these tests cause.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "test/docs/assortativity.h"
#include "test/docs/independent_set.h"
#include "test/operator_testing.h"

namespace edgemill {
namespace docs {
namespace {

static_assert(EDGEMILL_CHECK_VIEWS, "views must check");

std::string Page() {
  std::ifstream file(EDGEMILL_TEST_DATA "/../../docs/WRITING_ALGORITHMS.md");
  return std::string(std::istreambuf_iterator<char>(file), {});
}
/// A regular expression that matches only `text`.
std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view("{}()*.$^+?[]|\\").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}
void ExpectQuoted(const std::string& message) {
  EXPECT_NE(Page().find(message), std::string::npos) << "the page does not quote: " << message;
}

/// The first message of the AccessGuard while `run()` runs.
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
struct RefusesMore {
  using Monoid = Min<double>;
  View<double> rank;
  double Emit(VertexId u) const { return u; }
  bool Relax(VertexId v, double least) { return AtomicMin(rank[v], least); }
  struct Tuning {
    static bool WouldRelax(const RefusesMore& program, VertexId v, double least) {
      return least + 1 < program.rank[v];
    }
  };
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

TEST_F(BrokenRules, WouldRelaxRefusesOnlyWhatChangesNothing) {
  for (const double rank : {0.0, 0.5}) {  // the message 0 changes only 0.5; 1 changes neither
    const std::string violation = FirstViolation([&] {
      OnATriangle<TwoArrays<RefusesMore>>({.mode = Mode::kPush}, [&](Engine& engine, auto& state) {
        state.rank.Fill(rank);
        const RefusesMore program{state.rank.view()};
        ASSERT_TRUE(engine.EdgeMap(kOut, engine.sets().All(), program).ok());
        EXPECT_EQ(state.rank.Get(1), rank) << "a trial changes nothing";
      });
    });
    if (rank == 0) {
      EXPECT_EQ(violation, "");
    } else {
      EXPECT_NE(violation, "");
      ExpectQuoted(violation);
    }
  }
}

TEST_F(BrokenRules, ModesThatFunctionsDoNotAllow) {
  OnATriangle<TwoArrays<CollectsWide>>({.mode = Mode::kPush}, [](Engine& engine, auto& state) {
    const CollectsWide program{state.rank.view()};
    const auto set = engine.EdgeMap(kOut, engine.sets().All(), program);
    ASSERT_FALSE(set.ok());
    EXPECT_EQ(set.status().code(), Code::kUsage);  // the command line exits with 64 for it
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

struct VisitsInLists : State {
  using State::State;
  VertexArray<double> rank{*this, "rank"};
  VisitedLists lists{*this, kIn};
};

TEST_F(BrokenRules, ListsThatAreNotThere) {
  const auto visit = [](Engine& engine, auto& state) {
    const MarkTargets mark{state.rank.shared()};
    const Status status = engine.EdgeVisit(kIn, engine.sets().All(), mark);
    EXPECT_EQ(status.code(), Code::kUsage);
    ExpectQuoted(std::string(status.message()));
  };
  OnATriangle<VisitsInLists>({}, visit, {.in_columns = false});
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

/// Checks that `run()` aborts with the message `text`, and that the page quotes it.
template <typename Run>
void ExpectAbort(const std::string& text, Run run) {
  const std::string said = "edgemill: a mistake in the algorithm: " + text;
  EXPECT_DEATH(run(), testing::ContainsRegex(Escaped(said)));
  ExpectQuoted(text);
}

struct Undeclared : State {
  using State::State;
  VertexArray<double> mean{*this, "mean"};
};
struct SumRanks {  // needs the same declarations as AddDegrees
  using Monoid = Sum<uint64_t>;
  View<double> rank;
  uint64_t Emit(VertexId u) const { return u; }
  bool Apply(VertexId v, uint64_t sum) {
    rank[v] = static_cast<double>(sum);
    return true;
  }
};
struct HoldsOneSet : State {
  using State::State;
};

TEST_F(BrokenRules, WhatIsNotDeclaredAborts) {
  ExpectAbort(
      "its State does not declare this program: give it a field "
      "`Programs<SumRanks> programs{*this, kOut}`",
      [] {
        OnATriangle<AssortativityState>({}, [](Engine& engine, auto& state) {
          const SumRanks sum{state.mean.view()};
          static_cast<void>(engine.EdgeMap(kOut, engine.sets().All(), sum));
        });
      });
  ExpectAbort(
      "its State does not declare this program: give it a field "
      "`Programs<SendsWhatItWrites> programs{*this, kIn}`",
      [] {
        OnATriangle<TwoArrays<SendsWhatItWrites>>({}, [](Engine& engine, auto& state) {
          const SendsWhatItWrites program{state.rank.view()};
          static_cast<void>(engine.EdgeMap(kIn, engine.sets().All(), program));
        });
      });
  ExpectAbort(
      "its State does not declare these degrees: give it a field `Degrees degrees{*this, kIn}`",
      [] {
        OnATriangle<Undeclared>(
            {}, [](Engine& engine, auto&) { static_cast<void>(engine.Degrees(kIn)); });
      });
  ExpectAbort(
      "its State does not declare the lists that EdgeVisit reads: give it a field "
      "`VisitedLists lists{*this, kOut}`",
      [] {
        OnATriangle<VisitsInLists>({}, [](Engine& engine, auto& state) {
          const MarkTargets mark{state.rank.shared()};
          static_cast<void>(engine.EdgeVisit(kOut, engine.sets().All(), mark));
        });
      });
  ExpectAbort(
      "more sets exist than its State declares: call HoldSets(n) in its constructor (default "
      "1)",
      [] {
        OnATriangle<HoldsOneSet>({}, [](Engine& engine, auto&) {
          const auto first = engine.sets().Of({0});
          const auto second = engine.sets().Of({1});
        });
      });
  ExpectAbort(
      "2 sets exist where an operator begins, and the State declares 1: call HoldSets(2) in "
      "its "
      "constructor",
      [] {
        OnATriangle<TwoArrays<CollectsWide>>({}, [](Engine& engine, auto&) {
          Tally<Sum<double>> total("total", 1);
          const auto first = engine.sets().Of({0});
          const auto second = engine.sets().Of({1});
          static_cast<void>(engine.VertexMap(*first, AddOne{total.view()}));
        });
      });
}

}  // namespace
}  // namespace docs
}  // namespace edgemill
