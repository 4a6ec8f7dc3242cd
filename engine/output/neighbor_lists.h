// Lists of neighbours in the input's ids: of given vertices, sampled, or of a stretch of the edges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "common/thread_annotations.h"
#include "common/types.h"
#include "engine/graph/direction.h"
#include "engine/graph/graph_blocks.h"
#include "engine/graph/graph_indexes.h"
#include "engine/output/external_ids.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// Lists, one after the other. Ids are the input's.
struct IdLists {
  std::vector<ExternalId> vertices;  // whose lists these are
  std::vector<uint64_t> offsets;     // list i is neighbors[offsets[i]] to neighbors[offsets[i + 1]]
  std::vector<ExternalId> neighbors;
  std::vector<double> weights;      // of the edges; empty where they were not asked for
  std::vector<ExternalId> sources;  // the vertex of each edge; empty where they were not asked for
  EdgeIndex next = 0;               // of ReadEdges: the number of the first edge after these
};

/// Which edges are read, and what of them.
struct ListOptions {
  Direction direction = Direction::kOut;  // kIn: the lists of vertices from which edges come
  bool weights = false;
  bool sources = false;
  /// Of ReadEdges on a symmetric graph: each edge once, not once in each direction.
  bool once = false;
};

/// Reads lists of one graph. The index of a direction is loaded when it is first needed. Lists come
/// in the order in which they are stored. What is returned belongs to the caller, and must fit the
/// budget while it is read. Thread-safe; one thread reads blocks at a time, with a team.
class NeighborLists {
 public:
  /// The memory that it takes with the index of one direction: beside store, reader and lists.
  static uint64_t MemoryBytes(const GraphStore& store);
  /// What `context` refers to must outlive it. Reads the ids. BudgetError, BadDataError, IoError,
  /// CancelledError: so do all other functions that read.
  static StatusOr<std::unique_ptr<NeighborLists>> Load(const GraphContext& context);
  NeighborLists(const NeighborLists&) = delete;
  NeighborLists& operator=(const NeighborLists&) = delete;

  /// Writes the ids of all vertices, rising.
  void WriteIds(std::span<ExternalId> ids) const;
  /// Writes the degrees of `vertices`. UsageError for an id that no vertex has, or a direction that
  /// the graph lacks; so do the other functions.
  Status WriteDegrees(std::span<const ExternalId> vertices, Direction direction,
                      std::span<uint64_t> degrees);
  /// Writes the degrees of all vertices, by rising id.
  Status WriteAllDegrees(Direction direction, std::span<uint64_t> degrees);

  /// The lists of `vertices`, in this order. UsageError where weights are wanted that the lists of
  /// this direction lack; so do the other functions.
  StatusOr<IdLists> Read(std::span<const ExternalId> vertices, const ListOptions& options);
  /// Of each list `most` neighbours, or all where it has fewer: drawn uniformly, no edge twice. A
  /// vertex's draw depends on `seed` and its id alone. Reads only blocks that have drawn edges.
  StatusOr<IdLists> Sample(std::span<const ExternalId> vertices, uint64_t most, uint64_t seed,
                           const ListOptions& options);
  /// The edges from number `first` on, at most `most`, which is not 0. Ends with a whole list,
  /// except where a list is longer than `most`: the list then goes on in the next call. Vertices
  /// without edges are left out.
  StatusOr<IdLists> ReadEdges(EdgeIndex first, uint64_t most, const ListOptions& options);

 private:
  /// A list that is read, whole or in part, and where its neighbours go.
  struct Wanted {
    VertexId vertex;
    EdgeIndex first;  // of the whole list
    EdgeIndex last;   // after the whole list
    uint64_t place;   // of its first neighbour among those that are returned
    uint64_t count;   // of its neighbours that are returned
  };
  /// What one call reads.
  struct Request {
    /// The edges of a sample that were drawn from a list.
    std::span<const EdgeIndex> DrawnOf(const Wanted& list) const {
      return std::span(drawn).subspan(list.place, list.count);
    }
    /// Calls `visit` with the wanted edges of [from, to) of a list, and with their places.
    template <typename Visit>
    void ForEachOf(const Wanted& list, EdgeIndex from, EdgeIndex to, const Visit& visit) const {
      if (is_sample) {
        const std::span<const EdgeIndex> edges = DrawnOf(list);
        auto edge = std::lower_bound(edges.begin(), edges.end(), from);
        for (; edge != edges.end() && *edge < to; ++edge) {
          visit(*edge, list.place + static_cast<uint64_t>(edge - edges.begin()));
        }
        return;
      }
      const EdgeIndex first = std::max(list.first, begin);
      const EdgeIndex last = std::min(to, end);
      for (EdgeIndex edge = std::max(from, first); edge < last; ++edge) {
        visit(edge, list.place + (edge - first));
      }
    }

    std::vector<Wanted> lists;     // by first edge once they are read
    std::vector<EdgeIndex> drawn;  // of a sample: edges by place
    bool is_sample = false;
    EdgeIndex begin = 0;  // edges below, or from `end` on, are left out
    EdgeIndex end = ~EdgeIndex{0};
    bool once = false;
    MemoryReservation memory;  // for `lists`, and what is returned of each list
  };
  static constexpr uint64_t kListBytes = sizeof(Wanted) + 2 * sizeof(uint64_t);

  explicit NeighborLists(const GraphContext& context);
  const GraphInfo& info() const { return context_.store.info(); }
  VertexId OfRank(uint64_t rank) const {
    return by_rank_.empty() ? static_cast<VertexId>(rank) : by_rank_[rank];
  }
  StatusOr<VertexId> Find(ExternalId id) const;
  Status Unknown(ExternalId id) const;
  StatusOr<VertexIndexView> Index(Direction direction);
  Status CheckWeights(const ListOptions& options) const;
  /// Finds `vertices` and how many neighbours are returned of each, `most` or fewer.
  Status Want(std::span<const ExternalId> vertices, uint64_t most, const ListOptions& options,
              Request* request, IdLists* lists);
  /// The blocks in which wanted edges lie, rising.
  std::vector<uint64_t> BlocksOf(const Request& request) const;
  /// Reads neighbours and weights into `lists`, whose offsets are known.
  Status Fill(Request request, const ListOptions& options, IdLists* lists);
  template <typename Weight>
  bool FillFromBlock(const BlockEdges& block, const Request& request, IdLists* lists) const;

  const GraphContext context_;
  Mutex mutex_;  // of reads, and of loading an index
  GraphIndexes indexes_;
  GraphBlocks blocks_;
  ExternalIds ids_;
  MemoryReservation reservation_;
  Array<VertexId> by_rank_;  // the vertex of each rank; empty: its rank is its number
};

}  // namespace edgemill
