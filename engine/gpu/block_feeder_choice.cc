// How a feeder's blocks get to the card, and which of them stay there.
#include <algorithm>

#include "engine/gpu/block_feeder.h"
#include "engine/gpu_choice.h"

namespace edgemill {

BlockSituation BlockFeeder::SituationOf(const Side& side, uint64_t block,
                                        uint32_t wanted_groups) const {
  const uint32_t num_groups = side.edges->edges().block_groups(block);
  return {.num_groups = num_groups,
          .wanted_groups = wanted_groups,
          .bytes = static_cast<uint64_t>(side.group_bytes * num_groups),
          .columns = side.with_weights ? 2u : 1u};
}

void BlockFeeder::Batch::Clear() {
  resident_seconds = 0;
  missing.clear();
  kept.clear();
  kept_last.clear();
  unread.clear();
  situations.clear();
  choices.clear();
}

void BlockFeeder::Batch::Reserve(uint64_t num_blocks) {
  static_assert(4 * sizeof(uint64_t) + sizeof(Transfer) + sizeof(uint32_t) +
                    sizeof(BlockSituation) + sizeof(CostModel::Choice) <=
                kChoiceBytesABlock);
  for (std::vector<uint64_t>* const blocks : {&missing, &kept, &kept_last, &unread})
    blocks->resize(num_blocks);
  transfers.resize(num_blocks);
  wanted_groups.resize(num_blocks);
  situations.resize(num_blocks);
  choices.resize(num_blocks);
  Clear();
}

bool BlockFeeder::ChooseTransfers(Side& side) {
  Batch& batch = batch_;
  for (size_t i = 0; i < batch.missing.size(); ++i) {
    const uint64_t block = batch.missing[i];
    batch.situations.push_back(SituationOf(side, block, batch.wanted_groups[block]));
    batch.situations.back().follows = i > 0 && batch.missing[i - 1] + 1 == block;
  }
  model_->Choose(run_.options.transfer, batch.situations, batch.kernel, &batch.choices);
  const double patience = Patience(side);
  bool compacts = false;
  for (size_t i = 0; i < batch.missing.size(); ++i) {
    const uint64_t block = batch.missing[i];
    const Transfer transfer = ChooseFor(side, block, batch.choices[i], patience);
    if (transfer == Transfer::kResident) {
      room_planned_ += BlockSlots::DeviceBytes(batch.situations[i].bytes);
    }
    batch.transfers[block] = transfer;
    compacts |= transfer == Transfer::kCompaction;
  }
  return compacts;
}

void BlockFeeder::PutInOrder(const Side& side) {
  // What is copied goes before what kernels read across: copies start while kernels are queued. But
  // trees are joined faster when hubs are, and where lists are long few groups have their heads.
  const bool across_first = batch_.kernel == EdgeKernel::kLink;
  for (const uint64_t block : batch_.missing) {
    const Transfer transfer = batch_.transfers[block];
    const bool kept = !side.kept.empty() && side.kept[block].registered() &&
                      transfer != Transfer::kCompaction && transfer != Transfer::kManaged;
    if (!kept) {
      batch_.unread.push_back(block);
    } else if ((transfer == Transfer::kZeroCopy) == across_first) {
      batch_.kept.push_back(block);
    } else {
      batch_.kept_last.push_back(block);
    }
  }
  batch_.kept.insert(batch_.kept.end(), batch_.kept_last.begin(), batch_.kept_last.end());
}

double BlockFeeder::Patience(const Side& side) const {
  const double all = static_cast<double>(side.edges->edges().num_groups()) * side.group_bytes;
  const double missing = 1 - static_cast<double>(side.num_resident) /
                                 static_cast<double>(std::max<size_t>(side.resident.size(), 1));
  const double room = static_cast<double>(room_bytes_ - std::min(room_bytes_, room_used_));
  return std::min(CostModel::kMostPatience, missing * all / std::max(room, 1.0));
}

Transfer BlockFeeder::ChooseFor(Side& side, uint64_t block, const CostModel::Choice& choice,
                                double patience) {
  if (run_.options.transfer != Transfer::kAuto) return choice.transfer;
  // Where all edges fit, slots have no memory on the card, and loops there (small_loop.cuh) need
  // every block.
  if (!slots_on_card_) return Transfer::kResident;
  double spent = 0;
  if (!side.spent.empty()) {
    side.spent[block] += static_cast<float>(choice.seconds);
    spent = side.spent[block];
  }
  if (batch_.once) return choice.transfer;
  const bool room = room_bytes_ >= room_planned_ + slot_bytes_;
  // What comes whole may as well stay: blocks are smaller or larger than was planned with.
  const bool stays = (room && model_->Stays(choice, spent, patience)) ||
                     (choice.transfer == Transfer::kFilter && room_used_ < room_bytes_);
  return stays ? Transfer::kResident : choice.transfer;
}

bool BlockFeeder::MayRenew(const WantedGroups& wanted) const {
  return run_.options.transfer == Transfer::kAuto && !run_.shared &&
         run_.options.cost_model == CostModelKind::kCalibrated && slots_on_card_ &&
         room_bytes_ > 0 && !wanted.counts.empty() && !wanted.once;
}

void BlockFeeder::WeighRoom() {
  // Blocks that are there must be worth so much less than others would be.
  constexpr double kMuchLess = 4;
  if (room_used_ + slot_bytes_ <= room_bytes_) return;  // there is room still
  double seconds = 0;
  double bytes = 0;
  for (size_t i = 0; i < batch_.missing.size(); ++i) {
    seconds += batch_.choices[i].seconds;
    bytes += static_cast<double>(batch_.situations[i].bytes);
  }
  const double share = std::min(1.0, static_cast<double>(room_bytes_) / std::max(bytes, 1.0));
  idle_seconds_ =
      std::max(0.0, idle_seconds_ + share * seconds - kMuchLess * batch_.resident_seconds);
}

Status BlockFeeder::RenewRoom(GpuStream& main) {
  // Most of what comes to stay would be sent in any case: filling the room again costs a part of
  // what sending it takes.
  constexpr double kPartOfFilling = 0.125;
  const double filling = model_->BulkSeconds(static_cast<double>(room_bytes_));
  if (idle_seconds_ <= kPartOfFilling * filling) return OkStatus();
  for (Side& side : sides_) {
    if (side.num_resident == 0) continue;
    LaunchForgetBlocks(side.edges->resident(), side.num_resident, side.edges->blocks(),
                       main.handle());
    RETURN_IF_ERROR(run_.gpu.AfterLaunch("forget blocks"));
    side.num_resident = 0;
    side.resident.assign(side.resident.size(), false);
    side.spent.assign(side.spent.size(), 0);
  }
  slots_->FreeRoom(room_bytes_);
  room_ = room_begin_;
  room_used_ = 0;
  idle_seconds_ = 0;
  return OkStatus();
}

}  // namespace edgemill
