// How a feeder's blocks get to the card, and which of them stay there.
#include <algorithm>
#include <array>
#include <numeric>

#include "engine/plan/staging_memory.h"
#include "engine/transfer/stream/block_feeder.h"

namespace edgemill {
namespace {

/// Blocks that are chosen for together: the nearest cache has room for what is said of them.
constexpr size_t kTogether = 512;

}  // namespace

bool BlockFeeder::Batch::StillHolds(const Side& swept, EdgeKernel by,
                                    const WantedGroups& wanted) const {
  return whole && wanted.counts.empty() && side == &swept && kernel == by &&
         blocks.begin == wanted.blocks.begin && blocks.end == wanted.blocks.end &&
         once == wanted.once && num_resident == swept.num_resident && unread.empty();
}

void BlockFeeder::Batch::Clear() {
  side = nullptr;
  resident = {};
  missing = {};
  kept.clear();
  kept_last.clear();
  unread.clear();
}

void BlockFeeder::Batch::Reserve(uint64_t num_blocks) {
  static_assert(4 * sizeof(uint64_t) + sizeof(Transfer) + sizeof(uint32_t) <= kChoiceBytesABlock);
  for (std::vector<uint64_t>* const blocks : {&numbers, &kept, &kept_last, &unread}) {
    blocks->resize(num_blocks);
  }
  transfers.resize(num_blocks);
  alike.resize(num_blocks);
  Clear();
}

void BlockFeeder::Batch::Count(const Side& of) {
  for (std::vector<uint32_t>& counts : num_wanting) counts.assign(of.block.num_groups + 1, 0);
  uint32_t* const num_elsewhere = num_wanting[0].data();
  uint32_t* const num_there = num_wanting[1].data();
  // Without branches: which blocks are on the card, and which are wanted, is anybody's guess.
  size_t num_missing = 0;
  for (uint64_t block = blocks.begin; block < blocks.end; ++block) {
    const uint32_t wanted = wanted_groups[block];
    const bool is_there = of.resident[block] != 0;
    ++(is_there ? num_there : num_elsewhere)[wanted];
    numbers[num_missing] = block;
    num_missing += static_cast<size_t>(static_cast<int>(wanted != 0) & static_cast<int>(!is_there));
  }
  missing = std::span(numbers).first(num_missing);
  for (uint32_t wanted = 1; wanted <= of.block.num_groups; ++wanted) {
    resident.blocks += num_there[wanted];
    resident.wanted_groups += uint64_t{wanted} * num_there[wanted];
  }
  resident.groups = resident.blocks * of.block.num_groups;  // as if the last block was full
}

void BlockFeeder::PlanChoices(const Side& side) {
  Batch& batch = batch_;
  if (run_.options.transfer != Transfer::kAuto) return;
  batch.prices = model_->PricesOf(side.bringing, batch.kernel);
  batch.gathers = model_->Gathers(*batch.prices, batch.num_wanting[0]);
  batch.full = room_used_ >= room_bytes_;
  // Where all edges fit, slots have no memory on the card: what is not read across the link stays.
  batch.may_stay = !slots_on_card_ || (!batch.once && (!batch.full || HasRoom()));
  batch.patience = Patience(side, batch.prices->LeastSums(batch.num_wanting[0], batch.gathers));
}

void BlockFeeder::ChooseTransfers(Side& side) {
  const std::span<const uint64_t> blocks = batch_.missing;
  for (size_t first = 0; first < blocks.size(); first += kTogether) {
    ChooseTogether(side, blocks.subspan(first, std::min(kTogether, blocks.size() - first)));
  }
}

void BlockFeeder::ChooseTogether(Side& side, std::span<const uint64_t> blocks) {
  Batch& batch = batch_;
  if (run_.options.transfer != Transfer::kAuto) {
    for (const uint64_t block : blocks) batch.transfers[block] = run_.options.transfer;
    return;
  }
  std::array<CostModel::Choice, kTogether> choices;
  model_->Choose(blocks, batch.wanted_groups, *batch.prices, batch.gathers,
                 (batch.missing.size() + kTogether - 1) / kTogether,
                 std::span(choices).first(blocks.size()));
  for (size_t i = 0; i < blocks.size(); ++i) {
    Transfer transfer = choices[i].transfer;
    if (batch.may_stay) {
      if (Stays(side, blocks[i], choices[i])) {
        transfer = Transfer::kResident;
        room_planned_ += StagingLayout::DeviceBytes(side.block.bytes);
      } else if (!slots_on_card_) {
        transfer = Transfer::kZeroCopy;
      }
    }
    batch.transfers[blocks[i]] = transfer;
  }
}

bool BlockFeeder::HasRoom() const {
  return !slots_on_card_ || room_bytes_ >= room_planned_ + slot_bytes_;
}

bool BlockFeeder::Stays(Side& side, uint64_t block, const CostModel::Choice& choice) {
  double spent = 0;
  if (!side.spent.empty()) spent = side.spent[block] += static_cast<float>(choice.seconds);
  if (!batch_.once && HasRoom() && model_->Stays(choice, spent, batch_.patience)) return true;
  // What comes whole may as well stay: blocks are smaller or larger than was planned with.
  if (!batch_.full && choice.transfer == Transfer::kFilter) return true;
  // And what has to be copied by the host, where all fit.
  if (!slots_on_card_ && !IsKept(side, block)) return true;
  if (!batch_.once && choice.transfer != Transfer::kFilter) parts_seconds_ += choice.seconds;
  return false;
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

bool BlockFeeder::Compacts() const {
  return std::any_of(batch_.unread.begin(), batch_.unread.end(), [&](uint64_t block) {
    return batch_.transfers[block] == Transfer::kCompaction;
  });
}

double BlockFeeder::Patience(const Side& side, const BlockPrices::Sums& sums) const {
  const double all = static_cast<double>(side.edges->edges().num_groups()) * side.group_bytes;
  const double missing = 1 - static_cast<double>(side.num_resident) /
                                 static_cast<double>(std::max<size_t>(side.resident.size(), 1));
  const double room = static_cast<double>(room_bytes_ - std::min(room_bytes_, room_used_));
  const std::vector<uint32_t>& num_elsewhere = batch_.num_wanting[0];
  const uint64_t elsewhere =
      std::accumulate(num_elsewhere.begin(), num_elsewhere.end(), uint64_t{0});
  return CostModel::Patience(parts_seconds_, model_->BulkSeconds(std::min(missing * all, room)),
                             CostModel::Spread(sums.seconds, sums.squares, elsewhere));
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
  const double bytes = static_cast<double>(batch_.missing.size() * batch_.side->block.bytes);
  const double share = std::min(1.0, static_cast<double>(room_bytes_) / std::max(bytes, 1.0));
  const auto seconds = [&](const std::vector<uint32_t>& num_blocks) {
    return batch_.prices->LeastSums(num_blocks, batch_.gathers).seconds;
  };
  const auto& [elsewhere, there] = batch_.num_wanting;
  idle_seconds_ =
      std::max(0.0, idle_seconds_ + share * seconds(elsewhere) - kMuchLess * seconds(there));
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
