// Moves raw edges to the kernels, in the way of each engine.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "bench/rivals/raw_frontier.h"
#include "bench/rivals/raw_run.h"
#include "engine/device/device_arena.h"

namespace edgemill::bench {

/// Queues kernels over `lists` on `stream`.
using RawLaunch = std::function<Status(const RawLists& lists, GpuStream& stream)>;

/// One pass over the active lists of one direction.
struct RawPass {
  const PlainLists& lists;
  const uint64_t* offsets;  // of `lists`, on the GPU
  RawFrontier& frontier;
  /// Visits lists, whose edges are on the GPU or which the GPU can read.
  RawLaunch visit;
  /// Comes before a vertex's list is visited once more (kSubCsrAsync); may be empty. Other engines
  /// visit each active list once.
  RawLaunch before;
};

/// What all engines get.
struct RawParts {
  const PlainCsr& graph;
  const RawRunOptions& options;
  bool weighted = false;
};

/// How the kernels read the lists that the engine brings.
inline RawReads ReadsOf(const RawRunOptions& options) {
  RawReads reads{.weighted = options.algorithm == RawAlgorithm::kSssp};
  if (options.engine == RawEngine::kZeroCopyStrided) reads.way = RawReading::kStrided;
  if (options.engine == RawEngine::kZeroCopyMerged) reads.way = RawReading::kMerged;
  reads.wide = options.wide != nullptr && IsZeroCopy(options.engine);
  return reads;
}

/// Brings one run's active lists to the GPU for its kernels. One thread drives it.
class RawMover {
 public:
  static std::unique_ptr<RawMover> Make(const RawParts& parts);
  virtual ~RawMover() = default;

  /// Plans the GPU memory that it needs besides the rest of the arena (DeviceArena::rest).
  virtual void Plan(DeviceArena* arena);
  /// The least bytes of the rest that it works with, and the most bytes that it can use.
  virtual uint64_t LeastRestBytes() const { return 0; }
  virtual uint64_t AmpleRestBytes() const { return 0; }
  /// The most numbers that it lets the frontier scan at a time.
  virtual uint64_t max_scanned() const { return 1; }
  /// Prepares passes. Call it after the arena's allocation, which has a rest of `rest_bytes`.
  virtual Status Start(Gpu& gpu, DeviceArena& arena, uint64_t rest_bytes, MemoryBudget& budget,
                       GpuStream& main) = 0;

  /// Makes `pass` visit the active lists. Work queued on `main` before runs first, and work queued
  /// later runs afterwards. May wait.
  virtual Status RunPass(const RawPass& pass, GpuStream& main) = 0;
  /// What passes have moved so far; waits.
  virtual StatusOr<RawTraffic> Traffic(GpuStream& main) = 0;
  /// How edges were laid out, of kSparse and kShards.
  virtual RawLayout layout() const { return {}; }

 protected:
  explicit RawMover(const RawParts& parts) : parts_(parts) {}
  /// The lists of `frontier`, with the memory for slices of stream number `stream`.
  RawLists ListsOnStream(const RawFrontier& frontier, const uint64_t* offsets,
                         uint32_t stream) const;
  uint32_t bytes_each() const { return parts_.weighted ? 8 : 4; }
  /// The most streams that run kernels of one pass.
  virtual uint32_t num_streams() const { return 1; }

  const RawParts parts_;

 private:
  RawSlice* slices_[2] = {};
  uint32_t* num_slices_[2] = {};
};

// Movers of the engines, which Make calls.
std::unique_ptr<RawMover> MakeInMemoryMover(const RawParts& parts);
std::unique_ptr<RawMover> MakeZeroCopyMover(const RawParts& parts);
std::unique_ptr<RawMover> MakeSubCsrMover(const RawParts& parts);
std::unique_ptr<RawMover> MakeWholePagesMover(const RawParts& parts);
std::unique_ptr<RawMover> MakeSegmentsMover(const RawParts& parts);
std::unique_ptr<RawMover> MakeShardsMover(const RawParts& parts);

}  // namespace edgemill::bench
