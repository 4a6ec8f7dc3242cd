#include "bench/trials/known_algorithms.h"

#include "common/page/markup.h"

namespace edgemill::bench {
namespace {

constexpr uint32_t kIterations = 10;
/// GAP's bucket width for Kronecker graphs with its weights.
constexpr uint32_t kPlainDelta = 2;
/// A width of buckets above all distances.
constexpr double kOneBucket = 1e12;

template <typename T>
StatusOr<PlainAnswer> AsAnswer(StatusOr<PlainValues<T>> values) {
  RETURN_IF_ERROR(values.status());
  return PlainAnswer(std::move(*values));
}

}  // namespace

const std::vector<KnownAlgorithm>& KnownAlgorithms() {
  using Csr = const PlainCsr&;
  static const std::vector<KnownAlgorithm> algorithms = {
      {.name = "pagerank",
       .algorithm = "pagerank",
       .raw = RawAlgorithm::kPageRank,
       .values = {{"--iterations", kIterations}},
       .passes = kIterations,
       .gathers = true,
       .gap = {{"--tolerance", 1e-4},
               {"--iterations", 1000},
               {"--dangling", "drop"},
               {"--initial", "uniform"}},
       .hue = kBlue,
       .plain =
           [](Csr graph, VertexId, int threads, MemoryBudget& budget) {
             return AsAnswer(PlainPageRank(graph, kIterations, threads, budget));
           }},
      {.name = "delta",
       .algorithm = "pagerank",
       .raw = RawAlgorithm::kDeltaPageRank,
       .values = {{"--method", "delta"}},
       .hue = kSky},
      {.name = "delta-zero",  // as in papers
       .algorithm = "pagerank",
       .raw = RawAlgorithm::kDeltaPageRank,
       .values = {{"--method", "delta"}, {"--initial", "zero"}},
       .hue = kYellow},
      {.name = "bfs",
       .algorithm = "bfs",
       .raw = RawAlgorithm::kBfs,
       .hue = kVermilion,
       .plain =
           [](Csr graph, VertexId source, int threads, MemoryBudget& budget) {
             return AsAnswer(PlainBfs(graph, source, threads, budget));
           }},
      {.name = "cc",
       .algorithm = "cc",
       .raw = RawAlgorithm::kComponents,
       .hue = kGreen,
       .plain =
           [](Csr graph, VertexId, int threads, MemoryBudget& budget) {
             return AsAnswer(PlainComponents(graph, threads, budget));
           }},
      {.name = "labels",  // as in papers
       .algorithm = "cc",
       .raw = RawAlgorithm::kComponents,
       .values = {{"--method", "labels"}},
       .hue = kOrange},
      {.name = "sssp",
       .algorithm = "sssp",
       .raw = RawAlgorithm::kSssp,
       .reads_weights = true,
       .hue = kPurple,
       .plain =
           [](Csr graph, VertexId source, int threads, MemoryBudget& budget) {
             return AsAnswer(PlainSssp(graph, source, kPlainDelta, threads, budget));
           }},
      {.name = "bellman-ford",  // as in papers: one bucket
       .algorithm = "sssp",
       .raw = RawAlgorithm::kSssp,
       .values = {{"--delta", kOneBucket}},
       .reads_weights = true,
       .hue = kGrey}};
  return algorithms;
}

bool KnownAlgorithm::has_source() const { return AlgorithmCalled(algorithm)->needs_source(); }

const KnownAlgorithm* FindKnown(std::string_view name) {
  const std::string_view first = name.substr(0, name.find(','));
  for (const KnownAlgorithm& known : KnownAlgorithms()) {
    if (known.name == first) return &known;
  }
  return nullptr;
}

std::vector<std::string> KnownNames() {
  std::vector<std::string> names;
  for (const KnownAlgorithm& known : KnownAlgorithms()) names.push_back(known.name);
  return names;
}

bool GapRulesDecide(std::string_view option) { return option != "--delta" && option != "--method"; }

RunOptions PullingRun(uint32_t iterations) {
  RunOptions run{.algorithm = "pagerank", .values = {{"--iterations", iterations}}};
  run.mode = Mode::kPull;
  return run;
}

RunOptions AddingRun(uint32_t iterations) {
  RunOptions run = PullingRun(iterations);
  run.values.Set("--method", "delta");
  run.values.Set("--initial", "zero");  // only pushes
  run.mode = Mode::kPush;
  return run;
}

RunOptions ReachingRun(ExternalId source) {
  RunOptions run{.algorithm = "bfs", .values = {{"--source", source}}};
  run.mode = Mode::kPush;
  return run;
}

}  // namespace edgemill::bench
