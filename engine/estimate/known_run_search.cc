#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/estimate/known_runs.h"

namespace edgemill {
namespace {

/// How little two shapes have in common: 1 is a factor of e in the degree, or a direction.
double Distance(const GraphShape& a, const GraphShape& b) {
  constexpr double kBitsWeight = 4;  // a quarter more or fewer bits count as much
  constexpr double kLeastDegree = 0.5;
  const double degrees = std::log(std::max(a.mean_degree, kLeastDegree)) -
                         std::log(std::max(b.mean_degree, kLeastDegree));
  return std::abs(degrees) + kBitsWeight * std::abs(a.neighbor_bits - b.neighbor_bits) +
         (a.directed == b.directed ? 0 : 1);
}

/// The power law through two points, at `x`. Measures that differ by less than a pass say nothing
/// about growth; and nothing here grows faster than the square root, the distances on a mesh.
double PowerAt(double x, double x0, double y0, double x1, double y1) {
  if (y0 <= 0 || y1 <= 0) return std::max(y0, y1);
  const double slope = std::log(y1 / y0) / std::log(x1 / x0);
  return y1 * std::pow(x / x1, std::clamp(slope, 0.0, 0.5));
}

}  // namespace

std::string_view KindLike(const GraphShape& shape) {
  std::string_view best;
  double least = std::numeric_limits<double>::infinity();
  for (const KnownGraph& known : KnownGraphs()) {
    const double distance = Distance(shape, known.shape);
    if (distance >= least) continue;
    least = distance;
    best = known.kind;
  }
  return best;
}

const KnownRun* FindKnownRun(std::string_view algorithm, std::string_view kind) {
  for (const KnownRun& run : KnownRuns()) {
    if (run.algorithm == algorithm && run.kind == kind) return &run;
  }
  return nullptr;
}

RunSize Extrapolate(const KnownRun& run, double vertices) {
  const auto at = [&](double RunSize::*measure) {
    return PowerAt(std::max(vertices, 1.0), run.small.vertices, run.small.*measure,
                   run.large.vertices, run.large.*measure);
  };
  return {.vertices = vertices,
          .iterations = at(&RunSize::iterations),
          .passes = at(&RunSize::passes),
          .reads_cached = run.large.reads_cached,
          .reads_uncached = at(&RunSize::reads_uncached)};
}

}  // namespace edgemill
