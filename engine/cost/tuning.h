// Constants by which the engine chooses, and what they were measured by: of passes, transfers, the
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
/// What the first pull from disk counts for of what it reads, where it keeps neighbours: the pulls
/// after it then read little; and how many of the edges that are left must be active, so that it
/// finds much. Kronecker 24, 512 MiB: 1.0 times the graph is read instead of 2.5 to 2.8.
/// From fewer edges on, uniform and web graphs look through all lists in vain (twice the time).
inline constexpr double kFirstPullFromDisk = 0.25;
inline constexpr double kFirstPullActiveShare = 0.05;
/// Notifying, for each edge of what emits: decode, and mark the receiver.
inline constexpr double kNotifySecondsPerEdge = 4e-9;

// A GPU, in shares, as its work is in step with the bytes that it reads (`edgemill bench
// algorithms --device gpu`).

/// It pulls once the active vertices have more than this share of all edges (Garaph: a half).
inline constexpr double kGpuPullShare = 0.5;
/// The same where a pull may stop at the first message of a list, of the edges of vertices that are
/// still without one (Beamer et al.: 1/15; Ligra: 1/20 of all). Below so many active vertices of
/// all, looking for those without takes longer than pushing.
inline constexpr double kGpuPullFirstShare = 0.05;
inline constexpr double kGpuPullFirstVertices = 1.0 / 1024;
/// The same where edges come across a link, which takes longer than finding a message does: all
/// lists of those without one have to come, of those with one only theirs.
inline constexpr double kLinkPullFirstShare = 0.4;
/// Programs that collect notify while the active vertices have at most this share of all edges
/// (Garaph: a half): above it, marking receivers reads about what it saves.
inline constexpr double kGpuNotifyShare = 0.5;

/// Bytes a second from a disk: the order of what `edgemill bench io` gives on the machines that we
/// use, 1 to 3 GB/s.
inline constexpr double kDiskBytesPerSecond = 1e9;

// ---- How blocks get to a GPU.

/// Copies of fewer bytes are done by a kernel, many chunks at a time: that saves what starting a
/// copy takes, and reads across the link at its own rate.
inline constexpr uint64_t kMinCopyBytes = uint64_t{192} << 10;

/// Resident blocks are evicted once they have cost this share of what filling the resident capacity
/// takes: most of what comes to stay would be sent in any case.
inline constexpr double kEvictionShare = 0.125;

/// What a pass wants of resident blocks counts so many times as much as what it wants of others, so
/// that blocks are evicted only for others that are wanted much more.
inline constexpr double kResidentWorth = 4;

/// The share of the GPU's memory for edges that staging buffers take, as far as batches fill them:
/// one in so many.
inline constexpr uint64_t kStagingShare = 8;
/// But so many bytes, up to half: however small a batch is, it holds its buffer for a tenth of a
/// millisecond (copy, kernel, and until the host sees its end), in which the link moves 6 MB.
inline constexpr uint64_t kBusyStagingBytes = uint64_t{12} << 20;

/// A partly filled batch waits so long for more blocks: in that time the disk reads as much as is
/// worth a batch.
inline constexpr double kPatienceSeconds = 0.5e-3;

// ---- Launches on a GPU.

/// Thread blocks of a launch over vertices, for each multiprocessor.
inline constexpr uint32_t kVertexBlocksPerMultiprocessor = 8;
/// A launch of many passes goes on up to so many chunks of lists, and edges, in a pass: one of
/// that takes about what a pass from the host does beyond its work. It starts with half of them
/// at most.
inline constexpr uint32_t kMaxLoopChunks = 1u << 16;
inline constexpr EdgeIndex kMaxLoopEdges = EdgeIndex{1} << 20;
/// Thread blocks of a launch over runs, for each multiprocessor: several times those that it runs
/// at once, so that the GPU evens out what they take.
inline constexpr uint64_t kRunBlocksPerMultiprocessor = 64;
/// Of each list, in a pull's first pass where one message is all that a vertex takes.
inline constexpr uint64_t kFirstPullEdges = 16;
/// Passes over a batch are queued without looking whether the one before found anybody: more than
/// so many would be launches for nothing.
inline constexpr uint32_t kMaxRepeats = 32;

// Many passes in one launch:

/// What a pass of few vertices takes from the host, beyond one of a launch of many.
inline constexpr double kSavedSeconds = 70e-6;
/// Half as many chunks where blocks are read across the link: what several have in common is read
/// for each.
inline constexpr uint32_t kMaxFarChunks = kMaxLoopChunks / 2;
/// The first thread block goes on alone with so many chunks of lists at most, for each warp.
inline constexpr uint32_t kAloneChunksAWarp = 3;
/// And looks by itself for those that wait among so many vertices at most.
inline constexpr uint32_t kAloneSearched = 1u << 16;
/// To look for those that wait among so many takes about as long as a pass of few vertices.
inline constexpr uint64_t kVerticesSearchedAPass = uint64_t{1} << 23;
/// A vertex with more chunks ends a launch: a pass from the host is as good at long lists.
inline constexpr uint32_t kMaxChunksOfVertex = 64;

// Many pulls in one launch:

/// It goes on pulling from however few vertices while at most one in so many of all is left to be
/// found.
inline constexpr uint64_t kLeftToPull = 64;
/// What looking through a list takes it that lies across the link, among many.
inline constexpr double kFarListSeconds = 5e-9;
/// Where not all edges are on the GPU, neighbours are kept that take at most this share of what
/// the lists do: they take the place of blocks.
inline constexpr double kSampledShare = 0.25;

// ---- Two processors.

/// What reads in order ask for at a time.
inline constexpr double kSequentialReadBytes = 1 << 20;
/// What an iteration costs beside its edges, until it is known: threads; launches and their counts.
inline constexpr std::array<double, 2> kPassBesideSeconds = {20e-6, 150e-6};
inline constexpr double kLoopedPassSeconds = 10e-6;
/// Iterations are taken to be followed by so many of their kind: what it takes to bring the state
/// to a processor is won in them.
inline constexpr double kAlikeIterations = 8;
/// Both work, or the other processor than before, only if that should save so much of the time:
/// what the estimates are good for.
inline constexpr double kMinSharingGain = 0.2;
/// How much of a new measurement counts: all of this where it was of so large a share of the edges.
inline constexpr double kNewestWeight = 0.5;
inline constexpr double kTellingFraction = 0.1;
/// Lists of a share of the edges this small tell what an iteration costs beside, not the speed.
inline constexpr double kMinMeasuredFraction = 1e-3;

}  // namespace edgemill
