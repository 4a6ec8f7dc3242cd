// Tests which neighbour a pull samples, and that pulls with sampled neighbours are right.
#include "engine/graph/sampled_neighbors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "test/operator_cases.h"

namespace edgemill::operator_cases {
namespace {

constexpr uint64_t kNone = ~uint64_t{0};

/// Takes the id of the first sender.
struct FindSender {
  using Monoid = Any<uint64_t>;
  View<uint64_t> sender;
  uint64_t Emit(VertexId u) const { return u; }
  bool Cond(VertexId v) const { return sender[v] == kNone; }
  bool Apply(VertexId v, uint64_t message) {
    sender[v] = message;
    return true;
  }
};
struct SenderState : State {
  SenderState(uint64_t num_vertices, int threads) : State(num_vertices, threads) {}
  VertexArray<uint64_t> sender{*this, "sender"};
  Programs<FindSender> programs{*this, kOut};
};

/// For each vertex, the neighbours that pulls look at, in order.
using Lists = std::vector<std::vector<VertexId>>;

Lists InLists(const TestCase& test, bool directed, const std::vector<VertexId>& internal) {
  Lists lists(test.num_vertices);
  for (const TestEdge& edge : test.edges) {
    const VertexId source = internal[edge.source], target = internal[edge.target];
    lists[target].push_back(source);
    if (!directed && source != target) lists[source].push_back(target);
  }
  for (std::vector<VertexId>& list : lists) std::sort(list.begin(), list.end());
  return lists;
}

/// Internal ids by input id. With `is_by_degree`, they are those that InMemoryGraph gives.
std::vector<VertexId> InternalIds(const TestCase& test, bool is_by_degree) {
  std::vector<VertexId> order(test.num_vertices), internal(test.num_vertices);
  std::vector<uint64_t> degrees(test.num_vertices);
  for (const TestEdge& edge : test.edges) {
    ++degrees[edge.source];
    ++degrees[edge.target];
  }
  for (VertexId v = 0; v < order.size(); ++v) order[v] = v;
  if (is_by_degree) {
    std::stable_sort(order.begin(), order.end(),
                     [&](VertexId a, VertexId b) { return degrees[a] > degrees[b]; });
  }
  for (VertexId i = 0; i < order.size(); ++i) internal[order[i]] = i;
  return internal;
}

/// A graph, with the results and the sampled neighbours that pulls on it must give.
struct SampledCase {
  const Lists lists;
  OperatorFixture fixture;
  SenderState state;
  const bool from_disk;
  std::unique_ptr<Engine> engine;

  SampledCase(const InMemoryGraph& store, Lists lists_of_store, const OperatorSetting& setting)
      : lists(std::move(lists_of_store)),
        fixture(store, setting),
        state(store.info().num_vertices, setting.threads),
        from_disk(setting.from_disk) {
    auto started = fixture.Start(state);
    CHECK(started.ok());
    engine = std::move(*started);
  }

  /// The sampled neighbour of each vertex, or the vertex itself if it has none.
  std::vector<VertexId> Neighbors() {
    const SampledNeighbors* const sampled =
        fixture.graph().neighbor_memory().sampled_neighbors(Direction::kIn);
    std::vector<VertexId> neighbors(lists.size());
    for (VertexId v = 0; v < lists.size(); ++v)
      neighbors[v] = sampled == nullptr ? v : sampled->of(v);
    return neighbors;
  }

  /// Does one pass from `members`. All vertices may receive.
  void Pull(const std::vector<VertexId>& members) {
    const std::vector<VertexId> before = Neighbors();
    state.sender.Fill(kNone);
    auto from = engine->sets().Of(members);
    ASSERT_TRUE(from.ok());
    const auto next = engine->EdgeMap(kOut, *from, FindSender{state.sender.view()});
    ASSERT_TRUE(next.ok()) << next.status().message();
    ExpectReceived({members.begin(), members.end()});
    ExpectSampled(before);
  }

  void ExpectReceived(const std::set<VertexId>& members) {
    for (VertexId v = 0; v < lists.size(); ++v) {
      std::set<uint64_t> offers;
      for (const VertexId u : lists[v]) {
        if (members.contains(u)) offers.insert(u);
      }
      const uint64_t sender = state.sender.Get(v);
      ASSERT_TRUE(offers.empty() ? sender == kNone : offers.contains(sender)) << "vertex " << v;
    }
  }

  /// Checks the sampled neighbours after a pass. `before` has those before the pass.
  void ExpectSampled(const std::vector<VertexId>& before) {
    if (fixture.graph().neighbor_memory().sampled_neighbors(Direction::kIn) == nullptr) return;
    const bool is_by_degree = fixture.graph().info().renumbering == Renumbering::kDegree;
    const uint32_t block_edges = fixture.graph().info().block_edges;
    const std::vector<VertexId> after = Neighbors();
    uint64_t edge = 0;
    for (VertexId v = 0; v < lists.size(); edge += lists[v++].size()) {
      if (is_by_degree) {
        ASSERT_TRUE(after[v] == v || after[v] == lists[v].front()) << "vertex " << v;
        continue;
      }
      const uint64_t border = (edge / block_edges + 1) * block_edges;
      const auto start_end = lists[v].begin() + static_cast<std::ptrdiff_t>(std::min<uint64_t>(
                                                    border - edge, lists[v].size()));
      const uint64_t sender = state.sender.Get(v);
      if (from_disk) {
        const bool looked_in_vain = sender == kNone || start_end != lists[v].end();
        if (after[v] == before[v] && !(sender == kNone && start_end == lists[v].end())) continue;
        if (before[v] != v || lists[v].empty() || !looked_in_vain) {
          ASSERT_EQ(after[v], before[v]) << "vertex " << v;
          continue;
        }
        const auto highest = std::max_element(
            lists[v].begin(), start_end,
            [&](VertexId a, VertexId b) { return lists[a].size() < lists[b].size(); });
        ASSERT_EQ(after[v], *highest) << "vertex " << v;
        continue;
      }
      const VertexId found = sender == kNone ? before[v] : static_cast<VertexId>(sender);
      if (after[v] == found) continue;
      if (before[v] == v && sender == kNone) {  // unknown before, and not found
        ASSERT_EQ(after[v], lists[v].front()) << "vertex " << v;
        continue;
      }
      // A later part of the list found the sender, so the sampled neighbour stays.
      ASSERT_EQ(after[v], before[v] == v ? lists[v].front() : before[v]) << "vertex " << v;
      ASSERT_FALSE(std::binary_search(lists[v].begin(), start_end, found)) << "vertex " << v;
    }
  }
};

TEST(SampledNeighbors, PullsKeepWhatTheirGraphSaysAndStayRight) {
  std::vector<TestCase> graphs = HardGraphs();
  graphs.push_back({"long lists", 600, RandomTestEdges(9, 600, 60'000)});
  for (const TestCase& test : graphs) {
    std::vector<std::vector<VertexId>> sets(4);
    for (VertexId v = 0; v < test.num_vertices; ++v) {
      const uint64_t chance = Mix64(v) % 30;
      if (chance < 3) sets[chance].push_back(v);
      sets[3].push_back(static_cast<VertexId>(test.num_vertices - 1 - v));
    }
    sets[3].resize((sets[3].size() + 2) / 3);
    std::sort(sets[3].begin(), sets[3].end());
    for (const bool directed : {true, false}) {
      for (const bool by_degree : {true, false}) {
        const auto store = InMemoryGraph::Dense(test.num_vertices, test.edges,
                                                {.directed = directed, .by_degree = by_degree});
        for (const int threads : ThreadCounts({1, 3})) {
          for (const uint64_t spare_bytes : {uint64_t{1} << 20, uint64_t{0}}) {
            for (const bool from_disk : {true, false}) {
              SCOPED_TRACE(StrCat(test.name, directed ? ", directed" : "",
                                  by_degree ? ", by degree" : "", ", ", threads, " threads, ",
                                  spare_bytes, " bytes to spare", from_disk ? ", from disk" : ""));
              SampledCase sampled(*store, InLists(test, directed, InternalIds(test, by_degree)),
                                  {.mode = Mode::kPull,
                                   .threads = threads,
                                   .spare_bytes = spare_bytes,
                                   .from_disk = from_disk});
              for (const unsigned set : {0u, 1u, 2u, 3u, 0u, 3u}) sampled.Pull(sets[set]);
              if (testing::Test::HasFailure()) return;
              if (spare_bytes > 0) continue;
              EXPECT_EQ(sampled.fixture.graph().neighbor_memory().sampled_neighbors(Direction::kIn),
                        nullptr);
            }
          }
        }
      }
    }
  }
}

/// A wheel whose hub has no special id. The first search finds nearly all vertices of the rim
/// through the hub. A search from another vertex then reads none of their lists.
TEST(SampledNeighbors, SearchFromElsewhereUsesWhatTheFirstFound) {
  const TestCase wheel = LoopedWheel();
  const auto store = InMemoryGraph::Dense(wheel.num_vertices, wheel.edges, {.directed = false});
  OperatorFixture fixture(*store, {.mode = Mode::kPull, .threads = 2});
  SenderState state(wheel.num_vertices, 2);
  auto engine = fixture.Start(state);
  ASSERT_TRUE(engine.ok()) << engine.status().message();
  for (const VertexId source : {VertexId{1}, VertexId{3000}}) {
    state.sender.Fill(kNone);
    state.sender.Set(source, source);
    auto from = (*engine)->sets().Of({source});
    ASSERT_TRUE(from.ok());
    const auto totals =
        (*engine)->Fixpoint(kOut, std::move(*from), FindSender{state.sender.view()});
    ASSERT_TRUE(totals.ok()) << totals.status().message();
    EXPECT_EQ(totals->emitted, wheel.num_vertices);
  }
  fixture.recorder().Flush();
  const std::vector<IterationReport>& iterations = fixture.recorder().iterations();
  ASSERT_EQ(iterations.size(), 6u);
  EXPECT_GT(iterations[1].blocks, store->info().num_blocks() / 4);
  // No vertex found the source of the first search. A few vertices near it found each other.
  EXPECT_LE(iterations[4].blocks, 2u);
}

/// On a graph from disk, vertices that the first pull has not found sample the neighbour of highest
/// degree. Later pulls read almost nothing, and no lists of one edge.
TEST(SampledNeighbors, SearchFromDiskReadsListsOnce) {
  // Hubs around a first hub. The other vertices each join a hub, and each of these has a leaf.
  TestCase stars{"stars", 40'000, {}};
  constexpr uint64_t kHubs = 8;
  for (uint64_t hub = 1; hub < kHubs; ++hub) stars.edges.push_back({0, hub, 1});
  for (uint64_t v = kHubs; v < 20'000; ++v) {
    stars.edges.push_back({v, Mix64(v) % kHubs, 1});
    stars.edges.push_back({v, v + 20'000, 1});
  }
  const auto store = InMemoryGraph::Dense(stars.num_vertices, stars.edges, {.directed = false});
  OperatorFixture fixture(*store, {.mode = Mode::kPull, .threads = 2, .from_disk = true});
  SenderState state(stars.num_vertices, 2);
  auto engine = fixture.Start(state);
  ASSERT_TRUE(engine.ok()) << engine.status().message();
  state.sender.Fill(kNone);
  state.sender.Set(0, 0);
  auto from = (*engine)->sets().Of({0});
  ASSERT_TRUE(from.ok());
  const auto totals = (*engine)->Fixpoint(kOut, std::move(*from), FindSender{state.sender.view()});
  ASSERT_TRUE(totals.ok()) << totals.status().message();
  fixture.recorder().Flush();
  const std::vector<IterationReport>& iterations = fixture.recorder().iterations();
  ASSERT_GE(iterations.size(), 3u);
  EXPECT_EQ(totals->emitted, stars.num_vertices - kHubs);  // eight have no edge
  EXPECT_GT(iterations[0].blocks, store->info().num_blocks() / 2);
  // Some lists that the first pull left cross the border of a block. Their vertices sample nothing.
  EXPECT_LE(iterations[1].blocks, store->info().num_blocks() / 50);
  EXPECT_LE(iterations[2].blocks, iterations[1].blocks);
}

}  // namespace
}  // namespace edgemill::operator_cases
