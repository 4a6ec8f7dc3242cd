// Which processors take an iteration, and which of them takes a block: plain arithmetic over counts
// and measured times (Garaph, ATC 2017, section 5).
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

/// Options that fix how a hybrid run shares iterations, instead of measuring.
struct HybridOptions {
  /// Shares every iteration that can be shared: the CPU takes this share of its blocks, 0 to 1.
  std::optional<double> cpu_share;
  /// Tests: chooses processors and shares at random, by this seed.
  std::optional<uint64_t> random_seed;
};

/// What is known of an iteration before it runs.
struct IterationSituation {
  Mode mode = Mode::kPull;
  double fraction = 1;          // of all edges that active vertices have, 0 to 1: Garaph's f
  bool may_share = true;        // the program allows it
  bool on_host = true;          // the CPU's copy of the state is up to date; the GPU's always is
  uint64_t state_bytes = 0;     // to bring it up to date
  uint64_t exchange_bytes = 0;  // between them when both have worked, at most
};

/// What the dispatcher decided.
struct Dispatch {
  Processors processors = Processors::kGpu;
  double cpu_share = 0;  // of the blocks, when both work
};

/// Decides iteration by iteration. One thread uses it.
///
/// Garaph's formula is alpha = min(2 f rho, 1) Tpull / Tgpu: the time that the CPU takes for an
/// iteration over the GPU's. The CPU takes the time of a full pull, or of the lists of a fraction f
/// of the edges. Reading these from disk at random is rho times slower. If alpha is below 1 the CPU
/// works alone. Else both work, as far as sharing gains more than bringing values across the link
/// and back costs. Where it does not, the GPU works alone. Here Tgpu depends on f too: a GPU looks
/// at active lists only.
class Dispatcher {
 public:
  /// What is known of a run before its first iteration.
  struct Setting {
    uint64_t num_vertices = 0;
    EdgeIndex num_edges = 0;
    uint64_t num_blocks = 0;
    uint64_t edge_bytes = 0;    // packed, of a direction
    int threads = 1;            // the CPU's
    bool in_memory = true;      // blocks stay there, or are read from disk again
    bool on_device = false;     // the same for the GPU
    bool loops_on_gpu = false;  // iterations of few vertices need no launch each
  };

  /// Until an iteration has been measured, `calibration` gives the speeds of the processors and of
  /// the link.
  Dispatcher(const Setting& setting, const Calibration& calibration, const HybridOptions& options);

  /// The processors that take an iteration.
  Dispatch Choose(const IterationSituation& situation);
  /// Whether the time of an iteration predicts that of the next. It does not where the iteration
  /// brought edges that stay: `read_bytes` of them from disk, or `link_bytes` to the GPU.
  bool PredictsNext(uint64_t read_bytes, uint64_t link_bytes) const {
    return !(setting_.in_memory && read_bytes > 0) && !(setting_.on_device && link_bytes > 0);
  }
  /// An iteration of `mode` and `fraction`, or `share` of one, took `processors` (kCpu or kGpu)
  /// `seconds`, copies aside.
  void Learn(Processors processors, Mode mode, double fraction, double share, double seconds);
  /// `bytes` crossed the link in `seconds`.
  void LearnLink(uint64_t bytes, double seconds);

  const Setting& setting() const { return setting_; }
  /// Whether the options say which processors work, so that it need not find out.
  bool told() const { return options_.cpu_share.has_value() || options_.random_seed.has_value(); }
  /// Seconds that a processor alone should take.
  double CpuSeconds(Mode mode, double fraction) const;
  double GpuSeconds(Mode mode, double fraction) const;
  /// Garaph's alpha.
  double Alpha(Mode mode, double fraction) const {
    return CpuSeconds(mode, fraction) / GpuSeconds(mode, fraction);
  }

 private:
  struct Speed {
    double full_seconds = 0;  // of all edges
    bool measured = false;
  };
  double LinkSeconds(uint64_t bytes) const;
  const Speed& SpeedOf(Processors processors, Mode mode) const {
    return speeds_[processors == Processors::kGpu][mode == Mode::kPush];
  }
  Dispatch ChooseAtRandom(const IterationSituation& situation);

  const Setting setting_;
  const HybridOptions options_;
  const double random_read_cost_;  // Garaph's rho: the cost of reading blocks at random over that
                                   // of reading them in order
  Random random_;
  std::array<std::array<Speed, 2>, 2> speeds_;  // by processor, and whether pushing
  std::array<double, 2> beside_seconds_;        // what an iteration costs beside its edges
  double link_bytes_per_second_;
};

}  // namespace edgemill
