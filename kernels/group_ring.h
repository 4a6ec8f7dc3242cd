// A warp's ring in shared memory for the words of packed groups. This file computes which words to
// bring for each group, and where they go.
//
// Reads across the link use aligned lines, and no line is read twice. A group usually ends in the
// middle of a line. If the next group is wanted too, the rest of that line comes with the first
// group. If not, only whole sectors are read, because unwanted words take the link's time. Words
// keep their places in a line: a line that went to two lines of shared memory would need two
// requests. The functions are plain arithmetic, the same on a GPU and in tests.
#pragma once

#include <cstdint>

#include "kernels/portable_atomics.h"

namespace edgemill {

/// Words of a ring. The largest group (288 words) and what comes with it fit.
inline constexpr uint32_t kRingWords = 512;
/// The words that one lane copies at a time.
inline constexpr uint32_t kLaneCopyWords = 4;
/// The words of the smallest read across the link (a sector), and of a whole line.
inline constexpr uint32_t kSectorWords = 8;
inline constexpr uint32_t kLineWords = 32;

/// Words [begin, end), which count from the beginning of a line.
struct WordRange {
  uint32_t begin = 0;
  uint32_t end = 0;
};

/// Rounds `word` up to a multiple of `unit`, a power of two.
EM_HOST_DEVICE constexpr uint32_t RoundUpWord(uint32_t word, uint32_t unit) {
  return (word + unit - 1) & ~(unit - 1);
}

/// Returns the words to bring for a group whose data is `words`: whole sectors. `joined`: the group
/// just before these words was brought too. `continues`: the group just after them will be brought.
EM_HOST_DEVICE constexpr WordRange WordsToBring(const WordRange& words, bool joined,
                                                bool continues) {
  const uint32_t begin =
      joined ? RoundUpWord(words.begin, kLineWords) : words.begin & ~(kSectorWords - 1);
  const uint32_t end = RoundUpWord(words.end, continues ? kLineWords : kSectorWords);
  return {begin, end > begin ? end : begin};
}

/// Returns how many words of the ring `bring` takes: whole lines.
EM_HOST_DEVICE constexpr uint32_t RingSpan(const WordRange& bring) {
  if (bring.begin == bring.end) return 0;
  return RoundUpWord(bring.end, kLineWords) - (bring.begin & ~(kLineWords - 1));
}

/// Places in the ring, not reduced modulo kRingWords.
struct RingPlaces {
  uint32_t to;     // place of the first word to bring
  uint32_t start;  // place of the group's first word, which the group before may have brought
};

/// Returns the places of a group whose data is `words`. The words `bring` go to the line that
/// begins at place `line_start`.
EM_HOST_DEVICE constexpr RingPlaces PlacesInRing(const WordRange& words, const WordRange& bring,
                                                 uint32_t line_start) {
  const uint32_t to = line_start + bring.begin % kLineWords;
  return {to, to + words.begin - bring.begin};
}

/// Whether words up to place `tail` can be written without overwriting words from place `start` on,
/// which will still be read. A group without words may start behind all words that are brought.
EM_HOST_DEVICE constexpr bool RingHolds(uint32_t start, uint32_t tail) {
  const uint32_t held = tail - (start & ~(kLaneCopyWords - 1));
  return static_cast<int32_t>(held) <= static_cast<int32_t>(kRingWords);
}

}  // namespace edgemill
