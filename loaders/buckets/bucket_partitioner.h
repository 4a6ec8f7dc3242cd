// Distributes batches of edges over a BucketSet's buckets.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/status.h"
#include "loaders/buckets/bucket_set.h"

namespace edgemill {

/// One thread's batch of edges, sorted by bucket (a stable counting sort, so each bucket's keep
/// their order).
class BucketScatter {
 public:
  /// Sorts `keys`, with a weight each or none, by the buckets of `set` as they are now.
  void Sort(const BucketSet& set, std::span<const uint64_t> keys, std::span<const double> weights);
  /// Places the batch in `set`'s side `side`. When the set's ranges have changed since Sort, sorts
  /// again. One thread at a time; `keys` and `weights` of Sort must still be there. The batch must
  /// stay until `copies` have run.
  Status Append(BucketSet& set, int side, SpillCopies* copies);
  /// Sorts, appends to side 0 and copies. One thread at a time.
  Status SortAndAppend(BucketSet& set, std::span<const uint64_t> keys,
                       std::span<const double> weights);

 private:
  /// Puts the records of the batch, of type R, in the order of their buckets.
  template <typename R>
  void Place(std::span<R> out);

  std::span<const uint64_t> keys_;
  std::span<const double> weights_;
  size_t num_buckets_ = 0;
  uint64_t max_key_ = 0;
  std::vector<uint16_t> bucket_of_;
  std::vector<uint32_t> begin_;  // of each bucket in the sorted arrays, and the end
  std::vector<uint32_t> next_;
  std::vector<uint64_t> sums_;     // of each bucket's records, by RecordHash
  std::vector<std::byte> sorted_;  // records
};

}  // namespace edgemill
