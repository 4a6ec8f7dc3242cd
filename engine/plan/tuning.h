// Constants that passes are predicted with, and what they were measured by.
#pragma once

namespace edgemill {

// Seconds of one thread. Kronecker 22, 2 cores, all in memory: `edgemill run bfs`, `cc --method
// labels`, `pagerank` with --mode push and pull and --report. What counts is their ratios: at half
// and twice these BFS and labels took up to 6 % longer.

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

/// Bytes a second from a disk: `edgemill bench io`, blocks in order. A machine with half or twice
/// as much chooses otherwise in few passes.
inline constexpr double kDiskBytesPerSecond = 1e9;

}  // namespace edgemill
