#include "engine/cost/link_points.h"

#include <algorithm>
#include <map>
#include <utility>

namespace edgemill {
namespace {

/// Beyond the reach of address translation rates of short reads fall below this share.
constexpr double kWithinReach = 0.7;
/// Reads of this size show it best.
constexpr uint64_t kReachRun = 128;

}  // namespace

std::string_view LinkPathName(LinkPath path) {
  switch (path) {
    case LinkPath::kCopyTo:
      return "copy to GPU";
    case LinkPath::kCopyFrom:
      return "copy from GPU";
    case LinkPath::kCopyBoth:
      return "copies both ways";
    case LinkPath::kReadInOrder:
      return "zero-copy in order";
    case LinkPath::kReadRandom:
      return "zero-copy at random";
    case LinkPath::kManaged:
      return "unified memory";
    case LinkPath::kPinning:
      return "pinning";
  }
  return "unknown";
}

Curve TakeLinkRates(const std::vector<LinkPoint>& points, Calibration* calibration) {
  std::vector<Curve::Point> to, from;
  std::map<uint64_t, std::map<uint64_t, double>> reads;  // by span, by run
  for (const LinkPoint& point : points) {
    const Curve::Point at{static_cast<double>(point.size_bytes), point.bytes_per_second};
    if (point.path == LinkPath::kCopyTo) to.push_back(at);
    if (point.path == LinkPath::kCopyFrom) from.push_back(at);
    if (point.path == LinkPath::kManaged) calibration->managed_rate = point.bytes_per_second;
    if (point.path == LinkPath::kReadRandom) {
      reads[point.span_bytes][point.size_bytes] = point.bytes_per_second;
    }
  }
  calibration->copy_rate = Curve(std::move(to));
  calibration->read_back_rate = Curve(std::move(from));
  std::vector<Curve::Point> shares;
  calibration->reach_bytes = 1e18;  // none was met
  if (reads.empty()) return Curve({{1, 1}});
  auto& near = reads.begin()->second;
  for (auto& [span, rates] : reads) {
    if (rates[kReachRun] >= kWithinReach * near[kReachRun]) continue;
    calibration->reach_bytes = static_cast<double>(span) / 2;
    break;
  }
  for (const auto& [run, rate] : reads.rbegin()->second) {
    shares.emplace_back(static_cast<double>(run), std::min(1.0, rate / near[run]));
  }
  return Curve(std::move(shares));
}

}  // namespace edgemill
