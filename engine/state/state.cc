#include "engine/state/state.h"

#include <algorithm>

#include "common/check.h"

namespace edgemill {

StateArray::StateArray(State& state, const char* name, uint64_t size, uint32_t element_bytes,
                       ArrayUse use)
    : state_(state), info_{.name = name, .size = size, .element_bytes = element_bytes}, use_(use) {
  CHECK(name != nullptr && element_bytes > 0);
  state.arrays_.push_back(this);
}

uint64_t State::array_bytes() const {
  uint64_t bytes = 0;
  for (const StateArray* array : arrays_) bytes += array->bytes();
  return bytes;
}

uint64_t State::result_bytes() const {
  uint64_t bytes = 0;
  for (const StateArray* array : arrays_) {
    if (array->is_result()) bytes += array->bytes();
  }
  return bytes;
}

bool State::answers_vertices() const {
  return std::any_of(arrays_.begin(), arrays_.end(),
                     [](const StateArray* array) { return array->use() == ArrayUse::kVertices; });
}

Status State::Allocate(MemoryBudget& budget) {
  for (StateArray* array : arrays_) {
    CHECK_EQ(array->memory_.size(), 0u);  // allocated once, because views keep the address
    ASSIGN_OR_RETURN(array->reservation_, budget.Reserve(array->bytes(), array->name()));
    ASSIGN_OR_RETURN(array->memory_, Buffer::Allocate(array->bytes()));
  }
  return OkStatus();
}

Status State::CopyResultsToHost() {
  for (StateArray* array : arrays_) {
    if (array->is_result()) array->UseOnHost(ElementUse::kRead);
  }
  return status();
}

void State::DropWork() {
  for (StateArray* array : arrays_) {
    if (array->is_result()) continue;
    array->info_.copy = nullptr;
    array->memory_ = Buffer();
    array->reservation_ = MemoryReservation();
  }
}

}  // namespace edgemill
