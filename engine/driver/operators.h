// The operators on edges, written once for all backends: one pass, passes until no vertex is
// active, and passes in order of priorities.
#pragma once

#include <cstdint>

#include "engine/program/backend.h"

namespace edgemill {

/// In all three, `passes` were made for `program`. Errors are those of the passes, and
/// CancelledError.
StatusOr<VertexSet> RunEdgeMap(OperatorPasses& passes, const ProgramRef& program,
                               const VertexSet& from);
StatusOr<FixpointTotals> RunFixpoint(OperatorPasses& passes, const ProgramRef& program,
                                     VertexSet from, uint64_t max_passes);
StatusOr<FixpointTotals> RunBucketed(OperatorPasses& passes, const ProgramRef& program,
                                     VertexSet from, const Buckets& buckets);

}  // namespace edgemill
