// Greedy colouring: neighbours have different colours, and each vertex has the least that is left.
//
// Result   color[v]: from 0 on. Edges count both ways. Loops and duplicates change nothing.
// Method   Vertices are in an order: those of more neighbours first, by powers of two, then by keys
//          that the seed chooses. Each waits until all neighbours before it have colours, and takes
//          the least that none of them has. That is what a serial choice in this order gives. All
//          rounds are one Fixpoint: a word for each vertex has the number of neighbours for which
//          it waits, and a bit for each of 32 colours that they have. Vertices for which 32 colours
//          are not enough form a layer. It is coloured by itself, with the next 32 colours.
// Paper    Jones, Plassmann: A Parallel Graph Coloring Heuristic, SIAM J. Sci. Comput. 1993.
//          Hasenplaugh, Kaler, Schardl, Leiserson: Ordering Heuristics for Parallel Graph Coloring,
//          SPAA 2014 (largest log-degree first).
// State    13 bytes a vertex; with --order random 12.
#include "engine/algorithms/shared/seeded_order.h"
#include "engine/api/algorithm.h"
#include "engine/verify/plain_visit.h"
#include "kernels/portable_bits.h"

namespace edgemill {
namespace {

constexpr Option<std::string_view> kOrder{
    .names = "--order",
    .help = "colour vertices of many neighbours first, or all in random order",
    .choices = "degree|random"};
constexpr uint32_t kUncolored = ~uint32_t{0};
constexpr uint32_t kColorsOfLayer = 32;

struct MeasureDegree {
  using Monoid = Sum<uint32_t>;
  static constexpr bool kSimple = true;
  View<uint8_t> bits;  // of the number of neighbours
  uint32_t Emit(VertexId) const { return 1; }
  bool Apply(VertexId v, uint32_t neighbors) {
    uint8_t count = 0;
    for (; neighbors > 0; neighbors >>= 1) ++count;
    bits[v] = count;
    return false;
  }
};
/// Whether `u` gets its colour before `v`. Without `bits`, the order is random.
EM_HOST_DEVICE inline bool IsBefore(VertexId u, VertexId v, View<const uint8_t> bits,
                                    uint64_t seed) {
  if (bits && bits[u] != bits[v]) return bits[u] > bits[v];
  return OrderKey(u, seed) > OrderKey(v, seed);
}
struct Forget {
  View<uint64_t> waits;
  void operator()(VertexId v) { waits[v] = 0; }
};
struct CountBefore {  // the neighbours in the layer that come before
  using Monoid = Sum<uint32_t>;
  static constexpr bool kSimple = true;
  View<const uint8_t> bits;
  View<const uint32_t> color;
  View<uint64_t> waits;
  uint64_t seed;
  uint32_t Emit(VertexId) const { return 1; }
  uint32_t Along(uint32_t one, const Edge& edge) const {
    return IsBefore(edge.from, edge.to, bits, seed) ? one : 0;
  }
  bool Cond(VertexId v) const { return color[v] == kUncolored; }
  bool Apply(VertexId v, uint32_t before) {
    waits[v] = before;
    return false;
  }
};
struct IsReady {
  View<const uint32_t> color;
  View<const uint64_t> waits;
  bool operator()(VertexId v) const { return color[v] == kUncolored && waits[v] == 0; }
};
struct TakeColors {  // true: the last neighbour for which the vertex waited has its colour
  using Monoid = Both<Sum<uint32_t>, Or<uint32_t>>;  // neighbours, and their colours as bits
  static constexpr bool kSimple = true;
  View<const uint8_t> bits;
  View<uint64_t> waits;  // the number of neighbours below 2^32, and the colours of others above
  uint64_t seed;
  Monoid::Value Emit(VertexId u) const {
    const auto taken = static_cast<uint32_t>(waits[u] >> 32);
    return {1, ~taken & (taken + 1)};  // the lowest bit that is not set, if any
  }
  Monoid::Value Along(Monoid::Value message, const Edge& edge) const {
    return IsBefore(edge.from, edge.to, bits, seed) ? message : Monoid::identity();
  }
  bool Cond(VertexId v) const { return static_cast<uint32_t>(waits[v]) > 0; }
  bool Relax(VertexId v, Monoid::Value got) {
    while (got.first > 0) {
      const uint64_t before = waits[v];
      if (static_cast<uint32_t>(before) == 0) return false;  // not of the layer
      const uint64_t after = (before | uint64_t{got.second} << 32) - got.first;
      if (CompareAndSet(waits[v], before, after)) return static_cast<uint32_t>(after) == 0;
    }
    return false;
  }
};
struct SetColor {  // true: the layer's colours were not enough
  View<const uint64_t> waits;
  View<uint32_t> color;
  TallyView<Max<uint32_t>> largest;
  uint32_t first;  // of the layer's colours
  bool operator()(VertexId v) {
    if (color[v] != kUncolored) return false;
    const auto taken = static_cast<uint32_t>(waits[v] >> 32);
    if (taken == ~uint32_t{0}) return true;
    const uint32_t own = first + CountBits((~taken & (taken + 1)) - 1);
    color[v] = own;
    largest.Add(own);
    return false;
  }
};

struct ColoringState : RunState {
  explicit ColoringState(const RunSetup& setup) : RunState(setup) { HoldSets(2); }
  const bool by_degree = Get(kOrder) == "degree";
  VertexArray<uint32_t> color{*this, "color", ArrayUse::kResult};
  VertexArray<uint64_t> waits{*this, "waits"};
  VertexArray<uint8_t> bits{*this, "bits", UseIf(by_degree, ArrayUse::kWork)};
  Programs<MeasureDegree> measure{*this, kBoth, by_degree, PassesOf::kOne};
  Programs<CountBefore> count{*this, kBoth, /*wanted=*/true, PassesOf::kOne};
  Programs<TakeColors> take{*this, kBoth};
};

Status FindColors(Engine& engine, ColoringState& state, const RunContext&, Answer* answer) {
  const uint64_t seed = state.Get(kOrderSeed);
  state.color.Fill(kUncolored);
  VertexSet layer = engine.sets().All();
  if (state.by_degree) {
    state.bits.Fill(0);
    RETURN_IF_ERROR(engine.EdgeMap(kBoth, layer, MeasureDegree{state.bits.view()}).status());
  }
  const uint64_t num_vertices = layer.size();
  Tally<Max<uint32_t>> largest("the largest colour");
  uint64_t rounds = 0;
  // Maps and filters read all vertices, so that no set crosses between a GPU and the host.
  const VertexSet all = engine.sets().All();
  for (uint32_t first = 0; !layer.empty(); first += kColorsOfLayer) {
    const View<const uint8_t> bits = state.bits.read();
    const CountBefore count{bits, state.color.read(), state.waits.view(), seed};
    RETURN_IF_ERROR(engine.VertexMap(all, Forget{state.waits.view()}));
    RETURN_IF_ERROR(engine.EdgeMap(kBoth, layer, count).status());
    ASSIGN_OR_RETURN(VertexSet ready,
                     engine.VertexFilter(all, IsReady{state.color.read(), state.waits.read()}));
    const TakeColors take{bits, state.waits.view(), seed};
    ASSIGN_OR_RETURN(const FixpointTotals totals, engine.Fixpoint(kBoth, std::move(ready), take));
    rounds += totals.passes;
    const SetColor set_color{state.waits.read(), state.color.view(), largest.view(), first};
    ASSIGN_OR_RETURN(layer, engine.VertexFilter(all, set_color));
  }
  ASSIGN_OR_RETURN(const uint32_t last, largest.Take());
  answer->AddCount("colors", num_vertices == 0 ? 0 : uint64_t{last} + 1);
  answer->AddCount("rounds", rounds);
  answer->Fill("color", state.color.span());
  return OkStatus();
}

struct ColoringCheck : RunState {
  using RunState::RunState;
  VertexArray<uint64_t> beside{*this, "the verifier's colors"};
};

/// No edge joins equal colours. Each vertex has neighbours of all lesser colours, so that none
/// could have a lesser one.
Status Verify(LoadedGraph& graph, ColoringState& state, ColoringCheck& check, const RunContext&) {
  const std::span<const uint32_t> color = state.color.span();
  const std::span<uint64_t> beside = check.beside.mutable_span();
  VertexId alike = kInvalidVertex;
  uint32_t most = 0;
  RETURN_IF_ERROR(NoVertexWhere(graph, "has a colour above the number of vertices",
                                [&](VertexId v) { return color[v] >= graph.num_vertices(); }));
  ForEachVertex(graph, [&](VertexId v) {
    if (color[v] > LoadRelaxed(&most)) AtomicMax(&most, color[v]);
  });
  for (uint64_t first = 0; first <= most; first += 64) {  // 64 colours a visit
    check.beside.Fill(0);
    const auto note = [&](VertexId from, VertexId to) {
      if (color[from] < first || color[from] >= first + 64 || color[from] >= color[to]) return;
      const uint64_t bit = uint64_t{1} << (color[from] - first);
      if ((LoadRelaxed(&beside[to]) & bit) == 0) AtomicOr(&beside[to], bit);
    };
    RETURN_IF_ERROR(PlainVisit(graph, [&](const Edge& edge) {
      if (edge.from == edge.to) return;
      if (color[edge.from] == color[edge.to]) AtomicMin(&alike, std::min(edge.from, edge.to));
      note(edge.from, edge.to);
      note(edge.to, edge.from);
    }));
    RETURN_IF_ERROR(WrongVertex(graph, alike, "has the colour of a neighbour"));
    RETURN_IF_ERROR(NoVertexWhere(graph, "could have a lesser colour", [&](VertexId v) {
      if (color[v] <= first) return false;
      const uint64_t below = color[v] >= first + 64 ? 0 : uint64_t{1} << (color[v] - first);
      return beside[v] != below - 1;
    }));
  }
  return OkStatus();
}

}  // namespace

EDGEMILL_ALGORITHM(coloring) = {
    .name = "coloring",
    .group = AlgorithmGroup::kStructure,
    .aliases = {"colouring", "greedy-color"},
    .summary = "a greedy colouring: neighbours have different colours",
    .facts = {.formula = "color[v] = the least number that no neighbour before v has, in the order "
                         "of --order",
              .direction = "both ways",
              .duplicates = "change nothing",
              .weights = "ignored",
              .ends = "when every vertex has a colour",
              .passes = "one for each vertex of the longest path of neighbours along which the "
                        "order rises; for each 32 colours again, over what these do not colour"},
    .text = R"(Colours are whole numbers from 0 on. --order degree takes vertices of more neighbours
first, by powers of two, and those of about as many in random order; it needs fewer colours and
fewer passes than --order random. In a directed graph, two vertices with an edge each way count
twice there. The answer depends on the graph, on the order of its vertices (ingest --renumber
changes it) and on --order-seed alone: it is the same on every processor, and with any number of
threads. The number of colours is at most one above the largest number of neighbours; the least
possible number is hard to find. A directed graph is taken as undirected, and needs both columns.
)",
    .paper = "Jones and Plassmann, A Parallel Graph Coloring Heuristic, SIAM J. Sci. Comput. 1993",
    .options = {kOrder, kOrderSeed},
    .results = {{.name = "color"}},
    .driver = kDriver<FindColors>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill
