// Closeness: how near each vertex is to the vertices from which paths lead to it.
//
// Result   closeness[v]: r / total * r / others. Of the `others` sources other than v, r reach v,
//          along `total` edges in all. 0 where none reaches v. With --harmonic, harmonic[v]: the
//          sum of 1 / distance over all other vertices. Distances follow out-edges, without
//          weights. Both are NetworkX's.
// Method   Searches from 512 sources at a time. A pass reads each edge once for all of them
//          (shared/lane_searches.h).
// Paper    Then et al.: The More the Merrier: Efficient Multi-Source Graph Traversal, VLDB 2014.
//          Wasserman, Faust: Social Network Analysis, 1994 (the second factor).
//          Eppstein, Wang: Fast Approximation of Centrality, SODA 2001 (--sample).
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "common/units.h"
#include "engine/algorithms/shared/lane_searches.h"
#include "engine/algorithms/shared/vertex_sample.h"
#include "engine/api/algorithm.h"
#include "engine/verify/found_vertices.h"
#include "engine/verify/plain_visit.h"
#include "kernels/portable_bits.h"

namespace edgemill {
namespace {

constexpr Option<bool> kHarmonic{"--harmonic", "give sums of 1 / distance instead"};
constexpr Option<uint64_t> kAtOnce{
    .names = "--at-once",
    .help = "search from N vertices at once; each 64 take 24 bytes a vertex",
    .range = {.least = 1, .most = kMostLanes},
    .value = kMostLanes};

struct CountLanes {
  LaneView<uint64_t> seen, fresh, next;
  View<double> sum;
  View<uint32_t> reached_by;
  double each;  // what a lane adds to the sum in this pass
  void operator()(VertexId v) {
    uint32_t lanes = 0;
    for (uint32_t word = 0; word < next.words(); word += kWordsAtOnce) {
      const SomeLanes found = TakeNextLanes(seen, fresh, next, v, word);
      for (const uint64_t some : found.word) lanes += CountBits(some);
    }
    sum[v] += each * lanes;
    reached_by[v] += lanes;
  }
};

struct ClosenessState : RunState {
  explicit ClosenessState(const RunSetup& setup) : RunState(setup) { HoldSets(2); }
  /// What a source at `distance` adds to the sum of a vertex.
  double Share(uint32_t distance) const { return harmonic ? 1.0 / distance : distance; }

  const bool harmonic = Get(kHarmonic);
  const bool samples = VertexSample::IsPart(*this);
  const uint64_t num_sources = VertexSample::SizeIn(*this);
  LaneSearches searches{*this, WordsFor(num_sources, Get(kAtOnce))};
  VertexArray<uint16_t> lane{*this, "lane", UseIf(samples, ArrayUse::kResult)};
  VertexArray<double> sum{*this, "sum", ArrayUse::kResult};  // of distances, or of 1 / distance
  VertexArray<uint32_t> reached_by{*this, "reached by", ArrayUse::kResult};  // other sources
};

/// Adds the distances from `sources`, which have lanes. Raises `*farthest` to the greatest.
Status AddFrom(Engine& engine, ClosenessState& state, std::span<const VertexId> sources,
               uint32_t* farthest) {
  LaneSearches& searches = state.searches;
  return SearchWithLanes(
      engine, searches, sources, state.lane.read(), [&](uint32_t depth, const VertexSet& set) {
        *farthest = std::max(*farthest, depth);
        return engine.VertexMap(
            set, CountLanes{searches.seen.lanes(), searches.fresh.lanes(), searches.next.lanes(),
                            state.sum.view(), state.reached_by.view(), state.Share(depth)});
      });
}

/// A function that gives each vertex its value, from what searches have added up in `state`.
auto ValuesOf(ClosenessState& state) {
  return [&state, sum = state.sum.span(), reached_by = state.reached_by.span(),
          lane = state.lane.span()](VertexId v) -> double {
    const bool is_source = !state.samples || lane[v] != kNoLane;
    const auto others = static_cast<double>(state.num_sources - (is_source ? 1 : 0));
    const double reached = reached_by[v];
    if (reached == 0) return 0;
    if (!state.harmonic) return reached / sum[v] * (reached / others);
    return state.samples ? sum[v] / others * static_cast<double>(state.num_vertices() - 1) : sum[v];
  };
}

/// How far a mean over the sample is from that over all other vertices, at most, with probability
/// .99 for all vertices at once. The values are from 0 to 1 (Serfling, 1974).
double SampleError(const ClosenessState& state) {
  const auto n = static_cast<double>(state.num_vertices());
  const auto sources = static_cast<double>(std::max<uint64_t>(2, state.num_sources) - 1);
  return std::sqrt((1 - (sources - 1) / n) * std::log(200 * n) / (2 * sources));
}

void AddSampleError(const ClosenessState& state, uint32_t farthest, Answer* answer) {
  const double share = SampleError(state);
  const auto fact = [&](std::string_view name, double error, std::string_view where) {
    answer->AddFact(
        name, StrCat("at most ", FormatSignificant(error), " at every vertex, 99 % sure", where),
        error);
  };
  if (state.harmonic) {
    fact("error", share * static_cast<double>(state.num_vertices() - 1), "");
  } else {
    fact("error of shares", share, "");
    fact("error of means", share * farthest, StrCat(", if no distance is above ", farthest));
  }
}

Status FindCloseness(Engine& engine, ClosenessState& state, const RunContext&, Answer* answer) {
  const uint32_t most = state.searches.num_lanes();
  state.sum.Fill(0);
  state.reached_by.Fill(0);
  state.searches.next.Fill(0);
  if (state.samples) {
    const std::span<uint16_t> lane = state.lane.mutable_span();
    std::fill(lane.begin(), lane.end(), kNoLane);
    VertexSample sources(state);
    for (auto some = sources.TakeSome(most); !some.empty(); some = sources.TakeSome(most)) {
      for (size_t i = 0; i < some.size(); ++i) lane[some[i]] = static_cast<uint16_t>(i);
    }
  }
  uint32_t farthest = 0;
  VertexSample sources(state);
  for (auto some = sources.TakeSome(most); !some.empty(); some = sources.TakeSome(most)) {
    RETURN_IF_ERROR(AddFrom(engine, state, some, &farthest));
  }
  answer->counted = CountedEdges::kSent;
  answer->AddCount("sources", state.num_sources);
  answer->AddCount("farthest distance", farthest);
  if (state.samples) AddSampleError(state, farthest, answer);
  answer->Fill(state.harmonic ? "harmonic" : "closeness", ValuesOf(state));
  return OkStatus();
}

struct DistanceCheck : RunState {
  using RunState::RunState;
  VertexArray<uint64_t> seen{*this, "the verifier's lanes"};
  VertexArray<uint64_t> fresh{*this, "the verifier's new lanes"};
  VertexArray<uint64_t> next{*this, "the verifier's next lanes"};
  VertexArray<double> sum{*this, "the verifier's sums"};
  VertexArray<uint32_t> reached_by{*this, "the verifier's counts"};
  FoundVertices found{*this, "the verifier's list"};
};

/// Adds the distances from `sources`, level by level.
Status AddDistances(LoadedGraph& graph, const ClosenessState& state,
                    std::span<const VertexId> sources, DistanceCheck& check) {
  constexpr size_t kChunk = size_t{1} << 12;
  const std::span<uint64_t> seen = check.seen.mutable_span();
  const std::span<uint64_t> fresh = check.fresh.mutable_span();
  const std::span<uint64_t> next = check.next.mutable_span();
  const std::span<double> sum = check.sum.mutable_span();
  const std::span<uint32_t> reached_by = check.reached_by.mutable_span();
  check.seen.Fill(0);
  check.fresh.Fill(0);
  for (size_t i = 0; i < sources.size(); ++i) {
    seen[sources[i]] = fresh[sources[i]] = uint64_t{1} << i;
  }
  std::vector<VertexId> members(sources.begin(), sources.end());
  for (uint32_t depth = 1; !members.empty(); ++depth) {
    check.found.Clear();
    const auto visit = [&, add = FoundVertices::Adder(check.found)](const Edge& edge) mutable {
      const uint64_t lanes = fresh[edge.from] & ~seen[edge.to];
      if (lanes != 0 && AtomicOr(&next[edge.to], lanes) == 0) add.Add(edge.to);
    };
    RETURN_IF_ERROR(PlainVisitFrom(graph, members, visit));
    for (const VertexId v : members) fresh[v] = 0;
    const std::span<const VertexId> level = check.found.NextLevel(graph.threads());
    members.assign(level.begin(), level.end());
    const double share = state.Share(depth);
    ForEachChunk(members.size(), kChunk, graph.threads(), [&](size_t begin, size_t end) {
      for (const VertexId v : std::span(members).subspan(begin, end - begin)) {
        fresh[v] = std::exchange(next[v], 0);
        seen[v] |= fresh[v];
        reached_by[v] += CountBits(fresh[v]);
        sum[v] += share * CountBits(fresh[v]);
      }
    });
  }
  return OkStatus();
}

/// The sources that reach a vertex, and its distances from them, must add up, within rounding.
Status Verify(LoadedGraph& graph, ClosenessState& state, DistanceCheck& check, const RunContext&) {
  constexpr double kTolerance = 1e-9;
  RETURN_IF_ERROR(PlainVisit(graph, [](const Edge&) {}));  // checks the index
  check.sum.Fill(0);
  check.reached_by.Fill(0);
  VertexSample sources(state);
  const auto take = [&] { return sources.TakeSome(kLanesOfWord); };
  for (auto some = take(); !some.empty(); some = take()) {
    RETURN_IF_ERROR(AddDistances(graph, state, some, check));
  }
  const std::span<const double> sum = state.sum.span(), right = check.sum.span();
  const std::span<const uint32_t> reached = state.reached_by.span();
  const std::span<const uint32_t> right_reached = check.reached_by.span();
  return NoVertexWhere(graph, "has distances that do not add up to its value", [&](VertexId v) {
    return reached[v] != right_reached[v] ||
           !(std::abs(sum[v] - right[v]) <= kTolerance * right[v]);
  });
}

}  // namespace

EDGEMILL_ALGORITHM(closeness) = {
    .name = "closeness",
    .group = AlgorithmGroup::kCentrality,
    .summary = "closeness of each vertex: how short the paths to it are; or sums of 1 / distance",
    .facts = {.formula =
                  "closeness[v] = r / total * r / others, where r of the others are vertices "
                  "from which paths lead to v, of total edges in all",
              .direction = "out-edges",
              .duplicates = "change nothing",
              .weights = "ignored: every edge counts 1",
              .ends = "when all sources are done",
              .passes = "one for each level of each 512 sources, and one that finds nothing"},
    .text = R"(The values are those of NetworkX's closeness_centrality and harmonic_centrality: they
follow distances to a vertex, not from it. A vertex that no other reaches has 0. With --harmonic a
value is the sum of 1 / distance over all other vertices. Values from all vertices are exact, and
take a search from each, 512 at a time
(--at-once). With --sample the sources are N random vertices, and values
are estimates. The summary then has a bound of their errors, which holds for all vertices at once
with a probability of 99 %. For closeness it bounds two parts of a value: the share of the vertices
that reach a vertex, and the mean of their distances, with 0 for those that do not reach it. Which
vertices a seed chooses depends on the order of vertices in the graph.
)",
    .paper = "Then et al., The More the Merrier: Efficient Multi-Source Graph Traversal, VLDB 2014",
    .options = {kHarmonic, kSample, kSampleSeed, kAtOnce},
    .results = {{.name = "closeness", .type = ResultType::kReal, .top = TopKind::kValues},
                {.name = "harmonic",
                 .type = ResultType::kReal,
                 .top = TopKind::kValues,
                 .option = kHarmonic.names}},
    .note_with_weights = "weights are ignored: distances are numbers of edges",
    .driver = kDriver<FindCloseness>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill
