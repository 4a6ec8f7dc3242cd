// The choice of processors for an iteration, which depends only on counts and times.
#include "engine/plan/dispatcher.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "common/threads/parallel.h"

namespace edgemill {
namespace {

constexpr Dispatcher::Setting kSetting{.num_vertices = 30'000'000,
                                       .num_edges = 1'000'000'000,
                                       .num_blocks = 32'000,
                                       .edge_bytes = 2'000'000'000,
                                       .threads = 16};

/// The figures of another machine. Its disk reads random blocks of 62 KB at a quarter of its full
/// speed.
Calibration SlowDisk() {
  Calibration calibration = BuiltInCalibration();
  calibration.disk_rate = Curve({{4096, 1e8}, {62'500, 5e8}, {1 << 20, 2e9}});
  return calibration;
}

/// A dispatcher that has measured a whole pull of each processor, with these seconds.
Dispatcher Measured(double cpu_seconds, double gpu_seconds, HybridOptions options = {},
                    const Dispatcher::Setting& setting = kSetting) {
  Dispatcher dispatcher(setting, SlowDisk(), options);
  for (int i = 0; i < 20; ++i) {
    for (const Mode mode : {Mode::kPull, Mode::kPush}) {
      dispatcher.Learn(Processors::kCpu, mode, 1, 1, cpu_seconds);
      dispatcher.Learn(Processors::kGpu, mode, 1, 1, gpu_seconds);
      dispatcher.LearnLink(uint64_t{1} << 30, 0.02);
    }
  }
  return dispatcher;
}

TEST(Dispatcher, AlphaIsGaraphs) {
  const Dispatcher dispatcher = Measured(0.2, 0.05);
  EXPECT_NEAR(dispatcher.Alpha(Mode::kPull, 1), 4, 0.05);
  EXPECT_NEAR(dispatcher.Alpha(Mode::kPull, 0.5), 4, 0.05);  // min(2 f, 1)
  EXPECT_LT(dispatcher.Alpha(Mode::kPush, 1e-5), 1);         // almost nothing to do
  Dispatcher::Setting disk = kSetting;
  disk.in_memory = false;
  const Dispatcher slow = Measured(0.2, 0.05, {}, disk);
  EXPECT_NEAR(slow.CpuSeconds(Mode::kPush, 0.05), 0.2 * 0.4, 1e-3);  // 2 f rho
  EXPECT_NEAR(slow.CpuSeconds(Mode::kPush, 0.2), 0.2, 1e-3);
}

TEST(Dispatcher, FewActiveVerticesStayOnTheCpu) {
  Dispatcher dispatcher = Measured(0.2, 0.05);
  const IterationSituation few{.mode = Mode::kPush, .fraction = 1e-6};
  EXPECT_EQ(dispatcher.Choose(few).processors, Processors::kCpu);
  // But if a large state is on the GPU, fetching it takes longer than working there.
  IterationSituation away = few;
  away.on_host = false;
  away.state_bytes = uint64_t{128} << 20;
  EXPECT_EQ(dispatcher.Choose(away).processors, Processors::kGpu);
  away.state_bytes = 1000;
  EXPECT_EQ(dispatcher.Choose(away).processors, Processors::kCpu);
}

TEST(Dispatcher, BothWorkWhereSharingPays) {
  Dispatcher alike = Measured(0.1, 0.1);
  IterationSituation all;
  const Dispatch dispatch = alike.Choose(all);
  EXPECT_EQ(dispatch.processors, Processors::kBoth);
  EXPECT_NEAR(dispatch.cpu_share, 0.5, 0.01);
  all.may_share = false;
  EXPECT_NE(alike.Choose(all).processors, Processors::kBoth);
  all.may_share = true;
  all.exchange_bytes = uint64_t{10} << 30;  // 0.2 s
  EXPECT_NE(alike.Choose(all).processors, Processors::kBoth);
  Dispatcher fast = Measured(0.5, 0.008);  // the CPU would save 1.6 %
  EXPECT_EQ(fast.Choose(IterationSituation{}).processors, Processors::kGpu);
  Dispatcher third = Measured(0.3, 0.1);
  EXPECT_NEAR(third.Choose(IterationSituation{}).cpu_share, 0.25, 0.01);
}

/// Before any measurement, the CPU's rate is a thread's rate times threads. The GPU's rate is that
/// of its kernels or of the link.
TEST(Dispatcher, StartsFromTheMachinesFigures) {
  Calibration calibration = BuiltInCalibration();
  calibration.cpu_pull_rate = 250e6;
  calibration.cpu_push_rate = 50e6;
  calibration.pull_rate = Curve({{1e6, 50e9}});
  calibration.push_rate = Curve({{1e6, 20e9}});
  calibration.copy_rate = Curve({{1e6, 50e9}});
  calibration.read_back_rate = Curve({{1e6, 40e9}});
  Dispatcher::Setting setting = kSetting;
  const Dispatcher streamed(setting, calibration, {});
  EXPECT_NEAR(streamed.CpuSeconds(Mode::kPull, 1), 0.25, 1e-3);
  EXPECT_NEAR(streamed.CpuSeconds(Mode::kPush, 1), 1.25, 1e-3);
  EXPECT_NEAR(streamed.GpuSeconds(Mode::kPull, 1), 0.04, 1e-3);  // 2 GB over the link
  EXPECT_NEAR(streamed.GpuSeconds(Mode::kPush, 1), 0.05, 1e-3);
  setting.on_device = true;
  const Dispatcher resident(setting, calibration, {});
  EXPECT_NEAR(resident.GpuSeconds(Mode::kPull, 1), 0.02, 1e-3);
  EXPECT_NEAR(resident.GpuSeconds(Mode::kPush, 1), 0.05, 1e-3);
  // Without edges, nothing takes long.
  const Dispatcher nothing({}, calibration, {});
  EXPECT_LT(nothing.CpuSeconds(Mode::kPull, 1), 1e-3);
  EXPECT_LT(nothing.GpuSeconds(Mode::kPush, 1), 1e-3);
}

TEST(Dispatcher, MeasuredTimesReplaceGuesses) {
  Dispatcher dispatcher(kSetting, BuiltInCalibration(), {});
  const double guess = dispatcher.GpuSeconds(Mode::kPull, 1);
  dispatcher.Learn(Processors::kGpu, Mode::kPull, 1, 1, 10 * guess);
  EXPECT_NEAR(dispatcher.GpuSeconds(Mode::kPull, 1), 10 * guess, guess);
  // A tenth of the blocks in a tenth of the time is the same speed.
  dispatcher.Learn(Processors::kGpu, Mode::kPull, 1, 0.1, guess);
  EXPECT_NEAR(dispatcher.GpuSeconds(Mode::kPull, 1), 10 * guess, guess);
  // An iteration with almost nothing to do shows the fixed cost of an iteration.
  for (int i = 0; i < 20; ++i) dispatcher.Learn(Processors::kGpu, Mode::kPush, 1e-9, 1, 0.5);
  EXPECT_NEAR(dispatcher.GpuSeconds(Mode::kPush, 1e-9), 0.5, 0.01);
}

/// An iteration that brings blocks which stay on the GPU does not predict the time of the next.
TEST(Dispatcher, IterationsThatBringResidentBlocksPredictNothing) {
  Dispatcher::Setting setting = kSetting;
  setting.in_memory = setting.on_device = true;
  const Dispatcher stays(setting, BuiltInCalibration(), {});
  EXPECT_TRUE(stays.PredictsNext(0, 0));
  EXPECT_FALSE(stays.PredictsNext(1, 0));
  EXPECT_FALSE(stays.PredictsNext(0, 1));
  setting.in_memory = setting.on_device = false;
  EXPECT_TRUE(
      Dispatcher(setting, BuiltInCalibration(), {}).PredictsNext(1, 1));  // as the next will
}

TEST(Dispatcher, SharesSetByOptionsAreKept) {
  Dispatcher dispatcher = Measured(10, 0.001, {.cpu_share = 0.7});
  EXPECT_EQ(dispatcher.Choose({}).processors, Processors::kBoth);
  EXPECT_EQ(dispatcher.Choose({}).cpu_share, 0.7);
  EXPECT_EQ(dispatcher.Choose({.may_share = false}).processors, Processors::kCpu);
  Dispatcher random = Measured(1, 1, {.random_seed = 3});
  std::set<Processors> seen;
  for (int i = 0; i < 50; ++i) {
    seen.insert(random.Choose({}).processors);
    EXPECT_NE(random.Choose({.may_share = false}).processors, Processors::kBoth);
  }
  EXPECT_EQ(seen.size(), 3u);
}

/// Several GPUs share passes over many edges. Few edges stay with one, also where the others lack
/// the state.
TEST(Dispatcher, SeveralGpusShareLargePasses) {
  Dispatcher::Setting setting = kSetting;
  setting.other_gpus = 3;
  setting.on_device = true;
  Dispatcher dispatcher = Measured(1e-9, 0.05, {}, setting);  // the CPU's time counts for nothing
  const IterationSituation all{.mode = Mode::kPull, .exchange_bytes = 120'000'000};
  const Dispatch shared = dispatcher.Choose(all);
  EXPECT_EQ(shared.processors, Processors::kBoth);
  EXPECT_DOUBLE_EQ(shared.cpu_share, 0.75);
  const IterationSituation few{.mode = Mode::kPush, .fraction = 1e-5};
  EXPECT_EQ(dispatcher.Choose(few).processors, Processors::kGpu);
  IterationSituation large = all;
  large.exchange_bytes = uint64_t{1} << 32;
  EXPECT_EQ(dispatcher.Choose(large).processors, Processors::kGpu);
  IterationSituation unshared = all;
  unshared.may_share = false;
  EXPECT_EQ(dispatcher.Choose(unshared).processors, Processors::kGpu);
}

}  // namespace
}  // namespace edgemill
