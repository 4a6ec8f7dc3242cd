#include "cli/run/run_bound.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/display/rate_bounds.h"
#include "common/page/scale.h"
#include "common/strings.h"

namespace edgemill::cli {
namespace {

std::string Percent(double share) { return StrCat(FormatFixed(100 * share, 0), " %"); }

std::string GigabytesPerSecond(double rate) {
  return rate >= 1e9 ? StrCat(FormatFixed(rate * 1e-9, 2), " GB/s")
                     : StrCat(FormatFixed(rate * 1e-6, rate >= 1e7 ? 0 : 1), " MB/s");
}

double RateOver(uint64_t bytes, double seconds) {
  return seconds <= 0 ? 0 : static_cast<double>(bytes) / seconds;
}

/// ", and it read 1.20 GB/s, 94 % of its measured rate".
std::string DiskRateText(const RunReport& report, double disk_rate, RunBound* bound) {
  const double rate = RateOver(report.bytes_read, report.times.wall_seconds);
  if (disk_rate <= 0) {
    return StrCat(", and it read ", GigabytesPerSecond(rate),
                  " (edgemill calibrate measures its rate)");
  }
  bound->rate_share = rate / disk_rate;
  return StrCat(", and it read ", GigabytesPerSecond(rate), ", ", Percent(bound->rate_share),
                " of its measured rate");
}

/// By the spans in which disk, host, copies and kernels were busy.
RunBound BoundOfGpuRun(const RunReport& report, double disk_rate) {
  const double all = report.timeline.Seconds();
  std::vector<std::pair<double, Worker>> busy;
  for (int i = 0; i < kNumWorkers; ++i) {
    const auto worker = static_cast<Worker>(i);
    busy.emplace_back(report.timeline.BusySeconds(worker) / all, worker);
  }
  std::stable_sort(busy.begin(), busy.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  const auto [share, worker] = busy.front();
  RunBound bound{.by = std::string(WorkerName(worker)), .share = share};
  switch (worker) {
    case Worker::kDisk:
      bound.sentence = StrCat("The disk bound this run: it was busy ", Percent(share),
                              " of the time", DiskRateText(report, disk_rate, &bound));
      break;
    case Worker::kHost:
      bound.sentence = StrCat("The host bound this run: its threads filled staging buffers ",
                              Percent(share), " of the time");
      break;
    case Worker::kCopy:
      bound.sentence =
          StrCat("The link to the GPU bound this run: copies were under way ", Percent(share),
                 " of the time, at ", GigabytesPerSecond(RateOver(report.link_bytes, all * share)));
      break;
    case Worker::kKernel:
      bound.sentence =
          StrCat("The GPU's kernels bound this run: they worked ", Percent(share), " of the time");
      break;
  }
  bound.sentence +=
      StrCat("; next: ", WorkerName(busy[1].second), ", ", Percent(busy[1].first), ".");
  return bound;
}

std::string WaitSentence(WaitCause cause, const std::string& share, int threads) {
  switch (cause) {
    case WaitCause::kTurn:
      return StrCat("The order of work bound this run: threads waited for their turn ", share);
    case WaitCause::kMemory:
      return StrCat("Memory bound this run: threads waited for buffers ", share);
    case WaitCause::kDisk:
      return StrCat("The disk bound this run: threads waited for it ", share);
    case WaitCause::kLock:
      return StrCat("Locks bound this run: threads waited for them ", share);
    case WaitCause::kDevice:
      return StrCat("The GPU bound this run: threads waited for it ", share);
    case WaitCause::kIdle:
      return StrCat("This run had too little work for ", threads,
                    " threads: they had nothing to do ", share);
  }
  return "";
}

}  // namespace

RunBound WhatBound(const RunReport& report, double disk_rate) {
  const PhaseTimes& times = report.times;
  const double all = times.threads * times.wall_seconds;
  if (times.wall_seconds < kMinSecondsForRates) {
    return {.sentence =
                StrCat("The run took ", QuantityText(Quantity::kSeconds, report.run_seconds),
                       ": too short to say what bound it.")};
  }
  if (report.timeline.Seconds() > 0) return BoundOfGpuRun(report, disk_rate);
  RunBound bound{.by = "processor", .share = times.processor_seconds / all};
  if (times.core_seconds / all > bound.share) {
    bound = {.by = "core", .share = times.core_seconds / all};
  }
  for (size_t i = 0; i < kNumWaitCauses; ++i) {
    if (times.wait_seconds[i] / all <= bound.share) continue;
    bound = {.by = std::string(WaitCauseName(static_cast<WaitCause>(i))),
             .share = times.wait_seconds[i] / all};
    bound.sentence = WaitSentence(static_cast<WaitCause>(i),
                                  StrCat(Percent(bound.share), " of their time"), times.threads);
  }
  if (bound.by == "processor") {
    bound.sentence = StrCat("The processors bound this run: ", times.threads,
                            times.threads == 1 ? " thread" : " threads", " computed ",
                            Percent(bound.share), " of the time, and waited for the disk ",
                            Percent(times.wait(WaitCause::kDisk) / all));
  } else if (bound.by == "core") {
    bound.sentence = StrCat("Too few cores bound this run: its threads were ready but had none ",
                            Percent(bound.share), " of the time");
  } else if (bound.by == WaitCauseName(WaitCause::kDisk)) {
    bound.sentence += DiskRateText(report, disk_rate, &bound);
  }
  bound.sentence += ".";
  return bound;
}

}  // namespace edgemill::cli
