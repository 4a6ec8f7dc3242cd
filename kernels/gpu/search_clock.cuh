// Notes when the steps of a search end.
#pragma once

#include "kernels/gpu/search.h"

namespace edgemill {

__device__ inline unsigned long long Nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

/// Notes that `step` has ended. One thread calls it.
__device__ inline void NoteEnd(SearchClock& clock, SearchStep step) {
  const uint32_t number = clock.count;
  if (number >= SearchClock::kMost) return;
  clock.ends[number] = Nanoseconds();
  clock.steps[number] = step;
  clock.count = number + 1;
}

}  // namespace edgemill
