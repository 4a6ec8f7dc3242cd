// Random sequences of operators on a GPU, in random settings, must give the results of the model.
// Each step also runs separately, which scripts/sanitize_gpu.sh uses.
//
// A failure names its seed, and EDGEMILL_SEED runs only that sequence. EDGEMILL_TRIALS is the
// number of sequences.
#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <ostream>

#include "common/type_name.h"
#include "engine/gpu/program/program_launchers.h"
#include "test/gpu/gpu_compositions.h"
#include "test/gpu/gpu_testing.h"
#include "test/model/composed/composed_functions.h"

namespace edgemill::model {

/// "CollectSum3" of "CollectSum, 3".
inline std::string GpuNameOf(const Step& step) {
  std::string name;
  bool begins = true;
  for (const char* at = step.name; *at != 0; ++at) {
    const bool counts = std::isalnum(static_cast<unsigned char>(*at)) != 0;
    if (counts) name += static_cast<char>(begins ? std::toupper(*at) : *at);
    begins = !counts;
  }
  return name;
}

inline void PrintTo(const Step& step, std::ostream* out) { *out << GpuNameOf(step); }

namespace {

/// Checks that a GPU has kernels for all programs. Without them they would fail or use the CPU.
template <typename... Ps>
void ExpectKernels(const Programs<Ps...>&) {
  const auto expect = [](std::string_view program) {
    EXPECT_NE(FindEdgeProgram(kStepsGpuFile, program), nullptr) << program;
  };
  (expect(FullTypeName<Ps>()), ...);
}
template <typename... Fs>
void ExpectFunctions(FunctionUse use) {
  const auto expect = [use](std::string_view function) {
    EXPECT_NE(FindFunction(kStepsGpuFile, function, use), nullptr) << function;
  };
  (expect(FullTypeName<Fs>()), ...);
}

TEST(GpuPrograms, AreCompiledForGpus) {
  const ComposedPrograms state(10, 1, kBoth);
  ExpectKernels(state.sums.programs);
  ExpectKernels(state.sums.more);
  ExpectKernels(state.relaxing.programs);
  ExpectKernels(state.relaxing.more);
  ExpectKernels(state.firsts.programs);
  ExpectKernels(state.firsts.more);
  ExpectKernels(state.values.programs);
  ExpectKernels(state.values.more);
  ExpectFunctions<PutHash<uint64_t>, PutHash<uint32_t>, PutHash<double>, Mix, TallyValues>(
      FunctionUse::kMap);
  ExpectFunctions<Sift>(FunctionUse::kFilter);
  ExpectFunctions<ReduceOf<Sum<uint64_t>, XorValue>, ReduceOf<Min<uint64_t>, XorValue>,
                  ReduceOf<Max<uint64_t>, XorValue>, ReduceOf<Sum<double>, RealValue>,
                  ReduceOf<Ends, EndsValue>>(FunctionUse::kReduce);
  ExpectFunctions<AddAlong, LeastAlong<int32_t>, LeastAlong<double>>(FunctionUse::kVisit);
}

/// A composition leaves GPU memory for all that it declares, but not for more.
TEST(GpuPrograms, FillAGpu) {
  for (uint64_t seed = 1; seed < 200; ++seed) {
    const GpuComposition composition = ComposeForGpu(seed);
    const uint64_t mebibytes = composition.setting.gpu.gpu.memory_bytes >> 20;
    if (mebibytes == 0) continue;
    const auto stored = Stored(composition.plain.graph, composition.plain.options);
    const Status fits = CheckFitsGpu(*stored, composition, mebibytes, composition.padding_bytes);
    ASSERT_TRUE(fits.ok()) << fits.message() << DescribeOnGpu(composition);
    ASSERT_FALSE(CheckFitsGpu(*stored, composition, mebibytes, uint64_t{4} << 20).ok());
  }
}

class GpuPropertyTest : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    gpu_.reset();
  }
};

TEST_F(GpuPropertyTest, RandomSequences) {
  const uint64_t trials = NumTrials(400);
  GpuCoverage coverage;
  const int failures = RunTrials(trials, ComposeForGpu, DescribeOnGpu,
                                 [&](const GpuComposition& c) { return RunOnGpu(c, &coverage); });
  if (trials >= 400 && failures == 0) coverage.Expect();
  std::printf("steps compared: %llu\n", static_cast<unsigned long long>(Composer::num_steps));
}

/// If a program has Apply and Relax, the engine relaxes parts of a vertex's sum. Here thousands of
/// edges lead to a few vertices.
TEST_F(GpuPropertyTest, PartsOfListsAreRelaxed) {
  std::vector<Step> steps;
  for (const Step& step : AllSteps()) {
    const std::string_view name = step.name;
    if (name == "LeastByBoth") steps.insert(steps.end(), 6, step);
    if (name == "sets" || name == "arrays") steps.push_back(step);
  }
  GpuCoverage unused;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    std::mt19937_64 random(seed);
    constexpr std::array kModes = {edgemill::Mode::kPush, edgemill::Mode::kPull};
    GpuComposition composition{
        .plain = {.seed = seed,
                  .graph = Graph(2000, HubEdges(2000, 8000, random), seed % 3 != 0),
                  .options = {.block_edges = 128},
                  .setting = {.mode = kModes[seed % 2], .shuffle_seed = seed},
                  .order_counts = true,
                  .steps = 12}};
    composition.setting.gpu.loops = false;
    const std::string wrong = RunOnGpu(composition, &unused, steps);
    ASSERT_EQ(wrong, "") << DescribeOnGpu(composition);
  }
}

class GpuSteps : public GpuPropertyTest, public testing::WithParamInterface<Step> {};

/// Runs one step after steps that fill its arrays and sets, on a graph with lists of several
/// blocks. It runs in every mode, with resident and with copied blocks, asynchronously or not.
TEST_P(GpuSteps, DoesWhatTheModelDoes) {
  std::vector<Step> steps(6, GetParam());
  for (const Step& step : VertexSteps()) {
    const std::string_view name = step.name;
    if (name == "sets" || name == "arrays") steps.push_back(step);
  }
  GpuCoverage unused;
  uint64_t seed = 0;
  for (const edgemill::Mode mode : {edgemill::Mode::kPush, edgemill::Mode::kPull,
                                    edgemill::Mode::kNotifyPull, edgemill::Mode::kAuto}) {
    for (const Transfer transfer : {Transfer::kResident, Transfer::kFilter}) {
      const uint32_t async_passes =
          transfer == Transfer::kFilter && (mode == edgemill::Mode::kPush) ? 16 : 0;
      std::mt19937_64 random(++seed);
      const WeightType weights = seed % 2 == 0 ? WeightType::kInt32 : WeightType::kFloat64;
      GpuComposition composition{
          .plain = {.seed = seed,
                    .graph = Graph(200, HubEdges(200, 150, random), seed % 3 != 0),
                    .options = {.weights = weights, .block_edges = 128},
                    .setting = {.mode = mode, .async_passes = async_passes, .shuffle_seed = seed},
                    .order_counts = true,
                    .steps = 12}};
      composition.setting.gpu.transfer = transfer;
      composition.setting.gpu.batch_bytes = 1 << 16;
      const std::string wrong = RunOnGpu(composition, &unused, steps);
      ASSERT_EQ(wrong, "") << DescribeOnGpu(composition);
    }
  }
}

/// Each once.
std::vector<Step> NamedSteps() {
  std::vector<Step> steps = AllSteps();
  std::erase_if(steps, [](const Step& step) { return std::string_view(step.name) == "sets"; });
  return steps;
}

INSTANTIATE_TEST_SUITE_P(Steps, GpuSteps, testing::ValuesIn(NamedSteps()),
                         [](const auto& info) { return GpuNameOf(info.param); });

}  // namespace
}  // namespace edgemill::model
