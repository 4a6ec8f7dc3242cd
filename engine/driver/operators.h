// The operators on edges, written once for all backends: one pass, passes until no vertex is
// active, and passes in order of priorities.
#pragma once

#include <cstdint>

#include "engine/program/backend.h"
#include "engine/program/bucket_bound.h"

namespace edgemill {

/// Says when an operator of many passes has to pause. A paused operator has ended, with the
/// vertices that are left, and another one goes on with these.
class PassAllowance {
 public:
  virtual ~PassAllowance() = default;
  /// How many passes may follow, when `done` were done since the operator began or went on. 0: the
  /// operator has to pause. Asked after each pass, and before launches of many passes.
  virtual uint64_t Left(uint64_t done) = 0;
};

/// In all three, `passes` were made for `program`. Errors are those of the passes, and
/// CancelledError.
StatusOr<VertexSet> RunEdgeMap(OperatorPasses& passes, const ProgramRef& program,
                               const VertexSet& from);
StatusOr<FixpointTotals> RunFixpoint(OperatorPasses& passes, const ProgramRef& program,
                                     VertexSet from, uint64_t max_passes,
                                     PassAllowance* allowance = nullptr);
/// Goes on with `bucket`. If vertices are left, the allowance has made it pause.
StatusOr<FixpointTotals> RunBucketed(OperatorPasses& passes, const ProgramRef& program,
                                     VertexSet from, BucketBound* bucket,
                                     PassAllowance* allowance = nullptr);

}  // namespace edgemill
