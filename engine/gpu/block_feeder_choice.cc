// How a feeder's blocks get to the card, and which of them stay there.
#include <algorithm>
#include <atomic>

#include "common/parallel.h"
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

bool BlockFeeder::Batch::StillHolds(const Side& swept, EdgeKernel by,
                                    const WantedGroups& wanted) const {
  return whole && wanted.counts.empty() && side == &swept && kernel == by &&
         blocks.begin == wanted.blocks.begin && blocks.end == wanted.blocks.end &&
         once == wanted.once && num_resident == swept.num_resident && unread.empty();
}

void BlockFeeder::Batch::Clear() {
  side = nullptr;
  resident = {};
  resident_seconds = 0;
  num_elsewhere = 0;
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

StatusOr<bool> BlockFeeder::ChooseTransfers(Side& side) {
  /// Blocks that one thread chooses for, in several times what waking it takes.
  constexpr size_t kStretch = 8192;
  Batch& batch = batch_;
  const size_t size = batch.missing.size();
  const Transfer asked = run_.options.transfer;
  batch.situations.resize(size);
  batch.choices.resize(size);
  const auto in_stretches = [&](const auto& body) {
    return ParallelFor(size, kStretch, graph_.threads(), [&](size_t begin, size_t end) {
      body(begin, end);
      return OkStatus();
    });
  };
  const auto describe = [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const uint64_t block = batch.missing[i];
      batch.situations[i] = SituationOf(side, block, batch.wanted_groups[block]);
      batch.situations[i].follows = i > 0 && batch.missing[i - 1] + 1 == block;
    }
  };
  bool gathers = asked == Transfer::kAuto && model_->kind() == CostModelKind::kCalibrated &&
                 model_->GatheringMayPay(size, batch.kernel);
  if (gathers) {
    describe(0, size);
    gathers = model_->GatheringPays(batch.situations, batch.kernel);
  }
  std::atomic<bool> compacts = false;
  RETURN_IF_ERROR(in_stretches([&](size_t begin, size_t end) {
    describe(begin, end);
    const std::span choices = std::span(batch.choices).subspan(begin, end - begin);
    model_->Choose(asked, std::span(batch.situations).subspan(begin, end - begin), batch.kernel,
                   gathers, (size + kStretch - 1) / kStretch, choices);
    for (size_t i = begin; i < end; ++i) {
      const uint64_t block = batch.missing[i];
      batch.transfers[block] = choices[i - begin].transfer;
      if (batch.transfers[block] == Transfer::kCompaction) compacts = true;
      if (!side.spent.empty()) side.spent[block] += static_cast<float>(choices[i - begin].seconds);
    }
  }));
  if (asked == Transfer::kAuto) ChooseStaying(side);
  return compacts.load();
}

void BlockFeeder::ChooseStaying(const Side& side) {
  Batch& batch = batch_;
  // Where all edges fit, slots have no memory on the card: what is not read across the link stays.
  const bool all_fit = !slots_on_card_;
  if (batch.once && !all_fit) return;
  const auto has_room = [&] { return all_fit || room_bytes_ >= room_planned_ + slot_bytes_; };
  const bool full = room_used_ >= room_bytes_;
  if (full && !has_room()) return;
  const double patience = Patience(side);
  for (size_t i = 0; i < batch.missing.size(); ++i) {
    const bool room = has_room();
    const uint64_t block = batch.missing[i];
    const CostModel::Choice& choice = batch.choices[i];
    const double spent = side.spent.empty() ? 0 : static_cast<double>(side.spent[block]);
    // What comes whole may as well stay: blocks are smaller or larger than was planned with. And
    // what has to be copied by the host, where all fit.
    const bool stays = (room && !batch.once && model_->Stays(choice, spent, patience)) ||
                       (!full && choice.transfer == Transfer::kFilter) ||
                       (all_fit && !IsKept(side, block));
    if (stays) {
      batch.transfers[block] = Transfer::kResident;
      room_planned_ += BlockSlots::DeviceBytes(batch.situations[i].bytes);
      continue;
    }
    if (all_fit) batch.transfers[block] = Transfer::kZeroCopy;
    if (!batch.once && choice.transfer != Transfer::kFilter) parts_seconds_ += choice.seconds;
  }
}

void BlockFeeder::PutInOrder(const Side& side) {
  // What is copied goes before what kernels read across: copies start while kernels are queued. But
  // trees are joined faster when hubs are, and where lists are long few groups have their heads.
  const bool across_first = batch_.kernel == EdgeKernel::kLink;
  for (const uint64_t block : batch_.missing) {
    const Transfer transfer = batch_.transfers[block];
    const bool kept =
        IsKept(side, block) && transfer != Transfer::kCompaction && transfer != Transfer::kManaged;
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
  return CostModel::Patience(parts_seconds_, model_->BulkSeconds(std::min(missing * all, room)),
                             CostModel::Spread(batch_.choices, batch_.num_elsewhere));
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
  parts_seconds_ = 0;
  return OkStatus();
}

}  // namespace edgemill
