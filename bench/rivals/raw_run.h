// Methods of other systems on a GPU, for comparison: the algorithms on raw CSR with ids of 4 bytes,
// or 8 across the link. As in the papers, it is in pinned memory of the host, or in the GPU's
// memory, where other papers' kernels work too. The code is our own and plain, so that readers can
// trust it. Each engine moves edges in its paper's way, and all engines share the same kernels.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/layouts/kernel_tuning.h"
#include "bench/plain/plain_csr.h"
#include "bench/rivals/wide_neighbors.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/strings.h"
#include "engine/device/gpu.h"

namespace edgemill::bench {

/// How raw edges get to the kernels.
enum class RawEngine {
  /// All edges are in the GPU's memory before the first iteration: the upper bound of raw CSR.
  kInMemory,
  /// Kernels read edges across the link (EMOGI: Min et al., VLDB 2021). A warp reads a list, from a
  /// 128-byte boundary on (4.3.2).
  kZeroCopy,
  /// A warp reads a list, from its first edge on (4.3.1).
  kZeroCopyMerged,
  /// A thread reads a list (4.2).
  kZeroCopyStrided,
  /// The host's threads gather the active lists, which are then copied (Subway, the synchronous
  /// form: Sabet, Zhao, Gupta, EuroSys 2020, 3.1). Where more than 80 % of all edges are active,
  /// as kWholePages.
  kSubCsr,
  /// The same, asynchronously: each part on the GPU is visited again until none of its vertices is
  /// active, and the first pass loads the whole graph (Subway, 3.2 and 4.5).
  kSubCsrAsync,
  /// Two streams in turn copy whole ranges of equal size, those with an active list (GraphReduce,
  /// Sengupta et al., SC 2015; Garaph, Ma et al., ATC 2017, without its host part).
  kWholePages,
  /// The same, but ranges stay on the GPU where they find room (Subway's paper, 4.1: PT-Opt, by two
  /// streams instead of 32; Graphie, Han et al., PACT 2017).
  kKeptPages,
  /// All edges are in the GPU's memory, active lists are visited in three stages, and targets of
  /// high in-degree have segments in shared memory (MultiGraph's sparse kernel: Hong et al., PACT
  /// 2017, section 5).
  kSparse,
  /// All edges are in the GPU's memory, by shards whose targets' sums are in shared memory. Every
  /// iteration pulls along all edges (Garaph's kernel, section 3).
  kShards,
};

/// An engine's names.
struct RawEngineNames {
  RawEngine engine;
  std::string_view option;  // "emogi-merged"
  std::string_view title;   // in tables: "EMOGI merged"
};
/// All engines, in the order of RawEngine.
inline constexpr RawEngineNames kRawEngines[] = {
    {RawEngine::kInMemory, "in-memory", "raw in memory"},
    {RawEngine::kZeroCopy, "emogi", "EMOGI"},
    {RawEngine::kZeroCopyMerged, "emogi-merged", "EMOGI merged"},
    {RawEngine::kZeroCopyStrided, "emogi-strided", "EMOGI strided"},
    {RawEngine::kSubCsr, "subway", "Subway"},
    {RawEngine::kSubCsrAsync, "subway-async", "Subway async"},
    {RawEngine::kWholePages, "pages", "whole pages"},
    {RawEngine::kKeptPages, "pages-kept", "kept pages"},
    {RawEngine::kSparse, "multigraph-sparse", "MultiGraph sparse"},
    {RawEngine::kShards, "garaph-shards", "Garaph shards"},
};
constexpr std::string_view RawEngineName(RawEngine engine) {
  return kRawEngines[static_cast<size_t>(engine)].title;
}

/// Whether kernels read the host's memory.
constexpr bool IsZeroCopy(RawEngine engine) {
  return engine == RawEngine::kZeroCopy || engine == RawEngine::kZeroCopyMerged ||
         engine == RawEngine::kZeroCopyStrided;
}

/// Whether all edges are in the GPU's memory.
constexpr bool IsInGpuMemory(RawEngine engine) {
  return engine == RawEngine::kInMemory || engine == RawEngine::kSparse ||
         engine == RawEngine::kShards;
}

/// A raw engine with what `bench gpu` can tune of it.
struct RawChoice {
  RawEngine engine = RawEngine::kInMemory;
  SparseBounds sparse = {};  // of kSparse
  ShardTuning shards = {};   // of kShards

  bool operator==(const RawChoice&) const = default;
  /// "Garaph shards", with what differs from the defaults: "Garaph shards 8/target".
  std::string Name() const {
    std::string name(RawEngineName(engine));
    if (sparse != SparseBounds()) name = StrCat(name, " ", sparse.Name());
    if (shards != ShardTuning()) name = StrCat(name, " ", shards.Name());
    return name;
  }
};

enum class RawAlgorithm {
  kBfs,            // level by level, by push; kSubCsrAsync: distances, as kSssp
  kSssp,           // Bellman-Ford from changed vertices, by push
  kComponents,     // least label from changed vertices, by push; both ways if directed
  kPageRank,       // Jacobi iterations, by pull; dangling rank is spread
  kDeltaPageRank,  // residuals, by push
};

/// The algorithm's name in messages.
constexpr std::string_view RawAlgorithmName(RawAlgorithm algorithm) {
  constexpr std::string_view kNames[] = {"bfs", "sssp", "components", "pagerank",
                                         "pagerank by deltas"};
  return kNames[static_cast<size_t>(algorithm)];
}

/// Why the engine cannot run the algorithm; empty if it can.
constexpr std::string_view WhyNot(const RawChoice& choice, RawAlgorithm algorithm) {
  if (choice.engine == RawEngine::kSubCsrAsync && algorithm == RawAlgorithm::kPageRank) {
    return "PageRank's iterations by pull are synchronous: use PageRank by deltas";
  }
  if (choice.engine != RawEngine::kShards) return "";
  if (algorithm == RawAlgorithm::kDeltaPageRank) {
    return "shards pull from all vertices, and deltas come from active ones: use PageRank by pull";
  }
  if (algorithm == RawAlgorithm::kSssp && choice.shards.by_target) {
    return "edges by target have no weights: lay them out by source";
  }
  return "";
}
constexpr bool CanRun(const RawChoice& choice, RawAlgorithm algorithm) {
  return WhyNot(choice, algorithm).empty();
}

/// What to run.
struct RawRunOptions {
  RawEngine engine = RawEngine::kInMemory;
  RawAlgorithm algorithm = RawAlgorithm::kBfs;
  VertexId source = 0;       // of BFS and SSSP; an internal id
  uint32_t iterations = 10;  // of kPageRank
  double tolerance = 1e-2;   // of kDeltaPageRank: residuals at the end, as a share of all rank
  int threads = 1;           // that gather edges
  /// What zero-copy engines read in place of the graph's neighbours; null: those.
  const WideNeighbors* wide = nullptr;
  /// The most edges of a range (kWholePages), or of a SubCSR (kSubCsr). They are fewer where the
  /// GPU has less memory.
  uint64_t max_range_edges = uint64_t{16} << 20;
  uint64_t max_sub_edges = uint64_t{128} << 20;
  /// The most active lists in a SubCSR.
  uint64_t max_sub_lists = uint64_t{4} << 20;
  SparseBounds sparse;  // of kSparse
  ShardTuning shards;   // of kShards
  /// Afterwards, the kernel is timed on each of so many pages of edges (kShards with kPageRank).
  uint32_t num_pages = 0;

  RawChoice choice() const { return {engine, sparse, shards}; }
};

/// How edges were laid out for kSparse and kShards.
struct RawLayout {
  double build_seconds = 0;  // on the host, without the copy to the GPU
  uint64_t bytes = 0;        // on the GPU: edges, and what is beside offsets and state
  double mean_copies = 0;    // kShards: of a target's value, over shards
};

/// One iteration.
struct RawIteration {
  uint64_t active_vertices = 0;
  double seconds = 0;
};

/// What the GPU got across the link.
struct RawTraffic {
  uint64_t bytes = 0;
  /// Requests of kernels for 32, 64, 96 and 128 bytes (RequestCounts). 0 where bytes are copied.
  std::array<uint64_t, 4> requests = {};
};

/// An answer by internal id, with the time and the traffic that it took.
struct RawRunResult {
  /// Levels, distances (kPlainUnreached: none) or the least vertex of the component.
  std::span<const uint32_t> values() { return As<uint32_t>(); }
  std::span<const float> ranks() { return As<float>(); }

  PinnedBuffer answer;  // is destroyed before the GPU that it is registered with
  MemoryReservation reservation;
  double seconds = 0;         // all iterations and their transfers; neither loading nor the answer
  double answer_seconds = 0;  // to bring the answer to the host
  RawTraffic traffic;         // in the iterations
  uint64_t iterations = 0;    // kSubCsrAsync: the outer ones, over the whole graph
  std::vector<RawIteration> steps;   // each iteration; none of kPageRank
  std::vector<double> page_seconds;  // RawRunOptions::num_pages: each page's kernel; 0 if empty
  RawLayout layout;                  // of kSparse and kShards

 private:
  template <typename T>
  std::span<const T> As() {
    return {reinterpret_cast<const T*>(answer.data()), answer.size() / sizeof(T)};
  }
};

/// The least bytes of GPU memory with which `options` can run on `graph`. Only the graph's counts
/// matter.
uint64_t LeastRawGpuBytes(const RawRunOptions& options, const PlainCsr& graph);

/// Returns UsageError for what the engine cannot run on this graph and GPU: kSssp without weights
/// or with negative ones, WhyNot, and values that do not fit shared memory. Names engine and
/// algorithm.
Status CheckRaw(const Gpu& gpu, const PlainCsr& graph, const RawRunOptions& options);

/// Runs an algorithm. `graph` must be registered with the GPU's driver, except where IsInGpuMemory.
/// Takes GPU memory within the limit of `gpu`. Takes memory of `budget` for the answer, and for
/// edges that are gathered or laid out. Returns BudgetError with the least numbers that work; it
/// checks GPU memory before it allocates any. Returns UsageError, before any work, as CheckRaw.
/// Also returns GpuError and CancelledError.
StatusOr<RawRunResult> RunRaw(Gpu& gpu, const PlainCsr& graph, const RawRunOptions& options,
                              MemoryBudget& budget);

}  // namespace edgemill::bench
