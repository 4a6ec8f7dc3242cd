#include "cli/walks/walk_flags.h"

namespace edgemill::cli {
namespace {

constexpr uint64_t kMostWalksAVertex = 1'000'000;

}  // namespace

void WalkFlags::Declare(OptionSet& options) {
  options.Number("-l,--length", &walk_.length, "N", "steps of a walk (default 80)",
                 {.least = 1, .most = kMostWalkSteps});
  options.Number("-n,--walks-per-vertex", &walk_.walks_per_start, "N",
                 "walks from each start (default 10)", {.least = 1, .most = kMostWalksAVertex});
  options.Flag("--weighted", &walk_.weighted, "take edges in the share of their weights");
  const NumberRange<double> bias{.least = kLeastBias, .most = kMostBias};
  options.Real("-p,--return", &walk_.p, "P", "node2vec: the edge back counts 1 / P (default 1)",
               bias);
  options.Real("-q,--in-out", &walk_.q, "Q",
               "node2vec: edges to vertices away from the last one count 1 / Q (default 1)", bias);
  options.Choice("--neighbors", &neighbors_, {"out", "in"},
                 "which edges of a directed graph walks follow");
  options.Number("--seed", &walk_.seed, "N", "which walks, of all that could be (default 0)");
}

WalkOptions WalkFlags::Options() const {
  WalkOptions walk = walk_;
  walk.neighbors = neighbors_ == "in" ? Direction::kIn : Direction::kOut;
  return walk;
}

StatusOr<WalkOptions> WalkFlags::Options(const GraphInfo& info) const {
  if (walk_.weighted && info.weights == WeightType::kNone) {
    return UsageError("walks: --weighted: the graph has no weights");
  }
  if (walk_.weighted && info.has_negative_weight) {
    return UsageError("walks: --weighted: the graph has weights below 0");
  }
  return Options();
}

}  // namespace edgemill::cli
