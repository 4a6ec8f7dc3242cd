// Decoded blocks of a graph's edges in memory: any of their edges can be read by its number.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "common/types.h"
#include "engine/graph/block_edges.h"
#include "engine/graph/direction.h"
#include "engine/graph/graph_blocks.h"
#include "engine/graph/graph_indexes.h"
#include "kernels/vertex_index_view.h"

namespace edgemill {

/// The lists of one direction, of which as many blocks are in memory as there are slots. Load
/// chooses them. All reads are thread-safe between two calls of Load.
class ResidentBlocks {
 public:
  /// What is kept of each edge, and of each block.
  struct Needs {
    Direction direction = Direction::kOut;
    bool weights = false;  // sums of weights, so that an edge can be found by a share of them
    bool borders = false;  // the first neighbour of each block, so that neighbours can be found
  };
  /// The bytes of the index and of what is kept of each block, whether it is loaded or not.
  static uint64_t FixedBytes(const GraphInfo& info, const Needs& needs);
  /// The bytes of a slot.
  static uint64_t SlotBytes(const GraphInfo& info, const Needs& needs) {
    return info.block_edges * (sizeof(VertexId) + (needs.weights ? sizeof(double) : 0));
  }

  /// Loads the index. `context` must outlive it. UsageError where the graph lacks the lists or
  /// their weights. BudgetError, BadDataError, IoError, CancelledError.
  static StatusOr<std::unique_ptr<ResidentBlocks>> Create(const GraphContext& context,
                                                          const Needs& needs);
  ResidentBlocks(const ResidentBlocks&) = delete;
  ResidentBlocks& operator=(const ResidentBlocks&) = delete;

  /// Makes the slots, once, and reads every block once if borders or sums of weights are needed.
  /// Where all blocks have a slot, all are loaded. BadDataError also for a weight below 0, and for
  /// weights of a list whose sum is not finite.
  Status Prepare(uint64_t num_slots);

  uint64_t num_blocks() const { return slots_.of_block.size(); }
  uint64_t num_slots() const { return slots_.count; }
  /// How many blocks were read so far.
  uint64_t blocks_read() const { return blocks_read_; }
  const VertexIndexView& index() const { return index_; }
  const Needs& needs() const { return needs_; }

  /// Loads those of `blocks` that are not loaded, and keeps the others of them. They rise, and are
  /// no more than there are slots. Works on all threads.
  Status Load(std::span<const uint64_t> blocks);

  uint64_t BlockOf(EdgeIndex edge) const { return edge >> block_shift_; }
  bool Has(uint64_t block) const { return slots_.of_block[block] != kNoSlot; }
  /// Where the target of `edge` is; its block is loaded.
  const VertexId* TargetAt(EdgeIndex edge) const { return slots_.targets.data() + PlaceOf(edge); }

  /// The block in which FindNeighbor must look for `neighbor` in the list [first, last), not empty.
  /// Needs borders.
  uint64_t BlockOfNeighbor(EdgeIndex first, EdgeIndex last, VertexId neighbor) const;
  /// Whether the part in `block` of the list [first, last) has `neighbor`. The block is loaded.
  bool HasNeighbor(uint64_t block, EdgeIndex first, EdgeIndex last, VertexId neighbor) const;

  /// The block of the list [first, last), not empty, with the edge at `share` of the list's weight.
  /// 0 <= share < 1. Needs weights.
  uint64_t BlockOfShare(EdgeIndex first, EdgeIndex last, double share) const;
  /// That edge. Its block, the answer of BlockOfShare, is loaded. `last` where all weights are 0.
  EdgeIndex EdgeAtShare(uint64_t block, EdgeIndex first, EdgeIndex last, double share) const;

 private:
  static constexpr uint32_t kNoSlot = ~uint32_t{0};
  /// The loaded blocks.
  struct Slots {
    MemoryReservation reservation;
    uint64_t count = 0;
    std::vector<uint32_t> of_block;  // or kNoSlot
    std::vector<uint64_t> held;      // by slot: its block, or the number of blocks
    Array<VertexId> targets;
    Array<double> sums;
  };
  /// The weights of lists that several blocks have, by block.
  struct SplitSums {
    std::vector<double> heads;  // of the list that goes on into the block
    std::vector<double> tails;  // of the list that goes on after the block: its part in the block
    bool joined = false;        // heads are from the start of the list on
  };

  ResidentBlocks(const GraphContext& context, const Needs& needs);
  uint64_t PlaceOf(EdgeIndex edge) const {
    const uint64_t mask = (uint64_t{1} << block_shift_) - 1;
    return (uint64_t{slots_.of_block[edge >> block_shift_]} << block_shift_) + (edge & mask);
  }
  StatusOr<bool> Decode(const BlockEdges& block);
  /// Writes running sums of weights, from 0 on in each list.
  template <typename Weight>
  Status SumWeights(const BlockEdges& block);
  /// Makes sums of parts of lists that several blocks have into sums from the list's start.
  Status JoinSums();
  Status InfiniteSum() const;
  /// The weight of the list [first, ...), which several blocks have, up to the end of its part in
  /// `block`.
  double SumThrough(EdgeIndex first, uint64_t block) const {
    return block == BlockOf(first) ? split_.tails[block] : split_.heads[block];
  }

  const GraphContext context_;
  const Needs needs_;
  const int block_shift_;
  Progress reading_;  // blocks advance a progress of their own, which the user does not see
  GraphIndexes indexes_;
  GraphBlocks blocks_;
  VertexIndexView index_;
  MemoryReservation reservation_;
  Slots slots_;
  SplitSums split_;
  std::vector<VertexId> borders_;  // by block: the neighbour of its first edge
  uint64_t blocks_read_ = 0;
};

}  // namespace edgemill
