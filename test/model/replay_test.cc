// Every driver runs again from each of its boundaries: with the journal up to there, and the state
// that was there. Answers must be right. Drivers that break the rule are caught.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "test/model/answers.h"
#include "test/model/harness.h"
#include "test/model/shipped/shipped_running.h"

namespace edgemill::model {
namespace {

/// Runs of all files, whose answers are the same in every mode, but for rounding.
std::vector<ShippedRun> RunsFrom(VertexId source, VertexId other, bool directed) {
  std::vector<ShippedRun> runs = {
      {"bfs", {}, {source}},
      {"bfs", {{"--iterations", 2}}, {source}},
      {"ssnsp", {}, {source}},
      {"sssp", {}, {source}},
      {"sssp", {{"--delta", 2.0}}, {source}},
      {"sswp", {}, {source}},
      {"closeness", {{"--harmonic", true}}},
      {"pagerank", {{"--iterations", 4}}},
      {"pagerank", {{"--method", "delta"}, {"--tolerance", 1e-6}}},
      {"hs", {{"--iterations", 3}, {"--scale", 0.002}}},
      {"cs", {{"--iterations", 3}}},
      {"nn", {{"--iterations", 3}}},
      {"kcore"},
      {"kcore", {{"--core", 2}}},
      {"degrees", {{"--weighted", true}}},
      {"path", {{"--target", InputVertex{other}}}, {source}},
      {"path", {{"--target", InputVertex{other}}, {"--weighted", true}}, {source}},
      {"betweenness", {{"--sample", 3}}},
      {"ppr", {{"--iterations", 3}}, {source}},
      {"katz", {{"--iterations", 3}, {"--alpha", 0.001}}},
      {"hits", {{"--iterations", 3}}},
      {"eigenvector", {{"--iterations", 3}}},
      {"similarity", {}, {source}},
      {"similarity", {{"--measure", "allocation"}}, {source}},
  };
  for (const char* const file : {"msbfs", "betweenness"}) {
    runs.push_back({file, {}, source == other ? std::vector{source} : std::vector{source, other}});
  }
  for (const char* const method : {"hang", "hubs", "afforest", "link", "labels"}) {
    runs.push_back({"cc", {{"--method", method}}});
  }
  for (const char* const file :
       {"mis", "coloring", "scc", "cdlp", "mst", "bipartite", "triangles", "lcc"}) {
    runs.push_back({file});
  }
  runs.push_back({"diameter", {{"--eccentricity", true}}});
  if (directed) runs.push_back({"toposort"});
  for (const char* const file : {"louvain", "leiden"}) {
    if (!directed) runs.push_back({file});
  }
  return runs;
}

/// Runs on the model, then again from each of its boundaries. Adds the number of these runs.
void ReplayEach(const StoredCase& c, const ShippedRun& run, uint64_t seed, uint64_t* replays) {
  constexpr double kTolerance = 2e-5;
  std::vector<Mode> modes = Modes();
  Mode mode = modes[seed % modes.size()];
  mode.seed = seed + 1;
  SCOPED_TRACE(StrCat(NameOf(run), " on ", c.plain.name, "; ", NameOf(mode)));
  Replay records;
  const auto want = RunOnModel(c, run, mode, records);
  ASSERT_TRUE(want.ok()) << want.status().message();
  for (const Boundary& boundary : records.boundaries()) {
    ++*replays;
    Replay replay(boundary);
    const auto got = RunOnModel(c, run, mode, replay);
    ASSERT_TRUE(got.ok()) << got.status().message();
    ASSERT_EQ(Compare(*got, *want, kTolerance), "")
        << "from boundary " << &boundary - records.boundaries().data();
  }
}

TEST(ReplayTest, FromEachBoundary) {
  constexpr uint64_t kMostVertices = 40;
  uint64_t replays = 0, seed = 0;
  std::set<std::string_view> files;
  for (const StoredCase& c : StoredCases()) {
    const auto n = static_cast<VertexId>(c.plain.graph.num_vertices());
    if (n > kMostVertices) continue;
    for (const ShippedRun& run : RunsFrom(n / 2, 0, c.plain.graph.directed())) {
      files.insert(run.file);
      ASSERT_NO_FATAL_FAILURE(ReplayEach(c, run, seed++, &replays));
    }
    const ShippedRun by_weights{"betweenness", {{"--weighted", true}}, {n / 2}};
    ASSERT_NO_FATAL_FAILURE(ReplayEach(WithoutDuplicates(c), by_weights, seed++, &replays));
  }
  EXPECT_EQ(files.size(), ShippedFiles<Engine>().size()) << "add runs of the new algorithm";
  std::printf("%llu runs from a boundary\n", static_cast<unsigned long long>(replays));
  EXPECT_GT(replays, 1000u);
}

struct CountdownState : State {
  using State::State;
  VertexArray<uint32_t> value{*this, "value", ArrayUse::kResult};
  VertexArray<uint32_t> rounds{*this, "rounds", ArrayUse::kResult};
};
struct Lower {
  View<uint32_t> value, rounds;
  void operator()(VertexId v) {
    if (value[v] > 0) value[v] = value[v] - 1;
    rounds[v] = rounds[v] + 1;
  }
};
/// Lowers values until that of vertex 0 is 0. Reads it by an operator's result, or past the engine.
template <bool kBreaksTheRule>
Status CountDown(Engine& engine, CountdownState& state) {
  state.value.Fill(4);
  state.rounds.Fill(0);
  const auto left = [&] { return kBreaksTheRule ? state.value.span()[0] : state.value.Get(0); };
  while (left() > 0) {
    RETURN_IF_ERROR(
        engine.VertexMap(engine.sets().All(), Lower{state.value.view(), state.rounds.view()}));
  }
  return OkStatus();
}

/// How many of the runs from a boundary fail, or give a wrong answer.
template <typename Drive>
uint64_t WrongRuns(Drive drive) {
  const Graph graph(3, {}, /*directed=*/false);
  const Mode mode{};
  MemoryBudget budget(uint64_t{256} << 20);
  const auto run = [&](Replay& replay) {
    CountdownState state(graph.num_vertices(), 1);
    EXPECT_TRUE(state.Allocate(budget).ok());
    Engine engine(graph, mode);
    replay.Attach(state, engine.sets());
    engine.Keep(replay);
    const Status status = drive(engine, state);
    const std::span<const uint32_t> rounds = state.rounds.span();
    return status.ok() && replay.came_to_the_end() && rounds[0] == 4;
  };
  Replay records;
  EXPECT_TRUE(run(records));
  EXPECT_EQ(records.boundaries().size(), 4u);
  uint64_t wrong = 0;
  for (const Boundary& boundary : records.boundaries()) {
    Replay replay(boundary);
    wrong += run(replay) ? 0 : 1;
  }
  return wrong;
}

TEST(ReplayTest, ADriverThatReadsPastTheEngineIsCaught) {
  EXPECT_EQ(WrongRuns(CountDown<false>), 0u);
  EXPECT_GE(WrongRuns(CountDown<true>), 3u);
}

}  // namespace
}  // namespace edgemill::model
