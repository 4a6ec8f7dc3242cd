#include "engine/output/walks/waiting_walks.h"

#include <algorithm>
#include <numeric>

#include "kernels/portable_atomics.h"

namespace edgemill {
namespace {

constexpr uint32_t kNoWalk = ~uint32_t{0};

}  // namespace

StatusOr<WaitingWalks> WaitingWalks::Create(const GraphInfo& info, uint64_t most_walks,
                                            MemoryBudget& budget) {
  WaitingWalks walks;
  ASSIGN_OR_RETURN(walks.reservation_,
                   budget.Reserve(FixedBytes(info) + most_walks * kWalkBytes, "waiting walks"));
  ASSIGN_OR_RETURN(walks.next_, Array<uint32_t>::Allocate(most_walks));
  ASSIGN_OR_RETURN(walks.moving_, Array<uint32_t>::Allocate(most_walks));
  walks.heads_.assign(info.num_blocks(), kNoWalk);
  walks.waiting_.assign(info.num_blocks(), 0);
  walks.wanted_.reserve(info.num_blocks());
  return walks;
}

std::span<const uint32_t> WaitingWalks::StartAll(uint64_t count) {
  std::iota(moving_.data(), moving_.data() + count, 0u);
  return moving_.span().first(count);
}

void WaitingWalks::Add(uint32_t walk, uint64_t block) {
  AtomicAdd(&waiting_[block], uint32_t{1});
  next_[walk] = AtomicExchange(&heads_[block], walk);
}

StatusOr<std::span<const uint32_t>> WaitingWalks::Take(ResidentBlocks& blocks) {
  wanted_.clear();
  for (uint64_t block = 0; block < waiting_.size(); ++block) {
    if (waiting_[block] > 0) wanted_.push_back(block);
  }
  if (wanted_.size() > blocks.num_slots()) {
    const auto more_wait = [&](uint64_t a, uint64_t b) {
      return waiting_[a] != waiting_[b] ? waiting_[a] > waiting_[b] : a < b;
    };
    const auto end = wanted_.begin() + static_cast<int64_t>(blocks.num_slots());
    std::nth_element(wanted_.begin(), end - 1, wanted_.end(), more_wait);
    wanted_.erase(end, wanted_.end());
    std::sort(wanted_.begin(), wanted_.end());
  }
  RETURN_IF_ERROR(blocks.Load(wanted_));
  size_t taken = 0;
  for (const uint64_t block : wanted_) {
    for (uint32_t walk = heads_[block]; walk != kNoWalk; walk = next_[walk]) {
      moving_[taken++] = walk;
    }
    heads_[block] = kNoWalk;
    waiting_[block] = 0;
  }
  return moving_.span().first(taken);
}

}  // namespace edgemill
