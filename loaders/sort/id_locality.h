// Whether the ids of an input say which vertices are near each other.
#pragma once

#include <cstddef>
#include <span>

#include "loaders/source/edge_source.h"

namespace edgemill {

/// So many edges from the start of an input tell of its ids.
constexpr size_t kLocalityEdges = size_t{1} << 17;

/// By how many bits an edge, or the step from one target of a list to the next, is shorter than by
/// chance: the mean of log2, over at most kLocalityEdges of `edges` with these and with shuffled
/// targets. 0 without edges.
double LocalityBits(std::span<const NarrowEdge> edges);

/// Whether an order by degree would pay for an input that begins with `edges`: its neighbours have
/// no near ids, and it is not so small that no order matters.
bool WantsOrderByDegree(std::span<const NarrowEdge> edges);

}  // namespace edgemill
