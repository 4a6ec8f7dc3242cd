// Errors of edges with the file and line of the edge: the input is read once more to find the line.
#pragma once

#include <optional>

#include "common/status.h"
#include "common/thread_annotations.h"
#include "loaders/context/edge_intake.h"
#include "loaders/source/edge_source.h"

namespace edgemill {

/// Puts the place of an edge before an error. Each call may read all of the input. An input that
/// can no longer be read, or has no places, leaves the error as it is. Thread-safe.
class EdgeErrorLocator {
 public:
  /// `source` must outlive this.
  explicit EdgeErrorLocator(const EdgeSource& source) : source_(source) {}

  /// Returns `error` with the place of the first edge that `match` selects.
  Status At(const EdgeMatch& match, const Status& error) const;
  /// Returns `error` with the place of the first edge source -> target.
  Status AtEdge(ExternalId source, ExternalId target, const Status& error) const;
  /// Returns the error of the first edge that ApplyRules refuses by `rules`, with its place;
  /// `error`, which ApplyRules returned for some edge, where no place is known. The first call
  /// decides: threads that meet several such edges wait for one answer.
  Status ExplainRefused(const EdgeRules& rules, const Status& error);

 private:
  const EdgeSource& source_;
  Mutex refused_mutex_;
  std::optional<Status> refused_ GUARDED_BY(refused_mutex_);
};

}  // namespace edgemill
