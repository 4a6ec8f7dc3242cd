// SubCSRs compared with the lists of the scalar decoder, block by block, and in parts of the least
// memory. Damaged blocks and failing reads end a pass with an error.
#include "engine/transfer/sub_csr_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "common/progress.h"
#include "common/random.h"
#include "engine/graph/loaded_graph.h"
#include "engine/transfer/sub_csr_parts.h"
#include "test/engine_testing.h"

namespace edgemill {
namespace {

/// An edge of an active vertex.
struct ActiveEdge {
  VertexId source;
  VertexId target;
  double weight;
  bool is_head;  // the first of its list

  auto operator<=>(const ActiveEdge&) const = default;
};
using ActiveEdges = std::vector<ActiveEdge>;

constexpr WeightType kAllWeights[] = {WeightType::kNone, WeightType::kInt32, WeightType::kFloat32,
                                      WeightType::kFloat64};

/// A weight of a payload, by the scalar decoder.
double WeightIn(const InMemoryGraph& graph, uint64_t block, uint32_t edge, uint32_t num_edges) {
  if (graph.info().weights == WeightType::kNone) return 1;
  const std::span<const std::byte> payload = graph.payload(ColumnKind::kOutWeights, block);
  switch (graph.info().weights) {
    case WeightType::kFloat32:
      return reinterpret_cast<const float*>(payload.data())[edge];
    case WeightType::kFloat64:
      return reinterpret_cast<const double*>(payload.data())[edge];
    default:
      break;
  }
  uint32_t values[kGroupSize];
  UnpackGroup(*PackedView::Open(payload, num_edges), edge / kGroupSize, values);
  return static_cast<int32_t>(values[edge % kGroupSize]);
}

/// The edges of the members in one block, as the scalar decoder gives them.
ActiveEdges EdgesIn(const InMemoryGraph& graph, const VertexIndexView& index, uint64_t block,
                    const std::vector<uint64_t>& members) {
  const EdgeIndex begin = block * graph.info().block_edges;
  const auto size = static_cast<uint32_t>(
      std::min<EdgeIndex>(graph.info().num_edges, begin + graph.info().block_edges) - begin);
  const auto view = PackedView::Open(graph.payload(ColumnKind::kOutNeighbors, block), size);
  CHECK(view.ok());
  ActiveEdges edges;
  const auto source_of = [&](uint32_t edge) {
    const VertexId source = index.OwnerOf(begin + edge, 0, index.num_vertices);
    return std::pair(source, index.first_edge(source) == begin + edge);
  };
  VisitNeighbors(*view, 0, size, source_of, [&](uint32_t edge, VertexId source, VertexId target) {
    if (!TestBit(members.data(), source)) return;
    edges.push_back({source, target, WeightIn(graph, block, edge, size), source_of(edge).second});
  });
  return edges;
}

double WeightOf(const SubCsr& lists, WeightType stored, uint32_t edge) {
  switch (stored) {
    case WeightType::kNone:
      return 1;
    case WeightType::kInt32:
      return static_cast<const int32_t*>(lists.weights())[edge];
    case WeightType::kFloat32:
      return static_cast<const float*>(lists.weights())[edge];
    case WeightType::kFloat64:
      return static_cast<const double*>(lists.weights())[edge];
  }
  return 0;
}

/// The edges of a SubCSR. Expects that its lists are in order, and not empty.
ActiveEdges EdgesOf(const SubCsr& lists, WeightType stored) {
  ActiveEdges edges;
  EXPECT_EQ(lists.offsets()[0], 0u);
  EXPECT_EQ(lists.offsets()[lists.num_lists], lists.num_edges);
  for (uint32_t list = 0; list < lists.num_lists; ++list) {
    EXPECT_LT(lists.offsets()[list], lists.offsets()[list + 1]);
    if (list > 0) {
      EXPECT_LT(lists.vertices()[list - 1], lists.vertices()[list]);
    }
    for (uint32_t edge = lists.offsets()[list]; edge < lists.offsets()[list + 1]; ++edge) {
      edges.push_back({lists.vertices()[list], lists.neighbors()[edge],
                       WeightOf(lists, stored, edge), lists.is_head(list, edge)});
    }
  }
  return edges;
}

/// Sets of vertices: none, all, single ones with long and with no lists, the last, random ones.
std::vector<std::vector<uint64_t>> MemberSets(const VertexIndexView& index, uint64_t seed) {
  const uint64_t num_vertices = index.num_vertices;
  const std::vector<uint64_t> none((num_vertices + 63) / 64);
  const auto set_of = [&](auto is_member) {
    std::vector<uint64_t> set = none;
    for (VertexId v = 0; v < num_vertices; ++v) {
      if (is_member(v)) set[v / 64] |= uint64_t{1} << v % 64;
    }
    return set;
  };
  VertexId longest = 0;
  for (VertexId v = 0; v < num_vertices; ++v) {
    if (index.degree(v) > index.degree(longest)) longest = v;
  }
  Random random(seed);
  return {none,
          set_of([](VertexId) { return true; }),
          set_of([&](VertexId v) { return v == longest; }),
          set_of([&](VertexId v) { return v == 0; }),
          set_of([&](VertexId v) { return v + 1 == num_vertices; }),
          set_of([&](VertexId v) { return index.degree(v) == 0; }),
          set_of([&](VertexId v) { return v != longest; }),
          set_of([&](VertexId) { return random.Below(2) == 0; }),
          set_of([&](VertexId) { return random.Below(20) == 0; })};
}

class SubCsrTest : public ::testing::Test {
 protected:
  void Load(const TestCase& test, WeightType weights, uint32_t block_edges, int threads = 3) {
    graph_ = InMemoryGraph::Dense(test.num_vertices, test.edges,
                                  {.weights = weights, .block_edges = block_edges});
    reader_ = std::make_unique<InMemoryReader>(*graph_, 7);
    auto loaded =
        LoadedGraph::Load({*graph_, *reader_, threads, budget_, progress_}, {.out_index = true});
    ASSERT_TRUE(loaded.ok()) << loaded.status().message();
    loaded_ = std::move(*loaded);
  }
  VertexIndexView index() const { return loaded_->index(Direction::kOut); }
  bool weighted() const { return graph_->info().weights != WeightType::kNone; }
  Status Read(const GraphBlocks::Body& body) {
    return loaded_->blocks().VisitAll(Direction::kOut, weighted(), body);
  }

  /// All edges of members that a pass in parts visits, by block. Adds up what came in which way.
  Status RunParts(SubCsrParts& parts, const std::vector<uint64_t>& members, ActiveEdges* edges) {
    const SubCsrBuilder builder(index(), members);
    Mutex mutex;
    const GraphBlocks::Body whole = [&](int, const BlockEdges& block) -> StatusOr<bool> {
      const ActiveEdges some = EdgesIn(*graph_, index(), block.block, members);
      MutexLock lock(mutex);
      edges->insert(edges->end(), some.begin(), some.end());
      ++num_whole_;
      return true;
    };
    const std::function<void(const SubCsr&)> use = [&](const SubCsr& lists) {
      const ActiveEdges some = EdgesOf(lists, graph_->info().weights);
      MutexLock lock(mutex);
      edges->insert(edges->end(), some.begin(), some.end());
      num_used_ += lists.num_lists > 0 ? 1 : 0;
    };
    const std::function<Status(const GraphBlocks::Body&)> read =
        [&](const GraphBlocks::Body& body) { return Read(body); };
    const Status status = parts.Run({builder, read, whole, use});
    std::sort(edges->begin(), edges->end());
    return status;
  }
  ActiveEdges AllEdges(const std::vector<uint64_t>& members) const {
    ActiveEdges edges;
    for (uint64_t block = 0; block < loaded_->num_blocks(); ++block) {
      const ActiveEdges some = EdgesIn(*graph_, index(), block, members);
      edges.insert(edges.end(), some.begin(), some.end());
    }
    std::sort(edges.begin(), edges.end());
    return edges;
  }
  /// Parts that have space for a SubCSR of one block at a time.
  std::unique_ptr<SubCsrParts> LeastParts(int threads) {
    auto parts =
        SubCsrParts::Create(SubCsrPartsBytes(graph_->info(), weighted(), 1), threads, budget_);
    CHECK(parts.ok());
    return *std::move(parts);
  }

  MemoryBudget budget_{uint64_t{64} << 20};
  Progress progress_;
  std::unique_ptr<InMemoryGraph> graph_;
  std::unique_ptr<InMemoryReader> reader_;
  std::unique_ptr<LoadedGraph> loaded_;
  uint64_t num_whole_ = 0;
  uint64_t num_used_ = 0;
};

/// Hard graphs, and a hub whose list takes many blocks.
std::vector<TestCase> Graphs() {
  std::vector<TestCase> graphs = HardGraphs();
  graphs.push_back(LoopedWheel());
  return graphs;
}

TEST_F(SubCsrTest, HasTheListsOfTheScalarDecoder) {
  uint64_t num_continued = 0, num_edges = 0;
  for (const TestCase& test : Graphs()) {
    for (const WeightType weights : kAllWeights) {
      for (const uint32_t block_edges : {128u, 1024u}) {
        SCOPED_TRACE(test.name);
        Load(test, weights, block_edges);
        for (const std::vector<uint64_t>& members : MemberSets(index(), block_edges)) {
          const SubCsrBuilder builder(index(), members);
          std::map<uint64_t, ActiveEdges> built;
          std::vector<uint64_t> memory;
          Mutex mutex;
          const Status read = Read([&](int, const BlockEdges& block) -> StatusOr<bool> {
            MutexLock lock(mutex);
            const SubCsr sizes = builder.Measure(block);
            memory.assign(sizes.bytes() / 8 + 4, ~uint64_t{0});
            auto* const to = reinterpret_cast<std::byte*>(
                (reinterpret_cast<uintptr_t>(memory.data()) + 15) / 16 * 16);
            if (!builder.Build(block, sizes, to)) return false;
            const SubCsr& lists = *reinterpret_cast<const SubCsr*>(to);
            EXPECT_EQ(lists.bytes(), sizes.bytes());
            num_continued += lists.previous != kInvalidVertex;
            built[block.block] = EdgesOf(lists, weights);
            return true;
          });
          ASSERT_TRUE(read.ok()) << read.message();
          ASSERT_EQ(built.size(), loaded_->num_blocks());
          for (const auto& [block, edges] : built) {
            ASSERT_EQ(edges, EdgesIn(*graph_, index(), block, members)) << "block " << block;
            num_edges += edges.size();
          }
        }
      }
    }
  }
  EXPECT_GT(num_continued, 1000u);
  EXPECT_GT(num_edges, 100'000u);
}

/// A list that goes on from an earlier block has the target of the edge before it.
TEST_F(SubCsrTest, KnowsTheTargetBeforeAContinuedList) {
  Load(LoopedWheel(), WeightType::kNone, 128);
  const std::vector<uint64_t> all(graph_->info().num_vertices / 64 + 1, ~uint64_t{0});
  const SubCsrBuilder builder(index(), all);
  uint64_t num_continued = 0;
  const Status read = Read([&](int, const BlockEdges& block) -> StatusOr<bool> {
    const SubCsr sizes = builder.Measure(block);
    EXPECT_EQ(sizes.previous != kInvalidVertex, block.continues);
    if (!block.continues) return true;
    const ActiveEdges before = EdgesIn(*graph_, index(), block.block - 1, all);
    EXPECT_EQ(sizes.previous, before.back().target);
    ++num_continued;
    return true;
  });
  ASSERT_TRUE(read.ok()) << read.message();
  EXPECT_GT(num_continued, 30u);
}

/// Each active edge comes once, in SubCSRs or in whole blocks, however small the parts are.
TEST_F(SubCsrTest, PartsHaveEachActiveEdgeOnce) {
  for (const TestCase& test : Graphs()) {
    for (const WeightType weights : kAllWeights) {
      for (const int threads : ThreadCounts({1, 4})) {
        SCOPED_TRACE(test.name);
        Load(test, weights, 256, threads);
        const auto parts = LeastParts(threads);
        for (const std::vector<uint64_t>& members : MemberSets(index(), 5)) {
          ActiveEdges edges;
          const Status status = RunParts(*parts, members, &edges);
          ASSERT_TRUE(status.ok()) << status.message();
          ASSERT_EQ(edges, AllEdges(members));
        }
      }
    }
  }
  EXPECT_GT(num_whole_, 1000u);
  EXPECT_GT(num_used_, 500u);
}

/// A SubCSR never takes more than its share of its block's bytes. Else the block is used whole.
TEST_F(SubCsrTest, BlocksAboveTheThresholdAreUsedWhole) {
  Load({"random", 5000, RandomTestEdges(3, 5000, 100'000)}, WeightType::kNone, 4096);
  const auto parts = LeastParts(2);
  const auto use = [&](uint64_t every) {
    std::vector<uint64_t> members(graph_->info().num_vertices / 64 + 1);
    for (VertexId v = 0; v < graph_->info().num_vertices; v += every) {
      members[v / 64] |= uint64_t{1} << v % 64;
    }
    num_whole_ = num_used_ = 0;
    ActiveEdges edges;
    EXPECT_TRUE(RunParts(*parts, members, &edges).ok());
    EXPECT_EQ(edges, AllEdges(members));
  };
  use(1);
  EXPECT_EQ(num_used_, 0u);
  EXPECT_EQ(num_whole_, loaded_->num_blocks());
  use(10);
  EXPECT_EQ(num_used_, loaded_->num_blocks());
  EXPECT_EQ(num_whole_, 0u);
}

/// Reads fail at each delivery in turn. The pass ends with that error, and the next one is right.
TEST_F(SubCsrTest, FailingReadsEndAPass) {
  Load({"random", 3000, RandomTestEdges(4, 3000, 9000)}, WeightType::kInt32, 128);
  const auto parts = LeastParts(3);
  const std::vector<uint64_t> members = MemberSets(index(), 6).back();
  const auto num_blocks = static_cast<int64_t>(loaded_->num_blocks());
  for (int64_t delivery = 0; delivery <= num_blocks; ++delivery) {
    reader_->deliveries_left = delivery;
    ActiveEdges edges;
    const Status status = RunParts(*parts, members, &edges);
    reader_->deliveries_left = -1;
    EXPECT_EQ(status.ok(), delivery == num_blocks) << status.message();
    if (status.ok()) {
      EXPECT_EQ(edges, AllEdges(members));
    }
  }
}

/// A SubCSR with a target that is not a vertex is never used.
TEST_F(SubCsrTest, DamagedBlocksAreFound) {
  Load({"random", 3000, RandomTestEdges(4, 3000, 9000)}, WeightType::kNone, 128);
  const std::vector<uint64_t> all(graph_->info().num_vertices / 64 + 1, ~uint64_t{0});
  const std::vector<uint64_t> some = MemberSets(index(), 6).back();
  const auto parts = LeastParts(3);
  int num_found = 0;
  for (uint64_t block = 0; block < loaded_->num_blocks(); ++block) {
    if (EdgesIn(*graph_, index(), block, some).empty()) continue;
    // A base far beyond the last vertex, for edges of a list that goes on.
    const auto payload = graph_->mutable_payload(ColumnKind::kOutNeighbors, block);
    std::byte kept[4];
    std::copy_n(payload.begin(), 4, kept);
    std::fill_n(payload.begin(), 4, std::byte{0x77});
    ActiveEdges edges;
    const Status status = RunParts(*parts, some, &edges);
    const bool reads_base = !EdgesIn(*graph_, index(), block, some).front().is_head;
    EXPECT_EQ(status.code(), reads_base ? Code::kBadData : Code::kOk) << status.message();
    if (!status.ok()) {
      EXPECT_NE(status.message().find(StrCat("block ", block)), std::string_view::npos);
      ++num_found;
    }
    for (const ActiveEdge& edge : edges) EXPECT_LT(edge.target, graph_->info().num_vertices);
    std::copy_n(kept, 4, payload.begin());
  }
  EXPECT_GT(num_found, 0);
}

}  // namespace
}  // namespace edgemill
