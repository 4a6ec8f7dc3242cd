#include "loaders/buckets/bucket_scatter.h"

#include <algorithm>
#include <utility>

#include "common/check.h"
#include "loaders/buckets/record_hash.h"

namespace edgemill {

void BucketScatter::ResetRanges(const BucketSet& set) {
  splitters_ = set.splitters();
  CHECK_LE(splitters_->size(), KeySplitters::kMaxRanges);
  sums_.assign(splitters_->size(), 0);
}

void BucketScatter::Begin(const BucketSet& set, size_t max_keys) {
  ResetRanges(set);
  weight_ = set.weight();
  record_bytes_ = set.record_bytes();
  max_key_ = 0;
  num_batches_ = 0;
  num_records_ = 0;
  sorted_.reserve(max_keys * record_bytes_);
}

template <typename R>
void BucketScatter::ScatterRecords(std::span<const uint64_t> keys, std::span<const double> weights,
                                   const Batch& batch, R* out) {
  for (size_t i = 0; i < keys.size(); ++i) {
    R& record = out[places_.place_of[i]];
    record.key = keys[i];
    if constexpr (sizeof(R) > sizeof(uint64_t)) {
      const auto weight = static_cast<decltype(record.weight)>(weights[i]);
      record.weight = weight;
      sums_[places_.bucket_of[i]] += RecordHash(keys[i], static_cast<double>(weight));
    }
  }
  if constexpr (sizeof(R) == sizeof(uint64_t)) {
    const std::span sorted(reinterpret_cast<const uint64_t*>(out), keys.size());
    for (size_t bucket = 0; bucket < sums_.size(); ++bucket) {
      const auto own = sorted.first(batch.begin[bucket + 1]).subspan(batch.begin[bucket]);
      sums_[bucket] += Summarize(own, 0).sum;
    }
  }
}

void BucketScatter::Add(std::span<const uint64_t> keys, std::span<const double> weights) {
  // Each key has a weight, or none has.
  CHECK_EQ(weights.size(), weight_ == SpilledWeight::kNone ? 0 : keys.size());
  if (num_batches_ == batches_.size()) batches_.emplace_back();
  Batch& batch = batches_[num_batches_++];
  batch.first_record = std::exchange(num_records_, num_records_ + keys.size());
  sorted_.resize(std::max(sorted_.size(), num_records_ * record_bytes_));
  Sort(keys, weights, batch);
}

void BucketScatter::Sort(std::span<const uint64_t> keys, std::span<const double> weights,
                         Batch& batch) {
  const KeySplitters& splitters = *splitters_;
  std::vector<uint32_t>& begin = batch.begin;
  auto& [bucket_of, place_of, next] = places_;
  begin.assign(splitters.size() + 1, 0);
  bucket_of.resize(keys.size());
  place_of.resize(keys.size());
  // These are separate loops, so that no load waits for earlier stores with unknown addresses.
  splitters.FindAll(keys, bucket_of.data());
  for (const uint64_t key : keys) max_key_ = std::max(max_key_, key);
  for (const uint16_t bucket : bucket_of) ++begin[bucket + 1u];
  for (size_t bucket = 0; bucket < splitters.size(); ++bucket) begin[bucket + 1] += begin[bucket];
  next = begin;
  for (size_t i = 0; i < keys.size(); ++i) place_of[i] = next[bucket_of[i]]++;
  std::byte* const out = sorted_.data() + batch.first_record * record_bytes_;
  WithRecordType(weight_, [&]<typename R>(R*) {
    ScatterRecords(keys, weights, batch, reinterpret_cast<R*>(out));
  });
}

void BucketScatter::SortAgain(const BucketSet& set) {
  ResetRanges(set);
  std::vector<uint64_t> keys;
  std::vector<double> weights;
  for (Batch& batch : std::span(batches_).first(num_batches_)) {
    keys.clear();
    weights.clear();
    const auto records = SpillRun(sorted_).subspan(batch.first_record * record_bytes_,
                                                   size_t{batch.begin.back()} * record_bytes_);
    VisitRecords(records, weight_, [&](size_t, uint64_t key, double weight) {
      keys.push_back(key);
      weights.push_back(weight);
    });
    Sort(keys, weights, batch);
  }
}

Status BucketScatter::Append(BucketSet& set, int side, SpillCopies* copies) {
  CHECK(side >= 0 && side < set.num_sides());
  CHECK_EQ(set.record_bytes(), record_bytes_);  // batches are sorted for the set of Begin
  if (set.splitters()->size() != splitters_->size()) SortAgain(set);
  for (size_t bucket = 0; bucket < sums_.size(); ++bucket) {
    runs_.clear();
    for (size_t i = 0; i < num_batches_; ++i) {
      const SpillRun run = RunOf(batches_[i], bucket);
      if (!run.empty()) runs_.push_back(run);
    }
    if (runs_.empty()) continue;
    // A log has one range and maybe many buckets, of which the last is being filled.
    Bucket& to = sums_.size() == 1 ? set.buckets().back() : set.buckets()[bucket];
    to.sums[size_t(side)] += sums_[bucket];
    RETURN_IF_ERROR(to.records[size_t(side)]->Reserve(runs_, copies));
  }
  set.RaiseMaxKey(max_key_);
  return OkStatus();
}

Status BucketScatter::SortAndAppend(BucketSet& set, std::span<const uint64_t> keys,
                                    std::span<const double> weights) {
  SpillCopies copies;
  Begin(set, keys.size());
  Add(keys, weights);
  return Append(set, 0, &copies);
}

}  // namespace edgemill
