// Constants that passes are predicted with, and what they were measured by.
#pragma once

namespace edgemill {

// Seconds of one thread. Their ratios count: they put the borders where Garaph (half of the edges)
// and Beamer et al. (a twentieth of the edges left, for first messages) have them; magnitudes are
// those of Kronecker 22 on 2 cores, all in memory (`edgemill run cc --method labels --report`). How
// much a run depends on them has not been measured.

/// Push, for each edge of what emits: decode, ask, and an atomic operation.
inline constexpr double kPushSecondsPerEdge = 8e-9;
/// Push, for each vertex that emits.
inline constexpr double kPushSecondsPerVertex = 20e-9;
/// Pull, for each edge of the graph.
inline constexpr double kPullSecondsPerEdge = 4e-9;
/// Pull that stops at the first message, for each edge of vertices still without one: most of them
/// are never looked at.
inline constexpr double kPullFirstSecondsPerEdge = 0.4e-9;
/// The same, for each vertex of the graph: finding those without one in a bitmap.
inline constexpr double kPullFirstSecondsPerVertex = 0.02e-9;
/// Notifying, for each edge of what emits: decode, and mark the receiver.
inline constexpr double kNotifySecondsPerEdge = 4e-9;

/// Bytes a second from a disk: the order of what `edgemill bench io` gives on the machines that we
/// use, 1 to 3 GB/s.
inline constexpr double kDiskBytesPerSecond = 1e9;

}  // namespace edgemill
