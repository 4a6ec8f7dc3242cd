// Breadth-first searches from many sources at once. Each source has a lane: a bit in the row of
// every vertex. A vertex sends the lanes that reached it in the pass before. The lanes of a row
// are new at different vertices, but each edge is read for all of them at once.
//
// Source: Then et al.: The More the Merrier: Efficient Multi-Source Graph Traversal, VLDB 2014.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "engine/api/algorithm.h"
#include "engine/program/lanes.h"
#include "engine/program/monoids/monoids.h"
#include "engine/state/lane_array.h"
#include "kernels/portable_bits.h"

namespace edgemill {

inline constexpr uint32_t kLanesOfWord = 64;
/// The most searches at once: 512.
inline constexpr uint32_t kMostLanes = kMaxLaneWords * kLanesOfWord;
/// The lane of a vertex that is no source.
inline constexpr uint16_t kNoLane = kMostLanes;

/// The words of rows for `sources` searches, at most `most_lanes` of them at once.
inline uint32_t WordsFor(uint64_t sources, uint64_t most_lanes) {
  const uint64_t lanes = std::clamp<uint64_t>(std::min(sources, most_lanes), 1, kMostLanes);
  return std::bit_ceil(static_cast<uint32_t>((lanes + kLanesOfWord - 1) / kLanesOfWord));
}

/// How many words of a row functions handle at a time.
inline constexpr uint32_t kWordsAtOnce = 2;
using SomeLanes = LaneWords<uint64_t, kWordsAtOnce>;

/// Marks lanes as seen at a vertex. A search that is over finds nothing more, so that vertices need
/// not look for it.
struct SkipLanes {
  LaneView<uint64_t> seen;
  Anywhere<uint64_t> over;  // kMaxLaneWords words
  void operator()(VertexId v) {
    for (uint32_t word = 0; word < seen.words(); word += kWordsAtOnce) {
      SomeLanes lanes = seen.OfWord(word).Words<kWordsAtOnce>(v);
      for (uint32_t i = 0; i < kWordsAtOnce; ++i) lanes.word[i] |= over[word + i];
      seen.OfWord(word).SetWords(v, lanes);
    }
  }
};
/// The lanes that any of some vertices has.
struct OrOfRows {
  using Value = LaneWords<uint64_t, kMaxLaneWords>;
  EM_HOST_DEVICE static constexpr Value identity() { return {}; }
  EM_HOST_DEVICE static constexpr Value Combine(Value a, const Value& b) {
    for (uint32_t i = 0; i < kMaxLaneWords; ++i) a.word[i] |= b.word[i];
    return a;
  }
};
struct LanesAt {
  LaneView<const uint64_t> fresh;
  OrOfRows::Value operator()(VertexId v) { return fresh.Words<kMaxLaneWords>(v); }
};
/// A source has reached itself.
struct BeginLanes {
  LaneView<uint64_t> seen, fresh;
  View<const uint16_t> lane;  // empty: lanes in the order of vertices, from `first` on
  VertexId first;
  void operator()(VertexId v) {
    const uint32_t own = lane ? lane[v] : v - first;
    for (uint32_t word = 0; word < seen.words(); ++word) {
      const bool has = word == own / kLanesOfWord;
      seen.OfWord(word)[v] = fresh.OfWord(word)[v] = has ? uint64_t{1} << own % kLanesOfWord : 0;
    }
  }
};
/// For one word of each row.
struct SpreadLanes {
  using Monoid = Or<uint64_t>;
  LaneView<const uint64_t> seen;   // lanes that have reached the vertex in passes before
  LaneView<const uint64_t> fresh;  // those of the last pass
  LaneView<uint64_t> next;         // those of this pass
  uint64_t Emit(VertexId u) const { return fresh[u]; }
  bool Cond(VertexId v) const { return seen[v] != ~uint64_t{0}; }
  bool Enough(VertexId v, uint64_t lanes) const {
    return (lanes | seen[v] | next[v]) == ~uint64_t{0};
  }
  bool Relax(VertexId v, uint64_t lanes) {
    const uint64_t found = lanes & ~seen[v];
    return (found & ~AtomicOr(next[v], found)) != 0;
  }
  struct Tuning {  // most messages have only lanes that are there
    static bool WouldRelax(const SpreadLanes& program, VertexId v, uint64_t lanes) {
      return (lanes & ~(program.seen[v] | program.next[v])) != 0;
    }
  };
};

/// The arrays and the program of searches with lanes: a field of a State.
struct LaneSearches {
  /// Rows of `words` words.
  LaneSearches(State& state, uint32_t words)
      : seen(state, "seen", words),
        fresh(state, "fresh", words),
        next(state, "next", words),
        over(state, "over", kMaxLaneWords),
        programs(state, kOut, /*wanted=*/true, PassesOf::kOne) {}

  uint32_t num_lanes() const { return seen.words() * kLanesOfWord; }

  LaneArray<uint64_t> seen, fresh, next;
  Counters<Or<uint64_t>> over;  // lanes whose searches are over
  Programs<Lanes<SpreadLanes>> programs;
};

/// Makes all vertices skip the searches that have found nothing in the pass before, at none of the
/// vertices `found`.
inline Status SkipSearchesThatAreOver(Engine& engine, LaneSearches& searches,
                                      const VertexSet& found) {
  ASSIGN_OR_RETURN(const OrOfRows::Value goes_on,
                   engine.Reduce<OrOfRows>(found, LanesAt{searches.fresh.read_lanes()}));
  bool any = false;
  for (uint32_t word = 0; word < searches.seen.words(); ++word) {
    const uint64_t over = searches.over.Get(word) | ~goes_on.word[word];
    any |= over != searches.over.Get(word);
    searches.over.Set(word, over);
  }
  if (!any) return OkStatus();
  return engine.VertexMap(engine.sets().All(),
                          SkipLanes{searches.seen.lanes(), searches.over.anywhere()});
}

/// Searches from `sources`, at most num_lanes(), each once. Their lanes are in `lane`, or are in
/// the order of the sources, which are then adjacent vertices. `next` must be zeros before the
/// first search; a search leaves zeros. After each pass, `end_pass(depth,
/// set)` is called with the vertices that lanes have reached in it, at that depth. It must call
/// VertexMap with a function that calls TakeNextLanes for all words.
template <typename EndPass>
Status SearchWithLanes(Engine& engine, LaneSearches& searches, std::span<const VertexId> sources,
                       View<const uint16_t> lane, EndPass end_pass) {
  const uint64_t large = engine.num_vertices() / 64;  // after a pass of so many, a pull is likely
  searches.seen.Fill(0);
  searches.over.Fill(0);
  ASSIGN_OR_RETURN(VertexSet set, engine.sets().Of(sources));
  const BeginLanes begin{searches.seen.lanes(), searches.fresh.lanes(), lane, sources.front()};
  RETURN_IF_ERROR(engine.VertexMap(set, begin));
  for (uint32_t depth = 1;; ++depth) {
    const SpreadLanes spread{searches.seen.read_lanes(), searches.fresh.read_lanes(),
                             searches.next.lanes()};
    ASSIGN_OR_RETURN(set, engine.EdgeMap(kOut, set, Lanes<SpreadLanes>{spread}));
    if (set.empty()) return OkStatus();
    RETURN_IF_ERROR(end_pass(depth, set));
    if (set.size() > large) RETURN_IF_ERROR(SkipSearchesThatAreOver(engine, searches, set));
  }
}

/// Ends a pass for some words of a vertex, from number `word` on: the lanes that the pass found
/// become those that spread next. Returns them.
EM_HOST_DEVICE inline SomeLanes TakeNextLanes(LaneView<uint64_t> seen, LaneView<uint64_t> fresh,
                                              LaneView<uint64_t> next, VertexId v, uint32_t word) {
  const SomeLanes found = next.OfWord(word).Words<kWordsAtOnce>(v);
  SomeLanes all = seen.OfWord(word).Words<kWordsAtOnce>(v);
  for (uint32_t i = 0; i < kWordsAtOnce; ++i) all.word[i] |= found.word[i];
  seen.OfWord(word).SetWords(v, all);
  fresh.OfWord(word).SetWords(v, found);
  next.OfWord(word).SetWords(v, SomeLanes{});
  return found;
}

}  // namespace edgemill
