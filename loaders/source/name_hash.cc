#include "loaders/source/name_hash.h"

#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "common/os/uuid.h"

namespace edgemill {

uint64_t HashName(std::string_view name, uint64_t seed) {
  return XXH3_128bits_withSeed(name.data(), name.size(), seed).low64 >> 1;
}

uint64_t DrawNameSeed() {
  const Uuid drawn = Uuid::Generate();
  uint64_t words[2];
  std::memcpy(words, drawn.bytes.data(), sizeof(words));
  return words[0] ^ words[1];
}

uint64_t MarkOfName(std::string_view name, uint64_t seed) {
  return XXH3_64bits_withSeed(name.data(), name.size(), seed);
}

}  // namespace edgemill
