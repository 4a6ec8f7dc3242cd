// The options about inputs: their format, columns, ids and weights, and what happens to bad lines.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/status.h"
#include "loaders/options/edge_column.h"

namespace edgemill {

/// The formats that edges are read from. docs/USAGE.md and `edgemill help ingest` describe them.
enum class EdgeFormat {
  kAuto,                // by suffix, then by content
  kEdgeList,            // "source target" lines; a third column is a weight, more are ignored
  kWeightedList,        // "source target weight" lines
  kKonect,              // out.* of KONECT: "% sym|asym|bip KIND", then an edge list from id 1
  kCsv,                 // RFC 4180; comma, semicolon, tab or blanks; a header is recognized
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
  kNpz,                 // SciPy's .npz: sparse matrices
  kGraphml,             // GraphML: XML of nodes and edges
  kPajek,               // Pajek's *Vertices, *Arcs and *Edges
  kTriples,             // N-Triples: "<subject> <predicate> <object> ."; ids are names
  kBv,                  // WebGraph's .graph, with .properties beside it
  kParquet,             // columns of a Parquet file
  kQuery,               // rows of ReadOptions::sql
};

enum class HeaderMode { kAuto, kYes, kNo };

/// Whether text in double quotes is one field, without the quotes.
enum class QuoteMode {
  kAuto,    // by format: not in .tsv files; in edge lists only if ids are names
  kNone,    // quotes are ordinary characters
  kDouble,  // as in RFC 4180, but without line ends, unless the first lines of CSV have some
  kLines,   // as in RFC 4180, also with line ends
};

/// Which weights the source gives.
enum class WeightMode {
  kNone,   // none, even where the input has them
  kAuto,   // those of the input, if it has any
  kInt,    // those of the input, which must be integers
  kFloat,  // those of the input, as floating point; integers beyond 2^53 are rounded
};

/// What happens to an edge whose weight is empty, NULL, n/a or the like.
enum class EmptyWeight {
  kError,  // it is a bad line
  kSkip,   // it is left out
  kOne,    // it gets the weight 1
};

/// How ids of vertices are read.
enum class IdReading {
  kAuto,     // as names if the first lines of a text have words as ids, otherwise as numbers
  kNumbers,  // whole numbers
  kNames,    // UTF-8 text
};

/// The ReadOptions::comment with which no line is a comment, since no line begins with it.
inline constexpr const char* kNoComments = "\n";

class File;
class LabelMemory;
class TableEngine;
class TextCodes;
class VertexNames;

/// Copies of inputs, by their paths (loaders/stream/input_copies.h).
using InputCopies = std::map<std::string, File>;

/// What DuckDB, which reads Parquet files and SQL, may use.
struct TableMeans {
  MemoryBudget* budget = nullptr;  // null: a fixed amount of memory, which nothing counts
  int threads = 0;                 // 0: as many as the processors that this process may use
  /// What stays free of the budget: without it, the ingest of the edges would not begin.
  uint64_t beside_bytes = 0;
  /// Where a query keeps what does not fit its memory. Made when needed, removed at the end. Empty:
  /// such a query is an error.
  std::string temporary_directory;
};

/// How to read edges. The defaults suit inputs that describe themselves.
struct ReadOptions {
  EdgeFormat format = EdgeFormat::kAuto;
  /// A statement of SQL whose rows are edges, in place of inputs. Empty: inputs are files.
  std::string sql;
  /// A condition of SQL: only rows of Parquet files that meet it are edges. Empty: all are.
  std::string where;
  /// The Parquet files that `sql` reads, because of a condition. Errors name the damaged one.
  std::vector<std::string> selected_files;
  TableMeans table_means;
  /// The columns of source, target and (optionally) weight: names of a table's columns or in the
  /// header line, or numbers from 1. Empty: the first two or three columns.
  std::vector<std::string> csv_columns;
  /// The edge columns that the input is read for, each in a pass of its own after the first.
  std::vector<EdgeColumnChoice> edge_columns;
  /// The edge column whose values stand in the place of the weights, and the numbers of its texts.
  /// Unset: weights are read.
  std::optional<size_t> edge_column;
  std::shared_ptr<TextCodes> text_codes;
  /// How the pass that reads weights takes them. With `edge_column`, and if bad lines are skipped,
  /// a line without a good weight is left out too, since all passes must give the same edges.
  WeightMode weights_beside = WeightMode::kNone;
  /// Where pipes are copied to if they are read again, for edge columns: a folder, or the nearest
  /// one above that exists. Empty: a pipe is an error then.
  std::string copies_directory;
  /// The copies, by path. OpenEdgeReader makes them, and its passes share them.
  std::shared_ptr<const InputCopies> copies;
  /// csv_columns as numbers, for inputs of CSV without a header of their own: by a header in an
  /// input before them. OpenEdgeReader sets it.
  std::vector<std::string> header_columns;
  HeaderMode header = HeaderMode::kAuto;
  IdReading ids = IdReading::kAuto;
  /// The seed of the hash of names, until EdgeSource::SetNameSeed gives another.
  uint64_t name_seed = 0;
  /// Lines that begin with this text are skipped everywhere. Empty: lines that begin with "#", "%"
  /// or "//" are skipped, before the data and where they cannot be data. kNoComments: none is.
  std::string comment;
  /// The text between columns. " ": one or more blanks. Empty: the content decides.
  std::string delimiter;
  QuoteMode quote = QuoteMode::kAuto;
  /// How many lines at the front of each text are ignored.
  uint64_t skip_lines = 0;
  /// The number that is subtracted from every id: 0 or 1. An id below it is an error.
  uint64_t base = 0;
  WeightMode weights = WeightMode::kAuto;
  EmptyWeight empty_weight = EmptyWeight::kError;
  /// In weights of tables, decimals follow a comma, and points stand between thousands.
  bool decimal_comma = false;
  /// A file with vertices, one id a line, in addition to those that edges name. Empty: no file.
  std::string vertices_file;
  /// A file with the names of the vertices, one a line, for inputs whose ids are numbers: line 1
  /// names the first vertex. Empty: vertices have the ids of the inputs.
  std::string names_file;
  /// Those names, shared and made as `tables` is.
  std::shared_ptr<VertexNames> vertex_names;
  /// How many bad lines, over all inputs, are skipped. One more is an error.
  uint64_t max_bad_lines = 0;
  /// The file that gets the skipped lines, each with its place and the reason. It is overwritten.
  /// Empty: no file.
  std::string bad_lines_file;
  /// Bytes of input that one chunk is parsed from. Positions depend on this size.
  size_t chunk_bytes = size_t{4} << 20;
  /// A longer line is an error, so that an endless line cannot fill the memory. Of neighbour lists,
  /// it is cut into raw chunks instead. Chunks larger than this may hold longer lines whole.
  size_t max_line_bytes = size_t{1} << 20;
  /// Zstandard and xz inputs that need a window of more than 2^(this number) bytes are refused; 10
  /// to 31.
  int window_log_max = 27;
  /// The reader of tables. Shared, because all inputs of a reader and its search for an edge use
  /// one. OpenEdgeReader makes it of `table_means`.
  std::shared_ptr<TableEngine> tables;
  /// Memory for labels, shared and made as `tables` is. Null: each input has a fixed amount.
  std::shared_ptr<LabelMemory> label_memory;
};

/// How values of an edge column of `type` are read, if they are numbers.
WeightMode WeightModeOf(EdgeColumnType type);
/// The format called `name` ("el", "bin32", ...); UsageError, with the list, when there is none.
StatusOr<EdgeFormat> ParseEdgeFormat(std::string_view name);
/// The delimiter that users type as "tab", "comma", "blanks" and the like, or as the text itself.
/// UsageError for a text that cannot be a delimiter.
StatusOr<std::string> ParseDelimiter(std::string_view text);
/// "none", "\"", "double" or "auto"; UsageError otherwise.
StatusOr<QuoteMode> ParseQuote(std::string_view text);
/// "el", "bin32", ...
std::string_view EdgeFormatName(EdgeFormat format);
/// "auto, el, wel, ...": every name, for messages and help.
std::string EdgeFormatNames();

}  // namespace edgemill
