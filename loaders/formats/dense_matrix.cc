// Adjacency matrices as text: a row of numbers for each vertex, perhaps with names. They are no
// edges, but would be read as such.
#include <algorithm>
#include <utility>
#include <vector>

#include "loaders/formats/formats.h"
#include "loaders/formats/lines/name_parser.h"

namespace edgemill {
namespace {

/// A matrix with fewer rows may be a short list of edges.
constexpr size_t kMinRows = 4, kMinNamedRows = 3;
/// If the end of the text is unknown, so many columns and rows show a matrix.
constexpr size_t kManyColumns = 16;
/// In so few rows, many zeros may be those of edges with more columns.
constexpr size_t kFewRows = 8;

using MatrixRow = std::vector<std::string_view>;

/// The fields of a line with `delimiter` between them. ' ': blanks.
MatrixRow SplitRow(std::string_view line, char delimiter) {
  if (delimiter == ' ') return SplitBlanks(line, SIZE_MAX);
  MatrixRow fields;
  for (size_t at = 0; at <= line.size();) {
    const size_t end = std::min(line.find(delimiter, at), line.size());
    std::string_view field = StripSpace(line.substr(at, end - at));
    if (field.size() > 1 && field.front() == '"' && field.back() == '"') {
      field = field.substr(1, field.size() - 2);
    }
    fields.push_back(field);
    at = end + 1;
  }
  return fields;
}

/// Whether the numbers are as in an adjacency matrix: many zeros, or some zeros and a shape, which
/// is a diagonal of zeros or symmetry. A small matrix has a shape, too. Few lists of edges do.
bool HasMatrixValues(const std::vector<MatrixRow>& rows) {
  const auto is_zero = [](std::string_view field) {
    return field.find_first_not_of("0.") == std::string_view::npos;
  };
  size_t zeros = 0, values = 0;
  bool symmetric = true, empty_diagonal = true;
  for (size_t i = 0; i < rows.size(); ++i) {
    values += rows[i].size();
    for (size_t j = 0; j < rows[i].size(); ++j) {
      zeros += is_zero(rows[i][j]);
      symmetric &= j >= rows.size() || rows[i][j] == rows[j][i];
    }
    empty_diagonal &= is_zero(rows[i][i]);
  }
  const bool shaped = symmetric || empty_diagonal;
  if (rows.size() <= kFewRows && !shaped) return false;
  return 3 * zeros >= values || (zeros >= rows.size() && shaped);
}

/// Takes a column of names that equals `names` off the rows. False if there is none.
bool TakeNames(const MatrixRow& names, std::vector<MatrixRow>* rows) {
  if (names.size() < rows->size() || names.size() > rows->size() + 1) return false;
  const size_t first = names.size() - rows->size();  // an empty name over the column of names
  for (size_t i = 0; i < rows->size(); ++i) {
    MatrixRow& row = (*rows)[i];
    if (row.size() != rows->size() + 1 || row[0] != names[first + i]) return false;
    row.erase(row.begin());
  }
  return true;
}

}  // namespace

Status RefuseMatrix(const TextHead& head, const ReadOptions& options) {
  HeadLine line;
  if (!FirstDataLine(head, options.comment, &line)) return OkStatus();
  char delimiter = ' ';
  for (const char c : {'\t', ';', ','}) {
    if (line.text.find(c) != std::string_view::npos) delimiter = c;
  }
  HeadLines lines(head);
  std::vector<MatrixRow> rows;
  size_t columns = 0;
  bool ends = true;  // all rows of the text are in `rows`
  while (lines.Next(&line)) {
    if (StripSpace(line.text).empty() || IsComment(line.text, options.comment)) continue;
    MatrixRow row = SplitRow(line.text, delimiter);
    if (rows.empty()) columns = row.size();
    // A matrix has as many rows as columns, and one more with names.
    ends = rows.size() <= columns + 1;
    if (columns < kMinNamedRows || !ends) break;
    rows.push_back(std::move(row));
  }
  ends = ends && head.whole;
  const auto is_number = [](const MatrixRow& row) {
    return std::all_of(row.begin(), row.end(), IsNumber);
  };
  bool named = false;
  if (ends && rows.size() > kMinNamedRows && !is_number(rows[0])) {
    const MatrixRow names = std::move(rows[0]);
    rows.erase(rows.begin());
    if (!TakeNames(names, &rows)) return OkStatus();
    columns = rows.size();
    named = true;
  }
  const size_t wanted = ends ? columns : kManyColumns;
  const bool is_matrix =
      (named || columns >= kMinRows) && columns >= wanted &&
      (ends ? rows.size() == columns : rows.size() >= wanted) && rows.size() <= columns &&
      std::all_of(rows.begin(), rows.end(),
                  [&](const MatrixRow& row) { return row.size() == columns && is_number(row); });
  if (!is_matrix || (!named && !HasMatrixValues(rows))) return OkStatus();
  return UsageError(StrCat(
      head.name, ": looks like an adjacency matrix of ", columns, " rows and columns",
      named ? " with names" : "", ", which is not read: write it as edges, such as in Python by ",
      "scipy.sparse.save_npz(\"g.npz\", scipy.sparse.csr_matrix(matrix)), or give --csv-columns ",
      "or --format if lines are edges"));
}

}  // namespace edgemill
