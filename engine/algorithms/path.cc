// A shortest path from one vertex to another.
//
// Result   step[v]: the place of v on the path, from 0 at the source; other vertices have none. The
//          path follows out-edges and has the fewest edges, or with --weighted the least sum of
//          weights. Of several such paths the choice is always the same.
// Method   Two searches, from the source along out-edges and from the target against them, level by
//          level; the smaller of the two goes next. They end at the level at which they meet. With
//          --weighted, distances from the source in buckets, up to a limit that grows until the
//          target is within it; then the edges that distances are tight on, back from the target.
// Paper    Pohl: Bi-directional Search, Machine Intelligence 1971; Goldberg, Harrelson: SODA 2005.
// State    12 bytes a vertex; with --weighted 20.
#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "common/number_text.h"
#include "engine/algorithms/shared/strengths.h"
#include "engine/algorithms/shared/weighted_search.h"
#include "engine/api/algorithm.h"
#include "engine/graph/id_map.h"
#include "engine/verify/found_vertices.h"
#include "engine/verify/path_check.h"

namespace edgemill {
namespace {

constexpr Option<InputVertex> kTarget{
    .names = "--target",
    .help = "where the path ends: the vertex's id or, where vertices have names, its name",
    .required = true};

struct Reach {  // one level of a search; of several vertices before, the least counts
  using Monoid = Min<VertexId>;
  View<VertexId> link;         // of this search: the vertex before
  View<const VertexId> other;  // of the other one
  TallyView<Min<VertexId>> met;
  VertexId Emit(VertexId u) const { return u; }
  bool Cond(VertexId v) const { return link[v] == kInvalidVertex; }
  bool Apply(VertexId v, VertexId u) {
    link[v] = u;
    if (other[v] != kInvalidVertex) met.Add(v);
    return true;
  }
};

template <typename D>
constexpr D kFar = Min<D>::identity();

/// W: of weights; D: of distances.
template <typename W, typename D>
struct ShortenWithin {  // vertices at distances from `limit` on wait
  using Monoid = Min<D>;
  View<D> distance;
  double limit;
  D Emit(VertexId u) const { return distance[u]; }
  D Along(D length, const WeightedEdge<W>& edge) const {
    const D sum = length + static_cast<D>(edge.weight);
    return sum < length ? kFar<D> : sum;
  }
  bool Relax(VertexId v, D length) { return AtomicMin(distance[v], length); }
  double Priority(VertexId v) const {
    const auto length = static_cast<double>(distance[v]);
    return length < limit ? length : kNoBound;
  }
  struct Tuning {
    static bool WouldRelax(const ShortenWithin& program, VertexId v, D length) {
      return length < program.distance[v];
    }
  };
};
template <typename D>
struct Waits {
  View<const D> distance;
  double limit;
  bool operator()(VertexId v) const {
    return distance[v] != kFar<D> && static_cast<double>(distance[v]) >= limit;
  }
};
template <typename W, typename D>
struct TraceBack {  // to the vertices before, on shortest paths
  using Monoid = Min<VertexId>;
  View<const D> distance;
  View<VertexId> link;
  VertexId Emit(VertexId v) const { return v; }
  VertexId Along(VertexId v, const WeightedEdge<W>& edge) const {
    const D far = distance[edge.from], near = distance[edge.to];
    return near != kFar<D> && near + static_cast<D>(edge.weight) == far ? v : kInvalidVertex;
  }
  bool Cond(VertexId u) const { return link[u] == kInvalidVertex; }
  bool Apply(VertexId u, VertexId v) {
    link[u] = v;
    return v != kInvalidVertex;
  }
};

struct PathState : RunState {
  explicit PathState(const RunSetup& setup) : RunState(setup) {
    HoldSets(3);  // of both searches, and the next one of either
  }
  const bool weighted = Get(kWeighted), real = HasRealWeights(weights());
  VertexId target = kInvalidVertex;  // internal
  double length = 0;
  VertexArray<VertexId> before{*this, "links", ArrayUse::kResult};  // in the end, steps
  VertexArray<VertexId> after{*this, "links back"};
  VertexArray<uint64_t> distance{*this, "distance", UseIf(weighted, ArrayUse::kResult)};
  WeightSample sample{*this};
  Programs<Reach> forward{*this, kOut, !weighted, PassesOf::kOne};
  Programs<Reach> backward{*this, kIn, !weighted, PassesOf::kOne};
  Programs<ShortenWithin<double, double>, ShortenWithin<int32_t, uint64_t>> distances{*this, kOut,
                                                                                      weighted};
  Programs<TraceBack<double, double>, TraceBack<int32_t, uint64_t>> trace{*this, kIn, weighted,
                                                                          PassesOf::kOne};
};

/// Follows links from `from` to the vertex that links to itself. Both ends are in the result. Links
/// that cannot be read may lead anywhere; then the State's status() has the error.
std::vector<VertexId> Follow(const VertexArray<VertexId>& links, VertexId from) {
  std::vector<VertexId> path = {from};
  while (path.size() < links.size()) {
    const VertexId next = links.Get(path.back());
    if (next == path.back() || next >= links.size()) break;
    path.push_back(next);
  }
  return path;
}

/// The path of fewest edges; empty where there is none.
StatusOr<std::vector<VertexId>> FindShort(Engine& engine, PathState& state, VertexId source) {
  state.before.Set(source, source);
  state.after.Set(state.target, state.target);
  ASSIGN_OR_RETURN(VertexSet out, engine.sets().Of({source}));
  ASSIGN_OR_RETURN(VertexSet back, engine.sets().Of({state.target}));
  VertexId met = source == state.target ? source : kInvalidVertex;
  Tally<Min<VertexId>> meeting("where searches meet");
  while (met == kInvalidVertex) {
    if (out.empty() || back.empty()) return std::vector<VertexId>();
    if (out.size() <= back.size()) {
      const Reach reach{state.before.view(), state.after.read(), meeting.view()};
      ASSIGN_OR_RETURN(out, engine.EdgeMap(kOut, out, reach));
    } else {
      const Reach reach{state.after.view(), state.before.read(), meeting.view()};
      ASSIGN_OR_RETURN(back, engine.EdgeMap(kIn, back, reach));
    }
    ASSIGN_OR_RETURN(met, meeting.Take());
  }
  std::vector<VertexId> path = Follow(state.before, met);
  std::reverse(path.begin(), path.end());
  const std::vector<VertexId> rest = Follow(state.after, met);
  path.insert(path.end(), rest.begin() + 1, rest.end());
  return path;
}

/// Finds distances until that of the target is final. Returns whether it is reached.
template <typename W, typename D>
StatusOr<bool> FindDistance(Engine& engine, PathState& state, const RunContext& context) {
  constexpr double kGrowth = 4, kFirstWidths = 64;
  ASSIGN_OR_RETURN(const Buckets buckets, state.sample.BucketsFor(state, engine, context));
  state.distance.FillAs<D>(kFar<D>);
  state.distance.SetAs<D>(context.source, 0);
  ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of({context.source}));
  for (double limit = buckets.width * kFirstWidths;; limit *= kGrowth) {
    const ShortenWithin<W, D> program{state.distance.view_as<D>(), limit};
    RETURN_IF_ERROR(engine.Bucketed(kOut, std::move(from), program, buckets).status());
    const auto found = std::bit_cast<D>(state.distance.Get(state.target));
    if (static_cast<double>(found) < limit) {
      state.length = static_cast<double>(found);
      return true;
    }
    ASSIGN_OR_RETURN(from, engine.VertexFilter(engine.sets().All(),
                                               Waits<D>{state.distance.read_as<D>(), limit}));
    if (from.empty()) return false;
  }
}

template <typename W, typename D>
StatusOr<std::vector<VertexId>> FindLight(Engine& engine, PathState& state,
                                          const RunContext& context) {
  ASSIGN_OR_RETURN(const bool found, (FindDistance<W, D>(engine, state, context)));
  if (!found) return std::vector<VertexId>();
  state.after.Set(state.target, state.target);
  ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of({state.target}));
  while (state.after.Get(context.source) == kInvalidVertex) {
    if (from.empty()) {
      return BadDataError("the length of the path is above the greatest number: scale the weights");
    }
    const TraceBack<W, D> program{state.distance.read_as<D>(), state.after.view()};
    ASSIGN_OR_RETURN(from, engine.EdgeMap(kIn, from, program));
  }
  return Follow(state.after, context.source);
}

/// "a -> b -> c", without the middle of a long path.
StatusOr<std::string> PathText(LoadedGraph& graph, const std::vector<VertexId>& path) {
  constexpr size_t kShown = 8;  // at each end
  std::string text;
  for (size_t i = 0; i < path.size(); ++i) {
    if (i == kShown && path.size() > 2 * kShown + 1) {
      i = path.size() - kShown;
      text += " -> ...";
    }
    ASSIGN_OR_RETURN(const std::string label, VertexLabel(graph, path[i]));
    text += StrCat(i == 0 ? "" : " -> ", label);
  }
  return text;
}

Status FindPath(Engine& engine, PathState& state, const RunContext& context, Answer* answer) {
  LoadedGraph& graph = engine.graph();
  ASSIGN_OR_RETURN(state.target, IdMap(graph.store(), graph.reader()).Find(state.Get(kTarget).id));
  state.before.Fill(kInvalidVertex);
  state.after.Fill(kInvalidVertex);
  StatusOr<std::vector<VertexId>> path = !state.weighted ? FindShort(engine, state, context.source)
                                         : state.real
                                             ? FindLight<double, double>(engine, state, context)
                                             : FindLight<int32_t, uint64_t>(engine, state, context);
  RETURN_IF_ERROR(path.status());
  state.before.Fill(kInvalidVertex);
  for (size_t i = 0; i < path->size(); ++i) {
    state.before.Set((*path)[i], static_cast<uint32_t>(i));
  }
  if (path->empty()) {
    answer->AddFact("path", "none: the target is not reached", uint64_t{0}, "path_vertices");
  } else {
    ASSIGN_OR_RETURN(const std::string text, PathText(graph, *path));
    answer->AddFact("path", text, uint64_t{path->size()}, "path_vertices");
    answer->AddCount("edges", path->size() - 1, "path_edges");
    if (state.weighted) answer->AddFact("length", NumberText(state.length), state.length);
  }
  answer->counted = CountedEdges::kSent;
  answer->Fill("step", state.before.span());
  return OkStatus();
}

struct StepCheck : RunState {
  using RunState::RunState;
  VertexBits seen{*this, "the verifier's marks", UseIf(!Get(kWeighted), ArrayUse::kWork)};
  FoundVertices found{*this, "the verifier's list"};
};

/// How many edges a search of its own takes from the source to the target; none: it is not reached.
StatusOr<std::optional<uint64_t>> HopsTo(LoadedGraph& graph, VertexId source, VertexId target,
                                         StepCheck& check) {
  check.seen.Add(source);
  FoundVertices::Adder(check.found).Add(source);
  for (uint64_t hops = 0;; ++hops) {
    if (check.seen.has(target)) return std::optional(hops);
    const std::span<const VertexId> level = check.found.NextLevel(graph.threads());
    if (level.empty()) return std::optional<uint64_t>();
    RETURN_IF_ERROR(PlainVisitFrom(
        graph, level, [&, next = FoundVertices::Adder(check.found)](const Edge& edge) mutable {
          if (std::binary_search(level.begin(), level.end(), edge.from) &&
              check.seen.Add(edge.to)) {
            next.Add(edge.to);
          }
        }));
  }
}

/// The vertices of the path in the order of their steps. InternalError where steps are missing.
StatusOr<std::vector<VertexId>> PathBySteps(LoadedGraph& graph, std::span<const uint32_t> step) {
  uint64_t length = 0;
  for (const uint32_t place : step) length += place != kInvalidVertex ? 1 : 0;
  std::vector<VertexId> path(length, kInvalidVertex);
  VertexId wrong = kInvalidVertex;
  for (uint64_t v = 0; v < step.size(); ++v) {
    if (step[v] == kInvalidVertex) continue;
    const auto vertex = static_cast<VertexId>(v);
    if (step[v] < length && path[step[v]] == kInvalidVertex) {
      path[step[v]] = vertex;
    } else if (wrong == kInvalidVertex) {
      wrong = vertex;
    }
  }
  RETURN_IF_ERROR(WrongVertex(graph, wrong, "has a step that another has, or that is too large"));
  return path;
}

/// No edge may lead below a distance from a vertex that is nearer than the path is long. So no path
/// to the target is shorter than its distance, and the path must be as long.
template <typename D>
Status CheckLight(LoadedGraph& graph, std::span<const D> distance,
                  const std::vector<VertexId>& path, const std::vector<double>& hops,
                  VertexId target) {
  D length = path.empty() ? kFar<D> : D{0};
  for (const double hop : hops) length += static_cast<D>(hop);
  if (distance[target] != length) {
    return WrongVertex(graph, target, "has a distance that is not the length of the path");
  }
  VertexId too_far = kInvalidVertex;
  RETURN_IF_ERROR(PlainVisit(graph, [&](const WeightedEdge<WideLength<D>>& edge) {
    if (distance[edge.from] >= length) return;
    const D through = distance[edge.from] + static_cast<D>(edge.weight);
    if (distance[edge.to] > through) AtomicMin(&too_far, edge.to);
  }));
  return WrongVertex(graph, too_far, "has a distance above that through a neighbour");
}

Status Verify(LoadedGraph& graph, PathState& state, StepCheck& check, const RunContext& context) {
  const std::span<const uint32_t> step = state.before.span();
  ASSIGN_OR_RETURN(const std::vector<VertexId> path, PathBySteps(graph, step));
  if (!path.empty() && (path.front() != context.source || path.back() != state.target)) {
    return InternalError("the path does not go from the source to the target");
  }
  constexpr double kNoEdge = std::numeric_limits<double>::infinity();
  std::vector<double> hops(path.empty() ? 0 : path.size() - 1, kNoEdge);
  RETURN_IF_ERROR(PlainVisit(graph, [&](const WeightedEdge<double>& edge) {
    const uint32_t from = step[edge.from];
    if (from == kInvalidVertex || step[edge.to] != from + 1) return;
    AtomicMin(&hops[from], edge.weight);
  }));
  const auto gap = std::find(hops.begin(), hops.end(), kNoEdge);
  if (gap != hops.end()) {
    return WrongVertex(graph, path[static_cast<size_t>(gap - hops.begin())],
                       "has no edge to the vertex after it on the path");
  }
  if (state.weighted) {
    if (state.real) {
      return CheckLight(graph, state.distance.span_as<double>(), path, hops, state.target);
    }
    return CheckLight(graph, state.distance.span(), path, hops, state.target);
  }
  ASSIGN_OR_RETURN(const auto shortest, HopsTo(graph, context.source, state.target, check));
  const bool right = shortest.has_value() ? path.size() == *shortest + 1 : path.empty();
  return right ? OkStatus() : InternalError("another path has fewer edges");
}

}  // namespace

EDGEMILL_ALGORITHM(path) = {
    .name = "path",
    .group = AlgorithmGroup::kPaths,
    .aliases = {"shortest-path"},
    .summary = "a shortest path from one vertex to another",
    .facts = {.formula = "step[s] = 0; step[v] = the place of v on the path; none elsewhere",
              .direction = "out-edges",
              .duplicates = "of duplicates the lightest counts; loops change nothing",
              .weights = "ignored; with --weighted summed up, and not negative",
              .ends = "when the searches from both ends meet; with --weighted when the target's "
                      "distance is final",
              .passes = "one for each level of both searches; with --weighted as sssp near the "
                        "source, and one for each edge of the path"},
    .text = R"(The summary shows the path from -r to --target, without the middle of a long one.
As JSON, the summary has all its vertices in order, of up to 1,000. --output is not the path alone:
it gives each vertex of the graph its place on the path, counted from 0, and others none. Of several
shortest paths the choice is always the same, in a graph that is stored in the same order. Where the
target is not reached, the summary says so, and no vertex has a place. Searches go from both ends
and meet, so they read a small part of a large graph. A graph that stores one direction only answers
too, but reads more.
)",
    .paper = "Pohl, Bi-directional Search, Machine Intelligence 1971",
    .options = {kSource, kTarget, kWeighted},
    .results = {{.name = "step", .top = TopKind::kValues, .may_miss = true}},
    .check = CheckPositiveWeights,
    .driver = kDriver<FindPath>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill
