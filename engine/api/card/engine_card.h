// A run's card, as its Engine holds it.
#pragma once

#include <memory>
#include <string_view>

#include "engine/api/state.h"
#include "engine/gpu/gpu_operators.h"
#include "engine/gpu/workspace/pass_arrays.h"
#include "engine/plan/dispatcher.h"
#include "engine/plan/gpu_run.h"
#include "engine/program/mode.h"
#include "engine/report/recorder.h"

namespace edgemill {

#if defined(EDGEMILL_WITH_CUDA)
inline constexpr bool kMayHaveCard = true;
#else
inline constexpr bool kMayHaveCard = false;
#endif

/// What a run on a card has of it.
struct CardRun {
  const GpuRun& gpu;
  const CardNeeds& needs;
  std::string_view file;  // of the algorithm: by which kernels are found
  /// Of a run whose passes the CPU shares; null: the card does all.
  const Dispatcher* dispatcher = nullptr;
};

/// Sets that operators on a card hold on the host beside the driver's.
inline constexpr uint64_t kCardSets = 1;

/// The operators on a card, and the State's arrays there, for as long as it lives.
class EngineCard {
 public:
  /// BudgetError; GpuError.
  static StatusOr<std::unique_ptr<EngineCard>> Create(const CardRun& run, LoadedGraph& graph,
                                                      State& state, SetPool& pool, Mode mode,
                                                      Recorder& recorder);
  virtual ~EngineCard() = default;
  virtual GpuOperators& operators() = 0;
};

/// What passes of the programs of `state` need on a card; `shares`: that another processor shares.
CardNeeds CardNeedsOf(State& state, const GraphStore& store, Mode mode, uint32_t async_passes,
                      bool shares);

}  // namespace edgemill
