#include "cli/run/iteration_charts.h"

#include <algorithm>
#include <functional>
#include <span>
#include <string>

#include "cli/run/iteration_json.h"
#include "common/page/markup.h"
#include "common/strings.h"
#include "common/units.h"

namespace edgemill::cli {
namespace {

/// More bars than this are too thin to see.
constexpr uint64_t kMaxBars = 200;

/// One colour of a chart: its name, and the values that it shows.
struct IterationSeries {
  ChartSeries drawn;
  std::function<double(const IterationReport&)> value;
};

struct IterationChart {
  std::string title;
  Quantity quantity = Quantity::kPlain;
  std::vector<IterationSeries> series;
};

std::vector<IterationChart> AllCharts() {
  const auto of = [](auto member) {
    return [member](const IterationReport& report) { return static_cast<double>(report.*member); };
  };
  return {
      {"Time of an iteration",
       Quantity::kSeconds,
       {{{"time", kBlue}, of(&IterationReport::seconds)}}},
      {"Time of threads",
       Quantity::kSeconds,
       {{{"waiting for disk", kVermilion}, of(&IterationReport::wait_seconds)},
        {{"checksums", kOrange}, of(&IterationReport::check_seconds)},
        {{"decompressing", kPurple}, of(&IterationReport::decompress_seconds)},
        {{"computing", kGreen}, of(&IterationReport::compute_seconds)}}},
      {"Active vertices",
       Quantity::kCount,
       {{{"vertices", kBlue}, of(&IterationReport::active_vertices)}}},
      {"Active edges", Quantity::kCount, {{{"edges", kSky}, of(&IterationReport::active_edges)}}},
      {"Bytes read", Quantity::kBytes, {{{"bytes", kVermilion}, of(&IterationReport::bytes_read)}}},
      {"Blocks",
       Quantity::kCount,
       {{{"read from disk", kVermilion}, of(&IterationReport::blocks_read)},
        {{"found in the cache", kGreen}, of(&IterationReport::cache_hits)}}}};
}

uint64_t IterationsOf(const IterationReport& report) {
  return std::max<uint64_t>(1, report.iterations);
}

/// "12", or "12 to 31".
std::string IterationNumbers(uint64_t first, uint64_t count) {
  return count <= 1 ? StrCat(first) : StrCat(first, " to ", first + count - 1);
}

/// Consecutive iterations that share a bar.
struct IterationBin {
  std::span<const IterationReport> reports;
  uint64_t first = 0;  // from 0
  uint64_t count = 0;
};

std::vector<IterationBin> BinsOf(const std::vector<IterationReport>& reports) {
  uint64_t all = 0;
  for (const IterationReport& report : reports) all += IterationsOf(report);
  const uint64_t least = (all + kMaxBars - 1) / kMaxBars;
  std::vector<IterationBin> bins;
  uint64_t first = 0;
  size_t begin = 0;
  uint64_t count = 0;
  for (size_t i = 0; i < reports.size(); ++i) {
    count += IterationsOf(reports[i]);
    if (count < least && i + 1 < reports.size()) continue;
    bins.push_back({std::span(reports).subspan(begin, i + 1 - begin), first, count});
    first += count;
    begin = i + 1;
    count = 0;
  }
  return bins;
}

/// What the horizontal axis shows.
std::string AxisText(const std::vector<IterationBin>& bins) {
  uint64_t most = 1;
  for (const IterationBin& bin : bins) most = std::max(most, bin.count);
  if (most == 1) return "iteration";
  return StrCat("iteration; a bar shows the mean of up to ", FormatCount(most), " iterations");
}

double Mean(const IterationBin& bin, const IterationSeries& series) {
  double sum = 0;
  for (const IterationReport& report : bin.reports) sum += series.value(report);
  return sum / static_cast<double>(bin.count);
}

}  // namespace

std::vector<Drawing> IterationCharts(const std::vector<IterationReport>& iterations) {
  const std::vector<IterationBin> bins = BinsOf(iterations);
  std::vector<Drawing> drawings;
  for (const IterationChart& shown : AllCharts()) {
    BarChart chart{.title = shown.title,
                   .quantity = shown.quantity,
                   .x = {.label = AxisText(bins), .quantity = Quantity::kCount, .whole = true}};
    for (const IterationSeries& series : shown.series) chart.series.push_back(series.drawn);
    for (const IterationBin& bin : bins) {
      BarChart::Bar bar{
          static_cast<double>(bin.first), static_cast<double>(bin.first + bin.count),
          StrCat(bin.count > 1 ? "iterations " : "iteration ",
                 IterationNumbers(bin.first, bin.count), bin.count > 1 ? ", mean" : "")};
      for (const IterationSeries& series : shown.series) bar.values.push_back(Mean(bin, series));
      chart.bars.push_back(std::move(bar));
    }
    drawings.push_back(DrawBars(chart));
  }
  return drawings;
}

TextTable IterationRows(const std::vector<IterationReport>& iterations) {
  TextTable table({"iteration", "processor", "mode", "active vertices", "active edges", "seconds",
                   "blocks", "again", "sent early", "from disk", "cache hits", "bytes read",
                   "disk wait s", "checksum s", "decompress s", "compute s"},
                  3);
  uint64_t first = 0;
  for (size_t i = 0; i < std::min(iterations.size(), kMaxIterationRows); ++i) {
    const IterationReport& report = iterations[i];
    const Processors used = ProcessorsUsed(report);
    table.Add({IterationNumbers(first, report.iterations),
               used == Processors::kBoth  ? "both"
               : used == Processors::kGpu ? "GPU"
                                          : "CPU",
               std::string(ModeName(report.mode)), FormatCount(report.active_vertices),
               FormatCount(report.active_edges), FormatFixed(report.seconds, 4),
               FormatCount(report.blocks), FormatCount(report.blocks_repeated),
               FormatCount(report.repeated_vertices), FormatCount(report.blocks_read),
               FormatCount(report.cache_hits), FormatBytes(report.bytes_read),
               FormatFixed(report.wait_seconds, 4), FormatFixed(report.check_seconds, 4),
               FormatFixed(report.decompress_seconds, 4), FormatFixed(report.compute_seconds, 4)});
    first += IterationsOf(report);
  }
  return table;
}

}  // namespace edgemill::cli
