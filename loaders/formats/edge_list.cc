// Edge lists: "source target" or "source target weight" lines, blanks between.
#include "loaders/formats/formats.h"

namespace edgemill {

LineFormatOr MakeEdgeListFormat(const TextHead& head, const ReadOptions& options, bool weighted) {
  HeadLine first;
  const bool any = FirstDataLine(head, options.comment, &first);
  ColumnLayout layout = BaseLayout(options);
  if (weighted || (any && SplitBlanks(first.text, 4).size() == 3)) {
    layout.weight = 2;
    layout.columns = 3;
  }
  InputInfo info;
  info.body = {head.offset, 1, 0};
  return std::make_unique<ColumnFormat>(head.name, info, std::move(layout));
}

}  // namespace edgemill
