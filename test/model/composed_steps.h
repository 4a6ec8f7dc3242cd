// A step of a composed sequence: one operator, or an operator and what prepares its arrays. Each is
// a struct with a name and a template Run(side, parameters), instantiated for the model and for the
// engine.
#pragma once

#include <span>

#include "test/model/composer.h"
#include "test/model/engine_running.h"
#include "test/model/model_engine.h"

namespace edgemill::model {

struct Step {
  const char* name;
  Status (*on_model)(Side<Engine>&, const StepParameters&);
  Status (*on_engine)(Side<RealEngine>&, const StepParameters&);
  bool only_pulls;    // its messages are too wide to be pushed
  bool order_counts;  // depends on the order of parallel edges of unlike weights
};

template <typename S>
Step StepOf() {
  Step step{S::kName, S::template Run<Engine>, S::template Run<RealEngine>, false, false};
  if constexpr (requires { S::kOnlyPulls; }) step.only_pulls = true;
  if constexpr (requires { S::kOrderCounts; }) step.order_counts = true;
  return step;
}

// By file, so that these are compiled side by side.
std::span<const Step> SumSteps();
std::span<const Step> RelaxingSteps();
std::span<const Step> FirstSteps();
std::span<const Step> VertexSteps();

}  // namespace edgemill::model
