// Sorting on several threads, in place.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "common/status.h"
#include "common/threads/parallel.h"

namespace edgemill {

/// Sorts `values` by `before` on `threads` threads: halves them around the median until each thread
/// has its part (quickselect, then std::sort). Not stable. Uses fewer threads if no more can start.
template <typename T, typename Before>
void ParallelSort(std::span<T> values, int threads, const Before& before) {
  constexpr size_t kMinPart = 16384;  // fewer are not worth a thread
  if (threads <= 1 || values.size() < 2 * kMinPart) {
    std::sort(values.begin(), values.end(), before);
    return;
  }
  const size_t middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(middle), values.end(),
                   before);
  const auto half = [&](int i) {
    ParallelSort(i == 0 ? values.first(middle) : values.subspan(middle),
                 i == 0 ? threads / 2 : threads - threads / 2, before);
    return OkStatus();
  };
  if (RunThreads(2, half).ok()) return;
  for (const int i : {0, 1}) half(i).ok();
}

}  // namespace edgemill
