// The text formats. Each is made from the head of its input.
#pragma once

#include <memory>
#include <optional>

#include "common/status.h"
#include "loaders/formats/lines/line_format.h"
#include "loaders/formats/lines/line_parser.h"
#include "loaders/options/read_options.h"
#include "loaders/source/input.h"

namespace edgemill {

using LineFormatOr = StatusOr<std::unique_ptr<LineFormat>>;

/// Lines of columns in the form of `layout`, from `info.body` on. CheckEnd checks that there were
/// as many records as the input declares.
class ColumnFormat : public LineFormat {
 public:
  /// The number of records that the input declares, if it does, and the place where it does.
  struct Declared {
    std::optional<uint64_t> records;
    std::string by;  // for messages, such as "the size line (line 3)"
  };
  ColumnFormat(std::string name, InputInfo info, ColumnLayout layout, Declared declared = {});

  void Parse(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const override;
  Status CheckEnd(const InputTotals& totals, InputInfo* info) const override;

 private:
  std::string name_;
  LineParser parser_;
  Declared declared_;
};

/// .el and .wel: columns with blanks between them. A third column on the first line may be a
/// weight. With `weighted`, there must be a weight. More columns are ignored.
LineFormatOr MakeEdgeListFormat(const TextHead& head, const ReadOptions& options, bool weighted);
/// out.* of KONECT: an edge list with ids from 1. Its header says whether lines are edges of one
/// direction or both, and whether the third column is a weight. BadDataError for a bipartite
/// network.
LineFormatOr MakeKonectFormat(const TextHead& head, const ReadOptions& options);
/// Whether the first line is KONECT's: "% sym|asym|bip KIND".
bool IsKonect(const TextHead& head);
/// .csv, .tsv, .txt: finds delimiter, header and columns. UsageError if --csv-columns is wrong, or
/// is needed but missing.
LineFormatOr MakeCsvFormat(const TextHead& head, const ReadOptions& options);
/// .mtx: coordinate matrices. A matrix that is not square is a bipartite graph.
LineFormatOr MakeMatrixMarketFormat(const TextHead& head, const ReadOptions& options);
/// Whether the first line begins with the banner of a MatrixMarket file.
bool IsMatrixMarket(const TextHead& head);
/// .gr and .col of DIMACS' challenges and of PACE. The form of lines follows from the kind of
/// problem, which the 'p' line names.
LineFormatOr MakeDimacsFormat(const TextHead& head, const ReadOptions& options);
/// Whether `words` are those of a 'p' line that MakeDimacsFormat reads.
bool IsDimacsProblem(const std::vector<std::string_view>& words);
/// .graph of METIS. The first line may count each edge once (METIS), or as often as it is listed
/// (GAPBS). The format 100 means that edges may repeat, as in the 10th DIMACS challenge.
LineFormatOr MakeMetisFormat(const TextHead& head, const ReadOptions& options);
/// .nt: N-Triples, whose subjects and objects are the vertices.
LineFormatOr MakeTriplesFormat(const TextHead& head, const ReadOptions& options);
/// Lines such as "vertex neighbour neighbour ...".
LineFormatOr MakeAdjacencyFormat(const TextHead& head, const ReadOptions& options);
/// .v of Graphalytics: one id on each line; values after it are ignored. `declared` is the declared
/// number of vertices, if known.
LineFormatOr MakeVertexListFormat(const TextHead& head, const ReadOptions& options,
                                  std::optional<uint64_t> declared);
/// Names of vertices: each line is one, blanks in it too.
LineFormatOr MakeNameListFormat(const TextHead& head, const ReadOptions& options);
/// .e of Graphalytics: source, target and perhaps a weight. `declared` is the declared number of
/// edges, if known.
LineFormatOr MakeGraphalyticsEdgesFormat(const TextHead& head, const ReadOptions& options,
                                         bool undirected, std::optional<uint64_t> declared);

/// UsageError, which says what to do, if a text seems to be an adjacency matrix: as many lines as
/// columns, perhaps with names before both, and values as such a matrix has.
Status RefuseMatrix(const TextHead& head, const ReadOptions& options);

/// The use of a third column: ignored, a weight only by guess, or a weight as the format says.
enum class ThirdColumn { kIgnored, kGuessed, kWeight };
/// Chooses the columns to read by the first lines of data, which have blanks between columns. The
/// third column is read if it is a weight. All later columns are ignored.
void ChooseBlankColumns(const TextHead& head, ThirdColumn third, ColumnLayout* layout,
                        InputInfo* info);
/// A column that is taken as the weight only because of its place.
struct GuessedWeight {
  std::string_view first;  // its first value; empty: no column is guessed
  std::string_view title;  // its name in the header
};
/// Adds a note that says which column is taken as the weight, if this is a guess, and which are
/// ignored. `titles` has the name of each column, or an empty text.
void NoteColumns(const std::string& name, const ColumnLayout& layout,
                 const std::vector<std::string>& titles, const GuessedWeight& guessed,
                 InputInfo* info);

/// Finds where data begin, and sets `info` and layout->comments. Decides whether lines at the front
/// with the mark of a comment are comments, or data with names such as "#topic". The first
/// `id_columns` columns may have ids. Returns the names of columns, if the last comment gives them.
/// UsageError when the user has to decide by --comment.
StatusOr<std::vector<std::string>> DecideComments(const TextHead& head, const ReadOptions& options,
                                                  size_t id_columns, ColumnLayout* layout,
                                                  InputInfo* info);

/// Finds the first line of data (neither blank nor comment). Returns false if the head has none.
bool FirstDataLine(const TextHead& head, const std::string& comment, HeadLine* line);

/// Decides whether vertices have names, by `options` or by the first lines from info->body on. Sets
/// `layout` and `info`. Must be called after DecideComments. UsageError when vertices have names
/// but the options set a base.
Status DecideNames(const TextHead& head, const ReadOptions& options, ColumnLayout* layout,
                   InputInfo* info);

/// A layout with the settings that all formats take from the options.
ColumnLayout BaseLayout(const ReadOptions& options);
/// Sets `layout` and `info` for ids 1..n (or 0..n-1 with base 1).
void LimitIds(uint64_t num_vertices, const ReadOptions& options, ColumnLayout* layout,
              InputInfo* info);
/// Sets `layout` for a weight in the third of three columns. If weights are not wanted, the third
/// column is skipped and may hold anything.
void ReadThirdAsWeight(ColumnLayout* layout);

}  // namespace edgemill
