// Spilled edges as an edge source again: to be partitioned once more.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/status.h"
#include "loaders/source/edge_source.h"
#include "loaders/spill/bucket_pieces.h"
#include "loaders/spill/bucket_set.h"

namespace edgemill {

/// Gives one side of some buckets, in their order; equal keys come in the order they were spilled
/// in. Next returns BadDataError for a key outside its bucket's range, and with the last piece of a
/// bucket whose records are not those that were appended; ids are the caller's to bound.
class ReplaySource : public EdgeSource {
 public:
  struct Options {
    int side = 0;
    /// Only edges u -> v with u <= v: undoes --undirected.
    bool rising_only = false;
    /// Gives each edge the other way round.
    bool reversed = false;
  };
  /// Edges in a chunk at the most.
  static constexpr uint64_t kChunkEdges = 32768;
  /// Memory of a chunk and of what Next makes it from, in bytes.
  static constexpr uint64_t ChunkBytes(bool weighted) {
    return kChunkEdges * (sizeof(uint64_t) + sizeof(NarrowEdge) + (weighted ? 24 : 0));
  }

  /// Buckets `first` to `end` - 1 of `set`, which must not change meanwhile.
  ReplaySource(const BucketSet& set, size_t first, size_t end, const Options& options);

  uint64_t num_chunks() const { return pieces_.num_pieces(); }
  const EdgeSourceInfo& info() const override { return info_; }
  StatusOr<bool> Next(EdgeChunk* chunk) override;
  StatusOr<std::string> PositionAfter(uint64_t sequence) override;
  Status Resume(const std::string& position) override;

 private:
  Status ReadWeights(const Bucket& bucket, const BucketPieces::Piece& piece,
                     std::vector<double>* weights) const;

  const Options options_;
  const SpilledWeight weight_;
  const std::span<const Bucket> buckets_;
  BucketPieces pieces_;
  EdgeSourceInfo info_;
};

}  // namespace edgemill
