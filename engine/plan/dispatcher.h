// Chooses the processors of an iteration, and their shares of its blocks, by plain arithmetic over
// counts and measured times (Garaph, ATC 2017, section 5).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "common/random.h"
#include "common/types.h"
#include "engine/cost/calibration.h"
#include "engine/program/mode.h"

namespace edgemill {

/// Which processors run an iteration.
enum class Processors : uint8_t { kCpu, kGpu, kBoth };

/// "cpu", "gpu", "both".
std::string_view ProcessorsName(Processors processors);

/// Options that fix how a hybrid run shares iterations. Without them, measured times decide.
struct HybridOptions {
  /// In every iteration that can be shared, the CPU takes this share of the blocks, 0 to 1.
  std::optional<double> cpu_share;
  /// For tests: processors and shares are chosen at random, by this seed.
  std::optional<uint64_t> random_seed;
};

/// What is known of an iteration before it runs.
struct IterationSituation {
  Mode mode = Mode::kPull;
  double fraction = 1;          // active vertices' share of all edges, 0 to 1: Garaph's f
  bool may_share = true;        // the program allows it
  bool on_host = true;          // the CPU's copy of the state is up to date; the GPU's always is
  uint64_t state_bytes = 0;     // bytes to copy to the CPU if its copy is not up to date
  uint64_t exchange_bytes = 0;  // the most bytes to exchange when both have worked
};

/// What the dispatcher decided.
struct Dispatch {
  Processors processors = Processors::kGpu;
  double cpu_share = 0;  // of the blocks, when both work
};

/// Decides iteration by iteration. One thread uses it.
///
/// Garaph's formula is alpha = min(2 f rho, 1) Tpull / Tgpu: the CPU's time for an iteration,
/// divided by the GPU's time. For a fraction f of the edges, the CPU takes 2 f of the time of a
/// full pull. Where reads at random from disk are rho times slower, it takes 2 f rho of that time,
/// but at most all of it. If alpha is below 1, the CPU works alone. Otherwise both work, if sharing
/// gains more than the exchange of values across the link costs. If not, the GPU works alone. Here
/// Tgpu depends on f too, because a GPU reads only active lists.
class Dispatcher {
 public:
  /// What is known of a run before its first iteration.
  struct Setting {
    uint64_t num_vertices = 0;
    EdgeIndex num_edges = 0;
    uint64_t num_blocks = 0;
    uint64_t edge_bytes = 0;    // of one direction, packed
    int threads = 1;            // of the CPU
    bool in_memory = true;      // blocks stay in memory, and are not read from disk again
    bool on_device = false;     // blocks stay on the GPU, and are not copied again
    bool loops_on_gpu = false;  // the GPU does several small iterations in one launch
    /// Other GPUs that share iterations, in place of the CPU, each an equal part.
    uint32_t other_gpus = 0;
  };

  /// Until an iteration has been measured, `calibration` gives the speeds of the processors and of
  /// the link.
  Dispatcher(const Setting& setting, const Calibration& calibration, const HybridOptions& options);

  /// Chooses the processors of an iteration.
  Dispatch Choose(const IterationSituation& situation);
  /// Whether the time of an iteration predicts the time of the next one. It does not where the
  /// iteration brought edges that stay: `read_bytes` from disk, or `link_bytes` to the GPU.
  bool PredictsNext(uint64_t read_bytes, uint64_t link_bytes) const {
    return !(setting_.in_memory && read_bytes > 0) && !(setting_.on_device && link_bytes > 0);
  }
  /// Learns that `processors` (kCpu or kGpu) took `seconds`, without copies, for `share` of the
  /// blocks of an iteration of `mode` and `fraction`.
  void Learn(Processors processors, Mode mode, double fraction, double share, double seconds);
  /// Learns that `bytes` crossed the link in `seconds`.
  void LearnLink(uint64_t bytes, double seconds);

  const Setting& setting() const { return setting_; }
  /// Whether the options decide which processors work.
  bool options_decide() const {
    return options_.cpu_share.has_value() || options_.random_seed.has_value();
  }
  /// The seconds that one processor should take for a whole iteration.
  double CpuSeconds(Mode mode, double fraction) const;
  double GpuSeconds(Mode mode, double fraction) const;
  /// Garaph's alpha.
  double Alpha(Mode mode, double fraction) const {
    return CpuSeconds(mode, fraction) / GpuSeconds(mode, fraction);
  }

 private:
  struct Speed {
    double full_seconds = 0;  // for all edges
    bool measured = false;
  };
  double LinkSeconds(uint64_t bytes) const;
  const Speed& SpeedOf(Processors processors, Mode mode) const {
    return speeds_[processors == Processors::kGpu][mode == Mode::kPush];
  }
  Dispatch ChooseAtRandom(const IterationSituation& situation);
  /// Chooses between one GPU and all.
  Dispatch ChooseGpus(const IterationSituation& situation);

  const Setting setting_;
  const HybridOptions options_;
  const double random_read_cost_;  // Garaph's rho: the cost of reading blocks at random over that
                                   // of reading them in order
  Random random_;
  std::array<std::array<Speed, 2>, 2> speeds_;  // by processor, and whether pushing
  std::array<double, 2> fixed_seconds_;         // of an iteration, beside the time for its edges
  double link_bytes_per_second_;
};

}  // namespace edgemill
