// Random sequences of operators, run by teams that share passes, with random shares of the blocks.
// They must give the results of the model.
//
// A failure names its seed, and EDGEMILL_SEED runs only that sequence. EDGEMILL_TRIALS is the
// number of sequences.
#include <gtest/gtest.h>

#include "engine/program/pass_coverage.h"
#include "test/graphs/graph_builder.h"
#include "test/model/trials.h"
#include "test/team_engine.h"

namespace edgemill::model {
namespace {

struct SharedComposition {
  Composition composition;
  TeamSetting teams;
};

SharedComposition ComposeShared(uint64_t seed) {
  SharedComposition shared{Compose(seed), {}};
  std::mt19937_64 random(seed * 7 + 1);
  shared.teams.operators = shared.composition.setting;
  const std::vector<int> threads = ThreadCounts({1, 3});
  shared.teams.host_team_threads.resize(1 + random() % 3);
  for (int& count : shared.teams.host_team_threads) count = threads[random() % threads.size()];
  if (random() % 4 == 0) {
    shared.teams.shares.random_seed = random();  // some passes run on one team only
  } else {
    shared.teams.shares.cpu_share = std::array{.1, .3, .5, .9, 1.}[random() % 5];
  }
  return shared;
}

CrossedCounts all_crossed;

std::string RunShared(const SharedComposition& shared) {
  const Composition& composition = shared.composition;
  const auto stored = Stored(composition.graph, composition.options);
  const bool both = composition.options.in_columns || !composition.graph.directed();
  ComposedPrograms state(composition.graph.num_vertices(), composition.setting.threads,
                         both ? kBoth : kOut);
  TeamEngine teams(*stored, shared.teams);
  const Status started = teams.Start(state);
  if (!started.ok()) return std::string(started.message());
  std::string wrong = Composer(composition, teams.engine(), state).Run();
  const CrossedCounts& crossed = teams.run().crossed();
  all_crossed.passes += crossed.passes;
  all_crossed.messages += crossed.messages;
  all_crossed.returned_bytes += crossed.returned_bytes;
  return wrong;
}

std::string DescribeShared(const SharedComposition& shared) {
  const HybridOptions& shares = shared.teams.shares;
  return StrCat(Describe(shared.composition), "; ", shared.teams.host_team_threads.size(),
                " host teams, share ",
                shares.cpu_share.has_value() ? std::to_string(*shares.cpu_share) : "at random");
}

TEST(HybridPropertyTest, RandomSequences) {
  const uint64_t trials = NumTrials(300);
  RunTrials(trials, ComposeShared, DescribeShared, RunShared);
  std::printf("steps compared: %llu; %llu shared passes, %llu messages sent, %llu bytes returned\n",
              static_cast<unsigned long long>(Composer::num_steps),
              static_cast<unsigned long long>(all_crossed.passes),
              static_cast<unsigned long long>(all_crossed.messages),
              static_cast<unsigned long long>(all_crossed.returned_bytes));
  if (trials >= 300) {
    EXPECT_GT(all_crossed.passes, 10 * trials);
    EXPECT_GT(all_crossed.messages, 100 * trials);
    EXPECT_GT(PassCoverage::OfAll().relaxed_stale, 10 * trials);
    EXPECT_GT(PassCoverage::OfAll().dropped, trials);
  }
}

}  // namespace
}  // namespace edgemill::model
