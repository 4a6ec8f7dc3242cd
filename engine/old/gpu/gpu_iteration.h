// What every program's executor on a GPU has in common: indexes, frontiers, counters, blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/clock.h"
#include "engine/device/device_arena.h"
#include "engine/old/plan/gpu_memory.h"
#include "engine/old/program/program.h"
#include "engine/plan/gpu_run.h"
#include "engine/report/recorder.h"
#include "engine/transfer/stream/block_feeder.h"
#include "engine/transfer/stream/device_direction.h"

namespace edgemill {

/// Buffers and bookkeeping of a run's iterations on one GPU. One thread drives it. All sizes are
/// fixed before the first iteration.
class GpuIteration {
 public:
  GpuIteration(const GpuRun& run, LoadedGraph& graph, Recorder& recorder)
      : run_(run),
        graph_(graph),
        recorder_(recorder),
        taking_down_{recorder, {}},
        registrar_(run.gpu, graph.threads()),
        feeder_(run, graph) {}
  ~GpuIteration() { taking_down_.watch.Restart(); }
  GpuIteration(const GpuIteration&) = delete;
  GpuIteration& operator=(const GpuIteration&) = delete;

  /// Plans everything beside the program's state, which the caller has planned in arena().
  Status Plan(const IterationNeeds& needs);
  /// Pins `bytes` at `host` for the run, so that copies there go at the link's rate; what was there
  /// is lost. Does nothing where they are pinned already.
  Status Pin(void* host, uint64_t bytes);
  bool IsPinned(const void* host, uint64_t bytes) const;
  /// Allocates, uploads indexes, clears frontiers and counters.
  Status Start();

  DeviceArena& arena() { return arena_; }
  Gpu& gpu() { return run_.gpu; }
  GpuStream& main() { return main_; }
  LoadedGraph& graph() { return graph_; }
  BlockFeeder& feeder() { return feeder_; }
  bool streams_edges() const { return feeder_.streams(); }
  DeviceDirection& direction(Direction direction) { return directions_[Side(direction)]; }
  /// Where sweeps of a direction note damaged blocks.
  uint32_t* damaged(Direction direction) {
    return arrays_.counters->damaged + static_cast<size_t>(direction);
  }

  /// Whether an iteration from the current frontier had better be a loop's first: it is small, and
  /// kernels reach all out-edges, or may, in the time that loops would have saved so far.
  bool MayLoop();
  /// Has them be reached, lists the current frontier for a loop, and clears the next one.
  Status StartLoop();
  /// Of the loop under way.
  const DeviceLoop& loop() const { return loop_; }
  ReachedEdges reached_edges() {
    return {direction(Direction::kOut).edges(), loops_far_ ? loop_.far : nullptr};
  }
  uint32_t LoopGrid() const;
  /// Reads what the loop did; waits. What is active then is the current frontier, and is counted.
  Status EndLoop(LoopCounters* counters);

  // Frontiers on the card: a bit a vertex.
  uint64_t* current() const { return arrays_.current; }
  uint64_t* next() const { return arrays_.next; }
  uint64_t* waiting() const { return arrays_.waiting; }
  uint64_t* marks() const { return arrays_.marks; }  // of a pull's receivers, or those notified
  // Of asynchronous pushes: see IterationArrays.
  uint64_t* again() const { return arrays_.again; }
  uint32_t* again_groups() const { return arrays_.again_groups; }
  uint64_t* sent() const { return arrays_.sent; }
  void SwapFrontiers() { std::swap(arrays_.current, arrays_.next); }
  Status ClearFrontier(uint64_t* bits) { return main_.Fill(bits, 0, frontier_bytes_); }

  /// Thread blocks for a launch over `num_runs` runs at most: several times those that the card
  /// runs at once, so that it evens out what they take.
  static constexpr uint32_t kRunBlocksPerMultiprocessor = 64;
  uint32_t RunGrid(uint64_t num_runs) const;
  /// Thread blocks for a launch over vertices.
  uint32_t VertexGrid() const;
  /// Slots of partial aggregates: max_grid() for each stream of the feeder.
  void* aggregate_slots(uint32_t stream) const;
  uint32_t max_grid() const { return max_grid_; }
  uint32_t num_aggregate_slots() const { return max_grid_ * feeder_.num_streams(); }
  void* aggregate_total() const { return arrays_.aggregate_total; }

  /// Marks `part` of the lists of `frontier` (null: of all) of a direction for a sweep by a loop of
  /// kind `kernel`. `in_parts`: blocks will be swept here and there, not all at once.
  Status MarkLists(Direction direction, EdgeKernel kernel, const uint64_t* frontier,
                   const ListPart& part, bool in_parts);
  /// Sweeps what was marked of `blocks`. Of parts of lists only groups with such edges are sure to
  /// be visited, and whatever else is in them is too.
  Status SweepMarked(BlockRange blocks, const EdgeLaunch& launch);
  /// Marks and sweeps all blocks.
  Status SweepLists(Direction direction, EdgeKernel kernel, const uint64_t* frontier,
                    const ListPart& part, const EdgeLaunch& launch) {
    RETURN_IF_ERROR(MarkLists(direction, kernel, frontier, part, false));
    return SweepMarked({0, graph_.num_blocks()}, launch);
  }
  /// Counts the current frontier; waits. BadDataError when a block turned out damaged.
  Status CountActive();
  uint64_t num_active() const { return num_active_; }
  /// The current frontier was replaced by one of so many vertices and edges.
  void SetActive(uint64_t vertices, EdgeIndex edges) {
    num_active_ = vertices;
    active_edges_ = edges;
  }
  EdgeIndex active_edges() const { return active_edges_; }
  /// Waits for all work, and reads the counters.
  Status ReadCounters(DeviceCounters* counters);
  DeviceCounters* device_counters() const { return arrays_.counters; }
  /// Copies from the card, through pinned memory unless `host` is pinned itself; waits.
  Status ReadBack(void* host, const void* device, uint64_t bytes);
  /// Accounts for the sweeps so far, which must have ended: ReadCounters waits for them.
  Status Report();

 private:
  /// Tells how long it took to take down what is declared after it.
  struct TakingDown {
    Recorder& recorder;
    Stopwatch watch;
    ~TakingDown() { recorder.AddSetupSeconds(watch.seconds()); }
  };
  struct PinnedArray {
    std::span<const std::byte> memory;
    RegisteredMemory pinned;
  };

  size_t Side(Direction direction) const {
    return graph_.info().directed ? static_cast<size_t>(direction) : 0;
  }

  const GpuRun run_;
  LoadedGraph& graph_;
  Recorder& recorder_;
  TakingDown taking_down_;
  PinningRegistrar registrar_;
  std::vector<PinnedArray> pinned_;
  DeviceArena arena_;
  IterationArrays arrays_;
  DeviceDirection directions_[2];
  BlockFeeder feeder_;
  IterationNeeds needs_;
  // What MarkLists marked.
  Direction marked_ = Direction::kOut;
  EdgeKernel marked_kernel_ = EdgeKernel::kPush;
  const uint32_t* marked_groups_ = nullptr;
  WantedGroups wanted_;
  DeviceLoop loop_;
  bool loops_far_ = false;  // the loop under way reads blocks across the link
  Stopwatch watch_;         // of the set-up
  uint64_t frontier_bytes_ = 0;
  uint32_t max_grid_ = 0;
  PinnedBuffer control_;  // counters, then a word a block
  MemoryReservation reservation_;
  uint64_t num_active_ = 0;
  EdgeIndex active_edges_ = 0;
  double loop_seconds_ = 0;  // that loops would have saved
  GpuStream main_;           // the last: its destructor waits for all that uses what is above
};

}  // namespace edgemill
