// Heat, circuits and neural networks on the GPU and on both processors, against PlainSimulation.
#include "test/gpu/gpu_testing.h"
#include "test/simulation_cases.h"

namespace edgemill {
namespace {

class GpuSimulations : public GpuTest, public testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    gpu_.reset();
  }
};

TEST_P(GpuSimulations, DoWhatPlainIterationsDo) {
  RunOptions options;
  options.device = Device::kGpu;
  ExpectPlainSimulation(GetParam(), options);
}

TEST_P(GpuSimulations, SharedWithTheCpuDoWhatPlainIterationsDo) {
  RunOptions options;
  options.device = Device::kHybrid;
  options.hybrid.cpu_share = .5;
  ExpectPlainSimulation(GetParam(), options);
}

INSTANTIATE_TEST_SUITE_P(All, GpuSimulations, testing::Values("hs", "cs", "nn"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace edgemill
