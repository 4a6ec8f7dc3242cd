#include "kernels/cpu/group_gathering.h"

#include <cstring>

namespace edgemill {
namespace {

bool IsWanted(const uint32_t* groups, uint64_t group) {
  return groups == nullptr || (groups[group / 32] >> (group % 32) & 1) != 0;
}

/// Rounds up words of data, so that payloads stay multiples of 8 bytes.
uint64_t Even(uint64_t words) { return (words + 1) / 2 * 2; }

}  // namespace

uint64_t GatheredBytes(const PackedView& view, const uint32_t* groups, uint64_t first) {
  uint64_t words = 0;
  for (uint32_t group = 0; group < view.num_groups(); ++group) {
    if (IsWanted(groups, first + group)) words += view.header(group).num_words();
  }
  return uint64_t{8} * view.num_groups() + 4 * Even(words);
}

uint64_t GatherGroups(const PackedView& view, const uint32_t* groups, uint64_t first,
                      std::byte* out) {
  auto* const headers = reinterpret_cast<uint64_t*>(out);
  auto* const data = reinterpret_cast<uint32_t*>(out + size_t{8} * view.num_groups());
  uint32_t words = 0;
  for (uint32_t group = 0; group < view.num_groups(); ++group) {
    GroupHeader header = view.header(group);
    if (!IsWanted(groups, first + group)) {
      headers[group] = 0;
      continue;
    }
    const uint32_t num_words = header.num_words();
    std::memcpy(data + words, view.data(header), size_t{4} * num_words);
    header.word_offset = words;
    headers[group] = header.Pack();
    words += num_words;
  }
  if (words % 2 != 0) data[words] = 0;
  return uint64_t{8} * view.num_groups() + 4 * Even(words);
}

}  // namespace edgemill
