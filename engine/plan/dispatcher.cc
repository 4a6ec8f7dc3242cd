#include "engine/plan/dispatcher.h"

#include <algorithm>
#include <cmath>

#include "common/check.h"
#include "engine/cost/tuning.h"

namespace edgemill {
namespace {

double RandomReadCost(const Dispatcher::Setting& setting, const Curve& disk_rate) {
  if (setting.in_memory || setting.num_blocks == 0) return 1;
  const double block_bytes =
      static_cast<double>(setting.edge_bytes) / static_cast<double>(setting.num_blocks);
  return std::max(1.0, disk_rate.At(kSequentialReadBytes) / disk_rate.At(block_bytes));
}

/// The packed edges that cross the link in a second.
double StreamedEdges(const Dispatcher::Setting& setting, const Calibration& calibration) {
  const double edge_bytes = static_cast<double>(std::max<uint64_t>(1, setting.edge_bytes)) /
                            static_cast<double>(std::max<EdgeIndex>(1, setting.num_edges));
  return calibration.copy_rate.points().back().second / edge_bytes;
}

double Blend(double before, double now, double weight = 1) {
  return before + kNewestWeight * weight * (now - before);
}

}  // namespace

std::string_view ProcessorsName(Processors processors) {
  switch (processors) {
    case Processors::kCpu:
      return "cpu";
    case Processors::kGpu:
      return "gpu";
    case Processors::kBoth:
      return "both";
  }
  return "unknown";
}

Dispatcher::Dispatcher(const Setting& setting, const Calibration& calibration,
                       const HybridOptions& options)
    : setting_(setting),
      options_(options),
      random_read_cost_(RandomReadCost(setting, calibration.disk_rate)),
      random_(options.random_seed.value_or(0)),
      fixed_seconds_(kFixedPassSeconds) {
  const double edges = static_cast<double>(setting.num_edges);
  const auto state = static_cast<double>(kStateBytes * std::max<uint64_t>(1, setting.num_vertices));
  const double streamed = StreamedEdges(setting, calibration);
  for (const bool push : {false, true}) {
    const double of_thread = push ? calibration.cpu_push_rate : calibration.cpu_pull_rate;
    const double kernel = (push ? calibration.push_rate : calibration.pull_rate).At(state);
    speeds_[0][push].full_seconds = edges / (of_thread * setting.threads);
    speeds_[1][push].full_seconds =
        edges / (setting.on_device ? kernel : std::min(kernel, streamed));
  }
  link_bytes_per_second_ =
      std::min(calibration.copy_rate.At(state), calibration.read_back_rate.At(state));
  CHECK_GT(setting.threads, 0);
  CHECK_GT(link_bytes_per_second_, 0);
  if (setting.loops_on_gpu) fixed_seconds_[1] = kLoopedPassSeconds;
  if (setting.other_gpus > 0) link_bytes_per_second_ = kPeerBytesPerSecond;
}

double Dispatcher::CpuSeconds(Mode mode, double fraction) const {
  // Scattered lists cost twice their share of a pass over all (Garaph 4.2).
  const double share = std::min(2 * fraction * random_read_cost_, 1.0);
  return fixed_seconds_[0] + share * SpeedOf(Processors::kCpu, mode).full_seconds;
}

double Dispatcher::GpuSeconds(Mode mode, double fraction) const {
  const double share = std::min(2 * fraction, 1.0);
  return fixed_seconds_[1] + share * SpeedOf(Processors::kGpu, mode).full_seconds;
}

double Dispatcher::LinkSeconds(uint64_t bytes) const {
  return static_cast<double>(bytes) / link_bytes_per_second_;
}

Dispatch Dispatcher::ChooseAtRandom(const IterationSituation& situation) {
  switch (random_.Below(situation.may_share ? 4 : 2)) {
    case 0:
      return {Processors::kCpu, 1};
    case 1:
      return {Processors::kGpu, 0};
    default:
      return {Processors::kBoth, random_.Unit()};
  }
}

Dispatch Dispatcher::ChooseGpus(const IterationSituation& situation) {
  const double gpus = 1.0 + setting_.other_gpus;
  const Dispatch together{Processors::kBoth, setting_.other_gpus / gpus};
  const double alone = GpuSeconds(situation.mode, situation.fraction);
  const double to_others = situation.on_host ? 0 : LinkSeconds(situation.state_bytes);
  const double shared = kSharedGpuPassSeconds + alone / gpus + to_others / kExpectedIterations +
                        LinkSeconds(situation.exchange_bytes);
  bool share = shared < (1 - kMinSharingGain) * alone;
  if (options_decide()) share = !options_.random_seed.has_value() || random_.Below(4) > 0;
  return situation.may_share && share ? together : Dispatch{Processors::kGpu, 0};
}

Dispatch Dispatcher::Choose(const IterationSituation& situation) {
  CHECK(situation.fraction >= 0 && situation.fraction <= 1);
  if (setting_.other_gpus > 0) return ChooseGpus(situation);
  if (options_.random_seed.has_value()) return ChooseAtRandom(situation);
  if (options_.cpu_share.has_value()) {
    const double share = *options_.cpu_share;
    if (situation.may_share) return {Processors::kBoth, share};
    return share > 0.5 ? Dispatch{Processors::kCpu, 1} : Dispatch{Processors::kGpu, 0};
  }
  const double to_host = situation.on_host ? 0 : LinkSeconds(situation.state_bytes);
  const double cpu = CpuSeconds(situation.mode, situation.fraction);
  const double gpu = GpuSeconds(situation.mode, situation.fraction);
  // When one processor works alone, the other's copy of the state is out of date afterwards.
  const double on_cpu = kExpectedIterations * cpu + to_host;
  const double on_gpu = kExpectedIterations * gpu;
  const bool cpu_alone = on_cpu < (1 - kMinSharingGain) * on_gpu;
  const double alone = cpu_alone ? cpu + to_host : gpu;
  if (situation.may_share) {
    const double together = 1 / (1 / cpu + 1 / gpu) + to_host / kExpectedIterations +
                            LinkSeconds(situation.exchange_bytes) + fixed_seconds_[1];
    if (together < (1 - kMinSharingGain) * alone) return {Processors::kBoth, gpu / (cpu + gpu)};
  }
  return cpu_alone ? Dispatch{Processors::kCpu, 1} : Dispatch{Processors::kGpu, 0};
}

void Dispatcher::Learn(Processors processors, Mode mode, double fraction, double share,
                       double seconds) {
  CHECK(processors != Processors::kBoth);  // `seconds` are of one processor
  if (processors == Processors::kCpu && setting_.other_gpus > 0) return;  // as fast as the first
  CHECK(share >= 0 && share <= 1);
  const bool is_gpu = processors == Processors::kGpu;
  const double rho = is_gpu ? 1 : random_read_cost_;
  const double part = std::min(2 * fraction * rho, 1.0) * share;
  Speed& speed = speeds_[is_gpu][mode == Mode::kPush];
  double& beside = fixed_seconds_[is_gpu];
  if (part < kMinMeasuredFraction) {
    if (share == 1) beside = Blend(beside, std::max(seconds - part * speed.full_seconds, 0.0));
    return;
  }
  const double full = std::max(seconds - beside, seconds / 10) / part;
  speed.full_seconds =
      speed.measured ? Blend(speed.full_seconds, full, std::min(1.0, part / kFullWeightFraction))
                     : full;
  speed.measured = true;
}

void Dispatcher::LearnLink(uint64_t bytes, double seconds) {
  constexpr uint64_t kMinBytes = uint64_t{1} << 20;  // smaller copies take their time to start
  if (bytes < kMinBytes || seconds <= 0) return;
  link_bytes_per_second_ = Blend(link_bytes_per_second_, static_cast<double>(bytes) / seconds);
}

}  // namespace edgemill
