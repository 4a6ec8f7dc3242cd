#include "loaders/buckets/replay_source.h"

#include <algorithm>
#include <bit>

#include "common/check.h"
#include "loaders/buckets/record_hash.h"

namespace edgemill {

ReplaySource::ReplaySource(const BucketSet& set, size_t first, size_t end, const Options& options)
    : options_(options),
      weight_(set.weight()),
      record_bytes_(set.record_bytes()),
      buckets_(std::span(set.buckets()).subspan(first, end - first)),
      ranges_(buckets_, options.side, ChunkEdges(set, options.chunk_edges)) {
  CHECK_LE(first, end);
  CHECK_LT(options.side, set.num_sides());
  info_.names = {"temporary files"};
  info_.weighted = weight_ != SpilledWeight::kNone;
  info_.expected_edges = ranges_.num_records();
}

StatusOr<bool> ReplaySource::Next(EdgeChunk* chunk) {
  chunk->Clear();
  const BucketRanges::Range* const taken = ranges_.Next(&chunk->sequence);
  if (taken == nullptr) return false;
  const BucketRanges::Range& range = *taken;
  const Bucket& bucket = buckets_[range.bucket];
  const SpillStream& records = *bucket.records[size_t(options_.side)];
  const auto take = [&](uint64_t record) {
    const uint64_t key = options_.reversed ? ReverseKey(record) : record;
    return NarrowEdge{static_cast<uint32_t>(key >> 32), static_cast<uint32_t>(key)};
  };
  const auto is_left_out = [&](const NarrowEdge& edge) {
    return options_.rising_only && edge.source > edge.target;
  };
  bool inside = true;
  uint64_t sum = 0;
  if (weight_ == SpilledWeight::kNone) {
    // Keys are read into the memory of the edges, and become edges in place.
    static_assert(sizeof(NarrowEdge) == sizeof(uint64_t));
    chunk->narrow.resize(range.count);
    RETURN_IF_ERROR(records.Read(range.first * record_bytes_,
                                 std::as_writable_bytes(std::span(chunk->narrow))));
    sum = Summarize({reinterpret_cast<const uint64_t*>(chunk->narrow.data()), range.count}, 0).sum;
    for (NarrowEdge& edge : chunk->narrow) {
      const auto record = std::bit_cast<uint64_t>(edge);
      inside &= bucket.Holds(record);
      edge = take(record);
    }
    if (options_.rising_only) std::erase_if(chunk->narrow, is_left_out);
  } else {
    std::vector<std::byte> bytes(range.count * record_bytes_);
    RETURN_IF_ERROR(records.Read(range.first * record_bytes_, bytes));
    VisitRecords(bytes, weight_, [&](size_t, uint64_t record, double weight) {
      inside &= bucket.Holds(record);
      sum += RecordHash(record, weight);
      const NarrowEdge edge = take(record);
      if (is_left_out(edge)) return;
      chunk->narrow.push_back(edge);
      chunk->weights.push_back(weight);
    });
  }
  if (!inside) return bucket.KeyOutside(options_.side);
  ASSIGN_OR_RETURN(const bool is_last, ranges_.Read(range, bucket, sum));
  if (is_last && consumed_ != nullptr) (*consumed_)[range.bucket] = Bucket();
  return true;
}

StatusOr<std::string> ReplaySource::PositionAfter(uint64_t sequence) {
  return BucketRanges::PositionAfter(sequence);
}

Status ReplaySource::Resume(const std::string& position) { return ranges_.Resume(position); }

}  // namespace edgemill
