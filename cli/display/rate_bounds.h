// Bounds below which rates say nothing about a graph and are not printed.
#pragma once

#include <cstdint>

namespace edgemill::cli {

/// With fewer edges, padding decides the bits an edge, and the start of threads decides the edges a
/// second. JSON always has these figures.
inline constexpr uint64_t kMinEdgesForRates = 10'000;
/// Shorter times are printed as 0.000, and the precision of the clock decides their rates.
inline constexpr double kMinSecondsForRates = 0.001;

}  // namespace edgemill::cli
