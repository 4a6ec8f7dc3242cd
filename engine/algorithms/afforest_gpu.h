// Afforest on a GPU: see cc.cc for the method.
#pragma once

#include <span>

#include "engine/algorithm.h"

namespace edgemill {

/// Neighbours of each vertex that Afforest's first sweep links.
inline constexpr uint32_t kSampledNeighbors = 2;
/// Vertices looked at to find the giant component.
inline constexpr uint32_t kSampledVertices = 1024;

/// Writes to `component` each vertex's root: the least vertex of its component. The environment has
/// a GPU. Errors of reader and device; BudgetError when --gpu-memory is too small.
Status AfforestOnGpu(const RunEnvironment& environment, std::span<VertexId> component);

}  // namespace edgemill
