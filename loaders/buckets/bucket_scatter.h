// Distributes batches of edges over a BucketSet's buckets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/status.h"
#include "loaders/buckets/bucket_set.h"

namespace edgemill {

/// One thread's batches of edges, each sorted by bucket. The counting sort is stable: the edges of
/// each bucket keep their order.
class BucketScatter {
 public:
  /// Drops all batches. Prepares for new ones, of at most `max_keys` keys in all, which Add sorts
  /// by the current buckets of `set`.
  void Begin(const BucketSet& set, size_t max_keys);
  /// Sorts a batch of `keys`. Each key has a weight, or none has. Fastest when keys and records fit
  /// in the second-level cache.
  void Add(std::span<const uint64_t> keys, std::span<const double> weights);
  /// Reserves places for the batches in `side` of `set` (0: edges, 1: reversed edges), and adds the
  /// copies to `copies`. When the set's ranges have changed since Begin, sorts again. One thread at
  /// a time. The batches must stay until `copies` have run.
  Status Append(BucketSet& set, int side, SpillCopies* copies);
  /// Sorts one batch, appends it to side 0 and copies. One thread at a time.
  Status SortAndAppend(BucketSet& set, std::span<const uint64_t> keys,
                       std::span<const double> weights);

 private:
  /// Where each bucket's records begin in a batch, and where the last bucket's end.
  struct Batch {
    size_t first_record;  // index in the records of all batches
    std::vector<uint32_t> begin;
  };
  /// Where the records of the batch being sorted go.
  struct Places {
    std::vector<uint16_t> bucket_of;  // by record
    std::vector<uint32_t> place_of;   // by record
    std::vector<uint32_t> next;       // by bucket: the place of its next record
  };

  /// Takes the current ranges of `set`.
  void ResetRanges(const BucketSet& set);
  /// Sorts `keys` and `weights` into the batch's records.
  void Sort(std::span<const uint64_t> keys, std::span<const double> weights, Batch& batch);
  /// Puts the records of a batch, of type R, in the order of their buckets.
  template <typename R>
  void ScatterRecords(std::span<const uint64_t> keys, std::span<const double> weights,
                      const Batch& batch, R* out);
  SpillRun RunOf(const Batch& batch, size_t bucket) const {
    return SpillRun(sorted_).subspan(
        (batch.first_record + batch.begin[bucket]) * record_bytes_,
        size_t{batch.begin[bucket + 1] - batch.begin[bucket]} * record_bytes_);
  }
  /// Sorts the batches by the current buckets, some of which are parts of earlier ones.
  void SortAgain(const BucketSet& set);

  std::shared_ptr<const KeySplitters> splitters_;
  SpilledWeight weight_ = SpilledWeight::kNone;
  uint32_t record_bytes_ = 0;
  uint64_t max_key_ = 0;
  std::vector<Batch> batches_;  // the first num_batches_ are in use
  size_t num_batches_ = 0;
  std::vector<uint64_t> sums_;     // by bucket: the sum of its records' RecordHash
  std::vector<std::byte> sorted_;  // num_records_ records, batch by batch, and unused bytes
  size_t num_records_ = 0;
  std::vector<SpillRun> runs_;  // the runs of one bucket
  Places places_;
};

}  // namespace edgemill
