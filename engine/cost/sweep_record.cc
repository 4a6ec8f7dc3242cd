#include "engine/cost/sweep_record.h"

#include <algorithm>
#include <limits>

namespace edgemill {
namespace {

/// Kernels over fewer groups say something about launches, not about rates.
constexpr uint64_t kTellingGroups = 4096;
/// Less than that says something about starting threads, not about what they reach.
constexpr uint64_t kTellingHostBytes = uint64_t{1} << 20;

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

/// What the host's threads were predicted to take in a sweep, and took.
class HostTimes {
 public:
  void Add(const BatchRecord& batch, const StageSeconds& stages, uint32_t slots) {
    for (const BatchWork& work : batch.work) bytes_ += work.host_bytes;
    predicted_ += stages.host;
    busy_ += batch.host_seconds;
    others_ += stages.link + stages.gpu + stages.wait / slots;
    if (batch.work[static_cast<size_t>(Transfer::kCompaction)].blocks == 0) return;
    begun_ = std::min(begun_, batch.filling);
    ended_ = std::max(ended_, batch.filled);
  }
  /// `reading`: from when to when the disk was.
  void Tell(std::span<const TimeSpan> reading, CostModel* model) const {
    if (bytes_ < kTellingHostBytes) return;
    // Where gathering took longer than all else together, the disk among it, it was what the sweep
    // waited for: finding blocks and handing them over too.
    const double gathering =
        std::max(0.0, ended_ - begun_) - SecondsWithin({begun_, ended_}, reading);
    model->ObserveHost(predicted_, gathering > others_ ? std::max(gathering, busy_) : busy_);
  }

 private:
  uint64_t bytes_ = 0;
  double predicted_ = 0;
  double busy_ = 0;    // by the number of threads
  double others_ = 0;  // as predicted: link and kernels, one after the other
  double begun_ = std::numeric_limits<double>::infinity();
  double ended_ = 0;
};

}  // namespace

StageSeconds BatchRecord::stages() const {
  StageSeconds all;
  for (const StageSeconds& of_engine : predicted) all.Add(of_engine);
  return all;
}

void SweepRecord::SpanPairs::Add(const TimeSpan& predicted_span, const TimeSpan& measured_span) {
  predicted.push_back(predicted_span);
  measured.push_back(measured_span);
}

void SweepRecord::SpanPairs::Share() {
  predicted_seconds = SharedSeconds(predicted);
  measured_seconds = SharedSeconds(measured);
}

size_t SweepRecord::Start(uint32_t slots, double begin) {
  sweeps_.push_back({batches_.size(), std::max(slots, uint32_t{1}), begin});
  return sweeps_.size() - 1;
}

size_t SweepRecord::Add(const BatchRecord& batch) {
  batches_.push_back(batch);
  return batches_.size() - 1;
}

void SweepRecord::Clear() {
  sweeps_.clear();
  batches_.clear();
  reading_.clear();
}

SweepRecord::SweepSpans SweepRecord::SpansOf(const Sweep& sweep, size_t end) const {
  PipelineClock clock(sweep.slots);
  SweepSpans spans;
  for (size_t i = sweep.first; i < end; ++i) {
    const BatchRecord& batch = batches_[i];
    const StageSeconds stages = batch.stages();
    // What disk and checks take is no engine's.
    const double ready = batch.ready > 0 ? batch.ready - batch.host_seconds - sweep.begin : 0;
    const BatchTimes times = clock.Add(stages, !batch.on_card, ready);
    const SpanKind kind = batch.on_card         ? SpanKind::kOnCard
                          : stages.reads_across ? SpanKind::kAcross
                                                : SpanKind::kCopied;
    // The clock has kernels that read across wait for copies: they are at work from then on.
    const double begin =
        stages.reads_across ? times.kernels.begin - stages.link - stages.host : times.batch.begin;
    const TimeSpan predicted{begin, times.batch.end, kind};
    const TimeSpan measured{batch.begun - batch.host_seconds, batch.ended, kind};
    spans.batches.Add(predicted, measured);
    if (stages.reads_across) spans.across.Add(times.kernels, {batch.copied, batch.ended});
  }
  for (TimeSpan& span : spans.batches.predicted) {
    if (span.kind == SpanKind::kOnCard) span.end = EndWithPauses(span, spans.batches.predicted);
  }
  spans.batches.Share();
  spans.across.Share();
  return spans;
}

void SweepRecord::AccountSweep(const Sweep& sweep, size_t end, CostModel* model,
                               TransferAccounts* accounts) const {
  const SweepSpans spans = SpansOf(sweep, end);
  HostTimes host;
  KernelTimes kernels;
  size_t num_across = 0;
  double resident_end = 0;  // of the loop over what is there for good
  double last_end = 0;      // of those over batches that came
  for (size_t i = 0; i < spans.batches.predicted.size(); ++i) {
    const BatchRecord& batch = batches_[sweep.first + i];
    const StageSeconds stages = batch.stages();
    if (!batch.on_card) host.Add(batch, stages, sweep.slots);
    uint64_t wanted_groups = 0;
    int num_engines = 0;
    for (const BatchWork& work : batch.work) num_engines += work.blocks > 0;
    for (int t = 0; t < kNumTransfers; ++t) {
      const BatchWork& work = batch.work[t];
      if (work.blocks == 0) continue;
      wanted_groups += work.wanted_groups;
      const double share =
          stages.total() > 0 ? batch.predicted[t].total() / stages.total() : 1.0 / num_engines;
      accounts->engines[t].Add(
          {work.blocks, work.moved_bytes, share * spans.batches.measured_seconds[i]});
    }
    const bool small = wanted_groups < kTellingGroups;
    if (stages.reads_across) {
      kernels.Add(batch.kernel, KernelPlace::kAcross, small,
                  spans.across.predicted_seconds[num_across],
                  spans.across.measured_seconds[num_across]);
      ++num_across;
      continue;
    }
    // One after the other. Beside a loop over what is there for good others wait: what is left of
    // them then says nothing. Loops across have it rest.
    const double begun = batch.on_card ? batch.copied : std::max(batch.copied, last_end);
    const double seconds = batch.ended - begun;
    const double rested =
        batch.on_card ? SecondsOfPauses({begun, batch.ended}, spans.batches.measured) : 0;
    // It does not rest at once: of one that did for most of its time, too little is left to tell.
    const bool tells =
        batch.on_card ? rested <= seconds / 2 : !batch.repeated && batch.copied >= resident_end;
    if (tells && seconds > 0) {
      kernels.Add(batch.kernel, batch.on_card ? KernelPlace::kResident : KernelPlace::kBatch, small,
                  stages.gpu + stages.wait, seconds - rested);
    }
    double& end_of_kind = batch.on_card ? resident_end : last_end;
    end_of_kind = std::max(end_of_kind, batch.ended);
  }
  host.Tell(reading_, model);
  kernels.Tell(model);
}

void SweepRecord::AddTo(Timeline* timeline) const {
  for (const TimeSpan& read : reading_) timeline->Add({Worker::kDisk, 0, read.begin, read.end});
  for (size_t pass = 0; pass < sweeps_.size(); ++pass) {
    const double origin = sweeps_[pass].origin;
    for (size_t i = sweeps_[pass].first; i < EndOf(pass); ++i) {
      const BatchRecord& batch = batches_[i];
      if (batch.host_seconds > 0) {
        timeline->Add({Worker::kHost, batch.stream, batch.filling, batch.filled});
      }
      const double copied = origin + batch.copied;
      timeline->Add({Worker::kCopy, batch.stream, origin + batch.begun, copied});
      timeline->Add({Worker::kKernel, batch.stream, copied, origin + batch.ended});
    }
  }
}

TransferAccounts SweepRecord::Account(CostModel* model) const {
  TransferAccounts accounts;
  for (size_t pass = 0; pass < sweeps_.size(); ++pass) {
    AccountSweep(sweeps_[pass], EndOf(pass), model, &accounts);
  }
  return accounts;
}

}  // namespace edgemill
