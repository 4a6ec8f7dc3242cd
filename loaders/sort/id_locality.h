// Whether the ids of an input say which vertices are near each other.
#pragma once

#include <cstddef>
#include <span>

#include "loaders/source/edge_source.h"

namespace edgemill {

/// How many edges from the start of an input are measured.
constexpr size_t kLocalityEdges = size_t{1} << 17;

/// By how many bits edges are shorter than by chance. The length of an edge is the distance between
/// its ids, or the step from the previous target of the list if this is shorter. Compares the mean
/// log2 of the lengths with that for shuffled targets, over at most kLocalityEdges of `edges`. 0
/// without edges.
double LocalityBits(std::span<const NarrowEdge> edges);

/// Whether an order by degree would help for an input that begins with `edges`. It does when the
/// ids of neighbours are far apart, and when the input is so large that the order matters.
bool WantsOrderByDegree(std::span<const NarrowEdge> edges);

}  // namespace edgemill
