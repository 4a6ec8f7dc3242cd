// Measurements of the link between host and GPU, and the rates that follow from them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/cost/calibration.h"

namespace edgemill {

/// Ways to move data across the link.
enum class LinkPath : uint8_t {
  kCopyTo,       // from pinned memory to the GPU: many copies of size_bytes
  kCopyFrom,     // from the GPU to pinned memory
  kCopyBoth,     // both directions at once: the sum
  kReadInOrder,  // kernels read pinned memory in order, size_bytes at a time
  kReadRandom,   // the same, at random places in the whole span
  kManaged,      // kernels touch unified memory for the first time
  kPinning,      // the host touches and registers memory
};
/// Returns a name such as "copy to GPU".
std::string_view LinkPathName(LinkPath path);

/// One measurement.
struct LinkPoint {
  LinkPath path = LinkPath::kCopyTo;
  uint64_t size_bytes = 0;
  uint64_t span_bytes = 0;  // bytes of memory that reads are spread over
  double bytes_per_second = 0;
};

/// Sets the rates of copies and the TLB coverage in `calibration` from `points`.
void ExtractLinkRates(const std::vector<LinkPoint>& points, Calibration* calibration);

}  // namespace edgemill
