// What the driver asks of a processor that runs the passes of an edge program.
#pragma once

#include <cstdint>

#include "common/status.h"
#include "common/types.h"
#include "engine/program/bucket_bound.h"
#include "engine/program/mode.h"
#include "engine/program/operator_types.h"
#include "engine/program/sets/vertex_set.h"

namespace edgemill {

/// Vertices, and their edges in the lists that a push would read.
struct ActiveCounts {
  uint64_t vertices = 0;
  EdgeIndex edges = 0;
};

/// Runs one operator's passes. One thread drives it: Begin, then passes, then End.
template <typename P>
class EdgeBackend {
 public:
  virtual ~EdgeBackend() = default;

  /// The members of `from` emit in the next pass. `from` must stay until that is over.
  virtual Status Begin(const VertexSet& from) = 0;
  /// Who emits in the next pass.
  virtual ActiveCounts active() const = 0;
  /// What has emitted in the passes so far.
  virtual ActiveCounts emitted() const = 0;
  /// One pass. `asynchronous`: what becomes active emits in it, where the run is so and the
  /// priority is below `bound`.
  virtual Status Pass(const P& program, bool asynchronous, double bound) = 0;
  /// What the last pass made active emits in the next one.
  virtual Status Advance() = 0;

  // Buckets.
  /// Advance, and of those that would emit next, those with priorities of `bound` or more wait
  /// instead.
  virtual Status AdvanceBelow(const P& program, double bound) {
    RETURN_IF_ERROR(Advance());
    return Split(program, bound);
  }
  /// Of those that would emit next, those with priorities of `bound` or more wait instead.
  virtual Status Split(const P& program, double bound) = 0;
  /// The least priority of those that wait, but for those below `bound`, which have emitted
  /// meanwhile; infinity where there is none.
  virtual StatusOr<double> LeastWaiting(const P& program, double bound) = 0;
  /// Those that wait with priorities below `bound` emit next, but for those below `before`, which
  /// have emitted meanwhile.
  virtual Status TakeWaiting(const P& program, double before, double bound) = 0;

  /// Where a card does many small passes by itself, push after push, and begins buckets, faster
  /// than one by one: does some, at most `most_passes`, from what is active, and leaves `bucket`
  /// (null without buckets) as they did. Returns how many there were: 0 where this is no time for
  /// it. The caller has program.Next() catch up.
  virtual StatusOr<uint64_t> PassesAlone(const P&, uint64_t, BucketBound*) { return uint64_t{0}; }

  /// Ends the operator: what is active, and has not emitted.
  virtual StatusOr<VertexSet> End() = 0;
};

}  // namespace edgemill
