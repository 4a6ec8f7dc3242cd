// The arrays of a State in a second memory: planned, begun and forgotten together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/status.h"
#include "engine/device/arena_plan.h"
#include "engine/device/array_home.h"
#include "engine/program/arrays/array_copy.h"
#include "engine/state/state.h"

namespace edgemill {

/// What arrays hold when a second memory begins.
enum class FirstElements : uint8_t {
  kZeros,  // nothing is copied: the second memory is filled with zeros, as Allocate does
  kHosts,  // what the host's memory has
};

/// Gives the arrays of a State, but for those without elements and those that stay on the host, a
/// second memory, for as long as this lives and is begun. Accessors of the arrays keep the two in
/// step (array_copy.h).
class StateCopies {
 public:
  /// `state` must outlive this.
  explicit StateCopies(State& state);
  ~StateCopies();
  StateCopies(const StateCopies&) = delete;
  StateCopies& operator=(const StateCopies&) = delete;

  /// Plans a place for each array. Also to count bytes: for a state that has not been allocated.
  void Plan(ArenaPlan* arena);
  /// Once the arena has set the places, and the state is allocated. `home` must outlive this. The
  /// errors of filling and of ArrayHome::Prepare.
  Status Begin(ArrayHome& home, FirstElements first);

 private:
  struct Planned {
    StateArray* array;
    std::byte* place;
  };

  State& state_;
  std::vector<Planned> planned_;
  std::vector<ArrayCopy> copies_;
};

}  // namespace edgemill
