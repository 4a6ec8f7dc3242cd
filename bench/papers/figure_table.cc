#include "bench/papers/figure_table.h"

#include <algorithm>
#include <cmath>

#include "bench/record/sample_statistics.h"
#include "common/page/chart.h"
#include "common/page/markup.h"
#include "common/strings.h"
#include "common/units.h"

namespace edgemill::bench {
namespace {

constexpr std::string_view kMissing = "-";

FigureCell Number(double value, const PaperColumn& column) {
  if (!std::isfinite(value)) return {std::string(kMissing), std::nullopt};
  switch (column.relation) {
    case PaperRelation::kSpeedup:
      return {StrCat(FormatFixed(value, 2), "x"), value};
    case PaperRelation::kShare:
      return {FormatFixed(value, 3), value};
    case PaperRelation::kOwn:
    case PaperRelation::kLeast:
    case PaperRelation::kSampled:
      break;
  }
  const int decimals = column.quantity->decimals;
  if (decimals > 0 || column.quantity->unit != "") return {FormatFixed(value, decimals), value};
  return {FormatCount(static_cast<uint64_t>(std::llround(value))), value};
}

/// "Subway-sync, of the first", "PT s".
std::string HeaderOf(const PaperColumn& column) {
  switch (column.relation) {
    case PaperRelation::kSpeedup:
      return StrCat(column.name, " speedup");
    case PaperRelation::kShare:
      return StrCat(column.name, " share");
    case PaperRelation::kOwn:
    case PaperRelation::kLeast:
    case PaperRelation::kSampled:
      break;
  }
  const std::string_view unit = column.quantity->unit;
  return unit.empty() ? std::string(column.name) : StrCat(column.name, " ", unit);
}

/// The numbers in `cells`, a row so far, that are measured and of the same quantity as `column`.
std::vector<double> MeasuredAlike(const PaperFigure& figure, const PaperColumn& column,
                                  const std::vector<FigureCell>& cells) {
  std::vector<double> alike;
  for (size_t i = 0; i < cells.size(); ++i) {
    const PaperColumn& other = figure.columns[i];
    const bool counts = other.way != nullptr && other.quantity == column.quantity;
    if (counts && cells[i].value.has_value()) alike.push_back(*cells[i].value);
  }
  return alike;
}

/// The cells of a row. `measure` returns what a column's run shows, if there is one. `*sampled`:
/// the value that kSampled knows from the first row; set there.
template <typename Measure>
std::vector<FigureCell> RowOf(const PaperFigure& figure, const Measure& measure,
                              std::optional<double>* sampled = nullptr) {
  std::vector<FigureCell> cells;
  std::optional<double> first;
  for (size_t i = 0; i < figure.columns.size(); ++i) {
    const PaperColumn& column = figure.columns[i];
    std::optional<double> value;
    if (column.way == nullptr) {
      const std::vector<double> alike = MeasuredAlike(figure, column, cells);
      if (column.relation == PaperRelation::kLeast) {
        if (!alike.empty()) value = std::ranges::min(alike);
      } else if (alike.size() >= 2) {
        if (!sampled->has_value()) *sampled = alike[1];
        value = alike[0] < **sampled ? alike[0] : alike[1];
      }
    } else {
      const FigureCell measured = measure(column);
      if (!measured.text.empty()) {
        cells.push_back(measured);
        continue;
      }
      value = measured.value;
    }
    if (i == 0) first = value;
    if (value.has_value() && column.relation == PaperRelation::kSpeedup) {
      value = first.has_value() ? std::optional(*first / *value) : std::nullopt;
    } else if (value.has_value() && column.relation == PaperRelation::kShare) {
      value = first.has_value() ? std::optional(*value / *first) : std::nullopt;
    }
    cells.push_back(value.has_value() ? Number(*value, column)
                                      : FigureCell{std::string(kMissing), std::nullopt});
  }
  return cells;
}

bool HasNumber(const std::vector<FigureCell>& cells) {
  return std::any_of(cells.begin(), cells.end(),
                     [](const FigureCell& cell) { return cell.value.has_value(); });
}

std::vector<std::string> Header(const PaperFigure& figure, std::string_view rows) {
  std::vector<std::string> header = {std::string(rows)};
  for (const PaperColumn& column : figure.columns) header.push_back(HeaderOf(column));
  return header;
}

PaperGraph GraphFor(const PaperRow& row, const PaperRuns& runs) {
  PaperGraph graph = runs.graph;
  graph.weighted = ReadsWeights(row.algorithm);
  graph.both_ways = graph.info.directed && SendsBothWays(row.algorithm);
  return graph;
}

FigureTable ByAlgorithm(const PaperFigure& figure, const PaperRuns& runs) {
  FigureTable table{.header = Header(figure, "Algo.")};
  for (const PaperRow& row : figure.rows) {
    const PaperGraph graph = GraphFor(row, runs);
    std::vector<FigureCell> cells = RowOf(figure, [&](const PaperColumn& column) -> FigureCell {
      const PaperRun* const run = runs.Find(row.algorithm, *column.way);
      if (run == nullptr) return {};
      return {"", column.quantity->of_run(*run, graph)};
    });
    if (!HasNumber(cells)) continue;
    cells.insert(cells.begin(), {std::string(row.name), std::nullopt});
    table.rows.push_back(std::move(cells));
  }
  return table;
}

/// Iteration `number` of a run; none after the last, and none where it shares a report with one
/// before.
const IterationReport* StartingAt(const PaperRun& run, uint64_t number) {
  uint64_t first = 1;
  for (const IterationReport& report : run.iterations) {
    if (first == number) return &report;
    first += report.iterations;
  }
  return nullptr;
}

/// The sums of the columns with times.
std::vector<FigureCell> Totals(const PaperFigure& figure, const FigureTable& table) {
  std::vector<FigureCell> totals = {{"all", std::nullopt}};
  for (size_t i = 0; i < figure.columns.size(); ++i) {
    if (figure.columns[i].quantity->unit != "ms") {
      totals.push_back({std::string(kMissing), std::nullopt});
      continue;
    }
    double sum = 0;
    for (const std::vector<FigureCell>& row : table.rows) sum += row[i + 1].value.value_or(0);
    totals.push_back(Number(sum, figure.columns[i]));
  }
  return totals;
}

FigureTable ByIteration(const PaperFigure& figure, const PaperRow& row, const PaperRuns& runs) {
  const PaperGraph graph = GraphFor(row, runs);
  FigureTable table{.title = std::string(row.name), .header = Header(figure, "Iter")};
  uint64_t last = 0;
  for (const PaperColumn& column : figure.columns) {
    if (column.way == nullptr) continue;
    const PaperRun* const run = runs.Find(row.algorithm, *column.way);
    if (run == nullptr) continue;
    uint64_t count = 0;
    for (const IterationReport& report : run->iterations) count += report.iterations;
    last = std::max(last, count);
  }
  std::optional<double> sampled;
  for (uint64_t number = 1; number <= last; ++number) {
    const auto measure = [&](const PaperColumn& column) -> FigureCell {
      const PaperRun* const run = runs.Find(row.algorithm, *column.way);
      const IterationReport* const report = run == nullptr ? nullptr : StartingAt(*run, number);
      if (report == nullptr) return {};
      if (column.quantity->text_of_iteration != nullptr) {
        return {std::string(column.quantity->text_of_iteration(*report)), std::nullopt};
      }
      return {"", column.quantity->of_iteration(*report, graph)};
    };
    std::vector<FigureCell> cells = RowOf(figure, measure, &sampled);
    if (!HasNumber(cells)) continue;
    cells.insert(cells.begin(), {StrCat(number), static_cast<double>(number)});
    table.rows.push_back(std::move(cells));
  }
  if (figure.has_totals && !table.rows.empty()) table.rows.push_back(Totals(figure, table));
  return table;
}

FigureTable ByPage(const PaperFigure& figure, const PaperRow& row, const PaperRuns& runs) {
  FigureTable table{.title = std::string(row.name), .header = Header(figure, "Page")};
  size_t num_pages = 0;
  const auto pages_of = [&](const PaperColumn& column) -> std::vector<double> {
    const PaperRun* const run = runs.Find(row.algorithm, *column.way);
    return run == nullptr ? std::vector<double>() : run->page_seconds;
  };
  for (const PaperColumn& column : figure.columns) {
    num_pages = std::max(num_pages, pages_of(column).size());
  }
  const auto add = [&](FigureCell name, const auto& seconds_of) {
    std::vector<FigureCell> cells = RowOf(figure, [&](const PaperColumn& column) -> FigureCell {
      const std::vector<double> pages = pages_of(column);
      if (pages.empty()) return {};
      return {"", column.quantity->of_page(seconds_of(pages))};
    });
    if (!HasNumber(cells)) return;
    cells.insert(cells.begin(), std::move(name));
    table.rows.push_back(std::move(cells));
  };
  for (size_t page = 0; page < num_pages; ++page) {
    add({StrCat(page + 1), static_cast<double>(page + 1)},
        [&](const std::vector<double>& pages) { return pages[page]; });
  }
  const auto least = [](const auto& pages) { return *std::ranges::min_element(pages); };
  const auto most = [](const auto& pages) { return *std::ranges::max_element(pages); };
  add({"least", std::nullopt}, least);
  add({"median", std::nullopt}, [](const auto& pages) { return Median(pages); });
  add({"most", std::nullopt}, most);
  return table;
}

}  // namespace

std::vector<FigureTable> TablesOf(const PaperFigure& figure, const PaperRuns& runs) {
  std::vector<FigureTable> tables;
  if (!figure.by_iteration && !figure.by_page) tables.push_back(ByAlgorithm(figure, runs));
  for (const PaperRow& row : figure.rows) {
    if (figure.by_iteration) tables.push_back(ByIteration(figure, row, runs));
    if (figure.by_page) tables.push_back(ByPage(figure, row, runs));
  }
  std::erase_if(tables, [](const FigureTable& table) { return table.rows.empty(); });
  return tables;
}

std::string PlotOf(const PaperFigure& figure, const std::vector<FigureTable>& tables,
                   const std::vector<std::string>& notes) {
  if (!figure.by_iteration) return "";
  const std::string_view unit = figure.columns[0].quantity->unit;
  std::vector<Drawing> drawings;
  for (const FigureTable& table : tables) {
    LineChart chart{.title = StrCat(table.title, ", ", unit.empty() ? "count" : unit),
                    .x = {.label = "iteration", .logarithmic = true},
                    .y = {.logarithmic = true}};
    for (size_t i = 0; i < figure.columns.size(); ++i) {
      const PaperColumn& column = figure.columns[i];
      if (column.quantity->unit != unit || column.relation != PaperRelation::kOwn) continue;
      LineChart::Line line{.name = std::string(column.name), .hue = static_cast<int>(i) % kGrey};
      for (const std::vector<FigureCell>& row : table.rows) {
        if (row[0].value.has_value() && row[i + 1].value.has_value())
          line.points.emplace_back(*row[0].value, *row[i + 1].value);
      }
      chart.lines.push_back(std::move(line));
    }
    drawings.push_back(DrawLines(chart));
  }
  return SvgFile(figure.title, drawings, notes);
}

}  // namespace edgemill::bench
