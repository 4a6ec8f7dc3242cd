// The second pass: turns buckets in key order into the blocks of one direction's columns.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/state_blob.h"
#include "common/status.h"
#include "loaders/buckets/bucket_set.h"
#include "loaders/encode/column_writer.h"
#include "loaders/encode/offsets_encoder.h"
#include "loaders/sort/sorted_bucket.h"
#include "storage/write/graph_writer.h"

namespace edgemill {

/// One direction's columns.
struct ColumnTriple {
  ColumnKind offsets;
  ColumnKind neighbors;
  ColumnKind weights;
};
inline constexpr ColumnTriple kOutColumns{ColumnKind::kOutOffsets, ColumnKind::kOutNeighbors,
                                          ColumnKind::kOutWeights};
inline constexpr ColumnTriple kInColumns{ColumnKind::kInOffsets, ColumnKind::kInNeighbors,
                                         ColumnKind::kInWeights};

/// Counts over the edges of one direction.
struct EncodedTotals {
  EdgeIndex num_edges = 0;
  uint64_t loops = 0;
  uint64_t duplicates = 0;
  uint64_t merged = 0;
  bool negative_weight = false;
  uint64_t keys_sum = 0;  // of a hash of each edge, if BucketRules::sums_keys
};

/// Seconds of work, without waits for a turn. The first two are sums over workers.
struct EncodeSeconds {
  double sort = 0;
  double encode = 0;
  double append = 0;
};

/// Sorts buckets on several threads and appends their blocks in order. The blocks' bytes depend
/// only on the edges, not on their buckets, the number of threads or the memory.
class EdgeEncoder {
 public:
  struct Options {
    ColumnTriple columns = kOutColumns;
    BucketRules rules;
    /// Whether weights, if edges have any, become a column.
    bool stores_weights = true;
    /// The other columns of these edges are stored already: only the weights are encoded.
    bool only_weights = false;
    /// If the weights are numbers of texts: the number that each gets in its place.
    std::span<const uint32_t> text_ranks;
    CompressionPolicy compression = CompressionPolicy::kWhereItPays;
    /// The most edges of a bucket, unless all its keys are equal.
    uint64_t max_sort_edges = 0;
    /// Encoded blocks that a worker may hold while it waits for its turn to append.
    size_t max_waiting_blocks = 16;
    /// Bytes of consumed buckets after which `checkpoint` is called; 0: never.
    uint64_t checkpoint_bytes = 0;
    /// Saves the encoder's state (PutState). Afterwards, the consumed buckets are deleted.
    std::function<Status()> checkpoint;
  };

  EdgeEncoder(GraphWriter& writer, BucketSet& set, Options options);

  /// Encodes all buckets. `memory` has one element for each worker. Empties consumed buckets.
  Status Run(std::vector<SortedBucket> memory, Progress& progress);
  /// Encodes the last edges, and the offsets of all `num_vertices` vertices.
  Status Finish(uint64_t num_vertices);

  const EncodedTotals& totals() const { return totals_; }
  const std::vector<VertexId>& crossings() const { return carry_.offsets.crossings(); }
  const EncodeSeconds& seconds() const { return seconds_; }

  /// All buckets before this one are consumed.
  size_t first_remaining_bucket() const { return first_remaining_bucket_; }
  /// Writes the state after the last appended unit, without the buckets that are left. May only be
  /// called by `checkpoint`.
  void PutState(StateWriter* out) const;
  /// Reads the state that PutState wrote. BadDataError when it is damaged.
  Status SetState(StateReader* in);

 private:
  /// The state's fields (state_blob.h).
  template <typename Visitor, typename Encoder>
  static void ListFields(Visitor& visitor, Encoder& encoder);

  /// Edges that do not fill a block yet. Each unit passes them to the next one.
  struct Carry {
    explicit Carry(uint32_t block_edges) : offsets(block_edges) {}
    EdgeIndex edges_so_far = 0;          // edges of all units so far, including the carry's
    std::optional<uint64_t> key_before;  // the key just before the carry's first
    std::vector<uint64_t> keys;
    std::vector<double> weights;
    OffsetsEncoder offsets;  // after all earlier units
  };
  /// The page of neighbours that is being appended.
  struct OpenPage {
    uint32_t num_blocks = 0;
    PageInfo info;
  };
  struct EncodedBlock {
    std::optional<SealedBlock> neighbors;
    std::optional<SealedBlock> weights;
    PageInfo range;
  };
  struct Worker;
  struct Turns;

  Status RunWorker(Worker& worker, Turns& turns, Progress& progress);
  Carry NextCarry(const Carry& carry, const SortedBucket& sorted) const;
  Status EncodeUnit(Worker& worker, const Carry& carry, Turns& turns, size_t unit);
  /// Encodes the offsets of vertices, from where `offsets` stands to the unit's last vertex.
  Status EncodeOffsets(Worker& worker, EdgeIndex edges_so_far, OffsetsEncoder offsets, Turns& turns,
                       size_t unit);
  SealedBlock EncodeOffsetsBlock(Worker& worker, const OffsetsEncoder& offsets);
  EncodedBlock EncodeBlock(Worker& worker, uint64_t block, std::span<const uint64_t> keys,
                           std::span<const double> weights, std::optional<uint64_t> previous);
  bool stores_weights() const { return options_.rules.weighted() && options_.stores_weights; }
  SealedBlock EncodeWeights(Worker& worker, uint64_t block, std::span<const double> weights);
  /// Appends the blocks that `worker` has encoded. It must be the turn of the worker's unit.
  Status AppendBlocks(Worker& worker);
  using ConsumedStreams = std::vector<decltype(Bucket::records)>;
  /// Adds a unit to the state once its blocks are appended. Moves the records that no checkpoint
  /// needs any more to `consumed`.
  Status EndUnit(const SortedBucket& sorted, const Carry& carry, const Carry& after, size_t unit,
                 ConsumedStreams* consumed);
  Status EndPage();

  GraphWriter& writer_;
  BucketSet& set_;
  const Options options_;
  std::vector<SortUnit> units_;

  // One unit at a time, in order, uses the fields that follow.
  Carry carry_;  // after the last unit that was appended
  EncodedTotals totals_;
  OpenPage page_;
  uint64_t consumed_bytes_ = 0;
  size_t first_remaining_bucket_ = 0;
  uint64_t slices_sum_ = 0;  // sum of RecordHash over the bucket's slices so far
  EncodeSeconds seconds_;
};

}  // namespace edgemill
