#include "loaders/formats/lines/header_words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "common/strings.h"
#include "loaders/formats/lines/line_format.h"
#include "loaders/formats/lines/name_parser.h"
#include "loaders/formats/lines/number_parser.h"

namespace edgemill {
namespace {

constexpr std::array<std::string_view, 14> kSourceNames = {
    "source",    "src",    "from",    "id_1",      "id1",    "node1",      "node_1",
    "source_id", "src_id", "from_id", "from_node", "sender", "fromnodeid", ":start_id"};
constexpr std::array<std::string_view, 15> kTargetNames = {
    "target",    "dst",    "dest",  "to",      "id_2",     "id2",      "node2",  "node_2",
    "target_id", "dst_id", "to_id", "to_node", "receiver", "tonodeid", ":end_id"};
constexpr std::array<std::string_view, 4> kWeightNames = {"weight", "w", "cost", "distance"};
/// Neo4j's types of numbers, which follow a column's name.
constexpr std::array<std::string_view, 6> kNumberTypes = {":int",   ":long",   ":float",
                                                          ":short", ":double", ":byte"};

bool IsOneOf(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The group in "name:START_ID(Group)"; empty if there is none.
std::string_view IdGroup(std::string_view title) {
  const size_t open = title.find('(');
  if (open == std::string_view::npos || title.back() != ')') return {};
  return title.substr(open + 1, title.size() - open - 2);
}

/// Whether `text` is `parts` numbers of at most four digits, with `separator` between them.
bool IsSeparated(std::string_view text, char separator, int parts) {
  int seen = 1;
  size_t digits = 0;
  for (const char c : text) {
    if (c == separator && digits > 0) {
      ++seen;
      digits = 0;
    } else if (IsDigit(c) && digits < 4) {
      ++digits;
    } else {
      return false;
    }
  }
  return seen == parts && digits > 0;
}

/// Whether `text` is a date or a time such as "2024-01-05", "5/1/2024", "5.1.2024", "10:30" or
/// "10:30:05.25", or a date followed by a time.
bool IsDate(std::string_view text) {
  const std::string_view clock = text.substr(0, text.find('.'));
  if (IsSeparated(clock, ':', 2) || IsSeparated(clock, ':', 3)) return true;
  const std::string_view date = text.substr(0, text.find_first_of("T "));
  return date.size() >= 8 &&
         (IsSeparated(date, '-', 3) || IsSeparated(date, '/', 3) || IsSeparated(date, '.', 3));
}

/// Whether `text` may be a recent time, in seconds or milliseconds since 1970.
bool IsEpoch(std::string_view text) {
  double value = 0;
  if (!IsNumber(text)) return false;
  std::from_chars(text.data(), text.data() + text.size(), value);
  if (value > 1e11) value /= 1000;
  return value > 5e8 && value < 4e9;
}

/// Whether `text` is a whole number far below the numbers of IsEpoch.
bool IsSmallId(std::string_view text) {
  uint64_t id = 0;
  return ParseNumber(text, &id) && id < 100'000'000;
}

/// Whether all values in `column`, except missing ones, pass `test`, and there is at least one.
template <typename Test>
bool All(const std::vector<LineFields>& rows, size_t column, Test test) {
  bool any = false;
  for (const LineFields& row : rows) {
    if (column >= row.size()) return false;
    if (row[column].empty() || IsMissing(row[column])) continue;
    if (!test(row[column])) return false;
    any = true;
  }
  return any;
}

/// Whether a title has the type `type` of Neo4j's, such as ":id" of "person:ID(Person)".
bool HasNeo4jType(std::string_view title, std::string_view type) {
  const std::string lower = Lower(title);
  const size_t colon = lower.rfind(':');
  if (colon == std::string::npos) return false;
  return std::string_view(lower).substr(colon, lower.find_first_of("({", colon) - colon) == type;
}

/// Whether one of the titles has that type.
bool AnyHasNeo4jType(const LineFields& fields, std::string_view type) {
  return std::any_of(fields.begin(), fields.end(),
                     [&](const std::string& title) { return HasNeo4jType(title, type); });
}

/// Whether `wanted` is the name, in any case.
bool CallsColumn(std::string_view wanted, std::string_view name) {
  return Lower(wanted) == Lower(name);
}

}  // namespace

bool IsNeo4jHeader(const LineFields& fields) {
  return AnyHasNeo4jType(fields, ":start_id") && AnyHasNeo4jType(fields, ":end_id");
}

bool IsNeo4jNodeHeader(const LineFields& fields, const std::vector<LineFields>& rows) {
  const auto has_colon = [](const LineFields& row, size_t column) {
    return column < row.size() && row[column].find(':') != std::string::npos;
  };
  const auto has_type = [&](std::string_view type) { return AnyHasNeo4jType(fields, type); };
  const bool typed = has_type(":label") || has_type(":string") ||
                     std::any_of(kNumberTypes.begin(), kNumberTypes.end(), has_type);
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!HasNeo4jType(fields[i], ":id")) continue;
    if (typed || fields[i].front() == ':' || fields[i].back() == ')') return true;
    const bool are_names = std::any_of(rows.begin(), rows.end(),
                                       [&](const LineFields& row) { return has_colon(row, i); });
    if (!rows.empty() && !are_names) return true;
  }
  return false;
}

ColumnUse UseOfColumn(std::string_view title) {
  const std::string lower = Lower(title);
  std::string_view word = lower;
  if (const size_t colon = word.rfind(':'); colon != std::string_view::npos) {
    const std::string_view type = word.substr(colon, word.find('(', colon) - colon);
    const bool is_end = type == ":start_id" || type == ":end_id";
    if (is_end) word = type;
    if (IsOneOf(kNumberTypes, type)) word = word.substr(0, colon);
  }
  if (IsOneOf(kSourceNames, word)) return ColumnUse::kSource;
  if (IsOneOf(kTargetNames, word)) return ColumnUse::kTarget;
  return IsOneOf(kWeightNames, word) ? ColumnUse::kWeight : ColumnUse::kOther;
}

int FindUse(const LineFields& header, ColumnUse use) {
  for (size_t i = 0; i < header.size(); ++i) {
    if (UseOfColumn(header[i]) == use) return static_cast<int>(i);
  }
  return -1;
}

std::string ListedColumns(const LineFields& names) {
  constexpr size_t kMaxListed = 12;
  std::string list;
  for (size_t i = 0; i < std::min(names.size(), kMaxListed); ++i) {
    list += StrCat(i == 0 ? "" : ", ", ShownText(names[i]));
  }
  return names.size() > kMaxListed ? list + ", ..." : list;
}

StatusOr<size_t> ColumnCalled(const std::string& input, const LineFields& names,
                              const std::string& wanted, std::string_view option) {
  for (const bool any_case : {false, true}) {
    const auto found = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
      return any_case ? CallsColumn(wanted, name) : name == wanted;
    });
    if (found != names.end()) return static_cast<size_t>(found - names.begin());
  }
  uint64_t number = 0;
  if (ParseNumber(wanted, &number) && number >= 1 && number <= names.size()) {
    return static_cast<size_t>(number - 1);
  }
  return UsageError(StrCat(input, ": there is no column '", wanted, "' among ", names.size(), " (",
                           ListedColumns(names), "): correct ", option));
}

bool NamesColumns(const LineFields& fields, const ReadOptions& options) {
  uint64_t number = 0;
  const auto is_title = [&](const std::string& wanted) {
    return !ParseNumber(wanted, &number) &&
           std::any_of(fields.begin(), fields.end(),
                       [&wanted](const std::string& field) { return CallsColumn(wanted, field); });
  };
  if (std::any_of(options.csv_columns.begin(), options.csv_columns.end(), is_title)) return true;
  if (std::any_of(fields.begin(), fields.end(), IsNumber)) return false;
  return FindUse(fields, ColumnUse::kSource) >= 0 && FindUse(fields, ColumnUse::kTarget) >= 0;
}

std::string TwoIdGroups(std::string_view source, std::string_view target) {
  const std::string_view from = IdGroup(source);
  const std::string_view to = IdGroup(target);
  return from == to ? std::string() : StrCat(from, " and ", to);
}

int FindTimeColumn(const std::vector<LineFields>& rows) {
  for (const size_t column : {size_t{0}, size_t{1}}) {
    if (All(rows, column, IsDate)) return static_cast<int>(column);
  }
  // A number is taken as seconds only if the other two columns have small numbers, such as ids.
  for (const size_t column : {size_t{0}, size_t{1}}) {
    if (All(rows, column, IsEpoch) && All(rows, 1 - column, IsSmallId) && All(rows, 2, IsSmallId)) {
      return static_cast<int>(column);
    }
  }
  return -1;
}

std::string_view LikelyDelimiter(std::string_view line) {
  for (const std::string_view delimiter : {"::", "|"}) {
    const size_t at = line.find(delimiter);
    if (at != std::string_view::npos && at > 0 && at + delimiter.size() < line.size()) {
      return delimiter;
    }
  }
  return {};
}

Status NeedsColumns(const std::string& name, std::string_view what) {
  return UsageError(
      StrCat(name, ": ", what, ": say with --csv-columns which are source, target and weight"));
}

}  // namespace edgemill
