// Graphs as raw CSR, and runs of raw engines on them that are compared with the textbook.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "bench/plain/plain_algorithms.h"
#include "bench/rivals/raw_run.h"
#include "bench/trials/answer_check.h"
#include "test/gpu/gpu_testing.h"
#include "test/graphs/graph_builder.h"

namespace edgemill::bench {

inline constexpr uint64_t kRawBudgetBytes = uint64_t{512} << 20;
inline constexpr RawAlgorithm kRawAlgorithms[] = {
    RawAlgorithm::kBfs, RawAlgorithm::kSssp, RawAlgorithm::kComponents, RawAlgorithm::kPageRank,
    RawAlgorithm::kDeltaPageRank};

/// A graph with hubs of several slices, whose weights are 1 to 255.
inline EdgeList Kronecker(int scale = 12) {
  EdgeList list = GeneratedList("kron", {.scale = scale, .edge_factor = 64});
  for (TestEdge& edge : list.edges) {
    edge.weight = static_cast<double>(Mix64(edge.source ^ edge.target) % 255 + 1);
  }
  list.weighted = true;
  return list;
}

/// One graph on disk.
class StoredGraph {
 public:
  explicit StoredGraph(const EdgeList& list, IngestOptions options = {}) {
    options.weights.kind = list.weighted ? WeightChoice::Kind::kInt32 : WeightChoice::Kind::kNone;
    options.block_edges = 1024;
    const std::string path = directory_ / "g.mill";
    const auto report = BuildGraph(list, path, options);
    CHECK(report.ok());
    store_ = std::move(GraphStore::Open(path, {}, budget_).value());
  }
  PlainCsr Load(MemoryRegistrar* registrar) {
    return std::move(PlainCsr::Load(*store_, 2, budget_, progress_, registrar).value());
  }
  const GraphStore& store() const { return *store_; }
  MemoryBudget& budget() { return budget_; }
  Progress& progress() { return progress_; }

 private:
  TemporaryDirectory directory_;
  MemoryBudget budget_{kRawBudgetBytes};
  Progress progress_;
  std::unique_ptr<GraphStore> store_;
};

/// The most that a rank is off by rounding where atomic operations add floats term by term. A hub's
/// equal terms may all be rounded the same way, by up to half of a float's last place each.
inline double TermByTermError(const PlainCsr& csr, RawEngine engine) {
  if (engine != RawEngine::kSparse && engine != RawEngine::kShards) return 0;
  uint64_t most = 0;
  for (uint64_t v = 0; v < csr.num_vertices(); ++v) {
    most = std::max(most, csr.in().degree(static_cast<VertexId>(v)));
  }
  return static_cast<double>(most) * 0x1p-24;
}

class RawRuns : public GpuTest {
 protected:
  /// Runs `options` on `csr`, and compares with the textbook.
  void ExpectRight(const PlainCsr& csr, const RawRunOptions& options, MemoryBudget& budget) {
    StatusOr<RawRunResult> result = RunRaw(*gpu_, csr, options, budget);
    ASSERT_TRUE(result.ok()) << result.status().message();
    RightAnswer right;
    switch (options.algorithm) {
      case RawAlgorithm::kBfs:
        right.values = std::move(PlainBfs(csr, options.source, 2, budget).value());
        break;
      case RawAlgorithm::kSssp:
        right.values = std::move(PlainSssp(csr, options.source, 16, 2, budget).value());
        break;
      case RawAlgorithm::kComponents:
        right.values = std::move(PlainComponents(csr, 2, budget).value());
        break;
      case RawAlgorithm::kPageRank:
        right.ranks = std::move(PlainPageRank(csr, options.iterations, 2, budget).value());
        right.rank_tolerance = 1e-5;
        right.rank_tolerance += TermByTermError(csr, options.engine);
        break;
      case RawAlgorithm::kDeltaPageRank:
        right.ranks = std::move(PlainPageRank(csr, 100, 2, budget).value());
        right.rank_tolerance = DeltaRankError(options.tolerance);
        break;
    }
    if (right.ranks.values.empty()) {
      ASSERT_OK(AnswerCheck::Check(result->values(), right));
    } else {
      ASSERT_OK(AnswerCheck::Check(result->ranks(), right));
    }
    EXPECT_TRUE(!IsInGpuMemory(options.engine) || result->traffic.bytes == 0);
  }
};

}  // namespace edgemill::bench
