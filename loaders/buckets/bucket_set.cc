#include "loaders/buckets/bucket_set.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>
#include <utility>

#include "common/check.h"

namespace edgemill {
namespace {

/// The fields of a set in the journal, which come before its buckets.
struct SavedSet {
  SpillForm form;
  int num_sides = 0;
  uint64_t max_key = 0;
  std::vector<uint64_t> first_keys;  // of the ranges
  uint64_t num_buckets = 0;

  template <typename Visitor, typename Set>
  static void ListFields(Visitor& visitor, Set& set) {
    visitor.Fields(set.form, set.num_sides, set.max_key, set.first_keys, set.num_buckets);
  }
};

/// Edges of a full bucket of a log: few enough to free memory in small steps, but many pages.
constexpr uint64_t kLogBucketEdges = uint64_t{1} << 21;

Status BadJournal() { return BadDataError("the ingest journal is damaged: use --replace"); }

}  // namespace

Status SampleBucket(const Bucket& bucket, SpilledWeight weight, int side, const SampleSize& size,
                    KeySample* sample) {
  CHECK(bucket.records[size_t(side)] != nullptr);  // a bucket has its records until it is consumed
  const SpillStream& records = *bucket.records[size_t(side)];
  const uint64_t count = records.num_records();
  if (count == 0) return OkStatus();
  // Pages are read whole, since each has one checksum. When no page is left out, several are read
  // at a time.
  constexpr uint64_t kRead = uint64_t{1} << 20;
  const uint64_t page = records.page_records();
  const uint64_t page_bytes = records.page_bytes();
  CHECK_GT(size.read_bytes, 0u);
  const uint64_t step = std::max(count / page * page_bytes / size.read_bytes, uint64_t{1});
  const uint64_t run = step == 1 ? std::max(kRead / page_bytes, uint64_t{1}) * page : page;
  const uint64_t stride = step == 1 ? run : step * page;
  const uint64_t spacing = std::max(count / step / size.keys, uint64_t{1});
  const uint64_t record_bytes = page_bytes / page;
  ASSIGN_OR_RETURN(Buffer memory, Buffer::Allocate(std::min(run, count) * record_bytes));
  for (uint64_t first = 0; first < count; first += stride) {
    const auto bytes = memory.bytes().first(std::min(run, count - first) * record_bytes);
    RETURN_IF_ERROR(records.Read(first * record_bytes, bytes));
    bool inside = true;
    VisitRecords(bytes, weight, [&](size_t i, uint64_t key, double) {
      inside &= bucket.Holds(key);
      sample->smallest = std::min(sample->smallest, key);
      sample->largest = std::max(sample->largest, key);
      if (i % spacing == 0) sample->keys.push_back(key);
    });
    if (!inside) return bucket.KeyOutside(side);
  }
  return OkStatus();
}

BucketSet::BucketSet(SpillSpace& space, const SpillForm& form, int num_sides,
                     KeySplitters splitters)
    : BucketSet(space, form, num_sides) {
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
    bucket.records[size_t(side)] = space_->NewStream(form_);
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
  CHECK_EQ(buckets_.back().last_key, ~uint64_t{0});  // the last range has no end
  buckets_.back().last_key = max_key_;
  buckets_.push_back(NewBucket(max_key_ + 1, ~uint64_t{0}));
  const std::shared_ptr<const KeySplitters> old = splitters();
  std::vector<uint64_t> first_keys(old->first_keys().begin(), old->first_keys().end());
  first_keys.push_back(max_key_ + 1);
  SetSplitters(KeySplitters(std::move(first_keys)));
}

void BucketSet::CutLogIfFull() {
  CHECK_EQ(splitters()->size(), 1u);
  if (buckets_.back().count() < kLogBucketEdges) return;
  for (const std::unique_ptr<SpillStream>& stream : buckets_.back().records) {
    if (stream != nullptr) stream->Seal();
  }
  buckets_.push_back(NewBucket(0, ~uint64_t{0}));
}

void BucketSet::NarrowTo(uint64_t first_key, uint64_t last_key) {
  CHECK_GE(first_key, buckets_.front().first_key);
  CHECK_LE(last_key, buckets_.back().last_key);
  buckets_.front().first_key = first_key;
  buckets_.back().last_key = last_key;
}

BucketSet BucketSet::Replace(size_t index, BucketSet parts) {
  CHECK_LT(index, buckets_.size());
  CHECK_EQ(parts.num_sides_, num_sides_);
  // Every key still has exactly one bucket.
  CHECK_EQ(parts.buckets_.front().first_key, buckets_[index].first_key);
  CHECK_EQ(parts.buckets_.back().last_key, buckets_[index].last_key);
  BucketSet replaced(*space_, form_, num_sides_);
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
  CHECK_LE(first_bucket, buckets_.size());
  const std::span<const uint64_t> first_keys = splitters()->first_keys();
  const SavedSet saved{.form = form_,
                       .num_sides = num_sides_,
                       .max_key = max_key_,
                       .first_keys = {first_keys.begin(), first_keys.end()},
                       .num_buckets = buckets_.size() - first_bucket};
  out->Fields(saved);
  for (const Bucket& bucket : std::span(buckets_).subspan(first_bucket)) {
    out->Fields(bucket);
    for (const std::unique_ptr<SpillStream>& stream : bucket.records) {
      out->Put(stream != nullptr);
      if (stream != nullptr) stream->PutState(out);
    }
  }
}

StatusOr<BucketSet> BucketSet::FromState(SpillSpace& space, StateReader* in) {
  SavedSet saved;
  in->Fields(saved);
  const SpillForm& form = saved.form;
  const int num_sides = saved.num_sides;
  if (!in->ok() || form.record_bytes == 0 || form.record_bytes > space.page_bytes() ||
      form.weight > SpilledWeight::kFloat64 ||
      (form.packed && form.record_bytes != SpilledRecordBytes(form.weight)) || num_sides < 1 ||
      num_sides > 2) {
    return BadJournal();
  }
  BucketSet set(space, form, num_sides);
  set.max_key_ = saved.max_key;
  std::vector<uint64_t>& first_keys = saved.first_keys;
  const bool rising = std::adjacent_find(first_keys.begin(), first_keys.end(),
                                         std::greater_equal<>()) == first_keys.end();
  if (first_keys.empty() || first_keys[0] != 0 || !rising ||
      first_keys.size() > KeySplitters::kMaxRanges) {
    return BadJournal();
  }
  set.SetSplitters(KeySplitters(std::move(first_keys)));
  for (uint64_t i = 0; i < saved.num_buckets && in->ok(); ++i) {
    Bucket bucket;
    in->Fields(bucket);
    for (std::unique_ptr<SpillStream>& stream : bucket.records) {
      if (!in->Get<bool>()) continue;
      ASSIGN_OR_RETURN(stream, space.OpenStream(in, form));
    }
    set.buckets_.push_back(std::move(bucket));
  }
  return set;
}

StatusOr<std::vector<uint64_t>> SampleKeys(const BucketSet& set) {
  SampleSize size = SampleSize::Partial();
  const std::vector<Bucket>& buckets = set.buckets();
  if (set.splitters()->size() == 1) {  // a log: each bucket may have any keys
    size.keys = std::max<uint64_t>(size.keys / buckets.size(), 256);
    size.read_bytes = std::max<uint64_t>(size.read_bytes / buckets.size(), 1);
  }
  KeySample sample;
  for (const Bucket& bucket : buckets) {
    RETURN_IF_ERROR(SampleBucket(bucket, set.weight(), 0, size, &sample));
  }
  return std::move(sample.keys);
}

}  // namespace edgemill
