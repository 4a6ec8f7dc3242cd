// What stands for a vertex's name until all names are known and have ranks.
#pragma once

#include <cstdint>
#include <string_view>

namespace edgemill {

/// Two halves of one hash of 127 bits. `id` is what edges carry; names with one id and two checks
/// are two names, of which a graph cannot be made with this seed: 100 million names hold such a
/// pair once in two thousand times.
struct NameHash {
  uint64_t id = 0;  // below 2^63
  uint64_t check = 0;
  bool operator==(const NameHash&) const = default;
};

/// XXH3-128 of `name`.
NameHash HashName(std::string_view name, uint64_t seed);

}  // namespace edgemill
