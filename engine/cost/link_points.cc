#include "engine/cost/link_points.h"

#include <map>
#include <utility>

namespace edgemill {
namespace {

/// Beyond TLB coverage, the rates of short reads fall below this share of the full rate.
constexpr double kCoveredShare = 0.7;
/// Reads of this size show the drop best.
constexpr uint64_t kTlbReadBytes = 128;

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

void ExtractLinkRates(const std::vector<LinkPoint>& points, Calibration* calibration) {
  std::vector<Curve::Point> to, from;
  std::map<uint64_t, double> reads;  // by span
  for (const LinkPoint& point : points) {
    const Curve::Point at{static_cast<double>(point.size_bytes), point.bytes_per_second};
    if (point.path == LinkPath::kCopyTo) to.push_back(at);
    if (point.path == LinkPath::kCopyFrom) from.push_back(at);
    if (point.path == LinkPath::kReadRandom && point.size_bytes == kTlbReadBytes) {
      reads[point.span_bytes] = point.bytes_per_second;
    }
  }
  calibration->copy_rate = Curve(std::move(to));
  calibration->read_back_rate = Curve(std::move(from));
  calibration->tlb_coverage_bytes = 1e18;  // no limit was found
  for (const auto& [span, rate] : reads) {
    if (rate >= kCoveredShare * reads.begin()->second) continue;
    calibration->tlb_coverage_bytes = static_cast<double>(span) / 2;
    break;
  }
}

}  // namespace edgemill
