#include "cli/nearest_word.h"

#include <algorithm>

#include "common/edit_distance.h"

namespace edgemill::cli {

std::string Nearest(std::string_view text, const std::vector<std::string>& candidates) {
  EditDistance from(text);
  std::string best;
  size_t best_distance = std::max<size_t>(2, text.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const bool is_start = text.size() > 3 && candidate.starts_with(text);
    const size_t distance = is_start ? 0 : from.To(candidate, best_distance - 1);
    if (distance < best_distance && distance < candidate.size()) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace edgemill::cli
