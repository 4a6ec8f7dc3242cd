// Algorithms with functions that break one rule each, and one, levels, that breaks none. The
// verifiers accept everything: the model must find the faults. One file, since each file takes long
// to compile.
#include <edgemill/algorithm.h>

namespace edgemill {
namespace {

constexpr uint32_t kNone = ~uint32_t{0};

struct NumberState : RunState {
  using RunState::RunState;
  VertexArray<uint32_t> number{*this, "number", ArrayUse::kResult};
  VertexArray<uint32_t> other{*this, "other"};
};

Status Accept(LoadedGraph&, NumberState&, RunState&, const RunContext&) { return OkStatus(); }

Status Answers(const NumberState& state, Answer* answer) {
  answer->Fill("number", state.number.span());
  return OkStatus();
}

/// Reads the element of the next vertex, which it may not.
struct ReadsNext {
  View<const uint32_t> other;
  View<uint32_t> number;
  void operator()(VertexId v) { number[v] = v == 0 ? 0 : other[v - 1]; }
};
Status Peek(Engine& engine, NumberState& state, const RunContext&, Answer* answer) {
  EDGEMILL_RETURN_IF_ERROR(
      engine.VertexMap(engine.sets().All(), ReadsNext{state.other.read(), state.number.view()}));
  return Answers(state, answer);
}

/// Counts its calls in a field, of which the engine has several copies.
struct CountsCalls {
  View<uint32_t> number;
  uint32_t calls;
  void operator()(VertexId v) { number[v] = ++calls; }
};
Status Count(Engine& engine, NumberState& state, const RunContext&, Answer* answer) {
  EDGEMILL_RETURN_IF_ERROR(
      engine.VertexMap(engine.sets().All(), CountsCalls{state.number.view(), 0}));
  return Answers(state, answer);
}

/// An Emit that is called any number of times, and says something else each time.
struct SendsItsTurn {
  using Monoid = Max<uint32_t>;
  View<uint32_t> number;
  uint32_t Emit(VertexId) const {
    static uint32_t turn = 0;
    return ++turn;
  }
  bool Apply(VertexId v, uint32_t most) {
    number[v] = most;
    return false;
  }
};
/// A monoid that is none: the mean of three numbers depends on which are taken first.
struct Mean {
  using Value = double;
  static constexpr double identity() { return 0; }
  static constexpr double Combine(double a, double b) {
    return a == 0 || b == 0 ? a + b : (a + b) / 2;
  }
};
struct TakesMean {
  using Monoid = Mean;
  View<const uint32_t> other;
  View<uint32_t> number;
  double Emit(VertexId u) const { return other[u] + u + 1.0; }
  bool Apply(VertexId v, double mean) {
    number[v] = static_cast<uint32_t>(mean * 1000);
    return false;
  }
};
/// Always true, also where nothing changed: it never ends on a cycle.
struct AlwaysActive {
  using Monoid = Min<uint32_t>;
  View<uint32_t> number;
  uint32_t Emit(VertexId u) const { return number[u]; }
  bool Relax(VertexId v, uint32_t least) {
    AtomicMin(number[v], least);
    return true;
  }
};
/// Closes a vertex at one message, and opens it again at the next.
struct OpensAgain {
  using Monoid = Sum<uint32_t>;
  View<uint32_t> number;
  uint32_t Emit(VertexId) const { return 1; }
  bool Cond(VertexId v) const { return number[v] % 2 == 0; }
  bool Relax(VertexId v, uint32_t count) {
    AtomicAdd(number[v], count);
    return number[v] < 6;
  }
};
/// Takes whichever message comes first, and the answer shows which.
struct TakesAnySender {
  using Monoid = Any<uint32_t>;
  View<uint32_t> number;
  uint32_t Emit(VertexId u) const { return u; }
  bool Cond(VertexId v) const { return number[v] == kNone; }
  bool Apply(VertexId v, uint32_t sender) {
    number[v] = sender;
    return true;
  }
};
/// Right: levels from the first vertex.
struct FindsLevel {
  using Monoid = Min<uint32_t>;
  View<uint32_t> number;
  uint32_t Emit(VertexId u) const { return number[u] + 1; }
  bool Relax(VertexId v, uint32_t level) { return AtomicMin(number[v], level); }
};

template <typename P>
struct ProgramState : NumberState {
  using NumberState::NumberState;
  Programs<P> programs{*this, kOut};
};

/// One pass of messages to all.
template <typename P>
Status Pass(Engine& engine, ProgramState<P>& state, const RunContext&, Answer* answer) {
  const VertexSet all = engine.sets().All();
  if constexpr (requires { P::other; }) {
    EDGEMILL_RETURN_IF_ERROR(
        engine.EdgeMap(kOut, all, P{state.other.read(), state.number.view()}).status());
  } else {
    EDGEMILL_RETURN_IF_ERROR(engine.EdgeMap(kOut, all, P{state.number.view()}).status());
  }
  return Answers(state, answer);
}

/// Passes from the first vertex, until no vertex is active.
template <typename P>
Status Search(Engine& engine, ProgramState<P>& state, const RunContext&, Answer* answer) {
  EDGEMILL_ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of({0}));
  if constexpr (requires { P::other; }) {
    const P program{state.other.read(), state.number.view()};
    EDGEMILL_RETURN_IF_ERROR(engine.Fixpoint(kOut, std::move(from), program).status());
  } else {
    state.number.Fill(kNone);
    state.number.Set(0, 0);
    EDGEMILL_RETURN_IF_ERROR(
        engine.Fixpoint(kOut, std::move(from), P{state.number.view()}).status());
  }
  return Answers(state, answer);
}

Algorithm Declared(std::string_view name, const Driver& driver) {
  return {.name = name,
          .summary = "numbers of vertices",
          .text = "",
          .paper = "",
          .results = {{.name = "number", .may_miss = true}},
          .driver = driver,
          .verifier = kVerifier<Accept>};
}

}  // namespace

EDGEMILL_ALGORITHM(wrong) = Declared("peeks", kDriver<Peek>);
EDGEMILL_ALGORITHM(counts) = Declared("counts", kDriver<Count>);
EDGEMILL_ALGORITHM(sends) = Declared("sends", kDriver<Pass<SendsItsTurn>>);
EDGEMILL_ALGORITHM(means) = Declared("means", kDriver<Pass<TakesMean>>);
EDGEMILL_ALGORITHM(eager) = Declared("eager", kDriver<Search<AlwaysActive>>);
EDGEMILL_ALGORITHM(reopens) = Declared("reopens", kDriver<Search<OpensAgain>>);
EDGEMILL_ALGORITHM(guesses) = Declared("guesses", kDriver<Search<TakesAnySender>>);
EDGEMILL_ALGORITHM(levels) = Declared("levels", kDriver<Search<FindsLevel>>);

}  // namespace edgemill
