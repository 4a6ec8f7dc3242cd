// Edges that a program gives in arrays.
#pragma once

#include <string>

#include "common/thread_annotations.h"
#include "edgemill/edgemill.h"
#include "loaders/source/edge_source.h"

namespace edgemill {

/// The edges of a caller's function. Such an ingest is not resumed.
class GivenEdges : public EdgeSource {
 public:
  /// `named`: the edges have names in the place of ids.
  GivenEdges(const NextEdges& next, bool weighted, bool named);

  const EdgeSourceInfo& info() const override { return info_; }
  void SetNameSeed(uint64_t seed) override { info_.name_seed = seed; }
  StatusOr<bool> Next(EdgeChunk* chunk) override;
  StatusOr<std::string> PositionAfter(uint64_t sequence) override;
  Status Resume(const std::string& position) override;

 private:
  StatusOr<bool> Take(EdgeChunk* chunk) REQUIRES(mutex_);
  Status AddIds(const EdgeArrays& edges, EdgeChunk* chunk) const REQUIRES(mutex_);
  Status AddNames(const EdgeArrays& edges, EdgeChunk* chunk) const REQUIRES(mutex_);

  const NextEdges& next_;
  EdgeSourceInfo info_;
  Mutex mutex_;
  uint64_t num_chunks_ GUARDED_BY(mutex_) = 0;
  uint64_t num_edges_ GUARDED_BY(mutex_) = 0;
  Status failed_ GUARDED_BY(mutex_);
  bool ended_ GUARDED_BY(mutex_) = false;
};

}  // namespace edgemill
