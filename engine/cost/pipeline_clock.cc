#include "engine/cost/pipeline_clock.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace edgemill {
namespace {

/// Those of `spans` that read across the link, in the order in which they begin.
std::vector<TimeSpan> PausesIn(std::span<const TimeSpan> spans) {
  std::vector<TimeSpan> rising;
  std::copy_if(spans.begin(), spans.end(), std::back_inserter(rising),
               [](const TimeSpan& span) { return span.kind == SpanKind::kAcross; });
  std::sort(rising.begin(), rising.end(),
            [](const TimeSpan& a, const TimeSpan& b) { return a.begin < b.begin; });
  return rising;
}

}  // namespace

void StageSeconds::Add(const StageSeconds& other) {
  host += other.host;
  link += other.link;
  gpu += other.gpu;
  wait += other.wait;
  reads_across |= other.reads_across;
}

BatchTimes PipelineClock::Add(const StageSeconds& batch, bool takes_slot, double ready) {
  const double slot_free = takes_slot ? slot_ends_[next_slot_] : 0;
  const double begin = std::max({host_free_, slot_free, ready});
  const double host_end = begin + batch.host;
  const double copied = std::max(host_end, link_free_) + batch.link;
  const double kernels = batch.reads_across ? copied : std::max(copied, gpu_free_);
  const double free = kernels + batch.gpu;
  const double ended = free + batch.wait;
  host_free_ = host_end;
  link_free_ = batch.reads_across ? free : copied;
  if (!batch.reads_across) gpu_free_ = free;
  if (takes_slot) {
    slot_ends_[next_slot_] = ended;
    next_slot_ = (next_slot_ + 1) % slot_ends_.size();
  }
  end_ = std::max(end_, ended);
  return {{begin, ended}, {kernels, ended}};
}

std::vector<double> SharedSeconds(std::span<const TimeSpan> spans) {
  struct Event {
    double time;
    size_t span;
    bool begins;
  };
  std::vector<Event> events;
  for (size_t i = 0; i < spans.size(); ++i) {
    if (!(spans[i].begin < spans[i].end)) continue;
    events.push_back({spans[i].begin, i, true});
    events.push_back({spans[i].end, i, false});
  }
  std::sort(events.begin(), events.end(),
            [](const Event& a, const Event& b) { return a.time < b.time; });
  std::vector<double> seconds(spans.size());
  std::vector<size_t> under_way;
  std::array<size_t, kNumSpanKinds> of_kind{};
  const auto count = [&](size_t span) -> size_t& {
    return of_kind[static_cast<size_t>(spans[span].kind)];
  };
  double time = 0;
  for (const Event& event : events) {
    const auto rests = [&](size_t kind) {
      return kind == static_cast<size_t>(SpanKind::kOnCard) &&
             of_kind[static_cast<size_t>(SpanKind::kAcross)] > 0;
    };
    size_t kinds = 0;
    for (size_t kind = 0; kind < kNumSpanKinds; ++kind) kinds += of_kind[kind] > 0 && !rests(kind);
    for (const size_t span : under_way) {
      if (rests(static_cast<size_t>(spans[span].kind))) continue;
      seconds[span] +=
          (event.time - time) / static_cast<double>(kinds) / static_cast<double>(count(span));
    }
    time = event.time;
    if (event.begins) {
      under_way.push_back(event.span);
      ++count(event.span);
    } else {
      under_way.erase(std::find(under_way.begin(), under_way.end(), event.span));
      --count(event.span);
    }
  }
  return seconds;
}

double SecondsWithin(const TimeSpan& span, std::span<const TimeSpan> rising) {
  double seconds = 0;
  double counted = span.begin;
  for (const TimeSpan& other : rising) {
    const double end = std::min(span.end, other.end);
    seconds += std::max(0.0, end - std::max(counted, other.begin));
    counted = std::max(counted, end);
  }
  return seconds;
}

double SecondsOfPauses(const TimeSpan& span, std::span<const TimeSpan> spans) {
  return SecondsWithin(span, PausesIn(spans));
}

double EndWithPauses(const TimeSpan& work, std::span<const TimeSpan> spans) {
  double end = work.end;
  double counted = work.begin;
  for (const TimeSpan& other : PausesIn(spans)) {
    if (other.begin >= end) break;
    end += std::max(0.0, other.end - std::max(counted, other.begin));
    counted = std::max(counted, other.end);
  }
  return end;
}

}  // namespace edgemill
