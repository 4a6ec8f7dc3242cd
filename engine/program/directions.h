// Which way messages cross edges: the first argument of every edge operator.
#pragma once

#include <cstdint>

namespace edgemill {

/// Along the stored edges (from source to target), against them, or both. On symmetric graphs all
/// three are the same: each edge is stored in both directions, and kBoth reads it once.
enum class Directions : uint8_t { kOut = 1, kIn = 2, kBoth = 3 };

inline constexpr Directions kOut = Directions::kOut;
inline constexpr Directions kIn = Directions::kIn;
inline constexpr Directions kBoth = Directions::kBoth;

namespace internal {
/// Not constexpr: where a constant expression calls it, the compiler's error has its name.
inline void DegreesAreOfOutOrInEdges() {}
}  // namespace internal

/// kOut or kIn, as a constant expression. kBoth does not compile.
class OneDirection {
 public:
  consteval OneDirection(Directions directions)  // NOLINT: implicit
      : is_out_(directions == Directions::kOut) {
    if (directions == Directions::kBoth) internal::DegreesAreOfOutOrInEdges();
  }
  constexpr bool is_out() const { return is_out_; }

 private:
  bool is_out_;
};

}  // namespace edgemill
