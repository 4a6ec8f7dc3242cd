// The arrays of a State in other memories: planned, begun and forgotten together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/status.h"
#include "engine/device/arena_plan.h"
#include "engine/device/array_home.h"
#include "engine/program/arrays/array_copy.h"
#include "engine/state/state.h"

namespace edgemill {

/// What arrays hold when the other memories begin.
enum class FirstElements : uint8_t {
  kZeros,  // nothing is copied: the other memories are filled with zeros, as Allocate does
  kHosts,  // what the host's memory has
};

/// Gives the arrays of a State other memories, for as long as this lives and is begun. Not arrays
/// without elements, nor those that stay on the host. Accessors of the arrays keep all in step
/// (array_copy.h).
class StateCopies {
 public:
  /// `state` must outlive this. `count`: the number of other memories.
  explicit StateCopies(State& state, MemoryId count = 1);
  ~StateCopies();
  StateCopies(const StateCopies&) = delete;
  StateCopies& operator=(const StateCopies&) = delete;

  /// Plans a place for each array in `memory`. Also to count bytes: for a state that has not been
  /// allocated.
  void Plan(ArenaPlan* arena, MemoryId memory = kFirstOtherMemory);
  /// Once the arenas have set the places, and the state is allocated. `homes`: of each other
  /// memory, must outlive this. The errors of filling and of ArrayHome::Prepare.
  Status Begin(std::span<ArrayHome* const> homes, FirstElements first);
  /// Begin with one other memory.
  Status Begin(ArrayHome& home, FirstElements first) {
    ArrayHome* const homes[] = {&home};
    return Begin(homes, first);
  }

 private:
  struct Planned {
    StateArray* array;
    std::vector<std::byte*> addresses;  // in each other memory
  };

  State& state_;
  std::vector<Planned> planned_;
  std::vector<ArrayCopy> copies_;
};

}  // namespace edgemill
