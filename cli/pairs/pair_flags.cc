#include "cli/pairs/pair_flags.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace edgemill::cli {
namespace {

/// The names of measures, the default first.
std::vector<std::string> Measures() {
  std::vector<std::string> names;
  for (std::string_view left = kSimilarityMeasures; !left.empty();) {
    const size_t end = std::min(left.find('|'), left.size());
    names.emplace_back(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return names;
}

}  // namespace

void PairFlags::Declare(OptionSet& options) {
  options.Choice("--measure", &measure_, Measures(),
                 "what is computed of the neighbours of two vertices");
  options.Choice("--neighbors", &neighbors_, {"out", "in"},
                 "which edges of a directed graph lead to the neighbours of a vertex");
}

PairOptions PairFlags::Options() const {
  return {.measure = SimilarityMeasureOf(measure_),
          .neighbors = neighbors_ == "in" ? Direction::kIn : Direction::kOut};
}

}  // namespace edgemill::cli
