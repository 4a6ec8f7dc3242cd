// Constants by which blocks' transfers are chosen, beside what calibrate measures.
//
// They are here because engine/cost and engine/transfer both use them; those of passes are in
// engine/plan/tuning.h.
#pragma once

#include <cstdint>

namespace edgemill {

/// Copies of fewer bytes are done by a kernel, many chunks at a time: that saves what starting a
/// copy takes, and reads across the link at its own rate.
inline constexpr uint64_t kLeastCopyBytes = uint64_t{192} << 10;

/// Shares of wanted groups above this one count as this one: if `share` of the groups is wanted at
/// random, 1 / (1 - share) of them lie together on average.
inline constexpr double kMostRandomShare = 0.999;

/// Resident blocks are evicted once they have cost this share of what filling the resident capacity
/// takes: most of what comes to stay would be sent in any case.
inline constexpr double kEvictionShare = 0.125;

/// What a pass wants of resident blocks counts so many times as much as what it wants of others, so
/// that blocks are evicted only for others that are wanted much more.
inline constexpr double kResidentWorth = 4;

}  // namespace edgemill
