// Lines of columns: the common core of edge lists, CSV, MatrixMarket, DIMACS and Graphalytics.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/formats/lines/line_format.h"
#include "loaders/formats/lines/name_parser.h"
#include "loaders/formats/lines/number_parser.h"
#include "loaders/source/raw_chunk.h"

namespace edgemill {

/// Where in a line the numbers are, and what they may be.
struct ColumnLayout {
  /// ' ': runs of blanks (space, tab); otherwise this character, with blanks around it allowed.
  char delimiter = ' ';
  /// What follows that character in a longer delimiter, such as "::".
  std::string delimiter_rest;
  /// Fields may be quoted as in RFC 4180 (but not hold line ends).
  bool quotes = false;
  /// Whether the format allows names; whether vertices have them.
  bool allows_names = false;
  bool names = false;
  /// Lines of edges begin with this letter and a blank (DIMACS 'a'); 0: with the first column.
  char prefix = 0;
  /// Lines that begin with one of these letters are passed over (DIMACS 'c'); none: as IsComment
  /// says.
  std::string_view skipped_letters;
  std::string comment;
  /// Whether lines may be comments.
  bool comments = true;
  /// Columns, from 0. No target: a vertex list. No weight: -1.
  int source = 0;
  int target = 1;
  int weight = -1;
  /// Every line must have exactly so many columns; 0: at least those used, more are ignored.
  int columns = 2;
  bool keep_weights = true;
  bool integer_weights = false;
  bool rounded_weights = false;
  /// The rest of a line, behind source and target, is a dictionary as Python writes it; the weight
  /// is that of its key "weight".
  bool dictionary = false;
  ExternalId min_id = 0;
  ExternalId max_id = kMaxExternalId;  // of sources
  ExternalId max_target = kMaxExternalId;
  /// Subtracted from each source; min_id is at least it.
  uint64_t base = 0;
  /// Subtracted from each target, modulo 2^64: less than base where targets come behind sources.
  uint64_t target_base = 0;
  /// Each line is also the edge of the other direction, with the weight negated.
  bool is_skew = false;

  bool vertex_list() const { return target < 0; }
  WeightRule weight_rule() const { return {integer_weights, rounded_weights}; }
  size_t delimiter_bytes() const { return 1 + delimiter_rest.size(); }
};

/// Splits `line` into its fields, quotes taken off where `layout` has quotes; false, with the error
/// at its offset in the line, when a quote is never closed or text follows it.
bool SplitLine(std::string_view line, const ColumnLayout& layout, std::vector<std::string>* fields,
               FieldError* error);

/// Parses raw chunks by a layout. Thread-safe.
class LineParser {
 public:
  LineParser() = default;
  explicit LineParser(ColumnLayout layout);

  const ColumnLayout& layout() const { return layout_; }
  /// Adds the raw chunk's edges (or vertices) to `chunk`. Lines are counted exactly; after too many
  /// bad lines it stops.
  void Parse(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const;

 private:
  struct NumberRecord {
    ExternalId source = 0;
    ExternalId target = 0;
    double weight = 0;
  };
  /// A record of either kind, for lines that need a closer look.
  struct Record : NumberRecord {
    std::string source_name;
    std::string target_name;
  };
  /// A record of names as they are in the text.
  struct NameRecord {
    std::string_view source;
    std::string_view target;
    double weight = 0;
  };
  /// Where records go.
  struct Sinks {
    EdgeSink edges;
    NameSink* names = nullptr;  // where vertices have names
  };
  enum class Outcome { kRecord, kSkip, kBad };

  template <bool kWeighted, bool kMore>
  void ParseFast(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const;
  template <bool kWeighted, bool kMore>
  void ParseNames(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const;
  void ParseSlowly(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const;
  template <bool kWeighted, bool kMore>
  bool ScanRecord(const char** at, NumberRecord* record) const;
  template <bool kWeighted, bool kMore>
  bool ScanNames(const char** at, NameRecord* record) const;
  bool ScanName(const char** at, std::string_view* name) const;
  bool MayBeComment(const char* p) const;
  bool SkipDelimiter(const char** at) const;
  bool ScanWeight(const char** at, double* weight) const;
  /// Takes one line in; false when there were too many bad ones.
  bool AddLine(const HeadLine& line, Sinks* sinks, ParseResult* result) const;
  /// The whole truth about one line (without its line end).
  Outcome ParseLine(const HeadLine& line, Record* record, BadLine* bad) const;
  bool ParseField(std::string_view field, int column, Record* record, FieldError* error) const;
  Outcome SplitAndParse(const HeadLine& line, size_t at, Record* record, BadLine* bad) const;
  bool CheckIdRange(ExternalId id, ExternalId max_id, FieldError* error) const;

  ColumnLayout layout_;
  std::array<bool, 256> ends_name_{};  // which bytes do, or need a closer look
};

}  // namespace edgemill
