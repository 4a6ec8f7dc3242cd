// What every program's executor on a GPU has in common: indexes, frontiers, counters, blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/clock.h"
#include "engine/gpu/block_feeder.h"
#include "engine/gpu/device_arena.h"
#include "engine/gpu/device_direction.h"
#include "engine/gpu/gpu_run.h"
#include "engine/program.h"
#include "engine/recorder.h"

namespace edgemill {

/// Counters on the card, read back together.
struct DeviceCounters {
  FrontierCounts frontier;
  unsigned long long least = ~0ull;  // bits of the least priority that waits
  uint32_t damaged[2] = {~0u, ~0u};  // the least block of each direction with an id out of bounds
};

/// What a loop on the card did (small_loop.cuh).
struct SmallLoopCounters {
  uint32_t count = 0;  // vertices active at its start, then at its end
  uint32_t iterations = 0;
  unsigned long long activations = 0;  // of vertices that sent, but for those it started with
  unsigned long long edges = 0;        // of theirs
};

/// Memory and bounds of such loops.
struct SmallLoop {
  VertexId* lists[2] = {};
  SmallLoopCounters* counters = nullptr;
  uint32_t most_vertices = 0;
  uint64_t most_edges = 0;
};

/// What a program's executor asks for on the card.
struct IterationNeeds {
  bool push = false;       // out-edges are swept
  bool pull = false;       // in-edges are
  bool out_index = false;  // the program reads out-degrees
  bool frontier = false;   // not all vertices are active
  bool prioritised = false;
  bool notify = false;
  bool weighted = false;
  bool small_loops = false;
  uint64_t aggregate_bytes = 0;  // of one
};

/// Buffers and bookkeeping of a run's iterations on one GPU. One thread drives it. All sizes are
/// fixed before the first iteration.
class GpuIteration {
 public:
  /// Thread blocks of a launch over edges, for each multiprocessor.
  static constexpr uint32_t kBlocksPerMultiprocessor = 8;

  GpuIteration(const GpuRun& run, LoadedGraph& graph, Recorder& recorder)
      : run_(run), graph_(graph), recorder_(recorder), feeder_(run, graph) {}

  /// Plans everything beside the program's state, which the caller has planned in arena().
  Status Plan(const IterationNeeds& needs);
  /// Allocates, uploads indexes, clears frontiers and counters.
  Status Start();

  DeviceArena& arena() { return arena_; }
  Gpu& gpu() { return run_.gpu; }
  GpuStream& main() { return main_; }
  LoadedGraph& graph() { return graph_; }
  BlockFeeder& feeder() { return feeder_; }
  DeviceDirection& direction(Direction direction) {
    return directions_[graph_.info().directed ? static_cast<size_t>(direction) : 0];
  }
  /// Where sweeps of a direction note damaged blocks.
  uint32_t* damaged(Direction direction) {
    return counters_->damaged + static_cast<size_t>(direction);
  }

  /// Whether an iteration from the current frontier may be a loop's first: it is small, and all
  /// out-edges are on the card.
  bool MayLoop();
  /// Lists the current frontier for a loop, and clears the next one.
  Status StartLoop();
  /// Reads what the loop did; waits. The next frontier becomes the current one, and is counted.
  Status EndLoop(SmallLoopCounters* counters);
  const SmallLoop& small_loop() const { return small_loop_; }

  // Frontiers on the card: a bit a vertex.
  uint64_t* current() const { return current_; }
  uint64_t* next() const { return next_; }
  uint64_t* waiting() const { return waiting_; }
  uint64_t* marks() const { return marks_; }  // of a pull's receivers, or those notified
  void SwapFrontiers() { std::swap(current_, next_); }
  Status ClearFrontier(uint64_t* bits) { return main_.Fill(bits, 0, frontier_bytes_); }

  /// Thread blocks for a launch over `num_runs` runs at most.
  uint32_t RunGrid(uint64_t num_runs) const;
  /// Thread blocks for a launch over vertices.
  uint32_t VertexGrid() const;
  /// Slots of partial aggregates: max_grid() for each stream of the feeder.
  void* aggregate_slots(uint32_t stream) const;
  uint32_t max_grid() const { return max_grid_; }
  uint32_t num_aggregate_slots() const { return max_grid_ * feeder_.num_streams(); }
  void* aggregate_total() const { return aggregate_total_; }

  /// Sweeps the lists of `frontier` (null: all lists) of a direction.
  Status SweepLists(Direction direction, const uint64_t* frontier,
                    const BlockFeeder::Launch& launch);
  /// Counts the current frontier; waits. BadDataError when a block turned out damaged.
  Status CountActive();
  uint64_t num_active() const { return num_active_; }
  EdgeIndex active_edges() const { return active_edges_; }
  /// Waits for all work, and reads the counters.
  Status ReadCounters(DeviceCounters* counters);
  DeviceCounters* device_counters() const { return counters_; }
  /// Copies from the card through pinned memory; waits.
  Status ReadBack(void* host, const void* device, uint64_t bytes);
  void Report() { recorder_.AddTransfers(feeder_.TakeCounts()); }

 private:
  const GpuRun run_;
  LoadedGraph& graph_;
  Recorder& recorder_;
  DeviceArena arena_;
  GpuStream main_;
  DeviceDirection directions_[2];
  BlockFeeder feeder_;
  IterationNeeds needs_;
  Stopwatch watch_;  // of the set-up
  uint64_t frontier_bytes_ = 0;
  uint64_t* current_ = nullptr;
  uint64_t* next_ = nullptr;
  uint64_t* waiting_ = nullptr;
  uint64_t* marks_ = nullptr;
  DeviceCounters* counters_ = nullptr;
  std::byte* aggregates_ = nullptr;
  std::byte* aggregate_total_ = nullptr;
  uint32_t max_grid_ = 0;
  PinnedBuffer control_;  // counters, then a word a block
  MemoryReservation reservation_;
  SmallLoop small_loop_;
  uint64_t num_active_ = 0;
  EdgeIndex active_edges_ = 0;
};

}  // namespace edgemill
