// Passes that two and three teams share, against passes on the CPU only. They have monoids and
// views that random sequences of operators lack, and lists in blocks of several teams. Also tests
// that few bytes are exchanged.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "test/team_engine.h"

namespace edgemill {
namespace {

constexpr uint64_t kNumCounts = 5;

/// Arrays for all programs below.
template <typename... Ps>
struct Arrays : State {
  Arrays(uint64_t num_vertices, int threads, Directions directions)
      : State(num_vertices, threads), programs(*this, directions) {
    HoldSets(4);
  }
  VertexArray<uint64_t> sent{*this, "sent"};
  VertexArray<uint64_t> value{*this, "value"};
  VertexArray<uint64_t> other{*this, "other"};
  VertexArray<double> real{*this, "real"};
  VertexArray<uint64_t> idle{*this, "idle"};
  Counters<Sum<uint64_t>> counts{*this, "counts", kNumCounts};
  Degrees degrees{*this, kOut};
  Programs<Ps...> programs;
  Tally<Sum<uint64_t>> total{"total"};
  Tally<Sum<double>> mass{"mass", 1e6};
};

/// Sums of reals, with messages of 4 bytes and sums of 8 bytes, as PageRank has.
struct Rank {
  using Monoid = Sum<double, float>;
  static constexpr bool kAppliesToAll = true;
  View<const uint64_t> sent;
  View<double> real;
  DegreeView degrees;
  TallyView<Sum<double>> mass;
  TallyView<Sum<uint64_t>> total;
  float Emit(VertexId u) const {
    return static_cast<float>(sent[u]) / static_cast<float>(1 + degrees[u]);
  }
  bool Apply(VertexId v, double sum) {
    real[v] = 0.15 + 0.85 * sum;
    mass.Add(real[v] / 1024);
    total.Add(1);
    return sum > 1;
  }
  template <typename S>
  static Rank Of(S& state, DegreeView degrees) {
    return {state.sent.read(), state.real.view(), degrees, state.mass.view(), state.total.view()};
  }
};
/// Sets of bits. Reached vertices are also counted at any index, and any index is read.
struct Reach {
  using Monoid = Or<uint64_t>;
  View<const uint64_t> sent;
  View<uint64_t> value;
  Anywhere<uint64_t> other;
  Into<Sum<uint64_t>> counts;
  TallyView<Sum<uint64_t>> total;
  uint64_t Emit(VertexId u) const { return sent[u]; }
  bool Cond(VertexId v) const { return v % 11 != 5; }
  bool Apply(VertexId v, uint64_t bits) { return Take(v, bits); }
  bool Relax(VertexId v, uint64_t bits) { return Take(v, bits); }
  bool Take(VertexId v, uint64_t bits) {
    bits &= ~other[(v * uint64_t{7}) % 16];
    const uint64_t before = value[v];
    if ((before | bits) == before) return false;
    uint64_t seen = before;
    while (!CompareAndSet(value[v], seen, seen | bits)) seen = value[v];
    if ((seen | bits) == seen) return false;
    counts.Add(v % kNumCounts, static_cast<uint64_t>(std::popcount(bits & ~seen)));
    return true;
  }
  template <typename S>
  static Reach Of(S& state, DegreeView) {
    return {state.sent.read(), state.value.view(), state.other.anywhere(),
            state.counts.template into<Sum<uint64_t>>(), state.total.view()};
  }
};
/// A program that collects with its own monoid of 16 bytes, so it can only pull.
struct Spread {
  struct Monoid {
    struct Value {
      uint64_t least;
      uint64_t sum;
    };
    static Value identity() { return {~uint64_t{0}, 0}; }
    static Value Combine(Value a, Value b) { return {std::min(a.least, b.least), a.sum + b.sum}; }
  };
  View<const uint64_t> sent;
  View<uint64_t> value;
  View<uint64_t> other;
  Into<Sum<uint64_t>> counts;
  TallyView<Sum<uint64_t>> total;
  Monoid::Value Emit(VertexId u) const { return {sent[u], sent[u]}; }
  bool Cond(VertexId v) const { return v % 7 != 3; }
  bool Apply(VertexId v, Monoid::Value sum) {
    value[v] = value[v] * 3 + sum.least;
    other[v] = other[v] * 3 + sum.sum;
    counts.Add(sum.least % kNumCounts, 1);
    total.Add(sum.sum);
    return sum.sum % 2 == 0;
  }
  template <typename S>
  static Spread Of(S& state, DegreeView) {
    return {state.sent.read(), state.value.view(), state.other.view(),
            state.counts.template into<Sum<uint64_t>>(), state.total.view()};
  }
};
/// The same monoid with Relax, so that messages of 16 bytes are pushed and sent one by one.
struct SpreadByRelax {
  using Monoid = Spread::Monoid;
  View<const uint64_t> sent;
  View<uint64_t> value;
  View<uint64_t> other;
  Monoid::Value Emit(VertexId u) const { return {sent[u], sent[u]}; }
  bool Relax(VertexId v, Monoid::Value sum) {
    AtomicAdd(other[v], sum.sum);
    AtomicMin(value[v], sum.least);
    return true;
  }
  template <typename S>
  static SpreadByRelax Of(S& state, DegreeView) {
    return {state.sent.read(), state.value.view(), state.other.view()};
  }
};
/// The largest sender along weighted edges of the simple graph.
struct Heaviest {
  using Monoid = Max<double>;
  static constexpr bool kSimple = true;
  View<double> real;
  double Emit(VertexId u) const { return 1 + u % 97; }
  double Along(double message, const WeightedEdge<float>& edge) const {
    return message + edge.weight / 8;
  }
  bool Relax(VertexId v, double message) { return AtomicMax(real[v], message); }
  template <typename S>
  static Heaviest Of(S& state, DegreeView) {
    return {state.real.view()};
  }
};
/// Counts that each vertex takes one message, also from neighbours that pulls have sampled.
struct CountFirsts {
  using Monoid = Any<uint64_t>;
  View<uint64_t> value;
  TallyView<Sum<uint64_t>> total;
  uint64_t Emit(VertexId u) const { return u; }
  bool Apply(VertexId v, uint64_t) {
    value[v] += 1;
    total.Add(v);
    return v % 5 != 0;
  }
  template <typename S>
  static CountFirsts Of(S& state, DegreeView) {
    return {state.value.view(), state.total.view()};
  }
};
/// A program with a Shared view, which is allowed in one memory only.
struct ByShared {
  using Monoid = Min<uint64_t>;
  View<const uint64_t> sent;
  Shared<uint64_t> value;
  uint64_t Emit(VertexId u) const { return sent[u]; }
  bool Relax(VertexId v, uint64_t message) { return AtomicMin(value[v], message); }
  template <typename S>
  static ByShared Of(S& state, DegreeView) {
    return {state.sent.read(), state.value.shared()};
  }
};
/// A program whose Next swaps the array that it reads with the one that it writes.
struct Smooth {
  using Monoid = Sum<uint64_t>;
  View<const uint64_t> sent;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return sent[u] % 1000; }
  bool Apply(VertexId v, uint64_t sum) {
    value[v] = sum % 1000;
    return sum % 5 != 0;
  }
  void Next() { Swap(sent, value); }
  template <typename S>
  static Smooth Of(S& state, DegreeView) {
    return {state.sent.read(), state.value.view()};
  }
};

/// All that an operator changed: integers, and separately reals.
struct Outcome {
  std::vector<uint64_t> numbers;
  std::vector<double> reals;
  CrossedCounts crossed;
};

template <typename P, typename S>
Status RunOperators(Engine& engine, S& state, Directions directions, Outcome* outcome) {
  for (VertexId v = 0; v < engine.num_vertices(); ++v) {
    state.sent.Set(v, Mix64(v) % 100000);
    state.value.Set(v, uint64_t{1} << v % 64);
    state.other.Set(v, v % 3);
  }
  state.counts.Reset();
  std::vector<VertexId> some;
  for (VertexId v = 0; v < engine.num_vertices(); v += 2) some.push_back(v);
  ASSIGN_OR_RETURN(VertexSet third, engine.sets().Of(some));
  for (const bool all : {true, false}) {
    const P program = P::Of(state, engine.Degrees(kOut));
    ASSIGN_OR_RETURN(
        const VertexSet next,
        engine.EdgeMap(directions, all ? engine.sets().All() : std::move(third), program));
    for (const VertexId v : next.Members()) outcome->numbers.push_back(v);
  }
  ASSIGN_OR_RETURN(auto copy, engine.sets().Of(some));
  ASSIGN_OR_RETURN(
      const FixpointTotals totals,
      engine.Fixpoint(directions, std::move(copy), P::Of(state, engine.Degrees(kOut)), 4));
  if (HasNext<P>) outcome->numbers.push_back(totals.passes);
  ASSIGN_OR_RETURN(const uint64_t total, state.total.Take());
  ASSIGN_OR_RETURN(const double mass, state.mass.Take());
  outcome->numbers.push_back(total);
  outcome->reals.push_back(mass);
  for (VertexId v = 0; v < engine.num_vertices(); ++v) {
    outcome->numbers.insert(outcome->numbers.end(),
                            {state.sent.Get(v), state.value.Get(v), state.other.Get(v)});
    outcome->reals.push_back(state.real.Get(v));
  }
  for (uint64_t i = 0; i < kNumCounts; ++i) outcome->numbers.push_back(state.counts.Get(i));
  return OkStatus();
}

template <typename P>
StatusOr<Outcome> Alone(const InMemoryGraph& graph, const OperatorSetting& setting,
                        Directions directions) {
  Outcome outcome;
  OperatorFixture fixture(graph, setting);
  Arrays<P> state(fixture.num_vertices(), setting.threads, directions);
  ASSIGN_OR_RETURN(const auto engine, fixture.Start(state));
  RETURN_IF_ERROR(RunOperators<P>(*engine, state, directions, &outcome));
  return outcome;
}
template <typename P>
StatusOr<Outcome> Together(const InMemoryGraph& graph, const TeamSetting& setting,
                           Directions directions) {
  Outcome outcome;
  Arrays<P> state(graph.info().num_vertices, setting.operators.threads, directions);
  TeamEngine teams(graph, setting);
  RETURN_IF_ERROR(teams.Start(state));
  RETURN_IF_ERROR(RunOperators<P>(teams.engine(), state, directions, &outcome));
  outcome.crossed = teams.run().crossed();
  return outcome;
}

/// Graphs with weights of all types, and with hubs whose lists lie in several blocks.
std::vector<std::unique_ptr<InMemoryGraph>> Graphs() {
  std::vector<std::unique_ptr<InMemoryGraph>> graphs;
  for (const uint64_t seed : {1, 2, 3}) {
    for (const bool directed : {true, false}) {
      std::vector<TestEdge> edges = RandomTestEdges(seed, 600, 3000, seed == 2 ? 3 : 1);
      for (uint64_t i = 0; i < 400; ++i) {  // long lists, in the middle and at the end
        edges.push_back({300, i, 1});
        edges.push_back({(i * 7) % 600, seed == 3 ? uint64_t{599} : uint64_t{280}, 2});
      }
      graphs.push_back(InMemoryGraph::Dense(
          620, edges,
          {.directed = directed, .weights = seed == 1 ? WeightType::kNone : WeightType::kFloat32}));
    }
  }
  return graphs;
}

template <typename P>
void SharesAsAlone() {
  static const auto graphs = Graphs();
  Random random(sizeof(P));
  uint64_t passes = 0;
  for (const auto& graph : graphs) {
    for (const Mode mode : {Mode::kAuto, Mode::kPush, Mode::kPull, Mode::kNotifyPull}) {
      if (mode == Mode::kPush && !kCanPush<P>) continue;
      for (const Directions directions : {Directions::kOut, Directions::kBoth}) {
        const OperatorSetting setting{.mode = mode, .threads = 2};
        const auto want = Alone<P>(*graph, setting, directions);
        ASSERT_TRUE(want.ok()) << want.status().message();
        for (const double share : {.1, .5, .9}) {
          TeamSetting teams{
              .operators = setting, .host_team_threads = {}, .shares = {.cpu_share = share}};
          teams.operators.threads = 1 + static_cast<int>(random.Below(3));
          const uint64_t num_host_teams = 1 + random.Below(3);
          while (teams.host_team_threads.size() < num_host_teams) {
            teams.host_team_threads.push_back(1 + static_cast<int>(random.Below(3)));
          }
          SCOPED_TRACE(StrCat(TypeName<P>(), ", ", ModeName(mode), ", to ",
                              static_cast<int>(directions), ", share ", std::to_string(share),
                              ", host teams ", num_host_teams));
          const auto got = Together<P>(*graph, teams, directions);
          ASSERT_TRUE(got.ok()) << got.status().message();
          ASSERT_EQ(got->numbers, want->numbers);
          ASSERT_EQ(got->reals.size(), want->reals.size());
          for (size_t i = 0; i < want->reals.size(); ++i) {
            ASSERT_NEAR(got->reals[i], want->reals[i], 1e-6 * (1 + std::abs(want->reals[i])));
          }
          passes += got->crossed.passes;
        }
      }
    }
  }
  EXPECT_EQ(passes > 0, kMayShare<P>);
}

TEST(SharedPasses, SumsOfReals) { SharesAsAlone<Rank>(); }
TEST(SharedPasses, SetsOfBitsAndCounters) { SharesAsAlone<Reach>(); }
TEST(SharedPasses, WideMessages) { SharesAsAlone<Spread>(); }
TEST(SharedPasses, WideMessagesOneByOne) { SharesAsAlone<SpreadByRelax>(); }
TEST(SharedPasses, SimpleGraphsWithWeights) { SharesAsAlone<Heaviest>(); }
TEST(SharedPasses, FirstMessages) { SharesAsAlone<CountFirsts>(); }
TEST(SharedPasses, OneMemoryOnly) { SharesAsAlone<ByShared>(); }
TEST(SharedPasses, ArraysExchangedBetweenPasses) { SharesAsAlone<Smooth>(); }

/// Least labels.
struct Least {
  using Monoid = Min<uint64_t>;
  View<uint64_t> value;
  View<const uint64_t> idle;
  uint64_t Emit(VertexId u) const { return value[u]; }
  bool Cond(VertexId v) const { return idle[v] == 0; }
  bool Relax(VertexId v, uint64_t other) { return AtomicMin(value[v], other); }
};

/// Counts the edges in the list of each vertex, each edge once.
struct CountEdges {
  using Monoid = Sum<uint64_t>;
  View<uint64_t> value;
  uint64_t Emit(VertexId) const { return 1; }
  bool Apply(VertexId v, uint64_t sum) {
    value[v] = sum;
    return sum > 1;
  }
};

TEST(SharedPasses, OfListsOverSeveralTeams) {
  // There are few lists, so that each is in many blocks, and teams have blocks of only one list.
  for (const uint64_t num_lists : {1, 2, 3, 7}) {
    std::vector<TestEdge> edges;
    for (uint64_t list = 0; list < num_lists; ++list) {
      for (uint64_t i = 0; i < 2000; ++i) edges.push_back({20 + i, 5 * list, 1});
    }
    const auto graph = InMemoryGraph::Dense(2048, edges, {.directed = true});
    for (size_t num_host_teams = 1; num_host_teams <= 6; ++num_host_teams) {
      for (const double share : {.3, .6, .95, 1.}) {
        SCOPED_TRACE(StrCat(num_lists, " lists, ", num_host_teams, " host teams"));
        Arrays<CountEdges> state(2048, 1, kOut);
        TeamEngine teams(*graph, {.operators = {.mode = Mode::kPull},
                                  .host_team_threads = std::vector<int>(num_host_teams, 1),
                                  .shares = {.cpu_share = share}});
        ASSERT_TRUE(teams.Start(state).ok());
        const auto next = teams.engine().EdgeMap(kOut, teams.engine().sets().All(),
                                                 CountEdges{state.value.view()});
        ASSERT_TRUE(next.ok()) << next.status().message();
        EXPECT_EQ(teams.run().crossed().passes, 1u);
        EXPECT_EQ(next->size(), num_lists);
        for (VertexId v = 0; v < 2048; ++v) {
          const bool receives = v % 5 == 0 && v / 5 < num_lists;
          ASSERT_EQ(state.value.Get(v), receives ? 2000u : 0u) << v;
        }
      }
    }
  }
}

TEST(SharedPasses, OnlyMessagesAndTouchedValuesCross) {
  // A path in 8 blocks of 128 edges. In a pass, each search touches one vertex.
  std::vector<TestEdge> edges;
  for (uint64_t v = 0; v + 1 < 1025; ++v) edges.push_back({v, v + 1});
  const auto graph = InMemoryGraph::Dense(1025, edges);
  for (const Mode mode : {Mode::kPush, Mode::kPull}) {
    Arrays<Least> state(1025, 1, kOut);
    TeamEngine teams(*graph, {.operators = {.mode = mode}, .shares = {.cpu_share = .5}});
    ASSERT_TRUE(teams.Start(state).ok());
    state.value.Fill(7);
    state.value.Set(0, 1);
    state.value.Set(700, 2);
    for (const auto* const array : {&state.value, &state.idle}) (void)array->span();
    auto from = teams.engine().sets().Of({0, 700});
    ASSERT_TRUE(from.ok());
    teams.home().DrainBytesToDevice();
    teams.home().DrainBytesToHost();
    auto totals = teams.engine().Fixpoint(kOut, std::move(*from),
                                          Least{state.value.view(), state.idle.read()}, 10);
    ASSERT_TRUE(totals.ok());
    EXPECT_EQ(totals->left.Members(), (std::vector<VertexId>{10, 710}));
    const CrossedCounts& crossed = teams.run().crossed();
    EXPECT_EQ(crossed.passes, 10u);
    // The search from 0 is in blocks of the main team, the search from 700 in the host team's.
    EXPECT_EQ(crossed.messages, mode == Mode::kPush ? 10u : 0u);
    EXPECT_EQ(crossed.message_bytes, crossed.messages * 12);
    // Each touched vertex returns a value and its id.
    EXPECT_EQ(crossed.returned_bytes, 20u * (8 + 8));
    // Both copies had both arrays, so only values are copied.
    const uint64_t to_host = teams.home().DrainBytesToHost();
    const uint64_t to_place = teams.home().DrainBytesToDevice();
    EXPECT_EQ(to_host, (mode == Mode::kPush ? 20u : 10u) * 8);
    EXPECT_EQ(to_place, mode == Mode::kPush ? 0 : 10u * 8);
    for (VertexId v = 0; v < 1025; ++v) {
      EXPECT_EQ(state.value.Get(v), v <= 10 ? 1u : v >= 700 && v <= 710 ? 2u : 7u);
    }
  }
}

/// Lengths of shortest paths, with buckets.
struct Shorten {
  using Monoid = Min<uint64_t>;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return value[u]; }
  uint64_t Along(uint64_t length, const WeightedEdge<int32_t>& edge) const {
    return length + static_cast<uint64_t>(edge.weight);
  }
  bool Relax(VertexId v, uint64_t length) { return AtomicMin(value[v], length); }
  double Priority(VertexId v) const { return static_cast<double>(value[v]); }
};

TEST(SharedPasses, OfBucketsBringNoStateAgain) {
  const auto graph =
      InMemoryGraph::Dense(1500, RandomTestEdges(9, 1500, 6000), {.weights = WeightType::kInt32});
  std::vector<uint64_t> want;
  for (const bool together : {false, true}) {
    Arrays<Shorten> state(1500, 1, kOut);
    const OperatorSetting setting{.mode = Mode::kPush, .threads = 2};
    if (!together) {
      OperatorFixture fixture(*graph, setting);
      auto engine = fixture.Start(state);
      ASSERT_TRUE(engine.ok());
      state.value.Fill(~uint64_t{0} / 2);
      state.value.Set(3, 0);
      auto from = (*engine)->sets().Of({3});
      ASSERT_TRUE(
          (*engine)->Bucketed(kOut, std::move(*from), Shorten{state.value.view()}, 20).ok());
      want.assign(state.value.span().begin(), state.value.span().end());
      continue;
    }
    TeamEngine teams(*graph, {.operators = setting, .shares = {.cpu_share = .5}});
    ASSERT_TRUE(teams.Start(state).ok());
    state.value.Fill(~uint64_t{0} / 2);
    state.value.Set(3, 0);
    auto from = teams.engine().sets().Of({3});
    teams.home().DrainBytesToHost();
    ASSERT_TRUE(
        teams.engine().Bucketed(kOut, std::move(*from), Shorten{state.value.view()}, 20).ok());
    const CrossedCounts& crossed = teams.run().crossed();
    EXPECT_GT(crossed.passes, 10u);
    // The array is copied at most once, after it was filled there. Then only touched values are.
    EXPECT_LE(teams.home().DrainBytesToHost(), 1500 * sizeof(uint64_t) + crossed.returned_bytes);
    EXPECT_EQ(std::vector<uint64_t>(state.value.span().begin(), state.value.span().end()), want);
  }
}

TEST(SharedPasses, TakeTheStepsOfTheTable) {
  using enum PassStage;
  using enum PassStep;
  const std::map<std::pair<PassStage, PassStep>, PassStage> allowed = {
      {{kCopiesDiffer, kAlone}, kCopiesDiffer}, {{kCopiesDiffer, kEqualize}, kCopiesEqual},
      {{kCopiesEqual, kAlone}, kCopiesDiffer},  {{kCopiesEqual, kEqualize}, kCopiesEqual},
      {{kCopiesEqual, kWork}, kWorked},         {{kWorked, kTake}, kTaken},
      {{kTaken, kReturn}, kCopiesEqual}};
  for (const PassStage stage : {kCopiesDiffer, kCopiesEqual, kWorked, kTaken}) {
    for (const PassStep step : {kAlone, kEqualize, kWork, kTake, kReturn}) {
      const PassMove move = MoveOf(stage, step);
      const auto found = allowed.find({stage, step});
      ASSERT_EQ(move.allowed, found != allowed.end());
      if (move.allowed) {
        EXPECT_EQ(move.next, found->second);
      }
    }
  }
}

TEST(SharedPasses, ReturnErrors) {
  const auto graph = InMemoryGraph::Dense(600, RandomTestEdges(4, 600, 3000));
  // Damages a block of one team, then a block of the other.
  for (const uint64_t block : {uint64_t{1}, uint64_t{22}}) {
    const auto damaged = InMemoryGraph::Dense(600, RandomTestEdges(4, 600, 3000));
    for (std::byte& byte : damaged->mutable_payload(ColumnKind::kOutNeighbors, block)) {
      byte = std::byte{0xff};
    }
    Arrays<Least> state(600, 1, kOut);
    TeamEngine teams(*damaged, {.operators = {.mode = Mode::kPush}, .shares = {.cpu_share = .5}});
    ASSERT_TRUE(teams.Start(state).ok());
    const auto next = teams.engine().EdgeMap(kOut, teams.engine().sets().All(),
                                             Least{state.value.view(), state.idle.read()});
    EXPECT_FALSE(next.ok()) << "block " << block;
  }
}

}  // namespace
}  // namespace edgemill
