#include "bench/known_algorithms.h"

namespace edgemill::bench {
namespace {

constexpr uint32_t kIterations = 10;
/// GAP's bucket width for Kronecker graphs with its weights.
constexpr uint32_t kPlainDelta = 2;

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
       .values = {{"--iterations", kIterations}},
       .passes = kIterations,
       .gap = {{"--tolerance", 1e-4}, {"--iterations", 1000}, {"--dangling", "drop"}},
       .plain =
           [](Csr graph, VertexId, int threads, MemoryBudget& budget) {
             return AsAnswer(PlainPageRank(graph, kIterations, threads, budget));
           }},
      {.name = "bfs",
       .plain =
           [](Csr graph, VertexId source, int threads, MemoryBudget& budget) {
             return AsAnswer(PlainBfs(graph, source, threads, budget));
           }},
      {.name = "cc",
       .plain =
           [](Csr graph, VertexId, int threads, MemoryBudget& budget) {
             return AsAnswer(PlainComponents(graph, threads, budget));
           }},
      {.name = "sssp", .plain = [](Csr graph, VertexId source, int threads, MemoryBudget& budget) {
         return AsAnswer(PlainSssp(graph, source, kPlainDelta, threads, budget));
       }}};
  return algorithms;
}

const OptionValues& GapValues(std::string_view name) {
  static const OptionValues none;
  for (const KnownAlgorithm& algorithm : KnownAlgorithms()) {
    if (algorithm.name == name) return algorithm.gap;
  }
  return none;
}

bool GapRulesDecide(std::string_view option) { return option != "--delta" && option != "--method"; }

}  // namespace edgemill::bench
