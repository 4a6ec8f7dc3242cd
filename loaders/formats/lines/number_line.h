// Lines with any number of ids: functions for adjacency lines and METIS.
#pragma once

#include <cstdint>
#include <vector>

#include "loaders/formats/lines/line_format.h"
#include "loaders/formats/lines/number_parser.h"
#include "loaders/source/raw_chunk.h"

namespace edgemill {

/// The value of InputPosition::fields inside a line whose rest is skipped. Such a line is a
/// comment, or its first field is bad.
inline constexpr uint64_t kSkippedFields = UINT64_MAX;

/// Walks over a raw chunk's lines, without line ends and trailing blanks. The first line may be the
/// rest of a line that was cut.
class NumberLines {
 public:
  explicit NumberLines(const RawChunk& raw) : raw_(raw), number_(raw.begin.line) {}
  bool Next(HeadLine* line);
  /// The number of fields of the line in earlier raw chunks, or kSkippedFields.
  uint64_t fields_before() const { return fields_before_; }
  /// Whether the line ends in this raw chunk.
  bool ends() const { return at_ <= raw_.text.size() || raw_.ends_line; }

 private:
  const RawChunk& raw_;
  size_t at_ = 0;
  uint64_t number_;
  uint64_t fields_before_ = 0;
};

/// LineFormat::CutLine for lines of `head` numbers, followed by groups of `group` numbers. Cuts
/// after the last group that is whole in `text`.
size_t CutNumberLine(std::string_view text, uint64_t head, uint64_t group, InputPosition* at);

/// LineFormat::CutLine for a line whose rest is skipped.
inline size_t SkipLine(std::string_view text, InputPosition* at) {
  at->fields = kSkippedFields;
  return text.size();
}

/// Returns the next field, from `*at` on, and moves `*at` after it. Skips blanks before it. Returns
/// an empty field at the end of the line.
std::string_view NextField(const HeadLine& line, size_t* at);

/// The ids that a line may have.
struct IdRange {
  ExternalId least = 0;
  ExternalId most = ~ExternalId{0};
};
enum class FieldFound : uint8_t { kId, kEnd, kBad };

/// Reads the next field, from `*at` on, as an id in `range`, and moves `*at` after it. Skips blanks
/// before it. For a bad field, sets `bad` and returns kBad. At the end of the line, returns kEnd.
FieldFound ReadId(const HeadLine& line, const IdRange& range, size_t* at, ExternalId* id,
                  BadLine* bad);

/// Appends the ids of the line to `ids`. Sets `bad` and returns false for a bad field.
bool ReadIds(const HeadLine& line, const IdRange& range, std::vector<ExternalId>* ids,
             BadLine* bad);

}  // namespace edgemill
