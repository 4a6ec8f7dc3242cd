// How time is divided among several things that are under way at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace edgemill {

/// Where a batch's edges are: what their kernels wait for.
enum class SpanKind : uint8_t { kOnGpu, kZeroCopied, kCopied };
inline constexpr size_t kNumSpanKinds = 3;

/// From when to when something is under way.
struct TimeSpan {
  double begin = 0;
  double end = 0;
  SpanKind kind = SpanKind::kOnGpu;
};

/// The part of the time that each span gets. Where several overlap, each kind gets an equal part,
/// and each span of a kind an equal part of that. But spans on the GPU get nothing while others are
/// zero-copied: they rest then, as warps that wait for the link have the multiprocessors.
std::vector<double> SharedSeconds(std::span<const TimeSpan> spans);

}  // namespace edgemill
