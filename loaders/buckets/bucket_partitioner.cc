#include "loaders/buckets/bucket_partitioner.h"

#include <algorithm>

#include "common/check.h"
#include "loaders/buckets/record_hash.h"

namespace edgemill {

template <typename R>
void BucketScatter::Place(std::span<R> out) {
  next_ = begin_;
  for (size_t i = 0; i < keys_.size(); ++i) {
    R& record = out[next_[bucket_of_[i]]++];
    record.key = keys_[i];
    if constexpr (sizeof(R) > sizeof(uint64_t)) {
      const auto weight = static_cast<decltype(record.weight)>(weights_[i]);
      record.weight = weight;
      sums_[bucket_of_[i]] += RecordHash(keys_[i], static_cast<double>(weight));
    }
  }
  if constexpr (sizeof(R) == sizeof(uint64_t)) {
    const std::span sorted(reinterpret_cast<const uint64_t*>(out.data()), out.size());
    for (size_t bucket = 0; bucket < num_buckets_; ++bucket) {
      sums_[bucket] = Summarize(sorted.first(begin_[bucket + 1]).subspan(begin_[bucket]), 0).sum;
    }
  }
}

void BucketScatter::Sort(const BucketSet& set, std::span<const uint64_t> keys,
                         std::span<const double> weights) {
  keys_ = keys;
  weights_ = weights;
  const std::shared_ptr<const KeySplitters> shared = set.splitters();
  const KeySplitters& splitters = *shared;
  num_buckets_ = splitters.size();
  CHECK_LE(num_buckets_, size_t{1} << 16);
  bucket_of_.resize(keys.size());
  begin_.assign(num_buckets_ + 1, 0);
  max_key_ = 0;
  for (size_t i = 0; i < keys.size(); ++i) {
    const uint32_t bucket = splitters.Find(keys[i]);
    bucket_of_[i] = static_cast<uint16_t>(bucket);
    ++begin_[bucket + 1];
    max_key_ = std::max(max_key_, keys[i]);
  }
  for (size_t bucket = 0; bucket < num_buckets_; ++bucket) begin_[bucket + 1] += begin_[bucket];
  sums_.assign(num_buckets_, 0);
  sorted_.resize(keys.size() * set.record_bytes());
  WithRecordType(set.weight(), [&]<typename R>(R*) {
    Place(std::span(reinterpret_cast<R*>(sorted_.data()), keys.size()));
  });
}

Status BucketScatter::Append(BucketSet& set, int side, SpillCopies* copies) {
  if (keys_.empty()) return OkStatus();
  if (set.splitters()->size() != num_buckets_) Sort(set, keys_, weights_);
  const size_t record_bytes = set.record_bytes();
  for (size_t i = 0; i < num_buckets_; ++i) {
    const size_t count = begin_[i + 1] - begin_[i];
    if (count == 0) continue;
    Bucket& bucket = set.buckets()[i];
    bucket.sums[size_t(side)] += sums_[i];
    RETURN_IF_ERROR(bucket.records[size_t(side)]->Place(
        std::span(sorted_).subspan(begin_[i] * record_bytes, count * record_bytes), copies));
  }
  set.RaiseMaxKey(max_key_);
  return OkStatus();
}

Status BucketScatter::SortAndAppend(BucketSet& set, std::span<const uint64_t> keys,
                                    std::span<const double> weights) {
  SpillCopies copies;
  Sort(set, keys, weights);
  return Append(set, 0, &copies);
}

}  // namespace edgemill
