// What the model says of a function that breaks a rule: it names the function, and the rule.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "engine/model/model_cases.h"
#include "engine/model/model_engine.h"
#include "engine/state/state.h"

namespace edgemill::model {
namespace {

struct NumberState : State {
  using State::State;
  VertexArray<uint32_t> number{*this, "number"};
  VertexArray<uint32_t> other{*this, "other"};
};

/// What the model says of `run(engine, state)`, on the first graph and in the first mode where it
/// says anything.
template <typename Run>
std::string FirstViolation(Run run) {
  uint64_t seed = 0;
  MemoryBudget budget(uint64_t{64} << 20);
  for (const Case& c : Cases()) {
    if (c.graph.num_vertices() < 2) continue;
    for (Mode mode : Modes()) {
      mode.seed = ++seed;
      NumberState state(c.graph.num_vertices(), 1);
      EXPECT_TRUE(state.Allocate(budget).ok());
      Engine engine(c.graph, mode);
      const Status status = run(engine, state);
      EXPECT_EQ(status.ok(), violation.empty());
      if (!status.ok()) return std::string(status.message());
    }
  }
  return "nothing";
}
template <typename P>
std::string OfPass() {
  return FirstViolation([](Engine& engine, NumberState& state) {
    return engine.EdgeMap(kOut, engine.sets().All(), P{state.other.read(), state.number.view()})
        .status();
  });
}

struct TakesMost {
  using Monoid = Max<uint32_t>;
  View<const uint32_t> other;
  View<uint32_t> number;
  uint32_t Emit(VertexId u) const { return other[u] + u + 1; }
  bool Apply(VertexId v, uint32_t most) {
    number[v] = most;
    return true;
  }
};
struct Impure {
  using Monoid = Max<uint32_t>;
  View<const uint32_t> other;
  View<uint32_t> number;
  uint32_t Emit(VertexId) const {
    static uint32_t turn = 0;
    return ++turn;
  }
  bool Apply(VertexId, uint32_t) { return true; }
};
struct ReadsSender {
  using Monoid = Max<uint32_t>;
  View<const uint32_t> other;
  View<uint32_t> number;
  uint32_t Emit(VertexId u) const { return number[u]; }
  bool Apply(VertexId v, uint32_t most) {
    number[v] = other[v] + most;
    return true;
  }
};
struct AlwaysTrue {
  using Monoid = Min<uint32_t>;
  View<const uint32_t> other;
  View<uint32_t> number;
  uint32_t Emit(VertexId u) const { return other[u]; }
  bool Relax(VertexId v, uint32_t least) {
    AtomicMin(number[v], least);
    return true;
  }
};
struct NeverTrue {
  using Monoid = Max<uint32_t>;
  View<const uint32_t> other;
  View<uint32_t> number;
  uint32_t Emit(VertexId u) const { return other[u] + 1; }
  bool Relax(VertexId v, uint32_t most) {
    AtomicMax(number[v], most);
    return false;
  }
};
struct Minus {
  using Value = int32_t;
  static constexpr int32_t identity() { return 0; }
  static constexpr int32_t Combine(int32_t a, int32_t b) { return a - b; }
};
struct Mean {
  using Value = double;
  static constexpr double identity() { return 0; }
  static constexpr double Combine(double a, double b) {
    return a == 0 || b == 0 ? a + b : (a + b) / 2;
  }
};
template <typename M>
struct Takes {
  using Monoid = M;
  View<const uint32_t> other;
  View<uint32_t> number;
  typename M::Value Emit(VertexId u) const { return static_cast<typename M::Value>(u + 1); }
  bool Apply(VertexId v, typename M::Value sum) {
    number[v] = static_cast<uint32_t>(sum);
    return true;
  }
};
struct CountsCalls {
  View<uint32_t> number;
  uint32_t calls;
  void operator()(VertexId v) { number[v] = ++calls; }
};

TEST(RuleNamesTest, AFunctionIsNamedWithItsRule) {
  EXPECT_EQ(OfPass<TakesMost>(), "nothing");
  EXPECT_EQ(OfPass<Takes<Sum<double>>>(), "nothing");
  EXPECT_EQ(OfPass<Impure>(),
            "Impure::Emit: says something else when it is called again for the same vertices");
  EXPECT_EQ(OfPass<ReadsSender>(),
            "ReadsSender::Emit: number: Emit reads by a View what Apply may write: take a "
            "View<const T>");
  EXPECT_EQ(OfPass<AlwaysTrue>(), "AlwaysTrue::Relax: is true though nothing changed");
  EXPECT_EQ(OfPass<NeverTrue>(), "NeverTrue::Relax: is false after a change");
  EXPECT_EQ(OfPass<Takes<Minus>>(),
            "Minus::Combine: identity() changes a value that is combined with it");
  EXPECT_EQ(OfPass<Takes<Mean>>(),
            "Mean::Combine: what is combined first matters: it must be associative");
  EXPECT_EQ(FirstViolation([](Engine& engine, NumberState& state) {
              return engine.VertexMap(engine.sets().All(), CountsCalls{state.number.view(), 0});
            }),
            "CountsCalls: a function changes a field of its own: the engine copies programs");
}

}  // namespace
}  // namespace edgemill::model
