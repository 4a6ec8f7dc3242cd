// Random identifiers of graphs and data directories.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "common/status.h"

namespace edgemill {

/// A version 4 UUID (RFC 4122).
struct Uuid {
  std::array<uint8_t, 16> bytes{};

  /// A new UUID from the kernel's random source.
  static Uuid Generate();
  /// A UUID made from this one and `salt`, always the same (for a graph's data directories).
  Uuid Derive(uint64_t salt) const;
  /// Reads "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"; UsageError for other text.
  static StatusOr<Uuid> Parse(std::string_view text);
  std::string ToString() const;

  auto operator<=>(const Uuid&) const = default;
};

}  // namespace edgemill
