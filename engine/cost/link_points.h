// What measurements of the link between host and GPU say of it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/cost/calibration.h"

namespace edgemill {

/// Ways across the link.
enum class LinkPath : uint8_t {
  kCopyTo,       // pinned memory to the GPU: size_bytes is that of each of many copies
  kCopyFrom,     // the other way
  kCopyBoth,     // both at once, the sum
  kReadInOrder,  // kernels reading pinned memory, one run of size_bytes after the other
  kReadRandom,   // the same, runs drawn from the whole span
  kManaged,      // unified memory, at its first touch
  kPinning,      // touching and registering memory
};
/// "copy to GPU" and so on.
std::string_view LinkPathName(LinkPath path);

/// One measurement.
struct LinkPoint {
  LinkPath path = LinkPath::kCopyTo;
  uint64_t size_bytes = 0;
  uint64_t span_bytes = 0;  // of the memory that was read
  double bytes_per_second = 0;
};

/// Fills in what `points` say of copies and of TLB coverage.
void ExtractLinkRates(const std::vector<LinkPoint>& points, Calibration* calibration);

}  // namespace edgemill
