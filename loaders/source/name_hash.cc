#include "loaders/source/name_hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace edgemill {

NameHash HashName(std::string_view name, uint64_t seed) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(name.data(), name.size(), seed);
  return {hash.low64 >> 1, hash.high64};
}

}  // namespace edgemill
