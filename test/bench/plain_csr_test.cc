// Plain CSR and its textbook algorithms give the engine's answers on every number of threads.
#include "bench/plain/plain_csr.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "bench/plain/plain_algorithms.h"
#include "common/units.h"
#include "test/graphs/graph_builder.h"

namespace edgemill::bench {
namespace {

constexpr uint64_t kBudgetBytes = uint64_t{256} << 20;

/// Tests on one open graph on disk.
class PlainCsrTest : public testing::Test {
 protected:
  void Build(const EdgeList& list, IngestOptions options = {}) {
    options.weights.kind = list.weighted ? WeightChoice::Kind::kInt32 : WeightChoice::Kind::kNone;
    path_ = directory_ / "g.mill";
    store_.reset();
    std::filesystem::remove_all(path_);
    const auto report = BuildGraph(list, path_, options);
    ASSERT_TRUE(report.ok()) << report.status().message();
    store_ = std::move(GraphStore::Open(path_, {}, budget_).value());
  }

  /// Calls `check` on the hard graphs, directed and symmetric, and on a Kronecker graph of many
  /// blocks.
  template <typename Check>
  void OnEveryGraph(Check check) {
    std::vector<EdgeList> lists;
    for (const TestCase& test : HardGraphs()) lists.push_back(DenseList(test));
    lists.push_back(GeneratedList("kron", {.scale = 12}));
    for (TestEdge& edge : lists.back().edges)
      edge.weight = double(Mix64(edge.source ^ edge.target) % 255 + 1);
    lists.back().weighted = true;
    for (const EdgeList& list : lists) {
      for (const EdgeDirection direction : {EdgeDirection::kDirected, EdgeDirection::kUndirected}) {
        IngestOptions options;
        options.direction = direction;
        options.block_edges = 1024;
        Build(list, options);
        for (const int threads : {1, 2, 5}) {
          SCOPED_TRACE(StrCat(list.name, ", ", store_->info().directed ? "directed" : "symmetric",
                              ", threads ", threads));
          const auto csr = PlainCsr::Load(*store_, threads, budget_, progress_);
          ASSERT_TRUE(csr.ok()) << csr.status().message();
          check(*csr, threads);
        }
      }
    }
  }

  Outcome Engine(const std::string& algorithm, std::optional<ExternalId> source = std::nullopt) {
    RunOptions options;
    options.algorithm = algorithm;
    if (source.has_value()) options.values.Set("--source", *source);
    if (algorithm == "pagerank") options.values.Set("--iterations", 10);
    Outcome outcome = OutcomeOf(edgemill::Run(*store_, options, budget_, progress_));
    EXPECT_TRUE(outcome.status.ok()) << outcome.status.message();
    return outcome;
  }

  /// Expects the engine's levels or distances.
  static void ExpectSame(const Outcome& engine, const StatusOr<PlainValues<uint32_t>>& plain) {
    ASSERT_TRUE(plain.ok()) << plain.status().message();
    ASSERT_EQ(plain->values.size(), engine.values.size());
    for (size_t v = 0; v < engine.values.size(); ++v) {
      const VertexValue& value = engine.values[v];
      ASSERT_EQ((*plain)[v], value.reached ? value.integer : kPlainUnreached) << "vertex " << v;
    }
  }

  TemporaryDirectory directory_;
  std::string path_;
  MemoryBudget budget_{kBudgetBytes};
  Progress progress_;
  std::unique_ptr<GraphStore> store_;
};

TEST_F(PlainCsrTest, HoldsTheEdgesOfTheList) {
  const EdgeList list = DenseList({"skewed", 1000, RandomTestEdges(7, 1000, 8000, 3)});
  IngestOptions options;
  options.direction = EdgeDirection::kDirected;
  options.block_edges = 128;
  Build(list, options);
  const auto csr = PlainCsr::Load(*store_, 2, budget_, progress_);
  ASSERT_TRUE(csr.ok()) << csr.status().message();
  std::multimap<std::pair<VertexId, VertexId>, int32_t> expected;
  for (const TestEdge& edge : list.edges) {
    expected.insert({{VertexId(edge.source), VertexId(edge.target)}, int32_t(edge.weight)});
  }
  ASSERT_EQ(csr->num_edges(), expected.size());
  auto next = expected.begin();
  std::multimap<std::pair<VertexId, VertexId>, int32_t> out;
  std::multiset<std::pair<VertexId, VertexId>> in;
  for (VertexId v = 0; v < 1000; ++v) {
    for (uint64_t i = 0; i < csr->out().degree(v); ++i, ++next) {
      EXPECT_EQ(next->first, std::pair(v, csr->out().of(v)[i]));
      out.insert({{v, csr->out().of(v)[i]}, csr->out().weights[csr->out().offsets[v] + i]});
    }
    for (const VertexId u : csr->in().of(v)) in.insert({u, v});
  }
  // Equal edges may come in any order, so each weight is searched for among them.
  for (const auto& edge : expected) {
    EXPECT_TRUE(in.contains(edge.first));
    auto [first, last] = out.equal_range(edge.first);
    const auto found =
        std::find_if(first, last, [&](const auto& other) { return other.second == edge.second; });
    ASSERT_NE(found, last);
    out.erase(found);
  }
  EXPECT_EQ(in.size(), expected.size());
}

TEST_F(PlainCsrTest, SearchesFindTheEnginesLevelsAndDistances) {
  OnEveryGraph([&](const PlainCsr& csr, int threads) {
    for (const VertexId source : {VertexId{0}, static_cast<VertexId>(csr.num_vertices() / 2)}) {
      ExpectSame(Engine("bfs", source), PlainBfs(csr, source, threads, budget_));
      if (csr.num_edges() == 0) continue;
      const Outcome distances = Engine("sssp", source);
      for (const uint32_t delta : {1u, 20u, 1'000'000u}) {
        ExpectSame(distances, PlainSssp(csr, source, delta, threads, budget_));
      }
    }
  });
}

TEST_F(PlainCsrTest, ComponentsAreTheEngines) {
  OnEveryGraph([&](const PlainCsr& csr, int threads) {
    ExpectSame(Engine("cc"), PlainComponents(csr, threads, budget_));
  });
}

TEST_F(PlainCsrTest, RanksAreNearTheEngines) {
  OnEveryGraph([&](const PlainCsr& csr, int threads) {
    const Outcome engine = Engine("pagerank");
    const auto plain = PlainPageRank(csr, 10, threads, budget_);
    ASSERT_TRUE(plain.ok()) << plain.status().message();
    for (size_t v = 0; v < engine.values.size(); ++v) {
      ASSERT_NEAR((*plain)[v], engine.values[v].real, 1e-5 * engine.values[v].real) << v;
    }
  });
}

TEST_F(PlainCsrTest, TooLittleMemoryIsRefusedWithWhatWouldDo) {
  Build(GeneratedList("kron", {.scale = 12}));
  MemoryBudget small(MemoryBudget::kProcessBytes + PlainCsr::SizeBytes(store_->info()));
  const Status refused = PlainCsr::Load(*store_, 2, small, progress_).status();
  ASSERT_EQ(refused.code(), Code::kBudget);
  const std::string message(refused.message());
  const size_t at = message.find("at least ") + 9;
  const auto bytes = ParseBytes(message.substr(at, message.find(',', at) - at));
  ASSERT_TRUE(bytes.ok()) << message;
  MemoryBudget enough(*bytes);
  const auto csr = PlainCsr::Load(*store_, 2, enough, progress_);
  ASSERT_TRUE(csr.ok()) << csr.status().message();
  MemoryBudget none(MemoryBudget::kProcessBytes + 100);
  EXPECT_EQ(PlainBfs(*csr, 0, 2, none).status().code(), Code::kBudget);
  EXPECT_EQ(PlainPageRank(*csr, 1, 2, none).status().code(), Code::kBudget);
  EXPECT_EQ(PlainComponents(*csr, 2, none).status().code(), Code::kBudget);
  EXPECT_EQ(PlainSssp(*csr, 0, 2, 2, none).status().code(), Code::kUsage);  // no weights
}

TEST_F(PlainCsrTest, BinsThatOutgrowTheBudgetAreAnError) {
  const EdgeList list = DenseList({"random", 5000, RandomTestEdges(6, 5000, 100000)});
  Build(list);
  const auto csr = PlainCsr::Load(*store_, 2, budget_, progress_);
  ASSERT_TRUE(csr.ok()) << csr.status().message();
  MemoryBudget distances_alone(MemoryBudget::kProcessBytes + 5000 * 4 + 4096);
  EXPECT_EQ(PlainSssp(*csr, 0, 2, 2, distances_alone).status().code(), Code::kBudget);
}

TEST_F(PlainCsrTest, WeightsOfOutListsMustBeThere) {
  const EdgeList list = DenseList({"path", 3, {{0, 1, 4}, {1, 2, 5}}});
  Build(list, {.weights_in = ColumnChoice::kIn});
  EXPECT_EQ(PlainCsr::Load(*store_, 1, budget_, progress_).status().code(), Code::kUsage);
  Build(list, {.weights_in = ColumnChoice::kOut});
  EXPECT_TRUE(PlainCsr::Load(*store_, 1, budget_, progress_).ok());
}

TEST_F(PlainCsrTest, WeightsThatAreNoIntegersAreRefused) {
  EdgeList list = DenseList({"path", 3, {{0, 1, 0.5}, {1, 2, 0.5}}});
  path_ = directory_ / "real.mill";
  ASSERT_TRUE(BuildGraph(list, path_, {}).ok());
  store_ = std::move(GraphStore::Open(path_, {}, budget_).value());
  EXPECT_EQ(PlainCsr::Load(*store_, 1, budget_, progress_).status().code(), Code::kUsage);
  list.edges[0].weight = -1;
  list.edges[1].weight = 1;
  Build(list);
  const auto csr = PlainCsr::Load(*store_, 1, budget_, progress_);
  ASSERT_TRUE(csr.ok()) << csr.status().message();
  EXPECT_EQ(PlainSssp(*csr, 0, 2, 1, budget_).status().code(), Code::kUsage);
}

}  // namespace
}  // namespace edgemill::bench
