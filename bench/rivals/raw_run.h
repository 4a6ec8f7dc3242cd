// What others do on a GPU, for comparison: the algorithms on raw 4-byte CSR in pinned memory of the
// host (or in the GPU's), as the papers have it. Ours, written to be believed: each moves edges
// in its paper's way, and all share the same plain kernels.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "bench/plain/plain_csr.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "engine/device/gpu.h"

namespace edgemill::bench {

/// How raw edges get to the kernels.
enum class RawEngine {
  /// All in the GPU's memory since before the first iteration: the upper bound of raw CSR.
  kInMemory,
  /// Read across the link by the kernels, a warp a list, from 128-byte boundaries on (EMOGI: Min et
  /// al., VLDB 2021, 3.3 and 4.3).
  kZeroCopy,
  /// The active lists gathered by the host's threads and copied (Subway, the synchronous form:
  /// Sabet, Zhao, Gupta, EuroSys 2020, 3.1 and 3.3).
  kSubCsr,
  /// Ranges of equal size with an active list in them, copied whole by two streams in turn
  /// (GraphReduce, Sengupta et al., SC 2015; Garaph, Ma et al., ATC 2017, without its host part).
  kWholePages,
};
inline constexpr std::array<RawEngine, 4> kRawEngines = {
    RawEngine::kInMemory, RawEngine::kZeroCopy, RawEngine::kSubCsr, RawEngine::kWholePages};

/// "raw in memory", "EMOGI", "Subway", "whole pages".
std::string_view RawEngineName(RawEngine engine);

enum class RawAlgorithm {
  kBfs,            // level by level, pushed (as EMOGI and Subway do)
  kSssp,           // Bellman and Ford's, over what changed, pushed
  kComponents,     // least label, pushed, over what changed; of directed graphs both ways
  kPageRank,       // Jacobi iterations, pulled, dangling rank spread
  kDeltaPageRank,  // by residuals, pushed
};

/// What to run.
struct RawRunOptions {
  RawEngine engine = RawEngine::kInMemory;
  RawAlgorithm algorithm = RawAlgorithm::kBfs;
  VertexId source = 0;       // of searches; internal
  uint32_t iterations = 10;  // of kPageRank
  double tolerance = 1e-2;   // of kDeltaPageRank: residuals left, of ranks that sum to 1
  int threads = 1;           // that gather
  /// Most edges of a range (kWholePages) or of a SubCSR (kSubCsr) at a time; less where the GPU
  /// has less room.
  uint64_t max_range_edges = uint64_t{16} << 20;
  uint64_t max_sub_edges = uint64_t{128} << 20;
  /// Most active lists that a SubCSR is made of at a time.
  uint64_t max_sub_lists = uint64_t{4} << 20;
};

/// An answer by internal vertex, and what it took.
struct RawRunResult {
  /// Levels, distances (kPlainUnreached: none) or the least vertex of the component.
  std::span<const uint32_t> values() { return As<uint32_t>(); }
  std::span<const float> ranks() { return As<float>(); }

  PinnedBuffer answer;  // goes before the GPU that it is registered with
  MemoryReservation reservation;
  double seconds = 0;         // all iterations, with what they move; neither loading nor the answer
  double answer_seconds = 0;  // to bring the answer to the host
  uint64_t link_bytes = 0;    // to the GPU, in the iterations
  uint64_t iterations = 0;

 private:
  template <typename T>
  std::span<const T> As() {
    return {reinterpret_cast<const T*>(answer.data()), answer.size() / sizeof(T)};
  }
};

/// Bytes of the GPU's memory with which `options` can run at the least, on a graph of so many
/// vertices and edges.
uint64_t LeastRawGpuBytes(const RawRunOptions& options, const PlainCsr& graph);

/// Runs. `graph` must be registered with a GPU's driver but for kInMemory. Takes of `gpu` what its
/// bound allows, of `budget` the answer and the buffer that gathered edges are put in. BudgetError
/// with the least workable numbers, of the GPU before anything is allocated; GpuError; UsageError
/// for kSssp without weights or with negative ones; CancelledError.
StatusOr<RawRunResult> RunRaw(Gpu& gpu, const PlainCsr& graph, const RawRunOptions& options,
                              MemoryBudget& budget);

}  // namespace edgemill::bench
