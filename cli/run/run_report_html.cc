#include <algorithm>
#include <map>
#include <utility>

#include "cli/display/histogram_text.h"
#include "cli/run/iteration_charts.h"
#include "cli/run/run_bound.h"
#include "cli/run/run_report.h"
#include "common/page/html_page.h"
#include "common/page/markup.h"
#include "common/strings.h"
#include "common/units.h"

namespace edgemill::cli {
namespace {

using Facts = HtmlPage::Facts;

std::string SecondsText(double seconds) { return QuantityText(Quantity::kSeconds, seconds); }

std::string PercentText(double part, double whole) {
  return StrCat(FormatFixed(whole <= 0 ? 0 : 100 * part / whole, 1), " %");
}

Facts AnswerFacts(const RunDescription& description) {
  Facts facts = {{"vertices", FormatCount(description.num_vertices)},
                 {"edges", FormatCount(description.num_edges)}};
  for (const VertexLabel& source : description.sources) {
    facts.emplace_back("source", LabelText(source));
  }
  for (const ResultFact& fact : description.facts) facts.emplace_back(fact.name, fact.text);
  return facts;
}

Facts RunFacts(const RunDescription& description, const RunReport& report) {
  Facts facts = {{"time", SecondsText(report.run_seconds)},
                 {"time to load", SecondsText(report.load_seconds)},
                 {"iterations",
                  StrCat(FormatCount(report.num_iterations),
                         report.async_passes == 0 ? ", synchronous"
                                                  : StrCat(", asynchronous, ", report.async_passes,
                                                           " passes over a block at most"))},
                 {"edges a second", FormatCount(static_cast<uint64_t>(report.edges_per_second))},
                 {"edges counted", FormatCount(report.edges_counted)},
                 {"edges visited", FormatCount(report.edges_processed)},
                 {"threads", StrCat(description.threads)},
                 {"I/O engine", report.io_engine}};
  if (report.gpu.empty()) return facts;
  facts.emplace_back("GPU", report.gpu);
  facts.emplace_back("cost model", report.cost_model);
  facts.emplace_back("calibration", report.calibration);
  return facts;
}

/// Where the time of the threads went.
ShareRow ThreadShares(const PhaseTimes& times) {
  const double all = times.threads * times.wall_seconds;
  std::vector<std::pair<std::string, double>> parts = {{"processor", times.processor_seconds},
                                                       {"core", times.core_seconds}};
  constexpr int kHues[] = {kGreen, kYellow, kOrange, kPurple, kVermilion, kSky, kBlue, kGrey};
  for (size_t i = 0; i < kNumWaitCauses; ++i) {
    parts.emplace_back(WaitCauseName(static_cast<WaitCause>(i)), times.wait_seconds[i]);
  }
  ShareRow row{
      .name = StrCat("Time of ", times.threads, times.threads == 1 ? " thread" : " threads",
                     ": working, or waiting for"),
      .whole = all};
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto& [name, seconds] = parts[i];
    if (seconds < 0.0005 * all) continue;
    row.parts.push_back({name, kHues[i % std::size(kHues)], seconds, PercentText(seconds, all)});
  }
  return row;
}

ShareRow Used(std::string name, uint64_t used, uint64_t bound, std::string_view more) {
  return {.name = std::move(name),
          .parts = {{"used", kBlue, static_cast<double>(used), FormatBytes(used)}},
          .whole = static_cast<double>(std::max<uint64_t>(1, bound)),
          .text = StrCat(FormatBytes(used), " at most, of ", FormatBytes(bound), more)};
}

std::vector<ShareRow> MemoryShares(const RunDescription& description, const RunReport& report) {
  std::vector<ShareRow> rows = {
      Used("Memory", report.peak_resident_bytes, description.memory_bytes,
           StrCat("; at least ", FormatBytes(report.min_budget_bytes), " would do"))};
  if (!report.gpu.empty()) {
    rows.push_back(Used("GPU memory", report.peak_gpu_bytes, report.gpu_memory_bytes, ""));
  }
  return rows;
}

/// The blocks by where a pass found them, and the bytes between one tier of memory and the next.
std::vector<ShareRow> TierShares(const RunDescription& description, const RunReport& report) {
  double from_disk = 0, cached = 0, exchanged = 0;
  for (const IterationReport& iteration : report.iterations) {
    from_disk += static_cast<double>(iteration.blocks_read);
    cached += static_cast<double>(iteration.cache_hits);
    exchanged += static_cast<double>(iteration.exchanged_bytes);
  }
  const auto resident = static_cast<double>(report.transfers[Transfer::kResident].blocks);
  const double blocks = from_disk + cached + resident;
  ShareRow found{.name = "Blocks, by where they were found"};
  const auto part = [&](std::string_view name, int hue, double count) {
    found.parts.push_back(
        {std::string(name), hue, count,
         StrCat(QuantityText(Quantity::kCount, count), ", ", PercentText(count, blocks))});
  };
  part("disk", kVermilion, from_disk);
  part("cache in memory", kGreen, cached);
  if (!report.gpu.empty()) part("memory of the GPU", kBlue, resident);
  std::vector<ShareRow> rows = {found};
  const double most =
      std::max({static_cast<double>(report.bytes_read), static_cast<double>(report.link_bytes),
                static_cast<double>(description.graph_bytes), exchanged, 1.0});
  const auto moved = [&](std::string name, int hue, double bytes, std::string_view more) {
    const std::string text = StrCat(QuantityText(Quantity::kBytes, bytes), more);
    rows.push_back({.name = std::move(name),
                    .parts = {{"bytes", hue, bytes, text}},
                    .whole = most,
                    .text = text});
  };
  moved("Bytes from disk to memory", kVermilion, static_cast<double>(report.bytes_read),
        StrCat(", ", FormatFixed(IoAmplification(description, report), 2), " times the graph"));
  if (report.gpu.empty()) return rows;
  moved("Bytes from memory to the GPU", kBlue, static_cast<double>(report.link_bytes), "");
  if (exchanged > 0) moved("Bytes between processors", kPurple, exchanged, "");
  return rows;
}

/// The bytes that each disk holds: a run that reads all of them takes the time of the fullest.
std::vector<ShareRow> DiskShares(const RunDescription& description) {
  uint64_t sum = 0, most = 1;
  for (const RunDescription::DiskShare& disk : description.disks) {
    sum += disk.stored_bytes;
    most = std::max(most, disk.stored_bytes);
  }
  std::vector<ShareRow> rows;
  for (const RunDescription::DiskShare& disk : description.disks) {
    const auto bytes = static_cast<double>(disk.stored_bytes);
    rows.push_back({.name = ShownText(disk.path),
                    .parts = {{"stored", kVermilion, bytes, FormatBytes(disk.stored_bytes)}},
                    .whole = static_cast<double>(most),
                    .text = StrCat(FormatBytes(disk.stored_bytes), ", ",
                                   PercentText(bytes, static_cast<double>(sum)))});
  }
  return rows;
}

/// What each way of transfer moved, and its share of the time.
std::vector<ShareRow> TransferShares(const TransferAccounts& transfers) {
  const TransferAccount all = transfers.total();
  ShareRow blocks{.name = "Blocks visited, by how they reached the GPU"};
  ShareRow bytes{.name = "Bytes over the link"};
  ShareRow seconds{.name = "Time of bringing and visiting"};
  for (int i = 0; i < kNumTransfers; ++i) {
    const auto way = static_cast<Transfer>(i);
    const TransferAccount& account = transfers[way];
    if (account.empty()) continue;
    const auto add = [&](ShareRow* row, double value, double whole, const std::string& text) {
      row->parts.push_back({std::string(TransferName(way)), i % kNumHues, value,
                            StrCat(text, ", ", PercentText(value, whole))});
    };
    add(&blocks, static_cast<double>(account.blocks), static_cast<double>(all.blocks),
        FormatCount(account.blocks));
    add(&bytes, static_cast<double>(account.bytes), static_cast<double>(all.bytes),
        FormatBytes(account.bytes));
    add(&seconds, account.measured_seconds, all.measured_seconds,
        SecondsText(account.measured_seconds));
  }
  if (blocks.parts.empty()) return {};
  return {blocks, bytes, seconds};
}

int WorkerHue(Worker worker) {
  switch (worker) {
    case Worker::kDisk:
      return kVermilion;
    case Worker::kHost:
      return kOrange;
    case Worker::kCopy:
      return kBlue;
    case Worker::kKernel:
      return kGreen;
  }
  return kGrey;
}

/// When each worker was busy: a row for each worker and staging buffer.
SpanChart TimelineChart(const Timeline& timeline) {
  std::map<std::pair<Worker, uint32_t>, SpanChart::Row> rows;
  double first = timeline.spans().front().begin;
  for (const TimelineSpan& span : timeline.spans()) first = std::min(first, span.begin);
  for (const TimelineSpan& span : timeline.spans()) {
    SpanChart::Row& row = rows[{span.worker, span.lane}];
    row.name = StrCat(WorkerName(span.worker), " ", span.lane);
    row.hue = WorkerHue(span.worker);
    row.spans.emplace_back(span.begin - first, span.end - first);
  }
  std::string title = "Who worked when";
  for (int i = 0; i < kNumWorkers; ++i) {
    const Worker worker = static_cast<Worker>(i);
    title += StrCat(i == 0 ? ": " : ", ", WorkerName(worker), " ",
                    PercentText(timeline.BusySeconds(worker), timeline.Seconds()));
  }
  SpanChart chart{.title = title};
  for (auto& [key, row] : rows) chart.rows.push_back(std::move(row));
  return chart;
}

void AddTop(const RunDescription& description, HtmlPage* page) {
  const auto add = [&](std::string_view title, const std::vector<RunDescription::TopLine>& lines) {
    if (lines.empty()) return;
    TextTable table({"vertex", std::string(description.top_name)}, 1);
    for (const RunDescription::TopLine& line : lines) {
      table.Add({LabelText(line.vertex), TopValueText(line.value)});
    }
    page->Section(StrCat(title, " ", description.top_name));
    page->Table(table);
  };
  add("Top", description.top);
  add("Bottom", description.bottom);
  if (description.histogram) AddHistogram(*description.histogram, description.value_name, page);
}

void AddIterations(const RunReport& report, HtmlPage* page) {
  page->Section("By iteration");
  page->Charts(IterationCharts(report.iterations));
  const bool lumped = std::any_of(report.iterations.begin(), report.iterations.end(),
                                  [](const IterationReport& i) { return i.iterations > 1; });
  page->Section("Figures by iteration");
  if (lumped) page->Paragraph("A row of several iterations, such as 256 to 1023, has their sums.");
  page->Table(IterationRows(report.iterations));
  if (report.iterations.size() > kMaxIterationRows) {
    page->Paragraph(
        StrCat(report.iterations.size() - kMaxIterationRows, " more rows are in the JSON report."));
  }
}

}  // namespace

std::string RunReportHtml(const RunDescription& description, const RunReport& report) {
  HtmlPage page(StrCat(description.algorithm, " on ", ShownText(description.graph)),
                WhatBound(report, description.disk_rate).sentence, description.surroundings);
  page.Section("Answer");
  page.AddFacts(AnswerFacts(description));
  for (const std::string& warning : description.warnings) {
    page.Paragraph(StrCat("Warning: ", warning));
  }
  AddTop(description, &page);
  page.Section("Run");
  page.AddFacts(RunFacts(description, report));
  page.Section("Where the time went");
  page.Shares({ThreadShares(report.times)});
  if (!report.timeline.spans().empty()) {
    page.WideChart(DrawSpans(TimelineChart(report.timeline)));
    if (report.timeline.left_out() > 0) {
      page.Paragraph(StrCat(report.timeline.left_out(), " later spans are left out."));
    }
  }
  page.Section("Where edges came from");
  page.Shares(TierShares(description, report));
  const std::vector<ShareRow> ways = TransferShares(report.transfers);
  if (!ways.empty()) {
    page.Section("Ways to the GPU");
    page.Shares(ways);
  }
  if (description.disks.size() > 1) {
    page.Section("Bytes on each disk");
    page.Shares(DiskShares(description));
  }
  page.Section("Memory against its bounds");
  page.Shares(MemoryShares(description, report));
  AddIterations(report, &page);
  return page.Text();
}

}  // namespace edgemill::cli
