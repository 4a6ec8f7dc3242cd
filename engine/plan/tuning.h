// Constants that passes are predicted with, and what they were measured by.
#pragma once

namespace edgemill {

// Seconds of one thread. Their ratios count: they put the border where Beamer et al. have it for
// first messages (a twentieth of the edges left), and for others at a third of the edges (Garaph: a
// half). Magnitudes are those of Kronecker 22 on 2 cores, all in memory (`edgemill run cc --method
// labels --report`).
//
// How much depends on them: each halved and doubled, on Kronecker, uniform, web and road graphs, on
// 2 cores and 16. Searches: within noise (15 %), but for pulls that begin earlier on 2 cores: there
// the uniform graph takes 2 to 4 times as long. Labels: on 16 cores the uniform graph takes 1.3
// times as long with pulls from half of the edges on as with a third; below a quarter Kronecker
// takes 1.3 times as long.

/// Push, for each edge of what emits: decode, ask, and an atomic operation.
inline constexpr double kPushSecondsPerEdge = 8e-9;
/// Push, for each vertex that emits.
inline constexpr double kPushSecondsPerVertex = 20e-9;
/// Pull, for each edge of the graph.
inline constexpr double kPullSecondsPerEdge = 2.8e-9;
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
