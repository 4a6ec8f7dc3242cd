// A maximal independent set: vertices without edges between them, to which no vertex can be added.
//
// Result   choice[v]: kTaken or kRuledOut. Edges count both ways. Loops and duplicates change
//          nothing.
// Method   Each round takes the undecided vertices whose keys are larger than the keys of all
//          undecided neighbours, and rules their neighbours out. Keys are hashes of ids, so the
//          answer is always the same.
// Paper    Luby: A Simple Parallel Algorithm for the Maximal Independent Set Problem, SIAM 1986.
#pragma once

#include <cstdint>
#include <span>

#include "common/random.h"
#include "engine/api/engine.h"
#include "engine/verify/plain_visit.h"

namespace edgemill::docs {

enum class Choice : uint8_t { kUndecided, kTaken, kRuledOut };

/// No two vertices have the same key, and no key is 0.
inline uint64_t KeyOf(VertexId v) { return uint64_t{1} << 63 | Mix64(v) << 32 | v; }

struct FindLargest {  // true: no undecided neighbour has a larger key
  using Monoid = Max<uint64_t>;
  static constexpr bool kAppliesToAll = true;
  View<const Choice> choice;
  uint64_t Emit(VertexId u) const { return KeyOf(u); }
  uint64_t Along(uint64_t key, const Edge& edge) const { return edge.from == edge.to ? 0 : key; }
  bool Cond(VertexId v) const { return choice[v] == Choice::kUndecided; }
  bool Apply(VertexId v, uint64_t largest) { return KeyOf(v) > largest; }
};
struct Take {
  View<Choice> choice;
  void operator()(VertexId v) { choice[v] = Choice::kTaken; }
};
struct RuleOut {  // any neighbour that was taken will do
  using Monoid = Any<VertexId>;
  View<Choice> choice;
  VertexId Emit(VertexId u) const { return u; }
  bool Cond(VertexId v) const { return choice[v] == Choice::kUndecided; }
  bool Apply(VertexId v, VertexId) {
    choice[v] = Choice::kRuledOut;
    return true;
  }
};

struct IndependentSetState : State {
  IndependentSetState(uint64_t num_vertices, int threads) : State(num_vertices, threads) {
    HoldSets(4);  // undecided, taken, ruled out, and a difference
  }
  VertexArray<Choice> choice{*this, "choice", ArrayUse::kResult};
  Programs<FindLargest, RuleOut> programs{*this, kBoth};
};

template <typename E>
Status FindIndependentSet(E& engine, IndependentSetState& state) {
  VertexSet undecided = engine.sets().All();
  while (!undecided.empty()) {
    const FindLargest find{state.choice.read()};
    ASSIGN_OR_RETURN(const VertexSet taken, engine.EdgeMap(kBoth, undecided, find));
    RETURN_IF_ERROR(engine.VertexMap(taken, Take{state.choice.view()}));
    const RuleOut rule_out{state.choice.view()};
    ASSIGN_OR_RETURN(const VertexSet ruled_out, engine.EdgeMap(kBoth, taken, rule_out));
    ASSIGN_OR_RETURN(undecided, engine.sets().Difference(undecided, taken));
    ASSIGN_OR_RETURN(undecided, engine.sets().Difference(undecided, ruled_out));
  }
  return OkStatus();
}

struct IndependentSetCheck : State {
  using State::State;
  VertexBits beside{*this, "the verifier's marks"};
};

/// No edge joins two vertices of the set, and every other vertex has a neighbour in the set.
inline Status VerifyIndependentSet(LoadedGraph& graph, const IndependentSetState& state,
                                   IndependentSetCheck& check) {
  const std::span<const Choice> choice = state.choice.span();
  VertexId joined = kInvalidVertex;
  RETURN_IF_ERROR(PlainVisit(graph, [&](const Edge& edge) {
    if (edge.from == edge.to) return;
    const bool from = choice[edge.from] == Choice::kTaken;
    const bool to = choice[edge.to] == Choice::kTaken;
    if (from && to) AtomicMin(&joined, edge.from);
    if (from) check.beside.Add(edge.to);
    if (to) check.beside.Add(edge.from);
  }));
  RETURN_IF_ERROR(WrongVertex(graph, joined, "has a neighbour in the set too"));
  ASSIGN_OR_RETURN(const VertexId left_out, FirstVertexWhere(graph, [&](VertexId v) {
                     return choice[v] != Choice::kTaken && !check.beside.has(v);
                   }));
  return WrongVertex(graph, left_out, "could be added");
}

}  // namespace edgemill::docs
