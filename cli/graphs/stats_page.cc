#include <algorithm>
#include <map>

#include "cli/graphs/stats_report.h"
#include "common/page/html_page.h"
#include "common/page/markup.h"
#include "common/strings.h"
#include "common/units.h"

namespace edgemill::cli {
namespace {

constexpr size_t kMostPoints = 300;

using Points = std::vector<std::pair<double, double>>;

/// For each of `counts`, the share of members that have at least this much. Points that lie close
/// to each other on logarithmic axes are left out.
Points SharesOfAtLeast(const std::map<uint64_t, uint64_t>& counts) {
  double all = 0;
  for (const auto& [value, members] : counts) all += static_cast<double>(members);
  Points points;
  double left = all;
  for (const auto& [value, members] : counts) {
    if (value > 0) points.emplace_back(static_cast<double>(value), left / all);
    left -= static_cast<double>(members);
  }
  if (points.size() <= kMostPoints) return points;
  const double ratio =
      std::pow(points.back().first / points.front().first, 1.0 / static_cast<double>(kMostPoints));
  Points kept;
  for (const auto& point : points) {
    if (kept.empty() || point.first >= kept.back().first * ratio) kept.push_back(point);
  }
  if (kept.back() != points.back()) kept.push_back(points.back());
  return kept;
}

LineChart::Line DegreeLine(std::string name, int hue, const DegreeCounts& degrees) {
  std::map<uint64_t, uint64_t> counts;
  for (const DegreeCounts::Count& count : degrees.counts()) counts[count.degree] = count.vertices;
  return {.name = std::move(name), .hue = hue, .joined = false, .points = SharesOfAtLeast(counts)};
}

Drawing DrawDegrees(const StatsReport& report) {
  LineChart chart{.title = "Share of vertices with at least this degree",
                  .x = {.label = "degree", .quantity = Quantity::kCount, .logarithmic = true},
                  .y = {.logarithmic = true}};
  const GraphStats& stats = report.stats;
  if (stats.out_degrees.has_value()) {
    chart.lines.push_back(DegreeLine("out-edges", kBlue, *stats.out_degrees));
  }
  if (stats.in_degrees.has_value()) {
    chart.lines.push_back(DegreeLine("in-edges", kVermilion, *stats.in_degrees));
  }
  return DrawLines(chart);
}

Drawing DrawComponents(const ComponentCounts& components) {
  LineChart chart{.title = "Components by their size",
                  .x = {.label = "vertices", .quantity = Quantity::kCount, .logarithmic = true},
                  .y = {.quantity = Quantity::kCount, .logarithmic = true}};
  LineChart::Line line{.name = "components", .hue = kGreen, .joined = false};
  for (const auto& [size, count] : components.sizes) {
    line.points.emplace_back(static_cast<double>(size), static_cast<double>(count));
  }
  chart.lines = {line};
  return DrawLines(chart);
}

/// The pairs of each distance. Long ranges of distances share bars, which the axis says.
Drawing DrawDistances(const DistanceEstimates& distances) {
  constexpr size_t kMostBars = 100;
  const size_t width = (distances.pairs.size() + kMostBars - 1) / kMostBars;
  double all = 0;
  for (const uint64_t pairs : distances.pairs) all += static_cast<double>(pairs);
  BarChart chart{
      .title = "Share of pairs at each distance",
      .quantity = Quantity::kPercent,
      .x = {.label = width > 1 ? StrCat("distance in edges; a bar shows the mean of ", width)
                               : "distance in edges",
            .quantity = Quantity::kCount,
            .whole = true},
      .series = {{"pairs", kBlue}}};
  for (size_t begin = 0; begin < distances.pairs.size(); begin += width) {
    const size_t end = std::min(begin + width, distances.pairs.size());
    double pairs = 0;
    for (size_t i = begin; i < end; ++i) pairs += static_cast<double>(distances.pairs[i]);
    chart.bars.push_back({static_cast<double>(begin),
                          static_cast<double>(end),
                          end - begin > 1 ? StrCat("distances ", begin, " to ", end - 1)
                                          : StrCat("distance ", begin),
                          {all == 0 ? 0 : 100 * pairs / all / static_cast<double>(end - begin)}});
  }
  return DrawBars(chart);
}

std::string Lead(const StatsReport& report) {
  const GraphInfo& info = report.info;
  const GraphStats& stats = report.stats;
  std::string text =
      StrCat(FormatCount(info.num_vertices), " vertices and ", FormatCount(info.num_edges),
             info.directed ? " directed" : " symmetric", " edges");
  if (stats.components.has_value() && info.num_vertices > 0) {
    text += StrCat("; the largest of ", FormatCount(stats.components->count), " components holds ",
                   FormatFixed(100 * static_cast<double>(stats.components->largest) /
                                   static_cast<double>(info.num_vertices),
                               1),
                   " % of the vertices");
  }
  if (stats.distances.has_value()) {
    text += StrCat(", and 90 % of the pairs are within ",
                   FormatFixed(stats.distances->effective_diameter, 1), " edges");
  }
  return text + ".";
}

}  // namespace

std::vector<Drawing> StatsCharts(const StatsReport& report) {
  std::vector<Drawing> drawings = {DrawDegrees(report)};
  if (report.stats.components.has_value()) {
    drawings.push_back(DrawComponents(*report.stats.components));
  }
  if (report.stats.distances.has_value()) {
    drawings.push_back(DrawDistances(*report.stats.distances));
  }
  return drawings;
}

std::string StatsPicture(const StatsReport& report, const std::string& path) {
  const std::string title = StrCat(ShownText(report.graph), " in figures");
  if (path.ends_with(".svg")) return SvgFile(title, StatsCharts(report), {Lead(report)});
  HtmlPage page(title, Lead(report),
                {{"command", ShownText(report.command_line)},
                 {"version", StrCat("Edgemill ", EDGEMILL_VERSION)},
                 {"seed", StrCat(report.options.sample.seed)}});
  page.Charts(StatsCharts(report));
  page.Section("Figures");
  page.AddTexts(StatsFacts(report));
  return page.Text();
}

}  // namespace edgemill::cli
