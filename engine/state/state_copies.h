// The arrays of a State in other memories, for all arrays together.
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

/// The elements that arrays have at Begin.
enum class FirstElements : uint8_t {
  kZeros,  // nothing is copied: the other memories are filled with zeros, as Allocate does
  kHosts,  // the elements in the host's memory
};

/// Gives the arrays of a State other memories, from Begin until this is destroyed. Leaves out
/// arrays without elements, and arrays that stay on the host. The accessors of the arrays copy
/// elements between the memories where need be (array_copy.h).
class StateCopies {
 public:
  /// `state` must outlive this. `count`: the number of other memories.
  explicit StateCopies(State& state, MemoryId count = 1);
  ~StateCopies();
  StateCopies(const StateCopies&) = delete;
  StateCopies& operator=(const StateCopies&) = delete;

  /// Plans a place for each array in `memory`. The state need not be allocated, so that callers can
  /// also use a plan to count bytes.
  void Plan(ArenaPlan* arena, MemoryId memory = kFirstOtherMemory);
  /// Call it when the arenas have set the places, and the state is allocated. `homes`: one for each
  /// other memory; they must outlive this. Returns the errors of filling and of ArrayHome::Prepare.
  Status Begin(std::span<ArrayHome* const> homes, FirstElements first);
  /// Begins with one other memory.
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
