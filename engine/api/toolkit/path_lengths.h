// Lengths of paths from a source: the state of searches over weights, and what verifies them.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>
#include <utility>

#include "engine/api/algorithm.h"
#include "engine/api/toolkit/plain_visit.h"
#include "engine/program/monoids.h"

namespace edgemill {

inline constexpr Option<double> kDelta{.names = "--delta",
                                       .help = "width of the buckets (default: by the mean weight)",
                                       .range = {.above = 0}};

/// The length of the path to a vertex that is not reached.
template <typename D>
constexpr D kUnreachedLength = Min<D>::identity();

/// Lengths of a type that any sum of two of them fits.
template <typename D>
using WideLength = std::conditional_t<std::is_floating_point_v<D>, double, uint64_t>;

/// How far a search came.
template <typename D>
struct Reach {
  uint64_t vertices = 0;
  D farthest = 0;
};

/// A length a vertex, in 8 bytes: doubles on graphs with real weights; on others integers of 64
/// bits, or of 32 where the driver found that these do.
class PathLengths : public VertexArray<uint64_t> {
 public:
  PathLengths(RunState& state, const char* name)
      : VertexArray<uint64_t>(state, name, ArrayUse::kResult), run_state_(state) {}

  bool real() const { return IsReal(run_state_.weights()); }
  /// The lengths are Ds from now on: 0 at `source`, and no other vertex reached.
  template <typename D>
  View<D> StartAt(VertexId source) {
    run_state_.set_form(sizeof(D) == sizeof(uint32_t) ? kNarrow : 0);
    FillAs<D>(kUnreachedLength<D>);
    SetAs<D>(source, 0);
    return view_as<D>();
  }
  /// How many vertices have a length, and the greatest.
  template <typename D>
  StatusOr<Reach<D>> ReachOf(Engine& engine) {
    using Parts = Both<Sum<uint64_t>, Max<D>>;
    const View<D> lengths = view_as<D>();
    ASSIGN_OR_RETURN(const auto found,
                     (engine.Reduce<Parts>(engine.sets().All(),
                                           CountReached<D>{{lengths.data(), lengths.array()}})));
    return Reach<D>{found.first, std::max(D{0}, found.second)};
  }
  /// Returns function(std::span<const D>) of the lengths as they are.
  template <typename F>
  auto Visit(F function) {
    if (real()) return function(span_as<double>());
    if (run_state_.form() == kNarrow) return function(span_as<uint32_t>());
    return function(span_as<uint64_t>());
  }

  template <typename D>
  struct CountReached {
    View<const D> length;
    typename Both<Sum<uint64_t>, Max<D>>::Value operator()(VertexId v) const {
      if (length[v] == kUnreachedLength<D>) return {0, 0};
      return {1, length[v]};
    }
  };

 private:
  static constexpr uint32_t kNarrow = 1;  // a State::form()

  static bool IsReal(WeightType weights) {
    return weights == WeightType::kFloat32 || weights == WeightType::kFloat64;
  }

  RunState& run_state_;
};

/// Tells users of a search over weights that there are none.
inline void NoteMissingWeights(const RunState& state, const RunContext& context) {
  if (state.weights() != WeightType::kNone) return;
  context.progress.Note(
      "the graph has no weights: every edge counts 1, as for bfs, which is faster");
}

/// The mean weight of a sample of edges, and the width of buckets by it.
class WeightSample {
 public:
  explicit WeightSample(State& state) : sum_(state, "sampled weights", 1), lists_(state, kOut) {}

  /// Of the first edges of vertices in a few places, for which few blocks are read; 1 where these
  /// have none, or no weight.
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
        engine.EdgeVisit(kOut, set, Slice{.count = kEdges}, Add{count.view(), sum_.view()}));
    ASSIGN_OR_RETURN(const uint64_t edges, count.Take());
    return edges == 0 ? 1 : sum_.Get(0) / static_cast<double>(edges);
  }
  /// Buckets as kDelta says, or by the sample. Narrow buckets relax fewer edges; wide ones take
  /// fewer rounds, and each round reads again what the cache does not hold.
  StatusOr<Buckets> BucketsFor(const RunState& state, Engine& engine, const RunContext& context) {
    if (state.Given(kDelta)) return Buckets{.width = state.Get(kDelta)};
    ASSIGN_OR_RETURN(const double mean, Mean(engine));
    const double width = mean > 0 ? mean * (context.fits_in_cache ? 1.0 / 16 : 1) : 1;
    // Whole for whole distances.
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
  VisitedLists lists_;
};

/// The state of CheckPathLengths.
struct PathCheck : RunState {
  using RunState::RunState;
  VertexBits founded{*this, "the verifier's marks"};
};

/// Checks least sums of weights, each a D, along out-edges. The source has length 0, no edge
/// shortens a path, and every other reached vertex is founded: an edge gives it exactly its length,
/// from a vertex that is nearer or, as weights may be 0, from one as near that is founded itself.
/// Such ties take another pass for each step against the order of the edges. Of a search that was
/// stopped (not `final`): edges may shorten paths, and what an edge gives may be less.
/// InternalError; the errors of PlainVisit.
template <typename D>
Status CheckPathLengths(LoadedGraph& graph, std::span<const D> length, VertexId source,
                        PathCheck& check, bool final = true) {
  VertexBits& founded = check.founded;
  using Wide = WideLength<D>;
  constexpr std::string_view kWrong = "has a distance that its in-edges do not give";
  if (length[source] != 0) return WrongVertex(graph, source, kWrong);
  founded.Add(source);
  while (true) {
    VertexId too_far = kInvalidVertex;
    uint8_t found_some = 0;
    RETURN_IF_ERROR(PlainVisit(graph, [&](const WeightedEdge<Wide>& edge) {
      if (length[edge.from] == kUnreachedLength<D>) return;
      const Wide from = length[edge.from], to = length[edge.to], through = from + edge.weight;
      const bool shortens = through < to || length[edge.to] == kUnreachedLength<D>;
      if (shortens && final) {
        AtomicMin(&too_far, edge.to);
      } else if ((final ? through == to : through <= to) &&
                 length[edge.to] != kUnreachedLength<D> && (from < to || founded.has(edge.from)) &&
                 founded.Add(edge.to) && LoadRelaxed(&found_some) == 0) {
        StoreRelaxed(&found_some, uint8_t{1});
      }
    }));
    RETURN_IF_ERROR(WrongVertex(graph, too_far, kWrong));
    ASSIGN_OR_RETURN(const VertexId unfounded, FirstVertexWhere(graph, [&](VertexId v) {
                       return length[v] != kUnreachedLength<D> && !founded.has(v);
                     }));
    if (unfounded == kInvalidVertex || found_some == 0) {
      return WrongVertex(graph, unfounded, kWrong);
    }
  }
}

}  // namespace edgemill
