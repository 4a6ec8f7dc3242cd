#include "engine/cost/calibration.h"

#include <algorithm>
#include <cmath>

#include "common/check.h"

namespace edgemill {

double Curve::At(double x) const {
  CHECK(!points_.empty());
  const auto above = std::find_if(points_.begin(), points_.end(),
                                  [x](const Point& point) { return point.first >= x; });
  if (above == points_.begin()) return above->second;
  if (above == points_.end()) return points_.back().second;
  const Point& low = *(above - 1);
  const double part = std::log(x / low.first) / std::log(above->first / low.first);
  return low.second * std::pow(above->second / low.second, part);
}

bool Curve::valid() const {
  double before = 0;
  for (const Point& point : points_) {
    if (!(point.first > before) || !(point.second > 0) || !std::isfinite(point.first) ||
        !std::isfinite(point.second)) {
      return false;
    }
    before = point.first;
  }
  return !points_.empty();
}

const Calibration& BuiltInCalibration() {
  constexpr double kKi = 1024;
  constexpr double kMi = kKi * 1024;
  static const Calibration calibration{
      .machine = "16 cores",
      .gpu = "NVIDIA H200",
      .source = "built in, measured on an H200",
      .built_in = true,
      .copy_rate = Curve({{4096, 1.5e9},
                          {16384, 5.7e9},
                          {65536, 17.3e9},
                          {262144, 36.0e9},
                          {1048576, 48.7e9},
                          {4194304, 53.5e9},
                          {16777216, 55.0e9},
                          {67108864, 55.2e9}}),
      .read_back_rate = Curve({{4096, 1.8e9},
                               {16384, 6.1e9},
                               {65536, 20.3e9},
                               {262144, 39.3e9},
                               {1048576, 50.3e9},
                               {4194304, 53.9e9},
                               {16777216, 54.9e9},
                               {67108864, 55.5e9}}),
      .zero_copy_rate = 49e9,
      .tlb_coverage_bytes = 512 * kMi,
      .pull_rate = Curve({{4 * kMi, 88e9}, {64 * kMi, 65e9}, {512 * kMi, 45e9}}),
      .push_rate = Curve({{4 * kMi, 80e9}, {64 * kMi, 80e9}, {512 * kMi, 55e9}}),
      .disk_rate = Curve({{4 * kKi, 0.34e9}, {64 * kKi, 1.85e9}, {kMi, 2.0e9}}),
      .cpu_pull_rate = 370e6,
      .cpu_push_rate = 30e6};
  return calibration;
}

}  // namespace edgemill
