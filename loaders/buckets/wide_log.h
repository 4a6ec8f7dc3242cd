// A log of edges with ids of 64 bits, in the input's order. The log is a set of buckets that are
// read one after the other. A record is a source, a target and a weight, if edges have weights.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/status.h"
#include "loaders/buckets/bucket_ranges.h"
#include "loaders/buckets/bucket_set.h"
#include "loaders/source/edge_source.h"

namespace edgemill {

/// Makes an empty log.
BucketSet MakeWideLog(SpillSpace& space, SpilledWeight weight);

/// One thread's chunk that is being appended to a log.
class WideBatch {
 public:
  /// Bytes of memory that a batch needs for each edge.
  static constexpr uint64_t EdgeBytes(bool weighted) {
    return sizeof(WideEdge) + (weighted ? sizeof(double) : 0);
  }
  /// Takes the edges of `chunk`, for a log with weights of type `weight`.
  void Fill(const EdgeChunk& chunk, SpilledWeight weight);
  /// Reserves places for the edges in `log`, and adds the copies to `copies`. The batch must stay
  /// until `copies` have run. One thread at a time.
  Status Append(BucketSet& log, SpillCopies* copies) const;

 private:
  std::vector<std::byte> records_;
  uint64_t sum_ = 0;  // of the records
};
/// Adds at most about `most` edges of `log` to `sample`, from evenly spaced pages.
Status SampleWide(const BucketSet& log, uint64_t most, std::vector<WideEdge>* sample);

/// Gives the edges of a log as an edge source, in EdgeChunk::wide. Next returns BadDataError with
/// the last range of a bucket whose records are not those that were appended.
class WideSource : public EdgeSource {
 public:
  /// The most edges in a chunk.
  static constexpr uint64_t kChunkEdges = 32768;
  /// Bytes of memory of a chunk, of the records from which Next makes it, and of the narrow edges
  /// that it becomes.
  static constexpr uint64_t ChunkBytes(bool weighted) {
    return kChunkEdges * (2 * sizeof(WideEdge) + sizeof(NarrowEdge) + (weighted ? 16 : 0));
  }

  /// `log` must not change meanwhile. With `consumes`, each bucket is freed as soon as it is read.
  /// Its memory is then free for the caller's use, and `log` may only be destroyed.
  WideSource(BucketSet& log, bool consumes);

  const EdgeSourceInfo& info() const override { return info_; }
  StatusOr<bool> Next(EdgeChunk* chunk) override;
  StatusOr<std::string> PositionAfter(uint64_t sequence) override;
  Status Resume(const std::string& position) override;

 private:
  const SpilledWeight weight_;
  const uint64_t record_bytes_;
  const bool consumes_;
  std::vector<Bucket>& buckets_;
  BucketRanges ranges_;
  EdgeSourceInfo info_;
};

}  // namespace edgemill
