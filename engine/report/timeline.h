// When each part worked in a run on a GPU: disks, the host's threads, copies, kernels.
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

/// One stretch of work, in seconds since the run's set-up.
struct TimelineSpan {
  Worker worker = Worker::kDisk;
  uint32_t lane = 0;  // the staging buffer's; kernels over resident blocks have the last
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
  /// Seconds in which at least one span of `worker` goes on. Where the sum over workers exceeds the
  /// time from the first span to the last, work overlapped.
  double BusySeconds(Worker worker) const;
  /// From the first span's begin to the last one's end.
  double Seconds() const;

 private:
  std::vector<TimelineSpan> spans_;
  uint64_t left_out_ = 0;
};

}  // namespace edgemill
