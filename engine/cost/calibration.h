// What a machine's paths and processors were measured to do: what the cost model chooses by.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace edgemill {

/// A measured curve: rates at sizes. Between two points it is a straight line over the logarithms
/// of both, beyond its ends level.
class Curve {
 public:
  using Point = std::pair<double, double>;

  Curve() = default;
  /// `points`: rising, positive, with positive values; at least one.
  explicit Curve(std::vector<Point> points) : points_(std::move(points)) {}
  /// The value at `x`. Curves without points have none (CHECK).
  double At(double x) const;
  const std::vector<Point>& points() const { return points_; }
  /// Whether there are points, rising and positive: what is read from a file may be anything.
  bool valid() const;

 private:
  std::vector<Point> points_;
};

/// What a vertex has, in most programs, of the array that kernels read or write at random, in
/// bytes: by that their rates are measured and looked up.
inline constexpr uint64_t kStateBytes = 4;

/// One machine's figures. Rates are bytes or edges a second, times seconds. Every rate of kernels
/// is that of the engine's own kernels on packed edges.
struct Calibration {
  std::string machine;  // processor and cores
  std::string gpu;      // its name; empty where there was none
  std::string link;     // "32.0 GT/s PCIe x16", as far as the kernel tells
  std::string source;   // the file, or why it is the built-in one; not stored
  bool built_in = false;

  // The link between host and GPU.
  Curve copy_rate;                // pinned memory to the GPU, by the bytes of each of many copies
  Curve read_back_rate;           // from the GPU, likewise
  double zero_copy_rate = 0;      // kernels reading across it
  double tlb_coverage_bytes = 0;  // of the host's memory: what the GPU translates without delay

  // The GPU's kernels; by the bytes of the array that they read or write at random.
  Curve pull_rate;  // edges, added up by their targets
  Curve push_rate;  // edges, by atomic operations where a look says they are worth it

  // The host.
  Curve disk_rate;           // random reads in a deep queue, by the bytes of each
  double cpu_pull_rate = 0;  // edges, one thread
  double cpu_push_rate = 0;
};

/// What was measured on an H200 (PCIe 5, 16 cores): for machines that were not measured.
const Calibration& BuiltInCalibration();

}  // namespace edgemill
