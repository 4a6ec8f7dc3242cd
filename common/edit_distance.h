// How similar two words are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace edgemill {

/// Distances of words from one word: how many bytes are inserted, removed, replaced, or exchanged
/// with the next one (Levenshtein 1966; Damerau 1964; no byte twice). Upper and lower case of ASCII
/// letters are equal. If a word begins like the one before, only the rest is compared, or nothing
/// if that beginning is too far away. Sorted words therefore take little time.
class EditDistance {
 public:
  /// Takes 4 bytes for each byte of `from` and of the longest word compared, multiplied.
  explicit EditDistance(std::string_view from);

  /// The distance to `to`, or any number above `most` if the distance is above `most`.
  size_t To(std::string_view to, size_t most);

 private:
  /// Adds the row of one more byte of the other word; false when no longer word is near enough.
  bool AddRow(char byte);
  uint32_t& At(size_t row, size_t column) { return rows_[row * (from_.size() + 1) + column]; }

  std::string from_;
  std::string to_;              // the beginning of a word whose rows are computed
  std::vector<uint32_t> rows_;  // [i][j]: of the first i bytes to the first j of from_
  size_t most_ = 0;             // the limit with which the rows were computed
  bool too_far_ = false;        // all words that begin with to_ are too far away
};

}  // namespace edgemill
