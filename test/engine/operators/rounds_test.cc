// Counts the cost of many rounds of little work: the threads woken and the edges decoded.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "common/threads/parallel.h"
#include "engine/api/algorithm.h"
#include "engine/run/make_engine.h"
#include "engine/run/run_plan.h"
#include "test/engine_testing.h"

namespace edgemill {
namespace {

constexpr int kThreads = 4;

/// An algorithm on a loaded graph. All its blocks count as cached.
class Rounds {
 public:
  Rounds(const InMemoryGraph& store, RunOptions options)
      : options_(std::move(options)),
        setup_{store.info(), options_.values, options_.threads},
        algorithm_(*FindAlgorithm(options_.algorithm)),
        reader_(store, 0) {
    for (const ExternalId id : options_.values.sources()) {
      sources_.push_back(static_cast<VertexId>(id));  // ids are dense
    }
    options_.threads = kThreads;
    reader_.is_cached = true;
    const PreparedRun run(algorithm_, store, options_);
    const RunPlan plan = CountRun(run, budget_, Processors::kCpu, AskedPasses(options_));
    auto graph =
        LoadedGraph::Load({store, reader_, kThreads, budget_, progress_}, plan.needs.graph);
    CHECK(graph.ok());
    graph_ = std::move(*graph);
    state_ = algorithm_.driver.make_state(setup_);
    CHECK(state_->Allocate(budget_).ok());
    check_ = algorithm_.verifier.make_state(setup_);
    CHECK(check_->Allocate(budget_).ok());
  }

  /// Runs the algorithm. Returns the number of threads that were woken.
  uint64_t Run() {
    Recorder recorder(*graph_);
    const auto engine = MakeCpuEngine(*graph_, *state_, {}, recorder);
    CHECK(engine.ok());
    Answer answer;
    const uint64_t before = ThreadsWoken();
    const Status status = algorithm_.driver.run(**engine, *state_, Context(), &answer);
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_GT(recorder.num_iterations(), 0u);
    return ThreadsWoken() - before;
  }
  /// Verifies the answer. Returns the number of edges that were visited.
  uint64_t Verify() {
    const uint64_t before = progress_.done();
    const Status status = algorithm_.verifier.run(*graph_, *state_, *check_, Context());
    EXPECT_TRUE(status.ok()) << status.message();
    return progress_.done() - before;
  }

 private:
  RunContext Context() {
    return {sources_.empty() ? kInvalidVertex : sources_[0], true, progress_, sources_};
  }

  RunOptions options_;
  const RunSetup setup_;
  const Algorithm& algorithm_;
  MemoryBudget budget_{uint64_t{256} << 20};
  Progress progress_;
  InMemoryReader reader_;
  std::vector<VertexId> sources_;
  std::unique_ptr<LoadedGraph> graph_;
  std::unique_ptr<State> state_, check_;
};

std::unique_ptr<InMemoryGraph> Path(uint64_t num_vertices) {
  std::vector<TestEdge> edges;
  for (uint64_t v = 0; v + 1 < num_vertices; ++v) edges.push_back({v, v + 1, 3});
  return InMemoryGraph::Dense(num_vertices, edges,
                              {.directed = false, .weights = WeightType::kInt32});
}

/// Runs of several algorithms from the middle of a path. In each round, two blocks are active.
std::vector<RunOptions> FromTheMiddle(uint64_t num_vertices) {
  std::vector<RunOptions> all;
  for (const std::string algorithm : {"bfs", "sssp", "sswp", "ssnsp", "betweenness"}) {
    all.push_back({.algorithm = algorithm, .values = {{"--source", num_vertices / 2}}});
  }
  all.push_back(all[0]);
  all.back().values.Set("--parents", true);
  all.push_back({.algorithm = "kcore"});
  return all;
}

TEST(RoundsTest, SmallPassesWakeNoThread) {
  constexpr uint64_t kVertices = 1000;  // all their edges are the share of one thread
  const auto path = Path(kVertices);
  for (const RunOptions& options : FromTheMiddle(kVertices)) {
    EXPECT_EQ(0u, Rounds(*path, options).Run()) << options.algorithm;
  }
}

TEST(RoundsTest, LargePassesAreShared) {
  const auto graph = InMemoryGraph::Dense(5000, RandomTestEdges(3, 5000, 60'000), {});
  EXPECT_LT(0u, Rounds(*graph, {.algorithm = "pagerank"}).Run());
}

TEST(RoundsTest, VerifiersLookAtEachEdgeAFewTimes) {
  constexpr uint64_t kVertices = 3000;
  const auto path = Path(kVertices);
  for (const RunOptions& options : FromTheMiddle(kVertices)) {
    Rounds rounds(*path, options);
    rounds.Run();
    EXPECT_LE(rounds.Verify(), 4 * path->info().num_edges) << options.algorithm;
  }
}

}  // namespace
}  // namespace edgemill
