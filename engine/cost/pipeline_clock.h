// When batches of a sweep are under way, by the stages that each goes through: what is predicted of
// them together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace edgemill {

/// What a batch takes of each that works for it, in this order.
struct StageSeconds {
  double host = 0;            // threads gathering
  double link = 0;            // copies
  double gpu = 0;             // kernels, as far as others' wait for them
  double wait = 0;            // for the last of them, while others' are at work
  bool reads_across = false;  // the kernels use the link too

  double total() const { return host + link + gpu + wait; }
  void Add(const StageSeconds& other);
};

/// Where a batch's edges are: what their kernels wait for.
enum class SpanKind : uint8_t { kOnCard, kAcross, kCopied };
inline constexpr size_t kNumSpanKinds = 3;

/// From when to when something is under way.
struct TimeSpan {
  double begin = 0;
  double end = 0;
  SpanKind kind = SpanKind::kOnCard;
};

/// What of the time falls to each span: where several overlap, equal parts to each kind, and of
/// those equal ones to each of the kind. But nothing to what is on the card while others read
/// across the link: it rests then.
std::vector<double> SharedSeconds(std::span<const TimeSpan> spans);

/// How long any of `rising`, in the order in which they begin, is under way during `span`.
double SecondsWithin(const TimeSpan& span, std::span<const TimeSpan> rising);
/// How long any of `spans` reads across the link during `span`.
double SecondsOfPauses(const TimeSpan& span, std::span<const TimeSpan> spans);
/// When work ends that takes `work` without its pauses, and rests while any of `spans` reads across
/// the link: launches over what is on the card, whose streams give way to those of batches. Warps
/// that wait for the link have the multiprocessors meanwhile.
double EndWithPauses(const TimeSpan& work, std::span<const TimeSpan> spans);

/// When a batch is under way, and its kernels.
struct BatchTimes {
  TimeSpan batch;
  TimeSpan kernels;
};

/// When batches end that go through the same stages one after the other, `slots` of them under way
/// at a time. Kernels that read across the link wait for it, beside others that are at work.
class PipelineClock {
 public:
  explicit PipelineClock(uint32_t slots) : slot_ends_(slots, 0.0) {}
  /// The next batch, which there was nothing to do for before `ready`. Without `takes_slot` it
  /// waits for none.
  BatchTimes Add(const StageSeconds& batch, bool takes_slot = true, double ready = 0);
  /// Seconds from the start to the end of what was added.
  double end() const { return end_; }

 private:
  std::vector<double> slot_ends_;
  size_t next_slot_ = 0;
  double host_free_ = 0;
  double link_free_ = 0;
  double gpu_free_ = 0;
  double end_ = 0;
};

}  // namespace edgemill
