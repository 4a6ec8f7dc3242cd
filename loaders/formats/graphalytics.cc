// LDBC Graphalytics: a .v file lists the vertices, an .e file lists the edges.
#include "loaders/formats/formats.h"

namespace edgemill {

LineFormatOr MakeVertexListFormat(const TextHead& head, const ReadOptions& options,
                                  std::optional<uint64_t> declared) {
  ColumnLayout layout = BaseLayout(options);
  layout.target = -1;
  layout.columns = 0;
  InputInfo info;
  info.has_vertex_list = true;
  info.only_vertices = true;
  RETURN_IF_ERROR(DecideComments(head, options, 1, &layout, &info).status());
  RETURN_IF_ERROR(DecideNames(head, options, &layout, &info));
  if (layout.names) layout.columns = 1;  // so a name with a blank but no quotes is an error
  return std::make_unique<ColumnFormat>(
      head.name, info, std::move(layout),
      ColumnFormat::Declared{declared, "meta.vertices of the .properties file"});
}

LineFormatOr MakeNameListFormat(const TextHead& head, const ReadOptions& options) {
  ColumnLayout layout = BaseLayout(options);
  layout.delimiter = '\n';
  layout.target = -1;
  layout.columns = 1;
  layout.names = layout.allows_names = true;
  layout.quotes = layout.comments = false;
  InputInfo info;
  info.only_vertices = info.named = true;
  info.body = head.begin();
  return std::make_unique<ColumnFormat>(head.name, info, std::move(layout));
}

LineFormatOr MakeGraphalyticsEdgesFormat(const TextHead& head, const ReadOptions& options,
                                         bool undirected, std::optional<uint64_t> declared) {
  HeadLine first;
  ColumnLayout layout = BaseLayout(options);
  if (FirstDataLine(head, options.comment, &first) && SplitBlanks(first.text, 4).size() == 3) {
    ReadThirdAsWeight(&layout);
  }
  InputInfo info;
  info.body = head.begin();
  info.undirected = undirected;
  return std::make_unique<ColumnFormat>(
      head.name, info, std::move(layout),
      ColumnFormat::Declared{declared, "meta.edges of the .properties file"});
}

}  // namespace edgemill
