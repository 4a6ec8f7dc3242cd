#include "loaders/spill/bucket_set.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "common/check.h"

namespace edgemill {

Status SampleBucket(const Bucket& bucket, int side, SampleReads reads, KeySample* sample) {
  // Pieces are read whole, for their checksums; when none is left out, several at a time.
  constexpr uint64_t kPiece = kMostCheckedBytes / sizeof(uint64_t);
  constexpr uint64_t kPieces = 2048;
  const uint64_t count = bucket.count(side);
  const uint64_t step =
      reads == SampleReads::kAll ? 1 : std::max(count / kPiece / kPieces, uint64_t{1});
  const uint64_t run = step == 1 ? 16 * kPiece : kPiece;
  const uint64_t stride = step == 1 ? run : step * kPiece;
  const uint64_t spacing = std::max(count / step / kSampleKeys, uint64_t{1});
  ASSIGN_OR_RETURN(Array<uint64_t> memory, Array<uint64_t>::Allocate(std::min(run, count)));
  for (uint64_t first = 0; first < count; first += stride) {
    const std::span<uint64_t> keys = memory.span().first(std::min(run, count - first));
    RETURN_IF_ERROR(
        bucket.keys[size_t(side)]->Read(first * sizeof(uint64_t), std::as_writable_bytes(keys)));
    const auto [least, most] = std::minmax_element(keys.begin(), keys.end());
    if (!bucket.Holds(*least) || !bucket.Holds(*most)) return bucket.KeyOutside(side);
    sample->least = std::min(sample->least, *least);
    sample->most = std::max(sample->most, *most);
    for (size_t i = 0; i < keys.size(); i += spacing) sample->keys.push_back(keys[i]);
  }
  return OkStatus();
}

BucketSet::BucketSet(SpillSpace& space, SpilledWeight weight, int num_sides, KeySplitters splitters)
    : BucketSet(space, weight, num_sides) {
  for (size_t i = 0; i < splitters.size(); ++i) {
    buckets_.push_back(NewBucket(splitters.first_key(i), splitters.last_key(i)));
  }
  SetSplitters(std::move(splitters));
}

void BucketSet::SetSplitters(KeySplitters splitters) {
  auto shared = std::make_shared<const KeySplitters>(std::move(splitters));
  MutexLock lock(*mutex_);
  splitters_ = std::move(shared);
}

Bucket BucketSet::NewBucket(uint64_t first_key, uint64_t last_key) {
  Bucket bucket;
  bucket.first_key = first_key;
  bucket.last_key = last_key;
  for (int side = 0; side < num_sides_; ++side) {
    bucket.keys[size_t(side)] = space_->NewStream();
    if (weight_ != SpilledWeight::kNone) {
      bucket.weights[size_t(side)] = space_->NewStream();
    }
  }
  return bucket;
}

uint64_t BucketSet::num_edges() const {
  uint64_t total = 0;
  for (const Bucket& bucket : buckets_) total += bucket.count();
  return total;
}

void BucketSet::CutLast() {
  CHECK_LT(max_key_, ~uint64_t{0});
  CHECK_GE(max_key_, buckets_.back().first_key);
  buckets_.back().last_key = max_key_;
  buckets_.push_back(NewBucket(max_key_ + 1, ~uint64_t{0}));
  const std::shared_ptr<const KeySplitters> old = splitters();
  std::vector<uint64_t> first_keys(old->first_keys().begin(), old->first_keys().end());
  first_keys.push_back(max_key_ + 1);
  SetSplitters(KeySplitters(std::move(first_keys)));
}

void BucketSet::AddLogBucket() {
  for (auto* streams : {&buckets_.back().keys, &buckets_.back().weights}) {
    for (std::unique_ptr<SpillStream>& stream : *streams) {
      if (stream != nullptr) stream->Seal();
    }
  }
  buckets_.push_back(NewBucket(0, ~uint64_t{0}));
}

void BucketSet::TightenTo(uint64_t first_key, uint64_t last_key) {
  buckets_.front().first_key = first_key;
  buckets_.back().last_key = last_key;
}

BucketSet BucketSet::Replace(size_t index, BucketSet parts) {
  BucketSet replaced(*space_, weight_, num_sides_);
  replaced.SetSplitters(KeySplitters());
  replaced.buckets_.push_back(std::move(buckets_[index]));
  const auto at = buckets_.erase(buckets_.begin() + static_cast<ptrdiff_t>(index));
  buckets_.insert(at, std::make_move_iterator(parts.buckets_.begin()),
                  std::make_move_iterator(parts.buckets_.end()));
  return replaced;
}

Status BucketSet::Save() {
  std::vector<SpillStream*> streams;
  ForEachStream([&streams](SpillStream& stream) { streams.push_back(&stream); });
  return space_->Save(streams);
}

void BucketSet::PutState(size_t first_bucket, StateWriter* out) const {
  out->Put(weight_);
  out->Put(num_sides_);
  out->Put(max_key_);
  out->PutArray(splitters()->first_keys());
  out->Put<uint64_t>(buckets_.size() - first_bucket);
  for (const Bucket& bucket : std::span(buckets_).subspan(first_bucket)) {
    out->Put(bucket.first_key);
    out->Put(bucket.last_key);
    out->Put(bucket.sums);
    for (const auto* streams : {&bucket.keys, &bucket.weights}) {
      for (const std::unique_ptr<SpillStream>& stream : *streams) {
        out->Put(stream != nullptr);
        if (stream != nullptr) stream->PutState(out);
      }
    }
  }
}

StatusOr<BucketSet> BucketSet::FromState(SpillSpace& space, StateReader* in) {
  const auto weight = in->Get<SpilledWeight>();
  const int num_sides = in->Get<int>();
  BucketSet set(space, weight, num_sides);
  set.max_key_ = in->Get<uint64_t>();
  std::vector<uint64_t> first_keys = in->GetArray<uint64_t>();
  if (first_keys.empty()) return BadDataError("the ingest journal is damaged: use --replace");
  set.SetSplitters(KeySplitters(std::move(first_keys)));
  const uint64_t num_buckets = in->Get<uint64_t>();
  for (uint64_t i = 0; i < num_buckets && in->ok(); ++i) {
    Bucket bucket;
    bucket.first_key = in->Get<uint64_t>();
    bucket.last_key = in->Get<uint64_t>();
    bucket.sums = in->Get<std::array<uint64_t, 2>>();
    for (auto* streams : {&bucket.keys, &bucket.weights}) {
      for (std::unique_ptr<SpillStream>& stream : *streams) {
        if (!in->Get<bool>()) continue;
        ASSIGN_OR_RETURN(stream, space.OpenStream(in));
      }
    }
    set.buckets_.push_back(std::move(bucket));
  }
  return set;
}

}  // namespace edgemill
