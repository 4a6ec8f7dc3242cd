// Afforest on a GPU: see cc.cc for the method.
#pragma once

#include <span>

#include "engine/old/algorithms/gpu_algorithm.h"
#include "engine/old/plan/gpu_memory.h"

namespace edgemill {

/// Neighbours of each vertex that Afforest's first sweep links.
inline constexpr uint32_t kSampledNeighbors = 2;
/// Vertices looked at to find the giant component.
inline constexpr uint32_t kSampledVertices = 1024;

/// What Afforest's sweeps ask for on the card: of directed graphs, in-lists are swept only for what
/// the out-lists of the giant hide.
inline IterationNeeds AfforestNeeds(const ModeRules& rules, bool directed) {
  const bool only_in = !rules.can_sweep_out;
  return {.push = !only_in,
          .pull = only_in || (directed && rules.can_sweep_in),
          .out_index = rules.has_out_index,
          .frontier = true,
          .once = true};
}

/// Writes to `component` each vertex's root: the least vertex of its component. The environment has
/// a GPU. Errors of reader and device; BudgetError when --gpu-memory is too small.
Status AfforestOnGpu(const RunEnvironment& environment, std::span<VertexId> component);

}  // namespace edgemill
