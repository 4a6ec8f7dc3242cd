// Lines of any count of numbers: what adjacency lines and METIS share.
#pragma once

#include <cstdint>
#include <vector>

#include "loaders/formats/lines/line_format.h"
#include "loaders/formats/lines/number_parser.h"
#include "loaders/source/raw_chunk.h"

namespace edgemill {

/// InputPosition::fields inside a line of which nothing more is wanted: a comment, or one whose
/// first field is bad.
inline constexpr uint64_t kSkippedFields = UINT64_MAX;

/// Walks over a raw chunk's lines; they come without line end and trailing blanks. The first may be
/// the rest of a line that was cut.
class NumberLines {
 public:
  explicit NumberLines(const RawChunk& raw) : raw_(raw), number_(raw.begin.line) {}
  bool Next(HeadLine* line);
  /// How many fields of the line are in raw chunks before this one, or kSkippedFields.
  uint64_t fields_before() const { return fields_before_; }
  /// Whether the line ends in this raw chunk.
  bool ends() const { return at_ <= raw_.text.size() || raw_.ends_line; }

 private:
  const RawChunk& raw_;
  size_t at_ = 0;
  uint64_t number_;
  uint64_t fields_before_ = 0;
};

/// LineFormat::CutLine for lines of `head` numbers, then groups of `group` of them: behind the last
/// group that `text` holds whole.
size_t CutNumberLine(std::string_view text, uint64_t head, uint64_t group, InputPosition* at);

/// LineFormat::CutLine where nothing more of the line is wanted.
inline size_t SkipLine(std::string_view text, InputPosition* at) {
  at->fields = kSkippedFields;
  return text.size();
}

/// The next field at `*at` (blanks before it skipped), and moves behind it; empty at the end of the
/// line.
std::string_view NextField(const HeadLine& line, size_t* at);

/// The ids that a line may have.
struct IdRange {
  ExternalId least = 0;
  ExternalId most = ~ExternalId{0};
};
enum class FieldFound : uint8_t { kId, kEnd, kBad };

/// Reads the next field at `*at` (blanks before it skipped) as an id in `range` and moves behind
/// it. kBad at a bad one, which `bad` describes; kEnd at the end of the line, where no id is read.
FieldFound ReadId(const HeadLine& line, const IdRange& range, size_t* at, ExternalId* id,
                  BadLine* bad);

/// Reads the rest of the line behind what is in `ids`.
bool ReadIds(const HeadLine& line, const IdRange& range, std::vector<ExternalId>* ids,
             BadLine* bad);

}  // namespace edgemill
