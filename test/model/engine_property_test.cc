// Random sequences of operators, in random settings. The engine must give the results of the model.
//
// A failure names its seed, and EDGEMILL_SEED runs only that sequence. EDGEMILL_TRIALS is the
// number of sequences.
#include <gtest/gtest.h>

#include "engine/program/pass_coverage.h"
#include "test/graphs/graph_builder.h"
#include "test/model/trials.h"

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

/// Checks that the sequences contained everything that programs must tolerate.
void ExpectCoverage() {
  const PassCoverage& seen = PassCoverage::OfAll();
  const std::pair<const char*, uint64_t> counts[] = {
      {"lists split", seen.split_lists},
      {"early exits", seen.early_exits},
      {"taken in the pass", seen.taken_in_pass},
      {"Cond not asked just before", seen.not_asked_cond},
      {"relaxed though Cond refuses by now", seen.refused_late},
      {"lists taken from SubCSRs", seen.sub_csr_lists},
  };
  for (const auto& [what, count] : counts) {
    std::printf("%s: %llu\n", what, static_cast<unsigned long long>(count));
    EXPECT_GT(count, 1000u) << what;
  }
}

TEST(EnginePropertyTest, RandomSequences) {
  const uint64_t trials = NumTrials(1000);
  const int failures = RunTrials(trials, Compose, Describe, RunComposition);
  if (trials >= 1000 && failures == 0) ExpectCoverage();
  std::printf("steps compared: %llu\n", static_cast<unsigned long long>(Composer::num_steps));
}

}  // namespace
}  // namespace edgemill::model
