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

// A card, in shares, as its work is in step with the bytes that it reads (`edgemill bench
// algorithms --device gpu`).

/// It pulls once the active vertices have more than this share of all edges (Garaph: a half).
inline constexpr double kCardPullShare = 0.5;
/// The same where a pull may stop at the first message of a list, of the edges of vertices that are
/// still without one (Beamer et al.: 1/15; Ligra: 1/20 of all). Below so many active vertices of
/// all, looking for those without takes longer than pushing.
inline constexpr double kCardPullFirstShare = 0.05;
inline constexpr double kCardPullFirstVertices = 1.0 / 1024;
/// The same where edges come across a link, which takes longer than finding a message does: all
/// lists of those without one have to come, of those with one only theirs.
inline constexpr double kLinkPullFirstShare = 0.4;
/// Programs that collect notify while the active vertices have at most this share of all edges
/// (Garaph: a half): above it, marking receivers reads about what it saves.
inline constexpr double kCardNotifyShare = 0.5;

/// Bytes a second from a disk: the order of what `edgemill bench io` gives on the machines that we
/// use, 1 to 3 GB/s.
inline constexpr double kDiskBytesPerSecond = 1e9;

}  // namespace edgemill
