// What searches over weights share: the width of their buckets, a note where there are no weights,
// and the number of vertices that they reached.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "engine/api/algorithm.h"
#include "engine/program/monoids/monoids.h"

namespace edgemill {

inline constexpr Option<double> kDelta{.names = "--delta",
                                       .help = "width of the buckets (default: by the mean weight)",
                                       .range = {.above = 0}};

/// Whether the weights are real numbers.
constexpr bool HasRealWeights(WeightType weights) {
  return weights == WeightType::kFloat32 || weights == WeightType::kFloat64;
}

/// Algorithm::note_without_weights of searches over weights.
inline constexpr std::string_view kNoWeightsNote =
    "the graph has no weights: every edge counts 1, as for bfs, which is faster";

inline namespace EM_VIEWS_NAMESPACE {

/// The mean weight of a sample of edges, and the width of buckets by it.
class WeightSample {
 public:
  /// `wanted`: whether the run takes the sample.
  explicit WeightSample(RunState& state, bool wanted = true)
      : sum_(state, "sampled weights", 1),
        direction_(state.weighted_lists()),
        lists_(state, direction_, wanted) {}

  /// The mean over the first edges of vertices in a few places, so that few blocks are read. 1
  /// where these vertices have no edges, or the graph has no weights.
  StatusOr<double> Mean(Engine& engine) {
    std::vector<VertexId> sample;
    const uint64_t vertices = engine.num_vertices();
    for (uint64_t place = 0; place < kPlaces; ++place) {
      const uint64_t first = place * (vertices / kPlaces);
      for (uint64_t v = first; v < std::min(vertices, first + kVertices); ++v) {
        sample.push_back(static_cast<VertexId>(v));
      }
    }
    ASSIGN_OR_RETURN(const VertexSet set, engine.sets().Of(sample));
    Tally<Sum<uint64_t>> count("sampled edges");
    sum_.Reset();
    RETURN_IF_ERROR(
        engine.EdgeVisit(direction_, set, Slice{.count = kEdges}, Add{count.view(), sum_.view()}));
    ASSIGN_OR_RETURN(const uint64_t edges, count.Take());
    return edges == 0 ? 1 : sum_.Get(0) / static_cast<double>(edges);
  }
  /// Buckets of the width kDelta or, without that option, of a width from the sample. Narrow
  /// buckets relax fewer edges. Wide ones take fewer rounds, each of which reads again what the
  /// cache does not hold.
  StatusOr<Buckets> BucketsFor(const RunState& state, Engine& engine, const RunContext& context) {
    if (state.Given(kDelta)) return Buckets{.width = state.Get(kDelta)};
    ASSIGN_OR_RETURN(const double mean, Mean(engine));
    constexpr double kMin = std::numeric_limits<double>::min();
    constexpr double kMax = std::numeric_limits<double>::max();
    const double share = context.fits_in_cache ? 1.0 / 16 : 1;
    const double width = mean > 0 ? std::clamp(mean * share, kMin, kMax) : 1;
    // Widths above 1 are rounded to whole numbers, for whole distances.
    return Buckets{.width = width > 1 ? std::round(width) : width, .adaptive = true};
  }

  struct Add {
    TallyView<Sum<uint64_t>> count;
    Into<Sum<double>> sum;
    void operator()(const WeightedEdge<double>& edge) {
      count.Add(1);
      sum.Add(0, edge.weight);
    }
  };

 private:
  static constexpr uint64_t kPlaces = 4;
  static constexpr uint64_t kVertices = 1024;  // in each
  static constexpr uint64_t kEdges = 16;       // of each vertex, at most

  Counters<Sum<double>> sum_;
  const Directions direction_;
  VisitedLists lists_;
};

/// Counts the vertices whose value is not `none`, the value of vertices without a path. Combines
/// the values of the counted vertices by M.
template <typename M>
struct CountReached {
  using Monoid = Both<Sum<uint64_t>, M>;
  View<const typename M::Value> value;
  typename M::Value none;
  typename Monoid::Value operator()(VertexId v) const {
    if (value[v] == none) return Monoid::identity();
    return {1, value[v]};
  }
};

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill
