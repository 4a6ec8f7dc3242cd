#include <algorithm>
#include <utility>

#include "loaders/formats/formats.h"

namespace edgemill {

namespace {

std::string SeparatorText(const ColumnLayout& layout) {
  if (layout.delimiter == ' ') return "blanks";
  if (layout.delimiter == '\t' && layout.delimiter_rest.empty()) return "tabs";
  return StrCat("'", layout.delimiter, layout.delimiter_rest, "'");
}

/// What each column of `layout` holds.
std::vector<std::string> ColumnTexts(const ColumnLayout& layout) {
  std::vector<std::string> texts(
      static_cast<size_t>(
          std::max({layout.columns, layout.source + 1, layout.target + 1, layout.weight + 1})),
      "ignored");
  texts[static_cast<size_t>(layout.source)] = "source";
  if (layout.target >= 0) texts[static_cast<size_t>(layout.target)] = "target";
  if (layout.weight >= 0 && layout.keep_weights) {
    texts[static_cast<size_t>(layout.weight)] = layout.dictionary ? "dictionary" : "weight";
  }
  for (const int column : layout.kept) texts[static_cast<size_t>(column)] = "kept";
  if (layout.columns == 0) texts.emplace_back("ignored");
  return texts;
}

/// Whether `field` may be a recent time in seconds since 1970. SNAP's temporal networks have times
/// in the column in which other networks have weights.
bool LooksLikeTime(std::string_view field) {
  uint64_t seconds = 0;
  return ParseNumber(field, &seconds) && seconds > 500'000'000 && seconds < 4'000'000'000;
}

/// The bytes of a head in which names are searched for.
constexpr size_t kNamesLookBytes = size_t{64} << 10;

/// An id in the first lines.
struct HeadId {
  uint64_t line = 0;  // the number of its line
  std::string text;
};

/// Whether the text may be an id, of whatever kind.
bool MayBeId(const std::string& id) {
  FieldError error;
  return !IsMissing(id) && CheckName(id, &error);
}

/// Finds the first id in the first lines for which `wanted` is true. With `only_first`, looks only
/// at the first line of data with an id that is no mark of a missing value, and is UTF-8.
template <typename Wanted>
std::optional<HeadId> FindId(const TextHead& head, const InputPosition& body,
                             const ColumnLayout& layout, bool only_first, Wanted wanted) {
  HeadLines lines(head);
  HeadLine line;
  std::vector<std::string> fields;
  FieldError error;
  while (lines.position().offset < head.offset + kNamesLookBytes && lines.Next(&line)) {
    const bool is_data = line.number >= body.line && !StripSpace(line.text).empty() &&
                         !(layout.comments && IsComment(line.text, layout.comment));
    if (!is_data) continue;
    SplitLine(line.text, layout, &fields, &error);  // errors after the ids do not matter here
    bool decides = false;
    for (const int column : {layout.source, layout.target}) {
      if (column < 0 || static_cast<size_t>(column) >= fields.size()) continue;
      const std::string& id = fields[static_cast<size_t>(column)];
      if (wanted(id)) return HeadId{line.number, id};
      decides = decides || MayBeId(id);
    }
    if (only_first && decides) break;
  }
  return std::nullopt;
}

/// Says which columns are ignored; empty if none is. `titles` has their names, or empty texts.
std::string IgnoredText(const ColumnLayout& layout, const std::vector<std::string>& titles) {
  constexpr size_t kMaxListed = 8;
  std::vector<std::string> ignored;
  for (size_t i = 0; i < titles.size(); ++i) {
    const auto column = static_cast<int>(i);
    if (column == layout.source || column == layout.target || column == layout.weight) continue;
    ignored.push_back(titles[i].empty() ? StrCat(i + 1)
                                        : StrCat(i + 1, " (", QuotedText(titles[i]), ")"));
  }
  if (ignored.empty()) return "";
  if (ignored.size() == 1) return StrCat("column ", ignored[0], " is ignored");
  std::string list;
  const size_t listed = std::min(ignored.size(), kMaxListed);
  for (size_t i = 0; i < listed; ++i) {
    const bool last = i + 1 == ignored.size();
    list += StrCat(i == 0 ? "" : last ? " and " : ", ", ignored[i]);
  }
  if (listed < ignored.size()) list += " and others";
  return StrCat("columns ", list, " are ignored");
}

}  // namespace

ColumnFormat::ColumnFormat(std::string name, InputInfo info, ColumnLayout layout, Declared declared)
    : name_(std::move(name)), parser_(std::move(layout)), declared_(std::move(declared)) {
  info_ = info;
  info_.weighted = parser_.layout().weight >= 0 && parser_.layout().keep_weights;
  info_.separator = SeparatorText(parser_.layout());
  info_.columns = ColumnTexts(parser_.layout());
  info_.min_id = parser_.layout().min_id;
  info_.named = parser_.layout().names;
  info_.integer_weights = info_.weighted && parser_.layout().integer_weights;
  if (declared_.records && !info_.only_vertices) {
    info_.expected_edges = *declared_.records * (parser_.layout().is_skew_symmetric ? 2 : 1);
  }
}

void ColumnFormat::Parse(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const {
  parser_.Parse(raw, chunk, result);
}

Status ColumnFormat::CheckEnd(const InputTotals& totals, InputInfo*) const {
  if (!declared_.records || totals.records == *declared_.records) return OkStatus();
  return BadDataError(
      StrCat(name_, ": ", declared_.by, " declares ", *declared_.records,
             info_.only_vertices ? " vertices" : " edges", ", the file has ", totals.records,
             totals.records < *declared_.records ? ": the file is cut short, or correct the number"
                                                 : ": correct the number"));
}

bool FirstDataLine(const TextHead& head, const std::string& comment, HeadLine* line) {
  HeadLines lines(head);
  while (lines.Next(line)) {
    if (!StripSpace(line->text).empty() && !IsComment(line->text, comment)) return true;
  }
  return false;
}

void NoteColumns(const std::string& name, const ColumnLayout& layout,
                 const std::vector<std::string>& titles, const GuessedWeight& guessed,
                 InputInfo* info) {
  std::string note;
  if (!guessed.first.empty() && layout.keep_weights) {
    const std::string title =
        guessed.title.empty() ? "" : StrCat(" (", QuotedText(guessed.title), ")");
    note =
        StrCat("column ", layout.weight + 1, title, " is taken as the weight",
               LooksLikeTime(guessed.first) ? " (is it a time? --weights none leaves it out)" : "");
  }
  const std::string ignored = IgnoredText(layout, titles);
  if (!note.empty() && !ignored.empty()) note += ", ";
  note += ignored;
  if (!note.empty()) info->notes.push_back(StrCat(name, ": ", note));
}

Status DecideNames(const TextHead& head, const ReadOptions& options, ColumnLayout* layout,
                   InputInfo* info) {
  layout->allows_names = true;
  if (options.ids == IdReading::kNumbers) return OkStatus();
  ColumnLayout quoted = *layout;
  quoted.quotes = options.quote != QuoteMode::kNone;
  // If bad lines are allowed, a word in a later line is taken as an error, not as a name.
  const bool only_first = options.max_bad_lines > 0;
  const auto is_name = [](const std::string& id) { return LooksLikeName(id) && MayBeId(id); };
  const auto has_zeros = [](const std::string& id) {
    return id.size() > 1 && id[0] == '0' && std::all_of(id.begin(), id.end(), IsDigit);
  };
  std::optional<HeadId> found;
  if (options.ids == IdReading::kAuto) {
    found = FindId(head, info->body, quoted, only_first, is_name);
  }
  if (!found.has_value() && options.ids == IdReading::kAuto) {
    if (const auto id = FindId(head, info->body, quoted, false, has_zeros); id.has_value()) {
      info->notes.push_back(StrCat(head.name, ": ids are numbers, without their leading zeros (",
                                   QuotedText(id->text), " in line ", id->line,
                                   "): --ids strings keeps them"));
    }
    return OkStatus();
  }
  if (options.base > 0) {
    return UsageError(StrCat(head.name, ": --base is for ids that are numbers, these are names"));
  }
  layout->names = true;
  layout->quotes = quoted.quotes;
  // A line after the first line of data is data, even if it begins like a comment.
  layout->comments = !options.comment.empty() || !info->body_is_data;
  if (options.ids == IdReading::kAuto) {
    const auto is_missing = [](const std::string& id) { return IsMissing(id); };
    const auto missing = FindId(head, info->body, *layout, false, is_missing);
    if (missing.has_value()) {
      info->notes.push_back(
          StrCat(head.name, ": ", QuotedText(missing->text), " in line ", missing->line,
                 " is taken as a name: leave such lines out if it stands for a ", "missing value"));
    }
  }
  if (found.has_value()) {
    info->named_because = StrCat(head.name, ": ids are names (", QuotedText(found->text),
                                 " in line ", found->line, " is not a number)");
  }
  return OkStatus();
}

ColumnLayout BaseLayout(const ReadOptions& options) {
  ColumnLayout layout;
  layout.comment = options.comment;
  layout.keep_weights = options.weights != WeightMode::kNone;
  layout.integer_weights = options.weights == WeightMode::kInt;
  layout.rounded_weights = options.weights == WeightMode::kFloat;
  layout.empty_weight = options.empty_weight;
  layout.decimal_comma = options.decimal_comma;
  layout.quotes = options.quote == QuoteMode::kDouble || options.quote == QuoteMode::kLines;
  layout.base = layout.target_base = options.base;
  layout.min_id = options.base;
  return layout;
}

void LimitIds(uint64_t num_vertices, const ReadOptions& options, ColumnLayout* layout,
              InputInfo* info) {
  info->num_vertices = num_vertices;
  info->first_id = 1 - options.base;
  layout->min_id = 1;
  layout->max_id = layout->max_target = num_vertices;
}

void ReadThirdAsWeight(ColumnLayout* layout) {
  layout->weight = layout->keep_weights ? 2 : -1;
  layout->columns = layout->keep_weights ? 3 : 0;
}

}  // namespace edgemill
