#include "engine/cost/shared_seconds.h"

#include <algorithm>
#include <array>

#include "common/check.h"

namespace edgemill {

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
      return kind == static_cast<size_t>(SpanKind::kOnGpu) &&
             of_kind[static_cast<size_t>(SpanKind::kZeroCopied)] > 0;
    };
    size_t kinds = 0;
    for (size_t kind = 0; kind < kNumSpanKinds; ++kind) kinds += of_kind[kind] > 0 && !rests(kind);
    CHECK(under_way.empty() || kinds > 0);
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
      const auto ended = std::find(under_way.begin(), under_way.end(), event.span);
      CHECK(ended != under_way.end());  // a span begins before it ends
      under_way.erase(ended);
      --count(event.span);
    }
  }
  return seconds;
}

}  // namespace edgemill
