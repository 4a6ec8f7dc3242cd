#include "common/edit_distance.h"

#include <algorithm>
#include <numeric>

namespace edgemill {
namespace {

char Fold(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

EditDistance::EditDistance(std::string_view from) : from_(from), rows_(from.size() + 1) {
  std::transform(from_.begin(), from_.end(), from_.begin(), Fold);
  std::iota(rows_.begin(), rows_.end(), 0u);
}

size_t EditDistance::To(std::string_view to, size_t most) {
  if (to.size() > from_.size() + most || from_.size() > to.size() + most) return most + 1;
  const size_t shorter = std::min(to.size(), to_.size());
  size_t shared = 0;
  while (shared < shorter && to_[shared] == to[shared]) ++shared;
  if (most > most_) shared = 0;  // the rows are too narrow
  most_ = most;
  if (shared < to_.size()) {
    to_.resize(shared);
    too_far_ = false;
  }
  while (!too_far_ && to_.size() < to.size()) too_far_ = !AddRow(to[to_.size()]);
  return too_far_ ? most + 1 : At(to.size(), from_.size());
}

bool EditDistance::AddRow(char byte) {
  const uint32_t beyond = static_cast<uint32_t>(most_) + 1;
  const size_t width = from_.size();
  const size_t row = to_.size() + 1;
  const char added = Fold(byte);
  const char last = to_.empty() ? '\0' : Fold(to_.back());
  to_ += byte;
  if (rows_.size() < (row + 1) * (width + 1)) rows_.resize((row + 1) * (width + 1));
  // More than `most_` columns from the diagonal, all distances are above `most_`.
  const size_t begin = row > most_ ? row - most_ : 0;
  const size_t end = std::min(width, row + most_);
  uint32_t least = beyond;
  for (size_t column = begin; column <= end; ++column) {
    uint32_t cell = column >= row + most_ ? beyond : At(row - 1, column) + 1;
    if (column > 0) {
      cell = std::min(cell, At(row - 1, column - 1) + (from_[column - 1] != added));
      if (column > begin) cell = std::min(cell, At(row, column - 1) + 1);
      if (row > 1 && column > 1 && from_[column - 2] == added && from_[column - 1] == last) {
        cell = std::min(cell, At(row - 2, column - 2) + 1);
      }
    }
    At(row, column) = cell;
    least = std::min(least, cell);
  }
  return least <= most_;
}

}  // namespace edgemill
