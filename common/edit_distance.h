// How alike two words are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace edgemill {

/// Distances of words from one word: how many bytes are inserted, removed, replaced, or exchanged
/// with the next one (Levenshtein 1966; Damerau 1964; no byte twice). ASCII letters are the same in
/// both cases. Where a word begins as the one before did, only the rest is looked at, and nothing
/// once that beginning is too far. So words in the order of their bytes take little time.
class EditDistance {
 public:
  /// Takes 4 bytes for each byte of `from` and of the longest word compared, multiplied.
  explicit EditDistance(std::string_view from);

  /// The distance to `to`, or some number above `most` when it is above `most`.
  size_t To(std::string_view to, size_t most);

 private:
  /// Adds the row of one more byte of the other word; false when no longer word is near enough.
  bool AddRow(char byte);
  uint32_t& At(size_t row, size_t column) { return rows_[row * (from_.size() + 1) + column]; }

  std::string from_;
  std::string to_;              // the beginning whose rows are there
  std::vector<uint32_t> rows_;  // [i][j]: of the first i bytes to the first j of from_
  size_t most_ = 0;             // what the rows were cut off at
  bool too_far_ = false;        // all words that begin with to_ are
};

}  // namespace edgemill
