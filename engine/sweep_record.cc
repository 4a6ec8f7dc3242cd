#include "engine/sweep_record.h"

#include <algorithm>

namespace edgemill {
namespace {

/// Kernels over fewer groups say something about launches, not about rates.
constexpr uint64_t kTellingGroups = 4096;

/// What a sweep's kernels of each kind were predicted to take, and took.
class KernelTimes {
 public:
  void Add(EdgeKernel kernel, KernelPlace place, bool small, double predicted, double measured) {
    Times& times = times_[static_cast<size_t>(kernel)][static_cast<size_t>(place)][small];
    times.predicted += predicted;
    times.measured += measured;
  }
  void Tell(CostModel* model) const {
    for (int kernel = 0; kernel < kNumEdgeKernels; ++kernel) {
      for (int place = 0; place < kNumKernelPlaces; ++place) {
        for (const bool small : {false, true}) {
          const Times& times = times_[kernel][place][small];
          model->Observe(static_cast<EdgeKernel>(kernel), static_cast<KernelPlace>(place), small,
                         times.predicted, times.measured);
        }
      }
    }
  }

 private:
  struct Times {
    double predicted = 0;
    double measured = 0;
  };
  std::array<std::array<std::array<Times, 2>, kNumKernelPlaces>, kNumEdgeKernels> times_{};
};

}  // namespace

void SweepRecord::Start(uint32_t slots) {
  sweeps_.push_back({batches_.size(), std::max(slots, uint32_t{1})});
}

size_t SweepRecord::Add(const BatchRecord& batch) {
  batches_.push_back(batch);
  return batches_.size() - 1;
}

void SweepRecord::Clear() {
  sweeps_.clear();
  batches_.clear();
}

void SweepRecord::AccountSweep(const Sweep& sweep, size_t end, CostModel* model,
                               TransferAccounts* accounts) const {
  PipelineClock clock(sweep.slots);
  KernelTimes kernels;
  double last_end = 0;
  for (size_t i = sweep.first; i < end; ++i) {
    const BatchRecord& batch = batches_[i];
    StageSeconds stages;
    uint64_t wanted_groups = 0;
    uint32_t num_engines = 0;
    for (int t = 0; t < kNumTransfers; ++t) {
      stages.Add(batch.predicted[t]);
      wanted_groups += batch.work[t].wanted_groups;
      num_engines += batch.work[t].blocks > 0;
    }
    const double predicted = clock.Add(stages, !batch.on_card);
    const double begun = batch.begun - batch.host_seconds;
    const double measured = std::max(0.0, batch.ended - std::max(begun, last_end));
    for (int t = 0; t < kNumTransfers; ++t) {
      const BatchWork& work = batch.work[t];
      const double share =
          stages.total() > 0 ? batch.predicted[t].total() / stages.total() : 1.0 / num_engines;
      if (work.blocks == 0) continue;
      accounts->engines[t].Add(
          {work.blocks, work.moved_bytes, share * predicted, share * measured});
    }
    const double kernel_seconds = batch.ended - std::max(batch.copied, last_end);
    if (num_engines == 1 && kernel_seconds > 0) {
      const KernelPlace place = batch.on_card         ? KernelPlace::kResident
                                : stages.reads_across ? KernelPlace::kAcross
                                                      : KernelPlace::kBatch;
      kernels.Add(batch.kernel, place, wanted_groups < kTellingGroups, stages.gpu, kernel_seconds);
    }
    last_end = std::max(last_end, batch.ended);
  }
  kernels.Tell(model);
}

void SweepRecord::AddTo(Timeline* timeline) const {
  for (const BatchRecord& batch : batches_) {
    if (batch.host_seconds > 0) {
      timeline->Add({Worker::kHost, batch.stream, batch.filling, batch.filled});
    }
    timeline->Add({Worker::kCopy, batch.stream, batch.begun, batch.copied});
    timeline->Add({Worker::kKernel, batch.stream, batch.copied, batch.ended});
  }
}

TransferAccounts SweepRecord::Account(CostModel* model) const {
  TransferAccounts accounts;
  for (size_t i = 0; i < sweeps_.size(); ++i) {
    const size_t end = i + 1 < sweeps_.size() ? sweeps_[i + 1].first : batches_.size();
    AccountSweep(sweeps_[i], end, model, &accounts);
  }
  return accounts;
}

}  // namespace edgemill
