// Walks that are made together, and how each goes on.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/types.h"
#include "engine/output/walks/random_walks.h"
#include "engine/output/walks/resident_blocks.h"
#include "engine/output/walks/waiting_walks.h"
#include "engine/output/walks/walk_random.h"

namespace edgemill {

/// The walks of one batch, and the lists of those that wait, by block.
class WalkBatch {
 public:
  /// What walks need of blocks.
  static ResidentBlocks::Needs NeedsOf(const WalkOptions& options) {
    return {options.neighbors, options.weighted, options.looks_back()};
  }
  /// Bytes of a walk in a batch.
  static uint64_t WalkBytes(const WalkOptions& options);

  static StatusOr<std::unique_ptr<WalkBatch>> Create(const GraphContext& context,
                                                     const WalkOptions& options,
                                                     ResidentBlocks& blocks, uint64_t capacity);

  /// Makes walks from `first` on, `count` of them.
  Status Make(std::span<const VertexId> starts, uint64_t first, uint64_t count);
  WalkRows rows() const {
    return {first_, rows_.vertices.span().first(count_ * stride()), stride(),
            rows_.steps.span().first(count_)};
  }
  uint64_t steps() const { return total_steps_.load(std::memory_order_relaxed); }
  uint64_t tries() const { return total_tries_.load(std::memory_order_relaxed); }

 private:
  /// A walk while it moves.
  struct MovingWalk {
    uint32_t walk;
    uint32_t steps;
    uint32_t tries;      // proposals of this step so far
    VertexId vertex;     // where it is
    VertexId candidate;  // the target of the proposed edge; kInvalidVertex: none
    uint64_t degree;     // of `vertex`, if there is no candidate
    uint64_t key;        // of the walk
    const VertexId* target;
    bool goes_back;  // the edge back was proposed apart, and is taken
  };
  /// The walks as far as they are made.
  struct Rows {
    MemoryReservation reservation;
    Array<VertexId> vertices;
    Array<uint32_t> steps;       // by walk: how many are made
    Array<VertexId> candidates;  // by walk, if walks look back
    Array<uint32_t> tries;       // as well
  };

  WalkBatch(const GraphContext& context, const WalkOptions& options, ResidentBlocks& blocks)
      : context_(context),
        options_(options),
        blocks_(blocks),
        undirected_(!context.store.info().directed),
        most_(MostOf(context.store.info(), options)),
        more_back_(std::max(1 / options.p - most_, 0.0)) {}
  /// What an edge counts at most, if the edge back is proposed apart for what it counts more. That
  /// needs its number in the list, which is 1 where there are no parallel edges.
  static double MostOf(const GraphInfo& info, const WalkOptions& options) {
    const bool is_one_back = !info.directed && info.num_duplicates == 0 && !options.weighted;
    const double most = std::max(1.0, 1 / options.q);
    return is_one_back ? most : std::max(most, 1 / options.p);
  }

  /// Lets `walks` go on until they end or wait.
  Status Move(std::span<const uint32_t> walks);
  /// The same for a few walks on one thread. CancelledError.
  Status MoveTeam(std::span<const uint32_t> walks);
  MovingWalk Resume(uint32_t walk) const;
  /// Proposes an edge. False if the walk ends, or waits for the edge's block.
  bool Propose(MovingWalk* walker);
  /// Decides on the candidate. False if the walk ends, or waits to know more.
  bool Decide(MovingWalk* walker);
  /// Decides by whether the candidate is in the list of the vertex before.
  bool DecideByList(MovingWalk* walker, VertexId before, double draw);
  /// Steps to the candidate. False at the end.
  bool Accept(MovingWalk* walker);
  void Wait(const MovingWalk& walker, uint64_t block);
  uint64_t Bits(const MovingWalk& walker, uint32_t which) const {
    return PartOfKey(PartOfKey(walker.key, walker.steps), 4 * uint64_t{walker.tries} + which);
  }
  uint64_t stride() const { return options_.length + 1; }
  VertexId* RowOf(uint32_t walk) { return rows_.vertices.data() + walk * stride(); }

  const GraphContext& context_;
  const WalkOptions& options_;
  ResidentBlocks& blocks_;
  const bool undirected_;
  const double most_;       // what an edge counts, at most
  const double more_back_;  // what the edge back counts more
  uint64_t first_ = 0;
  uint64_t count_ = 0;
  Rows rows_;
  WaitingWalks waiting_;
  std::atomic<uint64_t> total_steps_{0};
  std::atomic<uint64_t> total_tries_{0};
};

}  // namespace edgemill
