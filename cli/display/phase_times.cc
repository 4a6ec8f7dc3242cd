#include "cli/display/phase_times.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "common/status.h"
#include "common/strings.h"

namespace edgemill::cli {

std::string PhaseTimesText(const PhaseTimes& times) {
  std::vector<std::pair<double, std::string_view>> waits = {{times.core_seconds, "core"}};
  for (size_t i = 0; i < kNumWaitCauses; ++i) {
    waits.push_back({times.wait_seconds[i], WaitCauseName(static_cast<WaitCause>(i))});
  }
  std::sort(waits.rbegin(), waits.rend());
  const double percent = 100 / std::max(times.threads * times.wall_seconds, 1e-9);
  std::string text =
      StrCat(times.threads, times.threads == 1 ? " thread" : " threads", ": processor ",
             FormatFixed(percent * times.processor_seconds, 0), " %");
  for (const auto& [seconds, name] : waits) {
    if (percent * seconds < 0.5) break;
    text += StrCat(", ", name, " ", FormatFixed(percent * seconds, 0), " %");
  }
  return text;
}

}  // namespace edgemill::cli
