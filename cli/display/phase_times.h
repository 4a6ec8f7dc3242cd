// How the program shows where the time of threads went.
#pragma once

#include <string>

#include "common/thread_times.h"

namespace edgemill::cli {

/// "2 threads: processor 71 %, disk 12 %, idle 17 %". These are shares of threads x wall time, with
/// waits in descending order. Waits below half a percent are left out.
std::string PhaseTimesText(const PhaseTimes& times);

/// One of nlohmann's objects, in seconds. All values but "wall_seconds" are sums over threads.
template <typename Json>
Json PhaseTimesJson(const PhaseTimes& times) {
  Json waits = Json::object();
  for (size_t i = 0; i < kNumWaitCauses; ++i) {
    waits[std::string(WaitCauseName(static_cast<WaitCause>(i)))] = times.wait_seconds[i];
  }
  waits["core"] = times.core_seconds;
  return {{"threads", times.threads},
          {"wall_seconds", times.wall_seconds},
          {"processor_seconds", times.processor_seconds},
          {"wait_seconds", std::move(waits)},
          {"unaccounted_seconds", times.unaccounted_seconds()},
          {"background_processor_seconds", times.background_seconds}};
}

}  // namespace edgemill::cli
