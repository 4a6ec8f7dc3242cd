// MatrixMarket coordinate files (https://math.nist.gov/MatrixMarket/formats.html).
#include "loaders/formats/formats.h"

namespace edgemill {
namespace {

Status Refuse(const TextHead& head, const HeadLine& line, std::string_view field,
              std::string reason, std::string advice) {
  const size_t at =
      field.empty() ? line.text.size() : static_cast<size_t>(field.data() - line.text.data());
  return LineError(head.name, MakeBadLine(line, at, std::move(reason), std::move(advice)));
}

/// Reads "%%MatrixMarket matrix coordinate FIELD SYMMETRY".
Status ReadBanner(const TextHead& head, const HeadLine& line, ColumnLayout* layout,
                  InputInfo* info) {
  const std::vector<std::string_view> words = SplitBlanks(line.text, 6);
  if (words.empty() || Lower(words[0]) != "%%matrixmarket") {
    return Refuse(head, line, line.text, "not a MatrixMarket file",
                  "the first line must be '%%MatrixMarket matrix coordinate ...'");
  }
  const char* const form =
      "edges are read from 'matrix coordinate "
      "pattern|integer|real general|symmetric'";
  if (words.size() != 5) return Refuse(head, line, {}, "a banner without five words", form);
  if (Lower(words[1]) != "matrix") {
    return Refuse(head, line, words[1], "an object that is no matrix", form);
  }
  if (Lower(words[2]) != "coordinate") {
    return Refuse(head, line, words[2],
                  Lower(words[2]) == "array" ? "a dense matrix (array)" : "an unknown layout",
                  form);
  }
  const std::string field = Lower(words[3]);
  if (field != "pattern" && field != "integer" && field != "real" && field != "double") {
    return Refuse(head, line, words[3],
                  field == "complex" ? "a matrix of complex numbers" : "an unknown kind of value",
                  form);
  }
  const std::string symmetry = Lower(words[4]);
  if (symmetry != "general" && symmetry != "symmetric") {
    return Refuse(head, line, words[4],
                  symmetry == "skew-symmetric" || symmetry == "hermitian"
                      ? StrCat("a ", symmetry, " matrix")
                      : std::string("an unknown symmetry"),
                  form);
  }
  info->undirected = symmetry == "symmetric";
  if (field != "pattern") {
    layout->weight = 2;
    layout->columns = 3;
    layout->integer_weights = layout->integer_weights || field == "integer";
  }
  return OkStatus();
}

/// Reads "ROWS COLUMNS ENTRIES".
Status ReadSizes(const TextHead& head, const HeadLine& line, const ReadOptions& options,
                 ColumnLayout* layout, InputInfo* info, uint64_t* entries) {
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
  if (sizes[0] != sizes[1]) {
    return Refuse(head, line, words[0], "a matrix that is not square",
                  "a graph's adjacency matrix has as many rows as columns");
  }
  LimitIds(sizes[0], options, layout, info);
  *entries = sizes[2];
  return OkStatus();
}

}  // namespace

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
  RETURN_IF_ERROR(ReadBanner(head, line, &layout, &info));
  while (lines.Next(&line)) {
    if (StripSpace(line.text).empty() || IsComment(line.text, layout.comment)) continue;
    uint64_t entries = 0;
    RETURN_IF_ERROR(ReadSizes(head, line, options, &layout, &info, &entries));
    info.body = lines.position();
    return std::make_unique<ColumnFormat>(
        head.name, info, std::move(layout),
        ColumnFormat::Declared{entries, StrCat("the size line (line ", line.number, ")")});
  }
  return BadDataError(StrCat(head.name, ":", line.number, ":", line.text.size() + 1,
                             ": no size line: the file is cut short"));
}

}  // namespace edgemill
