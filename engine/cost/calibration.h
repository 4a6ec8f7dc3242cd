// The measured rates of a machine's link, disk and processors. The cost model uses them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace edgemill {

/// A measured curve of rates at sizes. Between two points, log(rate) is linear in log(size). Beyond
/// the ends the rate is constant.
class Curve {
 public:
  using Point = std::pair<double, double>;

  Curve() = default;
  /// `points`: at least one, with positive sizes in rising order and positive rates.
  explicit Curve(std::vector<Point> points) : points_(std::move(points)) {}
  /// Returns the rate at size `x`. The curve must have points (CHECK).
  double At(double x) const;
  const std::vector<Point>& points() const { return points_; }
  /// Whether there are points, with rising sizes and positive rates. Points from a file may be
  /// wrong.
  bool valid() const;

 private:
  std::vector<Point> points_;
};

/// The bytes of a vertex in the array that kernels read or write at random, in most programs. Rates
/// are measured and looked up for an array of this kind.
inline constexpr uint64_t kStateBytes = 4;

/// One machine's figures. Rates are in bytes or edges per second. The rates of kernels were
/// measured with the engine's own kernels on packed edges.
struct Calibration {
  std::string machine;  // processor and cores
  std::string gpu;      // its name; empty: none
  std::string link;     // such as "32.0 GT/s PCIe x16"; empty if unknown
  std::string source;   // the file, or why the built-in one is used; not stored
  bool built_in = false;

  // The link between host and GPU.
  Curve copy_rate;                // pinned memory to the GPU, by the bytes of each of many copies
  Curve read_back_rate;           // from the GPU, likewise
  double zero_copy_rate = 0;      // of kernels that read across the link
  double tlb_coverage_bytes = 0;  // the GPU reads this much at random at full rate

  // The GPU's kernels. Sizes are the bytes of the array that they read or write at random.
  Curve pull_rate;  // edges: targets add up what comes
  Curve push_rate;  // edges: an atomic operation where a test says that it helps

  // The host.
  Curve disk_rate;           // random reads in a deep queue, by the bytes of each
  double cpu_pull_rate = 0;  // edges, one thread
  double cpu_push_rate = 0;
};

/// The figures of an H200 (PCIe 5, 16 cores). They are for machines that were not measured.
const Calibration& BuiltInCalibration();

}  // namespace edgemill
