// .gr files of the 9th DIMACS challenge (shortest paths): 'c' comments, 'p sp N M', 'a SOURCE
// TARGET WEIGHT'.
#include "loaders/formats/formats.h"

namespace edgemill {

LineFormatOr MakeDimacsFormat(const TextHead& head, const ReadOptions& options) {
  HeadLines lines(head);
  HeadLine line;
  while (lines.Next(&line)) {
    const std::vector<std::string_view> words = SplitBlanks(line.text, 5);
    if (words.empty() || words[0][0] == 'c') continue;
    uint64_t vertices = 0;
    uint64_t edges = 0;
    FieldError error;
    if (words.size() != 4 || words[0] != "p" || words[1] != "sp" ||
        !ParseId(words[2], &vertices, &error) || !ParseId(words[3], &edges, &error)) {
      return LineError(head.name, MakeBadLine(line, 0, "not a line 'p sp VERTICES EDGES'",
                                              "it must come before the first edge"));
    }
    ColumnLayout layout = BaseLayout(options);
    layout.prefix = 'a';
    layout.comment_letter = 'c';
    layout.weight = 2;
    layout.columns = 3;
    layout.integer_weights = true;
    InputInfo info;
    LimitIds(vertices, options, &layout, &info);
    info.body = lines.position();
    return std::make_unique<ColumnFormat>(
        head.name, info, std::move(layout),
        ColumnFormat::Declared{edges, StrCat("the 'p' line (line ", line.number, ")")});
  }
  return BadDataError(StrCat(head.name, ":", line.number, ":", line.text.size() + 1,
                             ": no line 'p sp VERTICES EDGES': is this a .gr file?"));
}

}  // namespace edgemill
