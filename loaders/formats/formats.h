// The text formats, each made from the head of its input.
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

/// Lines of columns as `layout` says, behind `info.body`. At the end it is checked that there were
/// as many records as the input declares.
class ColumnFormat : public LineFormat {
 public:
  /// How many records the input says it has, if it does, and where it says so: for messages.
  struct Declared {
    std::optional<uint64_t> records;
    std::string by;  // "the size line (line 3)"
  };
  ColumnFormat(std::string name, InputInfo info, ColumnLayout layout, Declared declared = {});

  void Parse(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const override;
  Status CheckEnd(const InputTotals& totals, InputInfo* info) const override;

 private:
  std::string name_;
  LineParser parser_;
  Declared declared_;
};

/// .el and .wel: blanks between columns. A third column on the first line is a weight; `weighted`
/// demands it. More are ignored.
LineFormatOr MakeEdgeListFormat(const TextHead& head, const ReadOptions& options, bool weighted);
/// out.* of KONECT: an edge list whose header says whether lines are edges of one direction or
/// both, and whether the third column is a weight; ids count from 1. BadDataError for a bipartite
/// network.
LineFormatOr MakeKonectFormat(const TextHead& head, const ReadOptions& options);
/// Whether the first line is KONECT's: "% sym|asym|bip KIND".
bool IsKonect(const TextHead& head);
/// .csv, .tsv, .txt: finds delimiter, header and columns. UsageError when --csv-columns does not
/// fit, or when it is needed.
LineFormatOr MakeCsvFormat(const TextHead& head, const ReadOptions& options);
/// .mtx: coordinate matrices. One of other rows than columns is a bipartite graph.
LineFormatOr MakeMatrixMarketFormat(const TextHead& head, const ReadOptions& options);
/// Whether the first line begins as that of a Matrix Market file.
bool IsMatrixMarket(const TextHead& head);
/// .gr and .col of DIMACS' challenges and of PACE, by the kind of problem that their 'p' line
/// names.
LineFormatOr MakeDimacsFormat(const TextHead& head, const ReadOptions& options);
/// Whether these words of a line are a 'p' line that MakeDimacsFormat reads.
bool IsDimacsProblem(const std::vector<std::string_view>& words);
/// .graph of METIS. The edge count of the first line may count each edge once (METIS) or as often
/// as it is listed (GAPBS); a format of 100 means, as there and in the 10th DIMACS challenge, that
/// edges may repeat.
LineFormatOr MakeMetisFormat(const TextHead& head, const ReadOptions& options);
/// .nt: N-Triples, whose subjects and objects are the vertices.
LineFormatOr MakeTriplesFormat(const TextHead& head, const ReadOptions& options);
/// "vertex neighbour neighbour ..." lines.
LineFormatOr MakeAdjacencyFormat(const TextHead& head, const ReadOptions& options);
/// Graphalytics .v: an id a line, values after it ignored. `declared` vertices when known.
LineFormatOr MakeVertexListFormat(const TextHead& head, const ReadOptions& options,
                                  std::optional<uint64_t> declared);
/// Graphalytics .e: source, target and perhaps a weight.
LineFormatOr MakeGraphalyticsEdgesFormat(const TextHead& head, const ReadOptions& options,
                                         bool undirected, std::optional<uint64_t> declared);

/// What a third column is: nothing of use, a weight for want of anything that says so, or a weight.
enum class ThirdColumn { kIgnored, kGuessed, kWeight };
/// Chooses among columns with blanks between by the first line of data: what is behind the third,
/// if that is a weight, or else the second is ignored.
void ChooseBlankColumns(const TextHead& head, ThirdColumn third, ColumnLayout* layout,
                        InputInfo* info);
/// A column that is taken as the weight, when nothing but its place says so.
struct GuessedWeight {
  std::string_view first;  // the first line's; empty: nothing is guessed
  std::string_view title;  // what the header calls it
};
/// Notes which of `num_columns` is taken as the weight, where that is guessed, and that others are
/// ignored.
void NoteColumns(const std::string& name, const ColumnLayout& layout, size_t num_columns,
                 const GuessedWeight& guessed, InputInfo* info);

/// Finds where data begin, and whether lines before it that begin as comments do are such or names
/// ("#topic"): sets `info` and layout->comments, for numbers, so. The first `id_columns` may hold
/// ids. Returns what the last comment calls columns, where it does. UsageError where it takes
/// --comment to tell.
StatusOr<std::vector<std::string>> DecideComments(const TextHead& head, const ReadOptions& options,
                                                  size_t id_columns, ColumnLayout* layout,
                                                  InputInfo* info);

/// The first line of data (neither blank nor comment); false when the head has none.
bool FirstDataLine(const TextHead& head, const std::string& comment, HeadLine* line);

/// Decides by `options`, or by the first lines behind info->body, whether vertices have names, and
/// sets `layout` and `info` so; after DecideComments. UsageError when the options want names where
/// ids have a base.
Status DecideNames(const TextHead& head, const ReadOptions& options, ColumnLayout* layout,
                   InputInfo* info);

/// A layout with what every format takes from the options.
ColumnLayout BaseLayout(const ReadOptions& options);
/// Sets `layout` and `info` for ids 1..n (or 0..n-1 with base 1).
void LimitIds(uint64_t num_vertices, const ReadOptions& options, ColumnLayout* layout,
              InputInfo* info);
/// Sets `layout` for a weight in the third of three columns; where weights are not wanted, that is
/// passed over whatever it holds.
void ReadThirdAsWeight(ColumnLayout* layout);

}  // namespace edgemill
