// Spreads edges over buckets by key range, on several threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "loaders/buckets/bucket_scatter.h"
#include "loaders/context/edge_intake.h"
#include "loaders/context/graph_schema.h"
#include "loaders/context/ingest_context.h"
#include "loaders/context/spilled_edges.h"

namespace edgemill {

/// Bytes of a key with its weight, in a batch before it is sorted by bucket and in sorted memory.
constexpr uint64_t BatchKeyBytes(bool weighted) { return 14 + (weighted ? 8 : 0); }
constexpr uint64_t SortedKeyBytes(bool weighted) { return 8 + (weighted ? 8 : 0); }

/// Turns chunks into keys and appends the keys to the sets of a SpilledEdges.
class EdgePartitioner {
 public:
  /// One thread's memory.
  struct Worker {
    EdgeBatch batch;
    BucketScatter forward;
    BucketScatter reversed;
    SpillCopies copies;  // to places that `forward` and `reversed` took; destroyed first
  };

  /// With `single_log` ids are not final, and all edges go to one bucket of `edges.forward`
  /// unchanged. Otherwise edges go to `edges.forward` and `edges.reversed`, in the directions that
  /// `schema` needs. Side 1 of `edges.forward` has the reversed edges of a graph that is
  /// symmetrized. `context` and `edges` must outlive the object.
  EdgePartitioner(const IngestContext& context, const GraphSchema& schema, bool single_log,
                  SpilledEdges& edges);

  /// Makes the sets for `expected` edges, with buckets cut by `sample`. Makes the space if there is
  /// none. May plan fewer sort workers. `beside` is the most memory that other things need until
  /// edges are sorted, if it is known: edges may then stay in the rest of the memory.
  Status MakeBuckets(std::span<const NarrowEdge> sample, uint64_t expected,
                     std::optional<uint64_t> beside);
  /// Reserves memory for threads with a chunk each, of `chunk_bytes` and `chunk_edges`. Decides how
  /// much of a chunk becomes keys at a time.
  StatusOr<ThreadMemory> ReserveChunks(uint64_t chunk_bytes, uint64_t chunk_edges);

  /// Makes keys of the first edges of `chunk`. Thread-safe with a worker a thread.
  void Prepare(Worker& worker, const EdgeChunk& chunk) const { PrepareSlice(worker, chunk, 0); }
  /// Places all edges of `chunk`, which `worker` has prepared. `worker.copies` must run afterwards.
  /// One thread at a time.
  Status Append(Worker& worker, const EdgeChunk& chunk);

 private:
  /// Makes keys of up to slice_edges_ edges of `chunk` from `first` on.
  void PrepareSlice(Worker& worker, const EdgeChunk& chunk, size_t first) const;
  BucketSet& reversed_set() const {
    return schema_.symmetrize ? *edges_.forward : *edges_.reversed;
  }
  /// Opens the space for at most `streams` streams, with `bytes` in memory together.
  Status OpenSpace(size_t streams, uint64_t bytes);
  /// Notes that disks have too little room for temporary files, which may take `bytes`.
  Status NoteFullDisks(uint64_t bytes) const;
  /// Starts a new last bucket for larger keys when the last one is full, since sorted inputs fill
  /// one bucket after the other.
  void CutLastIfFull(BucketSet& set);

  const IngestContext context_;
  const GraphSchema schema_;
  const bool single_log_;
  const KeyDirections directions_;
  SpilledEdges& edges_;
  size_t slice_edges_ = ~size_t{0};  // how many edges of a chunk become keys at a time
};

/// The source of edges that are spread once more.
struct EdgeReplay {
  EdgeSource& source;
  uint64_t num_edges = 0;
  uint64_t chunk_bytes = 0;  // of a chunk and the data that it is made of
  uint64_t chunk_edges = 0;  // at most
  /// Puts final ids into EdgeChunk::narrow. Called from several threads at once.
  std::function<Status(EdgeChunk& chunk)> map;
  std::vector<NarrowEdge> sample;  // of edges with final ids
};

/// Spreads the edges of `replay` over new sets of `edges`, or in one log as EdgePartitioner does
/// with `single_log`.
Status PartitionAgain(const IngestContext& context, const GraphSchema& schema, bool single_log,
                      const EdgeReplay& replay, SpilledEdges& edges);

/// Spreads the edges of `edges.forward`, whatever their ids, over new sets by the ids that `map`
/// gives them, and retires the old set. Before that, plans sorting again. BadDataError if `map`
/// returns false, because an id is not in the input. Several threads call `map`.
Status Repartition(const IngestContext& context, const GraphSchema& schema,
                   const std::function<bool(std::span<NarrowEdge>)>& map, SpilledEdges& edges);

}  // namespace edgemill
