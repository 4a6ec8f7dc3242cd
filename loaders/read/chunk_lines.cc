#include "loaders/read/chunk_lines.h"

#include <algorithm>

#include "loaders/formats/lines/line_format.h"

namespace edgemill {

ChunkLines::ChunkLines(const Input& input, const RawChunk& raw) : input_(input), raw_(raw) {
  line_.begin = raw.begin;
  line_.line_end = raw.line_end;
  line_.name_seed = raw.name_seed;
}

bool ChunkLines::Next(uint64_t max_bad) {
  if (next_ >= raw_.text.size()) return false;
  if (next_ > 0) {
    line_.begin.offset += line_.text.size();
    line_.begin.record += result_.totals.records;
    line_.begin.line += lines_;
    // Only the first line of a raw chunk may be the rest of a line.
    line_.begin.fields = line_.begin.first_field = line_.begin.line_bytes = 0;
  }
  // The text includes the line end, since an empty line would have no text otherwise. Only the last
  // line may have no line end.
  const size_t end = std::min(
      RecordEnd(raw_.text, next_, raw_.line_end, input_.info().quoted_delimiter), raw_.text.size());
  line_.text = raw_.text.substr(next_, end - next_);
  lines_ = std::max<uint64_t>(1, std::ranges::count(line_.text, raw_.line_end));
  next_ = end;
  chunk_.Clear();
  result_ = {};
  result_.max_bad = max_bad;
  if (!input_.Parse(line_, &chunk_, &result_).ok()) chunk_.Clear();
  return true;
}

}  // namespace edgemill
