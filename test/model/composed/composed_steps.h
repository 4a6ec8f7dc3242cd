// A step of a composed sequence: one operator, or an operator and what prepares its arrays. Each is
// a struct with a name and a template Run(side, parameters), instantiated for the model and for the
// engine. The files of steps are compiled for GPUs too, where they have the engine alone: helpers
// that programs call are constexpr or have EM_HOST_DEVICE before them.
#pragma once

#include <span>

#include "test/model/composed/composer.h"
#if defined(EDGEMILL_CARD_FILE)
#include "engine/api/engine.h"
#else
#include "test/model/engine_running.h"
#include "test/model/model_engine.h"
#endif

namespace edgemill::model {

#if defined(EDGEMILL_CARD_FILE)
class Engine;
using RealEngine = edgemill::Engine;
/// The name of a function that lists a file's steps: there is one for the host already.
#define EM_STEPS_OF_FILE(name) name##ForGpus
#else
#define EM_STEPS_OF_FILE(name) name
#endif

/// By which the kernels of all steps are found on a GPU.
inline constexpr std::string_view kStepsGpuFile = "model_steps";

struct Step {
  const char* name;
  Status (*on_model)(Side<Engine>&, const StepParameters&);
  Status (*on_engine)(Side<RealEngine>&, const StepParameters&);
  bool only_pulls;    // its messages are too wide to be pushed
  bool order_counts;  // depends on the order of parallel edges of unlike weights
};

template <typename S>
Step StepOf() {
  Step step{S::kName, nullptr, S::template Run<RealEngine>, false, false};
#if !defined(EDGEMILL_CARD_FILE)
  step.on_model = S::template Run<Engine>;
#endif
  if constexpr (requires { S::kOnlyPulls; }) step.only_pulls = true;
  if constexpr (requires { S::kOrderCounts; }) step.order_counts = true;
  return step;
}

// By file, so that these are compiled side by side.
std::span<const Step> EM_STEPS_OF_FILE(SumSteps)();
std::span<const Step> EM_STEPS_OF_FILE(RelaxingSteps)();
std::span<const Step> EM_STEPS_OF_FILE(FirstSteps)();
std::span<const Step> EM_STEPS_OF_FILE(ValueSteps)();
std::span<const Step> EM_STEPS_OF_FILE(VertexSteps)();

}  // namespace edgemill::model
