// The operators on edges, written once over what a backend does: one pass, passes until nothing is
// active, and passes in order of priorities.
#pragma once

#include <cstdint>

#include "engine/program/backend.h"

namespace edgemill {

/// All have `passes` made for `program`. Errors are those of the passes, and CancelledError.
StatusOr<VertexSet> RunEdgeMap(OperatorPasses& passes, const ProgramRef& program,
                               const VertexSet& from);
StatusOr<FixpointTotals> RunFixpoint(OperatorPasses& passes, const ProgramRef& program,
                                     VertexSet from, uint64_t max_passes);
StatusOr<FixpointTotals> RunBucketed(OperatorPasses& passes, const ProgramRef& program,
                                     VertexSet from, const Buckets& buckets);

}  // namespace edgemill
