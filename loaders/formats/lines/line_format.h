// A text format: what it says of one input, and how its lines become edges.
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

/// The byte order mark that some programs put before UTF-8 text. It is no part of the first line.
inline constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";

/// The front of a text input, by which a format sets itself up.
struct TextHead {
  std::string name;       // as messages call the input
  std::string_view text;  // up to InputStream::kHeadBytes, without a byte order mark
  uint64_t offset = 0;    // of text in the input: 3 behind a byte order mark
  uint64_t line = 1;      // its first, behind those of --skip-lines
  bool whole = false;     // text is all there is
  char line_end = '\n';   // '\r' in files that have no '\n'

  InputPosition begin() const { return {offset, line, 0}; }
};

/// The parser of one input's lines. Immutable once made, so thread-safe.
class LineFormat {
 public:
  virtual ~LineFormat() = default;

  const InputInfo& info() const { return info_; }
  /// Where a line may be cut that goes on behind `text`, which begins at `*at`: fields before the
  /// cut are parsed without those behind it. Moves `*at` over them. 0, and nothing moved, for
  /// nowhere.
  virtual size_t CutLine(std::string_view /*text*/, InputPosition* /*at*/) const { return 0; }

  /// Adds the raw chunk's edges to `chunk` and what else was found to `result`.
  virtual void Parse(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const = 0;
  /// How many of InputPosition::record the raw chunk's lines hold; for formats whose lines are
  /// numbered things.
  virtual uint64_t CountRecords(const RawChunk&) const { return 0; }
  /// Whether the sums over the whole input are those that it declares. `info` may learn from them.
  virtual Status CheckEnd(const InputTotals&, InputInfo*) const { return OkStatus(); }

 protected:
  InputInfo info_;
};

/// One line of a head: its text without line end and trailing blanks, and where it is.
struct HeadLine {
  std::string_view text;
  uint64_t before = 0;  // bytes of the line before text: of one that was cut
  uint64_t number = 1;
};

/// Walks over the whole lines of a head.
class HeadLines {
 public:
  explicit HeadLines(const TextHead& head) : head_(head), number_(head.line) {}
  /// The next line; false behind the last one that the head holds whole.
  bool Next(HeadLine* line);
  /// Where the line after the last one given begins.
  InputPosition position() const { return {head_.offset + at_, number_, 0}; }

 private:
  const TextHead& head_;
  size_t at_ = 0;
  uint64_t number_;
};

/// Whether `line` (leading blanks skipped) begins with one of the comment marks of `options`.
bool IsComment(std::string_view line, const std::string& comment);

/// "NAME:LINE:COLUMN: reason ("text"): advice" as a BadDataError.
Status LineError(std::string_view name, const BadLine& bad);

/// A BadLine for the whole `line`, whose trouble begins at the index `at` of its text.
BadLine MakeBadLine(const HeadLine& line, size_t at, std::string reason, std::string advice);

/// A BadDataError for a file whose head, which ends with the line `last`, has no `what`. `advice`
/// is for a file that has nothing behind it.
Status MissingLine(const TextHead& head, const HeadLine& last, std::string_view what,
                   std::string_view advice);

/// `text` with the letters A to Z made small.
std::string Lower(std::string_view text);

/// More columns than this are not counted.
inline constexpr size_t kMaxColumns = 16;

/// The fields of a line, split at blanks: at most `max`, the rest is left out.
std::vector<std::string_view> SplitBlanks(std::string_view line, size_t max);

}  // namespace edgemill
