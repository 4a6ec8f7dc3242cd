#include "cli/values_file.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "cli/vertex_label.h"
#include "common/strings.h"
#include "engine/graph/name_dictionary.h"
#include "loaders/stream/input_stream.h"

namespace edgemill::cli {
namespace {

constexpr std::string_view kBlanks = " \t\r,";
constexpr int kZstdWindowLogMax = 27;

/// Rows, with the memory that they take of the budget.
struct Rows {
  std::vector<InputValues::Row> rows;
  MemoryReservation memory;
};

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

class ValuesReader {
 public:
  ValuesReader(const GraphStore& store, Session& session) : store_(store), session_(session) {}

  Status Read(InputStream& input) {
    std::vector<std::byte> block(InputStream::kBlockBytes);
    std::string begun;  // a line whose end comes with the next block
    for (size_t filled = block.size(); filled == block.size();) {
      RETURN_IF_ERROR(input.Read(block, &filled));
      std::string_view text(reinterpret_cast<const char*>(block.data()), filled);
      for (size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        begun += text.substr(0, end);
        text.remove_prefix(end + 1);
        RETURN_IF_ERROR(Line(input.name(), begun));
        begun.clear();
      }
      begun += text;
    }
    if (!begun.empty()) RETURN_IF_ERROR(Line(input.name(), begun));
    return Sort(input.name());
  }
  std::shared_ptr<Rows> table() { return table_; }

 private:
  Status Bad(const std::string& name, std::string_view what) const {
    return BadDataError(StrCat(name, ":", number_, ": ", what));
  }

  Status Line(const std::string& name, std::string_view line) {
    ++number_;
    line = Trimmed(line);
    if (line.empty() || line[0] == '#' || line[0] == '%') return OkStatus();
    const size_t before = line.find_last_of(kBlanks);
    double value = 0;
    const bool has_number =
        before != std::string_view::npos && ParseNumber(line.substr(before + 1), &value);
    const bool is_first = std::exchange(is_first_, false);
    if (!has_number && is_first && before != std::string_view::npos) return OkStatus();  // a header
    if (!has_number) return Bad(name, "give a vertex and a number");
    if (!std::isfinite(value)) return Bad(name, StrCat(value, " is no finite number"));
    const std::string vertex(Trimmed(line.substr(0, before)));
    ExternalId id = 0;
    if (HasNames(store_)) {
      ASSIGN_OR_RETURN(id, VertexCalled(vertex, store_, session_));
    } else if (!ParseNumber(vertex, &id)) {
      return Bad(name, StrCat(QuotedText(vertex), " is no id: vertices have whole numbers"));
    }
    return Add({id, value});
  }

  Status Add(InputValues::Row row) {
    std::vector<InputValues::Row>& rows = table_->rows;
    if (rows.size() == rows.capacity()) {
      const size_t most = std::max<size_t>(1024, rows.size() * 2);
      ASSIGN_OR_RETURN(MemoryReservation memory,
                       session_.budget().Reserve(most * sizeof(InputValues::Row), "values"));
      rows.reserve(most);
      table_->memory = std::move(memory);
    }
    rows.push_back(row);
    return OkStatus();
  }

  Status Sort(const std::string& name) {
    std::vector<InputValues::Row>& rows = table_->rows;
    const auto by_id = [](const auto& a, const auto& b) { return a.first < b.first; };
    if (!std::is_sorted(rows.begin(), rows.end(), by_id)) {
      std::sort(rows.begin(), rows.end(), by_id);
    }
    const auto twice = std::adjacent_find(
        rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
    if (twice == rows.end()) return OkStatus();
    return BadDataError(StrCat(name, ": vertex ", twice->first, " comes twice"));
  }

  const GraphStore& store_;
  Session& session_;
  const std::shared_ptr<Rows> table_ = std::make_shared<Rows>();
  uint64_t number_ = 0;
  bool is_first_ = true;
};

}  // namespace

StatusOr<InputValues> ReadValues(const std::string& path, const GraphStore& store,
                                 Session& session) {
  session.progress().StartStage("reading values", "vertices", 0);
  ASSIGN_OR_RETURN(const std::unique_ptr<InputStream> input,
                   InputStream::Open(path, /*trust_suffix=*/false, kZstdWindowLogMax));
  ValuesReader reader(store, session);
  RETURN_IF_ERROR(reader.Read(*input));
  const std::shared_ptr<Rows> table = reader.table();
  return InputValues{path, {table, &table->rows}};
}

}  // namespace edgemill::cli
