// The times at which each part of a run on a GPU worked: disks, threads, copies and kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace edgemill {

/// The part that works.
enum class Worker : uint8_t {
  kDisk,
  kHost,  // threads that gather or copy blocks into a staging buffer
  kCopy,  // to the GPU
  kKernel,
};
inline constexpr int kNumWorkers = 4;
/// "disk", "host", "copy", "kernel".
std::string_view WorkerName(Worker worker);

/// One period of work, in seconds since the run's set-up.
struct TimelineSpan {
  Worker worker = Worker::kDisk;
  uint32_t lane = 0;  // of the staging buffer; kernels over resident blocks have the last lane
  double begin = 0;
  double end = 0;
};

/// The first kMaxSpans spans of a run, in any order. Not thread-safe.
class Timeline {
 public:
  static constexpr size_t kMaxSpans = 4000;

  /// Empty spans are left out.
  void Add(const TimelineSpan& span);
  const std::vector<TimelineSpan>& spans() const { return spans_; }
  uint64_t left_out() const { return left_out_; }
  /// The seconds in which at least one span of `worker` was under way. Where the sum over all
  /// workers exceeds Seconds(), their work overlapped.
  double BusySeconds(Worker worker) const;
  /// The seconds from the begin of the first span to the end of the last one.
  double Seconds() const;

 private:
  std::vector<TimelineSpan> spans_;
  uint64_t left_out_ = 0;
};

}  // namespace edgemill
