// Faults of an engine, not of a program. A backend between the driver and the CPU backend makes
// them, and tests show that answers are wrong then.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/cpu/cpu_backend.h"
#include "engine/driver/operators.h"
#include "test/model/answers.h"
#include "test/model/engine_running.h"
#include "test/model/textbook.h"

// The programs of a shipped file, without the declaration of its algorithm.
#define EDGEMILL_ALGORITHM(file) [[maybe_unused]] static const Algorithm unused_##file
#include "engine/algorithms/kcore.cc"

namespace edgemill::model {
namespace {

/// The passes of the CPU. On demand they have a fault: vertices that waited for a bucket and have
/// already emitted emit once more.
class ForgetfulPasses final : public OperatorPasses {
 public:
  ForgetfulPasses(OperatorPasses& right, bool forgets) : right_(right), forgets_(forgets) {}

  Status Begin(const VertexSet& from) override { return right_.Begin(from); }
  ActiveCounts active() const override { return right_.active(); }
  ActiveCounts emitted() const override { return right_.emitted(); }
  Status Pass(bool asynchronous, double bound) override { return right_.Pass(asynchronous, bound); }
  Status Advance() override { return right_.Advance(); }
  Status Split(double bound) override { return right_.Split(bound); }
  StatusOr<double> LeastWaiting(double bound) override { return right_.LeastWaiting(bound); }
  Status ActivateWaiting(double before, double bound) override {
    return right_.ActivateWaiting(forgets_ ? -kNoBound : before, bound);
  }
  Status ActivateAll(double bound) override { return right_.ActivateAll(bound); }
  StatusOr<VertexSet> End() override { return right_.End(); }

 private:
  OperatorPasses& right_;
  const bool forgets_;
};

/// Core numbers computed with these passes.
StatusOr<std::vector<uint32_t>> KCoreBy(const InMemoryGraph& stored, const OperatorSetting& setting,
                                        bool forgets) {
  OperatorFixture fixture(stored, setting);
  const OptionValues values;
  KCoreState state(RunSetup{fixture.graph().info(), values, setting.threads});
  ASSIGN_OR_RETURN(const auto engine, fixture.Start(state));
  RETURN_IF_ERROR(FindDegrees(*engine, state));
  const PassOptions options{.mode = setting.mode, .async_passes = setting.async_passes};
  ASSIGN_OR_RETURN(const auto backend,
                   CpuBackend::Create(fixture.graph(), state.State::programs(), options,
                                      state.max_sets(), fixture.recorder()));
  Peel peel{state.left.view(), state.core.view(), 0};
  const ProgramRef program{&peel, ProgramTraitsOf<Peel>(kOut), &ProgramCallsOf<Peel>()};
  ASSIGN_OR_RETURN(const auto right, backend->MakePasses(program));
  ForgetfulPasses passes(*right, forgets);
  BucketBound bucket(Buckets{.width = 1});
  RETURN_IF_ERROR(RunBucketed(passes, program, engine->sets().All(), &bucket).status());
  const TakeLeft take_left{state.left.read(), state.core.view()};
  RETURN_IF_ERROR(engine->Reduce<Max<uint32_t>>(engine->sets().All(), take_left).status());
  return std::vector<uint32_t>(state.core.span().begin(), state.core.span().end());
}

TEST(EngineFaultsTest, VerticesThatHaveEmittedAreNotTakenAgain) {
  int wrong_without = 0, wrong_with = 0;
  for (const StoredCase& c : StoredCases()) {
    if (c.plain.graph.directed()) continue;
    const auto right = textbook::CoreNumbers(c.plain.graph);
    for (const OperatorSetting& setting : Settings()) {
      for (const bool forgets : {false, true}) {
        const auto cores = KCoreBy(*c.stored, setting, forgets);
        ASSERT_TRUE(cores.ok()) << cores.status().message();
        if (!Compare(*cores, right, 0).empty()) ++(forgets ? wrong_with : wrong_without);
      }
    }
  }
  EXPECT_EQ(wrong_without, 0);
  EXPECT_GT(wrong_with, 10);
}

}  // namespace
}  // namespace edgemill::model
