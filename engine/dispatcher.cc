#include "engine/dispatcher.h"

#include <algorithm>
#include <cmath>

namespace edgemill {
namespace {

/// Guesses for what has not been measured yet; the first iterations replace them.
constexpr double kCpuEdgesPerSecond = 0.3e9;  // of one thread
constexpr double kLinkBytesPerSecond = 20e9;
/// What an iteration costs beside its edges: launches and their counts; threads.
constexpr double kGpuIterationSeconds = 150e-6;
constexpr double kCpuIterationSeconds = 50e-6;
/// Both work only if that should save so much of the best processor's time: what the estimates are
/// good for.
constexpr double kLeastGain = 0.1;
/// How much of a new measurement counts.
constexpr double kNewest = 0.5;
/// Lists of a share of the edges this small say little about the speed over all.
constexpr double kLeastMeasuredFraction = 1e-3;

double Blend(double before, double now) { return before + kNewest * (now - before); }

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

Dispatcher::Dispatcher(const Machine& machine, const HybridOptions& options)
    : machine_(machine),
      options_(options),
      random_(options.random_seed.value_or(0)),
      link_bytes_per_second_(kLinkBytesPerSecond) {
  const double edges = static_cast<double>(machine.num_edges);
  for (const bool push : {false, true}) {
    speeds_[0][push].full_seconds = edges / (kCpuEdgesPerSecond * machine.threads);
    speeds_[1][push].full_seconds = edges / machine.gpu_edges_per_second;
  }
}

double Dispatcher::CpuSeconds(Mode mode, double fraction) const {
  // Lists here and there cost twice their share of a sweep over all (Garaph 4.2).
  const double share = std::min(2 * fraction * machine_.random_read_cost, 1.0);
  return kCpuIterationSeconds + share * SpeedOf(Processors::kCpu, mode).full_seconds;
}

double Dispatcher::GpuSeconds(Mode mode, double fraction) const {
  const double share = std::min(2 * fraction, 1.0);
  return kGpuIterationSeconds + share * SpeedOf(Processors::kGpu, mode).full_seconds;
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

Dispatch Dispatcher::Choose(const IterationSituation& situation) {
  if (options_.random_seed.has_value()) return ChooseAtRandom(situation);
  if (options_.cpu_share.has_value()) {
    const double share = *options_.cpu_share;
    if (situation.may_share) return {Processors::kBoth, share};
    return share > 0.5 ? Dispatch{Processors::kCpu, 1} : Dispatch{Processors::kGpu, 0};
  }
  const double to_host = situation.on_host ? 0 : LinkSeconds(situation.state_bytes);
  const double to_card = situation.on_card ? 0 : LinkSeconds(situation.state_bytes);
  const double cpu = CpuSeconds(situation.mode, situation.fraction);
  const double gpu = GpuSeconds(situation.mode, situation.fraction);
  // Whoever works alone leaves the other behind, and the state crosses the link again when that one
  // is wanted back; a switch pays if it is won within one iteration.
  const bool cpu_alone = cpu + to_host < gpu + to_card;
  const double alone = cpu_alone ? cpu + to_host : gpu + to_card;
  if (situation.may_share) {
    const double together = 1 / (1 / cpu + 1 / gpu) + std::max(to_host, to_card) +
                            LinkSeconds(situation.exchange_bytes) + kGpuIterationSeconds;
    if (together < (1 - kLeastGain) * alone) return {Processors::kBoth, gpu / (cpu + gpu)};
  }
  return cpu_alone ? Dispatch{Processors::kCpu, 1} : Dispatch{Processors::kGpu, 0};
}

void Dispatcher::Learn(Processors processors, Mode mode, double fraction, double share,
                       double seconds) {
  const bool is_gpu = processors == Processors::kGpu;
  const double rho = is_gpu ? 1 : machine_.random_read_cost;
  const double part = std::min(2 * fraction * rho, 1.0) * share;
  if (part < kLeastMeasuredFraction) return;
  const double beside = is_gpu ? kGpuIterationSeconds : kCpuIterationSeconds;
  const double full = std::max(seconds - beside, seconds / 10) / part;
  Speed& speed = speeds_[is_gpu][mode == Mode::kPush];
  speed.full_seconds = speed.measured ? Blend(speed.full_seconds, full) : full;
  speed.measured = true;
}

void Dispatcher::LearnLink(uint64_t bytes, double seconds) {
  constexpr uint64_t kLeastBytes = uint64_t{1} << 20;  // smaller copies measure their start
  if (bytes < kLeastBytes || seconds <= 0) return;
  link_bytes_per_second_ = Blend(link_bytes_per_second_, static_cast<double>(bytes) / seconds);
}

SweepQueue::SweepQueue(uint64_t num_blocks, double cpu_share, bool fixed)
    : num_blocks_(num_blocks), cpu_share_(cpu_share), fixed_(fixed), back_(num_blocks) {}

void SweepQueue::Stop() {
  MutexLock lock(mutex_);
  back_ = front_;
}

uint64_t SweepQueue::boundary() const {
  MutexLock lock(mutex_);
  return back_;
}

std::optional<BlockRange> SweepQueue::Take(bool gpu) {
  constexpr double kFirst = 0.75;  // of what is expected of a processor
  constexpr double kNext = 0.5;    // of its share of what is left
  constexpr uint64_t kLeastParts = 64;
  MutexLock lock(mutex_);
  const double all = static_cast<double>(num_blocks_);
  const double share = gpu ? 1 - cpu_share_ : cpu_share_;
  const bool first = gpu ? front_ == 0 : back_ == num_blocks_;
  uint64_t count = 0;
  if (fixed_) {
    const uint64_t cpu = static_cast<uint64_t>(std::llround(all * cpu_share_));
    count = !first ? 0 : gpu ? num_blocks_ - cpu : cpu;
  } else {
    const uint64_t left = back_ - front_;
    const double part = first ? kFirst * all : kNext * static_cast<double>(left);
    count = std::max(static_cast<uint64_t>(part * share), num_blocks_ / kLeastParts + 1);
    count = std::min(count, left);
  }
  count = std::min(count, back_ - front_);
  if (count == 0) return std::nullopt;
  if (gpu) {
    front_ += count;
    return BlockRange{front_ - count, front_};
  }
  back_ -= count;
  return BlockRange{back_, back_ + count};
}

}  // namespace edgemill
