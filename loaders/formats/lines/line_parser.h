// Parses lines of columns, for edge lists, CSV, MatrixMarket, DIMACS and Graphalytics.
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

/// A column whose values another pass stores, as numbers by `rule`, times or texts.
struct CheckedColumn {
  int column = 0;
  ValueKind values = ValueKind::kNumber;
  WeightRule rule;
};

/// Where ids and weights are in a line, and which values they may have.
struct ColumnLayout {
  /// ' ': one or more blanks (space, tab). Otherwise this character, maybe with blanks around it.
  char delimiter = ' ';
  /// The other characters of a longer delimiter, such as "::".
  std::string delimiter_rest;
  /// Fields may be quoted as in RFC 4180, and with `quoted_lines` they may contain line ends.
  bool quotes = false;
  bool quoted_lines = false;
  /// Whether the format allows names, and whether vertices have names.
  bool allows_names = false;
  bool names = false;
  /// Lines of edges begin with this letter and a blank (DIMACS 'a'); 0: there is no such letter.
  char prefix = 0;
  /// With a prefix: lines that begin with one of these letters are skipped (DIMACS 'c'). Without a
  /// prefix, IsComment decides by `comment`.
  std::string_view skipped_letters;
  std::string comment;
  /// Whether lines may be comments.
  bool comments = true;
  /// Columns, from 0. A target of -1 means a vertex list; a weight of -1 means no weights.
  int source = 0;
  int target = 1;
  int weight = -1;
  /// The number of columns that every line must have; 0: at least the used ones, more are ignored.
  int columns = 2;
  bool keep_weights = true;
  bool integer_weights = false;
  bool rounded_weights = false;
  /// Weights may be amounts (ParseAmount), of which decimals may follow a comma.
  bool amounts = false;
  bool decimal_comma = false;
  EmptyWeight empty_weight = EmptyWeight::kError;
  /// What the column of weights holds: numbers, or values of an edge column that are times or
  /// texts. Texts, and they alone, have `text_codes`.
  bool edge_column = false;  // the weights are an edge column's values
  std::vector<int> kept;     // edge columns that later passes read
  /// Columns in which a bad value makes a line bad.
  std::vector<CheckedColumn> checked;
  ValueKind values = ValueKind::kNumber;
  std::shared_ptr<TextCodes> text_codes;
  /// The rest of a line, after source and target, is a dictionary as Python writes it. The weight
  /// is the value of its key "weight".
  bool dictionary = false;
  ExternalId min_id = 0;
  ExternalId max_id = kMaxExternalId;  // of sources
  ExternalId max_target = kMaxExternalId;
  /// Subtracted from each source; at most min_id.
  uint64_t base = 0;
  /// Subtracted from each target, modulo 2^64. For bipartite graphs, it differs from `base`, so
  /// that targets have ids after those of sources.
  uint64_t target_base = 0;
  /// Each line is two edges: the second in the other direction, with the negated weight.
  bool is_skew_symmetric = false;

  bool vertex_list() const { return target < 0; }
  WeightRule weight_rule() const { return {integer_weights, rounded_weights, decimal_comma}; }
  size_t delimiter_bytes() const { return 1 + delimiter_rest.size(); }
  /// The last column that a line must have.
  int last_column() const;
};

/// Splits `line` into its fields, and removes quotes if `layout` has quotes. Returns false when a
/// quote is not closed or text follows it; then error->offset is in the line.
bool SplitLine(std::string_view line, const ColumnLayout& layout, std::vector<std::string>* fields,
               FieldError* error);

/// Parses raw chunks by a layout. Thread-safe.
class LineParser {
 public:
  LineParser() = default;
  explicit LineParser(ColumnLayout layout);

  const ColumnLayout& layout() const { return layout_; }
  /// Adds the raw chunk's edges (or vertices) to `chunk`, and exact counts of lines to `result`.
  /// Stops after too many bad lines.
  void Parse(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const;

 private:
  struct NumberRecord {
    ExternalId source = 0;
    ExternalId target = 0;
    double weight = 0;
  };
  /// A record with ids or names, for lines that are not plain.
  struct Record : NumberRecord {
    std::string source_name;
    std::string target_name;
    bool empty_weight = false;
    bool cleaned_weight = false;
  };
  /// A record whose names point into the text.
  struct NameRecord {
    std::string_view source;
    std::string_view target;
    double weight = 0;
  };
  /// The destinations of records.
  struct Sinks {
    EdgeSink edges;
    NameSink* names = nullptr;  // if vertices have names
  };
  enum class Outcome { kRecord, kSkip, kBad };

  template <bool kWeighted, bool kMoreColumns>
  void ParseFast(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const;
  template <bool kWeighted, bool kMoreColumns>
  void ParseNames(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const;
  void ParseSlowly(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const;
  void ParseRecords(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const;
  template <bool kWeighted, bool kMoreColumns>
  bool ScanRecord(const char** at, NumberRecord* record) const;
  template <bool kWeighted, bool kMoreColumns>
  bool ScanNames(const char** at, NameRecord* record) const;
  bool ScanName(const char** at, std::string_view* name) const;
  bool MayBeComment(const char* p) const;
  bool SkipDelimiter(const char** at) const;
  bool ScanWeight(const char** at, double* weight) const;
  /// Adds one line. Returns false when there were too many bad lines.
  bool AddLine(const HeadLine& line, Sinks* sinks, ParseResult* result) const;
  /// Parses any line (without its line end), and describes its error if it is bad.
  Outcome ParseLine(const HeadLine& line, Record* record, BadLine* bad) const;
  bool ParseField(std::string_view field, int column, Record* record, FieldError* error) const;
  bool ParseWeightField(std::string_view field, Record* record, FieldError* error) const;
  /// Checks a field of any column as the pass that stores it does.
  bool CheckBeside(std::string_view field, int column, FieldError* error) const;
  /// Whether a line may end before `column`: the columns from there on hold texts, which are empty.
  bool MayEndBefore(int column) const;
  Outcome SplitAndParse(const HeadLine& line, size_t at, Record* record, BadLine* bad) const;
  bool CheckIdRange(ExternalId id, ExternalId max_id, FieldError* error) const;

  ColumnLayout layout_;
  std::array<bool, 256> ends_name_{};  // bytes that end a plain name
};

}  // namespace edgemill
