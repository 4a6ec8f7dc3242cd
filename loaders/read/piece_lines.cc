#include "loaders/read/piece_lines.h"

#include <algorithm>

namespace edgemill {

PieceLines::PieceLines(const Input& input, const Piece& piece) : input_(input), piece_(piece) {
  line_.begin = piece.begin;
  line_.line_end = piece.line_end;
  line_.name_seed = piece.name_seed;
}

bool PieceLines::Next(uint64_t max_bad) {
  if (next_ >= piece_.text.size()) return false;
  if (next_ > 0) {
    line_.begin.offset += line_.text.size();
    line_.begin.record += result_.totals.records;
    ++line_.begin.line;
    // Only the first line may be the rest of one.
    line_.begin.fields = line_.begin.first_field = line_.begin.line_bytes = 0;
  }
  // With its end, without which an empty line would be none; only the last may lack it.
  const size_t end = std::min(piece_.text.find(piece_.line_end, next_), piece_.text.size() - 1) + 1;
  line_.text = piece_.text.substr(next_, end - next_);
  next_ = end;
  chunk_.Clear();
  result_ = {};
  result_.max_bad = max_bad;
  if (!input_.Parse(line_, &chunk_, &result_).ok()) chunk_.Clear();
  return true;
}

}  // namespace edgemill
