// PageRank with a GPU.
#include <atomic>
#include <cmath>
#include <numeric>

#include "common/parallel.h"
#include "common/units.h"
#include "engine/old/algorithms/executor_choice.h"
#include "engine/old/algorithms/pagerank_program.h"

namespace edgemill {
namespace {

/// The options with their defaults.
struct Settings {
  double damping;
  double tolerance;  // 0: none
  uint32_t iterations;
  bool spread;
};

Settings SettingsOf(const RunOptions& options) {
  const OptionValues& values = options.values;
  // A number of iterations alone means exactly so many.
  const bool fixed = values.Has("--iterations") && !values.Has("--tolerance");
  return {.damping = values.GetOr("--damping", 0.85),
          .tolerance = fixed ? 0 : values.GetOr("--tolerance", 1e-6),
          .iterations = static_cast<uint32_t>(values.GetOr("--iterations", uint64_t{100})),
          .spread = values.GetOr("--dangling", std::string_view("spread")) == "spread"};
}
bool IsDelta(const RunOptions& options) {
  return options.values.GetOr("--method", std::string_view()) == "delta";
}

/// Pull needs in-neighbours; a graph with out-columns alone is pushed. So are asynchronous runs: a
/// pull takes deltas as they were when the iteration began.
Mode ModeOn(const GraphStore& store, const RunOptions& options) {
  const bool can_pull = !store.info().directed || store.has(ColumnKind::kInOffsets);
  const bool may_pull = can_pull && options.async_passes == 0;
  return options.mode == Mode::kAuto && !may_pull ? Mode::kPush : options.mode;
}

StatusOr<GpuAlgorithmNeeds> Plan(const GraphStore& store, const RunOptions& options) {
  const GraphInfo& info = store.info();
  const bool is_delta = IsDelta(options);
  const uint64_t num_blocks = info.num_blocks();
  const Mode mode = ModeOn(store, options);
  GpuAlgorithmNeeds needs;
  needs.graph.out_index = true;
  needs.graph.in_index = mode != Mode::kPush && !(mode == Mode::kAuto && info.directed &&
                                                  !store.has(ColumnKind::kInOffsets));
  needs.work_bytes =
      is_delta ? info.num_vertices * sizeof(float) +
                     Executor<DeltaProgram>::SizeBytes(info.num_vertices, num_blocks, mode)
               : Executor<JacobiProgram>::SizeBytes(info.num_vertices, num_blocks, mode);
  needs.gpu = is_delta ? GpuNeedsOf<DeltaProgram>(store, needs.graph, mode)
                       : GpuNeedsOf<JacobiProgram>(store, needs.graph, mode);
  if (!is_delta) needs.gpu.exchange_bytes += HybridExecutor<JacobiProgram>::SizeBytes(num_blocks);
  needs.block_ids = is_delta ? Executor<DeltaProgram>::kWhole : Executor<JacobiProgram>::kWhole;
  return needs;
}

/// The sum of value(vertex) over all vertices: in one order, whatever the threads.
template <typename Value>
double SumOver(const LoadedGraph& graph, Value value) {
  std::vector<double> sums(graph.num_vertices() / kVertexChunk + 1);
  ForEachChunk(graph.num_vertices(), kVertexChunk, graph.threads(), [&](size_t begin, size_t end) {
    for (size_t v = begin; v < end; ++v)
      sums[begin / kVertexChunk] += value(static_cast<VertexId>(v));
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

void Describe(uint64_t iterations, double change, double sum, Answer* answer) {
  answer->passes = iterations;
  answer->AddCount("iterations", iterations);
  answer->AddFact("last change", FormatSignificant(change), change, "last_change_l1");
  answer->AddFact("sum of ranks", FormatFixed(sum, 9), sum);
}

Status RunJacobi(const RunEnvironment& environment, State& state, Answer* answer) {
  LoadedGraph& graph = environment.graph;
  const Settings settings = SettingsOf(environment.options);
  const double num_vertices = static_cast<double>(graph.num_vertices());
  const std::span<float> share = state.Find<float>("share");
  const std::span<float> next = state.Find<float>("next share");
  ASSIGN_OR_RETURN(auto executor, MakeExecutor<JacobiProgram>(
                                      environment, ModeOn(graph.store(), environment.options)));
  const VertexIndexView index = graph.index(Direction::kOut);
  JacobiProgram program{.out_index = index,
                        .offered = share.data(),
                        .next = next.data(),
                        .base = 0,
                        .damping = settings.damping};
  RETURN_IF_ERROR(executor->Initialise(program));
  graph.progress().SetMostIterations(settings.iterations);
  RankAggregate last{};
  last.dangling.Add(SumOver(graph, [&](VertexId v) { return index.degree(v) == 0; }) /
                    std::max(1.0, num_vertices));
  uint32_t iteration = 0;
  while (iteration < settings.iterations && !share.empty()) {
    program.base =
        (1 - settings.damping + (settings.spread ? settings.damping * last.dangling.value() : 0)) /
        num_vertices;
    ASSIGN_OR_RETURN(last, executor->Iterate(&program));
    std::swap(program.offered, program.next);
    ++iteration;
    if (last.change.value() < settings.tolerance) break;
  }
  RETURN_IF_ERROR(executor->Finish(program));
  executor = nullptr;  // which may have pinned the arrays
  if (program.offered != share.data()) {
    ForEachChunk(share.size(), kVertexChunk, graph.threads(), [&](size_t begin, size_t end) {
      std::copy(next.begin() + begin, next.begin() + end, share.begin() + begin);
    });
  }
  const auto rank = [share, index](VertexId v) {
    return JacobiProgram::Rank(share[v], index.degree(v));
  };
  answer->Fill("rank", rank);
  Describe(iteration, last.change.value(), SumOver(graph, rank), answer);
  return OkStatus();
}

Status RunDelta(const RunEnvironment& environment, State& state, Answer* answer) {
  LoadedGraph& graph = environment.graph;
  const Settings settings = SettingsOf(environment.options);
  const double num_vertices = static_cast<double>(graph.num_vertices());
  const std::span<double> rank = state.Find<double>("rank");
  const std::span<double> residual = state.Find<double>("residual");
  ASSIGN_OR_RETURN(
      const MemoryReservation reservation,
      graph.budget().Reserve(graph.num_vertices() * sizeof(float), "PageRank messages"));
  ASSIGN_OR_RETURN(Array<float> message, Array<float>::Allocate(graph.num_vertices()));
  ASSIGN_OR_RETURN(auto executor, MakeExecutor<DeltaProgram>(
                                      environment, ModeOn(graph.store(), environment.options)));
  const double tolerance = settings.tolerance == 0 ? 1e-6 : settings.tolerance;
  DeltaProgram program{.out_index = graph.index(Direction::kOut),
                       .rank = rank.data(),
                       .residual = residual.data(),
                       .message = message.data(),
                       .start = (1 - settings.damping) / std::max(1.0, num_vertices),
                       .damping = settings.damping,
                       .threshold = 0};
  RETURN_IF_ERROR(executor->Initialise(program));
  graph.progress().SetMostIterations(settings.iterations);
  uint32_t iteration = 0;
  double left = program.start * num_vertices;
  double unit = settings.spread ? left : 1;
  for (; iteration < settings.iterations && left >= tolerance * unit && executor->num_active() > 0;
       ++iteration) {
    program.threshold = tolerance * unit / 2 / num_vertices;
    ASSIGN_OR_RETURN(const ResidualAggregate measured, executor->Iterate(&program));
    left = measured.residual.value();
    if (settings.spread) unit = measured.rank.value() + left;
  }
  if (unit > 0) left /= unit;
  RETURN_IF_ERROR(executor->Finish(program));
  const double sum = SumOver(graph, [&](VertexId v) { return rank[v] += residual[v]; });
  const double factor = settings.spread && sum > 0 ? 1 / sum : 1;
  const double scaled = SumOver(graph, [&](VertexId v) { return rank[v] *= factor; });
  answer->Fill("rank", rank);
  Describe(iteration, left, scaled, answer);
  return OkStatus();
}

Status Run(const RunEnvironment& environment, State& state, const RunContext&, Answer* answer) {
  return IsDelta(environment.options) ? RunDelta(environment, state, answer)
                                      : RunJacobi(environment, state, answer);
}

}  // namespace

const GpuAlgorithm kGpuPageRank = {Plan, Run};

}  // namespace edgemill
