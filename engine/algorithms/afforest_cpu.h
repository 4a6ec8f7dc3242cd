// Connected components by neighbour sampling, on the CPU: see cc.cc.
#pragma once

#include <span>

#include "engine/api/algorithm.h"

namespace edgemill {

/// Writes each vertex's component, its least vertex's number, to `component`, one a vertex, of
/// which there must be one.
Status AfforestOnCpu(const RunEnvironment& environment, std::span<VertexId> component);

}  // namespace edgemill
