// Single-source shortest paths with weights that are not negative.
//
// Result   distance[v]: the least sum of weights on a path from the source along out-edges, or
//          unreached. 64-bit integers for integer weights, doubles for real ones; without weights
//          every edge counts 1.
// Method   Buckets, as delta-stepping: vertices whose distance improved are active; those in the
//          lowest bucket push their distance plus weight along their out-edges, by atomic minimum;
//          the others wait. The result is a fixed point, the same bits whatever the threads. Delta
//          grows while buckets are done in one go, and shrinks when they take many: a crowd at
//          medium distances needs narrow buckets, the long tail of most graphs would take hundreds.
// Paper    Meyer, Sanders: Delta-stepping, J. Algorithms 2003. Light and heavy edges are not told
//          apart.
// State    8 bytes a vertex. Integers are tried in 4 of them first: while no distance is 2^31 or
//          more, no sum along a shortest path has passed 2^32; else the search is done again.
#include <cmath>

#include "common/units.h"
#include "engine/api/algorithm.h"
#include "engine/api/plain_visit.h"
#include "engine/old/algorithms/gpu_algorithm.h"

namespace edgemill {
namespace {

/// The first delta, in mean weights. Narrow buckets relax fewer edges; wide ones take fewer rounds,
/// and each round reads again what the cache does not hold.
constexpr double kDeltaMeanWeightsCached = 0.0625;
constexpr double kDeltaMeanWeightsRead = 1;
/// Vertices whose edges are looked at to choose delta.
constexpr uint64_t kSampledVertices = 4096;

constexpr uint32_t kNarrow = 1;  // a form of the results

template <typename D>
constexpr D kFar = Min<D>::identity();

template <typename W, typename D>
struct Shorten {
  using Monoid = Min<D>;
  View<D> distance;
  D Emit(VertexId u) const { return distance[u]; }
  D Along(D length, const WeightedEdge<W>& edge) const {
    const D sum = length + static_cast<D>(edge.weight);
    return sum < length ? kFar<D> : sum;  // does not fit: too far for this type
  }
  bool Relax(VertexId v, D length) { return AtomicMin(distance[v], length); }
  double Priority(VertexId v) const { return static_cast<double>(distance[v]); }
};

struct MeanWeight {
  TallyView<Sum<uint64_t>> count;
  Into<Sum<double>> sum;
  void operator()(const WeightedEdge<double>& edge) {
    count.Add(1);
    sum.Add(0, edge.weight);
  }
};

template <typename D>
struct Reach {  // how many are reached, and the farthest distance
  using Monoid = Both<Sum<uint64_t>, Max<D>>;
  View<const D> distance;
  typename Monoid::Value operator()(VertexId v) const {
    if (distance[v] == kFar<D>) return {0, 0};
    return {1, distance[v]};
  }
};

struct SsspState : State {
  explicit SsspState(const RunSetup& setup)
      : State(setup.num_vertices(), setup.threads()),
        is_real(setup.store.info().weights == WeightType::kFloat32 ||
                setup.store.info().weights == WeightType::kFloat64) {}
  const bool is_real;
  // Doubles, integers of 64 bits or, where form() is kNarrow, of 32.
  VertexArray<uint64_t> distance{*this, "distance", ArrayUse::kResult};
  Counters<Sum<double>> weights{*this, "sampled weights", 1};
  VisitedLists sampled{*this, kOut};
  Programs<Shorten<double, double>, Shorten<int32_t, uint64_t>> programs{*this, kOut};
};

Status Check(const RunSetup& setup) {
  const std::optional<double>& delta = setup.options.delta;
  if (setup.store.info().has_negative_weight) {
    return UsageError(StrCat(setup.store.path(),
                             " has negative weights, and sssp takes none: shift or drop them and "
                             "ingest again, or ingest with --weights none"));
  }
  if (delta.has_value() && !(*delta > 0 && std::isfinite(*delta))) {
    return UsageError(StrCat("--delta ", *delta, ": must be above 0"));
  }
  if (setup.store.info().directed && !setup.store.has(ColumnKind::kOutOffsets)) {
    return UsageError(
        StrCat(setup.store.path(),
               " has no out-columns, which sssp needs: ingest it with --columns both"));
  }
  return OkStatus();
}

/// The default delta: a multiple of the mean weight of the first edge of some vertices.
StatusOr<double> ChooseDelta(Engine& engine, SsspState& state, double mean_weights) {
  std::vector<VertexId> sample;
  const uint64_t step = engine.num_vertices() / kSampledVertices + 1;
  for (uint64_t v = 0; v < engine.num_vertices(); v += step)
    sample.push_back(static_cast<VertexId>(v));
  ASSIGN_OR_RETURN(const VertexSet set, engine.sets().Of(sample));
  Tally<Sum<uint64_t>> count("sampled edges");
  state.weights.Reset();
  RETURN_IF_ERROR(engine.EdgeVisit(kOut, set, Slice{.count = 1},
                                   MeanWeight{count.view(), state.weights.view()}));
  ASSIGN_OR_RETURN(const uint64_t edges, count.Take());
  const double mean = edges == 0 ? 1 : state.weights.Get(0) / static_cast<double>(edges);
  return mean > 0 ? mean * mean_weights : 1.0;
}

template <typename W, typename D>
StatusOr<D> SearchAs(Engine& engine, SsspState& state, VertexId source, const Buckets& buckets,
                     Answer* answer) {
  const std::span<D> distance = state.distance.as<D>();
  ForEachChunk(distance.size(), kVertexChunk, engine.threads(), [&](size_t begin, size_t end) {
    std::fill(distance.begin() + begin, distance.begin() + end, kFar<D>);
  });
  distance[source] = 0;
  const View<D> view = state.distance.view_as<D>();
  ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of({source}));
  RETURN_IF_ERROR(engine.Bucketed(kOut, std::move(from), Shorten<W, D>{view}, buckets).status());
  const Reach<D> reach{View<const D>(view.data(), view.array())};
  ASSIGN_OR_RETURN(const auto found,
                   (engine.Reduce<typename Reach<D>::Monoid>(engine.sets().All(), reach)));
  using Wide = std::conditional_t<std::is_floating_point_v<D>, double, uint64_t>;
  const auto farthest = std::max(D{0}, found.second);
  answer->facts = {{"reached",
                    StrCat(FormatCount(found.first), " of ", FormatCount(engine.num_vertices())),
                    {{"reached_vertices", found.first}}},
                   {"farthest distance", StrCat(farthest), {{"farthest_distance", Wide{farthest}}}},
                   {"delta", StrCat(buckets.width), {{"delta", buckets.width}}}};
  return farthest;
}

Status Search(Engine& engine, SsspState& state, const RunContext& context, Answer* answer) {
  const VertexId source = context.source;
  if (engine.graph().info().weights == WeightType::kNone) {
    context.progress.Note(
        "the graph has no weights: every edge counts 1, as for bfs, which is faster");
  }
  Buckets buckets{.adaptive = !context.options.delta.has_value()};
  if (buckets.adaptive) {
    ASSIGN_OR_RETURN(buckets.width, ChooseDelta(engine, state,
                                                context.fits_in_cache ? kDeltaMeanWeightsCached
                                                                      : kDeltaMeanWeightsRead));
  } else {
    buckets.width = *context.options.delta;
  }
  if (state.is_real) {
    RETURN_IF_ERROR((SearchAs<double, double>(engine, state, source, buckets, answer).status()));
  } else {
    ASSIGN_OR_RETURN(const uint32_t farthest,
                     (SearchAs<int32_t, uint32_t>(engine, state, source, buckets, answer)));
    // Weights are below 2^31: sums that do not fit come after a distance of 2^31 or more.
    state.set_form(farthest >> 31 == 0 ? kNarrow : 0);
    if (state.form() != kNarrow) {
      RETURN_IF_ERROR(
          (SearchAs<int32_t, uint64_t>(engine, state, source, buckets, answer).status()));
    }
  }
  const auto column = [&](auto values) { answer->column = ValueColumn("distance", values); };
  if (state.is_real) {
    column(state.distance.as<double>());
  } else if (state.form() == kNarrow) {
    column(state.distance.as<uint32_t>());
  } else {
    column(state.distance.as<uint64_t>());
  }
  return OkStatus();
}

struct SsspCheck : State {
  explicit SsspCheck(const RunSetup& setup) : State(setup.num_vertices(), setup.threads()) {}
  VertexBits founded{*this, "the verifier's marks"};
};

/// The source has distance 0, no edge shortens a path, and every other reached vertex is founded:
/// an edge gives it exactly its distance, from a vertex that is nearer or, as weights may be 0,
/// from one as near that is founded itself. Such ties take another pass for each step against the
/// order of the edges.
template <typename W, typename D>
Status VerifyAs(LoadedGraph& graph, std::span<const D> distance, SsspCheck& check,
                VertexId source) {
  using Wide = std::conditional_t<std::is_floating_point_v<D>, double, uint64_t>;
  const auto wrong = [&graph](VertexId vertex) {
    return WrongVertex(graph, "SSSP", vertex, "has a distance that its in-edges do not give");
  };
  if (distance[source] != 0) return wrong(source);
  check.founded.Add(source);
  while (true) {
    VertexId too_far = kInvalidVertex;
    uint8_t found_some = 0;
    RETURN_IF_ERROR(PlainVisit(graph, [&](const WeightedEdge<W>& edge) {
      if (distance[edge.from] == kFar<D>) return;
      const Wide from = distance[edge.from], to = distance[edge.to];
      Wide through = from + 1;
      if constexpr (!std::is_same_v<W, NoWeight>) through = from + static_cast<Wide>(edge.weight);
      if (through < to || distance[edge.to] == kFar<D>) {
        AtomicMin(&too_far, edge.to);
      } else if (through == to && (from < to || check.founded.has(edge.from)) &&
                 check.founded.Add(edge.to) && LoadRelaxed(&found_some) == 0) {
        StoreRelaxed(&found_some, uint8_t{1});
      }
    }));
    RETURN_IF_ERROR(wrong(too_far));
    ASSIGN_OR_RETURN(const VertexId unfounded, FirstVertexWhere(graph, [&](VertexId vertex) {
                       return distance[vertex] != kFar<D> && !check.founded.has(vertex);
                     }));
    if (unfounded == kInvalidVertex || found_some == 0) return wrong(unfounded);
  }
}

template <typename W>
Status VerifyIntegers(LoadedGraph& graph, SsspState& state, SsspCheck& check, VertexId source) {
  if (state.form() == kNarrow) {
    return VerifyAs<W, uint32_t>(graph, state.distance.as<uint32_t>(), check, source);
  }
  return VerifyAs<W, uint64_t>(graph, state.distance.as<uint64_t>(), check, source);
}

Status Verify(LoadedGraph& graph, SsspState& state, SsspCheck& check, const RunContext& context) {
  switch (graph.info().weights) {
    case WeightType::kFloat32:
      return VerifyAs<float, double>(graph, state.distance.as<double>(), check, context.source);
    case WeightType::kFloat64:
      return VerifyAs<double, double>(graph, state.distance.as<double>(), check, context.source);
    case WeightType::kInt32:
      return VerifyIntegers<int32_t>(graph, state, check, context.source);
    case WeightType::kNone:
      break;
  }
  return VerifyIntegers<NoWeight>(graph, state, check, context.source);
}

}  // namespace

const Algorithm kSssp = {
    .help = {.name = "sssp",
             .aliases = {"sssp-delta"},
             .summary = "distances from a source over weights that are not negative",
             .text = R"(Finds for every vertex the least sum of weights on a path from the source
(-r ID) along out-edges; on symmetric graphs edges go both ways. The source has distance 0;
unreachable vertices are written as inf. Integer weights give exact distances of up to 64 bits,
real weights (float, double) sums in double, taken from the source on. A graph without weights
counts 1 an edge, with a note. Of duplicate edges the lightest counts; loops change nothing. A
graph with any negative weight is refused, as is an unknown source.
--delta is the width of the buckets in which vertices are taken (default: a sixteenth of the mean
weight of a sample while the graph stays in memory, else the mean weight; wider while buckets are
done in one go); it changes the time, not the answer.
Needs out-columns. Memory: 4 bytes a vertex for the index, 8 for distances, 3/4 for frontiers.
Paper: Meyer and Sanders, Delta-stepping, J. Algorithms 2003.
)",
             .options = {"-r", "--delta", "--mode", "--async", "--async-passes"}},
    .check = Check,
    .make_state = MakeState<SsspState>,
    .run = kTyped<Search>,
    .make_check_state = MakeState<SsspCheck>,
    .verify = kTyped<Verify>,
    .gpu = kSsspOnGpu,
};

}  // namespace edgemill
