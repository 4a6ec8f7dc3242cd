// What of the time falls to each of several things that are under way at once.
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

/// What of the time falls to each span: where several overlap, equal parts to each kind, and of
/// those equal ones to each of the kind. But nothing to what is on the GPU while others are
/// zero-copied: it rests then, as warps that wait for the link have the multiprocessors.
std::vector<double> SharedSeconds(std::span<const TimeSpan> spans);

}  // namespace edgemill
