// MatrixMarket coordinate files (https://math.nist.gov/MatrixMarket/formats.html).
#include <algorithm>
#include <array>

#include "loaders/formats/formats.h"

namespace edgemill {
namespace {

Status Refuse(const TextHead& head, const HeadLine& line, std::string_view field,
              std::string reason, std::string advice) {
  const size_t at =
      field.empty() ? line.text.size() : static_cast<size_t>(field.data() - line.text.data());
  return LineError(head.name, MakeBadLine(line, at, std::move(reason), std::move(advice)));
}

constexpr std::array<std::string_view, 2> kBanners = {"%%matrixmarket", "%matrixmarket"};

/// The facts in the banner of a matrix.
struct Banner {
  std::string field;     // pattern, integer, real, double or complex
  std::string symmetry;  // general, symmetric, skew-symmetric or hermitian
};

template <size_t kSize>
bool IsAmong(const std::array<std::string_view, kSize>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// Reads "%%MatrixMarket matrix coordinate FIELD SYMMETRY". Some files have only one '%'.
Status ReadBanner(const TextHead& head, const HeadLine& line, Banner* banner) {
  const std::vector<std::string_view> words = SplitBlanks(line.text, 6);
  if (words.empty() || !IsAmong(kBanners, Lower(words[0]))) {
    return Refuse(head, line, line.text, "not a MatrixMarket file",
                  "the first line must be '%%MatrixMarket matrix coordinate ...'");
  }
  const char* const form =
      "edges are read from 'matrix coordinate pattern|integer|real|complex "
      "general|symmetric|skew-symmetric|hermitian'";
  if (words.size() != 5) return Refuse(head, line, {}, "a banner without five words", form);
  if (Lower(words[1]) != "matrix") {
    return Refuse(head, line, words[1], "an object that is not a matrix", form);
  }
  if (Lower(words[2]) != "coordinate") {
    return Refuse(head, line, words[2],
                  Lower(words[2]) == "array" ? "a dense matrix (array)" : "an unknown layout",
                  form);
  }
  constexpr std::array<std::string_view, 5> kFields = {"pattern", "integer", "real", "double",
                                                       "complex"};
  constexpr std::array<std::string_view, 4> kSymmetries = {"general", "symmetric", "skew-symmetric",
                                                           "hermitian"};
  *banner = {Lower(words[3]), Lower(words[4])};
  if (!IsAmong(kFields, banner->field)) {
    return Refuse(head, line, words[3], "an unknown kind of value", form);
  }
  if (!IsAmong(kSymmetries, banner->symmetry)) {
    return Refuse(head, line, words[4], "an unknown symmetry", form);
  }
  return OkStatus();
}

/// Reads the banner, and sets `layout` and `info` for the edges of its kind of matrix.
Status ReadKind(const TextHead& head, const HeadLine& line, const ReadOptions& options,
                ColumnLayout* layout, InputInfo* info) {
  Banner banner;
  RETURN_IF_ERROR(ReadBanner(head, line, &banner));
  const bool has_values = banner.field != "pattern";
  if (has_values) ReadThirdAsWeight(layout);
  if (layout->weight >= 0 && banner.field == "complex") {
    return Refuse(head, line, SplitBlanks(line.text, 4)[3], "a matrix of complex numbers",
                  "--weights none reads its entries as edges without weights");
  }
  if (banner.field == "integer" && options.weights != WeightMode::kFloat) {
    layout->integer_weights = true;
  }
  // Without complex numbers, a Hermitian matrix is symmetric.
  layout->is_skew_symmetric = banner.symmetry == "skew-symmetric" && layout->weight >= 0;
  info->undirected = banner.symmetry != "general" && !layout->is_skew_symmetric;
  return OkStatus();
}

/// Reads "ROWS COLUMNS ENTRIES" and returns the number of entries.
StatusOr<uint64_t> ReadSizes(const TextHead& head, const HeadLine& line, const ReadOptions& options,
                             ColumnLayout* layout, InputInfo* info) {
  const std::vector<std::string_view> words = SplitBlanks(line.text, 4);
  uint64_t sizes[3] = {};
  FieldError error;
  for (size_t i = 0; i < words.size() && i < 3; ++i) {
    if (!ParseId(words[i], &sizes[i], &error)) {
      return Refuse(head, line, words[i], "a size line that is not three numbers",
                    "it says rows, columns and entries");
    }
  }
  if (words.size() != 3) {
    return Refuse(head, line, {}, "a size line that is not three numbers",
                  "it says rows, columns and entries");
  }
  const auto [rows, columns, count] = sizes;
  if (rows == columns) {
    LimitIds(rows, options, layout, info);
    return count;
  }
  if (info->undirected || layout->is_skew_symmetric) {
    return Refuse(head, line, words[0], "a symmetric matrix that is not square",
                  "correct the size line, or the banner to 'general'");
  }
  if (rows > kMaxExternalId - columns) {
    return Refuse(head, line, words[0], "more rows and columns than 2^64 - 2",
                  "correct the size line");
  }
  LimitIds(rows + columns, options, layout, info);
  layout->max_id = rows;
  layout->max_target = columns;
  layout->target_base = options.base - rows;
  info->notes.push_back(StrCat(head.name, ": a matrix of ", rows, " rows and ", columns,
                               " columns is a bipartite graph: row i is vertex i, column j is "
                               "vertex ",
                               rows, " + j; --undirected stores both directions"));
  return count;
}

}  // namespace

bool IsMatrixMarket(const TextHead& head) {
  HeadLines lines(head);
  HeadLine line;
  if (!lines.Next(&line)) return false;
  const std::vector<std::string_view> words = SplitBlanks(line.text, 1);
  return !words.empty() && IsAmong(kBanners, Lower(words[0]));
}

LineFormatOr MakeMatrixMarketFormat(const TextHead& head, const ReadOptions& options) {
  ColumnLayout layout = BaseLayout(options);
  layout.comment = "%";
  InputInfo info;
  HeadLines lines(head);
  HeadLine line;
  if (!lines.Next(&line)) {
    return BadDataError(StrCat(head.name,
                               ":1:1: an empty file: a MatrixMarket file begins with "
                               "'%%MatrixMarket'"));
  }
  RETURN_IF_ERROR(ReadKind(head, line, options, &layout, &info));
  while (lines.Next(&line)) {
    if (StripSpace(line.text).empty() || IsComment(line.text, layout.comment)) continue;
    ASSIGN_OR_RETURN(const uint64_t entries, ReadSizes(head, line, options, &layout, &info));
    info.body = lines.position();
    return std::make_unique<ColumnFormat>(
        head.name, info, std::move(layout),
        ColumnFormat::Declared{entries, StrCat("the size line (line ", line.number, ")")});
  }
  return MissingLine(head, line, "size line", "the file is cut short");
}

}  // namespace edgemill
