#include "engine/state/state_copies.h"

#include <array>

#include "common/check.h"

namespace edgemill {

StateCopies::StateCopies(State& state) : state_(state) {
  for (StateArray* const array : state.arrays_) {
    if (array->size() > 0 && !array->stays_on_host_) planned_.push_back({array, nullptr});
  }
}

StateCopies::~StateCopies() {
  if (copies_.empty()) return;
  for (StateArray* const array : state_.arrays_) array->info_.copy = nullptr;
  state_.home_ = nullptr;
}

void StateCopies::Plan(ArenaPlan* arena) {
  for (Planned& planned : planned_) arena->Plan(&planned.place, planned.array->bytes());
}

Status StateCopies::Begin(ArrayHome& home, FirstElements first) {
  constexpr std::array<std::byte, 1> kZero{};
  CHECK(state_.home_ == nullptr && copies_.empty());
  state_.home_ = &home;
  copies_.reserve(planned_.size());
  for (const Planned& planned : planned_) {
    CHECK(planned.place != nullptr && planned.array->memory_.size() > 0);
    copies_.emplace_back(home, planned.array->memory_.bytes(), planned.place, copies_);
    planned.array->info_.copy = &copies_.back();
    if (planned.array->is_result()) {
      RETURN_IF_ERROR(home.Prepare(planned.array->memory_.bytes()));
    }
    if (first == FirstElements::kZeros) copies_.back().Fill(kZero, planned.array->bytes());
  }
  return home.status();
}

}  // namespace edgemill
