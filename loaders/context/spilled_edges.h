// The edges of an ingest between its passes.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "loaders/buckets/bucket_set.h"
#include "loaders/spill/spill_space.h"

namespace edgemill {

/// Buckets of edges, and the space that they lie in.
struct SpilledEdges {
  std::unique_ptr<SpillSpace> space;  // outlives the sets, which follow
  std::optional<BucketSet> forward;
  std::optional<BucketSet> reversed;  // of directed graphs with in-columns
  /// The edges as read, from the first chunk with a wide id to the end (wide_log.h).
  std::optional<BucketSet> wide;
  /// Wide ids that a vertex list names.
  std::optional<BucketSet> wide_listed;
  std::vector<BucketSet> retired;  // no longer needed once the next state is saved

  /// The sets that are not retired, in the journal's order.
  std::array<std::optional<BucketSet>*, 4> sets() {
    return {&forward, &reversed, &wide, &wide_listed};
  }
  /// Seals all sets, once all edges are added.
  void Seal() {
    for (std::optional<BucketSet>* set : sets()) {
      if (set->has_value()) (*set)->Seal();
    }
  }
  /// Retires `set` and leaves it without a value.
  void Retire(std::optional<BucketSet>& set) {
    if (set.has_value()) retired.push_back(*std::move(set));
    set.reset();
  }
  /// Leaves all files in place for a resume.
  void LeaveFiles() {
    for (std::optional<BucketSet>* set : sets()) {
      if (set->has_value()) (*set)->LeaveFiles();
    }
    for (BucketSet& set : retired) set.LeaveFiles();
  }
};

}  // namespace edgemill
