// Arrays in two memories under random steps of a driver, against plain vectors. Every call of the
// second memory fails once.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "common/random.h"
#include "engine/program/arrays/on_device.h"
#include "test/fake_home.h"
#include "test/operator_testing.h"

namespace edgemill {
namespace {

constexpr uint64_t kVertices = 70;

struct TwoArrays : State {
  using State::State;
  VertexArray<uint32_t> a{*this, "a", ArrayUse::kResult};
  VertexArray<uint32_t> b{*this, "b", ArrayUse::kResult};
};

struct AddTo {  // to[v] += 3 from[v] + 1
  View<const uint32_t> from;
  View<uint32_t> to;
  void operator()(VertexId v) { to[v] += 3 * from[v] + 1; }
};
struct ValueAtVertex {
  Anywhere<uint32_t> value;
  uint64_t operator()(VertexId v) const { return value[v]; }
};

/// A State whose arrays have a second memory, and the values that they should hold.
class Steps {
 public:
  Steps(uint64_t seed, FirstElements first, std::optional<uint64_t> fail_call)
      : random_(seed), copied_(kVertices, first, fail_call) {
    engine_ = std::move(*fixture_.Make(copied_.state));
  }

  FakeHome& home() { return copied_.home; }
  bool failed() const { return !copied_.state.status().ok(); }

  /// Does one step. Returns whether the driver saw only right values. Must not be called after an
  /// operator has failed.
  bool Step() {
    const bool swapped = random_.Below(2) == 1;
    VertexArray<uint32_t>& x = swapped ? copied_.state.b : copied_.state.a;
    VertexArray<uint32_t>& y = swapped ? copied_.state.a : copied_.state.b;
    std::vector<uint32_t>& want_x = want_[swapped ? 1 : 0];
    std::vector<uint32_t>& want_y = want_[swapped ? 0 : 1];
    const auto v = static_cast<VertexId>(random_.Below(kVertices));
    const auto value = static_cast<uint32_t>(random_.Below(1000));
    switch (random_.Below(10)) {
      case 0:
        x.Fill(value);
        want_x.assign(kVertices, value);
        return true;
      case 1:
        x.Set(v, value);
        want_x[v] = value;
        return true;
      case 2:
        return x.Get(v) == want_x[v];
      case 3:
        return x.At(std::array{v, VertexId{0}}) == std::vector{want_x[v], want_x[0]};
      case 4:
        return std::equal(want_x.begin(), want_x.end(), x.span().begin());
      case 5: {
        const std::span<uint32_t> span = x.mutable_span();
        const bool right = std::equal(want_x.begin(), want_x.end(), span.begin());
        span[v] = want_x[v] = value;
        return right;
      }
      case 6:
        x.Swap(y);
        std::swap(want_x, want_y);
        return true;
      case 7:
        return AddThere(AddTo{x.read(), y.view()}, want_x, want_y);
      case 8:
        return AddHere(AddTo{x.read(), y.view()}, want_x, want_y);
      default:
        return Sums(x, want_x);
    }
  }
  /// Brings the results to the host, and compares them.
  bool End() {
    const Status status = copied_.state.CopyResultsToHost();
    EXPECT_EQ(status.ok(), !failed());
    return Settle(status) && Equals(copied_.state.a, 0) && Equals(copied_.state.b, 1);
  }
  /// Whether an operator has returned the error.
  bool over() const { return over_; }

 private:
  bool Settle(const Status& status) {
    if (status.ok()) return true;
    EXPECT_EQ(status.message(), FakeHome::kError);
    over_ = true;
    return true;
  }
  bool Equals(const VertexArray<uint32_t>& array, size_t which) const {
    return over_ || std::equal(want_[which].begin(), want_[which].end(), array.span().begin());
  }
  void Add(const std::vector<uint32_t>& from, std::vector<uint32_t>& to) {
    for (size_t v = 0; v < to.size(); ++v) to[v] += 3 * from[v] + 1;
  }
  bool AddThere(const AddTo& add, const std::vector<uint32_t>& from, std::vector<uint32_t>& to) {
    const bool had_failed = failed();
    auto there = OnDevice(add, {});
    EXPECT_FALSE(had_failed && there.ok()) << "an operator returns what was kept";
    if (!there.ok()) return Settle(there.status());
    for (VertexId v = 0; v < kVertices; ++v) (*there)(v);
    Add(from, to);
    return true;
  }
  bool AddHere(const AddTo& add, const std::vector<uint32_t>& from, std::vector<uint32_t>& to) {
    const bool had_failed = failed();
    const Status status = engine_->VertexMap(engine_->sets().All(), add);
    EXPECT_FALSE(had_failed && status.ok());
    if (status.ok()) Add(from, to);
    return Settle(status);
  }
  bool Sums(const VertexArray<uint32_t>& x, const std::vector<uint32_t>& want_x) {
    const auto sum =
        engine_->Reduce<Sum<uint64_t>>(engine_->sets().All(), ValueAtVertex{x.anywhere()});
    if (!sum.ok()) return Settle(sum.status());
    return *sum == std::accumulate(want_x.begin(), want_x.end(), uint64_t{0});
  }

  Random random_;
  const std::unique_ptr<InMemoryGraph> graph_ = InMemoryGraph::Dense(kVertices, {{0, 1}}, {});
  OperatorFixture fixture_{*graph_, {}};
  CopiedState<TwoArrays> copied_;
  std::unique_ptr<Engine> engine_;
  std::array<std::vector<uint32_t>, 2> want_ = {std::vector<uint32_t>(kVertices),
                                                std::vector<uint32_t>(kVertices)};
  bool over_ = false;
};

TEST(ArraySteps, AreAsInOneMemory) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Steps steps(seed, seed % 2 == 0 ? FirstElements::kZeros : FirstElements::kHosts, {});
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(steps.Step()) << "seed " << seed << ", step " << i;
    ASSERT_TRUE(steps.End()) << seed;
    ASSERT_FALSE(steps.failed());
  }
}

TEST(ArraySteps, EveryFailureIsReturnedByTheNextOperator) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    bool whole = false;
    for (uint64_t fail_call = 0; !whole; ++fail_call) {
      Steps steps(seed, FirstElements::kZeros, fail_call);
      for (int i = 0; i < 60 && !steps.over(); ++i) {
        const bool right = steps.Step();
        ASSERT_TRUE(right || steps.failed()) << "seed " << seed << ", call " << fail_call;
      }
      if (!steps.over()) {
        ASSERT_TRUE(steps.End());
      }
      whole = steps.home().calls() <= fail_call;
      ASSERT_EQ(steps.over(), !whole) << "seed " << seed << ", call " << fail_call;
    }
  }
}

struct Spread {
  using Monoid = Min<uint32_t>;
  View<uint32_t> value;
  uint32_t Emit(VertexId u) const { return value[u]; }
  bool Relax(VertexId v, uint32_t least) { return AtomicMin(value[v], least); }
  double Priority(VertexId v) const { return value[v]; }
};
struct AllOperators : TwoArrays {
  using TwoArrays::TwoArrays;
  VertexArray<uint32_t> c{*this, "c"};
  Programs<Spread> programs{*this, kOut};
  VisitedLists lists{*this, kOut};
};
struct Nothing {
  bool operator()(VertexId) const { return false; }
};
struct Visit {
  Into<Sum<uint32_t>> into;
  void operator()(const Edge& edge) { into.Add(edge.to, 1); }
};

TEST(ArraySteps, EveryOperatorReturnsKeptErrors) {
  const auto graph = InMemoryGraph::Dense(kVertices, {{0, 1}}, {});
  OperatorFixture fixture(*graph, {});
  CopiedState<AllOperators> copied(kVertices, FirstElements::kHosts, 0);
  AllOperators& state = copied.state;
  auto engine = std::move(*fixture.Make(state));
  const VertexSet all = engine->sets().All();
  const auto works = [&] {
    const Spread spread{state.b.view()};  // another array than the one that fails
    const bool ok[] = {engine->EdgeMap(kOut, all, spread).ok(),
                       engine->Fixpoint(kOut, engine->sets().All(), spread).ok(),
                       engine->Bucketed(kOut, engine->sets().All(), spread, 1.0).ok(),
                       engine->VertexMap(all, AddTo{state.b.read(), state.c.view()}).ok(),
                       engine->VertexMap(engine->sets().None(), Nothing{}).ok(),
                       engine->VertexFilter(all, Nothing{}).ok(),
                       engine->Reduce<Sum<uint64_t>>(all, ValueAtVertex{state.b.anywhere()}).ok(),
                       engine->EdgeVisit(kOut, all, Visit{state.c.into<Sum<uint32_t>>()}).ok()};
    return std::count(std::begin(ok), std::end(ok), true);
  };
  EXPECT_EQ(works(), 8);
  EXPECT_EQ(copied.home.calls(), 0u);
  state.a.Fill(1);  // fails
  EXPECT_FALSE(OnDevice(AddTo{state.b.read(), state.c.view()}, {}).ok());
  EXPECT_FALSE(OnHost(AddTo{state.b.read(), state.c.view()}).ok());
  EXPECT_EQ(works(), 0);
  EXPECT_EQ(state.status().message(), FakeHome::kError);
  EXPECT_FALSE(state.CopyResultsToHost().ok());
}

}  // namespace
}  // namespace edgemill
