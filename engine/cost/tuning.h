// Constants by which the engine chooses, and how they were measured. They are about passes,
// transfers, launches on a GPU and shares of two processors. The figures that `calibrate` measures
// are in calibration.h.
#pragma once

#include <array>
#include <cstdint>

#include "common/types.h"

namespace edgemill {

// ---- Push or pull.

// Seconds of one thread. Only their ratios matter. For first messages they switch where Beamer et
// al. do (a twentieth of the edges left). For others they switch at a third of the edges (Garaph: a
// half). Magnitudes are from Kronecker 22 on 2 cores, all in memory (`edgemill run cc --method
// labels --report`).
//
// Sensitivity: each was halved and doubled, on Kronecker, uniform, web and road graphs, on 2 cores
// and 16. Searches stay within noise (15 %), with one exception. If pulls begin earlier on 2 cores,
// the uniform graph takes 2 to 4 times as long. Labels on 16 cores: the uniform graph takes 1.3
// times as long if pulls begin at half of the edges, not a third. Below a quarter, Kronecker takes
// 1.3 times as long.

/// Push, for each edge of active vertices: decode, test, and an atomic operation.
inline constexpr double kPushSecondsPerEdge = 8e-9;
/// Push, for each vertex that emits.
inline constexpr double kPushSecondsPerVertex = 20e-9;
/// Pull, for each edge of the graph.
inline constexpr double kPullSecondsPerEdge = 2.8e-9;
/// Pull that stops at the first message, for each edge of vertices without a message. Most of these
/// edges are never read.
inline constexpr double kPullFirstSecondsPerEdge = 0.4e-9;
/// The same, for each vertex of the graph: a bitmap shows the vertices without a message.
inline constexpr double kPullFirstSecondsPerVertex = 0.02e-9;
/// The same where sampled neighbours are tested.
inline constexpr double kPullSampledSecondsPerVertex = 1e-9;
/// Where the first pull from disk samples neighbours, its reads count only kFirstPullFromDisk
/// times: later pulls then read little. More than kFirstPullActiveShare of the remaining edges must
/// be active, so that the pull finds many vertices. Kronecker 24, 512 MiB: 1.0 times the graph is
/// read instead of 2.5 to 2.8. With smaller shares, pulls on uniform and web graphs read all lists
/// in vain (twice the time).
inline constexpr double kFirstPullFromDisk = 0.25;
inline constexpr double kFirstPullActiveShare = 0.05;
/// Where a pull from disk has read less than this share of the blocks, the vertices that it did not
/// find lie together. The blocks of the next pull then shrink with their edges.
/// Kronecker 21 by degree, 60 MiB, a disk of 160 MB/s: the next pull takes 6 ms, a push 400 ms.
inline constexpr double kLocalPullShare = 0.9;
/// Notifying, for each edge of active vertices: decode, and mark the receiver.
inline constexpr double kNotifySecondsPerEdge = 4e-9;

// For a GPU, constants are shares: its work is proportional to the bytes that it reads (`edgemill
// bench algorithms --device gpu`).

/// A GPU pulls once the active vertices have more than this share of all edges (Garaph: a half).
inline constexpr double kGpuPullShare = 0.5;
/// The same where a pull may stop at the first message of a list. This is a share of the edges of
/// vertices without a message. Beamer et al. have 1/15, Ligra 1/20 of all edges. With a smaller
/// share of active vertices, looking for vertices without a message takes longer than pushing.
inline constexpr double kGpuPullFirstShare = 0.05;
inline constexpr double kGpuPullFirstVertices = 1.0 / 1024;
/// The same where edges come across a link, which takes longer than finding a message. A pull
/// brings all lists of the vertices without a message. A push brings only the lists of active
/// vertices.
inline constexpr double kLinkPullFirstShare = 0.4;
/// Programs that collect notify while the active vertices have at most this share of all edges
/// (Garaph: a half). Above it, marking receivers reads about as much as it saves.
inline constexpr double kGpuNotifyShare = 0.5;

// ---- How blocks get to a GPU.

/// A kernel does all copies of fewer bytes together, which saves the start of each copy. The kernel
/// reads across the link at the zero-copy rate.
inline constexpr uint64_t kMinCopyBytes = uint64_t{192} << 10;

/// Resident blocks are evicted once the time lost reaches this share of the time for filling the
/// resident capacity. The share is small because most new resident blocks would be sent in any
/// case.
inline constexpr double kEvictionShare = 0.125;

/// Wanted resident blocks count this many times as much as other wanted blocks. Blocks are
/// therefore evicted only for others that are wanted much more.
inline constexpr double kResidentWorth = 4;

/// Staging buffers take 1 / kStagingShare of the GPU's memory for edges, if batches fill that much.
inline constexpr uint64_t kStagingShare = 8;
/// The least bytes for staging buffers, but at most half of that memory. Even a small batch holds
/// its buffer for a tenth of a millisecond: copy, kernel, and until the host sees the end. The link
/// moves 6 MB in that time.
inline constexpr uint64_t kBusyStagingBytes = uint64_t{12} << 20;

/// How long a partly filled batch waits for more blocks. The disk reads enough for a batch in that
/// time.
inline constexpr double kPatienceSeconds = 0.5e-3;

/// The most bytes of a block's SubCSR, as a share of the block's own bytes. Above it the block is
/// used whole. Subway sends the whole graph once 80 % of all edges are active. Here edges of whole
/// blocks are packed, and those of SubCSRs are not, so that bytes decide.
inline constexpr double kMostSubCsrShare = 0.8;

// ---- Pulls by cells.

// Seconds of an H200 (docs/KERNELS.md): a pass, for each edge (2 bytes, and a message from shared
// memory), each part of a list (14 bytes) and each vertex; and to make cells. They decide only when
// cells are made. Passes over Kronecker, uniform and web graphs take .9 to 1.1 of the sum.
inline constexpr double kListSecondsPerEdge = 8.2e-12;    // by lists; messages are in the L2 cache
inline constexpr double kFarListSecondsPerEdge = 13e-12;  // by lists; most are not. Uniform: 23
inline constexpr double kCellSecondsPerEdge = 1.65e-12;
inline constexpr double kCellSecondsPerPart = 3.6e-12;
inline constexpr double kCellSecondsPerVertex = 15e-12;
inline constexpr double kCellPassSeconds = 0.3e-3;
inline constexpr double kMakeCellSecondsPerEdge = 35e-12;
inline constexpr double kMakeCellSecondsPerPart = 110e-12;
inline constexpr double kMakeCellsSeconds = 5e-3;
/// More for each edge where vertices are not in the order of their degrees.
inline constexpr double kOrderCellSecondsPerEdge = 40e-12;
/// Loading the messages of a sender range takes a thread block about as long as combining this many
/// tiles. Half and three times as many change a pass by 3 %.
inline constexpr uint64_t kTilesOfCellRange = 128;
/// Vertices keep their order where interleaving their lists by 32 takes at most this many slots for
/// each edge. Ordering them by degree takes three more passes over the keys.
inline constexpr double kMostCellSlots = 1.5;

// ---- Launches on a GPU.

/// Thread blocks of a launch over vertices, for each multiprocessor.
inline constexpr uint32_t kVertexBlocksPerMultiprocessor = 8;
/// A launch of many passes goes on while a pass has at most this many chunks of lists, and edges. A
/// pass of that size takes about as long as the fixed cost of a pass from the host. A launch starts
/// only with at most half of them.
inline constexpr uint32_t kMaxLoopChunks = 1u << 16;
inline constexpr EdgeIndex kMaxLoopEdges = EdgeIndex{1} << 20;
/// Thread blocks of a launch over warp tiles, for each multiprocessor. This is several times as
/// many as it can run at once, so that the GPU evens out their times.
inline constexpr uint64_t kTileBlocksPerMultiprocessor = 64;
/// For first-wins programs, the edges of each list that the first part of a pull reads.
inline constexpr uint64_t kFirstPullEdges = 16;

// Many passes in one launch:

/// How much longer a pass of few vertices takes from the host than inside a launch of many passes.
inline constexpr double kSavedSeconds = 70e-6;
/// The limit is half where blocks are read across the link: groups that several chunks share are
/// read for each of them.
inline constexpr uint32_t kMaxZeroCopyChunks = kMaxLoopChunks / 2;
/// The first thread block goes on alone while there are at most this many chunks of lists, and
/// groups of edges, for each warp.
inline constexpr uint32_t kAloneChunksAWarp = 3;
/// The first thread block searches for waiting vertices alone in graphs of at most this many
/// vertices.
inline constexpr uint32_t kMaxSearchedByOneBlock = 1u << 16;
/// Searching this many vertices for waiting ones takes about as long as a pass of few vertices.
inline constexpr uint64_t kVerticesSearchedAPass = uint64_t{1} << 23;
/// A vertex with more chunks ends a launch: a pass from the host handles long lists equally well.
inline constexpr uint32_t kMaxChunksOfVertex = 512;

// Searches, several passes in one launch:

/// A search that begins with pushes pulls by kGpuPullFirstShare and kGpuPullFirstVertices, and also
/// from fewer vertices if these have more than this share of all edges.
inline constexpr double kMaxSearchPushShare = 0.1;
/// The most chunks of lists that it pushes along in a pass, about 10 % of the edges of a graph with
/// a billion of them.
inline constexpr uint32_t kMaxSearchChunks = 1u << 18;
/// It ends after this many pushes without a pull: on graphs with many levels, a launch of many
/// passes takes over.
inline constexpr uint32_t kMaxSearchPushes = 4;

/// A search goes on pulling, however few vertices are active, while at most one vertex in
/// kLeftToPull is left to be found.
inline constexpr uint64_t kLeftToPull = 64;
/// The time of searching one list across the link, when many are searched together.
inline constexpr double kZeroCopyListSeconds = 5e-9;
/// Where some edges do not fit on the GPU, sampled neighbours take the place of blocks. They may
/// take at most this share of the lists' bytes.
inline constexpr double kSampledShare = 0.25;

// ---- Two processors.

/// The bytes of a read where blocks are read in order.
inline constexpr double kSequentialReadBytes = 1 << 20;
/// The fixed time of an iteration until it is measured: on the CPU for threads, on a GPU for
/// launches and their counts.
inline constexpr std::array<double, 2> kFixedPassSeconds = {20e-6, 150e-6};
inline constexpr double kLoopedPassSeconds = 10e-6;
/// What a pass that several GPUs share takes beside its edges and values: launches, threads of the
/// host and sets. And the rate of values from one GPU to another, until it is measured.
inline constexpr double kSharedGpuPassSeconds = 200e-6;
inline constexpr double kPeerBytesPerSecond = 100e9;
/// How many similar iterations are expected to follow. They must win back the time of moving the
/// state to a processor.
inline constexpr double kExpectedIterations = 8;
/// The choice of processors changes only if that should save this share of the time: the estimates
/// are not more exact.
inline constexpr double kMinSharingGain = 0.2;
/// The weight of a new measurement, if it covered at least kFullWeightFraction of the edges.
inline constexpr double kNewestWeight = 0.5;
inline constexpr double kFullWeightFraction = 0.1;
/// An iteration over a smaller share of the edges shows the fixed time of an iteration, not the
/// speed.
inline constexpr double kMinMeasuredFraction = 1e-3;

}  // namespace edgemill
