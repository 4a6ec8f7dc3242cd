// The diameter: the greatest distance between two vertices of one component. Eccentricities: the
// distance from each vertex to the farthest one.
//
// Result   bound[v]: a distance from v that was found; its eccentricity is at least that. The
//          greatest bound is the diameter. With --eccentricity, eccentricity[v]. Edges count both
//          ways, and are 1 long.
// Method   Searches from one vertex of each component at once. If the vertex has eccentricity e,
//          then that of a vertex at distance d is at least max(d, e - d) and at most e + d. Only
//          vertices stay whose greatest possible eccentricity is above the least possible diameter;
//          with --eccentricity those whose bounds differ. Of these, a component searches in turn
//          from the one of highest upper and of lowest lower bound. The first two searches go from
//          a vertex of many edges, then from a farthest one.
// Paper    Takes, Kosters: Determining the Diameter of Small World Networks, CIKM 2011, and
//          Computing the Eccentricity Distribution of Large Graphs, Algorithms 2013. Crescenzi et
//          al.: On Computing the Diameter of Real-World Undirected Graphs, TCS 2013.
// State    32 bytes a vertex.
#include "common/units.h"
#include "engine/api/algorithm.h"
#include "engine/program/union_find.h"
#include "engine/verify/found_vertices.h"
#include "engine/verify/plain_visit_into.h"

namespace edgemill {
namespace {

constexpr Option<bool> kEccentricity{"--eccentricity", "find the eccentricity of every vertex"};
constexpr Option<uint64_t> kSearches{.names = "--searches",
                                     .help = "stop after N searches of each component",
                                     .range = Whole32(1),
                                     .stops_early = true};
constexpr uint32_t kNone = ~uint32_t{0};

/// Which vertices a component searches from.
enum class Preference : uint8_t { kEdges, kHighestUpper, kLowestLower };

struct StartTree {
  View<VertexId> tree;
  void operator()(VertexId v) { tree[v] = v; }
};
struct Link {
  Shared<VertexId> tree;
  void operator()(const Edge& edge) { LinkTrees(tree.data(), edge.from, edge.to); }
};
struct Compress {  // true for roots
  Shared<VertexId> tree;
  bool operator()(VertexId v) { return PointAtRoot(tree.data(), v) == v; }
};
struct OfferItself {  // to its component
  View<const VertexId> tree;
  View<const uint32_t> lower, upper;
  DegreeView degree;
  Into<Max<uint64_t>> best;
  Preference preference;
  void operator()(VertexId v) {
    constexpr uint64_t kMost = (uint64_t{1} << 24) - 1;  // more than that only chooses worse
    uint64_t edges = 0, rank = 0;                        // edges: how many bits their number has
    for (uint64_t left = degree[v]; left > 0; left >>= 1) ++edges;
    if (preference == Preference::kEdges) rank = degree[v] < kMost ? degree[v] : kMost;
    if (preference == Preference::kHighestUpper) rank = upper[v] < kMost ? upper[v] : kMost;
    if (preference == Preference::kLowestLower) rank = lower[v] < kMost ? kMost - lower[v] : 0;
    best.Add(tree[v], rank << 40 | edges << 32 | v);
  }
};
struct IsBest {
  View<const VertexId> tree;
  Anywhere<uint64_t> best;
  View<uint32_t> level, searched;
  uint32_t number;  // of the search, from 1 on
  bool operator()(VertexId v) {
    if (static_cast<VertexId>(best[tree[v]]) != v) return false;
    level[v] = 0;
    searched[v] = number;
    return true;
  }
};
struct Discover {
  using Monoid = Any<VertexId>;
  View<uint32_t> level;
  uint32_t depth;
  VertexId Emit(VertexId u) const { return u; }
  bool Cond(VertexId v) const { return level[v] == kNone; }
  bool Apply(VertexId v, VertexId) {
    level[v] = depth;
    return true;
  }
  void Next() { ++depth; }
};
struct OfferLevel {  // to its component, which gets the eccentricity of the vertex searched from
  View<const VertexId> tree;
  View<const uint32_t> level;
  Into<Max<uint64_t>> farthest;
  void operator()(VertexId v) {
    if (level[v] != kNone) farthest.Add(tree[v], level[v]);
  }
};
struct Narrow {
  View<const VertexId> tree;
  View<const uint32_t> level;
  Anywhere<uint64_t> farthest;
  View<uint32_t> lower, upper;
  void operator()(VertexId v) {
    const uint32_t distance = level[v];
    if (distance == kNone) return;  // nothing was left to search from
    const auto whole = static_cast<uint32_t>(farthest[tree[v]]);
    const uint32_t least = distance < whole - distance ? whole - distance : distance;
    if (lower[v] < least) lower[v] = least;
    const uint64_t most = distance == 0 ? whole : uint64_t{whole} + distance;
    if (upper[v] > most) upper[v] = static_cast<uint32_t>(most);
  }
};
struct IsOpen {
  View<const uint32_t> lower, upper;
  uint32_t diameter;  // at least; kNone: all eccentricities are wanted
  bool operator()(VertexId v) {
    return diameter == kNone ? lower[v] < upper[v] : upper[v] > diameter;
  }
};
struct Bounds {
  using Monoid = Both<Max<uint32_t>, Min<uint32_t>>;  // most and least
  View<const uint32_t> bound;
  Monoid::Value operator()(VertexId v) const { return {bound[v], bound[v]}; }
};

struct DiameterState : RunState {
  explicit DiameterState(const RunSetup& setup) : RunState(setup) { HoldSets(3); }
  const bool all = Get(kEccentricity);
  VertexArray<uint32_t> lower{*this, "lower", ArrayUse::kResult};
  VertexArray<uint32_t> searched{*this, "searched", ArrayUse::kResult};
  VertexArray<uint32_t> upper{*this, "upper"}, level{*this, "level"};
  VertexArray<VertexId> tree{*this, "tree"};
  VertexArray<uint64_t> best{*this, "best"};  // of a component: a vertex, or the farthest level
  Degrees degrees{*this, kOut};
  VisitedLists lists{*this, kOut};
  Programs<Discover> programs{*this, kBoth};
  uint32_t searches = 0, most = 0;  // at most the diameter
};

/// Names components after their least vertices. Returns how many there are.
StatusOr<uint64_t> FindTrees(Engine& engine, DiameterState& state) {
  const VertexSet all = engine.sets().All();
  RETURN_IF_ERROR(engine.VertexMap(all, StartTree{state.tree.view()}));
  RETURN_IF_ERROR(engine.EdgeVisit(kOut, all, Link{state.tree.shared()}));
  ASSIGN_OR_RETURN(const VertexSet roots, engine.VertexFilter(all, Compress{state.tree.shared()}));
  return roots.size();
}

/// One search in each component that has vertices among `open`.
Status Search(Engine& engine, DiameterState& state, const VertexSet& open) {
  const VertexSet all = engine.sets().All();
  const View<const VertexId> tree = state.tree.read();
  const Preference preference = state.searches == 0       ? Preference::kEdges
                                : state.searches % 2 == 1 ? Preference::kHighestUpper
                                                          : Preference::kLowestLower;
  state.best.Fill(0);
  const OfferItself offer{tree,
                          state.lower.read(),
                          state.upper.read(),
                          engine.Degrees(kOut),
                          state.best.into<Max<uint64_t>>(),
                          preference};
  RETURN_IF_ERROR(engine.VertexMap(open, offer));
  state.level.Fill(kNone);
  const IsBest is_best{tree, state.best.anywhere(), state.level.view(), state.searched.view(),
                       ++state.searches};
  ASSIGN_OR_RETURN(VertexSet from, engine.VertexFilter(open, is_best));
  RETURN_IF_ERROR(
      engine.Fixpoint(kBoth, std::move(from), Discover{state.level.view(), 1}).status());
  state.best.Fill(0);
  const OfferLevel farthest{tree, state.level.read(), state.best.into<Max<uint64_t>>()};
  RETURN_IF_ERROR(engine.VertexMap(all, farthest));
  return engine.VertexMap(all, Narrow{tree, state.level.read(), state.best.anywhere(),
                                      state.lower.view(), state.upper.view()});
}

Status FindDiameter(Engine& engine, DiameterState& state, const RunContext&, Answer* answer) {
  state.lower.Fill(0);
  state.upper.Fill(kNone);
  state.searched.Fill(0);
  ASSIGN_OR_RETURN(const uint64_t components, FindTrees(engine, state));
  VertexSet open = engine.sets().All();
  const uint64_t limit = state.Given(kSearches) ? state.Get(kSearches) : ~uint64_t{0};
  Bounds::Monoid::Value lower = {0, 0};
  while (!open.empty() && state.searches < limit) {
    RETURN_IF_ERROR(Search(engine, state, open));
    const VertexSet all = engine.sets().All();
    ASSIGN_OR_RETURN(lower, engine.Reduce<Bounds::Monoid>(all, Bounds{state.lower.read()}));
    const IsOpen is_open{state.lower.read(), state.upper.read(), state.all ? kNone : lower.first};
    ASSIGN_OR_RETURN(open, engine.VertexFilter(open, is_open));
  }
  ASSIGN_OR_RETURN(const auto upper,
                   engine.Reduce<Bounds::Monoid>(open, Bounds{state.upper.read()}));
  state.most = open.empty() ? lower.first : std::max(lower.first, upper.first);
  answer->AddCount(state.most == lower.first ? "diameter" : "diameter at least", lower.first);
  if (state.most > lower.first) answer->AddCount("diameter at most", state.most);
  if (!open.empty()) {
    answer->warnings.push_back(StrCat("stopped by --searches ", state.searches, " (vertices left: ",
                                      FormatCount(open.size()), "): bounds may not be exact"));
  } else if (state.all && components == 1) {
    answer->AddCount("radius", lower.second);
  }
  answer->AddCount("searches", state.searches);
  answer->AddCount("components", components);
  answer->Fill(state.all ? "eccentricity" : "bound", state.lower.span());
  return OkStatus();
}

struct DiameterCheck : RunState {
  using RunState::RunState;
  VertexArray<uint32_t> lower{*this, "the verifier's lower bounds"};
  VertexArray<uint32_t> upper{*this, "the verifier's upper bounds"};
  VertexArray<uint32_t> level{*this, "the verifier's levels"};
  VertexArray<VertexId> start{*this, "the verifier's starts"};
  VertexArray<uint32_t> farthest{*this, "the verifier's farthest levels"};
  FoundVertices found{*this, "the verifier's list"};
};

/// Finds levels from the vertices of a search again, and bounds from these.
Status SearchAgain(LoadedGraph& graph, const DiameterState& state, DiameterCheck& check,
                   uint32_t number) {
  const std::span<uint32_t> level = check.level.mutable_span();
  const std::span<uint32_t> farthest = check.farthest.mutable_span();
  const std::span<VertexId> start = check.start.mutable_span();
  VertexId twice = kInvalidVertex;
  check.found.Clear();
  check.level.Fill(kNone);
  check.start.Fill(kInvalidVertex);
  ForEachVertex(graph, [&, searched = state.searched.span(),
                        add = FoundVertices::Adder(check.found)](VertexId v) mutable {
    if (searched[v] != number) return;
    start[v] = v;
    level[v] = farthest[v] = 0;
    add.Add(v);
  });
  for (uint32_t depth = 0;; ++depth) {
    const std::span<const VertexId> members = check.found.NextLevel(graph.threads());
    if (members.empty()) break;
    for (const VertexId v : members) farthest[start[v]] = depth;
    auto visit = [&, add = FoundVertices::Adder(check.found)](VertexId u, VertexId v) mutable {
      if (LoadRelaxed(&level[u]) != depth) return;
      if (AtomicReplace(&start[v], kInvalidVertex, start[u])) {
        StoreRelaxed(&level[v], depth + 1);
        add.Add(v);
      } else if (LoadRelaxed(&start[v]) != start[u]) {
        AtomicMin(&twice, v);
      }
    };
    RETURN_IF_ERROR(
        PlainVisitFrom(graph, members, [visit](const Edge& e) mutable { visit(e.from, e.to); }));
    if (!graph.info().directed) continue;
    RETURN_IF_ERROR(
        PlainVisitInto(graph, members, [visit](const Edge& e) mutable { visit(e.to, e.from); }));
  }
  RETURN_IF_ERROR(WrongVertex(graph, twice, "is reached from two vertices of one search"));
  ForEachVertex(graph, [&, lower = check.lower.mutable_span(),
                        upper = check.upper.mutable_span()](VertexId v) {
    if (level[v] == kNone) return;
    const uint32_t d = level[v], e = farthest[start[v]];
    lower[v] = std::max({lower[v], d, e - d});
    upper[v] = std::min(upper[v], d == 0 ? e : e + d);
  });
  return OkStatus();
}

/// Does the searches again. No lower bound is above that which they give, and no upper bound above
/// the diameter. Eccentricities are where the two bounds meet.
Status Verify(LoadedGraph& graph, DiameterState& state, DiameterCheck& check, const RunContext&) {
  RETURN_IF_ERROR(PlainVisit(graph, [](const Edge&) {}));  // checks the indexes
  if (state.directed())
    RETURN_IF_ERROR(PlainVisit(
        graph, [](const Edge&) {}, Direction::kIn));
  check.lower.Fill(0);
  check.upper.Fill(kNone);
  for (uint32_t number = 1; number <= state.searches; ++number) {
    RETURN_IF_ERROR(SearchAgain(graph, state, check, number));
  }
  const std::span<const uint32_t> found = state.lower.span();
  const std::span<const uint32_t> lower = check.lower.span(), upper = check.upper.span();
  RETURN_IF_ERROR(NoVertexWhere(graph, "has another bound than its searches give",
                                [&](VertexId v) { return found[v] != lower[v]; }));
  RETURN_IF_ERROR(NoVertexWhere(graph, "may have an eccentricity above the diameter",
                                [&](VertexId v) { return upper[v] > state.most; }));
  return NoVertexWhere(graph, "may have another eccentricity", [&](VertexId v) {
    return state.all && !state.Given(kSearches) && lower[v] != upper[v];
  });
}

}  // namespace

EDGEMILL_ALGORITHM(diameter) = {
    .name = "diameter",
    .group = AlgorithmGroup::kPaths,
    .aliases = {"eccentricity", "radius"},
    .summary = "the diameter, exact by few searches; or the eccentricity of every vertex",
    .facts = {.formula = "the greatest distance between two vertices that edges join; "
                         "eccentricity[v] = the greatest distance from v",
              .direction = "both ways",
              .duplicates = "change nothing",
              .weights = "ignored: every edge counts 1",
              .ends = "when no vertex can have a greater eccentricity than was found; with "
                      "--eccentricity when the bounds of all meet; or after --searches",
              .passes = "one, then for each search one for each level"},
    .text = R"(The diameter is that of the component with the greatest one: unlike NetworkX's, it is
defined for graphs in several parts. All components are searched at once. On most real graphs a few
tens of searches show that no vertex can be farther from another than those that were found; on
grids and other regular graphs there may be very many. --searches stops earlier, and then the
summary has a lower and an upper bound. With --eccentricity there are more searches, and the summary
has the radius of a connected graph too. The bounds of vertices depend on which were searched from:
those with most edges, then those that have most to tell. A directed graph is taken as undirected,
and needs both columns.
)",
    .paper = "Takes and Kosters, Determining the Diameter of Small World Networks, CIKM 2011",
    .options = {kEccentricity, kSearches},
    .results = {{.name = "bound", .top = TopKind::kValues},
                {.name = "eccentricity", .top = TopKind::kValues, .option = kEccentricity.names}},
    .note_with_weights = "weights are ignored: distances are numbers of edges",
    .driver = kDriver<FindDiameter>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill
