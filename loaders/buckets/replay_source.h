// Gives spilled edges as an edge source, so that they can be partitioned once more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/status.h"
#include "loaders/buckets/bucket_ranges.h"
#include "loaders/buckets/bucket_set.h"
#include "loaders/source/edge_source.h"

namespace edgemill {

/// Gives one side of some buckets, in their order. Equal keys come in the order in which they were
/// spilled. Next returns BadDataError for a key outside its bucket's range. Next also returns it
/// with the last range of a bucket whose records are not those appended. The caller checks ids.
class ReplaySource : public EdgeSource {
 public:
  /// A good number of edges for a chunk, when chunks are taken one after the other. Larger chunks
  /// are no faster.
  static constexpr uint64_t kGoodChunkEdges = 32768;
  struct Options {
    int side = 0;
    /// Only edges u -> v with u <= v: undoes --undirected.
    bool rising_only = false;
    /// Exchanges source and target of each edge.
    bool reversed = false;
    uint64_t chunk_edges = kGoodChunkEdges;  // rounded down to whole pages, but at least one
  };
  /// The most edges in a chunk of `set`: those of whole pages.
  static uint64_t ChunkEdges(const BucketSet& set, uint64_t chunk_edges = kGoodChunkEdges) {
    return std::max(chunk_edges / set.page_records(), uint64_t{1}) * set.page_records();
  }
  /// Bytes of memory of a chunk and of the records from which Next makes it.
  static uint64_t ChunkBytes(const BucketSet& set, uint64_t chunk_edges = kGoodChunkEdges) {
    const bool weighted = set.weight() != SpilledWeight::kNone;
    return ChunkEdges(set, chunk_edges) *
           (set.record_bytes() + sizeof(NarrowEdge) + (weighted ? sizeof(double) : 0));
  }

  /// Gives the buckets `first` to `end` - 1 of `set`, which must not change meanwhile.
  ReplaySource(const BucketSet& set, size_t first, size_t end, const Options& options);
  /// Gives all buckets of `set`, and frees each as soon as it is read. Its memory is then free for
  /// the caller's use. Afterwards `set` may only be destroyed.
  static ReplaySource Consuming(BucketSet& set, const Options& options) {
    return ReplaySource(set, options, &set.buckets());
  }

  uint64_t num_chunks() const { return ranges_.num_ranges(); }
  const EdgeSourceInfo& info() const override { return info_; }
  StatusOr<bool> Next(EdgeChunk* chunk) override;
  StatusOr<std::string> PositionAfter(uint64_t sequence) override;
  Status Resume(const std::string& position) override;

 private:
  ReplaySource(const BucketSet& set, const Options& options, std::vector<Bucket>* consumed)
      : ReplaySource(set, 0, set.buckets().size(), options) {
    consumed_ = consumed;
  }

  const Options options_;
  const SpilledWeight weight_;
  const uint64_t record_bytes_;
  const std::span<const Bucket> buckets_;
  std::vector<Bucket>* consumed_ = nullptr;  // the same buckets, if they are freed once read
  BucketRanges ranges_;
  EdgeSourceInfo info_;
};

}  // namespace edgemill
