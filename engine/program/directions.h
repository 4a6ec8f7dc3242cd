// Which way messages cross edges: the first argument of every edge operator.
#pragma once

#include <cstdint>

namespace edgemill {

/// Along the stored edges (from source to target), against them, or both. On symmetric graphs all
/// three are the same: each edge is stored both ways there, and kBoth reads it once.
enum class Directions : uint8_t { kOut = 1, kIn = 2, kBoth = 3 };

inline constexpr Directions kOut = Directions::kOut;
inline constexpr Directions kIn = Directions::kIn;
inline constexpr Directions kBoth = Directions::kBoth;

}  // namespace edgemill
