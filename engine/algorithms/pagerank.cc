// PageRank: how often a walker who follows out-edges at random, and now and then jumps anywhere, is
// where.
//
// Result   rank[v] = (1 - d) / V + d * (D / V + sum over in-edges (u, v) of rank[u] /
//          out_degree(u)), with damping d (.85) and D the rank of vertices without out-edges
//          ("dangling"), which is spread over all. Ranks sum to 1. With --dangling drop D is left
//          out, and ranks sum to less.
// Method   jacobi: every vertex pulls what its in-neighbours sent, from the ranks before; -i
//          iterations, or until the ranks change by less than -t in all (L1). Contributions are
//          floats, sums doubles: the random reads, which bound it, are 4 bytes. Pull adds
//          in an order fixed by the graph: the same bits whatever the threads. delta: vertices pass
//          on only what they have received since they last did, while that is worth it. The
//          undamped part of dangling mass only scales the answer (the spread solution is a multiple
//          of the dropped one), so it is scaled at the end.
// Paper    Page, Brin, Motwani, Winograd: The PageRank Citation Ranking, 1999. Deltas: Zhang et
//          al., Maiter, TPDS 2014.
// State    8 bytes a vertex (contributions 4 + 4), at the end 12 (4, and the rank 8); by deltas 20
//          (rank 8, residual 8, message 4).
#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "common/parallel.h"
#include "common/units.h"
#include "engine/algorithms/pagerank_program.h"
#include "engine/api/algorithm.h"
#include "engine/api/executor_choice.h"
#include "engine/api/plain_visit.h"

namespace edgemill {
namespace {

constexpr double kDefaultDamping = 0.85;
constexpr double kDefaultTolerance = 1e-6;
constexpr uint32_t kDefaultIterations = 100;
/// Contributions lose 2^-24 of each rank, so that sums cannot settle below this.
constexpr double kLeastTolerance = 1e-12;
/// Bytes of state a vertex.
constexpr uint64_t kJacobiBytes = 12;
constexpr uint64_t kDeltaBytes = 20;
/// Bytes a vertex that the verifier holds beside the answer: a sum and a contribution.
constexpr uint64_t kVerifierBytes = sizeof(double) + sizeof(float);

/// The options with their defaults.
struct Settings {
  double damping;
  double tolerance;  // 0: none
  uint32_t iterations;
  bool spread;
};

Settings SettingsOf(const RunOptions& options) {
  // A number of iterations alone means exactly so many.
  const bool fixed = options.iterations.has_value() && !options.tolerance.has_value();
  return {.damping = options.damping.value_or(kDefaultDamping),
          .tolerance = fixed ? 0 : options.tolerance.value_or(kDefaultTolerance),
          .iterations = options.iterations.value_or(kDefaultIterations),
          .spread = options.dangling.value_or(Dangling::kSpread) == Dangling::kSpread};
}

/// Pull needs in-neighbours; a graph with out-columns alone is pushed. So are asynchronous runs: a
/// pull takes deltas as they were when the iteration began.
Mode ModeOn(const GraphStore& store, const RunOptions& options) {
  const bool can_pull = !store.info().directed || store.has(ColumnKind::kInOffsets);
  const bool may_pull = can_pull && options.async_passes == 0;
  return options.mode == Mode::kAuto && !may_pull ? Mode::kPush : options.mode;
}

StatusOr<RunNeeds> PlanPageRank(const GraphStore& store, const RunOptions& options) {
  const Settings settings = SettingsOf(options);
  if (!(settings.damping >= 0 && settings.damping < 1)) {
    return UsageError(StrCat("--damping ", settings.damping, ": must be at least 0 and below 1"));
  }
  if (settings.tolerance != 0 && !(settings.tolerance >= kLeastTolerance)) {
    return UsageError(StrCat("-t ", settings.tolerance, ": must be at least ", kLeastTolerance));
  }
  ASSIGN_OR_RETURN(const std::string method, ChosenMethod(kPageRank, options));
  if (method == "jacobi" && options.async_passes > 0) {
    return UsageError(
        "--async is for --method delta: Jacobi iterations are made of the ranks of the one before");
  }
  const GraphInfo& info = store.info();
  const uint64_t num_blocks = info.num_blocks();
  const Mode mode = ModeOn(store, options);
  RunNeeds needs;
  needs.graph.out_index = true;
  needs.graph.in_index = mode != Mode::kPush && !(mode == Mode::kAuto && info.directed &&
                                                  !store.has(ColumnKind::kInOffsets));
  needs.state_bytes =
      method == "delta"
          ? info.num_vertices * kDeltaBytes +
                Executor<DeltaProgram>::SizeBytes(info.num_vertices, num_blocks, mode)
          : info.num_vertices * kJacobiBytes +
                Executor<JacobiProgram>::SizeBytes(info.num_vertices, num_blocks, mode);
  needs.gpu = method == "delta" ? GpuNeedsOf<DeltaProgram>(store, needs.graph, mode)
                                : GpuNeedsOf<JacobiProgram>(store, needs.graph, mode);
  if (method != "delta") {
    needs.gpu.exchange_bytes += HybridExecutor<JacobiProgram>::SizeBytes(num_blocks);
  }
  needs.verify_bytes = info.num_vertices * (sizeof(double) + kVerifierBytes);
  needs.answer_bytes = info.num_vertices * 8;
  needs.block_ids =
      method == "delta" ? Executor<DeltaProgram>::kWhole : Executor<JacobiProgram>::kWhole;
  return needs;
}

/// An array of `T`, one a vertex, reserved.
template <typename T>
struct State {
  Array<T> values;
  MemoryReservation reservation;

  static StatusOr<State> Allocate(LoadedGraph& graph) {
    State state;
    ASSIGN_OR_RETURN(state.reservation,
                     graph.budget().Reserve(graph.num_vertices() * sizeof(T), "ranks"));
    ASSIGN_OR_RETURN(state.values, Array<T>::Allocate(graph.num_vertices()));
    return state;
  }
};

/// Vertices without out-edges.
StatusOr<uint64_t> CountDangling(LoadedGraph& graph) {
  const VertexIndexView index = graph.index(Direction::kOut);
  std::atomic<uint64_t> count{0};
  RETURN_IF_ERROR(ParallelFor(graph.num_vertices(), kVertexChunk, graph.threads(),
                              [&](size_t begin, size_t end) {
                                uint64_t dangling = 0;
                                for (size_t vertex = begin; vertex < end; ++vertex) {
                                  dangling += index.degree(static_cast<VertexId>(vertex)) == 0;
                                }
                                count += dangling;
                                return OkStatus();
                              }));
  return count.load();
}

/// The sum of value(vertex) over all vertices: chunk by chunk, so that it is the same whatever the
/// threads.
template <typename Value>
StatusOr<double> SumOf(uint64_t num_vertices, int threads, Value value) {
  std::vector<double> sums(num_vertices / kVertexChunk + 1);
  RETURN_IF_ERROR(ParallelFor(num_vertices, kVertexChunk, threads, [&](size_t begin, size_t end) {
    double sum = 0;
    for (size_t vertex = begin; vertex < end; ++vertex) sum += value(static_cast<VertexId>(vertex));
    sums[begin / kVertexChunk] = sum;
    return OkStatus();
  }));
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

StatusOr<double> SumOf(std::span<const double> ranks, int threads) {
  return SumOf(ranks.size(), threads, [&](VertexId vertex) { return ranks[vertex]; });
}

StatusOr<Answer> Finish(LoadedGraph& graph, State<double> rank, uint64_t iterations,
                        double change) {
  Answer answer;
  answer.kind = ResultKind::kRank;
  ASSIGN_OR_RETURN(const double sum, SumOf(rank.values.span(), graph.threads()));
  answer.facts = {{"iterations", FormatCount(iterations), {{"iterations", iterations}}},
                  {"last change", FormatSignificant(change), {{"last_change_l1", change}}},
                  {"sum of ranks", FormatFixed(sum, 9), {{"sum_of_ranks", sum}}}};
  answer.passes = iterations;
  answer.reals = std::move(rank.values);
  answer.reservation = std::move(rank.reservation);
  return answer;
}

StatusOr<Answer> RunJacobi(const RunEnvironment& environment) {
  LoadedGraph& graph = environment.graph;
  const Settings settings = SettingsOf(environment.options);
  const double num_vertices = static_cast<double>(graph.num_vertices());
  ASSIGN_OR_RETURN(State<float> offered, State<float>::Allocate(graph));
  ASSIGN_OR_RETURN(State<float> next, State<float>::Allocate(graph));
  ASSIGN_OR_RETURN(auto executor, MakeExecutor<JacobiProgram>(
                                      environment, ModeOn(graph.store(), environment.options)));
  JacobiProgram program{.out_index = graph.index(Direction::kOut),
                        .offered = offered.values.data(),
                        .next = next.values.data(),
                        .base = 0,
                        .damping = settings.damping};
  RETURN_IF_ERROR(executor->Initialise(program));
  graph.progress().SetMostIterations(settings.iterations);
  RankAggregate last{};
  ASSIGN_OR_RETURN(const uint64_t num_dangling, CountDangling(graph));
  last.dangling.Add(1.0 / num_vertices);
  last.dangling.units *= static_cast<int64_t>(num_dangling);
  uint32_t iteration = 0;
  for (; iteration < settings.iterations; ++iteration) {
    program.base =
        (1 - settings.damping + (settings.spread ? settings.damping * last.dangling.value() : 0)) /
        num_vertices;
    ASSIGN_OR_RETURN(last, executor->Iterate(&program));
    std::swap(program.offered, program.next);
    if (last.change.value() < settings.tolerance) {
      ++iteration;
      break;
    }
  }
  RETURN_IF_ERROR(executor->Finish(program));
  executor = nullptr;  // which may have pinned the arrays
  (program.offered == offered.values.data() ? next : offered) = {};
  ASSIGN_OR_RETURN(State<double> rank, State<double>::Allocate(graph));
  const VertexIndexView index = program.out_index;
  RETURN_IF_ERROR(ParallelFor(
      graph.num_vertices(), kVertexChunk, graph.threads(), [&](size_t begin, size_t end) {
        for (size_t vertex = begin; vertex < end; ++vertex) {
          rank.values[vertex] = JacobiProgram::Rank(program.offered[vertex],
                                                    index.degree(static_cast<VertexId>(vertex)));
        }
        return OkStatus();
      }));
  return Finish(graph, std::move(rank), iteration, last.change.value());
}

StatusOr<Answer> RunDelta(const RunEnvironment& environment) {
  LoadedGraph& graph = environment.graph;
  const Settings settings = SettingsOf(environment.options);
  const double num_vertices = static_cast<double>(graph.num_vertices());
  ASSIGN_OR_RETURN(State<double> rank, State<double>::Allocate(graph));
  ASSIGN_OR_RETURN(State<double> residual, State<double>::Allocate(graph));
  ASSIGN_OR_RETURN(State<float> message, State<float>::Allocate(graph));
  ASSIGN_OR_RETURN(auto executor, MakeExecutor<DeltaProgram>(
                                      environment, ModeOn(graph.store(), environment.options)));
  // The residuals' sum is what one more Jacobi iteration would change, in units of the answer's
  // sum, by which it is scaled at the end. Vertices too small to be worth a message may keep half
  // of the tolerance back.
  const double tolerance = settings.tolerance == 0 ? kDefaultTolerance : settings.tolerance;
  DeltaProgram program{.out_index = graph.index(Direction::kOut),
                       .rank = rank.values.data(),
                       .residual = residual.values.data(),
                       .message = message.values.data(),
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
  const auto each_chunk = [&](const auto& body) {
    return ParallelFor(graph.num_vertices(), kVertexChunk, graph.threads(),
                       [&](size_t begin, size_t end) {
                         for (size_t vertex = begin; vertex < end; ++vertex) body(vertex);
                         return OkStatus();
                       });
  };
  RETURN_IF_ERROR(
      each_chunk([&](size_t vertex) { rank.values[vertex] += residual.values[vertex]; }));
  ASSIGN_OR_RETURN(const double sum, SumOf(rank.values.span(), graph.threads()));
  if (settings.spread && sum > 0) {
    RETURN_IF_ERROR(each_chunk([&](size_t vertex) { rank.values[vertex] /= sum; }));
  }
  return Finish(graph, std::move(rank), iteration, left);
}

StatusOr<Answer> RunPageRank(const RunEnvironment& environment) {
  ASSIGN_OR_RETURN(const std::string method, ChosenMethod(kPageRank, environment.options));
  return method == "delta" ? RunDelta(environment) : RunJacobi(environment);
}

/// Adds up the contributions that edges bring their targets. Those to one target in a row are added
/// to its sum in one go.
class ContributionSums {
 public:
  ContributionSums(const float* contribution, double* sums)
      : contribution_(contribution), sums_(sums) {}
  ContributionSums(const ContributionSums& other)
      : ContributionSums(other.contribution_, other.sums_) {}
  ContributionSums& operator=(const ContributionSums&) = delete;
  ~ContributionSums() { PassOn(); }

  void operator()(const Edge& edge) {
    if (edge.target != target_) {
      PassOn();
      target_ = edge.target;
    }
    sum_ += contribution_[edge.source];
  }

 private:
  void PassOn() {
    if (sum_ != 0) AtomicAdd(&sums_[target_], sum_);
    sum_ = 0;
  }

  const float* const contribution_;
  double* const sums_;
  VertexId target_ = kInvalidVertex;
  double sum_ = 0;
};

/// Takes one more iteration, edge by edge, and measures how far ranks are from it. A run with a
/// tolerance must be within a few times of it; a run of so many iterations must be as near as they
/// bring it.
Status VerifyPageRank(const RunEnvironment& environment, const Answer& answer) {
  LoadedGraph& graph = environment.graph;
  const Settings settings = SettingsOf(environment.options);
  const uint64_t num_vertices = graph.num_vertices();
  const VertexIndexView out_index = graph.index(Direction::kOut);
  const int threads = graph.threads();
  ASSIGN_OR_RETURN(const MemoryReservation reservation,
                   graph.budget().Reserve(num_vertices * kVerifierBytes, "the verifier"));
  ASSIGN_OR_RETURN(Array<double> sums, Array<double>::Allocate(num_vertices));
  ASSIGN_OR_RETURN(Array<float> contribution, Array<float>::Allocate(num_vertices));
  RETURN_IF_ERROR(ParallelFor(num_vertices, kVertexChunk, threads, [&](size_t begin, size_t end) {
    for (size_t vertex = begin; vertex < end; ++vertex) {
      const auto degree = static_cast<double>(out_index.degree(static_cast<VertexId>(vertex)));
      contribution[vertex] = static_cast<float>(answer.reals[vertex] / degree);
    }
    return OkStatus();
  }));
  RETURN_IF_ERROR(
      PlainVisit(graph, ContributionSums(contribution.data(), sums.data()), Direction::kIn));
  ASSIGN_OR_RETURN(const double total, SumOf(answer.reals.span(), threads));
  ASSIGN_OR_RETURN(const double dangling, SumOf(num_vertices, threads, [&](VertexId vertex) {
                     return out_index.degree(vertex) == 0 ? answer.reals[vertex] : 0;
                   }));
  const double d = settings.damping;
  const double base =
      (1 - d + (settings.spread ? d * dangling : 0)) / static_cast<double>(num_vertices);
  ASSIGN_OR_RETURN(const double residual, SumOf(num_vertices, threads, [&](VertexId vertex) {
                     return std::abs(base + d * sums[vertex] - answer.reals[vertex]);
                   }));
  // The change of iteration n is at most 2 d^n; rounding of contributions adds 2^-24 of the ranks.
  const double reached = 2 * std::pow(d, settings.iterations);
  const double allowed = 1e-6 + std::max(2 * settings.tolerance, reached);
  if (settings.spread && num_vertices > 0 && std::abs(total - 1) > 1e-5) {
    return InternalError(StrCat("verification of PageRank failed: ranks sum to ", total));
  }
  if (!(residual <= allowed)) {
    return InternalError(
        StrCat("verification of PageRank failed: another iteration changes ranks by ", residual,
               ", more than ", allowed));
  }
  return OkStatus();
}

}  // namespace

const Algorithm kPageRank = {
    .help =
        {.name = "pagerank",
         .aliases = {"pr"},
         .summary = "rank of each vertex by PageRank, to a tolerance or for so many iterations",
         .text =
             "rank[v] = (1 - d) / V + d * (D / V + sum over in-edges (u, v) of rank[u] / "
             "out_degree(u)), from rank 1 / V.\nD is the rank of vertices without out-edges "
             "(dangling), which is spread over all (--dangling spread, the\ndefault; ranks sum "
             "to 1) or lost (--dangling drop). d is --damping, .85. Stops when ranks change by "
             "less than\n-t in all (L1; default 1e-6), or after -i iterations (default 100); -i "
             "alone runs exactly so many.\nEdges go from source to target; on symmetric graphs "
             "both ways. Duplicate edges count each, loops too; weights\nare ignored.\nMethods: "
             "jacobi (default) computes every rank from the ones before, by pull, the same bits "
             "whatever the threads;\n--mode push adds in any order. delta passes on changes only, "
             "until they come to less than -t.\nRanks are within 1e-6 of exact arithmetic, "
             "relative to the sum.\nMemory: 4 bytes a vertex for each direction's index and 12 for "
             "ranks and contributions (push: 16; by deltas 21).\nPaper: Page et al., The PageRank "
             "Citation "
             "Ranking, 1999.\n",
         .options = {"-i", "-t", "--damping", "--dangling", "--mode", "--method", "--async",
                     "--async-passes"},
         .methods = {"jacobi", "delta"}},
    .has_source = false,
    .plan = PlanPageRank,
    .run = RunPageRank,
    .verify = VerifyPageRank,
};

}  // namespace edgemill
