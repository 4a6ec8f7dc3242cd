#include "loaders/spill/bucket_partitioner.h"

#include <algorithm>

#include "common/check.h"
#include "loaders/spill/record_hash.h"

namespace edgemill {

template <typename T>
void BucketScatter::Place(std::span<const double> weights, std::span<T> out) {
  next_ = begin_;
  for (size_t i = 0; i < weights.size(); ++i) {
    const auto weight = static_cast<T>(weights[i]);
    out[next_[bucket_of_[i]]++] = weight;
    sums_[bucket_of_[i]] += RecordHash(keys_[i], static_cast<double>(weight));
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
  next_ = begin_;
  sorted_keys_.resize(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) sorted_keys_[next_[bucket_of_[i]]++] = keys[i];
  sums_.assign(num_buckets_, 0);
  for (size_t bucket = 0; bucket < num_buckets_ && weights.empty(); ++bucket) {
    const auto sorted = std::span(sorted_keys_).first(begin_[bucket + 1]).subspan(begin_[bucket]);
    sums_[bucket] = Summarize(sorted, 0).sum;
  }

  sorted_weights_.resize(weights.size() * SpilledWeightBytes(set.weight()));
  const auto bytes = std::span(sorted_weights_);
  const auto as = [&]<typename T>(T*) {
    return std::span<T>(reinterpret_cast<T*>(bytes.data()), weights.size());
  };
  if (set.weight() == SpilledWeight::kInt32) Place(weights, as(static_cast<int32_t*>(nullptr)));
  if (set.weight() == SpilledWeight::kFloat32) Place(weights, as(static_cast<float*>(nullptr)));
  if (set.weight() == SpilledWeight::kFloat64) Place(weights, as(static_cast<double*>(nullptr)));
}

Status BucketScatter::Append(BucketSet& set, int side, SpillCopies* copies) {
  if (keys_.empty()) return OkStatus();
  if (set.splitters()->size() != num_buckets_) Sort(set, keys_, weights_);
  const size_t weight_bytes = SpilledWeightBytes(set.weight());
  for (size_t i = 0; i < num_buckets_; ++i) {
    const size_t count = begin_[i + 1] - begin_[i];
    if (count == 0) continue;
    Bucket& bucket = set.buckets()[i];
    bucket.sums[size_t(side)] += sums_[i];
    RETURN_IF_ERROR(bucket.keys[size_t(side)]->Place(
        std::as_bytes(std::span(sorted_keys_).subspan(begin_[i], count)), copies));
    if (weight_bytes > 0) {
      RETURN_IF_ERROR(bucket.weights[size_t(side)]->Place(
          std::span(sorted_weights_).subspan(begin_[i] * weight_bytes, count * weight_bytes),
          copies));
    }
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
