#include "engine/transfer/stream/pass_timer.h"

#include <algorithm>
#include <utility>

#include "common/check.h"

namespace edgemill {

Status PassTimer::Create() {
  ASSIGN_OR_RETURN(last_origin_, GpuEvent::Create(gpu_, true));
  return OkStatus();
}

Status PassTimer::Start(GpuStream& main) {
  RETURN_IF_ERROR(main.Record(last_origin_));
  RETURN_IF_ERROR(main.Synchronize());
  clock_.Restart();
  return OkStatus();
}

Status PassTimer::BeginPass() {
  record_.Start();
  if (num_passes_ == marks_.size()) {
    PassMarks marks;
    for (GpuEvent* const event : {&marks.ready, &marks.resident_begun, &marks.resident_done}) {
      ASSIGN_OR_RETURN(*event, GpuEvent::Create(gpu_, true));
    }
    marks_.push_back(std::move(marks));
  }
  PassMarks& marks = marks_[num_passes_++];
  marks.has_resident = false;
  return OkStatus();
}

Status PassTimer::BeginResident(uint64_t num_blocks, Transfer transfer, GpuStream& main) {
  CHECK_GT(num_passes_, 0u);
  BatchRecord record{.on_device = true, .stream = num_buffers_};
  record.moved[transfer].blocks = num_blocks;
  PassMarks& marks = marks_[num_passes_ - 1];
  marks.has_resident = true;
  marks.record = record_.Add(record);
  return main.Record(marks.resident_begun);
}

Status PassTimer::EndResident(GpuStream& main) {
  CHECK(num_passes_ > 0 && marks_[num_passes_ - 1].has_resident);
  return main.Record(marks_[num_passes_ - 1].resident_done);
}

void PassTimer::BeginBatch(const StagedBatch& batch, uint32_t number, BatchMarks* marks) {
  CHECK_LT(number, num_buffers_);
  marks->record = record_.Add({.stream = number,
                               .moved = batch.moved,
                               .filling = batch.times.filling,
                               .filled = clock_.seconds(),
                               .host_seconds = batch.times.fill_seconds / threads_});
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

StatusOr<TransferAccounts> PassTimer::DrainAccounts(BlockReader& reader, Timeline* timeline) {
  for (size_t pass = 0; pass < num_passes_; ++pass) RETURN_IF_ERROR(ReadResident(pass));
  RETURN_IF_ERROR(ReadOrigins());
  for (const BusySpan& read : reader.DrainBusySpans()) {
    // Reads before the clock's start do not belong to the run.
    record_.AddReading(std::max(0.0, clock_.SecondsAt(read.begin)), clock_.SecondsAt(read.end));
  }
  const TransferAccounts accounts = record_.Account();
  record_.AddTo(timeline);
  Clear();
  return accounts;
}

}  // namespace edgemill
