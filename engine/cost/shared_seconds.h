// Divides time among spans that overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace edgemill {

/// Where a batch's edges are. This decides what its kernels wait for.
enum class SpanKind : uint8_t { kOnGpu, kZeroCopied, kCopied };
inline constexpr size_t kNumSpanKinds = 3;

/// A span of time in which some work is under way.
struct TimeSpan {
  double begin = 0;
  double end = 0;
  SpanKind kind = SpanKind::kOnGpu;
};

/// Returns the part of the time that each span gets. Where several spans overlap, each kind gets an
/// equal part. Spans of one kind divide that part equally. But spans on the GPU get nothing while
/// others are zero-copied: warps that wait for the link then hold the multiprocessors.
std::vector<double> SharedSeconds(std::span<const TimeSpan> spans);

}  // namespace edgemill
