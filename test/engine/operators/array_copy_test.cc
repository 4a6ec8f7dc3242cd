// Arrays in two memories: where their elements are, which are copied, and that nothing is lost.
#include "engine/program/arrays/array_copy.h"

#include <gtest/gtest.h>

#include "common/random.h"
#include "engine/api/levels.h"
#include "engine/program/arrays/on_device.h"
#include "test/fake_home.h"
#include "test/operator_testing.h"

namespace edgemill {
namespace {

constexpr uint64_t kSize = 100;

struct Triple {  // larger than the elements that Fill takes on a GPU
  uint64_t a, b, c;
  bool operator==(const Triple&) const = default;
};

struct PairState : State {
  using State::State;
  VertexArray<uint32_t> first{*this, "first", ArrayUse::kResult};
  VertexArray<uint32_t> second{*this, "second"};
  VertexArray<uint32_t> none{*this, "none", ArrayUse::kNone};
  VertexArray<uint64_t> wide{*this, "wide"};
  VertexArray<Triple> triple{*this, "triple"};
  Counters<Sum<uint64_t>> counters{*this, "counters", 3};
  VertexBits bits{*this, "bits"};
  Levels levels{*this, "levels"};
};
using Pair = CopiedState<PairState>;

template <typename T>
std::vector<T> ToVector(std::span<const T> elements) {
  return {elements.begin(), elements.end()};
}

constexpr MemorySet kHost(kHostMemory);
constexpr MemorySet kDevice(kFirstOtherMemory);
constexpr MemorySet kTwoMemories = kHost | kDevice;

MemorySet At(const StateArray& array) { return array.info()->copy->current(); }

struct Copy {  // to[v] = from[v] + more
  View<const uint32_t> from;
  View<uint32_t> to;
  uint32_t more;
  void operator()(VertexId v) { to[v] = from[v] + more; }
};

/// Runs a function on all vertices, as a GPU does.
template <typename F>
Status RunOnDevice(uint64_t num_vertices, const F& function) {
  ASSIGN_OR_RETURN(F there, OnDevice(function, {}));
  for (uint64_t v = 0; v < num_vertices; ++v) there(static_cast<VertexId>(v));
  return OkStatus();
}

TEST(ArrayCopy, StepsBetweenTwoMemories) {
  using enum ElementUse;
  const auto expect = [](MemorySet now, ElementUse use, MemoryId memory, bool to_host,
                         bool from_host, MemorySet next) {
    EXPECT_TRUE((StepOf(now, use, memory) == ElementStep{to_host, from_host, next}))
        << now.first() << " " << static_cast<int>(use) << " " << memory;
  };
  expect(kHost, kRead, 0, false, false, kHost);
  expect(kHost, kWrite, 0, false, false, kHost);
  expect(kHost, kRead, 1, false, true, kTwoMemories);
  expect(kHost, kWrite, 1, false, true, kDevice);
  expect(kTwoMemories, kRead, 0, false, false, kTwoMemories);
  expect(kTwoMemories, kWrite, 0, false, false, kHost);
  expect(kTwoMemories, kRead, 1, false, false, kTwoMemories);
  expect(kTwoMemories, kWrite, 1, false, false, kDevice);
  expect(kDevice, kRead, 0, true, false, kTwoMemories);
  expect(kDevice, kWrite, 0, true, false, kHost);
  expect(kDevice, kRead, 1, false, false, kDevice);
  expect(kDevice, kWrite, 1, false, false, kDevice);
  for (const MemorySet now : {kHost, kTwoMemories, kDevice}) {
    expect(now, kReplace, 0, false, false, kHost);
    expect(now, kReplace, 1, false, false, kDevice);
  }
}

TEST(ArrayCopy, StepsBetweenThreeMemoriesGoByTheHost) {
  using enum ElementUse;
  const MemorySet third(2);
  EXPECT_TRUE((StepOf(third, kRead, 1) == ElementStep{true, true, kTwoMemories | third}));
  EXPECT_TRUE((StepOf(third, kWrite, 1) == ElementStep{true, true, kDevice}));
  EXPECT_TRUE((StepOf(kTwoMemories, kRead, 2) == ElementStep{false, true, kTwoMemories | third}));
  EXPECT_TRUE(
      (StepOf(kDevice | third, kRead, 0) == ElementStep{true, false, kTwoMemories | third}));
  EXPECT_TRUE((StepOf(kDevice | third, kRead, 2) == ElementStep{false, false, kDevice | third}));
  EXPECT_TRUE((StepOf(kDevice | third, kReplace, 2) == ElementStep{false, false, third}));
}

TEST(ArrayCopy, ToReadOnAGpuLeavesTheHostCurrent) {
  Pair pair(kSize);
  pair.state.second.mutable_span()[3] = 7;
  const Copy function{pair.state.first.read(), pair.state.second.view(), 1};
  const auto there = OnDevice(function, {}, /*writes=*/false);
  ASSERT_TRUE(there.ok());
  EXPECT_EQ(At(pair.state.second), kTwoMemories);
  EXPECT_EQ(std::as_const(there->to)[3], 7u);
  ASSERT_TRUE(OnDevice(function, {}).ok());
  EXPECT_EQ(At(pair.state.second), kDevice);
}

TEST(ArrayCopy, PlansArraysWithElementsThatProgramsView) {
  PairState state(kSize, 1);  // not allocated
  ArenaPlan plan;
  StateCopies(state).Plan(&plan);
  // first, second, wide, triple, counters and bits; neither none nor the members of levels.
  EXPECT_EQ(plan.bytes(), 512u + 512 + 1024 + 2560 + 256 + 256);
}

TEST(ArrayCopy, BeginsWithZerosOrTheHostsElements) {
  Pair zeros(kSize, FirstElements::kZeros);
  EXPECT_EQ(zeros.home.bytes_to_device, 0u);
  ASSERT_TRUE(
      RunOnDevice(kSize, Copy{zeros.state.first.read(), zeros.state.second.view(), 3}).ok());
  EXPECT_EQ(zeros.home.bytes_to_device, 0u) << "zeros cross no link";
  EXPECT_EQ(ToVector(zeros.state.second.span()), std::vector<uint32_t>(kSize, 3));

  MemoryBudget budget(uint64_t{256} << 20);
  PairState state(kSize, 1);
  ASSERT_TRUE(state.Allocate(budget).ok());
  state.first.Fill(7);
  FakeHome home;
  FakeArena arena;
  {
    StateCopies copies(state);
    copies.Plan(&arena);
    arena.Allocate();
    ASSERT_TRUE(copies.Begin(home, FirstElements::kHosts).ok());
    EXPECT_EQ(home.calls(), 0u) << "nothing moves before it is needed";
    ASSERT_TRUE(RunOnDevice(kSize, Copy{state.first.read(), state.second.view(), 3}).ok());
    EXPECT_EQ(home.bytes_to_device, 2 * kSize * 4);
    EXPECT_EQ(state.second.Get(99), 10u);
    EXPECT_EQ(ToVector(state.second.span()), std::vector<uint32_t>(kSize, 10));
  }
  EXPECT_EQ(state.first.info()->copy, nullptr) << "the copies are gone";
  state.first.Fill(5);
  EXPECT_EQ(ToVector(state.first.span()), std::vector<uint32_t>(kSize, 5));
  {
    FakeHome broken(0);
    FakeArena other;  // a second run has other memory
    StateCopies copies(state);
    copies.Plan(&other);
    other.Allocate();
    EXPECT_FALSE(copies.Begin(broken, FirstElements::kZeros).ok());
    EXPECT_FALSE(state.status().ok());
  }
  EXPECT_TRUE(state.status().ok()) << "its errors went with it";
}

TEST(ArrayCopy, FillsOnTheDevice) {
  Pair pair(kSize);
  pair.home.fills = 0;
  pair.state.first.Fill(0x01020304);
  pair.state.counters.Reset();
  EXPECT_EQ(pair.home.fills, 2u);
  EXPECT_EQ(At(pair.state.first), kDevice);
  EXPECT_EQ(pair.home.bytes_to_device + pair.home.bytes_to_host, 0u);
  EXPECT_EQ(ToVector(pair.state.first.span()), std::vector<uint32_t>(kSize, 0x01020304));
  EXPECT_EQ(pair.home.DrainBytesToHost(), kSize * 4);
  pair.state.triple.Fill({1, 2, 3});
  EXPECT_EQ(pair.state.triple.Get(kSize - 1), (Triple{1, 2, 3}));
  EXPECT_EQ(At(pair.state.triple), kHost) << "filled on the host";
}

/// Sets all elements of `array` to 5 and brings them to the memories `at`.
void Bring(MemorySet at, VertexArray<uint32_t>& array, FakeHome& home) {
  array.Fill(5);
  if (at != kDevice) (void)array.span();
  if (at == kHost) (void)array.mutable_span();
  ASSERT_EQ(At(array), at);
  home.DrainBytesToDevice();
  home.DrainBytesToHost();
}

TEST(ArrayCopy, MovesFewElementsAlone) {
  for (const MemorySet at : {kHost, kTwoMemories, kDevice}) {
    Pair pair(kSize);
    VertexArray<uint32_t>& array = pair.state.first;
    Bring(at, array, pair.home);
    array.Set(7, 70);
    EXPECT_EQ(pair.home.DrainBytesToDevice(), at == kHost ? 0u : 4u);
    array.Set(99, 990);
    EXPECT_EQ(array.Get(7), 70u);
    const std::vector<VertexId> ids = {99, 7, 8, 99};
    EXPECT_EQ(array.At(ids), (std::vector<uint32_t>{990, 70, 5, 990}));
    EXPECT_TRUE(array.At({}).empty());
    EXPECT_EQ(pair.home.DrainBytesToHost(), at == kDevice ? 4u + 16u : 0u);
    EXPECT_EQ(At(array), at) << "it stays where it was";
    // Both memories have the elements.
    ASSERT_TRUE(RunOnDevice(kSize, Copy{array.read(), pair.state.second.view(), 0}).ok());
    std::vector<uint32_t> want(kSize, 5);
    want[7] = 70;
    want[99] = 990;
    EXPECT_EQ(ToVector(pair.state.second.span()), want);
    EXPECT_EQ(ToVector(array.span()), want);
  }
}

TEST(ArrayCopy, SpansBringTheElements) {
  for (const MemorySet at : {kHost, kTwoMemories, kDevice}) {
    Pair pair(kSize);
    VertexArray<uint32_t>& array = pair.state.first;
    const uint32_t* const place = array.span().data();
    Bring(at, array, pair.home);
    EXPECT_EQ(array.span()[50], 5u);
    EXPECT_EQ(array.span().data(), place);
    EXPECT_EQ(pair.home.DrainBytesToHost(), at == kDevice ? kSize * 4 : 0) << "once";
    Bring(at, array, pair.home);
    array.mutable_span()[50] = 6;
    EXPECT_EQ(pair.home.DrainBytesToHost(), at == kDevice ? kSize * 4 : 0);
    EXPECT_EQ(At(array), kHost);
    ASSERT_TRUE(RunOnDevice(kSize, Copy{array.read(), pair.state.second.view(), 1}).ok());
    EXPECT_EQ(pair.state.second.Get(50), 7u);
    Bring(at, array, pair.home);
    array.as<uint32_t>()[50] = 8;
    EXPECT_EQ(At(array), kHost);
    Bring(at, array, pair.home);
    const std::span<uint32_t> found = pair.state.Find<uint32_t>("first");
    EXPECT_EQ(found[50], 5u);
    EXPECT_EQ(At(array), kHost);
  }
}

TEST(ArrayCopy, ElementsOfASmallerType) {
  Pair pair(kSize);
  VertexArray<uint64_t>& wide = pair.state.wide;
  wide.Fill(~uint64_t{0});
  wide.FillAs<uint32_t>(9);
  wide.SetAs<uint32_t>(99, 8);
  EXPECT_EQ(pair.home.bytes_to_device, 4u);
  std::vector<uint32_t> want(kSize, 9);
  want[99] = 8;
  EXPECT_EQ(ToVector(wide.span_as<uint32_t>()), want);
  struct Double {
    View<uint32_t> number;
    void operator()(VertexId v) { number[v] = number[v] * 2; }
  };
  ASSERT_TRUE(RunOnDevice(kSize, Double{wide.view_as<uint32_t>()}).ok());
  EXPECT_EQ(wide.span_as<uint32_t>()[98], 18u);
  EXPECT_EQ(wide.span_as<uint32_t>()[99], 16u);
}

TEST(ArrayCopy, SwapsInConstantTime) {
  for (const MemorySet one : {kHost, kTwoMemories, kDevice}) {
    for (const MemorySet other : {kHost, kTwoMemories, kDevice}) {
      Pair pair(kSize);
      VertexArray<uint32_t>& first = pair.state.first;
      VertexArray<uint32_t>& second = pair.state.second;
      Bring(other, second, pair.home);
      second.Set(0, 2);
      Bring(one, first, pair.home);
      first.Set(0, 1);
      const View<const uint32_t> before = first.read();
      pair.home.DrainBytesToDevice();
      const uint64_t calls = pair.home.calls();
      first.Swap(second);
      EXPECT_EQ(pair.home.calls(), calls);
      EXPECT_EQ(At(first), other);
      EXPECT_EQ(At(second), one);
      EXPECT_EQ(first.Get(0), 2u);
      EXPECT_EQ(second.Get(0), 1u);
      // A view that was made before still shows the same memory.
      const auto there = OnDevice(Copy{before, first.view(), 0}, {});
      ASSERT_TRUE(there.ok());
      EXPECT_EQ(there->from[0], 1u);
      EXPECT_EQ(At(first), kDevice);
      EXPECT_EQ(first.span()[0], 2u);
      EXPECT_EQ(second.span()[0], 1u);
      second.Swap(first);
      EXPECT_EQ(first.span()[0], 1u);
      EXPECT_EQ(second.span()[0], 2u);
    }
  }
}

struct AllViews {
  View<uint32_t> own;
  View<const uint32_t> read;
  Anywhere<uint64_t> anywhere;
  Into<Sum<uint64_t>> into;
  Shared<uint64_t> shared;
  View<uint32_t> none;
  TallyView<Sum<uint64_t>> tally;
  DegreeView degree;
  double number;
};

TEST(ArrayCopy, OnDeviceLeadsViewsThere) {
  Pair pair(kSize, FirstElements::kHosts);
  PairState& state = pair.state;
  state.first.Fill(1);
  state.second.Fill(2);
  state.wide.Fill(3);
  state.counters.Reset();
  Tally<Sum<uint64_t>> tally("tally");
  const std::vector<uint32_t> low = {0, 2}, device_low = {0, 2}, other_low = {0, 1};
  const auto index_at = [](const std::vector<uint32_t>& at) {
    return VertexIndexView{at.data(), nullptr, 0, 1};
  };
  const IndexCopy indexes[] = {{index_at(other_low), index_at(low)},
                               {index_at(low), index_at(device_low)}};
  const AllViews program{state.first.view(),    state.second.read(),       state.wide.anywhere(),
                         state.counters.view(), state.bits.shared(),       state.none.view(),
                         tally.view(),          DegreeView(index_at(low)), 2.5};
  auto there = OnDevice(program, {.indexes = indexes});
  ASSERT_TRUE(there.ok());
  EXPECT_EQ(At(state.first), kDevice);
  EXPECT_EQ(At(state.second), kDevice) << "read alone, but it was filled there";
  EXPECT_EQ(At(state.counters), kDevice);
  EXPECT_EQ(At(state.bits), kDevice);
  EXPECT_FALSE(there->none);
  EXPECT_EQ(there->own.array(), state.first.info());
  EXPECT_EQ(there->degree.index().low, device_low.data());
  EXPECT_EQ(there->tally.total(), &tally.sum());
  EXPECT_EQ(there->number, 2.5);
  EXPECT_NE(there->own.data(), program.own.data());
  there->own[3] = 30;
  there->into.Add(2, 20);
  AtomicSetBit(there->shared.data(), 4);
  EXPECT_EQ(there->read[9], 2u);
  EXPECT_EQ(there->anywhere[9], 3u);
  EXPECT_EQ(state.first.Get(3), 30u);
  EXPECT_EQ(state.counters.Get(2), 20u);
  EXPECT_TRUE(state.bits.has(4));
  EXPECT_FALSE(state.bits.has(5));
  (void)state.second.mutable_span();
  (void)state.wide.mutable_span();
  ASSERT_TRUE(OnDevice(program, {.indexes = indexes}).ok());
  EXPECT_EQ(At(state.second), kTwoMemories) << "not written";
  EXPECT_EQ(At(state.wide), kTwoMemories);
  // A view into the middle keeps its offset.
  state.first.Set(10, 100);
  const Copy part{state.first.read(), {state.second.view().data() + 5, state.second.info()}, 0};
  const auto offset = OnDevice(part, {});
  ASSERT_TRUE(offset.ok());
  Copy copy = *offset;
  copy(10);
  EXPECT_EQ(state.second.Get(15), 100u);
}

TEST(ArrayCopy, OnHostBringsWhatProgramsShow) {
  Pair pair(kSize);
  PairState& state = pair.state;
  state.first.Fill(1);
  state.second.Fill(2);
  state.wide.Fill(3);
  ASSERT_TRUE(OnHost(Copy{state.first.read(), state.second.view(), 0}).ok());
  EXPECT_EQ(At(state.first), kTwoMemories);
  EXPECT_EQ(At(state.second), kHost);
  EXPECT_EQ(At(state.wide), kDevice) << "not shown";
  EXPECT_EQ(state.second.read()[4], 2u);
}

struct Alternate {  // reads and writes in turns, as programs with two buffers do
  View<const uint32_t> now;
  View<uint32_t> next;
  void operator()(VertexId v) { next[v] = now[v] + 1; }
  void Next() { Swap(now, next); }
};

TEST(ArrayCopy, NextMayWriteWhatWasRead) {
  Pair pair(kSize, FirstElements::kHosts);
  PairState& state = pair.state;
  (void)state.first.mutable_span();
  auto there = OnDevice(Alternate{state.first.read(), state.second.view()}, {});
  ASSERT_TRUE(there.ok());
  for (int pass = 0; pass < 2; ++pass) {
    for (VertexId v = 0; v < kSize; ++v) (*there)(v);
    there->Next();
  }
  EXPECT_EQ(state.first.span()[0], 2u);
  EXPECT_EQ(state.second.span()[0], 1u);
  ASSERT_TRUE(OnHost(Alternate{state.first.read(), state.second.view()}).ok());
  EXPECT_EQ(At(state.first), kHost);
}

TEST(ArrayCopy, LevelsStayOnTheHost) {
  Pair pair(kSize);
  MemoryBudget budget(uint64_t{256} << 20);
  SetPool pool(kSize, 2, 1, budget);
  const auto set = pool.Of({3, 5});
  ASSERT_TRUE(set.ok());
  const uint64_t calls = pair.home.calls();
  pair.state.levels.Append(*set);
  const auto again = pair.state.levels.At(0, pool);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->Members(), (std::vector<VertexId>{3, 5}));
  EXPECT_EQ(pair.home.calls(), calls);
}

TEST(ArrayCopy, ResultsComeAtTheEnd) {
  Pair pair(kSize);
  PairState& state = pair.state;
  const std::span<const uint32_t> early = state.first.span();
  state.first.Fill(4);
  state.second.Fill(4);
  pair.home.DrainBytesToHost();
  ASSERT_TRUE(state.CopyResultsToHost().ok());
  EXPECT_EQ(pair.home.DrainBytesToHost(), kSize * 4) << "of the result alone";
  EXPECT_EQ(early[99], 4u) << "a span from before is valid";
  state.DropWork();
  EXPECT_EQ(state.second.info()->copy, nullptr);
  EXPECT_NE(state.first.info()->copy, nullptr);
}

TEST(ArrayCopy, ElementsStayWhereTheyWereAfterAnError) {
  constexpr uint64_t kFillCalls = 6;  // Begin fills 6 arrays with zeros
  for (const uint64_t moves : {1, 2}) {
    Pair pair(kSize, FirstElements::kZeros, kFillCalls + moves);
    VertexArray<uint32_t>& array = pair.state.first;
    array.Fill(5);
    if (moves == 2) array.mutable_span()[0] = 6;
    const MemorySet before = At(array);
    ASSERT_TRUE(pair.state.status().ok());
    if (moves == 1) {
      (void)array.span();
    } else {
      EXPECT_FALSE(OnDevice(Copy{array.read(), pair.state.second.view(), 0}, {}).ok());
    }
    EXPECT_EQ(pair.state.status().message(), FakeHome::kError);
    EXPECT_EQ(At(array), before);
    EXPECT_EQ(array.span()[0], moves == 1 ? 5u : 6u) << "a second call is made";
    EXPECT_EQ(pair.state.status().message(), FakeHome::kError) << "it is kept";
  }
}

/// A State whose arrays have two memories beside the host's.
struct TwoOthers {
  explicit TwoOthers(bool reach) : copies(state, 2) {
    EXPECT_TRUE(state.Allocate(budget).ok());
    for (FakeHome& home : homes) home.reaches = reach;
    for (MemoryId memory : {1, 2}) {
      copies.Plan(&arenas[memory - 1], memory);
      arenas[memory - 1].Allocate();
    }
    ArrayHome* const pointers[] = {&homes[0], &homes[1]};
    EXPECT_TRUE(copies.Begin(pointers, FirstElements::kZeros).ok());
  }

  MemoryBudget budget{uint64_t{256} << 20};
  PairState state{kSize, 1};
  FakeHome homes[2];
  FakeArena arenas[2];
  StateCopies copies;
};

TEST(ArrayCopy, ThreeMemories) {
  TwoOthers others(/*reach=*/false);
  PairState& state = others.state;
  FakeHome(&homes)[2] = others.homes;
  const MemorySet third(2);
  state.first.Fill(4);
  EXPECT_EQ(At(state.first), kDevice | third);
  state.first.Set(7, 70);
  const auto run_in = [&](MemoryId memory, uint32_t more) {
    auto there = OnDevice(Copy{state.first.read(), state.second.view(), more}, {memory, {}});
    ASSERT_TRUE(there.ok());
    for (VertexId v = 0; v < kSize; ++v) (*there)(v);
  };
  run_in(2, 1);
  EXPECT_EQ(homes[0].bytes_to_host + homes[1].bytes_to_host, 0u)
      << "each has what it was filled with";
  EXPECT_EQ(At(state.second), third);
  EXPECT_EQ(state.second.Get(7), 71u);
  EXPECT_EQ(homes[1].DrainBytesToHost(), 4u);
  // Copies from the third memory to the second, through the host's memory.
  struct Double {
    View<uint32_t> number;
    void operator()(VertexId v) { number[v] = number[v] * 2; }
  };
  homes[0].DrainBytesToDevice();
  auto doubled = OnDevice(Double{state.second.view()}, {1, {}});
  ASSERT_TRUE(doubled.ok());
  for (VertexId v = 0; v < kSize; ++v) (*doubled)(v);
  EXPECT_EQ(homes[1].DrainBytesToHost(), kSize * 4);
  EXPECT_EQ(homes[0].DrainBytesToDevice(), kSize * 4);
  EXPECT_EQ(At(state.second), kDevice);
  EXPECT_EQ(state.second.span()[7], 142u);
  EXPECT_EQ(state.second.span()[8], 10u);
  state.second.mutable_span()[8] = 3;
  EXPECT_EQ(At(state.second), kHost);
}

TEST(ArrayCopy, RefusesWhatIsNotThere) {
  Pair pair(kSize);
  PairState other(kSize, 1);
  MemoryBudget budget(uint64_t{256} << 20);
  ASSERT_TRUE(other.Allocate(budget).ok());
  EXPECT_DEATH((void)OnDevice(Copy{pair.state.first.read(), other.second.view(), 0}, {}),
               "second: an array without a place on the GPU");
  EXPECT_DEATH(pair.state.first.Swap(other.second), "Swap is for arrays of one State");
  EXPECT_DEATH(
      (void)OnDevice(
          Copy{{other.first.read().data(), pair.state.first.info()}, pair.state.second.view(), 0},
          {}),
      "first: a view of memory that no array of its State has");
}

/// Elements go from one memory to another without the host, where its home reaches the other.
TEST(ArrayCopy, MemoriesInReach) {
  TwoOthers others(/*reach=*/true);
  PairState& state = others.state;
  FakeHome(&homes)[2] = others.homes;
  const MemorySet third(2);
  state.first.Fill(4);
  const auto run_in = [&](MemoryId memory, uint32_t more) {
    auto there = OnDevice(Copy{state.first.read(), state.second.view(), more}, {memory, {}});
    ASSERT_TRUE(there.ok());
    for (VertexId v = 0; v < kSize; ++v) (*there)(v);
  };
  run_in(1, 1);
  EXPECT_EQ(At(state.second), kDevice);
  ArrayCopy& copy = *state.second.info()->copy;
  ASSERT_TRUE(copy.Prepare(ElementUse::kRead, 2).ok());
  EXPECT_EQ(At(state.second), kDevice | third);
  EXPECT_EQ(homes[1].bytes_from_others, kSize * sizeof(uint32_t));
  EXPECT_EQ(homes[0].bytes_to_host + homes[1].bytes_to_host, 0u);
  EXPECT_EQ(state.second.Get(3), 5u);
  // What is replaced is not copied.
  ASSERT_TRUE(copy.Prepare(ElementUse::kReplace, 1).ok());
  ASSERT_TRUE(copy.Prepare(ElementUse::kReplace, 2).ok());
  EXPECT_EQ(homes[0].bytes_from_others, 0u);
  EXPECT_EQ(At(state.second), third);
  copy.NoteCurrentIn(std::array<MemoryId, 2>{1, 2});
  EXPECT_EQ(At(state.second), kDevice | third);
}

}  // namespace
}  // namespace edgemill
