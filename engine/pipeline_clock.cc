#include "engine/pipeline_clock.h"

#include <algorithm>

namespace edgemill {

void StageSeconds::Add(const StageSeconds& other) {
  host += other.host;
  link += other.link;
  gpu += other.gpu;
  wait += other.wait;
  reads_across |= other.reads_across;
}

BatchTimes PipelineClock::Add(const StageSeconds& batch, bool takes_slot) {
  const double slot_free = takes_slot ? slot_ends_[next_slot_] : 0;
  const double begin = std::max(host_free_, slot_free);
  const double host_end = begin + batch.host;
  const double copied = std::max(host_end, link_free_) + batch.link;
  const double kernels = std::max(copied, gpu_free_);
  gpu_free_ = kernels + batch.gpu;
  const double ended = gpu_free_ + batch.wait;
  host_free_ = host_end;
  link_free_ = batch.reads_across ? gpu_free_ : copied;
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
  double time = 0;
  for (const Event& event : events) {
    const double share =
        under_way.empty() ? 0 : (event.time - time) / static_cast<double>(under_way.size());
    for (const size_t span : under_way) seconds[span] += share;
    time = event.time;
    if (event.begins) {
      under_way.push_back(event.span);
    } else {
      under_way.erase(std::find(under_way.begin(), under_way.end(), event.span));
    }
  }
  return seconds;
}

}  // namespace edgemill
