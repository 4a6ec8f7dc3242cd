// What a feeder predicts of its batches, and what marks in their streams say.
#include <algorithm>
#include <utility>

#include "engine/transfer/stream/block_feeder.h"

namespace edgemill {

void BlockFeeder::PlanModel() {
  const GpuRunOptions& options = run_.options;
  model_.emplace(options.cost_model, options.calibration, kStateBytes * graph_.num_vertices(),
                 graph_.threads());
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    Side& side = sides_[static_cast<size_t>(direction)];
    if (side.edges == nullptr) continue;
    uint64_t bytes = graph_.store().column(graph_.neighbors(direction)).payload_bytes;
    if (side.with_weights) bytes += graph_.store().column(graph_.weights(direction)).payload_bytes;
    side.group_bytes =
        static_cast<double>(bytes) / static_cast<double>(graph_.num_edges() / kGroupSize + 1);
    const GraphInfo& info = graph_.info();
    const uint64_t most_edges = std::min<uint64_t>(info.block_edges, info.num_edges);
    const uint32_t groups = NumGroups(static_cast<uint32_t>(most_edges));
    side.block = {.num_groups = groups,
                  .bytes = static_cast<uint64_t>(side.group_bytes * groups),
                  .columns = side.with_weights ? 2u : 1u};
    side.bringing = model_->BringingOf(side.block);
    if (options.transfer == Transfer::kAuto && room_bytes_ > 0) {
      side.spent.resize(graph_.num_blocks());
    }
  }
}

StatusOr<BlockFeeder::ResidentLaunch*> BlockFeeder::TimeResident(const BatchWork& work,
                                                                 EdgeKernel kernel) {
  if (num_resident_launches_ == resident_launches_.size()) {
    ResidentLaunch launch;
    ASSIGN_OR_RETURN(launch.begun, GpuEvent::Create(run_.gpu, true));
    ASSIGN_OR_RETURN(launch.done, GpuEvent::Create(run_.gpu, true));
    resident_launches_.push_back(std::move(launch));
  }
  ResidentLaunch& launch = resident_launches_[num_resident_launches_++];
  const bool managed = run_.options.transfer == Transfer::kManaged;
  const Transfer transfer = managed ? Transfer::kManaged : Transfer::kResident;
  launch.transfer = transfer;
  launch.counted = nullptr;
  BatchRecord record{.kernel = kernel, .on_card = true, .stream = num_slots_};
  record.work[static_cast<size_t>(transfer)] = work;
  record.predicted[static_cast<size_t>(transfer)] = model_->Predict(work, transfer, kernel);
  launch.record = record_.Add(record);
  return &launch;
}

Status BlockFeeder::CountLater(const DeviceDirection& edges, ResidentLaunch* launch,
                               GpuStream& main) {
  const size_t number = static_cast<size_t>(launch - resident_launches_.data());
  if (number >= kCountedLaunches) return OkStatus();
  auto* const counts = reinterpret_cast<RunCounts*>(run_counts_.data()) + number;
  launch->counted = counts;
  return main.CopyToHost(counts, edges.run_counts(), sizeof(*counts));
}

void BlockFeeder::Record(BlockSlot& slot, uint32_t number, EdgeKernel kernel) {
  BatchRecord record{.kernel = kernel,
                     .repeated = repeated_,
                     .stream = number,
                     .work = slot.work,
                     .ready = slot.ready,
                     .filling = slot.filling,
                     .filled = slots_->Now(),
                     .host_seconds = slot.fill_seconds / graph_.threads()};
  for (int i = 0; i < kNumTransfers; ++i) {
    if (slot.work[i].blocks == 0) continue;
    record.predicted[i] = model_->Predict(slot.work[i], static_cast<Transfer>(i), kernel);
  }
  slot.record = record_.Add(record);
}

Status BlockFeeder::ReadTimes(const BlockSlot& slot) {
  BatchRecord& record = record_.batch(slot.record);
  ASSIGN_OR_RETURN(record.begun, slot.begun.SecondsSince(origin_));
  ASSIGN_OR_RETURN(record.copied, slot.copied.SecondsSince(origin_));
  ASSIGN_OR_RETURN(record.ended, slot.done.SecondsSince(origin_));
  return OkStatus();
}

StatusOr<TransferAccounts> BlockFeeder::TakeAccounts(Timeline* timeline) {
  TransferAccounts accounts;
  if (num_slots_ == 0) return accounts;
  for (size_t i = 0; i < num_resident_launches_; ++i) {
    const ResidentLaunch& launch = resident_launches_[i];
    BatchRecord& record = record_.batch(launch.record);
    ASSIGN_OR_RETURN(record.begun, launch.begun.SecondsSince(origin_));
    ASSIGN_OR_RETURN(record.ended, launch.done.SecondsSince(origin_));
    record.copied = record.begun;
    if (launch.counted == nullptr) continue;
    const size_t transfer = static_cast<size_t>(launch.transfer);
    record.work[transfer].wanted_groups = launch.counted->groups;
    record.predicted[transfer] =
        model_->Predict(record.work[transfer], launch.transfer, record.kernel);
  }
  num_resident_launches_ = 0;
  for (const BusySpan& read : graph_.reader().TakeBusySpans()) {
    const Stopwatch& clock = slots_->clock();
    // What was read before is no part of the run.
    record_.AddReading(std::max(0.0, clock.SecondsAt(read.begin)), clock.SecondsAt(read.end));
  }
  accounts = record_.Account(&*model_);
  accounts[Transfer::kZeroCopy].bytes += std::exchange(across_bytes_, 0);
  record_.AddTo(timeline);
  record_.Clear();
  return accounts;
}

}  // namespace edgemill
