// Derives what the operators of a run need on a GPU from the declarations of the State.
#pragma once

#include <cstdint>

#include "engine/gpu/workspace/pass_arrays.h"
#include "engine/program/mode.h"
#include "engine/state/state.h"

namespace edgemill {

/// The sets that operators on a GPU hold on the host beside the driver's sets.
inline constexpr uint64_t kDeviceSets = 1;

/// Returns the needs of the programs and visits of `state`. `shares`: another processor may share
/// passes.
DeviceNeeds DeviceNeedsOf(State& state, const GraphStore& store, Mode mode, uint32_t async_passes,
                          bool shares);

}  // namespace edgemill
