// The engine does what the model says: random sequences of operators, in random settings.
//
// EDGEMILL_SEED runs one sequence, which a failure names; EDGEMILL_TRIALS says how many are run.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "engine/program/pass_coverage.h"
#include "test/graph_builder.h"
#include "test/model/composition.h"

namespace edgemill::model {
namespace {

std::string RunComposition(const Composition& composition) {
  const auto stored = Stored(composition.graph, composition.options);
  OperatorFixture fixture(*stored, composition.setting);
  const bool both = composition.options.in_columns || !composition.graph.directed();
  ComposedPrograms state(fixture.num_vertices(), composition.setting.threads, both ? kBoth : kOut);
  auto engine = fixture.Start(state);
  if (!engine.ok()) return std::string(engine.status().message());
  return Composer(composition, **engine, state).Run();
}

std::string Describe(const Composition& composition) {
  return StrCat("replay with EDGEMILL_SEED=", composition.seed, ": ",
                composition.graph.num_vertices(), " vertices, ", composition.graph.input().size(),
                composition.graph.directed() ? " directed" : " undirected", " edges, ",
                composition.options.block_edges, " a block, weights ",
                static_cast<int>(composition.options.weights),
                composition.options.in_columns ? "" : ", no in-lists", "; ",
                NameOf(composition.setting));
}

/// What programs must stand was seen in these sequences.
void ExpectCoverage() {
  const PassCoverage& seen = PassCoverage::OfAll();
  const std::pair<const char*, uint64_t> counts[] = {
      {"lists split", seen.split_lists},
      {"early exits", seen.early_exits},
      {"taken in the pass", seen.taken_in_pass},
      {"Cond not asked just before", seen.not_asked_cond},
      {"relaxed though Cond refuses by now", seen.refused_late},
  };
  for (const auto& [what, count] : counts) {
    std::printf("%s: %llu\n", what, static_cast<unsigned long long>(count));
    EXPECT_GT(count, 1000u) << what;
  }
}

/// What runs, for checks of the engine's own that end the process.
std::string running;

void TellWhatRuns(int signal) {
  static_cast<void>(!write(STDERR_FILENO, running.data(), running.size()));
  std::signal(signal, SIG_DFL);
}

TEST(EnginePropertyTest, RandomSequences) {
  const uint64_t first = NumberOf("EDGEMILL_SEED", 1);
  const uint64_t trials = NumTrials(3000);
  int failures = 0;
  for (uint64_t seed = first; seed < first + trials && failures < 3; ++seed) {
    const Composition composition = Compose(seed);
    running = Describe(composition) + "\n";
    std::signal(SIGABRT, TellWhatRuns);
    const std::string wrong = RunComposition(composition);
    if (wrong.empty()) continue;
    ADD_FAILURE() << wrong << "\n" << running;
    ++failures;
  }
  if (trials >= 1000 && failures == 0) ExpectCoverage();
  std::printf("steps compared: %llu\n", static_cast<unsigned long long>(Composer::num_steps));
}

}  // namespace
}  // namespace edgemill::model
