// Edges by ids of 64 bits, in the input's order: a set of buckets that are read one after the
// other, whose records are a source, a target and a weight.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/status.h"
#include "loaders/buckets/bucket_ranges.h"
#include "loaders/buckets/bucket_set.h"
#include "loaders/source/edge_source.h"

namespace edgemill {

/// An empty log.
BucketSet MakeWideLog(SpillSpace& space, SpilledWeight weight);

/// One thread's chunk on its way into a log.
class WideBatch {
 public:
  /// Memory of a batch, in bytes an edge.
  static constexpr uint64_t EdgeBytes(bool weighted) {
    return sizeof(WideEdge) + (weighted ? sizeof(double) : 0);
  }
  /// Takes the edges of `chunk`, for a log with such weights.
  void Fill(const EdgeChunk& chunk, SpilledWeight weight);
  /// Places them in `log`, and leaves the copying to `copies`, until which the batch must stay. One
  /// thread at a time.
  Status Append(BucketSet& log, SpillCopies* copies) const;

 private:
  std::vector<std::byte> records_;
  uint64_t sum_ = 0;  // of the records
};
/// Adds at most about `most` edges of `log`, in ranges evenly spaced, to `sample`.
Status SampleWide(const BucketSet& log, uint64_t most, std::vector<WideEdge>* sample);

/// A log as an edge source again: EdgeChunk::wide. Next returns BadDataError with the last range of
/// a bucket whose records are not those that were appended.
class WideSource : public EdgeSource {
 public:
  /// Edges in a chunk at the most.
  static constexpr uint64_t kChunkEdges = 32768;
  /// Memory of a chunk, of what Next makes it from and of what it is turned into, in bytes.
  static constexpr uint64_t ChunkBytes(bool weighted) {
    return kChunkEdges * (2 * sizeof(WideEdge) + sizeof(NarrowEdge) + (weighted ? 16 : 0));
  }

  /// `log` must not change meanwhile. With `consumes` buckets go as soon as they are read, so that
  /// what is made of them takes their place in memory; `log` is only good to be destroyed then.
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
