// A few edges are repeated so often that they do not fit in memory. Ingest merges and matches them
// as it reads them, in its least budget.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <vector>

#include "common/random.h"
#include "common/strings.h"
#include "loaders/ingest/ingest.h"
#include "test/graphs/in_memory_graph.h"
#include "test/graphs/memory_graph_writer.h"

namespace edgemill {
namespace {

constexpr uint64_t kMinMemory = uint64_t{64} << 20;
constexpr uint64_t kRecords = 3'000'000;  // 48 MB of keys and weights; 32 MB may be used
constexpr uint64_t kChunk = 1 << 15;

/// Makes record `i` of an input.
using MakeRecord = TestEdge (*)(uint64_t i);

/// A source that makes its records by number, so they are never all in memory.
class MadeSource : public EdgeSource {
 public:
  MadeSource(MakeRecord make, bool weighted) : make_(make) {
    info_.names = {"records"};
    info_.weighted = weighted;
    info_.expected_edges = kRecords;
  }
  const EdgeSourceInfo& info() const override { return info_; }
  StatusOr<bool> Next(EdgeChunk* chunk) override {
    chunk->Clear();
    chunk->sequence = next_.fetch_add(1);
    const uint64_t end = std::min(kRecords, (chunk->sequence + 1) * kChunk);
    for (uint64_t i = chunk->sequence * kChunk; i < end; ++i) {
      const TestEdge edge = make_(i);
      chunk->narrow.push_back({VertexId(edge.source), VertexId(edge.target)});
      if (info_.weighted) chunk->weights.push_back(edge.weight);
    }
    return !chunk->narrow.empty();
  }
  StatusOr<std::string> PositionAfter(uint64_t sequence) override { return StrCat(sequence + 1); }
  Status Resume(const std::string&) override { return InternalError("not resumed here"); }

 private:
  const MakeRecord make_;
  EdgeSourceInfo info_;
  std::atomic<uint64_t> next_{0};
};

/// Three edges and a loop; 5 -> 2 is also reversed, but less often. Weights are integers, some
/// below 0, and their sums fit in 32 bits.
TestEdge FewEdges(uint64_t i) {
  const auto weight = static_cast<double>(Mix64(i) % 200) - 90;
  switch (i % 16) {
    case 3:
      return {2, 5, weight};
    case 7:
      return {4, 4, weight};
    case 11:
      return {0, 7, weight};
    default:
      return {5, 2, weight};
  }
}

/// Both directions of one edge have the same weights, but in different orders.
TestEdge BothWays(uint64_t i) {
  const uint64_t n = i / 2;
  if (i % 2 == 0) return {0, 9, static_cast<double>(n % 1000)};
  return {9, 0, static_cast<double>((kRecords / 2 - 1 - n) % 1000)};
}

struct Result {
  std::unique_ptr<MemoryGraphWriter> writer;
  StatusOr<IngestReport> report = InternalError("not run");
};

IngestOptions OptionsOf(EdgeDirection direction, DuplicateRule rule) {
  IngestOptions options;
  options.direction = direction;
  options.duplicates = rule;
  options.ids = IdMode::kDense;
  options.threads = 2;
  return options;
}

Result RunIngest(MakeRecord make, bool weighted, const IngestOptions& options) {
  Result result;
  result.writer = std::make_unique<MemoryGraphWriter>(options.block_edges, options.page_blocks);
  MadeSource source(make, weighted);
  MemoryBudget budget(kMinMemory);
  Progress progress;
  result.report = IngestInto(source, *result.writer, options, budget, progress);
  return result;
}

using Merged = std::map<std::pair<uint64_t, uint64_t>, double>;

double Combine(DuplicateRule rule, double a, double b) {
  return rule == DuplicateRule::kMin   ? std::min(a, b)
         : rule == DuplicateRule::kMax ? std::max(a, b)
         : rule == DuplicateRule::kSum ? a + b
                                       : a;
}

/// The result of --merge by definition. Each direction's records are folded in the input's order.
/// For -s both directions are then folded, first the one from the smaller id.
Merged Expected(MakeRecord make, const IngestOptions& options) {
  Merged folded;
  for (uint64_t i = 0; i < kRecords; ++i) {
    const TestEdge edge = make(i);
    const auto [at, fresh] = folded.try_emplace({edge.source, edge.target}, edge.weight);
    if (!fresh) at->second = Combine(options.duplicates, at->second, edge.weight);
  }
  if (options.direction != EdgeDirection::kSymmetrize) return folded;
  Merged both;
  for (const auto& [edge, weight] : folded) {
    const auto& [u, v] = edge;
    const auto reverse = folded.find({v, u});
    double result = weight;
    if (u != v && reverse != folded.end() && reverse->second != weight) {
      result = u < v ? Combine(options.duplicates, weight, reverse->second)
                     : Combine(options.duplicates, reverse->second, weight);
    }
    both[{u, v}] = both[{v, u}] = result;
  }
  return both;
}

void ExpectMerged(const Result& result, const Merged& want, bool weighted) {
  ASSERT_TRUE(result.report.ok()) << result.report.status().message();
  const MemoryGraphWriter& writer = *result.writer;
  const auto edges = writer.Edges(false);
  ASSERT_EQ(edges.size(), want.size());
  const std::vector<double> weights =
      weighted ? writer.Weights(ColumnKind::kOutWeights) : std::vector<double>();
  size_t i = 0;
  for (const auto& [edge, weight] : want) {
    EXPECT_EQ(edges[i].first, edge.first);
    EXPECT_EQ(edges[i].second, edge.second);
    if (weighted) {
      EXPECT_EQ(weights[i], weight) << edge.first << " -> " << edge.second;
    }
    ++i;
  }
  EXPECT_EQ(writer.info().num_duplicates, 0u);
}

TEST(IngestRepeatedTest, EveryMergeInTheLeastBudget) {
  for (const EdgeDirection direction : {EdgeDirection::kDirected, EdgeDirection::kSymmetrize}) {
    for (const DuplicateRule rule :
         {DuplicateRule::kFirst, DuplicateRule::kMin, DuplicateRule::kMax, DuplicateRule::kSum}) {
      SCOPED_TRACE(StrCat("direction ", int(direction), ", rule ", int(rule)));
      IngestOptions options = OptionsOf(direction, rule);
      const Result result = RunIngest(FewEdges, true, options);
      const Merged want = Expected(FewEdges, options);
      ExpectMerged(result, want, true);
      if (HasFatalFailure()) return;
      EXPECT_GT(result.report->spill_bytes_written, kMinMemory / 2);  // edges were spilled
      if (direction == EdgeDirection::kDirected) {
        EXPECT_EQ(result.report->merged_duplicates, kRecords - want.size());
      }
    }
    IngestOptions unweighted = OptionsOf(direction, DuplicateRule::kFirst);
    unweighted.max_sort_edges = 10000;
    ExpectMerged(RunIngest(FewEdges, false, unweighted), Expected(FewEdges, unweighted), false);
  }
}

TEST(IngestRepeatedTest, FloatsAreFoldedInTheInputsOrder) {
  const MakeRecord make = [](uint64_t i) {
    return TestEdge{1, 0, (static_cast<double>(Mix64(i) % 1000) + 0.1) * 1e-3};
  };
  const IngestOptions options = OptionsOf(EdgeDirection::kDirected, DuplicateRule::kSum);
  ExpectMerged(RunIngest(make, true, options), Expected(make, options), true);
}

TEST(IngestRepeatedTest, SymmetrizeKeepsEveryCopy) {
  for (const bool weighted : {false, true}) {
    SCOPED_TRACE(weighted);
    const MakeRecord make = weighted ? BothWays : FewEdges;
    IngestOptions options = OptionsOf(EdgeDirection::kSymmetrize, DuplicateRule::kKeep);
    options.ids = IdMode::kDense;
    if (!weighted) options.max_sort_edges = 10000;
    const Result result = RunIngest(make, weighted, options);
    ASSERT_TRUE(result.report.ok()) << result.report.status().message();
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> want, got;
    for (uint64_t i = 0; i < kRecords; ++i) {
      const TestEdge edge = make(i);
      ++want[{uint32_t(edge.source), uint32_t(edge.target)}];
    }
    for (const auto& [edge, count] : std::map(want)) {
      const auto [u, v] = edge;
      want[{u, v}] = want[{v, u}] = std::max(count, want[{v, u}]);
    }
    const auto edges = result.writer->Edges(false);
    for (const auto& edge : edges) ++got[{edge.first, edge.second}];
    EXPECT_TRUE(got == want);
    if (!weighted) continue;
    // Both directions have the weights in the order of the direction from the smaller id.
    const std::vector<double> weights = result.writer->Weights(ColumnKind::kOutWeights);
    ASSERT_EQ(weights.size(), kRecords);
    for (uint64_t i = 0; i < kRecords; ++i) {
      ASSERT_EQ(weights[i], static_cast<double>(i % (kRecords / 2) % 1000)) << i;
    }
  }
}

TEST(IngestRepeatedTest, NamesTheEdgeWhoseWeightsDiffer) {
  const MakeRecord one_other = [](uint64_t i) {
    TestEdge edge = BothWays(i);
    if (i == 2'000'001) edge.weight += 1;
    return edge;
  };
  const Result kept =
      RunIngest(one_other, true, OptionsOf(EdgeDirection::kSymmetrize, DuplicateRule::kKeep));
  EXPECT_EQ(kept.report.status().code(), Code::kBadData);
  EXPECT_NE(kept.report.status().message().find("edge 0 -> 9 and of its reverse differ"),
            std::string_view::npos)
      << kept.report.status().message();
  const Result promised =
      RunIngest(one_other, true, OptionsOf(EdgeDirection::kSymmetric, DuplicateRule::kKeep));
  EXPECT_EQ(promised.report.status().code(), Code::kBadData);
  EXPECT_NE(promised.report.status().message().find("edge 0 -> 9 has another weight"),
            std::string_view::npos)
      << promised.report.status().message();
  const Result sum = RunIngest(
      [](uint64_t) {
        return TestEdge{6, 7, 1000};
      },
      true, OptionsOf(EdgeDirection::kDirected, DuplicateRule::kSum));
  EXPECT_EQ(sum.report.status().code(), Code::kBadData);
  EXPECT_NE(sum.report.status().message().find("edge 6 -> 7 add up to"), std::string_view::npos)
      << sum.report.status().message();
}

/// A sum that the type of real weights cannot hold is an error, like such a weight.
TEST(IngestRepeatedTest, RefusesSumsThatAreNotFinite) {
  for (const auto kind : {WeightChoice::Kind::kFloat64, WeightChoice::Kind::kFloat32}) {
    IngestOptions options = OptionsOf(EdgeDirection::kDirected, DuplicateRule::kSum);
    options.weights.kind = kind;
    const Result sum = RunIngest(
        [](uint64_t i) {
          return TestEdge{6, 7, i % 1000 == 0 ? 1e38 : 0};
        },
        true, options);
    if (kind == WeightChoice::Kind::kFloat64) {
      EXPECT_TRUE(sum.report.ok()) << sum.report.status().message();
      continue;
    }
    EXPECT_EQ(sum.report.status().code(), Code::kBadData);
    EXPECT_NE(sum.report.status().message().find("more than 32-bit floating-point numbers hold"),
              std::string_view::npos)
        << sum.report.status().message();
  }
}

TEST(IngestRepeatedTest, NamesTheOneWayEdgeAmongCopies) {
  const Result result =
      RunIngest(FewEdges, false, OptionsOf(EdgeDirection::kSymmetric, DuplicateRule::kKeep));
  EXPECT_EQ(result.report.status().code(), Code::kBadData);
  EXPECT_NE(result.report.status().message().find("edge 0 -> 7 has no edge the other way"),
            std::string_view::npos)
      << result.report.status().message();
}

}  // namespace
}  // namespace edgemill
