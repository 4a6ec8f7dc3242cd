#include "cli/bench/io_page.h"

#include <algorithm>
#include <set>

#include "bench/record/sample_statistics.h"
#include "common/page/markup.h"
#include "common/strings.h"
#include "common/units.h"

namespace edgemill::cli {
namespace {

using bench::IoGridRunResult;
using bench::IoMeasurement;
using bench::IoPattern;
using bench::Median;

std::string Milliseconds(double seconds) { return FormatFixed(seconds * 1e3, 3); }

/// What a chart of latencies or rates shows of a measurement.
using Shown = double (*)(const IoMeasurement&);

/// A line for each depth, over the sizes of requests.
Drawing DrawBySize(const IoGridRunResult& result, const std::string& where, IoPattern pattern,
                   const LineChart& axes, Shown shown) {
  LineChart chart = axes;
  std::set<double> sizes;
  for (const IoMeasurement& measured : result.measurements) {
    if (measured.where != where || measured.point.pattern != pattern) continue;
    const std::string name = StrCat("depth ", measured.point.depth);
    auto line = std::find_if(chart.lines.begin(), chart.lines.end(),
                             [&](const LineChart::Line& other) { return other.name == name; });
    if (line == chart.lines.end()) {
      const int hue = static_cast<int>(chart.lines.size()) % kGrey;
      line = chart.lines.insert(line, {.name = name, .hue = hue});
    }
    const auto size = static_cast<double>(measured.point.size_bytes);
    sizes.insert(size);
    line->points.emplace_back(size, shown(measured));
  }
  chart.x.ticks.assign(sizes.begin(), sizes.end());
  return DrawLines(chart);
}

/// The fastest reads, in one sentence.
std::string Lead(const IoGridRunResult& result) {
  const IoMeasurement* fastest = nullptr;
  for (const IoMeasurement& measured : result.measurements) {
    if (measured.point.pattern == IoPattern::kWrite) continue;
    if (fastest == nullptr ||
        Median(measured.bytes_per_second) > Median(fastest->bytes_per_second)) {
      fastest = &measured;
    }
  }
  if (fastest == nullptr) return "Writes alone were measured.";
  return StrCat("The fastest reads, ", fastest->point.Name(), " on ", fastest->where, ", reach ",
                FormatFixed(Median(fastest->bytes_per_second) / 1e9, 2), " GB/s, ",
                FormatFixed(100 * Median(fastest->plain_share), 0), " % of plain reads.");
}

}  // namespace

TextTable IoTable(const IoGridRunResult& result, const std::string& where) {
  TextTable table({"operation", "GB/s", "spread", "IOPS", "share", "p50 ms", "p90", "p99", "p99.9",
                   "max", "CPU s/GB", "balance"},
                  1);
  for (const IoMeasurement& point : result.measurements) {
    if (point.where != where) continue;
    const double rate = Median(point.bytes_per_second);
    const auto [least, most] =
        std::minmax_element(point.bytes_per_second.begin(), point.bytes_per_second.end());
    table.Add(
        {point.point.Name(), FormatFixed(rate / 1e9, 3),
         StrCat(FormatFixed(100 * (*most - *least) / rate, 0), " %"),
         FormatCount(static_cast<uint64_t>(rate / static_cast<double>(point.point.size_bytes))),
         FormatFixed(Median(point.plain_share), 2), Milliseconds(point.latency.Quantile(0.5)),
         Milliseconds(point.latency.Quantile(0.9)), Milliseconds(point.latency.Quantile(0.99)),
         Milliseconds(point.latency.Quantile(0.999)), Milliseconds(point.latency.max_seconds()),
         FormatFixed(Median(point.cpu_seconds_per_gb), 3), FormatFixed(Median(point.balance), 2)});
  }
  return table;
}

ResultPage IoPage(const IoGridRunResult& result) {
  ResultPage page{.title = "Disks, as runs use them", .lead = Lead(result)};
  for (const bench::PlainMeasurement& plain : result.plain) {
    std::set<IoPattern> patterns;
    for (const IoMeasurement& measured : result.measurements) {
      if (measured.where == plain.where) patterns.insert(measured.point.pattern);
    }
    for (const IoPattern pattern : patterns) {
      const std::string what = StrCat(bench::PatternName(pattern), ", ", plain.where);
      const AxisSpec x{
          .label = "size of a request", .quantity = Quantity::kBytes, .logarithmic = true};
      page.drawings.push_back(DrawBySize(
          result, plain.where, pattern, {.title = StrCat("Rate, GB/s: ", what), .x = x, .y = {}},
          [](const IoMeasurement& point) { return Median(point.bytes_per_second) / 1e9; }));
      page.drawings.push_back(
          DrawBySize(result, plain.where, pattern,
                     {.title = StrCat("Latency, 99 % are faster: ", what),
                      .x = x,
                      .y = {.quantity = Quantity::kSeconds, .logarithmic = true}},
                     [](const IoMeasurement& point) { return point.latency.Quantile(0.99); }));
    }
    page.tables.emplace_back(StrCat("Measurements: ", plain.where), IoTable(result, plain.where));
  }
  page.remarks = result.remarks;
  if (page.remarks.empty()) page.remarks = {"No stalls, no slow stretches."};
  return page;
}

}  // namespace edgemill::cli
