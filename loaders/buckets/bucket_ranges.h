// Hands out the records of buckets in ranges to several threads, and checks that they are the
// records that were appended.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/check.h"
#include "common/status.h"
#include "common/strings.h"
#include "loaders/buckets/bucket_set.h"

namespace edgemill {

/// Hands out one side of buckets range by range, in their order. Thread-safe.
class BucketRanges {
 public:
  struct Range {
    size_t bucket;  // index in the buckets that the constructor got
    uint64_t first;
    uint64_t count;
  };

  /// Makes ranges of at most `most` records. Where records are packed, `most` is whole pages.
  BucketRanges(std::span<const Bucket> buckets, int side, uint64_t most)
      : side_(side), records_(buckets.size()) {
    CHECK_GT(most, 0u);
    for (size_t i = 0; i < buckets.size(); ++i) {
      const uint64_t count = buckets[i].count(side);
      num_records_ += count;
      records_[i].ranges_left = (count + most - 1) / most;
      for (uint64_t at = 0; at < count; at += most) {
        ranges_.push_back({i, at, std::min(most, count - at)});
      }
    }
  }

  uint64_t num_records() const { return num_records_; }
  uint64_t num_ranges() const { return ranges_.size(); }
  /// Returns the next range, and its number in `*sequence`; null after the last range.
  const Range* Next(uint64_t* sequence) {
    *sequence = next_.fetch_add(1, std::memory_order_relaxed);
    return *sequence < ranges_.size() ? &ranges_[*sequence] : nullptr;
  }
  /// Notes that a range of `bucket` was read; `sum` is the sum of its records' hashes. Returns true
  /// for the bucket's last range, or BadDataError when the records are not those appended.
  StatusOr<bool> Read(const Range& range, const Bucket& bucket, uint64_t sum) {
    Records& records = records_[range.bucket];
    records.sum += sum;
    const uint64_t left = records.ranges_left.fetch_sub(1);
    CHECK_GT(left, 0u);  // each range is read once
    if (left > 1) return false;
    RETURN_IF_ERROR(bucket.CheckRecords(side_, records.sum));
    return true;
  }

  /// The functions of an EdgeSource with these names.
  static std::string PositionAfter(uint64_t sequence) { return StrCat(sequence + 1); }
  Status Resume(const std::string& position) {
    uint64_t next = 0;
    if (!ParseNumber(position, &next)) return BadDataError("no position in temporary files");
    next_.store(next, std::memory_order_relaxed);
    return OkStatus();
  }

 private:
  /// How much of a bucket's records has been read.
  struct Records {
    std::atomic<uint64_t> sum{0};
    std::atomic<uint64_t> ranges_left{0};
  };

  const int side_;
  uint64_t num_records_ = 0;
  std::vector<Records> records_;  // of each bucket
  std::vector<Range> ranges_;
  std::atomic<uint64_t> next_{0};
};

}  // namespace edgemill
