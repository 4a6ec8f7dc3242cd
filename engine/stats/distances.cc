#include "engine/stats/distances.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "common/strings.h"

namespace edgemill {
namespace {

/// What a search found.
struct Search {
  std::vector<uint64_t> vertices;  // by level
  ExternalId farthest = 0;         // the one of least id on the last level

  uint64_t eccentricity() const { return vertices.empty() ? 0 : vertices.size() - 1; }
  uint64_t reached() const {
    return std::accumulate(vertices.begin(), vertices.end(), uint64_t{0});
  }
};

StatusOr<Search> SearchFrom(const GraphStore& store, ExternalId source, int threads,
                            const RunResources& resources) {
  ASSIGN_OR_RETURN(const std::unique_ptr<RunResult> result,
                   Run(store, SearchOptions(source, threads), resources.budget, resources.progress,
                       resources.make_reader));
  Search search;
  RETURN_IF_ERROR(result->Visit([&](std::span<const VertexValue> values) {
    for (const VertexValue& value : values) {
      if (!value.reached) continue;
      if (value.integer >= search.vertices.size()) {
        search.vertices.resize(value.integer + 1);
        search.farthest = value.id;
      }
      ++search.vertices[value.integer];
    }
    return OkStatus();
  }));
  return search;
}

/// Student's t that chance exceeds, in either direction, once in 20 times.
double StudentT95(size_t degrees_of_freedom) {
  constexpr double kTable[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262,
                               2.228,  2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101,
                               2.093,  2.086, 2.080, 2.074, 2.069, 2.064, 2.060};
  const size_t last = std::size(kTable);
  return degrees_of_freedom <= last ? kTable[degrees_of_freedom - 1] : kTable[last - 1];
}

/// The sum of the distances, and the number of pairs, of a search.
std::pair<double, double> SumAndPairs(const Search& search) {
  double sum = 0, pairs = 0;
  for (size_t level = 1; level < search.vertices.size(); ++level) {
    const auto vertices = static_cast<double>(search.vertices[level]);
    sum += vertices * static_cast<double>(level);
    pairs += vertices;
  }
  return {sum, pairs};
}

/// The mean distance of all pairs, and its band by leaving out one source at a time.
void AddMean(const std::vector<Search>& searches, DistanceEstimates* estimates) {
  double sum = 0, pairs = 0;
  for (const Search& search : searches) {
    const auto [of_sum, of_pairs] = SumAndPairs(search);
    sum += of_sum;
    pairs += of_pairs;
  }
  if (pairs == 0) return;
  estimates->mean = sum / pairs;
  if (estimates->exact) {
    estimates->mean_low = estimates->mean_high = estimates->mean;
    return;
  }
  std::vector<double> without;
  for (const Search& search : searches) {
    const auto [of_sum, of_pairs] = SumAndPairs(search);
    if (pairs > of_pairs) without.push_back((sum - of_sum) / (pairs - of_pairs));
  }
  if (without.size() < 3) return;
  const auto n = static_cast<double>(without.size());
  const double middle = std::accumulate(without.begin(), without.end(), 0.0) / n;
  double squares = 0;
  for (const double mean : without) squares += (mean - middle) * (mean - middle);
  const double width = StudentT95(without.size() - 1) * std::sqrt((n - 1) / n * squares);
  estimates->mean_low = std::max(1.0, estimates->mean - width);
  estimates->mean_high = estimates->mean + width;
}

/// The distance that 90 % of the pairs do not exceed.
double EffectiveDiameter(const std::vector<uint64_t>& pairs) {
  constexpr double kShare = 0.9;
  const auto all = static_cast<double>(std::accumulate(pairs.begin(), pairs.end(), uint64_t{0}));
  double below = 0;
  for (size_t level = 1; level < pairs.size(); ++level) {
    const auto here = static_cast<double>(pairs[level]);
    if (here > 0 && below + here >= kShare * all) {
      return static_cast<double>(level - 1) + (kShare * all - below) / here;
    }
    below += here;
  }
  return 0;
}

/// Twice the least eccentricity of a source in the only component of the largest size; unset where
/// no source is in it.
std::optional<uint64_t> DiameterBound(const std::vector<Search>& searches,
                                      const ComponentCounts& components) {
  if (components.sizes.empty() || components.sizes.rbegin()->second != 1) return std::nullopt;
  std::optional<uint64_t> least;
  for (const Search& search : searches) {
    if (search.reached() != components.largest) continue;
    least = std::min(least.value_or(search.eccentricity()), search.eccentricity());
  }
  return least.has_value() ? std::optional(2 * *least) : std::nullopt;
}

}  // namespace

RunOptions SearchOptions(ExternalId source, int threads) {
  RunOptions options;
  options.algorithm = "bfs";
  options.values.Set("--source", InputVertex{source});
  options.threads = threads;
  return options;
}

StatusOr<DistanceEstimates> EstimateDistances(const GraphStore& store,
                                              const std::vector<ExternalId>& sources, int threads,
                                              const std::optional<ComponentCounts>& components,
                                              const RunResources& resources) {
  DistanceEstimates estimates{.sources = sources.size(),
                              .exact = sources.size() == store.info().num_vertices};
  constexpr size_t kSweeps = 2;
  const size_t all = sources.size() + (estimates.exact ? 0 : kSweeps);
  std::vector<Search> searches;
  const auto search_from = [&](ExternalId source) -> Status {
    resources.progress.StartRound(StrCat("search ", searches.size() + 1, " of ", all));
    ASSIGN_OR_RETURN(Search search, SearchFrom(store, source, threads, resources));
    searches.push_back(std::move(search));
    return OkStatus();
  };
  const auto farthest = [&] {
    return *std::max_element(searches.begin(), searches.end(), [](const auto& a, const auto& b) {
      return a.eccentricity() < b.eccentricity();
    });
  };
  for (const ExternalId source : sources) RETURN_IF_ERROR(search_from(source));
  if (searches.empty()) return estimates;
  for (const Search& search : searches) {
    estimates.pairs.resize(std::max(estimates.pairs.size(), search.vertices.size()));
    for (size_t level = 1; level < search.vertices.size(); ++level) {
      estimates.pairs[level] += search.vertices[level];
    }
  }
  AddMean(searches, &estimates);
  estimates.effective_diameter = EffectiveDiameter(estimates.pairs);
  for (size_t sweep = 0; sweep < kSweeps && !estimates.exact; ++sweep) {
    const Search last = sweep == 0 ? farthest() : searches.back();
    if (last.eccentricity() > 0) RETURN_IF_ERROR(search_from(last.farthest));
  }
  estimates.diameter_low = farthest().eccentricity();
  if (estimates.exact) {
    estimates.diameter_high = estimates.diameter_low;
  } else if (!store.info().directed && components.has_value()) {
    estimates.diameter_high = DiameterBound(searches, *components);
  }
  return estimates;
}

}  // namespace edgemill
