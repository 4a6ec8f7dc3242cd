// Breadth-first search from many sources at once: the least number of edges from each of up to 512
// sources to every vertex.
//
// Result   level[v][i]: hops from source i along out-edges, or unreached.
// Method   Level by level, for all sources together: see shared/lane_searches.h.
// Paper    Then et al.: The More the Merrier: Efficient Multi-Source Graph Traversal, VLDB 2014.
#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <vector>

#include "engine/algorithms/shared/lane_searches.h"
#include "engine/api/algorithm.h"
#include "engine/program/monoids/monoids.h"
#include "engine/verify/plain_visit.h"

namespace edgemill {
namespace {

constexpr uint32_t kUnreached = std::numeric_limits<uint32_t>::max();

struct NoteLevels {
  LaneView<uint64_t> seen, fresh, next;
  LaneView<uint32_t> level;  // a word for each source
  uint32_t depth;
  TallyView<Sum<uint64_t>> reached;
  void operator()(VertexId v) {
    for (uint32_t word = 0; word < next.words(); word += kWordsAtOnce) {
      const SomeLanes found = TakeNextLanes(seen, fresh, next, v, word);
      for (uint32_t i = 0; i < kWordsAtOnce; ++i) {
        reached.Add(CountBits(found.word[i]));
        uint32_t lane = (word + i) * kLanesOfWord;
        for (uint64_t rest = found.word[i]; rest != 0; ++lane, rest >>= 1) {
          if ((rest & 1) != 0) level.OfWord(lane)[v] = depth;
        }
      }
    }
  }
};

struct MsbfsState : RunState {
  using RunState::RunState;
  const uint32_t num_sources = static_cast<uint32_t>(std::max<size_t>(1, SourceIds().size()));
  LaneSearches searches{*this, WordsFor(num_sources, kMostLanes)};
  VertexArray<uint16_t> lane{*this, "lane"};
  LaneArray<uint32_t> level{*this, "level", num_sources, ArrayUse::kResult};
  Tally<Sum<uint64_t>> reached{"reached"};
};

/// Refuses a source that was given twice: its level would have two columns, or the columns would
/// not be those that were asked for.
Status CheckEachOnce(const std::vector<ExternalId>& sources) {
  for (size_t i = 0; i < sources.size(); ++i) {
    const size_t first = static_cast<size_t>(std::find(sources.begin(), sources.end(), sources[i]) -
                                             sources.begin());
    if (first == i) continue;
    return UsageError(StrCat("msbfs: --source number ", i + 1, " is the same vertex as number ",
                             first + 1, ": give each vertex once"));
  }
  return OkStatus();
}

Status Search(Engine& engine, MsbfsState& state, const RunContext& context, Answer* answer) {
  RETURN_IF_ERROR(CheckEachOnce(state.SourceIds()));
  LaneSearches& searches = state.searches;
  searches.next.Fill(0);
  state.level.Fill(kUnreached);
  state.lane.Fill(kNoLane);
  std::vector<std::string> headings;
  for (uint32_t i = 0; i < context.sources.size(); ++i) {
    const VertexId source = context.sources[i];
    state.lane.Set(source, static_cast<uint16_t>(i));
    state.level.Set(uint64_t{source} * state.num_sources + i, 0);
    ASSIGN_OR_RETURN(headings.emplace_back(), VertexLabel(engine.graph(), source));
  }
  uint32_t farthest = 0;
  RETURN_IF_ERROR(SearchWithLanes(
      engine, searches, context.sources, state.lane.read(),
      [&](uint32_t depth, const VertexSet& set) {
        farthest = depth;
        return engine.VertexMap(
            set, NoteLevels{searches.seen.lanes(), searches.fresh.lanes(), searches.next.lanes(),
                            state.level.lanes(), depth, state.reached.view()});
      }));
  ASSIGN_OR_RETURN(const uint64_t reached, state.reached.Take());
  answer->counted = CountedEdges::kSent;
  answer->FillLists("level", std::move(headings), state.level.span());
  answer->AddCount("sources", state.num_sources);
  answer->AddCount("reached pairs", reached + state.num_sources);
  answer->AddCount("farthest level", farthest);
  return OkStatus();
}

struct LevelsCheck : RunState {
  using RunState::RunState;
  const uint32_t words = static_cast<uint32_t>((SourceIds().size() + 63) / 64);
  LaneArray<uint64_t> shown{*this, "the verifier's marks", words};
};

/// Of each source: it has level 0 for itself, and no level falls by more than 1 along an edge.
/// Every other reached vertex has a predecessor one level up.
Status Verify(LoadedGraph& graph, MsbfsState& state, LevelsCheck& check,
              const RunContext& context) {
  const uint32_t width = state.num_sources, words = check.words;
  const std::span<const uint32_t> level = state.level.span();
  const std::span<uint64_t> shown = check.shown.mutable_span();
  const auto row = [=](VertexId v) { return level.subspan(uint64_t{v} * width, width); };
  VertexId too_low = kInvalidVertex;
  RETURN_IF_ERROR(PlainVisit(graph, [&](const Edge& edge) {
    const std::span<const uint32_t> from = row(edge.from), to = row(edge.to);
    for (uint32_t i = 0; i < width; ++i) {
      if (from[i] == kUnreached) continue;
      if (to[i] > from[i] + 1) AtomicMin(&too_low, edge.to);
      if (to[i] != from[i] + 1) continue;
      uint64_t* const marks = &shown[uint64_t{edge.to} * words + i / 64];
      const uint64_t bit = uint64_t{1} << i % 64;
      if ((LoadRelaxed(marks) & bit) == 0) AtomicOr(marks, bit);
    }
  }));
  RETURN_IF_ERROR(WrongVertex(graph, too_low, "is more than one level below a predecessor"));
  return NoVertexWhere(graph, "has no predecessor one level up", [&](VertexId v) {
    for (uint32_t i = 0; i < width; ++i) {
      if ((context.sources[i] == v) != (row(v)[i] == 0)) return true;
      const bool has_predecessor = (shown[uint64_t{v} * words + i / 64] >> i % 64 & 1) != 0;
      if (row(v)[i] != 0 && row(v)[i] != kUnreached && !has_predecessor) return true;
    }
    return false;
  });
}

Status Check(const RunSetup& setup) {
  const size_t sources = setup.values.sources().size();
  if (sources > kMostLanes) {
    return UsageError(StrCat("msbfs: --source was given ", sources,
                             " times, and searches at once are at most ", kMostLanes,
                             ": give the others in another run"));
  }
  return OkStatus();
}

}  // namespace

EDGEMILL_ALGORITHM(msbfs) = {
    .name = "msbfs",
    .group = AlgorithmGroup::kPaths,
    .aliases = {"multi-source-bfs"},
    .summary = "levels (hops) from each of up to 512 sources, all searched at once",
    .facts = {.formula = "of each source s: level[s] = 0; level[v] = 1 + the least level[u] over "
                         "edges (u, v)",
              .direction = "out-edges",
              .duplicates = "change nothing",
              .weights = "ignored",
              .ends = "when a pass discovers nothing for any source",
              .passes = "one for each level, and one that discovers nothing"},
    .text =
        R"(A vertex has one level for each source, in the order in which the sources were given.
A pass reads an edge once for all sources, so that many searches take little more time than one,
from disk too. An output file has a line for each vertex: its id, and its levels. A .csv names the
columns by their sources, and a .npy has an array of two dimensions. An unknown source is an error,
and so is one that is given twice.
)",
    .paper = "Then et al., The More the Merrier: Efficient Multi-Source Graph Traversal, VLDB 2014",
    .options = {kSources},
    .results = {{.name = "level", .may_miss = true}},
    .check = Check,
    .driver = kDriver<Search>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill
