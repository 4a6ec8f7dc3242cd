// A maximal independent set: vertices without edges between them, to which none can be added.
//
// Result   chosen[v]: 1 for the members of the set, 0 for others. Edges count both ways. Loops and
//          duplicates change nothing.
// Method   Vertices have keys in an order that the seed chooses. In each round, the undecided
//          vertices whose keys are above those of all undecided neighbours join the set, and rule
//          their neighbours out. The set is the one that a serial choice by falling keys gives, so
//          it is always the same.
// Paper    Luby: A Simple Parallel Algorithm for the Maximal Independent Set Problem, SIAM J.
//          Comput. 1986. Blelloch, Fineman, Shun: Greedy Sequential Maximal Independent Set and
//          Matching are Parallel on Average, SPAA 2012.
// State    5 bytes a vertex.
#include "engine/algorithms/shared/seeded_order.h"
#include "engine/api/algorithm.h"
#include "engine/verify/plain_visit.h"

namespace edgemill {
namespace {

enum class Choice : uint8_t { kUndecided, kChosen, kRuledOut };

struct FindLargest {  // the largest key of an undecided neighbour
  using Monoid = Max<uint32_t>;
  View<const Choice> choice;
  View<uint32_t> largest;
  uint64_t seed;
  uint32_t Emit(VertexId u) const { return OrderKey(u, seed); }
  bool Cond(VertexId v) const {
    return choice[v] == Choice::kUndecided && largest[v] <= OrderKey(v, seed);
  }
  bool Enough(VertexId v, uint32_t key) const { return key > OrderKey(v, seed); }
  bool Relax(VertexId v, uint32_t key) { return AtomicMax(largest[v], key); }
};
struct Choose {  // true: no undecided neighbour has a larger key
  View<Choice> choice;
  View<uint32_t> largest;
  uint64_t seed;
  bool operator()(VertexId v) {
    if (choice[v] != Choice::kUndecided) return false;
    const bool is_first = OrderKey(v, seed) >= largest[v];  // a loop's is equal
    largest[v] = 0;
    if (is_first) choice[v] = Choice::kChosen;
    return is_first;
  }
};
struct IsUndecided {
  View<const Choice> choice;
  bool operator()(VertexId v) const { return choice[v] == Choice::kUndecided; }
};
struct RuleOut {  // any chosen neighbour will do
  using Monoid = Any<VertexId>;
  View<Choice> choice;
  VertexId Emit(VertexId u) const { return u; }
  bool Cond(VertexId v) const { return choice[v] == Choice::kUndecided; }
  bool Apply(VertexId v, VertexId) {
    choice[v] = Choice::kRuledOut;
    return true;
  }
};

struct MisState : RunState {
  explicit MisState(const RunSetup& setup) : RunState(setup) {
    HoldSets(3);  // undecided, chosen, and those that a pass makes active
  }
  VertexArray<Choice> choice{*this, "choice", ArrayUse::kResult};
  VertexArray<uint32_t> largest{*this, "largest"};
  Programs<FindLargest> first{*this, kBoth, /*wanted=*/true, PassesOf::kOne};
  Programs<RuleOut> rule_out{*this, kBoth, /*wanted=*/true, PassesOf::kOne};
};

Status FindSet(Engine& engine, MisState& state, const RunContext&, Answer* answer) {
  const uint64_t seed = state.Get(kOrderSeed);
  state.choice.Fill(Choice::kUndecided);
  state.largest.Fill(0);
  uint64_t members = 0, rounds = 0;
  for (VertexSet undecided = engine.sets().All(); !undecided.empty(); ++rounds) {
    const FindLargest find{state.choice.read(), state.largest.view(), seed};
    RETURN_IF_ERROR(engine.EdgeMap(kBoth, undecided, find).status());
    // Filters read all vertices, so that no set crosses between a GPU and the host.
    const VertexSet all = engine.sets().All();
    const Choose choose{state.choice.view(), state.largest.view(), seed};
    ASSIGN_OR_RETURN(const VertexSet chosen, engine.VertexFilter(all, choose));
    members += chosen.size();
    const RuleOut rule_out{state.choice.view()};
    RETURN_IF_ERROR(engine.EdgeMap(kBoth, chosen, rule_out).status());
    ASSIGN_OR_RETURN(undecided, engine.VertexFilter(all, IsUndecided{state.choice.read()}));
  }
  answer->AddCount("in the set", members, "chosen_vertices");
  answer->AddCount("rounds", rounds);
  answer->Fill("chosen", [choice = state.choice.span()](VertexId v) {
    return uint64_t{choice[v] == Choice::kChosen};
  });
  return OkStatus();
}

struct MisCheck : RunState {
  using RunState::RunState;
  VertexBits beside{*this, "the verifier's marks"};
};

/// No edge joins two members, and every other vertex has a neighbour in the set.
Status Verify(LoadedGraph& graph, MisState& state, MisCheck& check, const RunContext&) {
  const std::span<const Choice> choice = state.choice.span();
  VertexId joined = kInvalidVertex;
  RETURN_IF_ERROR(PlainVisit(graph, [&](const Edge& edge) {
    if (edge.from == edge.to) return;
    const bool from = choice[edge.from] == Choice::kChosen;
    const bool to = choice[edge.to] == Choice::kChosen;
    if (from && to) AtomicMin(&joined, std::min(edge.from, edge.to));
    if (from && !check.beside.has(edge.to)) check.beside.Add(edge.to);
    if (to && !check.beside.has(edge.from)) check.beside.Add(edge.from);
  }));
  RETURN_IF_ERROR(WrongVertex(graph, joined, "is in the set with a neighbour"));
  return NoVertexWhere(graph, "could be added to the set", [&](VertexId v) {
    return choice[v] != Choice::kChosen && !check.beside.has(v);
  });
}

}  // namespace

EDGEMILL_ALGORITHM(mis) = {
    .name = "mis",
    .group = AlgorithmGroup::kStructure,
    .aliases = {"independent-set"},
    .summary = "a maximal independent set",
    .facts = {.formula = "chosen[v] = 1 where v comes before all its neighbours that have 1, in an "
                         "order that the seed chooses; else 0",
              .direction = "both ways",
              .duplicates = "change nothing",
              .weights = "ignored",
              .ends = "when every vertex is in the set or beside a member",
              .passes = "two for each round; rounds grow as the logarithm of the vertices"},
    .text = R"(No edge joins two members, and every other vertex has a neighbour in the set. It is
not the largest such set, which is hard to find. The answer depends on the graph, on the order of
its vertices (ingest --renumber changes it) and on --order-seed alone: it is the same on every
processor, and with any number of threads. A vertex without neighbours is in the set. A directed
graph is taken as undirected, and needs both columns.
)",
    .paper =
        "Blelloch, Fineman and Shun, Greedy Sequential Maximal Independent Set and Matching "
        "are Parallel on Average, SPAA 2012",
    .options = {kOrderSeed},
    .results = {{.name = "chosen"}},
    .driver = kDriver<FindSet>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill
