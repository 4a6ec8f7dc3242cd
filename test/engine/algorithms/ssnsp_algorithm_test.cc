// Numbers of shortest paths, against a search with a queue that counts in 128 bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <queue>

#include "test/engine_testing.h"

namespace edgemill {
namespace {

using Wide = unsigned __int128;
constexpr Wide kTooMany = ~uint64_t{0};

/// The number of shortest paths to each vertex, if they have at most `most` edges. kTooMany stands
/// for numbers that are too large.
std::vector<Wide> PathCounts(const TestCase& graph, uint64_t source, bool directed,
                             uint64_t most = ~uint64_t{0}) {
  std::vector<std::vector<uint64_t>> neighbors(graph.num_vertices);
  for (const TestEdge& edge : graph.edges) {
    neighbors[edge.source].push_back(edge.target);
    if (!directed && edge.source != edge.target) neighbors[edge.target].push_back(edge.source);
  }
  std::vector<std::optional<uint64_t>> level(graph.num_vertices);
  std::vector<Wide> paths(graph.num_vertices);
  std::queue<uint64_t> queue({source});
  level[source] = 0;
  paths[source] = 1;
  for (; !queue.empty(); queue.pop()) {
    const uint64_t from = queue.front();
    if (*level[from] == most) continue;
    for (const uint64_t to : neighbors[from]) {
      if (!level[to].has_value()) {
        level[to] = *level[from] + 1;
        queue.push(to);
      }
      if (*level[to] == *level[from] + 1) paths[to] = std::min(kTooMany, paths[to] + paths[from]);
    }
  }
  return paths;
}

RunOptions CountFrom(uint64_t source) {
  RunOptions options{.algorithm = "ssnsp", .values = {{"--source", source}}};
  options.verify = true;
  return options;
}

void ExpectCounts(const Outcome& outcome, const std::vector<Wide>& expected) {
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  ASSERT_EQ(expected.size(), outcome.values.size());
  for (uint64_t v = 0; v < expected.size(); ++v) {
    ASSERT_TRUE(outcome.values[v].reached) << "vertex " << v;
    ASSERT_EQ(static_cast<uint64_t>(expected[v]), outcome.values[v].integer) << "vertex " << v;
  }
}

/// A chain of `length` diamonds, in which 2^n paths lead to vertex 3 n.
TestCase Diamonds(uint64_t length) {
  TestCase graph{"diamonds", 3 * length + 1, {}};
  for (uint64_t v = 0; v < 3 * length; v += 3) {
    for (const uint64_t side : {v + 1, v + 2}) {
      graph.edges.push_back({v, side});
      graph.edges.push_back({side, v + 3});
    }
  }
  return graph;
}

class SsnspModes : public testing::TestWithParam<std::tuple<Mode, int>> {};

TEST_P(SsnspModes, CountsAreThoseOfAQueue) {
  const auto [mode, threads] = GetParam();
  std::vector<TestCase> graphs = HardGraphs();
  graphs.push_back(LoopedWheel());
  graphs.push_back(Diamonds(63));
  for (const TestCase& graph : graphs) {
    for (const bool directed : {true, false}) {
      for (const uint64_t seed : {0, 3}) {
        const uint64_t source = graph.name == "diamonds" ? 0 : graph.num_vertices / 2;
        SCOPED_TRACE(StrCat(graph.name, directed ? " directed" : " symmetric"));
        const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges,
                                                {.directed = directed, .renumber_seed = seed});
        RunOptions options = CountFrom(source);
        options.mode = mode;
        options.threads = threads;
        ExpectCounts(RunInMemory(*store, options), PathCounts(graph, source, directed));
        if (HasFatalFailure()) return;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SsnspModes,
                         testing::Combine(testing::Values(Mode::kAuto, Mode::kPull, Mode::kPush,
                                                          Mode::kNotifyPull),
                                          testing::ValuesIn(ThreadCounts({1, 3}))));

/// Random graphs with duplicates, loops and isolated vertices, some with a bound on edges. Tests
/// answers and errors.
TEST(Ssnsp, RandomGraphs) {
  uint64_t too_many = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    TestCase graph{"random", 1 + random.Below(80), {}};
    const uint64_t span = 1 + random.Below(graph.num_vertices);  // ids of an edge differ by less
    const uint64_t copies = 1 + random.Below(12);
    for (uint64_t edge = random.Below(6 * graph.num_vertices); edge > 0; --edge) {
      const uint64_t from = random.Below(graph.num_vertices);
      const uint64_t to = std::min(graph.num_vertices - 1, from + random.Below(span));
      graph.edges.insert(graph.edges.end(), 1 + random.Below(copies), {from, to});
    }
    const bool directed = random.Below(2) == 0;
    const uint64_t source = random.Below(3) == 0 ? random.Below(graph.num_vertices) : 0;
    const auto store = InMemoryGraph::Dense(
        graph.num_vertices, graph.edges, {.directed = directed, .renumber_seed = random.Below(3)});
    SCOPED_TRACE(StrCat("seed ", seed));
    RunOptions options = CountFrom(source);
    options.threads = 1 + static_cast<int>(random.Below(3));
    uint64_t most = ~uint64_t{0};
    if (random.Below(3) == 0) {
      most = 1 + random.Below(4);
      options.values.Set("--iterations", most);
    }
    const std::vector<Wide> expected = PathCounts(graph, source, directed, most);
    const Outcome outcome = RunInMemory(*store, options, seed);
    if (std::find(expected.begin(), expected.end(), kTooMany) != expected.end()) {
      ++too_many;
      ASSERT_EQ(Code::kBadData, outcome.status.code()) << outcome.status.message();
    } else {
      ExpectCounts(outcome, expected);
    }
    if (HasFatalFailure()) return;
  }
  EXPECT_LT(too_many, 300u);
}

/// 2^63 paths can be counted, but not 2^64. The error names a vertex of least level with too many
/// paths, by its input id or its name, and says how far counts go.
TEST(Ssnsp, TooManyPathsNameAVertex) {
  for (const bool directed : {true, false}) {
    for (const int threads : ThreadCounts({1, 3})) {
      for (const Mode mode : {Mode::kAuto, Mode::kPush, Mode::kPull}) {
        SCOPED_TRACE(StrCat(directed ? "directed, " : "symmetric, ", threads, ModeName(mode)));
        const TestCase graph = Diamonds(70);
        std::vector<ExternalId> ids(graph.num_vertices);
        std::vector<TestEdge> edges = graph.edges;
        for (uint64_t v = 0; v < ids.size(); ++v) ids[v] = 1000 + 7 * v;
        for (TestEdge& edge : edges) edge = {ids[edge.source], ids[edge.target]};
        const InMemoryGraph store(ids, edges, {.directed = directed, .renumber_seed = 11});
        RunOptions options = CountFrom(1000);
        options.threads = threads;
        options.mode = mode;
        const Outcome outcome = RunInMemory(store, options);
        EXPECT_EQ(Code::kBadData, outcome.status.code());
        // The end of the 64th diamond, vertex 192, is on level 128.
        EXPECT_EQ(
            "vertex 2344 has more shortest paths from the source than 64 bits count, "
            "18446744073709551615 or more: stop before it, with -i 127",
            outcome.status.message());
        options.values.Set("--iterations", 127);
        const Outcome stopped = RunInMemory(store, options);
        ExpectCounts(stopped, PathCounts(graph, 0, directed, 127));
        EXPECT_EQ(uint64_t{1} << 63, stopped.values[3 * 63].integer);
        options.values.Set("--iterations", 128);
        EXPECT_EQ(Code::kBadData, RunInMemory(store, options).status.code());
      }
    }
  }
}

TEST(Ssnsp, TooManyPathsNameAVertexByItsName) {
  const TestCase graph = Diamonds(64);
  std::vector<std::string> names;
  for (uint64_t v = 0; v < graph.num_vertices; ++v) names.push_back(StrCat("name ", 100 + v));
  const auto store =
      InMemoryGraph::Dense(graph.num_vertices, graph.edges, {.directed = true, .names = names});
  const Outcome outcome = RunInMemory(*store, CountFrom(0));
  EXPECT_EQ(Code::kBadData, outcome.status.code());
  EXPECT_TRUE(outcome.status.message().starts_with("vertex \"name 292\" has more"))
      << outcome.status.message();
}

/// Counts are exact in every decimal digit. A path of tenfold edges gives 10^19 paths, and other
/// paths add to these.
TEST(Ssnsp, CountsBeyondDoublesAreExact) {
  constexpr uint64_t kDigits = 19;
  // Vertex i has 10^i paths. A vertex behind it has this number times one digit. Single edges lead
  // from there to the end, which is on the last level.
  const auto count = [&](const std::string& digits) {
    TestCase graph{"digits", kDigits + 2, {}};
    const uint64_t end = kDigits + 1;
    for (uint64_t i = 0; i < kDigits; ++i) {
      graph.edges.insert(graph.edges.end(), 10, {i, i + 1});
    }
    for (uint64_t i = 0; i <= kDigits; ++i) {
      const auto times = static_cast<uint64_t>(digits[kDigits - i] - '0');
      uint64_t from = i;
      for (uint64_t level = i; level < kDigits && times > 0; ++level) {
        graph.edges.insert(graph.edges.end(), level == i ? times : 1, {from, graph.num_vertices});
        from = graph.num_vertices++;
      }
      graph.edges.insert(graph.edges.end(), i == kDigits ? times : times > 0, {from, end});
    }
    const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges, {});
    const Outcome outcome = RunInMemory(*store, CountFrom(0));
    return outcome.status.ok() ? StrCat(outcome.values[end].integer) : "too many";
  };
  for (const std::string digits :
       {"10000000000000000001", "09007199254740993001", "18446744073709551614"}) {
    EXPECT_EQ(digits.substr(digits[0] == '0'), count(digits));
  }
  for (const std::string digits : {"18446744073709551615", "18446744073709551616",
                                   "18446744073709551617", "99999999999999999999"}) {
    EXPECT_EQ("too many", count(digits)) << digits;
  }
}

/// In the top list of a 64-bit column, the greatest values come first.
TEST(Ssnsp, TheMostPathsAreOnTop) {
  const auto store = InMemoryGraph::Dense(190, Diamonds(63).edges, {});
  const Outcome outcome = RunInMemory(*store, CountFrom(0), 1, uint64_t{64} << 20, 2);
  ASSERT_EQ(2u, outcome.top.size());
  EXPECT_EQ((TopEntry{189, uint64_t{1} << 63}), outcome.top[0]);
  EXPECT_EQ((TopEntry{186, uint64_t{1} << 62}), outcome.top[1]);
}

TEST(Ssnsp, OneColumnIsEnough) {
  const TestCase graph{"random", 300, RandomTestEdges(3, 300, 900)};
  for (const bool out : {true, false}) {
    const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges,
                                            {.out_columns = out, .in_columns = !out});
    ExpectCounts(RunInMemory(*store, CountFrom(1)), PathCounts(graph, 1, true));
  }
}

TEST(Ssnsp, NeedsASource) {
  const auto store = InMemoryGraph::Dense(2, {{0, 1}}, {});
  EXPECT_EQ(Code::kUsage, RunInMemory(*store, CountFrom(7)).status.code());
  EXPECT_EQ(Code::kUsage, RunInMemory(*store, {.algorithm = "ssnsp"}).status.code());
}

}  // namespace
}  // namespace edgemill
