// Reads lists from blocks, and keeps each edge of the simple undirected graph at one of its ends.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "engine/cpu/intersect/oriented_lists.h"
#include "engine/cpu/intersect/vertex_order.h"
#include "engine/graph/loaded_graph.h"
#include "engine/report/recorder.h"

namespace edgemill {

/// Fills OrientedLists from the lists of all directions of a graph. A block's neighbours are
/// filtered where the block is decoded. What is left of a few vertices at a time waits in a stage,
/// until all of their blocks were read: parts of a list that lie in several blocks, and the lists
/// of both directions, are merged there. One thread uses it.
class ListLoader {
 public:
  struct Sizes {
    uint64_t longest = 0;        // no list keeps more neighbours: LongestList
    uint64_t stage_entries = 0;  // neighbours in the stage, at least LeastStage
  };
  /// `graph` and `order` must outlive it. BudgetError.
  static StatusOr<ListLoader> Create(LoadedGraph& graph, const VertexOrder& order, bool arcs,
                                     const Sizes& sizes);

  /// The most neighbours of lower rank that a vertex can have. Looks at all vertices.
  static uint64_t LongestList(const LoadedGraph& graph, const VertexOrder& order);
  /// The least entries of a stage, where no list keeps more than `longest` neighbours.
  static uint64_t LeastStage(const GraphInfo& info, uint64_t longest);
  /// Bytes of a stage, and of what threads need.
  static uint64_t SizeBytes(const GraphInfo& info, int threads, const Sizes& sizes);

  /// Appends the lists of the next vertices to `lists`, as many as fit. `lists` must have room for
  /// a whole stage if it is empty. The errors of reading.
  Status Fill(OrientedLists& lists, Recorder& recorder);

 private:
  /// The neighbours that one list keeps of one block, in the stage.
  struct Piece {
    uint32_t first = 0, size = 0;
  };
  /// One direction's part of the stage.
  struct Side {
    Direction direction;
    Array<Piece> starts;  // by vertex of the stage: of the block where its list starts
    Array<Piece> heads;   // by block: of the list that continues there
  };
  /// A thread's memory.
  struct Scratch {
    std::vector<uint32_t> kept;     // of one block
    std::vector<uint64_t> entries;  // of one vertex: rank and direction
    std::vector<uint32_t> ranks;    // of the merged lists of some vertices
    std::vector<uint8_t> arcs;
    std::vector<std::pair<VertexId, uint32_t>> merged;  // these vertices, and the lists' sizes
  };

  ListLoader(LoadedGraph& graph, const VertexOrder& order, bool arcs, const Sizes& sizes)
      : graph_(graph), order_(order), arcs_(arcs), sizes_(sizes) {}

  /// The end of the vertices after `begin` whose lists certainly fit the stage.
  VertexId StageEnd(VertexId begin) const;
  Status ReadStage(VertexId begin, VertexId end, Recorder& recorder);
  /// False where the stage is full: a block has ids in no order.
  bool KeepOfBlock(Side& side, const BlockEdges& edges, const BlockIds& ids, Scratch& scratch);
  void KeepOfList(VertexId source, std::span<const VertexId> ids, std::vector<uint32_t>* kept);
  Status MergeStage(OrientedLists& lists);
  /// Calls `visit(ranks)` for the pieces of the list of `vertex`, in the order of the list.
  template <typename Visit>
  void ForEachPiece(const Side& side, VertexId vertex, Visit visit) const;
  /// Appends the merged list of `vertex` to the scratch.
  void MergeList(VertexId vertex, Scratch& scratch) const;
  /// Moves the scratch's merged lists to `lists`.
  void MoveMerged(Scratch& scratch, OrientedLists& lists) const;

  LoadedGraph& graph_;
  const VertexOrder& order_;
  const bool arcs_;
  const Sizes sizes_;
  MemoryReservation reservation_;
  Array<uint32_t> stage_;
  std::vector<Side> sides_;
  std::vector<Scratch> scratches_;  // by thread
  // The vertices in the stage, and how many entries these have.
  VertexId begin_ = 0, end_ = 0;
  uint64_t used_ = 0;
};

}  // namespace edgemill
