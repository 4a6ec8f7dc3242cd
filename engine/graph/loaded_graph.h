// A graph ready to run on: its index in memory, its blocks within reach.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/buffer.h"
#include "common/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "common/thread_annotations.h"
#include "engine/graph/block_edges.h"
#include "engine/graph/kept_neighbors.h"
#include "engine/graph/vertex_index.h"
#include "kernels/block_ids.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// Which parts of a graph an algorithm needs in memory or reads.
struct GraphNeeds {
  bool out_index = false;
  bool in_index = false;  // of symmetric graphs this is the out-index
};

/// One graph, its indexes and its reader. Immutable but for its counters, and what sweeps learn for
/// later ones. Sweeps may run side by side, of one direction those alone that do not learn.
class LoadedGraph {
 public:
  /// Reads the indexes that `needs` names. `store`, `reader` and `budget` must outlive it. Of a
  /// symmetric graph one index serves both directions. UsageError when the graph has not the
  /// columns.
  static StatusOr<std::unique_ptr<LoadedGraph>> Load(const GraphStore& store, BlockReader& reader,
                                                     const GraphNeeds& needs, int threads,
                                                     MemoryBudget& budget, Progress& progress);

  const GraphStore& store() const { return store_; }
  const GraphInfo& info() const { return store_.info(); }
  BlockReader& reader() { return reader_; }
  MemoryBudget& budget() { return budget_; }
  Progress& progress() { return progress_; }
  int threads() const { return threads_; }
  uint64_t num_vertices() const { return info().num_vertices; }
  EdgeIndex num_edges() const { return info().num_edges; }
  bool has_index(Direction direction) const { return indexes_[Side(direction)].has_value(); }
  VertexIndexView index(Direction direction) const { return indexes_[Side(direction)]->view(); }
  /// VertexIndex::FirstOfBlock.
  VertexId FirstOfBlock(Direction direction, uint64_t block) const {
    return indexes_[Side(direction)]->FirstOfBlock(block);
  }
  /// VertexIndex::HaveEdges.
  uint64_t HaveEdges(Direction direction, uint64_t word) const {
    return indexes_[Side(direction)]->HaveEdges(word);
  }
  /// Memory for what saves time in later sweeps, and whether these read lists from disk.
  void set_spare_bytes(uint64_t bytes, bool from_disk) {
    spare_bytes_ = bytes;
    from_disk_ = from_disk;
  }
  /// Has pulls learn and keep a neighbour of each vertex, where there is spare memory for them: the
  /// first where ids are by degree, else by where lists are read from.
  Status KeepNeighbors(Direction direction);
  /// Whether it does so of lists that are read from disk.
  bool keeps_from_disk() const {
    return from_disk_ && spare_bytes_ >= KeptNeighbors::SizeBytes(num_vertices());
  }
  /// Null unless they are kept.
  KeptNeighbors* kept_neighbors(Direction direction) {
    std::optional<KeptNeighbors>& kept = kept_neighbors_[Side(direction)];
    return kept.has_value() ? &*kept : nullptr;
  }
  /// Has the last neighbour of each block learnt, by one sweep, where the graph has duplicate edges
  /// and it is not known yet: for programs that count these once. Within the budget:
  /// LastNeighborsBytes for each direction.
  Status KeepLastNeighbors(Direction direction);
  /// 4 bytes a block of a graph with duplicate edges.
  static uint64_t LastNeighborsBytes(const GraphInfo& info);
  /// The last neighbour in the block before `block`: whether the first one in `block` is its
  /// duplicate. kInvalidVertex where there is none, or none is kept.
  VertexId LastNeighborBefore(Direction direction, uint64_t block) const {
    const Array<VertexId>& last = last_neighbors_[Side(direction)].of_blocks;
    return last.empty() || block == 0 ? kInvalidVertex : last[block - 1];
  }
  /// Makes room for each thread to decode whole blocks, with `weights` those too, within the
  /// budget: BlockIdsBytes.
  Status KeepBlockIds(bool weights);
  /// Gives that room back.
  void DropBlockIds();
  /// Gives all memory back but that of these indexes, which keep their degrees: no more sweeps.
  void KeepDegreesOnly(bool out, bool in);
  static uint64_t BlockIdsBytes(const GraphInfo& info, int threads, bool weights);
  /// A thread's, once they are kept.
  BlockIds& block_ids(int thread) { return block_ids_[static_cast<size_t>(thread)]; }
  /// A thread's room for DecodeWeights.
  std::byte* block_weights(int thread) { return block_weights_[static_cast<size_t>(thread)]; }
  /// The column with this direction's neighbours; out-neighbours for both of a symmetric graph.
  ColumnKind neighbors(Direction direction) const;
  ColumnKind weights(Direction direction) const;
  /// Whether lists of this direction can be swept: index and neighbours are there.
  bool can_sweep(Direction direction) const;
  uint64_t num_blocks() const { return num_blocks_; }
  /// Edges of so many blocks, where passes over all of them are among these.
  EdgeIndex EdgesOf(uint64_t blocks) const {
    if (num_blocks_ == 0) return 0;
    return blocks / num_blocks_ * num_edges() + blocks % num_blocks_ * info().block_edges;
  }
  /// Edges of `blocks`, rising numbers: the last one of all may have less than others.
  EdgeIndex EdgesOf(std::span<const uint64_t> blocks) const {
    if (blocks.empty()) return 0;
    const bool has_last = blocks.back() + 1 == num_blocks_;
    return blocks.size() * info().block_edges -
           (has_last ? num_blocks_ * info().block_edges - num_edges() : 0);
  }

  /// Streams `blocks` (rising numbers) of one direction and calls `body(thread, edges)` for each,
  /// in any order, on as many threads as that is worth: bodies look at `edges` in all, at most at
  /// all of the blocks', and each block that is not cached is worth a thread. Ends early with the
  /// first error, the body's or the reader's. The body returns false for a block whose ids are out
  /// of bounds: the sweep ends with a BadDataError that names it.
  using SweepBody = std::function<StatusOr<bool>(int thread, const BlockEdges& edges)>;
  Status Sweep(Direction direction, bool with_weights, std::vector<uint64_t> blocks,
               const SweepBody& body, EdgeIndex edges = kAllEdges);
  static constexpr EdgeIndex kAllEdges = ~EdgeIndex{0};
  /// How many threads a stream of so many blocks is worth, where `edges` of theirs are looked at.
  int SweepTeam(const BlockStream& stream, uint64_t num_blocks, EdgeIndex edges) const;
  /// The same over all blocks.
  Status SweepAll(Direction direction, bool with_weights, const SweepBody& body);

  /// Block `block` of `direction` without its payload: which edges and vertices it has.
  BlockEdges Extent(Direction direction, uint64_t block) const;

  /// Nanoseconds that threads have spent in sweep bodies, in all.
  uint64_t compute_ns() const { return compute_ns_.load(std::memory_order_relaxed); }

 private:
  LoadedGraph(const GraphStore& store, BlockReader& reader, int threads, MemoryBudget& budget,
              Progress& progress);
  size_t Side(Direction direction) const {
    return info().directed ? static_cast<size_t>(direction) : 0;
  }
  Status Attach(const BlockLease& lease, bool with_weights, Direction direction, BlockEdges* edges);
  StatusOr<PackedView> View(ColumnKind column, uint64_t block, std::span<const std::byte> payload,
                            uint32_t num_values);
  Status SweepThread(BlockStream& stream, Direction direction, bool with_weights, int thread,
                     const SweepBody& body, const std::atomic<bool>& stop);

  const GraphStore& store_;
  BlockReader& reader_;
  const int threads_;
  MemoryBudget& budget_;
  Progress& progress_;
  const uint64_t num_blocks_;
  std::array<std::optional<VertexIndex>, 2> indexes_;
  uint64_t spare_bytes_ = 0;
  bool from_disk_ = false;
  std::array<std::optional<KeptNeighbors>, 2> kept_neighbors_;
  struct LastNeighbors {
    MemoryReservation reservation;
    Array<VertexId> of_blocks;  // empty until they are known
  };
  std::array<LastNeighbors, 2> last_neighbors_;
  MemoryReservation ids_reservation_;
  Buffer ids_memory_;
  std::vector<BlockIds> block_ids_;        // by thread, in ids_memory_
  std::vector<std::byte*> block_weights_;  // as well
  /// By column, a bit a block: its payload has been found sound. It is the same whenever it is
  /// read: its checksum says so.
  std::array<std::vector<uint64_t>, kNumColumns> sound_;
  std::atomic<uint64_t> compute_ns_{0};
};

}  // namespace edgemill
