#include "loaders/read/open_input.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <string_view>
#include <utility>

#include "loaders/formats/bv/bv_input.h"
#include "loaders/formats/format_detection.h"
#include "loaders/formats/formats.h"
#include "loaders/formats/lines/line_input.h"
#include "loaders/formats/named/named_input.h"
#include "loaders/formats/npz/npz_input.h"
#include "loaders/formats/ordered/ordered_formats.h"
#include "loaders/formats/pairs.h"
#include "loaders/formats/rows/row_formats.h"
#include "loaders/options/format_options.h"
#include "loaders/read/text_preview.h"
#include "loaders/stream/reopening_stream.h"
#include "loaders/tables/table_input.h"

namespace edgemill {
namespace {

/// The bytes that a file in a foreign format has at offset `at`, the format's name, and advice.
struct ForeignStart {
  std::string_view bytes;
  size_t at;
  std::string_view what;
  std::string_view advice;
};
constexpr std::string_view kFromArrow =
    "write it as Parquet, or give its table to edgemill.ingest in Python, or read it with --sql if "
    "DuckDB has the extension nanoarrow";
constexpr std::array<ForeignStart, 4> kForeignFiles = {{
    {"ARROW1", 0, "an Arrow file", kFromArrow},
    {"FEA1", 0, "a Feather file", kFromArrow},
    {"PK\x03\x04", 0, "a ZIP archive", "unpack it first"},
    {"ustar", 257, "a tar archive", "unpack it first"},
}};
constexpr std::string_view kWriteEdges = "write its edges as lines of source and target";
constexpr std::array<ForeignStart, 7> kForeignTexts = {{
    {"<?xml", 0, "XML that is not GraphML", kWriteEdges},
    {"<gexf", 0, "GEXF", kWriteEdges},
    {"graph [", 0, "GML", kWriteEdges},
    {"digraph ", 0, "Graphviz", kWriteEdges},
    {"{\"", 0, "JSON", kWriteEdges},
    {"{\n", 0, "JSON", kWriteEdges},
    {"[{", 0, "JSON", kWriteEdges},
}};

/// Refuses an input that begins like one of `starts`.
Status RefuseForeign(const InputStream& stream, std::span<const ForeignStart> starts) {
  const std::string_view head = stream.head();
  for (const ForeignStart& start : starts) {
    if (head.size() < start.at || !head.substr(start.at).starts_with(start.bytes)) continue;
    return UsageError(StrCat(stream.name(), ": ", start.what, " is not read: ", start.advice));
  }
  return OkStatus();
}

/// Refuses bytes that are no text: METIS and WebGraph have the same suffix.
Status RefuseBits(const InputStream& stream) {
  const std::string_view start = stream.head().substr(0, 256);
  const bool is_text = std::none_of(start.begin(), start.end(), [](char byte) {
    return static_cast<unsigned char>(byte) < ' ' && std::isspace(byte) == 0;
  });
  if (is_text) return OkStatus();
  return BadDataError(StrCat(stream.name(),
                             ": is neither text, as METIS graphs are, nor a BV graph, "
                             "as there is no ",
                             BvFileBeside(stream.name(), ".properties"), " of one beside it"));
}

/// Removes the first `skip_lines` lines from a head.
Status SkipLines(uint64_t skip_lines, TextHead* head) {
  const TextHead all = *head;
  HeadLines lines(all);
  HeadLine line;
  for (uint64_t i = 0; i < skip_lines; ++i) {
    if (lines.Next(&line)) continue;
    return UsageError(StrCat(head->name, ": --skip-lines: ", skip_lines,
                             " is not valid: ", all.whole ? "the file" : "its first MiB", " has ",
                             i, " lines: give fewer"));
  }
  head->line = lines.position().line;
  head->text.remove_prefix(lines.position().offset - all.offset);
  head->offset = lines.position().offset;
  return OkStatus();
}

/// The head as text, without its byte order mark and the lines to skip. Finds its line end.
StatusOr<TextHead> ReadTextHead(const InputStream& stream, uint64_t skip_lines) {
  TextHead head{.name = stream.name(), .text = stream.head(), .whole = stream.head_is_all()};
  if (head.text.starts_with("\xff\xfe") || head.text.starts_with("\xfe\xff")) {
    return BadDataError(
        StrCat(head.name, ":1:1: UTF-16 text: convert it first (iconv -f UTF-16 -t UTF-8)"));
  }
  if (head.text.starts_with(kUtf8Mark)) {
    head.offset = kUtf8Mark.size();
    head.text.remove_prefix(head.offset);
  }
  const bool no_newline = head.text.find('\n') == std::string_view::npos;
  if (no_newline && head.text.find('\r') != std::string_view::npos) head.line_end = '\r';
  RETURN_IF_ERROR(SkipLines(skip_lines, &head));
  return head;
}

LineFormatOr MakeLineFormat(EdgeFormat format, const TextHead& head, const PlannedInput& planned,
                            const ReadOptions& options) {
  switch (format) {
    case EdgeFormat::kEdgeList:
      return MakeEdgeListFormat(head, options, false);
    case EdgeFormat::kWeightedList:
      return MakeEdgeListFormat(head, options, true);
    case EdgeFormat::kKonect:
      return MakeKonectFormat(head, options);
    case EdgeFormat::kCsv:
      return MakeCsvFormat(head, options);
    case EdgeFormat::kMatrixMarket:
      return MakeMatrixMarketFormat(head, options);
    case EdgeFormat::kDimacs:
      return MakeDimacsFormat(head, options);
    case EdgeFormat::kMetis:
      return MakeMetisFormat(head, options);
    case EdgeFormat::kTriples:
      return MakeTriplesFormat(head, options);
    case EdgeFormat::kAdjacency:
      return MakeAdjacencyFormat(head, options);
    case EdgeFormat::kGraphalytics:
      if (planned.role == PlannedInput::Role::kNames) return MakeNameListFormat(head, options);
      if (planned.role == PlannedInput::Role::kVertices) {
        return MakeVertexListFormat(head, options, planned.declared);
      }
      return MakeGraphalyticsEdgesFormat(head, options, planned.undirected, planned.declared);
    default:
      return InternalError(StrCat("'", EdgeFormatName(format), "' is not a text format"));
  }
}

std::string NameOf(const PlannedInput& planned) {
  if (planned.format == EdgeFormat::kQuery) return "--sql";
  return planned.path == "-" ? "standard input" : planned.path;
}

/// Refuses options that cannot act on the input. Accepts all for a vertex list, since options may
/// be meant for the edges.
Status CheckOptions(EdgeFormat format, const PlannedInput& planned, const ReadOptions& options) {
  if (planned.role == PlannedInput::Role::kVertices || planned.role == PlannedInput::Role::kNames) {
    return OkStatus();
  }
  return CheckFormatOptions(format, NameOf(planned), options);
}

/// The description from which an input of `format` is opened, and opened again.
InputSpec SpecOf(const PlannedInput& planned, const ReadOptions& options, EdgeFormat format) {
  return {planned.path, IsBinaryFormat(format) && planned.path != "-", options.window_log_max,
          options.copies};
}

/// Opens a text. Its content decides `*format` if this is kAuto.
StatusOr<std::unique_ptr<Input>> OpenText(const PlannedInput& planned, const ReadOptions& options,
                                          std::unique_ptr<InputStream> stream, EdgeFormat* format,
                                          InputPreview* preview) {
  const InputSpec spec = SpecOf(planned, options, *format);
  if (*format == EdgeFormat::kDimacs && IsGalois(stream->head())) {
    *format = EdgeFormat::kGalois;
    RETURN_IF_ERROR(CheckOptions(*format, planned, options));
    return MakeGaloisInput(ReopeningStream(spec, std::move(stream)), spec, options);
  }
  RETURN_IF_ERROR(RefuseForeign(*stream, kForeignFiles));
  if (*format == EdgeFormat::kAuto && IsGraphml(stream->head())) *format = EdgeFormat::kGraphml;
  if (*format == EdgeFormat::kGraphml) {  // not always UTF-8
    RETURN_IF_ERROR(CheckOptions(*format, planned, options));
    return MakeGraphmlInput(ReopeningStream(spec, std::move(stream)), options, preview);
  }
  if (*format == EdgeFormat::kAuto) RETURN_IF_ERROR(RefuseForeign(*stream, kForeignTexts));
  ASSIGN_OR_RETURN(const TextHead head, ReadTextHead(*stream, options.skip_lines));
  if (*format == EdgeFormat::kMetis) RETURN_IF_ERROR(RefuseBits(*stream));
  // Other programs write lists of edges to .net files.
  if (*format == EdgeFormat::kPajek && options.format == EdgeFormat::kAuto && IsNoPajek(head)) {
    RETURN_IF_ERROR(RefuseForeign(*stream, kForeignTexts));
    *format = EdgeFormat::kAuto;
  }
  // A KONECT file out.NAME may have the suffix of another format, or may be renamed to .txt or .el.
  const bool may_be_konect = options.format == EdgeFormat::kAuto &&
                             planned.role == PlannedInput::Role::kPlain && IsKonect(head);
  if (may_be_konect) *format = EdgeFormat::kKonect;
  const bool may_be_matrix = options.format == EdgeFormat::kAuto && options.csv_columns.empty() &&
                             options.header_columns.empty() &&
                             (*format == EdgeFormat::kAuto || *format == EdgeFormat::kCsv ||
                              *format == EdgeFormat::kEdgeList);
  if (may_be_matrix) RETURN_IF_ERROR(RefuseMatrix(head, options));
  if (*format == EdgeFormat::kAuto) {
    ASSIGN_OR_RETURN(*format, FormatOfContent(head, options));
    // Lines with tabs or blanks between columns, which a header in a file before them names.
    const bool has_header = !options.header_columns.empty();
    if (*format == EdgeFormat::kEdgeList && has_header) *format = EdgeFormat::kCsv;
  }
  const bool is_list = *format == EdgeFormat::kEdgeList || *format == EdgeFormat::kWeightedList;
  if (is_list && options.format == EdgeFormat::kAuto && AsksForCsv(options)) {
    *format = EdgeFormat::kCsv;
  }
  if (*format == EdgeFormat::kAdjacency && IsLigra(head)) *format = EdgeFormat::kLigra;
  RETURN_IF_ERROR(CheckOptions(*format, planned, options));
  if (*format == EdgeFormat::kPajek) {
    return MakePajekInput(head, ReopeningStream(spec, std::move(stream)), options, preview);
  }
  if (*format == EdgeFormat::kLigra) {
    return MakeLigraInput(head, ReopeningStream(spec, std::move(stream)), spec, options);
  }
  ASSIGN_OR_RETURN(auto parser, MakeLineFormat(*format, head, planned, options));
  auto input = MakeLineInput(ReopeningStream(spec, std::move(stream)), std::move(parser),
                             head.line_end, options.max_line_bytes);
  if (preview != nullptr) *preview = PreviewText(*input, head);
  return input;
}

StatusOr<std::unique_ptr<Input>> OpenFormat(const PlannedInput& planned, const ReadOptions& options,
                                            EdgeFormat* format, InputPreview* preview) {
  if (*format == EdgeFormat::kQuery) return MakeQueryInput(options);
  const InputSpec spec = SpecOf(planned, options, *format);
  ASSIGN_OR_RETURN(auto stream, spec.Open());
  if (*format == EdgeFormat::kAuto && IsParquet(stream->head())) *format = EdgeFormat::kParquet;
  if (*format == EdgeFormat::kAuto && IsNpz(stream->head())) *format = EdgeFormat::kNpz;
  if (IsBinaryFormat(*format)) RETURN_IF_ERROR(CheckOptions(*format, planned, options));
  switch (*format) {
    case EdgeFormat::kPairs32:
      return MakePairInput(ReopeningStream(spec, std::move(stream)), options, 4);
    case EdgeFormat::kPairs64:
      return MakePairInput(ReopeningStream(spec, std::move(stream)), options, 8);
    case EdgeFormat::kGalois:
      return MakeGaloisInput(ReopeningStream(spec, std::move(stream)), spec, options);
    case EdgeFormat::kSerialized:
      return MakeSerializedInput(ReopeningStream(spec, std::move(stream)), spec, options, false);
    case EdgeFormat::kSerializedWeighted:
      return MakeSerializedInput(ReopeningStream(spec, std::move(stream)), spec, options, true);
    case EdgeFormat::kBv:
      return MakeBvInput(ReopeningStream(spec, std::move(stream)), spec, options);
    case EdgeFormat::kNpz:
      return MakeNpzInput(ReopeningStream(spec, std::move(stream)), options);
    case EdgeFormat::kParquet:
      return MakeParquetInput(spec.path, *stream, options);
    default:
      return OpenText(planned, options, std::move(stream), format, preview);
  }
}

}  // namespace

ReadOptions OptionsAfter(const InputInfo& opened, const ReadOptions& options) {
  ReadOptions next = options;
  if (opened.columns_of_next.empty()) return next;
  next.header_columns = opened.columns_of_next;
  return next;
}

StatusOr<std::unique_ptr<Input>> OpenInput(const PlannedInput& planned, const ReadOptions& options,
                                           InputPreview* preview) {
  EdgeFormat format = planned.format;
  const bool gets_names =
      options.vertex_names != nullptr && planned.role != PlannedInput::Role::kNames;
  ReadOptions own = options;
  if (gets_names) own.ids = IdReading::kNumbers;
  StatusOr<std::unique_ptr<Input>> opened = OpenFormat(planned, own, &format, preview);
  if (opened.ok() && gets_names) {
    opened = NameVertices(*std::move(opened), options.vertex_names);
  }
  if (!opened.ok()) return opened.status().At({.file = NameOf(planned)});
  std::unique_ptr<Input> input = std::move(*opened);
  if (preview != nullptr) {
    preview->name = input->name();
    preview->format = EdgeFormatName(format);
    preview->separator = input->info().separator;
    preview->columns = input->info().columns;
    preview->named = input->info().named;
    preview->base = options.base;
    preview->min_id = input->info().min_id;
  }
  return input;
}

}  // namespace edgemill
