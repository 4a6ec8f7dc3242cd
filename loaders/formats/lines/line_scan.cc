// Parses plain lines of numbers or names at full speed. All other lines go to ParseLine
// (line_parser.cc).
#include <cstring>
#include <optional>

#include "loaders/formats/lines/line_parser.h"

namespace edgemill {
namespace {

/// CheckName checks longer names, since they may be too long.
constexpr size_t kPlainNameBytes = 4096;

const char* SkipBlanks(const char* p) {
  while (IsBlank(*p)) ++p;
  return p;
}

/// The line of the raw chunk at `p`, without trailing blanks. Sets `*next` to the next line.
HeadLine LineAt(const RawChunk& raw, const char* p, char line_end, uint64_t number,
                const char** next) {
  const char* const end = raw.text.data() + raw.text.size();
  const void* found = std::memchr(p, line_end, static_cast<size_t>(end - p));
  const char* stop = found == nullptr ? end : static_cast<const char*>(found);
  *next = stop + 1;
  while (stop > p && (IsBlank(stop[-1]) || stop[-1] == '\r')) --stop;
  return {std::string_view(p, static_cast<size_t>(stop - p)), 0, number};
}

/// Moves `*at` over the end of the line. With kMoreColumns, other columns may come before the end.
template <bool kMoreColumns>
bool EndsLine(const char** at) {
  const char* p = *at;
  if (kMoreColumns && IsBlank(*p)) p = static_cast<const char*>(rawmemchr(p, '\n'));
  while (IsBlank(*p) || *p == '\r') ++p;
  *at = p + 1;
  return *p == '\n';
}

}  // namespace

bool LineParser::SkipDelimiter(const char** at) const {
  const char delimiter = layout_.delimiter;
  const char* p = *at;
  if (delimiter == ' ') {
    *at = SkipBlanks(p);
    return *at != p;
  }
  while (IsBlank(*p) && *p != delimiter) ++p;
  if (*p != delimiter) return false;
  do ++p;
  while (IsBlank(*p) && *p != delimiter);
  *at = p;
  return true;
}

bool LineParser::ScanWeight(const char** at, double* weight) const {
  const char* p = *at;
  *weight = static_cast<double>(ScanDigits(&p));
  if (p == *at || p - *at > 15) return false;
  if (*p == '.' && !layout_.integer_weights) {
    do ++p;
    while (IsDigit(*p));
    FieldError error;
    const std::string_view text(*at, static_cast<size_t>(p - *at));
    if (!ParseWeight(text, layout_.weight_rule(), weight, &error)) return false;
  }
  *at = p;
  return true;
}

/// Reads a good line of plain numbers at `*at`, and moves `*at` after it. With kMoreColumns, there
/// may be more columns, which are skipped. Returns false for all other lines, such as those with
/// comments, ids of 20 digits, exponents or errors. Those lines are for ParseLine.
template <bool kWeighted, bool kMoreColumns>
bool LineParser::ScanRecord(const char** at, NumberRecord* record) const {
  const char* p = *at;
  if (layout_.prefix != 0) {
    if (*p++ != layout_.prefix || !IsBlank(*p)) return false;
    p = SkipBlanks(p);
  }
  const char* field = p;
  record->source = ScanDigits(&p);
  if (p == field || !SkipDelimiter(&p)) return false;
  field = p;
  record->target = ScanDigits(&p);
  if (p == field) return false;
  if (kWeighted && (!SkipDelimiter(&p) || !ScanWeight(&p, &record->weight))) return false;
  if (!EndsLine<kMoreColumns>(&p)) return false;
  *at = p;
  return record->source >= layout_.min_id && record->target >= layout_.min_id &&
         record->source <= layout_.max_id && record->target <= layout_.max_target;
}

template <bool kWeighted, bool kMoreColumns>
void LineParser::ParseFast(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const {
  const char* const begin = raw.text.data();
  const char* const end = begin + raw.text.size();
  const bool keep_weights = kWeighted && layout_.keep_weights;
  Sinks sinks{EdgeSink(chunk)};
  uint64_t number = raw.begin.line;
  uint64_t edges = 0;
  uint64_t loops = 0;
  for (const char* p = begin; p < end; ++number) {
    const char* next = p;
    NumberRecord record;
    if (ScanRecord<kWeighted, kMoreColumns>(&next, &record)) [[likely]] {
      p = next;
      sinks.edges.Add(record.source - layout_.base, record.target - layout_.target_base);
      if (keep_weights) sinks.edges.AddWeight(record.weight);
      loops += record.source == record.target;
      ++edges;
      continue;
    }
    const HeadLine line = LineAt(raw, p, '\n', number, &next);
    p = next;
    if (!AddLine(line, &sinks, result)) break;
  }
  result->totals.edges += edges;
  result->totals.records += edges;
  result->totals.loops += loops;
}

/// Whether a line that begins at `p` may be a comment.
bool LineParser::MayBeComment(const char* p) const {
  if (!layout_.comment.empty()) return *p == layout_.comment[0];
  return *p == '#' || *p == '%' || (*p == '/' && p[1] == '/');
}

/// Reads a plain name: UTF-8, without quotes. Moves `*at` after the name and the blanks behind it.
bool LineParser::ScanName(const char** at, std::string_view* name) const {
  const char* p = *at;
  if (layout_.quotes && *p == '"') return false;
  unsigned char all = 0;
  while (!ends_name_[static_cast<unsigned char>(*p)]) all |= static_cast<unsigned char>(*p++);
  const char* end = p;
  while (end > *at && IsBlank(end[-1])) --end;
  *name = std::string_view(*at, static_cast<size_t>(end - *at));
  *at = p;
  FieldError error;
  return !name->empty() &&
         ((all < 0x80 && name->size() <= kPlainNameBytes) || CheckName(*name, &error));
}

/// Does for names what ScanRecord does for numbers.
template <bool kWeighted, bool kMoreColumns>
bool LineParser::ScanNames(const char** at, NameRecord* record) const {
  const char* p = *at;
  if (IsBlank(*p) || (layout_.comments && MayBeComment(p))) return false;
  if (!ScanName(&p, &record->source) || !SkipDelimiter(&p)) return false;
  if (!ScanName(&p, &record->target)) return false;
  if (kWeighted && (!SkipDelimiter(&p) || !ScanWeight(&p, &record->weight))) return false;
  if (!EndsLine<kMoreColumns>(&p)) return false;
  *at = p;
  return true;
}

template <bool kWeighted, bool kMoreColumns>
void LineParser::ParseNames(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const {
  const char* const begin = raw.text.data();
  const char* const end = begin + raw.text.size();
  const bool keep_weights = kWeighted && layout_.keep_weights;
  NameSink names(chunk, raw.name_seed);
  Sinks sinks{EdgeSink(chunk), &names};
  uint64_t number = raw.begin.line;
  for (const char* p = begin; p < end; ++number) {
    const char* next = p;
    NameRecord record;
    if (ScanNames<kWeighted, kMoreColumns>(&next, &record)) [[likely]] {
      p = next;
      names.Add(record.source, record.target);
      if (keep_weights) sinks.edges.AddWeight(record.weight);
      result->totals.loops += record.source == record.target;
      ++result->totals.edges;
      ++result->totals.records;
      continue;
    }
    const HeadLine line = LineAt(raw, p, '\n', number, &next);
    p = next;
    if (!AddLine(line, &sinks, result)) break;
  }
}

void LineParser::ParseSlowly(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const {
  const char* const end = raw.text.data() + raw.text.size();
  std::optional<NameSink> names;
  if (layout_.names) names.emplace(chunk, raw.name_seed);
  Sinks sinks{EdgeSink(chunk), names.has_value() ? &*names : nullptr};
  uint64_t number = raw.begin.line;
  for (const char* p = raw.text.data(); p < end; ++number) {
    const char* next = p;
    const HeadLine line = LineAt(raw, p, raw.line_end, number, &next);
    p = next;
    if (!AddLine(line, &sinks, result)) return;
  }
}

void LineParser::ParseRecords(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const {
  std::optional<NameSink> names;
  if (layout_.names) names.emplace(chunk, raw.name_seed);
  Sinks sinks{EdgeSink(chunk), names.has_value() ? &*names : nullptr};
  const TextHead text{.text = raw.text,
                      .line = raw.begin.line,
                      .whole = true,
                      .line_end = raw.line_end,
                      .quoted_delimiter = layout_.delimiter};
  HeadLines records(text);
  HeadLine record;
  while (records.Next(&record)) {
    if (!AddLine(record, &sinks, result)) return;
  }
}

void LineParser::Parse(const RawChunk& raw, EdgeChunk* chunk, ParseResult* result) const {
  if (layout_.quoted_lines) return ParseRecords(raw, chunk, result);
  // The fast functions would take a comment that begins with a digit for a number.
  const bool plain = raw.line_end == '\n' && layout_.source == 0 && layout_.target == 1 &&
                     !layout_.is_skew_symmetric && layout_.delimiter_rest.empty() &&
                     !layout_.dictionary && layout_.values == ValueKind::kNumber &&
                     layout_.checked.empty() && !IsDigit(layout_.comment.c_str()[0]);
  const auto parse = [&]<bool kWeighted, bool kMoreColumns>() {
    return layout_.names ? ParseNames<kWeighted, kMoreColumns>(raw, chunk, result)
                         : ParseFast<kWeighted, kMoreColumns>(raw, chunk, result);
  };
  if (plain && layout_.weight < 0) {
    if (layout_.columns == 2) return parse.operator()<false, false>();
    if (layout_.columns == 0) return parse.operator()<false, true>();
  }
  if (plain && layout_.weight == 2) {
    if (layout_.columns == 3) return parse.operator()<true, false>();
    if (layout_.columns == 0) return parse.operator()<true, true>();
  }
  ParseSlowly(raw, chunk, result);
}

}  // namespace edgemill
