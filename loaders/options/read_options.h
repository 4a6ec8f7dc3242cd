// What a user may say about inputs: their format, columns, ids, weights and how bad lines are
// treated.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"

namespace edgemill {

/// The formats that edges are read from. docs/USAGE.md and `edgemill help ingest` describe them.
enum class EdgeFormat {
  kAuto,                // by suffix, then by content
  kEdgeList,            // "source target" lines; a third column is a weight, more are ignored
  kWeightedList,        // "source target weight" lines
  kKonect,              // out.* of KONECT: "% sym|asym|bip KIND", then an edge list from id 1
  kCsv,                 // RFC 4180, any of comma, semicolon, tab, blanks; header found by itself
  kMatrixMarket,        // coordinate
  kDimacs,              // DIMACS and PACE challenges: c, p and edge lines
  kMetis,               // adjacency lines, one a vertex
  kSerialized,          // GAPBS .sg: compressed sparse rows
  kSerializedWeighted,  // GAPBS .wsg
  kGraphalytics,        // .v, .e and .properties
  kPairs32,             // little-endian pairs of 32-bit ids; never weighted
  kPairs64,             // little-endian pairs of 64-bit ids; never weighted
  kAdjacency,           // "vertex neighbour neighbour ..." lines
  kGalois,              // Galois's binary .gr: compressed sparse rows
  kLigra,               // Ligra's AdjacencyGraph: compressed sparse rows as text
  kTriples,             // N-Triples: "<subject> <predicate> <object> ."; ids are names
};

enum class HeaderMode { kAuto, kYes, kNo };

/// Whether text in double quotes is one field, without the quotes.
enum class QuoteMode {
  kAuto,    // as the format has it: not in .tsv, of edge lists where ids are names
  kNone,    // quotes are characters as all others
  kDouble,  // as in RFC 4180
};

/// Which weights the source gives.
enum class WeightMode {
  kNone,   // none, even where the input has them
  kAuto,   // those of the input, if it has any
  kInt,    // those of the input, which must be integers
  kFloat,  // those of the input, as floating point; integers beyond 2^53 are rounded
};

/// What vertices are called.
enum class IdReading {
  kAuto,     // names where a text's first lines have a word for an id, else numbers
  kNumbers,  // whole numbers
  kNames,    // UTF-8 text
};

/// ReadOptions::comment where no line is a comment, for none begins so.
inline constexpr const char* kNoComments = "\n";

/// How to read edges. The defaults suit inputs that describe themselves.
struct ReadOptions {
  EdgeFormat format = EdgeFormat::kAuto;
  /// Source, target and (optionally) weight column: names of the header line or numbers from 1.
  /// Empty: the first two or three columns.
  std::vector<std::string> csv_columns;
  HeaderMode header = HeaderMode::kAuto;
  IdReading ids = IdReading::kAuto;
  /// The seed of the hash of names, until EdgeSource::SetNameSeed gives another.
  uint64_t name_seed = 0;
  /// Lines that begin so are skipped, wherever they are; empty: those that begin with "#", "%" and
  /// "//", before data and where they cannot be data. kNoComments: none is.
  std::string comment;
  /// Text between columns; " ": runs of blanks; empty: found by itself.
  std::string delimiter;
  QuoteMode quote = QuoteMode::kAuto;
  /// So many lines at the front of each text are not looked at.
  uint64_t skip_lines = 0;
  /// Subtracted from every id: 0 or 1. An id below it is an error.
  uint64_t base = 0;
  WeightMode weights = WeightMode::kAuto;
  /// Lists vertices, an id a line, beside those that edges name; empty: none does.
  std::string vertices_file;
  /// So many bad lines, over all inputs, are skipped; the next one is an error.
  uint64_t max_bad_lines = 0;
  /// Where skipped lines go, one a line with place and reason; empty: nowhere. Overwritten.
  std::string bad_lines_file;
  /// Bytes of input a chunk is parsed from. Positions depend on it.
  size_t chunk_bytes = size_t{4} << 20;
  /// Longer lines are taken in raw chunks, of neighbour lists, or are errors, so that an endless
  /// one cannot eat memory. In chunks that are larger than this longer lines may be taken whole.
  size_t max_line_bytes = size_t{1} << 20;
  /// Zstandard inputs that need a larger window than 2^this bytes are refused (10 to 31).
  int zstd_window_log_max = 27;
};

/// The format called `name` ("el", "bin32", ...); UsageError, with the list, when there is none.
StatusOr<EdgeFormat> ParseEdgeFormat(std::string_view name);
/// A delimiter as users type it: "tab", "comma", "blanks" and the like, or the text itself.
/// UsageError for what cannot be one.
StatusOr<std::string> ParseDelimiter(std::string_view text);
/// "none", "\"", "double" or "auto"; UsageError otherwise.
StatusOr<QuoteMode> ParseQuote(std::string_view text);
/// "el", "bin32", ...
std::string_view EdgeFormatName(EdgeFormat format);
/// "auto, el, wel, ...": every name, for messages and help.
std::string EdgeFormatNames();

}  // namespace edgemill
