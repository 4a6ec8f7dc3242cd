// Constants by which the engine chooses, and how they were measured: of passes, transfers, the
// GPU's launches and shares of two processors. What calibrate measures of a machine is in
// calibration.h.
#pragma once

#include <array>
#include <cstdint>

#include "common/types.h"

namespace edgemill {

// ---- Push or pull.

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
/// The same where sampled neighbours are tested.
inline constexpr double kPullSampledSecondsPerVertex = 1e-9;
/// Reads of the first pull from disk count for kFirstPullFromDisk where it samples neighbours: the
/// pulls after it then read little. More than kFirstPullActiveShare of the edges that are left must
/// be active, so that it finds much. Kronecker 24, 512 MiB: 1.0 times the graph is read instead of
/// 2.5 to 2.8. With smaller shares, uniform and web graphs look through all lists in vain (twice
/// the time).
inline constexpr double kFirstPullFromDisk = 0.25;
inline constexpr double kFirstPullActiveShare = 0.05;
/// Notifying, for each edge of what emits: decode, and mark the receiver.
inline constexpr double kNotifySecondsPerEdge = 4e-9;

// A GPU, in shares, as its work is in step with the bytes that it reads (`edgemill bench
// algorithms --device gpu`).

/// It pulls once the active vertices have more than this share of all edges (Garaph: a half).
inline constexpr double kGpuPullShare = 0.5;
/// The same where a pull may stop at the first message of a list: the share of the edges of
/// vertices that are still without one. Beamer et al. have 1/15, Ligra 1/20 of all edges. With a
/// smaller share of active vertices, looking for vertices without a message takes longer than
/// pushing.
inline constexpr double kGpuPullFirstShare = 0.05;
inline constexpr double kGpuPullFirstVertices = 1.0 / 1024;
/// The same where edges come across a link, which takes longer than finding a message does. A pull
/// brings all lists of the vertices without a message, a push only those of the active ones.
inline constexpr double kLinkPullFirstShare = 0.4;
/// Programs that collect notify while the active vertices have at most this share of all edges
/// (Garaph: a half): above it, marking receivers reads about what it saves.
inline constexpr double kGpuNotifyShare = 0.5;

// ---- How blocks get to a GPU.

/// Copies of fewer bytes are done by a kernel, many chunks at a time: that saves what starting a
/// copy takes, and reads across the link at its own rate.
inline constexpr uint64_t kMinCopyBytes = uint64_t{192} << 10;

/// Resident blocks are evicted once they have cost this share of what filling the resident capacity
/// takes: most blocks that come to stay would be sent in any case.
inline constexpr double kEvictionShare = 0.125;

/// The factor by which resident blocks that a pass wants count more than others. So blocks are
/// evicted only for others that are wanted much more.
inline constexpr double kResidentWorth = 4;

/// The share of the GPU's memory for edges that staging buffers take, as far as batches fill them:
/// 1 / this.
inline constexpr uint64_t kStagingShare = 8;
/// Staging buffers take at least so many bytes, up to half of that memory. However small a batch
/// is, it holds its buffer for a tenth of a millisecond (copy, kernel, and until the host sees its
/// end). The link moves 6 MB in that time.
inline constexpr uint64_t kBusyStagingBytes = uint64_t{12} << 20;

/// A partly filled batch waits so long for more blocks. In that time the disk reads enough to be
/// worth a batch.
inline constexpr double kPatienceSeconds = 0.5e-3;

// ---- Launches on a GPU.

/// Thread blocks of a launch over vertices, for each multiprocessor.
inline constexpr uint32_t kVertexBlocksPerMultiprocessor = 8;
/// A launch of many passes goes on while a pass has at most so many chunks of lists, and edges. A
/// pass of that size takes about as long as the fixed cost of a pass from the host. It starts with
/// half of them at most.
inline constexpr uint32_t kMaxLoopChunks = 1u << 16;
inline constexpr EdgeIndex kMaxLoopEdges = EdgeIndex{1} << 20;
/// Thread blocks of a launch over runs, for each multiprocessor: several times as many as it runs
/// at once, so that the GPU evens out their times.
inline constexpr uint64_t kRunBlocksPerMultiprocessor = 64;
/// Edges of each list that the first pass of a pull looks at, where one message is all that a
/// vertex takes.
inline constexpr uint64_t kFirstPullEdges = 16;

// Many passes in one launch:

/// The time of a pass of few vertices from the host, beyond that of one in a launch of many.
inline constexpr double kSavedSeconds = 70e-6;
/// Half as many chunks where blocks are read across the link: what several have in common is read
/// for each.
inline constexpr uint32_t kMaxZeroCopyChunks = kMaxLoopChunks / 2;
/// The first thread block goes on alone with at most so many chunks of lists for each warp.
inline constexpr uint32_t kAloneChunksAWarp = 3;
/// It searches for waiting vertices by itself among at most so many vertices.
inline constexpr uint32_t kAloneSearched = 1u << 16;
/// Searching for waiting vertices among so many takes about as long as a pass of few vertices.
inline constexpr uint64_t kVerticesSearchedAPass = uint64_t{1} << 23;
/// A vertex with more chunks ends a launch: a pass from the host is as good at long lists.
inline constexpr uint32_t kMaxChunksOfVertex = 64;

// Many pulls in one launch:

/// It goes on pulling from however few vertices, while at most one vertex in so many is left to be
/// found.
inline constexpr uint64_t kLeftToPull = 64;
/// The time of looking through one list across the link, among many.
inline constexpr double kZeroCopyListSeconds = 5e-9;
/// Where not all edges are on the GPU, neighbours are sampled if they take at most this share of
/// the lists' bytes: they take the place of blocks.
inline constexpr double kSampledShare = 0.25;

// ---- Two processors.

/// The size of reads in order.
inline constexpr double kSequentialReadBytes = 1 << 20;
/// What an iteration costs beside its edges, until that is known: threads; launches and their
/// counts.
inline constexpr std::array<double, 2> kPassBesideSeconds = {20e-6, 150e-6};
inline constexpr double kLoopedPassSeconds = 10e-6;
/// So many similar iterations are expected to follow: they must win back the time of bringing the
/// state to a processor.
inline constexpr double kAlikeIterations = 8;
/// Both processors work, or another than before, only if that should save this share of the time:
/// the estimates are not more exact.
inline constexpr double kMinSharingGain = 0.2;
/// The weight of a new measurement. It counts fully where it covered at least kFullWeightFraction
/// of the edges.
inline constexpr double kNewestWeight = 0.5;
inline constexpr double kFullWeightFraction = 0.1;
/// Lists of a smaller share of the edges tell what an iteration costs beside them, not the speed.
inline constexpr double kMinMeasuredFraction = 1e-3;

}  // namespace edgemill
