#include "cli/options/nearest_word.h"

#include <algorithm>

#include "common/edit_distance.h"
#include "common/strings.h"

namespace edgemill::cli {

std::string Nearest(std::string_view text, const std::vector<std::string>& candidates) {
  EditDistance from(text);
  std::string best;
  // A word that is farther away is hardly a typing error.
  size_t best_distance = (text.size() < 5 ? 1 : text.size() < 10 ? 2 : 3) + 1;
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

std::string DidYouMean(std::string_view text, const std::vector<std::string>& candidates,
                       std::string_view otherwise) {
  const std::string nearest = Nearest(text, candidates);
  return nearest.empty() ? std::string(otherwise) : StrCat("did you mean ", nearest, "?");
}

}  // namespace edgemill::cli
