#include "engine/hybrid/returned_values.h"

#include <bit>

#include "common/check.h"

namespace edgemill {
namespace {

/// The bytes that say which elements follow, for each half word of a set that is not empty: its
/// bits, and their place.
constexpr uint64_t kHalfBytes = 8;

Status ReturnRange(ReturnTo to, MemoryId other, const OwnElements& view,
                   std::span<std::byte> host) {
  ArrayHome& home = view.copy->home(other);
  std::byte* const place = view.copy->PlaceOf(host.data(), other);
  if (to == ReturnTo::kHost) return home.CopyToHost(host, place);
  return home.CopyToDevice(place, host);
}

Status ReturnMembers(ReturnTo to, MemoryId other, const OwnElements& view,
                     const IndexSet& members) {
  ArrayHome& home = view.copy->home(other);
  std::byte* const place = view.copy->PlaceOf(view.host, other);
  if (to == ReturnTo::kHost) return home.CopyMembersToHost(view.host, place, view.bytes, members);
  return home.CopyMembersToDevice(place, view.host, view.bytes, members);
}

}  // namespace

StatusOr<uint64_t> ReturnValues(ReturnTo to, MemoryId other, std::span<const OwnElements> views,
                                const IndexSet& touched) {
  CHECK_NE(other, kHostMemory);
  uint64_t bytes = 0;
  if (touched.begin >= touched.end) return bytes;
  CHECK(touched.words.empty() || touched.end_word() <= touched.words.size());
  uint64_t count = 0, num_halves = 0;
  for (uint64_t word = touched.begin / 64; word < touched.end_word() && !touched.words.empty();
       ++word) {
    const uint64_t bits = touched.BitsOf(word);
    count += static_cast<uint64_t>(std::popcount(bits));
    num_halves += (static_cast<uint32_t>(bits) != 0 ? 1 : 0) + (bits >> 32 != 0 ? 1 : 0);
  }
  for (const OwnElements& view : views) {
    const std::span<std::byte> range = view.Range(touched.begin, touched.end);
    const uint64_t alone = count * view.bytes + num_halves * kHalfBytes;
    if (touched.words.empty() || alone >= range.size()) {
      RETURN_IF_ERROR(ReturnRange(to, other, view, range));
      bytes += range.size();
    } else {
      RETURN_IF_ERROR(ReturnMembers(to, other, view, touched));
      bytes += alone;
    }
  }
  return bytes;
}

}  // namespace edgemill
