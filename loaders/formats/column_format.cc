#include <utility>

#include "loaders/formats/formats.h"

namespace edgemill {

ColumnFormat::ColumnFormat(std::string name, InputInfo info, ColumnLayout layout, Declared declared)
    : name_(std::move(name)), parser_(std::move(layout)), declared_(std::move(declared)) {
  info_ = info;
  info_.weighted = parser_.layout().weight >= 0 && parser_.layout().keep_weights;
  info_.integer_weights = info_.weighted && parser_.layout().integer_weights;
  if (declared_.records && !info_.only_vertices) info_.expected_edges = declared_.records;
}

void ColumnFormat::Parse(const Piece& piece, EdgeChunk* chunk, PieceResult* result) const {
  parser_.Parse(piece, chunk, result);
}

Status ColumnFormat::CheckEnd(const InputTotals& totals, InputInfo*) const {
  if (!declared_.records || totals.records == *declared_.records) return OkStatus();
  return BadDataError(StrCat(name_, ": ", declared_.by, " declares ", *declared_.records,
                             info_.only_vertices ? " vertices" : " edges", ", the file has ",
                             totals.records, ": the file is cut short, or correct the number"));
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

bool FirstDataLine(const TextHead& head, const std::string& comment, HeadLine* line) {
  HeadLines lines(head);
  while (lines.Next(line)) {
    if (!StripSpace(line->text).empty() && !IsComment(line->text, comment)) return true;
  }
  return false;
}

ColumnLayout BaseLayout(const ReadOptions& options) {
  ColumnLayout layout;
  layout.comment = options.comment;
  layout.keep_weights = options.weights != WeightMode::kNone;
  layout.integer_weights = options.weights == WeightMode::kInt;
  layout.base = options.base;
  layout.min_id = options.base;
  return layout;
}

void LimitIds(uint64_t num_vertices, const ReadOptions& options, ColumnLayout* layout,
              InputInfo* info) {
  info->num_vertices = num_vertices;
  info->first_id = 1 - options.base;
  layout->min_id = 1;
  layout->max_id = num_vertices;
}

}  // namespace edgemill
