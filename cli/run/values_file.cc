#include "cli/run/values_file.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "common/strings.h"
#include "engine/graph/names/name_dictionary.h"
#include "engine/graph/names/named_lines.h"
#include "engine/graph/names/vertex_called.h"
#include "loaders/stream/input_stream.h"
#include "loaders/stream/stream_lines.h"

namespace edgemill::cli {
namespace {

constexpr std::string_view kBlanks = " \t\r,";
constexpr int kWindowLogMax = 27;

/// Rows, with the memory that they take of the budget.
struct Rows {
  std::vector<InputValues::Row> rows;
  MemoryReservation memory;

  Status Add(InputValues::Row row, MemoryBudget& budget) {
    if (rows.size() == rows.capacity()) {
      const size_t most = std::max<size_t>(1024, rows.size() * 2);
      ASSIGN_OR_RETURN(MemoryReservation larger,
                       budget.Reserve(most * sizeof(InputValues::Row), "values"));
      rows.reserve(most);
      memory = std::move(larger);
    }
    rows.push_back(row);
    return OkStatus();
  }
};

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

/// A line's two columns.
struct Columns {
  std::string vertex;
  std::string_view value;
};

/// The columns of a trimmed line; nullopt when it has fewer than two. The value is last. A vertex
/// that begins with a quote has the form that AppendNameField writes.
std::optional<Columns> ColumnsOf(std::string_view line) {
  if (!line.starts_with('"')) {
    const size_t before = line.find_last_of(kBlanks);
    if (before == std::string_view::npos) return std::nullopt;
    return Columns{std::string(Trimmed(line.substr(0, before))), line.substr(before + 1)};
  }
  Columns columns;
  for (size_t at = 1; at < line.size(); ++at) {
    if (line[at] == '"' && !line.substr(at + 1).starts_with('"')) {
      columns.value = Trimmed(line.substr(at + 1));
      const bool is_apart = line.find_first_of(kBlanks, at) == at + 1;
      const bool is_one = columns.value.find_first_of(kBlanks) == std::string_view::npos;
      if (!is_apart || !is_one || columns.value.empty()) return std::nullopt;
      return columns;
    }
    if (line[at] == '"') ++at;
    columns.vertex += line[at];
  }
  return std::nullopt;  // a quote that does not end
}

class ValuesReader {
 public:
  ValuesReader(std::string name, const OptionRange& range, const GraphStore& store,
               const Means& means)
      : name_(std::move(name)), range_(range), store_(store), means_(means) {}

  Status Read(InputStream& input) {
    if (HasNames(store_)) {
      ASSIGN_OR_RETURN(reader_, LookUpReader(store_, means_.threads, means_.budget));
      ASSIGN_OR_RETURN(named_, NamedLines<double>::Create(means_.budget));
    }
    RETURN_IF_ERROR(ForEachLine(input, "give a vertex and a number a line",
                                [this](uint64_t number, std::string_view line) {
                                  number_ = number;
                                  return ParseLine(line);
                                }));
    RETURN_IF_ERROR(FindNames());
    return Sort();
  }
  std::shared_ptr<Rows> table() { return table_; }

 private:
  Status Bad(uint64_t number, std::string_view what) const {
    return BadDataError(StrCat(name_, ":", number, ": ", what));
  }

  Status ParseLine(std::string_view line) {
    line = Trimmed(line);
    if (line.empty() || line[0] == '#' || line[0] == '%') return OkStatus();
    const std::optional<Columns> columns = ColumnsOf(line);
    const bool is_first = std::exchange(is_first_, false);
    if (!columns.has_value()) return Bad(number_, "give a vertex and a number");
    double value = 0;
    if (!ParseNumber(columns->value, &value)) {
      if (is_first) {
        ASSIGN_OR_RETURN(const bool is_vertex, IsVertex(columns->vertex));
        if (!is_vertex) {
          means_.progress.Note(StrCat(name_, ":", number_, ": is left out as a header, because ",
                                      QuotedText(columns->vertex), " is not a vertex and ",
                                      QuotedText(columns->value), " no number"));
          return OkStatus();
        }
      }
      return Bad(number_,
                 StrCat(QuotedText(columns->value),
                        " is not a number that a double holds: give a vertex and a number"));
    }
    if (!std::isfinite(value)) return Bad(number_, StrCat(value, " is not a finite number"));
    if (!range_.Has(value)) {
      return Bad(number_, StrCat("the value of ", QuotedText(columns->vertex), " is ", value,
                                 ": give a number ", range_.Text()));
    }
    if (named_.has_value()) {
      if (!named_->Fits(columns->vertex)) RETURN_IF_ERROR(FindNames());
      named_->Add(columns->vertex, number_, value);
      return OkStatus();
    }
    ExternalId id = 0;
    if (!ParseNumber(columns->vertex, &id)) {
      return Bad(number_,
                 StrCat(QuotedText(columns->vertex), " is not an id: vertices have whole numbers"));
    }
    return table_->Add({id, value}, means_.budget);
  }

  /// Whether `text` is a vertex. If vertices have no names, any number may be one.
  StatusOr<bool> IsVertex(const std::string& text) const {
    ExternalId id = 0;
    if (reader_ == nullptr) return ParseNumber(text, &id);
    ASSIGN_OR_RETURN(const auto rank, NameDictionary(store_, *reader_).Find(text));
    return rank.has_value();
  }

  Status FindNames() {
    if (!named_.has_value()) return OkStatus();
    return named_->Find(NameDictionary(store_, *reader_), name_, means_.threads,
                        [&](const auto& line, uint64_t rank) {
                          return table_->Add({rank, line.value}, means_.budget);
                        });
  }

  Status Sort() {
    std::vector<InputValues::Row>& rows = table_->rows;
    const auto by_id = [](const auto& a, const auto& b) { return a.first < b.first; };
    if (!std::is_sorted(rows.begin(), rows.end(), by_id)) {
      std::sort(rows.begin(), rows.end(), by_id);
    }
    const auto twice = std::adjacent_find(
        rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
    if (twice == rows.end()) return OkStatus();
    std::string vertex = StrCat(twice->first);
    if (reader_ != nullptr) {
      ASSIGN_OR_RETURN(const std::string called, NameDictionary(store_, *reader_).At(twice->first));
      vertex = QuotedText(called);
    }
    return BadDataError(StrCat(name_, ": vertex ", vertex, " comes twice"));
  }

  const std::string name_;
  const OptionRange range_;
  const GraphStore& store_;
  const Means& means_;
  std::unique_ptr<BlockReader> reader_;  // of names; null if vertices have none
  std::optional<NamedLines<double>> named_;
  const std::shared_ptr<Rows> table_ = std::make_shared<Rows>();
  uint64_t number_ = 0;
  bool is_first_ = true;
};

}  // namespace

StatusOr<InputValues> ReadValues(const std::string& path, const OptionRange& range,
                                 const GraphStore& store, const Means& means) {
  means.progress.StartStage("reading values", "vertices", 0);
  ASSIGN_OR_RETURN(const std::unique_ptr<InputStream> input,
                   InputStream::Open(path, /*trust_suffix=*/false, kWindowLogMax));
  ValuesReader reader(input->name(), range, store, means);
  RETURN_IF_ERROR(reader.Read(*input));
  const std::shared_ptr<Rows> table = reader.table();
  return InputValues{path, {table, &table->rows}};
}

}  // namespace edgemill::cli
