#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <utility>

#include "cli/run/run_report.h"
#include "common/strings.h"
#include "common/units.h"

namespace edgemill::cli {
namespace {

constexpr size_t kMaxBars = 400;
constexpr size_t kMaxRows = 2000;

std::string Escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

/// One colour of a chart: its name, and the values that it shows.
struct Series {
  std::string_view name;
  std::string_view color;
  std::function<double(const IterationReport&)> value;
};

struct Chart {
  std::string_view title;
  std::vector<Series> stacked;
  std::function<std::string(double)> format;
};

std::string FormatSeconds(double seconds) { return StrCat(FormatFixed(seconds, 4), " s"); }
std::string FormatWhole(double count) { return FormatCount(static_cast<uint64_t>(count)); }
std::string FormatSize(double bytes) { return FormatBytes(static_cast<uint64_t>(bytes)); }

std::vector<Chart> Charts() {
  const auto count = [](auto member) {
    return [member](const IterationReport& i) { return static_cast<double>(i.*member); };
  };
  return {
      {"Wall time", {{"seconds", "#4c78a8", count(&IterationReport::seconds)}}, FormatSeconds},
      {"Thread time by kind",
       {{"waiting for disk", "#e45756", count(&IterationReport::wait_seconds)},
        {"checksums", "#eeca3b", count(&IterationReport::check_seconds)},
        {"decompressing", "#b279a2", count(&IterationReport::decompress_seconds)},
        {"computing", "#54a24b", count(&IterationReport::compute_seconds)}},
       FormatSeconds},
      {"Active vertices",
       {{"vertices", "#4c78a8", count(&IterationReport::active_vertices)}},
       FormatWhole},
      {"Active edges", {{"edges", "#72b7b2", count(&IterationReport::active_edges)}}, FormatWhole},
      {"Bytes read", {{"bytes", "#f58518", count(&IterationReport::bytes_read)}}, FormatSize},
      {"Blocks",
       {{"read from disk", "#f58518", count(&IterationReport::blocks_read)},
        {"found in the cache", "#54a24b", count(&IterationReport::cache_hits)}},
       FormatWhole}};
}

/// A range of consecutive iterations: their reports, the first one's number, and how many there
/// are.
struct Bar {
  std::span<const IterationReport> reports;
  uint64_t first = 0;  // from 0
  uint64_t count = 0;  // at least 1

  /// The mean over these iterations.
  double Mean(const Series& series) const {
    double sum = 0;
    for (const IterationReport& report : reports) sum += series.value(report);
    return sum / static_cast<double>(count);
  }
};

/// "12", or "12 to 31".
std::string IterationNumbers(uint64_t first, uint64_t count) {
  return count <= 1 ? StrCat(first) : StrCat(first, " to ", first + count - 1);
}

/// The reports in at most kMaxBars bars. Each report has its own bar if there are no more of them.
std::vector<Bar> Bars(const std::vector<IterationReport>& reports) {
  std::vector<Bar> bars;
  const size_t run = (reports.size() + kMaxBars - 1) / kMaxBars;
  uint64_t first = 0;
  for (size_t i = 0; i < reports.size(); i += run) {
    Bar bar{std::span(reports).subspan(i, std::min(run, reports.size() - i)), first};
    for (const IterationReport& report : bar.reports) bar.count += report.iterations;
    bar.count = std::max<uint64_t>(1, bar.count);
    first += bar.count;
    bars.push_back(bar);
  }
  return bars;
}

/// What the horizontal axis shows.
std::string AxisText(const std::vector<Bar>& bars) {
  if (bars.empty()) return "";
  const uint64_t all = bars.back().first + bars.back().count;
  std::string text = StrCat("Across: iterations 0 to ", FormatCount(all - 1));
  if (all > bars.size()) {
    text += "; a wider bar is of several iterations, and shows their mean";
  }
  return text;
}

std::string DrawChart(const Chart& chart, const std::vector<Bar>& bars) {
  constexpr double kWidth = 860;
  constexpr double kHeight = 140;
  double top = 0;
  for (const Bar& bar : bars) {
    double height = 0;
    for (const Series& series : chart.stacked) height += bar.Mean(series);
    top = std::max(top, height);
  }
  std::string svg = StrCat("<h3>", chart.title, "</h3><p class=legend>");
  for (const Series& series : chart.stacked) {
    svg += StrCat("<span style=\"color:", series.color, "\">&#9632;</span> ", series.name, " ");
  }
  svg += StrCat("(top: ", chart.format(top), ")</p><svg viewBox=\"0 0 860 140\">");
  const uint64_t all = bars.empty() ? 1 : bars.back().first + bars.back().count;
  const double step = kWidth / static_cast<double>(all);
  for (size_t i = 0; i < bars.size() && top > 0; ++i) {
    const Bar& bar = bars[i];
    const double width =
        std::min(static_cast<double>(bar.count) * step * 0.9, static_cast<double>(bar.count) * 40);
    double bottom = kHeight;
    for (const Series& series : chart.stacked) {
      const double value = bar.Mean(series);
      const double height = kHeight * value / top;
      bottom -= height;
      svg +=
          StrCat("<rect x=\"", FormatFixed(static_cast<double>(bar.first) * step, 2), "\" y=\"",
                 FormatFixed(bottom, 2), "\" width=\"", FormatFixed(std::max(0.5, width), 2),
                 "\" height=\"", FormatFixed(height, 2), "\" fill=\"", series.color,
                 "\"><title>iteration ", IterationNumbers(bar.first, bar.count), ", ", series.name,
                 ": ", chart.format(value), bar.count > 1 ? " each" : "", "</title></rect>");
    }
  }
  return svg + StrCat("</svg>\n<p class=legend>", AxisText(bars), "</p>\n");
}

std::string_view WorkerColor(Worker worker) {
  switch (worker) {
    case Worker::kDisk:
      return "#e45756";
    case Worker::kHost:
      return "#eeca3b";
    case Worker::kCopy:
      return "#4c78a8";
    case Worker::kKernel:
      return "#54a24b";
  }
  return "#888888";
}

/// Draws when each worker was busy: a row for each worker and lane, with time from left to right.
std::string DrawTimeline(const Timeline& timeline) {
  if (timeline.spans().empty()) return "";
  constexpr double kWidth = 860;
  constexpr double kRow = 12;
  std::map<std::pair<Worker, uint32_t>, double> rows;  // the upper edge
  double first = timeline.spans().front().begin;
  for (const TimelineSpan& span : timeline.spans()) {
    rows[{span.worker, span.lane}] = 0;
    first = std::min(first, span.begin);
  }
  double height = 0;
  for (auto& [row, top] : rows) {
    top = height;
    height += kRow;
  }
  std::string svg = "<h3>Who worked when</h3><p class=legend>";
  for (int i = 0; i < kNumWorkers; ++i) {
    const Worker worker = static_cast<Worker>(i);
    svg += StrCat("<span style=\"color:", WorkerColor(worker), "\">&#9632;</span> ",
                  WorkerName(worker), ", ", FormatSeconds(timeline.BusySeconds(worker)), " ");
  }
  svg += StrCat(
      "of ", FormatSeconds(timeline.Seconds()), "; a row for each staging buffer",
      timeline.left_out() > 0 ? StrCat("; ", timeline.left_out(), " later spans are left out") : "",
      "</p><svg viewBox=\"0 0 860 ", FormatFixed(height, 0), "\">");
  const double scale = kWidth / std::max(timeline.Seconds(), 1e-9);
  for (const TimelineSpan& span : timeline.spans()) {
    svg += StrCat("<rect x=\"", FormatFixed((span.begin - first) * scale, 2), "\" y=\"",
                  FormatFixed(rows[{span.worker, span.lane}] + 1, 0), "\" width=\"",
                  FormatFixed(std::max(0.2, (span.end - span.begin) * scale), 2), "\" height=\"",
                  FormatFixed(kRow - 2, 0), "\" fill=\"", WorkerColor(span.worker), "\"/>");
  }
  return svg + "</svg>\n";
}

/// What each engine moved, and the time for this and for visiting the edges.
std::string TransferTable(const RunReport& report) {
  std::string table =
      "<h3>Transfer engines</h3><table><tr><th>engine<th>blocks<th>bytes<th>seconds</tr>\n";
  for (int i = 0; i < kNumTransfers; ++i) {
    const Transfer transfer = static_cast<Transfer>(i);
    const TransferAccount& engine = report.transfers[transfer];
    if (engine.empty()) continue;
    table += StrCat("<tr><td>", TransferName(transfer), "<td>", FormatCount(engine.blocks), "<td>",
                    FormatBytes(engine.bytes), "<td>", FormatFixed(engine.measured_seconds, 4),
                    "</tr>\n");
  }
  return table + "</table>\n";
}

std::string Table(const std::vector<IterationReport>& iterations) {
  std::string table =
      "<table><tr><th>iteration<th>processor<th>mode<th>active vertices<th>active edges<th>seconds"
      "<th>blocks<th>again<th>sent early<th>from disk<th>cache hits<th>bytes read<th>disk wait s"
      "<th>checksum s<th>decompress s<th>compute s</tr>\n";
  uint64_t first = 0;
  for (size_t i = 0; i < std::min(iterations.size(), kMaxRows); ++i) {
    const IterationReport& iteration = iterations[i];
    table += StrCat("<tr><td>", IterationNumbers(first, iteration.iterations),
                    !iteration.on_gpu          ? "<td>CPU<td>"
                    : iteration.cpu_blocks > 0 ? "<td>both<td>"
                                               : "<td>GPU<td>",
                    ModeName(iteration.mode), "<td>", FormatCount(iteration.active_vertices),
                    "<td>", FormatCount(iteration.active_edges), "<td>",
                    FormatFixed(iteration.seconds, 4), "<td>", FormatCount(iteration.blocks),
                    "<td>", FormatCount(iteration.blocks_repeated), "<td>",
                    FormatCount(iteration.repeated_vertices), "<td>",
                    FormatCount(iteration.blocks_read), "<td>", FormatCount(iteration.cache_hits));
    table += StrCat("<td>", FormatBytes(iteration.bytes_read), "<td>",
                    FormatFixed(iteration.wait_seconds, 4), "<td>",
                    FormatFixed(iteration.check_seconds, 4), "<td>",
                    FormatFixed(iteration.decompress_seconds, 4), "<td>",
                    FormatFixed(iteration.compute_seconds, 4), "</tr>\n");
    first += std::max<uint64_t>(1, iteration.iterations);
  }
  table += "</table>\n";
  if (iterations.size() > kMaxRows) {
    table +=
        StrCat("<p>", iterations.size() - kMaxRows, " more rows are in the JSON report.</p>\n");
  }
  return table;
}

constexpr std::string_view kStyle =
    "body{font:14px system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}"
    "h1{font-size:1.5em}h3{margin:1.2em 0 0}svg{width:100%;background:#f6f6f6}"
    ".legend{margin:.2em 0;color:#555}table{border-collapse:collapse;font-size:12px}"
    "td,th{padding:.2em .6em;text-align:right;border-bottom:1px solid #ddd}"
    "th:first-child,.facts td{text-align:left}";

}  // namespace

std::string RunReportHtml(const RunDescription& description, const RunReport& report) {
  std::string page =
      StrCat("<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>",
             Escape(description.algorithm), " on ", Escape(description.graph), "</title><style>",
             kStyle, "</style>\n<h1>", Escape(description.algorithm), " on ",
             Escape(description.graph), "</h1>\n<table class=facts>\n");
  const auto row = [&](std::string_view name, std::string_view value) {
    page += StrCat("<tr><td>", Escape(name), "<td>", Escape(value), "</tr>\n");
  };
  row("vertices", FormatCount(description.num_vertices));
  row("edges", FormatCount(description.num_edges));
  for (const VertexLabel& source : description.sources) row("source", LabelText(source));
  for (const ResultFact& fact : description.facts) row(fact.name, fact.text);
  for (const RunDescription::TopLine& line : description.top) {
    row(StrCat("top ", description.top_name), TopText(line));
  }
  row("time", FormatSeconds(report.run_seconds));
  row("time to load", FormatSeconds(report.load_seconds));
  row("iterations",
      StrCat(FormatCount(report.num_iterations),
             report.async_passes == 0 ? ", synchronous"
                                      : StrCat(", asynchronous, ", report.async_passes,
                                               " passes over a block at most")));
  row("edges a second", FormatWhole(report.edges_per_second));
  row("edges counted", FormatCount(report.edges_counted));
  row("edges visited", FormatCount(report.edges_processed));
  row("bytes read", FormatBytes(report.bytes_read));
  row("bytes read over the graph's bytes", FormatFixed(IoAmplification(description, report), 3));
  row("memory budget", FormatBytes(description.memory_bytes));
  row("least budget", FormatBytes(report.min_budget_bytes));
  row("peak resident memory", FormatBytes(report.peak_resident_bytes));
  row("threads", StrCat(description.threads));
  row("I/O engine", report.io_engine);
  if (!report.gpu.empty()) {
    row("GPU", report.gpu);
    row("cost model", StrCat(report.cost_model, ", calibration ", report.calibration));
  }
  page += "</table>\n";
  if (!report.gpu.empty()) page += TransferTable(report) + DrawTimeline(report.timeline);
  page += "<h2>By iteration</h2>\n";
  const std::vector<Bar> bars = Bars(report.iterations);
  for (const Chart& chart : Charts()) page += DrawChart(chart, bars);
  return page + Table(report.iterations) + "</html>\n";
}

}  // namespace edgemill::cli
