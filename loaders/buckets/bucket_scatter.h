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

/// One thread's batches of edges, each sorted by bucket (a stable counting sort, so each bucket's
/// keep their order).
class BucketScatter {
 public:
  /// Forgets what was appended; batches, of `max_keys` in all, are sorted by the buckets of `set`
  /// as they are now.
  void Begin(const BucketSet& set, size_t max_keys);
  /// Sorts a batch of `keys`, with a weight each or none. Fastest where they and their records fit
  /// the second-level cache.
  void Add(std::span<const uint64_t> keys, std::span<const double> weights);
  /// Places the batches in `set`'s side `side`. When the set's ranges have changed since Begin,
  /// sorts again. One thread at a time. The batches must stay until `copies` have run.
  Status Append(BucketSet& set, int side, SpillCopies* copies);
  /// Sorts one batch, appends it to side 0 and copies. One thread at a time.
  Status SortAndAppend(BucketSet& set, std::span<const uint64_t> keys,
                       std::span<const double> weights);

 private:
  /// Where each bucket's records begin in a batch, and the end.
  struct Batch {
    size_t first_record;  // among those of all batches
    std::vector<uint32_t> begin;
  };
  /// Where the records of the batch being sorted go.
  struct Places {
    std::vector<uint16_t> bucket_of;  // each record
    std::vector<uint32_t> place_of;   // each record
    std::vector<uint32_t> next;       // of each bucket
  };

  /// Takes the ranges of `set` as they are now.
  void ResetRanges(const BucketSet& set);
  /// Sorts `keys` to where the batch's records are.
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
  /// Sorts the batches by the buckets as they are now: some of those before in parts.
  void SortAgain(const BucketSet& set);

  std::shared_ptr<const KeySplitters> splitters_;
  SpilledWeight weight_ = SpilledWeight::kNone;
  uint32_t record_bytes_ = 0;
  uint64_t max_key_ = 0;
  std::vector<Batch> batches_;  // the first num_batches_ are there
  size_t num_batches_ = 0;
  std::vector<uint64_t> sums_;     // of each bucket's records, by RecordHash
  std::vector<std::byte> sorted_;  // num_records_, batch by batch, and room
  size_t num_records_ = 0;
  std::vector<SpillRun> runs_;  // of one bucket
  Places places_;
};

}  // namespace edgemill
