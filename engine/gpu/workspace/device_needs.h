// Derives what the operators of a run need on a GPU from the declarations of the State.
#pragma once

#include <cstdint>

#include "engine/gpu/workspace/pass_arrays.h"
#include "engine/program/mode.h"
#include "engine/state/state.h"

namespace edgemill {

/// The sets that operators on a GPU hold on the host beside the driver's sets.
inline constexpr uint64_t kDeviceSets = 1;

/// What may share passes with a GPU.
enum class Sharing : uint8_t { kNothing, kHost, kOtherGpus };

/// Returns the needs of the programs and visits of `state`.
DeviceNeeds DeviceNeedsOf(State& state, const GraphStore& store, Mode mode, uint32_t async_passes,
                          Sharing sharing = Sharing::kNothing);
/// What a GPU needs that helps another one, which needs `main`, in its passes.
DeviceNeeds HelperNeedsOf(const DeviceNeeds& main);

}  // namespace edgemill
