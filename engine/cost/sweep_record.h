// What a run's sweeps over edges were predicted to take on a GPU, and took: by batch, and added up
// by transfer engine.
//
// Batches overlap, so a batch's own time says little. What is predicted and measured alike is its
// share of the time: where several are under way, those read across the link, or those on the card,
// and those copied have equal parts (SharedSeconds). These add up to the time in which the GPU or
// the link was at work.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/cost/cost_model.h"
#include "engine/report/timeline.h"
#include "engine/report/transfer.h"

namespace edgemill {

/// One batch. Times of the host are seconds since the run's set-up. Those on the card are seconds
/// since the origin of the batch's pass: CUDA tells them as `float` milliseconds, which an hour
/// after their origin are a quarter of a second apart.
struct BatchRecord {
  EdgeKernel kernel = EdgeKernel::kPush;
  bool on_card = false;   // already: visited at once, in no slot
  bool repeated = false;  // asynchronous: its kernels pass over it several times
  uint32_t stream = 0;
  std::array<BatchWork, kNumTransfers> work{};
  std::array<StageSeconds, kNumTransfers> predicted{};
  double ready = 0;         // the reader had filled it; 0: it brought none
  double filling = 0;       // the host began to gather it
  double filled = 0;        // and had it queued
  double begun = 0;         // on the card: copies
  double copied = 0;        // likewise; kernels follow
  double ended = 0;         // likewise: kernels
  double host_seconds = 0;  // of all threads that gathered, by their number

  /// Of all its engines together.
  StageSeconds stages() const;
};

/// The batches since the last account. Not thread-safe.
class SweepRecord {
 public:
  /// A pass starts, with so many staging buffers, so many seconds after the run's set-up. Returns
  /// its number.
  size_t Start(uint32_t slots, double begin);
  /// The origin of pass number `pass` turned out to be so many seconds after the run's set-up.
  void SetOrigin(size_t pass, double seconds) { sweeps_[pass].origin = seconds; }
  /// Adds a batch in the order in which kernels were queued; returns its number.
  size_t Add(const BatchRecord& batch);
  BatchRecord& batch(size_t number) { return batches_[number]; }
  const std::vector<BatchRecord>& batches() const { return batches_; }
  /// The disk was read from `begin` to `end`, after what was added before.
  void AddReading(double begin, double end) { reading_.push_back({begin, end}); }

  /// The accounts of what was added, all of whose times must be known. `model` learns from them.
  TransferAccounts Account(CostModel* model) const;
  /// Adds what the disk, the host, copies and kernels did to `timeline`.
  void AddTo(Timeline* timeline) const;
  void Clear();

 private:
  struct Sweep {
    size_t first = 0;
    uint32_t slots = 1;
    double begin = 0;   // by the host's clock
    double origin = 0;  // of times on the card
  };

  /// Spans as predicted and as measured, and what of the time falls to each.
  struct SpanPairs {
    std::vector<TimeSpan> predicted, measured;
    std::vector<double> predicted_seconds, measured_seconds;

    void Add(const TimeSpan& predicted_span, const TimeSpan& measured_span);
    void Share();
  };
  /// A sweep's.
  struct SweepSpans {
    SpanPairs batches;
    SpanPairs across;  // of their kernels, which share the link
  };

  /// The number of the batch after the last of pass number `pass`.
  size_t EndOf(size_t pass) const {
    return pass + 1 < sweeps_.size() ? sweeps_[pass + 1].first : batches_.size();
  }
  SweepSpans SpansOf(const Sweep& sweep, size_t end) const;
  void AccountSweep(const Sweep& sweep, size_t end, CostModel* model,
                    TransferAccounts* accounts) const;

  std::vector<Sweep> sweeps_;
  std::vector<BatchRecord> batches_;
  std::vector<TimeSpan> reading_;
};

}  // namespace edgemill
