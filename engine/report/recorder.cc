#include "engine/report/recorder.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "common/check.h"

namespace edgemill {

namespace {

/// Adds `sign` times the counters of `other` to `report`.
void AddCounters(const IterationReport& other, double sign, IterationReport* report) {
  const auto scaled = [sign](uint64_t count) { return sign < 0 ? uint64_t{0} - count : count; };
  report->blocks_read += scaled(other.blocks_read);
  report->cache_hits += scaled(other.cache_hits);
  report->bytes_read += scaled(other.bytes_read);
  report->wait_seconds += sign * other.wait_seconds;
  report->idle_seconds += sign * other.idle_seconds;
  report->check_seconds += sign * other.check_seconds;
  report->decompress_seconds += sign * other.decompress_seconds;
  report->compute_seconds += sign * other.compute_seconds;
}

}  // namespace

IterationReport Recorder::Counters() const {
  const BlockReaderStats& stats = graph_.reader().stats();
  IterationReport counters;
  counters.blocks_read = stats.blocks_read;
  counters.cache_hits = stats.cache_hits;
  counters.bytes_read = stats.bytes_read;
  counters.wait_seconds = 1e-9 * static_cast<double>(stats.wait_ns);
  counters.idle_seconds = 1e-9 * static_cast<double>(stats.idle_ns);
  counters.check_seconds = 1e-9 * static_cast<double>(stats.check_ns);
  counters.decompress_seconds = 1e-9 * static_cast<double>(stats.decompress_ns);
  counters.compute_seconds = 1e-9 * static_cast<double>(graph_.blocks().compute_ns());
  return counters;
}

void Recorder::Begin(Mode mode) {
  watch_.Restart();
  timer_.reset();
  timer_.emplace(graph_.threads());
  start_ = Counters();
  current_ = IterationReport{.mode = mode};
}

void Recorder::Start(Mode mode, uint64_t active_vertices, EdgeIndex active_edges) {
  graph_.progress().StartIteration(num_iterations_ + 1);
  const bool is_small = iterations_.size() >= kMaxSmall && active_edges < kSmallEdges;
  if (!is_small) Flush();
  if (num_small_ == 0) Begin(mode);
  if (is_small) ++num_small_;
  current_.mode = mode;
  current_.active_vertices += active_vertices;
  current_.active_edges += active_edges;
}

void Recorder::Finish(uint64_t iterations) {
  num_iterations_ += iterations;
  if (num_small_ == 0) End(iterations);
}

void Recorder::AddStep(const char* name, double seconds) {
  auto step = std::find_if(steps_.begin(), steps_.end(), [&](const StepReport& known) {
    return std::string_view(known.name) == name;
  });
  if (step == steps_.end()) step = steps_.insert(step, StepReport{.name = name});
  ++step->times;
  step->seconds += seconds;
}

void Recorder::Flush() {
  if (num_small_ > 0) End(std::exchange(num_small_, 0));
}

void Recorder::End(uint64_t iterations) {
  CHECK(timer_.has_value());  // after Start
  AddCounters(Counters(), 1, &current_);
  AddCounters(start_, -1, &current_);
  current_.seconds = watch_.seconds();
  current_.times = timer_->Times();
  timer_.reset();
  current_.iterations = iterations;
  if (iterations_.size() < kMaxIterations) {
    iterations_.push_back(current_);
    return;
  }
  IterationReport& last = iterations_.back();
  AddCounters(current_, 1, &last);
  last.seconds += current_.seconds;
  last.times.Add(current_.times);
  last.iterations += current_.iterations;
  last.edges += current_.edges;
  last.blocks += current_.blocks;
  last.transfers.Add(current_.transfers);
  last.cpu_blocks += current_.cpu_blocks;
  last.exchanged_bytes += current_.exchanged_bytes;
  last.repeated_vertices += current_.repeated_vertices;
  last.blocks_repeated += current_.blocks_repeated;
  last.active_vertices += current_.active_vertices;
  last.active_edges += current_.active_edges;
}

}  // namespace edgemill
