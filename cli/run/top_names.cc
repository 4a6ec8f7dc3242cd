#include "cli/run/top_names.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cli/display/histogram_text.h"
#include "cli/run/vertex_label.h"
#include "common/strings.h"
#include "engine/run/algorithm_help.h"

namespace edgemill::cli {
namespace {

/// Copies of a name: the label, its JSON as a document and as texts, and those of a report.
constexpr uint64_t kCopies = 6;
/// Names with this many bytes in total fit into the memory that every process gets.
constexpr uint64_t kUnreserved = uint64_t{1} << 20;
constexpr uint64_t kMostOfPath = 1000;

uint64_t NameBytes(const VertexLabel& label) {
  const std::string* const name = std::get_if<std::string>(&label);
  return name == nullptr ? 0 : name->size();
}

/// None for an answer that is no path, or a longer one.
StatusOr<std::optional<std::vector<TopEntry>>> PathOf(RunResult& result, int threads) {
  std::optional<std::vector<TopEntry>> path;
  for (const ResultFact& fact : result.facts()) {
    for (const auto& [name, number] : fact.numbers) {
      if (name != "path_vertices") continue;
      const uint64_t length = std::get<uint64_t>(number);
      if (length > kMostOfPath) return path;
      // Steps rise along the path, and other vertices have none.
      ASSIGN_OR_RETURN(path, result.Bottom(static_cast<uint32_t>(length), threads));
    }
  }
  return path;
}

}  // namespace

std::string TopHelp() {
  std::string text = "show the N greatest values, or largest groups (";
  std::string_view separator;
  for (const AlgorithmHelp& help : Algorithms()) {
    for (const ResultColumn& column : help.results) {
      if (column.top == TopKind::kNone) continue;
      text += StrCat(std::exchange(separator, "; "), help.name, ": ", column.name);
      if (column.default_top > 0) text += StrCat(", by default ", column.default_top);
    }
  }
  return text + ")";
}

std::string_view TopName(const RunResult& result) {
  return IsOfGroups(result.top_kind()) ? "vertices" : result.value_name();
}
std::string TopLabel(std::string_view end, const RunResult& result) {
  std::string name(result.value_name());
  if (name.ends_with('y')) {
    name.replace(name.size() - 1, 1, "ies");
  } else if (!name.ends_with('s')) {
    name += 's';
  }
  return StrCat(end, " ", name);
}

std::vector<std::pair<std::string, std::string>> ValueLines(const RunResult& result,
                                                            const RunDescription& description) {
  std::vector<std::pair<std::string, std::string>> text;
  for (const auto& [end, lines] :
       {std::pair("top", &description.top), {"bottom", &description.bottom}}) {
    for (const RunDescription::TopLine& vertex : *lines) {
      text.emplace_back(&vertex == &lines->front() ? TopLabel(end, result) : "", TopText(vertex));
    }
  }
  if (!description.histogram) return text;
  std::string name = "histogram";
  for (const std::string& bin : HistogramLines(*description.histogram)) {
    text.emplace_back(std::exchange(name, ""), bin);
  }
  return text;
}

Status CheckTop(const ResultColumn& column, bool bottom) {
  const std::string_view option = bottom ? "--bottom" : "--top";
  if (column.top == TopKind::kNone) {
    return UsageError(StrCat(option, " is for values that have an order, not for ", column.name,
                             "s: leave it out"));
  }
  if (!bottom || column.top == TopKind::kValues) return OkStatus();
  return UsageError(StrCat("--bottom is for values of vertices, and ", column.name,
                           "s are groups: leave it out"));
}

StatusOr<Extremes> ExtremesOf(RunResult& result, uint64_t top, uint64_t bottom, int threads) {
  Extremes extremes;
  ASSIGN_OR_RETURN(extremes.top, result.Top(static_cast<uint32_t>(top), threads));
  ASSIGN_OR_RETURN(extremes.bottom, result.Bottom(static_cast<uint32_t>(bottom), threads));
  ASSIGN_OR_RETURN(extremes.path, PathOf(result, threads));
  return extremes;
}

StatusOr<std::vector<MemoryReservation>> DescribeExtremes(const Extremes& extremes,
                                                          RunResult& result,
                                                          const GraphStore& store,
                                                          MemoryBudget& budget,
                                                          RunDescription* description) {
  std::vector<MemoryReservation> taken;
  uint64_t unreserved = kUnreserved;
  const auto describe = [&](std::string_view option, const std::vector<TopEntry>& entries,
                            std::vector<RunDescription::TopLine>& lines) -> Status {
    for (const TopEntry& entry : entries) {
      ASSIGN_OR_RETURN(VertexLabel vertex, LabelOf(store, result.reader(), entry.id));
      const uint64_t bytes = NameBytes(vertex);
      if (bytes <= unreserved) {
        unreserved -= bytes;
      } else {
        StatusOr<MemoryReservation> memory =
            budget.Reserve(bytes * kCopies, StrCat("the names of ", option));
        if (!memory.ok()) {
          description->warnings.push_back(
              StrCat(option, " shows ", lines.size(), " of ", entries.size(),
                     " vertices: the names of the others do not fit in --memory"));
          break;
        }
        taken.push_back(std::move(*memory));
      }
      lines.push_back({std::move(vertex), entry.value});
    }
    return OkStatus();
  };
  RETURN_IF_ERROR(describe("--top", extremes.top, description->top));
  RETURN_IF_ERROR(describe("--bottom", extremes.bottom, description->bottom));
  if (extremes.path.has_value()) {
    std::vector<RunDescription::TopLine> path;
    RETURN_IF_ERROR(describe("the path in --json", *extremes.path, path));
    if (path.size() == extremes.path->size()) description->path = std::move(path);
  }
  return taken;
}

}  // namespace edgemill::cli
