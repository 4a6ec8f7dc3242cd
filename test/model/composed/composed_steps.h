// A step of a composed sequence: one operator, perhaps after operators that prepare its arrays.
// Each step is a struct with a name and a template Run(side, parameters), which is instantiated for
// the model and for the engine. The files of steps are also compiled for GPUs, only for the engine.
// So helpers that programs call are constexpr or marked EM_HOST_DEVICE.
#pragma once

#include <span>

#include "test/model/composed/composer.h"
#if defined(EDGEMILL_GPU_FILE)
#include "engine/api/engine.h"
#else
#include "engine/model/model_engine.h"
#include "test/model/engine_running.h"
#endif

namespace edgemill::model {

#if defined(EDGEMILL_GPU_FILE)
class Engine;
using RealEngine = edgemill::Engine;
/// The name of the function that lists a file's steps. A GPU build uses another name than the host.
#define EM_STEPS_OF_FILE(name) name##ForGpus
#else
#define EM_STEPS_OF_FILE(name) name
#endif

/// The file name under which a GPU finds the kernels of all steps.
inline constexpr std::string_view kStepsGpuFile = "model_steps";

struct Step {
  const char* name;
  Status (*on_model)(Side<Engine>&, const StepParameters&);
  Status (*on_engine)(Side<RealEngine>&, const StepParameters&);
  bool only_pulls;    // its messages are too wide to be pushed
  bool order_counts;  // depends on the order of parallel edges with different weights
};

template <typename S>
Step StepOf() {
  Step step{S::kName, nullptr, S::template Run<RealEngine>, false, false};
#if !defined(EDGEMILL_GPU_FILE)
  step.on_model = S::template Run<Engine>;
#endif
  if constexpr (requires { S::kOnlyPulls; }) step.only_pulls = true;
  if constexpr (requires { S::kOrderCounts; }) step.order_counts = true;
  return step;
}

// One function for each file, so that the files are compiled in parallel.
std::span<const Step> EM_STEPS_OF_FILE(SumSteps)();
std::span<const Step> EM_STEPS_OF_FILE(RelaxingSteps)();
std::span<const Step> EM_STEPS_OF_FILE(FirstSteps)();
std::span<const Step> EM_STEPS_OF_FILE(ValueSteps)();
std::span<const Step> EM_STEPS_OF_FILE(VertexSteps)();

}  // namespace edgemill::model
