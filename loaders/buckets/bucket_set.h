// Spilled edges in buckets by key range. The partition pass fills them, the sort pass empties them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/check.h"
#include "common/state_blob.h"
#include "common/status.h"
#include "common/thread_annotations.h"
#include "loaders/buckets/key_splitters.h"
#include "loaders/spill/spill_space.h"

namespace edgemill {

/// The key of an edge: the vertex that edges are sorted by first, then the other one.
constexpr uint64_t EdgeKey(uint32_t first, uint32_t second) {
  return uint64_t{first} << 32 | second;
}
constexpr uint64_t ReverseKey(uint64_t key) { return key << 32 | key >> 32; }

/// The edges of one range of keys. In a log, and where no page was written to disk, they keep the
/// input's order. Elsewhere only edges with equal keys keep it. Side 1 holds the reversed edges of
/// a graph that is symmetrized (--symmetrize).
struct Bucket {
  uint64_t first_key = 0;
  uint64_t last_key = 0;
  std::array<std::unique_ptr<SpillStream>, 2> records;
  /// For each side, the sum of RecordHash over the records that were appended.
  std::array<uint64_t, 2> sums{};

  uint64_t count(int side) const {
    return records[size_t(side)] == nullptr ? 0 : records[size_t(side)]->num_records();
  }
  uint64_t count() const { return count(0) + count(1); }
  bool has_single_key() const { return first_key == last_key; }

  /// Whether `key` lies in this range.
  bool Holds(uint64_t key) const { return key - first_key <= last_key - first_key; }
  /// The error of damaged records of `side`. `what` says what is wrong with them.
  Status BadRecords(int side, std::string_view what) const {
    return records[size_t(side)]->BadAt(0, what);
  }
  /// Checks records that were read from `side`: the sum of their RecordHash is `sum`. Returns
  /// BadRecords if they are not the records that were appended.
  Status CheckRecords(int side, uint64_t sum) const {
    if (sum == sums[size_t(side)]) return OkStatus();
    return BadRecords(side, "edges that begin here: they differ from those that were written");
  }
  /// The error of a key of `side` that lies outside the range.
  Status KeyOutside(int side) const {
    return BadRecords(side, "edges that begin here: a vertex is outside their range");
  }
  /// The fields that the journal keeps (state_blob.h), except the records.
  template <typename Visitor, typename Self>
  static void ListFields(Visitor& visitor, Self& bucket) {
    visitor.Fields(bucket.first_key, bucket.last_key, bucket.sums);
  }
};

/// Some keys of a bucket, and the least and largest of all keys that were read.
struct KeySample {
  std::vector<uint64_t> keys;
  uint64_t smallest = ~uint64_t{0};
  uint64_t largest = 0;
};

/// How large a sample is: about how many keys it takes, and how many bytes of records (as in
/// memory) it reads.
struct SampleSize {
  uint64_t keys = 1 << 16;
  uint64_t read_bytes = ~uint64_t{0};  // all

  /// Reads only some of the pages. They are enough to choose the borders of ranges.
  static constexpr SampleSize Partial() { return {.read_bytes = uint64_t{64} << 20}; }
};

/// Adds evenly spaced keys of `side` of a bucket to `sample`. Its records have weights of type
/// `weight`. BadDataError when a key that was read lies outside the bucket's range; also the errors
/// of SpillStream::Read.
Status SampleBucket(const Bucket& bucket, SpilledWeight weight, int side, const SampleSize& size,
                    KeySample* sample);

/// Buckets in key order, over all keys.
class BucketSet {
 public:
  /// Empty buckets, one for each range of `splitters`. Their records have weights of type `weight`.
  BucketSet(SpillSpace& space, SpilledWeight weight, int num_sides, KeySplitters splitters)
      : BucketSet(space, SpillForm::Records(weight), num_sides, std::move(splitters)) {}
  /// One empty bucket for all keys. Its records have the form `form`.
  BucketSet(SpillSpace& space, const SpillForm& form) : BucketSet(space, form, 1, KeySplitters()) {}

  /// The current ranges; CutLast makes new ones. Thread-safe. The pointer is shared, since a thread
  /// may still be sorting by the old ranges.
  std::shared_ptr<const KeySplitters> splitters() const {
    MutexLock lock(*mutex_);
    return splitters_;
  }
  std::vector<Bucket>& buckets() { return buckets_; }
  const std::vector<Bucket>& buckets() const { return buckets_; }
  SpillSpace& space() const { return *space_; }
  SpilledWeight weight() const { return form_.weight; }
  uint32_t record_bytes() const { return form_.record_bytes; }
  /// Records in one page.
  uint64_t page_records() const { return space_->page_bytes() / form_.record_bytes; }
  int num_sides() const { return num_sides_; }
  uint64_t num_edges() const;
  /// The error of an edge whose end is no vertex of the input. Needs at least one bucket.
  Status NoVertex() const {
    CHECK(!buckets_.empty());
    return buckets_[0].BadRecords(0, "edges that begin here: an end is not a vertex of the input");
  }
  /// The largest key in any bucket, so that the last range has an end.
  uint64_t max_key() const { return max_key_; }
  void RaiseMaxKey(uint64_t key) { max_key_ = key > max_key_ ? key : max_key_; }

  /// Cuts the last bucket's range after its largest key. Larger keys go to a new last bucket. For
  /// sorted inputs, whose first edges do not show the keys of later ones.
  void CutLast();
  /// For a log, whose buckets are read in order and may be freed one by one. If the last bucket is
  /// full, seals it and adds a bucket for the records that follow.
  void CutLogIfFull();
  /// Replaces the bucket `index` by the buckets of `parts`, which cover its range. Returns a set
  /// that has only the replaced bucket.
  BucketSet Replace(size_t index, BucketSet parts);
  /// Narrows the first and last bucket: no key lies outside [first_key, last_key].
  void NarrowTo(uint64_t first_key, uint64_t last_key);

  /// Seals all streams, once all records are appended.
  void Seal() {
    ForEachStream([](SpillStream& stream) { stream.Seal(); });
  }
  /// Makes all buckets survive a crash.
  Status Save();
  /// Leaves all files in place for a resume.
  void LeaveFiles() {
    ForEachStream([](SpillStream& stream) { stream.LeaveFiles(); });
  }
  /// Writes the state of the set and of the buckets from `first_bucket` on.
  void PutState(size_t first_bucket, StateWriter* out) const;
  static StatusOr<BucketSet> FromState(SpillSpace& space, StateReader* in);

 private:
  BucketSet(SpillSpace& space, const SpillForm& form, int num_sides, KeySplitters splitters);
  BucketSet(SpillSpace& space, const SpillForm& form, int num_sides)
      : space_(&space), form_(form), num_sides_(num_sides) {
    CHECK(num_sides == 1 || num_sides == 2);
  }
  template <typename Visit>
  void ForEachStream(Visit visit) {
    for (Bucket& bucket : buckets_) {
      for (std::unique_ptr<SpillStream>& stream : bucket.records) {
        if (stream != nullptr) visit(*stream);
      }
    }
  }
  Bucket NewBucket(uint64_t first_key, uint64_t last_key);
  void SetSplitters(KeySplitters splitters);

  SpillSpace* space_;
  SpillForm form_;
  int num_sides_;
  uint64_t max_key_ = 0;
  std::unique_ptr<Mutex> mutex_ = std::make_unique<Mutex>();
  std::shared_ptr<const KeySplitters> splitters_;  // guarded by *mutex_
  std::vector<Bucket> buckets_;
};

/// Returns some keys of side 0 of all buckets. The errors are those of SampleBucket.
StatusOr<std::vector<uint64_t>> SampleKeys(const BucketSet& set);

}  // namespace edgemill
