// How a feeder's blocks get to the card, and which of them stay there.
#include <algorithm>
#include <array>

#include "common/parallel.h"
#include "engine/gpu/block_feeder.h"
#include "engine/gpu_choice.h"

namespace edgemill {
namespace {

/// Blocks that are chosen for together: the nearest cache has room for what is said of them.
constexpr size_t kTogether = 512;

}  // namespace

BlockSituation BlockFeeder::SituationOf(const Side& side, uint64_t block, uint32_t wanted_groups) {
  BlockSituation situation = block + 1 == side.resident.size() ? side.last_block : side.block;
  situation.wanted_groups = wanted_groups;
  return situation;
}

void BlockFeeder::CostSums::Add(const CostSums& other) {
  seconds += other.seconds;
  squares += other.squares;
  bytes += other.bytes;
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
  costs.clear();
  all_costs = {};
}

void BlockFeeder::Batch::Reserve(uint64_t num_blocks) {
  static_assert(4 * sizeof(uint64_t) + sizeof(Cost) + sizeof(Transfer) + sizeof(uint32_t) <=
                kChoiceBytesABlock);
  for (std::vector<uint64_t>* const blocks : {&missing, &kept, &kept_last, &unread})
    blocks->resize(num_blocks);
  transfers.resize(num_blocks);
  wanted_groups.resize(num_blocks);
  costs.resize(num_blocks);
  Clear();
}

StatusOr<bool> BlockFeeder::ChooseTransfers(Side& side) {
  /// Blocks that one thread chooses for, in several times what waking it takes.
  constexpr size_t kStretch = 8192;
  Batch& batch = batch_;
  const Transfer asked = run_.options.transfer;
  if (asked != Transfer::kAuto) {
    for (const uint64_t block : batch.missing) batch.transfers[block] = asked;
    return asked == Transfer::kCompaction;
  }
  const BlockPrices prices = model_->PricesOf(batch.kernel);
  const bool gathers = GatheringPays(side, prices);
  batch.costs.resize(batch.missing.size());
  std::vector<CostSums> sums((batch.missing.size() + kStretch - 1) / kStretch);
  RETURN_IF_ERROR(
      ParallelFor(batch.missing.size(), kStretch, graph_.threads(), [&](size_t begin, size_t end) {
        std::array<BlockSituation, kTogether> situations;
        for (size_t first = begin; first < end; first += kTogether) {
          const size_t count = std::min(kTogether, end - first);
          ChooseTogether(side, prices, gathers, first, std::span(situations).first(count),
                         &sums[begin / kStretch]);
        }
        return OkStatus();
      }));
  for (const CostSums& sum : sums) batch.all_costs.Add(sum);
  const bool compacts =
      std::any_of(batch.missing.begin(), batch.missing.end(),
                  [&](uint64_t block) { return batch.transfers[block] == Transfer::kCompaction; });
  ChooseStaying(side);
  return compacts;
}

void BlockFeeder::Describe(const Side& side, size_t first,
                           std::span<BlockSituation> situations) const {
  for (size_t i = 0; i < situations.size(); ++i) {
    const uint64_t block = batch_.missing[first + i];
    situations[i] = SituationOf(side, block, batch_.wanted_groups[block]);
    situations[i].follows = first + i > 0 && batch_.missing[first + i - 1] + 1 == block;
  }
}

bool BlockFeeder::GatheringPays(const Side& side, const BlockPrices& prices) const {
  const size_t size = batch_.missing.size();
  if (model_->kind() != CostModelKind::kCalibrated ||
      !model_->GatheringPays(prices.MostGatheringGain(size))) {
    return false;
  }
  double gain = 0;
  std::array<BlockSituation, kTogether> situations;
  for (size_t first = 0; first < size; first += kTogether) {
    const auto together = std::span(situations).first(std::min(kTogether, size - first));
    Describe(side, first, together);
    gain += prices.GatheringGain(together);
  }
  return model_->GatheringPays(gain);
}

void BlockFeeder::ChooseTogether(Side& side, const BlockPrices& prices, bool gathers, size_t first,
                                 std::span<BlockSituation> situations, CostSums* sums) {
  Describe(side, first, situations);
  std::array<CostModel::Choice, kTogether> choices;
  model_->Choose(run_.options.transfer, situations, prices, gathers,
                 (batch_.missing.size() + kTogether - 1) / kTogether,
                 std::span(choices).first(situations.size()));
  for (size_t i = 0; i < situations.size(); ++i) {
    const uint64_t block = batch_.missing[first + i];
    const CostModel::Choice& choice = choices[i];
    batch_.transfers[block] = choice.transfer;
    const Cost cost{static_cast<float>(choice.seconds), static_cast<float>(choice.whole_seconds)};
    batch_.costs[first + i] = cost;
    sums->Add({choice.seconds, choice.seconds * choice.seconds,
               static_cast<double>(situations[i].bytes)});
    if (!side.spent.empty()) side.spent[block] += cost.seconds;
  }
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
    const Cost& cost = batch.costs[i];
    const CostModel::Choice choice{batch.transfers[block], cost.seconds, cost.whole_seconds};
    const double spent = side.spent.empty() ? 0 : static_cast<double>(side.spent[block]);
    // What comes whole may as well stay: blocks are smaller or larger than was planned with. And
    // what has to be copied by the host, where all fit.
    const bool stays = (room && !batch.once && model_->Stays(choice, spent, patience)) ||
                       (!full && choice.transfer == Transfer::kFilter) ||
                       (all_fit && !IsKept(side, block));
    if (stays) {
      batch.transfers[block] = Transfer::kResident;
      room_planned_ += BlockSlots::DeviceBytes(SituationOf(side, block, 0).bytes);
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
  return CostModel::Patience(
      parts_seconds_, model_->BulkSeconds(std::min(missing * all, room)),
      CostModel::Spread(batch_.all_costs.seconds, batch_.all_costs.squares, batch_.num_elsewhere));
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
  const CostSums& costs = batch_.all_costs;
  const double share = std::min(1.0, static_cast<double>(room_bytes_) / std::max(costs.bytes, 1.0));
  idle_seconds_ =
      std::max(0.0, idle_seconds_ + share * costs.seconds - kMuchLess * batch_.resident_seconds);
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
    side.resident.assign(side.resident.size(), 0);
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
