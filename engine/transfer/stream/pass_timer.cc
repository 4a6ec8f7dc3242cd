#include "engine/transfer/stream/pass_timer.h"

#include <algorithm>
#include <utility>

namespace edgemill {

Status PassTimer::Create() {
  ASSIGN_OR_RETURN(counts_, PinnedBuffer::Allocate(gpu_, kCountedPasses * sizeof(RunCounts), 1));
  ASSIGN_OR_RETURN(last_origin_, GpuEvent::Create(gpu_, true));
  return OkStatus();
}

Status PassTimer::Start(GpuStream& main) {
  RETURN_IF_ERROR(main.Record(last_origin_));
  RETURN_IF_ERROR(main.Synchronize());
  clock_.Restart();
  return OkStatus();
}

Status PassTimer::BeginPass(bool repeated) {
  record_.Start(num_buffers_, clock_.seconds());
  repeated_ = repeated;
  if (num_passes_ == marks_.size()) {
    PassMarks marks;
    for (GpuEvent* const event : {&marks.ready, &marks.resident_begun, &marks.resident_done}) {
      ASSIGN_OR_RETURN(*event, GpuEvent::Create(gpu_, true));
    }
    marks_.push_back(std::move(marks));
  }
  PassMarks& marks = marks_[num_passes_++];
  marks.has_resident = marks.is_counted = false;
  return OkStatus();
}

Status PassTimer::BeginResident(const BatchWork& work, Transfer transfer, EdgeKernel kernel,
                                GpuStream& main) {
  BatchRecord record{.kernel = kernel, .on_card = true, .stream = num_buffers_};
  record.work[static_cast<size_t>(transfer)] = work;
  record.predicted[static_cast<size_t>(transfer)] = model_.Predict(work, transfer, kernel);
  PassMarks& marks = marks_[num_passes_ - 1];
  marks.has_resident = true;
  marks.transfer = transfer;
  marks.record = record_.Add(record);
  return main.Record(marks.resident_begun);
}

Status PassTimer::EndResident(const RunCounts* on_card, GpuStream& main) {
  PassMarks& marks = marks_[num_passes_ - 1];
  RETURN_IF_ERROR(main.Record(marks.resident_done));
  if (on_card == nullptr || num_passes_ > kCountedPasses) return OkStatus();
  marks.is_counted = true;
  return main.CopyToHost(counts(num_passes_ - 1), on_card, sizeof(*on_card));
}

void PassTimer::BeginBatch(const StagedBatch& batch, uint32_t number, EdgeKernel kernel,
                           BatchMarks* marks) {
  BatchRecord record{.kernel = kernel,
                     .repeated = repeated_,
                     .stream = number,
                     .work = batch.work,
                     .ready = batch.times.ready,
                     .filling = batch.times.filling,
                     .filled = clock_.seconds(),
                     .host_seconds = batch.times.fill_seconds / threads_};
  for (int i = 0; i < kNumTransfers; ++i) {
    if (batch.work[i].blocks == 0) continue;
    record.predicted[i] = model_.Predict(batch.work[i], static_cast<Transfer>(i), kernel);
  }
  marks->record = record_.Add(record);
}

Status PassTimer::EndBatch(const BatchMarks& marks) {
  BatchRecord& record = record_.batch(marks.record);
  ASSIGN_OR_RETURN(record.begun, marks.begun.SecondsSince(ready()));
  ASSIGN_OR_RETURN(record.copied, marks.copied.SecondsSince(ready()));
  ASSIGN_OR_RETURN(record.ended, marks.done.SecondsSince(ready()));
  return OkStatus();
}

void PassTimer::Clear() {
  record_.Clear();
  num_passes_ = 0;
}

Status PassTimer::ReadResident(size_t pass) {
  const PassMarks& marks = marks_[pass];
  if (!marks.has_resident) return OkStatus();
  BatchRecord& record = record_.batch(marks.record);
  ASSIGN_OR_RETURN(record.begun, marks.resident_begun.SecondsSince(marks.ready));
  ASSIGN_OR_RETURN(record.ended, marks.resident_done.SecondsSince(marks.ready));
  record.copied = record.begun;
  if (!marks.is_counted) return OkStatus();
  const size_t transfer = static_cast<size_t>(marks.transfer);
  record.work[transfer].wanted_groups = counts(pass)->groups;
  record.predicted[transfer] = model_.Predict(record.work[transfer], marks.transfer, record.kernel);
  return OkStatus();
}

Status PassTimer::ReadOrigins() {
  for (size_t pass = 0; pass < num_passes_; ++pass) {
    const GpuEvent& before = pass == 0 ? last_origin_ : marks_[pass - 1].ready;
    ASSIGN_OR_RETURN(const double since, marks_[pass].ready.SecondsSince(before));
    last_origin_seconds_ += since;
    record_.SetOrigin(pass, last_origin_seconds_);
  }
  if (num_passes_ > 0) std::swap(last_origin_, marks_[num_passes_ - 1].ready);
  return OkStatus();
}

StatusOr<TransferAccounts> PassTimer::TakeAccounts(BlockReader& reader, Timeline* timeline) {
  for (size_t pass = 0; pass < num_passes_; ++pass) RETURN_IF_ERROR(ReadResident(pass));
  RETURN_IF_ERROR(ReadOrigins());
  for (const BusySpan& read : reader.TakeBusySpans()) {
    // What was read before is no part of the run.
    record_.AddReading(std::max(0.0, clock_.SecondsAt(read.begin)), clock_.SecondsAt(read.end));
  }
  const TransferAccounts accounts = record_.Account(&model_);
  record_.AddTo(timeline);
  Clear();
  return accounts;
}

}  // namespace edgemill
