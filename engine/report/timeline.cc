#include "engine/report/timeline.h"

#include <algorithm>
#include <utility>

#include "common/check.h"

namespace edgemill {

std::string_view WorkerName(Worker worker) {
  switch (worker) {
    case Worker::kDisk:
      return "disk";
    case Worker::kHost:
      return "host";
    case Worker::kCopy:
      return "copy";
    case Worker::kKernel:
      return "kernel";
  }
  return "unknown";
}

void Timeline::Add(const TimelineSpan& span) {
  CHECK_LT(static_cast<int>(span.worker), kNumWorkers);
  if (!(span.end > span.begin)) return;
  if (spans_.size() < kMaxSpans) {
    spans_.push_back(span);
  } else {
    ++left_out_;
  }
}

double Timeline::BusySeconds(Worker worker) const {
  std::vector<std::pair<double, double>> times;
  for (const TimelineSpan& span : spans_) {
    if (span.worker == worker) times.emplace_back(span.begin, span.end);
  }
  std::sort(times.begin(), times.end());
  double busy = 0;
  double reached = 0;
  for (const auto& [begin, end] : times) {
    const double from = busy == 0 ? begin : std::max(begin, reached);
    if (end > from) busy += end - from;
    reached = std::max(reached, end);
  }
  return busy;
}

double Timeline::Seconds() const {
  if (spans_.empty()) return 0;
  double first = spans_.front().begin;
  double last = spans_.front().end;
  for (const TimelineSpan& span : spans_) {
    first = std::min(first, span.begin);
    last = std::max(last, span.end);
  }
  return last - first;
}

}  // namespace edgemill
