// Spilled edges as an edge source again: to be partitioned once more.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "common/status.h"
#include "loaders/source/edge_source.h"
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

  const EdgeSourceInfo& info() const override { return info_; }
  StatusOr<bool> Next(EdgeChunk* chunk) override;
  StatusOr<std::string> PositionAfter(uint64_t sequence) override;
  Status Resume(const std::string& position) override;

 private:
  /// What has been read of a bucket's records.
  struct Records {
    const Bucket* bucket = nullptr;
    std::atomic<uint64_t> sum{0};  // of RecordHash
    std::atomic<uint64_t> pieces_left{0};
  };
  struct Piece {
    Records* records;
    uint64_t first;
    uint64_t count;
  };
  Status ReadWeights(const Piece& piece, std::vector<double>* weights) const;

  const Options options_;
  const SpilledWeight weight_;
  EdgeSourceInfo info_;
  std::vector<Records> records_;  // of each bucket
  std::vector<Piece> pieces_;
  std::atomic<uint64_t> next_{0};
};

}  // namespace edgemill
