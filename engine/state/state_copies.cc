#include "engine/state/state_copies.h"

#include <array>
#include <utility>

#include "common/check.h"

namespace edgemill {

StateCopies::StateCopies(State& state, MemoryId count) : state_(state) {
  CHECK(count > 0 && count < MemorySet::kMaxMemories);
  for (StateArray* const array : state.arrays_) {
    if (array->size() == 0 || array->stays_on_host_) continue;
    planned_.push_back({array, std::vector<std::byte*>(count)});
  }
}

StateCopies::~StateCopies() {
  if (copies_.empty()) return;
  for (StateArray* const array : state_.arrays_) array->info_.copy = nullptr;
  state_.homes_.clear();
}

void StateCopies::Plan(ArenaPlan* arena, MemoryId memory) {
  CHECK_GE(memory, kFirstOtherMemory);
  for (Planned& planned : planned_) {
    CHECK_LT(memory - kFirstOtherMemory, planned.addresses.size());
    arena->Plan(&planned.addresses[memory - kFirstOtherMemory], planned.array->bytes());
  }
}

Status StateCopies::Begin(std::span<ArrayHome* const> homes, FirstElements first) {
  constexpr std::array<std::byte, 1> kZero{};
  CHECK(state_.homes_.empty() && copies_.empty());
  state_.homes_.assign(homes.begin(), homes.end());
  copies_.reserve(planned_.size());
  for (const Planned& planned : planned_) {
    CHECK(planned.addresses.size() == homes.size() && planned.array->memory_.size() > 0);
    std::vector<ArrayPlace> places;
    for (size_t i = 0; i < homes.size(); ++i) {
      CHECK(planned.addresses[i] != nullptr);
      places.push_back({homes[i], planned.addresses[i]});
    }
    copies_.emplace_back(planned.array->memory_.bytes(), std::move(places), copies_);
    planned.array->info_.copy = &copies_.back();
    // Memory is pinned once, for the home from which answers come.
    if (planned.array->is_result()) {
      RETURN_IF_ERROR(homes.front()->Prepare(planned.array->memory_.bytes()));
    }
    if (first == FirstElements::kZeros) copies_.back().Fill(kZero, planned.array->bytes());
  }
  return state_.status();
}

}  // namespace edgemill
