// From where on figures by the edge or the second tell of a graph, and are printed.
#pragma once

#include <cstdint>

namespace edgemill::cli {

/// Below so many edges, bits an edge are those of padding, and edges a second those of starting
/// threads. JSON has them all the same.
inline constexpr uint64_t kMinEdgesOfRates = 10'000;
/// Below so many seconds, which are printed as 0.000, a rate is one of clocks.
inline constexpr double kMinSecondsOfRates = 0.001;

}  // namespace edgemill::cli
