// The blocks of a graph's edges: streams them to threads, each payload checked before it is used.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "common/status.h"
#include "engine/graph/block_edges.h"
#include "engine/graph/graph_indexes.h"
#include "storage/read/block_reader.h"

namespace edgemill {

/// One graph's. Visits may run side by side.
class GraphBlocks {
 public:
  /// `indexes`, of the directions whose blocks are visited, must outlive it.
  GraphBlocks(const GraphContext& context, const GraphIndexes& indexes);

  /// Gets each block once, on some thread. Returns false for a block whose ids are out of bounds.
  using Body = std::function<StatusOr<bool>(int thread, const BlockEdges& edges)>;
  static constexpr EdgeIndex kAllEdges = ~EdgeIndex{0};
  /// Streams `blocks` (rising numbers) of one direction and calls `body` for each, in any order, on
  /// as many threads as that is worth: bodies look at `edges` in all, at most at all of the
  /// blocks', and each block that is not cached is worth a thread. Ends early with the first error,
  /// the body's or the reader's; BadDataError names a block for which the body returns false.
  Status Visit(Direction direction, bool with_weights, std::vector<uint64_t> blocks,
               const Body& body, EdgeIndex edges = kAllEdges);
  /// The same over all blocks.
  Status VisitAll(Direction direction, bool with_weights, const Body& body);
  /// How many threads a stream of so many blocks is worth, where `edges` of theirs are looked at.
  int TeamFor(const BlockStream& stream, uint64_t num_blocks, EdgeIndex edges) const;

  /// Edges of `blocks` visits of blocks: exact for each whole pass over the direction among them,
  /// those of full blocks for the rest.
  EdgeIndex EdgesOf(uint64_t blocks) const;
  /// Edges of `blocks`, rising numbers: the last one of all may have less than others.
  EdgeIndex EdgesOf(std::span<const uint64_t> blocks) const;

  /// Nanoseconds that threads have spent in bodies, in all.
  uint64_t compute_ns() const { return compute_ns_.load(std::memory_order_relaxed); }

 private:
  /// One call of Visit, as its threads share it.
  struct Visiting {
    BlockStream& stream;
    const Direction direction;
    const bool with_weights;
    const Body& body;
    std::atomic<bool> stop{false};
  };

  const GraphInfo& info() const { return context_.store.info(); }
  Status VisitOnThread(Visiting& visiting, int thread);
  /// Points `edges` at the payloads of `lease`.
  Status Attach(const BlockLease& lease, const Visiting& visiting, BlockEdges* edges);
  StatusOr<PackedView> View(ColumnKind column, uint64_t block, std::span<const std::byte> payload,
                            uint32_t num_values);

  const GraphContext context_;
  const GraphIndexes& indexes_;
  /// By column, a bit a block: its payload was checked, and is sound. By its checksum it is the
  /// same whenever it is read.
  std::array<std::vector<uint64_t>, kNumColumns> sound_;
  std::atomic<uint64_t> compute_ns_{0};
};

}  // namespace edgemill
