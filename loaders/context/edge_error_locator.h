// Adds the file and the line of an edge to its error. Finds them by reading the input once more.
#pragma once

#include <optional>

#include "common/status.h"
#include "common/thread_annotations.h"
#include "loaders/context/edge_intake.h"
#include "loaders/source/edge_source.h"

namespace edgemill {

/// Puts the place of an edge before an error. Each call may read all of the input. The error stays
/// unchanged if the input can no longer be read or has no places. Thread-safe.
class EdgeErrorLocator {
 public:
  /// `source` must outlive this.
  explicit EdgeErrorLocator(const EdgeSource& source) : source_(source) {}

  /// Returns `error` with the place of the first edge that `match` selects.
  Status At(const EdgeMatch& match, const Status& error) const;
  /// Returns `error` with the place of the first edge source -> target.
  Status AtEdge(ExternalId source, ExternalId target, const Status& error) const;
  /// Returns the error of the first edge that ApplyRules refuses by `rules`, with its place. If no
  /// place is known, returns `error`, which ApplyRules returned for some edge. All threads with
  /// such edges wait for the first call and get its result.
  Status LocateFirstError(const EdgeRules& rules, const Status& error);

 private:
  const EdgeSource& source_;
  Mutex refused_mutex_;
  std::optional<Status> refused_ GUARDED_BY(refused_mutex_);
};

}  // namespace edgemill
