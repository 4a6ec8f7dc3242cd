// A text format: the facts about one input, and the parser that makes edges of its lines.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "loaders/options/read_options.h"
#include "loaders/source/edge_source.h"
#include "loaders/source/input.h"
#include "loaders/source/raw_chunk.h"

namespace edgemill {

/// The byte order mark that some programs put before UTF-8 text. It is not part of the first line.
inline constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";

/// The beginning of a text input, from which a format is made.
struct TextHead {
  std::string name;           // of the input, for messages
  std::string_view text;      // up to InputStream::kHeadBytes, without a byte order mark
  uint64_t offset = 0;        // of text in the input, such as 3 after a byte order mark
  uint64_t line = 1;          // number of the first line, after those of --skip-lines
  bool whole = false;         // text is the whole input
  char line_end = '\n';       // '\r' in files that have no '\n'
  char quoted_delimiter = 0;  // as in InputInfo

  InputPosition begin() const { return {offset, line, 0}; }
};

/// The parser of one input's lines. Immutable once made, so thread-safe.
class LineFormat {
 public:
  virtual ~LineFormat() = default;

  const InputInfo& info() const { return info_; }
  /// Finds where to cut a line that begins in `text` and ends after it. `text` begins at `*at`. The
  /// fields before the cut can be parsed without those after it. Moves `*at` over these fields.
  /// Returns 0, and moves nothing, if the line cannot be cut.
  virtual size_t CutLine(std::string_view /*text*/, InputPosition* /*at*/) const { return 0; }

  /// Adds the raw chunk's edges to `chunk`, and its counts and bad lines to `result`.
  virtual void Parse(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const = 0;
  /// The number of records (InputPosition::record) in the raw chunk. For formats in which a line's
  /// number has a meaning.
  virtual uint64_t CountRecords(const RawChunk&) const { return 0; }
  /// Checks that the totals of the whole input are those that it declares. May set facts in `info`.
  virtual Status CheckEnd(const InputTotals&, InputInfo*) const { return OkStatus(); }

 protected:
  InputInfo info_;
};

/// One line of a head: its text, without line end and trailing blanks, and its place.
struct HeadLine {
  std::string_view text;
  uint64_t before = 0;  // bytes of the line before text, if the line was cut
  uint64_t number = 1;
};

/// Where the record that begins at `at` ends: after its line end. `text.npos` if it has none in
/// `text`. With `quoted_delimiter`, line ends in a field in double quotes do not count. Such a
/// field begins after a delimiter, or at the start of the record.
size_t RecordEnd(std::string_view text, size_t at, char line_end, char quoted_delimiter);

/// Walks over the whole lines of a head, or over its records, which are then called lines.
class HeadLines {
 public:
  explicit HeadLines(const TextHead& head) : head_(head), number_(head.line) {}
  /// Gets the next line. Returns false after the last line that is whole in the head.
  bool Next(HeadLine* line);
  /// Where the line after the last returned line begins.
  InputPosition position() const { return {head_.offset + at_, number_, 0}; }

 private:
  const TextHead& head_;
  size_t at_ = 0;
  uint64_t number_;
};

/// Whether `line`, after leading blanks, begins with `comment`, or with any usual mark of a comment
/// if `comment` is empty.
bool IsComment(std::string_view line, const std::string& comment);

/// ":LINE:COLUMN", or the place in a table, for messages that begin with the input's name.
std::string PlaceText(const BadLine& bad);

/// "NAME:LINE:COLUMN: reason ("text"): advice" as a BadDataError.
Status LineError(std::string_view name, const BadLine& bad);

/// A BadLine for the whole `line`. The error is at the index `at` of its text.
BadLine MakeBadLine(const HeadLine& line, size_t at, std::string reason, std::string advice);

/// A BadDataError for a file whose head has no `what`. `last` is the head's last line. `advice` is
/// used if the head is the whole file.
Status MissingLine(const TextHead& head, const HeadLine& last, std::string_view what,
                   std::string_view advice);

/// `text` with the letters A to Z in lower case.
std::string Lower(std::string_view text);

/// More columns than this are not counted.
inline constexpr size_t kMaxColumns = 16;

/// The fields of a line, split at blanks: only the first `max`.
std::vector<std::string_view> SplitBlanks(std::string_view line, size_t max);

}  // namespace edgemill
