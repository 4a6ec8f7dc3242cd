// Edge lists: "source target" or "source target weight" lines, blanks between.
#include <algorithm>

#include "loaders/formats/formats.h"

namespace edgemill {

void ChooseBlankColumns(const TextHead& head, ThirdColumn third, ColumnLayout* layout,
                        InputInfo* info) {
  HeadLine first;
  if (!FirstDataLine(head, layout->comment, &first)) return;
  std::vector<std::string> fields;
  if (!SplitLine(first.text, *layout, &fields)) return;  // the line is a bad one
  const bool weighted =
      third != ThirdColumn::kIgnored && layout->keep_weights && fields.size() >= 3;
  const size_t used = weighted ? 3 : 2;
  layout->weight = weighted ? 2 : -1;
  layout->columns = fields.size() > used ? 0 : static_cast<int>(used);
  const bool guessed = weighted && third == ThirdColumn::kGuessed;
  NoteColumns(head.name, *layout, fields.size(), guessed ? fields[2] : "", "", info);
}

namespace {

/// Whether a comment before the first line of data begins with "Undirected graph", as SNAP has it.
bool IsCalledUndirected(const TextHead& head, const std::string& comment) {
  HeadLines lines(head);
  HeadLine line;
  while (lines.Next(&line) && (line.text.empty() || IsComment(line.text, comment))) {
    const size_t word = std::min(line.text.find_first_not_of(" \t#%/"), line.text.size());
    if (Lower(line.text.substr(word, 16)) == "undirected graph") return true;
  }
  return false;
}

}  // namespace

LineFormatOr MakeEdgeListFormat(const TextHead& head, const ReadOptions& options, bool weighted) {
  ColumnLayout layout = BaseLayout(options);
  InputInfo info;
  info.body = {head.offset, 1, 0};
  RETURN_IF_ERROR(DecideNames(head, options, &layout, &info));
  ChooseBlankColumns(head, weighted ? ThirdColumn::kWeight : ThirdColumn::kGuessed, &layout, &info);
  if (weighted && layout.keep_weights && layout.weight < 0) {
    layout.weight = 2;
    layout.columns = 3;
  }
  info.called_undirected = IsCalledUndirected(head, options.comment);
  return std::make_unique<ColumnFormat>(head.name, info, std::move(layout));
}

}  // namespace edgemill
