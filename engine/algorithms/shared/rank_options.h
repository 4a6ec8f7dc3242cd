// Options that PageRank and its relatives share.
#pragma once

#include "engine/api/algorithm.h"

namespace edgemill {

inline constexpr Option<uint64_t> kRankIterations{"-i,--iterations", "how many iterations, at most",
                                                  Whole32(1), 100};
inline constexpr Option<double> kRankTolerance{
    "-t,--tolerance", "stop at an L1 change of X; 0: never", {.least = 0}, 1e-6};
inline constexpr Option<double> kDamping{
    "--damping", "the chance of following an edge", {.least = 0, .below = 1}, 0.85};

}  // namespace edgemill
