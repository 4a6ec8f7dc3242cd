#include "engine/transfer/transfer_planner.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "engine/cost/tuning.h"
#include "engine/plan/staging_layout.h"

namespace edgemill {
namespace {

/// The choice of transfers for one pass's missing blocks.
class TransferChoices {
 public:
  TransferChoices(const CostModel& model, const TransferRules& rules, const PassInputs& inputs,
                  TransferPlan* plan)
      : model_(model),
        rules_(rules),
        inputs_(inputs),
        plan_(*plan),
        prices_(inputs.blocks.prices),
        full_(inputs.resident.used_bytes >= inputs.resident.capacity_bytes),
        planned_bytes_(inputs.resident.used_bytes) {
    // Where all edges fit, staging buffers have no memory on the GPU. Blocks stay unless kernels
    // read them by zero-copy.
    may_stay_ = !rules_.exceeds_gpu || (!inputs.request.rarely_reused && (!full_ || HasCapacity()));
    if (may_stay_) plan_.charges.blocks = plan_.missing;
    patience_ = Patience();
  }

  /// Adds to the rental what other resident blocks would have saved in this pass.
  void WeighResidents() {
    const ResidentView& resident = inputs_.resident;
    if (resident.used_bytes + rules_.buffer_bytes <= resident.capacity_bytes) return;  // not full
    const double bytes =
        static_cast<double>(plan_.missing.size() * inputs_.blocks.prices.shape.bytes);
    const double share =
        std::min(1.0, static_cast<double>(resident.capacity_bytes) / std::max(bytes, 1.0));
    const auto seconds = [&](const std::vector<uint32_t>& num_blocks) {
      return prices_.LeastSums(num_blocks).seconds;
    };
    const auto& [elsewhere, there] = plan_.num_wanted;
    plan_.charges.rental.idle_seconds =
        std::max(0.0, plan_.charges.rental.idle_seconds + share * seconds(elsewhere) -
                          kResidentWorth * seconds(there));
  }

  void ChooseAll() {
    constexpr size_t kTogether = TransferPlanner::kChosenTogether;
    const std::span<const uint64_t> missing = plan_.missing;
    for (size_t first = 0; first < missing.size(); first += kTogether) {
      ChooseTogether(missing.subspan(first, std::min(kTogether, missing.size() - first)));
    }
  }

 private:
  std::span<const uint32_t> num_elsewhere() const { return plan_.num_wanted[0]; }

  /// Whether one more block may stay.
  bool HasCapacity() const {
    return !rules_.exceeds_gpu ||
           inputs_.resident.capacity_bytes >= planned_bytes_ + rules_.buffer_bytes;
  }

  /// How long blocks wait before they stay.
  double Patience() const {
    const ResidentView& resident = inputs_.resident;
    const double all = static_cast<double>(inputs_.blocks.num_groups) * inputs_.blocks.group_bytes;
    const double missing =
        1 - static_cast<double>(resident.num_resident) /
                static_cast<double>(std::max<size_t>(resident.is_resident.size(), 1));
    const double free_bytes = static_cast<double>(
        resident.capacity_bytes - std::min(resident.capacity_bytes, resident.used_bytes));
    const BlockPrices::Sums sums = prices_.LeastSums(num_elsewhere());
    const uint64_t elsewhere =
        std::accumulate(num_elsewhere().begin(), num_elsewhere().end(), uint64_t{0});
    return CostModel::Patience(plan_.charges.rental.parts_seconds,
                               model_.BulkSeconds(std::min(missing * all, free_bytes)),
                               CostModel::Spread(sums.seconds, sums.squares, elsewhere));
  }

  void ChooseTogether(std::span<const uint64_t> blocks) {
    constexpr size_t kTogether = TransferPlanner::kChosenTogether;
    std::array<CostModel::Choice, kTogether> choices;
    model_.Choose(blocks, plan_.wanted_groups, prices_, std::span(choices).first(blocks.size()));
    for (size_t i = 0; i < blocks.size(); ++i) {
      Transfer transfer = choices[i].transfer;
      plan_.charges.seconds[blocks[i]] = choices[i].seconds;
      if (may_stay_) {
        if (Stays(blocks[i], choices[i])) {
          transfer = Transfer::kResident;
          planned_bytes_ += StagingLayout::DeviceBytes(inputs_.blocks.prices.shape.bytes);
        } else if (!rules_.exceeds_gpu) {
          transfer = Transfer::kZeroCopy;
        }
      }
      plan_.transfers[blocks[i]] = transfer;
    }
  }

  /// Whether a block stays, after `choice` was made for it. It stays while there is capacity, if
  /// sending it whole is cheapest or its parts have cost as much as the whole would.
  bool Stays(uint64_t block, const CostModel::Choice& choice) {
    const std::span<const float> spent_seconds = inputs_.resident.spent_seconds;
    const double spent =
        spent_seconds.empty() ? 0 : spent_seconds[block] + static_cast<float>(choice.seconds);
    const bool rarely_reused = inputs_.request.rarely_reused;
    if (!rarely_reused && HasCapacity() && model_.Stays(choice, spent, patience_)) return true;
    // A block that is sent whole may stay until the capacity is really full: sizes were only
    // estimated.
    if (!full_ && choice.transfer == Transfer::kFilter) return true;
    // Where all edges fit, a block that the host must copy stays too.
    if (!rules_.exceeds_gpu && (inputs_.is_pinned.empty() || inputs_.is_pinned[block] == 0)) {
      return true;
    }
    if (!rarely_reused && choice.transfer != Transfer::kFilter) {
      plan_.charges.rental.parts_seconds += choice.seconds;
    }
    return false;
  }

  const CostModel& model_;
  const TransferRules& rules_;
  const PassInputs& inputs_;
  TransferPlan& plan_;
  const BlockPrices& prices_;
  const bool full_;         // all of the capacity is used
  uint64_t planned_bytes_;  // how much of the capacity will be used after the pass
  bool may_stay_ = false;   // whether missing blocks may stay on the GPU
  double patience_ = 0;
};

}  // namespace

void TransferPlanner::List(const PassInputs& inputs, TransferPlan* plan) const {
  const auto& [request, wanted_groups, blocks, resident, is_pinned, priorities] = inputs;
  plan->Clear();
  plan->wanted_groups = wanted_groups;
  if (wanted_groups.empty()) {
    plan->whole = request;
    plan->num_resident = resident.num_resident;
    if (resident.num_resident == blocks.num_blocks) {
      plan->wanted_resident = request.blocks.size();
      return;
    }
    plan->lists.all_groups.assign(blocks.num_blocks, blocks.prices.shape.num_groups);
    plan->lists.all_groups.back() = blocks.groups_of(blocks.num_blocks - 1);
    plan->wanted_groups = plan->lists.all_groups;
  }
  FindMissing(inputs, plan);
}

void TransferPlanner::FindMissing(const PassInputs& inputs, TransferPlan* plan) {
  const auto& [request, wanted_groups, blocks, resident, is_pinned, priorities] = inputs;
  const uint32_t block_groups = blocks.prices.shape.num_groups;
  for (std::vector<uint32_t>& counts : plan->num_wanted) counts.assign(block_groups + 1, 0);
  uint32_t* const num_elsewhere = plan->num_wanted[0].data();
  uint32_t* const num_there = plan->num_wanted[1].data();
  // The loop has no branches: a processor cannot predict which blocks are wanted or on the GPU.
  size_t num_missing = 0;
  for (uint64_t block = request.blocks.begin; block < request.blocks.end; ++block) {
    const uint32_t wanted = plan->wanted_groups[block];
    const bool is_there = resident.is_resident[block] != 0;
    ++(is_there ? num_there : num_elsewhere)[wanted];
    plan->lists.missing[num_missing] = block;
    num_missing += static_cast<size_t>(static_cast<int>(wanted != 0) & static_cast<int>(!is_there));
  }
  plan->missing = std::span(plan->lists.missing).first(num_missing);
  for (uint32_t wanted = 1; wanted <= block_groups; ++wanted) {
    plan->wanted_resident += num_there[wanted];
  }
}

void TransferPlanner::Choose(const PassInputs& inputs, TransferPlan* plan) const {
  plan->charges.rental = inputs.resident.rental;
  if (rules_.transfer == Transfer::kAuto) {
    TransferChoices choices(model_, rules_, inputs, plan);
    if (MayEvict(inputs)) choices.WeighResidents();
    choices.ChooseAll();
  } else {
    const bool whole = rules_.transfer == Transfer::kSubCsr && !inputs.request.takes_sub_csrs;
    const Transfer transfer = whole ? Transfer::kFilter : rules_.transfer;
    for (const uint64_t block : plan->missing) plan->transfers[block] = transfer;
  }
  PutInOrder(inputs, plan);
}

void TransferPlanner::PutInOrder(const PassInputs& inputs, TransferPlan* plan) {
  // Copied blocks go before zero-copied ones, so that copies start while kernels are queued. The
  // request may ask for the opposite order.
  const auto place_of = [&](uint64_t block) -> size_t {
    const Transfer transfer = plan->transfers[block];
    const bool is_pinned = !inputs.is_pinned.empty() && inputs.is_pinned[block] != 0;
    const bool by_host = transfer == Transfer::kCompaction || transfer == Transfer::kManaged ||
                         transfer == Transfer::kSubCsr;
    if (!is_pinned || by_host) return 2;
    return (transfer == Transfer::kZeroCopy) == inputs.request.zero_copy_first ? 0 : 1;
  };
  std::array<size_t, 3> sizes{};
  for (const uint64_t block : plan->missing) ++sizes[place_of(block)];
  std::array<size_t, 3> next = {0, sizes[0], sizes[0] + sizes[1]};
  for (const uint64_t block : plan->missing) plan->lists.order[next[place_of(block)]++] = block;
  if (!inputs.priorities.empty()) {
    const auto begin = plan->lists.order.begin();
    const auto comes_before = [&](uint64_t a, uint64_t b) {
      return inputs.priorities[a] > inputs.priorities[b];
    };
    // The places are filled: `next` has their ends. What is read comes as disks deliver it.
    std::stable_sort(begin, begin + static_cast<ptrdiff_t>(next[0]), comes_before);
    std::stable_sort(begin + static_cast<ptrdiff_t>(next[0]),
                     begin + static_cast<ptrdiff_t>(next[1]), comes_before);
  }
  const auto order = std::span<const uint64_t>(plan->lists.order).first(plan->missing.size());
  plan->pinned = order.first(sizes[0] + sizes[1]);
  plan->from_reader = order.last(sizes[2]);
}

void TransferPlanner::BringAll(const PassInputs& inputs, TransferPlan* plan) const {
  plan->Clear();
  const BlockRange& wanted = inputs.request.blocks;
  CHECK_LE(wanted.end, inputs.blocks.num_blocks);
  plan->lists.all_groups.assign(inputs.blocks.num_blocks, 0);
  plan->wanted_groups = plan->lists.all_groups;
  size_t num_missing = 0;
  for (uint64_t block = wanted.begin; block < wanted.end; ++block) {
    if (inputs.resident.is_resident[block] != 0) continue;
    plan->lists.missing[num_missing++] = block;
    plan->transfers[block] = Transfer::kResident;
  }
  plan->missing = std::span(plan->lists.missing).first(num_missing);
  PutInOrder(inputs, plan);
}

bool TransferPlanner::MayBringAll(const PassInputs& inputs, const Curve& disk_rate,
                                  double seconds) const {
  if (rules_.exceeds_gpu || rules_.transfer != Transfer::kAuto) return false;
  const DirectionBlocks& blocks = inputs.blocks;
  for (uint64_t block = 0; block < blocks.num_blocks && seconds >= 0; ++block) {
    if (inputs.resident.is_resident[block] != 0) continue;
    const double bytes = blocks.group_bytes * blocks.groups_of(block);
    const bool is_pinned = !inputs.is_pinned.empty() && inputs.is_pinned[block] != 0;
    seconds -= is_pinned ? model_.BulkSeconds(bytes) : bytes / disk_rate.At(bytes);
  }
  return seconds >= 0;
}

bool TransferPlanner::MayEvict(const PassInputs& inputs) const {
  return rules_.transfer == Transfer::kAuto && !rules_.shared && rules_.exceeds_gpu &&
         model_.kind() == CostModelKind::kCalibrated && inputs.resident.capacity_bytes > 0 &&
         !inputs.wanted_groups.empty() && !inputs.request.rarely_reused;
}

}  // namespace edgemill
