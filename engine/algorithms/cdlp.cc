// Communities by label propagation, as Graphalytics defines them (CDLP).
//
// Result   label[v]: a vertex, after which v's community is called. It need not be a member.
// Method   Each vertex begins with itself as its label. In each iteration, all vertices at once
//          take the label that is most frequent among their neighbours, of several that of the
//          least input id. Neighbours count once for each edge, in and out: an edge each way counts
//          twice.
//          Labels are counted in hash tables. A vertex's table has two words for each of its edges.
//          The tables of a window of vertices are in memory at a time, so that an iteration reads
//          each list once. Vertices with very many edges go one by one: the counts of their labels
//          are in an array of all vertices. Each new count that is the best of its vertex so far
//          is kept: counts only grow, so in the end this is the final count of the best label.
// Paper    Raghavan, Albert, Kumara: Near Linear Time Algorithm to Detect Community Structures in
//          Large-Scale Networks, Physical Review E 2007. Iosup et al.: LDBC Graphalytics, VLDB
//          2016.
// State    30 bytes a vertex.
#include "common/units.h"
#include "engine/api/algorithm.h"
#include "engine/graph/id_map.h"
#include "engine/verify/plain_visit_into.h"

namespace edgemill {
namespace {

constexpr Option<uint64_t> kIterations{"-i,--iterations", "how many iterations, at most",
                                       Whole32(1), 10};
constexpr uint64_t kLeastWindow = 64;  // edges
constexpr uint64_t kWordsOfEdge = 2;
constexpr uint64_t kMostCount = ~uint32_t{0};

/// Of a word of a table: the label above, and below the number of edges that lead to it.
constexpr VertexId LabelOf(uint64_t word) { return static_cast<VertexId>(word >> 32); }
constexpr uint32_t CountOf(uint64_t word) { return static_cast<uint32_t>(word); }
/// A label with its count, so that the best is the greatest: of equal counts the least label.
constexpr uint64_t VotesFor(VertexId label, uint64_t count) {
  return (count < kMostCount ? count : kMostCount) << 32 | (kInvalidVertex - label);
}
constexpr VertexId Elected(uint64_t votes) { return kInvalidVertex - static_cast<VertexId>(votes); }

/// The lists of a vertex: where they begin among those of all vertices, and their edges.
struct Lists {
  uint64_t first, edges;
};
EM_HOST_DEVICE inline Lists ListsOf(VertexId v, DegreeView out, DegreeView in, bool both) {
  const Lists lists = {out.index().first_edge(v), out[v]};
  return both ? Lists{lists.first + in.index().first_edge(v), lists.edges + in[v]} : lists;
}

struct Start {
  View<VertexId> label;
  void operator()(VertexId v) { label[v] = v; }
};
struct IsHub {
  DegreeView out, in;
  bool both;
  uint64_t most;
  bool operator()(VertexId v) { return ListsOf(v, out, in, both).edges > most; }
};
struct InWindow {  // the lists begin in the window, and are no hub's
  DegreeView out, in;
  bool both;
  uint64_t begin, end, most;
  bool operator()(VertexId v) {
    const Lists lists = ListsOf(v, out, in, both);
    return lists.first >= begin && lists.first < end && lists.edges > 0 && lists.edges <= most;
  }
};
struct CountLabel {
  View<const VertexId> label;
  Shared<uint64_t> words;
  Into<Max<uint64_t>> best;
  DegreeView out, in;
  bool both;
  uint64_t begin;
  void operator()(const Edge& edge) {
    const Lists lists = ListsOf(edge.from, out, in, both);
    const uint64_t first = kWordsOfEdge * (lists.first - begin);
    const uint64_t size = kWordsOfEdge * lists.edges;
    const VertexId own = label[edge.to];
    // The table has more words than labels, so that the search ends.
    for (uint64_t i = uint64_t{own * 0x9e3779b1u} * size >> 32;; i = i + 1 < size ? i + 1 : 0) {
      uint64_t word = words[first + i];
      if (word == 0) {
        if (CompareAndSet(words[first + i], 0, uint64_t{own} << 32 | 1)) {
          return best.Add(edge.from, VotesFor(own, 1));
        }
        word = words[first + i];
      }
      if (LabelOf(word) != own) continue;
      const uint64_t before = AtomicAdd(words[first + i], 1);
      return best.Add(edge.from, VotesFor(own, uint64_t{CountOf(before)} + 1));
    }
  }
};
struct CountLabelOfHub {
  View<const VertexId> label;
  Shared<uint64_t> counts;
  Into<Max<uint64_t>> best;
  void operator()(const Edge& edge) {
    const VertexId own = label[edge.to];
    best.Add(edge.from, VotesFor(own, AtomicAdd(counts[own], 1) + 1));
  }
};
struct TakeBest {  // 1: the label changes
  View<uint64_t> best;
  View<VertexId> label;
  uint64_t operator()(VertexId v) {
    const uint64_t votes = best[v];
    if (votes == 0) return 0;  // a vertex without edges
    best[v] = 0;
    const VertexId before = label[v], after = Elected(votes);
    label[v] = after;
    return before != after ? 1 : 0;
  }
};
struct NameVertex {  // instead of its rank
  Anywhere<uint64_t> vertex;
  View<VertexId> label;
  void operator()(VertexId v) { label[v] = static_cast<VertexId>(vertex[label[v]]); }
};

struct CdlpState : RunState {
  explicit CdlpState(const RunSetup& setup) : RunState(setup) { HoldSets(2); }
  const bool both = directed();
  /// Edges of the lists that begin in a window, at least. Vertices of more than `most` go alone.
  const uint64_t window = std::max(num_vertices(), kLeastWindow), most = window / 8;
  VertexArray<VertexId> label{*this, "label", ArrayUse::kVertices};
  VertexArray<uint64_t> best{*this, "best votes"};
  Counters<Sum<uint64_t>> words{*this, "words", kWordsOfEdge*(window + most)};
  Degrees out{*this, kOut}, in{*this, kIn, both};
  VisitedLists lists{*this, kBoth};
  uint64_t iterations = 0;  // done
};

/// Calls set(vertex, rank) for all vertices: the ranks of their input ids. Ties go by these.
template <typename Set>
Status VisitRanks(LoadedGraph& graph, Set set) {
  return IdMap(graph.store(), graph.reader())
      .Visit([&](uint64_t first, std::span<const ExternalId>, std::span<const VertexId> vertices) {
        for (const VertexId v : vertices) set(v, static_cast<VertexId>(first++));
        return OkStatus();
      });
}

/// Counts the labels around the vertices whose lists begin in the window.
Status VoteInWindow(Engine& engine, CdlpState& state, uint64_t begin) {
  const DegreeView out = engine.Degrees(kOut);
  const DegreeView in = state.both ? engine.Degrees(kIn) : out;
  const InWindow in_window{out, in, state.both, begin, begin + state.window, state.most};
  ASSIGN_OR_RETURN(const VertexSet members, engine.VertexFilter(engine.sets().All(), in_window));
  state.words.Fill(0);
  return engine.EdgeVisit(kBoth, members,
                          CountLabel{state.label.read(), state.words.shared(),
                                     state.best.into<Max<uint64_t>>(), out, in, state.both, begin});
}
Status VoteOfHub(Engine& engine, CdlpState& state, VertexId hub) {
  ASSIGN_OR_RETURN(const VertexSet set, engine.sets().Of({hub}));
  state.words.Fill(0);
  return engine.EdgeVisit(
      kBoth, set,
      CountLabelOfHub{state.label.read(), state.words.shared(), state.best.into<Max<uint64_t>>()});
}

Status FindLabels(Engine& engine, CdlpState& state, const RunContext&, Answer* answer) {
  const VertexSet all = engine.sets().All();
  const DegreeView out = engine.Degrees(kOut);
  const DegreeView in = state.both ? engine.Degrees(kIn) : out;
  const uint64_t num_edges = engine.graph().num_edges() * (state.both ? 2 : 1);
  std::vector<VertexId> hubs;
  {
    ASSIGN_OR_RETURN(const VertexSet set,
                     engine.VertexFilter(all, IsHub{out, in, state.both, state.most}));
    hubs = set.Members();
  }
  const bool renumbered = engine.graph().info().renumbering != Renumbering::kNone;
  if (renumbered) {
    RETURN_IF_ERROR(VisitRanks(
        engine.graph(),
        [label = state.label.mutable_span()](VertexId v, VertexId rank) { label[v] = rank; }));
  } else {
    RETURN_IF_ERROR(engine.VertexMap(all, Start{state.label.view()}));
  }
  state.best.Fill(0);
  uint64_t changes = all.size();
  for (state.iterations = 0; state.iterations < state.Get(kIterations) && changes > 0;) {
    for (uint64_t begin = 0; begin < num_edges; begin += state.window) {
      RETURN_IF_ERROR(VoteInWindow(engine, state, begin));
    }
    for (const VertexId hub : hubs) RETURN_IF_ERROR(VoteOfHub(engine, state, hub));
    const TakeBest take_best{state.best.view(), state.label.view()};
    ASSIGN_OR_RETURN(changes, engine.Reduce<Sum<uint64_t>>(all, take_best));
    ++state.iterations;
  }
  if (renumbered) {
    RETURN_IF_ERROR(VisitRanks(
        engine.graph(),
        [vertex = state.best.mutable_span()](VertexId v, VertexId rank) { vertex[rank] = v; }));
    RETURN_IF_ERROR(engine.VertexMap(all, NameVertex{state.best.anywhere(), state.label.view()}));
  }
  answer->AddCount("iterations", state.iterations);
  answer->AddCount("changed in the last iteration", changes, "changed_vertices");
  answer->passes = state.iterations;
  answer->Fill("label", state.label.span());
  return OkStatus();
}

struct LabelSizes : RunState {
  using RunState::RunState;
  VertexArray<uint32_t> size{*this, "sizes of communities"};
};
struct CountMembersOf {
  View<const VertexId> label;
  Into<Sum<uint32_t>> size;
  void operator()(VertexId v) { size.Add(label[v], 1); }
};
struct UsedLabels {
  using Monoid = Both<Sum<uint64_t>, Max<uint32_t>>;
  View<const uint32_t> size;
  Monoid::Value operator()(VertexId v) const { return {size[v] > 0, size[v]}; }
};
/// Adds how many labels vertices have, and how many have the most frequent one.
Status Describe(Engine& engine, CdlpState& state, LabelSizes& sizes, Answer* answer) {
  const VertexSet all = engine.sets().All();
  const CountMembersOf count{state.label.read(), sizes.size.into<Sum<uint32_t>>()};
  RETURN_IF_ERROR(engine.VertexMap(all, count));
  ASSIGN_OR_RETURN(const auto used,
                   engine.Reduce<UsedLabels::Monoid>(all, UsedLabels{sizes.size.read()}));
  answer->AddCount("communities", used.first);
  answer->AddFact("largest", StrCat(FormatCount(used.second), " vertices"), uint64_t{used.second},
                  "largest_community_vertices");
  return OkStatus();
}

struct LabelCheck : RunState {
  using RunState::RunState;
  const uint64_t most = std::max(num_vertices(), kLeastWindow);  // edges at a time
  VertexArray<VertexId> label{*this, "the verifier's labels"};
  VertexArray<VertexId> next{*this, "the verifier's next labels"};
  VertexArray<uint32_t> count{*this, "the verifier's counts"};  // of edges, or of a hub's labels
  Counters<Min<VertexId>> votes{*this, "the verifier's votes", most};
};

/// Calls visit(vertex, neighbour) for the edges of the members of `some`.
template <typename Visit>
Status VisitBothWays(LoadedGraph& graph, std::span<const VertexId> some, Visit visit) {
  RETURN_IF_ERROR(PlainVisitFrom(graph, some, [=](const Edge& e) { visit(e.from, e.to); }));
  if (!graph.info().directed) return OkStatus();
  return PlainVisitInto(graph, some, [=](const Edge& e) { visit(e.to, e.from); });
}

/// The next labels: those of the neighbours of several vertices in a row, sorted; or of one that
/// has more neighbours, counted.
Status VoteAgain(LoadedGraph& graph, LabelCheck& check) {
  const DegreeView out(graph.index(Direction::kOut));
  const DegreeView in(graph.info().directed ? graph.index(Direction::kIn) : VertexIndexView());
  const auto edges_of = [&](VertexId v) { return out[v] + (graph.info().directed ? in[v] : 0); };
  const std::span<const VertexId> label = check.label.span();
  const std::span<VertexId> next = check.next.mutable_span(), votes = check.votes.mutable_span();
  const std::span<uint32_t> count = check.count.mutable_span();
  for (VertexId begin = 0; begin < graph.num_vertices();) {
    std::vector<VertexId> some = {begin};
    std::vector<uint64_t> first = {0, edges_of(begin)};
    while (some.back() + 1 < graph.num_vertices() && first.back() <= check.most) {
      some.push_back(some.back() + 1);
      first.push_back(first.back() + edges_of(some.back()));
    }
    if (first.back() > check.most && some.size() > 1) some.pop_back(), first.pop_back();
    if (first.back() > check.most) {
      check.count.Fill(0);
      RETURN_IF_ERROR(VisitBothWays(
          graph, some, [=](VertexId, VertexId u) { AtomicAdd(&count[label[u]], 1u); }));
      next[begin] =
          static_cast<VertexId>(std::max_element(count.begin(), count.end()) - count.begin());
    } else {
      for (const VertexId v : some) count[v] = 0, next[v] = label[v];
      RETURN_IF_ERROR(VisitBothWays(graph, some, [&](VertexId v, VertexId u) {
        votes[first[v - begin] + AtomicAdd(&count[v], 1u)] = label[u];
      }));
      ForEachChunk(some.size(), 1024, graph.threads(), [&](size_t from, size_t to) {
        for (size_t i = from; i < to; ++i) {
          const std::span<VertexId> own = votes.subspan(first[i], first[i + 1] - first[i]);
          std::sort(own.begin(), own.end());
          size_t most = 0;
          for (auto run = own.begin(); run != own.end();) {
            const auto end = std::upper_bound(run, own.end(), *run);
            if (const size_t votes_of = end - run; votes_of > most) {
              most = votes_of, next[some[i]] = *run;
            }
            run = end;
          }
        }
      });
    }
    begin = some.back() + 1;
  }
  return OkStatus();
}

/// Does all iterations again.
Status Verify(LoadedGraph& graph, CdlpState& state, LabelCheck& check, const RunContext&) {
  RETURN_IF_ERROR(PlainVisit(graph, [](const Edge&) {}));  // checks the indexes
  if (state.both)
    RETURN_IF_ERROR(PlainVisit(
        graph, [](const Edge&) {}, Direction::kIn));
  RETURN_IF_ERROR(VisitRanks(
      graph, [rank = check.label.mutable_span()](VertexId v, VertexId r) { rank[v] = r; }));
  for (uint64_t i = 0; i < state.iterations; ++i) {
    RETURN_IF_ERROR(VoteAgain(graph, check));
    check.label.Swap(check.next);
  }
  const std::span<VertexId> vertex = check.next.mutable_span();
  RETURN_IF_ERROR(VisitRanks(graph, [=](VertexId v, VertexId rank) { vertex[rank] = v; }));
  const std::span<const VertexId> label = state.label.span(), right = check.label.span();
  return NoVertexWhere(graph, "does not have the label that is most frequent around it",
                       [&](VertexId v) { return label[v] != vertex[right[v]]; });
}

}  // namespace

EDGEMILL_ALGORITHM(cdlp) = {
    .name = "cdlp",
    .group = AlgorithmGroup::kStructure,
    .aliases = {"label-propagation"},
    .summary = "communities by label propagation, as Graphalytics defines them",
    .facts = {.formula =
                  "label[v] = the most frequent label[u] over edges (v, u) and (u, v) in the "
                  "iteration before, of several the least; at first v itself",
              .direction = "both ways",
              .duplicates = "count as often as they are stored; a loop is a vote for the vertex's "
                            "own label",
              .weights = "ignored",
              .ends = "after --iterations, or when no label changes",
              .passes = "one for each iteration"},
    .text = R"(A label is the input id of a vertex, which need not have it. In a directed graph, two
vertices with an edge each way count twice for each other, and both columns are needed. A vertex
without edges keeps its own label. Of labels that are equally frequent, the vertex takes the one
with the least input id. All vertices change at once, so labels may go on changing for ever, as on a
single edge.
)",
    .paper =
        "Raghavan, Albert and Kumara, Near Linear Time Algorithm to Detect Community Structures "
        "in Large-Scale Networks, Physical Review E 2007",
    .options = {kIterations},
    .results = {{.name = "label", .type = ResultType::kId, .top = TopKind::kLabels}},
    .driver = kDriver<FindLabels>,
    .description = kDescription<Describe>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill
