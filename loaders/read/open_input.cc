#include "loaders/read/open_input.h"

#include <utility>

#include "loaders/formats/binary_formats.h"
#include "loaders/formats/format_detection.h"
#include "loaders/formats/formats.h"

namespace edgemill {
namespace {

/// The head as text: without byte order mark, with its line end found.
StatusOr<TextHead> ReadTextHead(const InputStream& stream) {
  TextHead head{stream.name(), stream.head(), 0, stream.head_is_all(), '\n'};
  if (head.text.starts_with("\xff\xfe") || head.text.starts_with("\xfe\xff")) {
    return BadDataError(StrCat(head.name,
                               ":1:0: UTF-16 text: convert it first (iconv -f UTF-16 "
                               "-t UTF-8)"));
  }
  if (head.text.starts_with("\xef\xbb\xbf")) {
    head.text.remove_prefix(3);
    head.offset = 3;
  }
  const bool no_newline = head.text.find('\n') == std::string_view::npos;
  if (no_newline && head.text.find('\r') != std::string_view::npos) head.line_end = '\r';
  return head;
}

LineFormatOr MakeLineFormat(EdgeFormat format, const TextHead& head, const PlannedInput& planned,
                            const ReadOptions& options) {
  switch (format) {
    case EdgeFormat::kEdgeList:
      return MakeEdgeListFormat(head, options, false);
    case EdgeFormat::kWeightedList:
      return MakeEdgeListFormat(head, options, true);
    case EdgeFormat::kCsv:
      return MakeCsvFormat(head, options);
    case EdgeFormat::kMatrixMarket:
      return MakeMatrixMarketFormat(head, options);
    case EdgeFormat::kDimacs:
      return MakeDimacsFormat(head, options);
    case EdgeFormat::kMetis:
      return MakeMetisFormat(head, options);
    case EdgeFormat::kAdjacency:
      return MakeAdjacencyFormat(head, options);
    case EdgeFormat::kGraphalytics:
      if (planned.role == PlannedInput::Role::kVertices) {
        return MakeVertexListFormat(head, options, planned.declared);
      }
      return MakeGraphalyticsEdgesFormat(head, options, planned.undirected, planned.declared);
    default:
      return InternalError(StrCat("'", EdgeFormatName(format), "' is no text format"));
  }
}

}  // namespace

StatusOr<std::unique_ptr<Input>> OpenInput(const PlannedInput& planned,
                                           const ReadOptions& options) {
  EdgeFormat format = planned.format;
  const InputSpec spec{planned.path, IsBinaryFormat(format) && planned.path != "-",
                       options.zstd_window_log_max};
  ASSIGN_OR_RETURN(auto stream,
                   InputStream::Open(spec.path, spec.trust_suffix, spec.zstd_window_log_max));
  switch (format) {
    case EdgeFormat::kPairs32:
      return MakePairInput(RestingStream(spec, std::move(stream)), options, 4);
    case EdgeFormat::kPairs64:
      return MakePairInput(RestingStream(spec, std::move(stream)), options, 8);
    case EdgeFormat::kSerialized:
      return MakeSerializedInput(RestingStream(spec, std::move(stream)), spec, options, false);
    case EdgeFormat::kSerializedWeighted:
      return MakeSerializedInput(RestingStream(spec, std::move(stream)), spec, options, true);
    default:
      break;
  }
  ASSIGN_OR_RETURN(const TextHead head, ReadTextHead(*stream));
  if (format == EdgeFormat::kAuto) {
    ASSIGN_OR_RETURN(format, FormatOfContent(head, options));
  }
  ASSIGN_OR_RETURN(auto parser, MakeLineFormat(format, head, planned, options));
  return MakeLineInput(RestingStream(spec, std::move(stream)), std::move(parser), head.line_end,
                       options.max_line_bytes);
}

}  // namespace edgemill
