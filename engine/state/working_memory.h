// Memory beside its arrays that a driver reserves while it runs, as much as it then needs.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/state/state.h"

namespace edgemill {

/// Declares that the driver reserves memory of Engine::budget() for itself, of an amount that is
/// known only during the run. The plan keeps memory free of cached blocks for it: MostBytes
/// or, if there is less, seven eighths of what the run does not need. The
/// driver works on the CPU with this memory, so such a run is on the CPU.
class WorkingMemory : public StateArray {
 public:
  explicit WorkingMemory(State& state)
      : StateArray(state, kName, /*size=*/0, /*element_bytes=*/1, ArrayUse::kNone) {}
  /// Whether `state` declares it.
  static bool IsIn(const State& state) {
    for (const StateArray* const array : state.arrays()) {
      if (std::string_view(array->name()) == kName) return true;
    }
    return false;
  }
  /// Memory for a graph of so many vertices, with so many edges stored, and some arrays.
  static constexpr uint64_t MostBytes(uint64_t num_vertices, uint64_t num_edges) {
    return 128 * num_vertices + 16 * num_edges;
  }

 private:
  static constexpr char kName[] = "working memory";
};

}  // namespace edgemill
