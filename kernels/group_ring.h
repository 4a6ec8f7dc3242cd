// A warp's ring of shared memory for the words of packed groups on their way: which words are
// brought for which group.
//
// What is read across the link is read in aligned lines, each once. A group begins in the middle of
// a line as a rule: the rest of its last line comes with it where the next group is wanted too, and
// not again with that. Where the next one is not wanted, sectors do: what is not wanted takes the
// link's time. Words keep their places in a line: a line that goes to two lines of shared memory is
// read in two requests. Plain arithmetic, the same on a GPU and in tests.
#pragma once

#include <cstdint>

#include "kernels/portable_atomics.h"

namespace edgemill {

/// Words of a ring: room for the largest group (288 words) and what comes with it.
inline constexpr uint32_t kRingWords = 512;
/// What one lane brings at a time.
inline constexpr uint32_t kSegmentWords = 4;
/// The least that is read at a time, and what is read at once where all of it is wanted.
inline constexpr uint32_t kSectorWords = 8;
inline constexpr uint32_t kLineWords = 32;

/// Words [begin, end), counted from a line's beginning.
struct WordRange {
  uint32_t begin = 0;
  uint32_t end = 0;
};

/// `word`, or the next one that `unit`, a power of two, divides.
EM_HOST_DEVICE constexpr uint32_t RoundUpWord(uint32_t word, uint32_t unit) {
  return (word + unit - 1) & ~(unit - 1);
}

/// What to bring for a group whose data is `words`: whole sectors. `joined`: the group that these
/// words follow goes through the ring just before; `continues`: the next one goes just behind.
EM_HOST_DEVICE constexpr WordRange WordsToBring(const WordRange& words, bool joined,
                                                bool continues) {
  const uint32_t begin =
      joined ? RoundUpWord(words.begin, kLineWords) : words.begin & ~(kSectorWords - 1);
  const uint32_t end = RoundUpWord(words.end, continues ? kLineWords : kSectorWords);
  return {begin, end > begin ? end : begin};
}

/// Words of the ring that `bring` takes: whole lines.
EM_HOST_DEVICE constexpr uint32_t RingSpan(const WordRange& bring) {
  if (bring.begin == bring.end) return 0;
  return RoundUpWord(bring.end, kLineWords) - (bring.begin & ~(kLineWords - 1));
}

/// Places in the ring, which count on.
struct RingPlaces {
  uint32_t to;     // of the first word to bring
  uint32_t start;  // of the group's first word: it may have come with the group before
};

/// The places of a group whose data is `words`. `bring` is brought for it, behind place `before`,
/// where a line begins.
EM_HOST_DEVICE constexpr RingPlaces PlacesInRing(const WordRange& words, const WordRange& bring,
                                                 uint32_t before) {
  const uint32_t to = before + bring.begin % kLineWords;
  return {to, to + words.begin - bring.begin};
}

/// Whether what ends at place `tail` of the ring leaves alone all from place `start` on, which is
/// still to be read. Places count on; a group without words may start behind all that is brought.
EM_HOST_DEVICE constexpr bool RingHolds(uint32_t start, uint32_t tail) {
  const uint32_t held = tail - (start & ~(kSegmentWords - 1));
  return static_cast<int32_t>(held) <= static_cast<int32_t>(kRingWords);
}

}  // namespace edgemill
