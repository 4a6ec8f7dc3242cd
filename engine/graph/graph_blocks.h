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

/// The blocks of one graph. Visits may run at the same time.
class GraphBlocks {
 public:
  /// `indexes` must outlive it, and have the directions whose blocks are visited.
  GraphBlocks(const GraphContext& context, const GraphIndexes& indexes);

  /// Visit calls it once for each block, on any thread. It returns false for a block whose ids are
  /// out of bounds.
  using Body = std::function<StatusOr<bool>(int thread, const BlockEdges& edges)>;
  static constexpr EdgeIndex kAllEdges = ~EdgeIndex{0};
  /// Streams `blocks` (rising numbers) of one direction and calls `body` for each, in any order, on
  /// as many threads as the work is worth. `edges` is the number of edges that bodies look at in
  /// all, at most all of the blocks'. Each block that is not cached is worth a thread. Ends early
  /// with the first error of the body or the reader; BadDataError names a block for which the body
  /// returns false.
  Status Visit(Direction direction, bool with_weights, std::vector<uint64_t> blocks,
               const Body& body, EdgeIndex edges = kAllEdges);
  /// The same over all blocks.
  Status VisitAll(Direction direction, bool with_weights, const Body& body);
  /// The number of threads that a stream of `num_blocks` blocks is worth, if bodies look at `edges`
  /// edges.
  int TeamFor(const BlockStream& stream, uint64_t num_blocks, EdgeIndex edges) const;

  /// The edges in `blocks` visits of blocks. Whole passes over a direction count exactly; each
  /// further visit counts as a full block.
  EdgeIndex EdgesOf(uint64_t blocks) const;
  /// The edges in `blocks`, rising numbers. The graph's last block may have fewer edges than
  /// others.
  EdgeIndex EdgesOf(std::span<const uint64_t> blocks) const;

  /// Nanoseconds that all threads together have spent in bodies.
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
  /// By column, a bit for each block: its payload was checked and is right. Its checksum makes sure
  /// that later reads give the same payload.
  std::array<std::vector<uint64_t>, kNumColumns> sound_;
  std::atomic<uint64_t> compute_ns_{0};
};

}  // namespace edgemill
