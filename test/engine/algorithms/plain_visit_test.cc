// PlainVisit gives every stored edge once, unchanged. It shares no code with faster visits.
#include "engine/verify/plain_visit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "test/engine_testing.h"

namespace edgemill {
namespace {

using Edges = std::vector<std::tuple<VertexId, VertexId, double>>;

/// A graph loaded on two threads.
struct Loaded {
  explicit Loaded(const InMemoryGraph& store) : reader(store, 3) {
    const GraphNeeds needs{.out_index = store.has(ColumnKind::kOutOffsets),
                           .in_index = store.has(ColumnKind::kInOffsets)};
    auto loaded = LoadedGraph::Load({store, reader, 2, budget, progress}, needs);
    CHECK(loaded.ok());
    graph = std::move(*loaded);
  }

  MemoryBudget budget{uint64_t{64} << 20};
  Progress progress;
  InMemoryReader reader;
  std::unique_ptr<LoadedGraph> graph;
};

/// Visits all edges with a function of an Edge, or of a WeightedEdge<W>.
template <typename W>
Edges Visited(const InMemoryGraph& store, Direction preferred) {
  Loaded loaded(store);
  Mutex mutex;
  Edges edges;
  using EdgeOfW = std::conditional_t<std::is_same_v<W, NoWeight>, Edge, WeightedEdge<W>>;
  const Status status = PlainVisit(
      *loaded.graph,
      [&](const EdgeOfW& edge) {
        MutexLock lock(mutex);
        if constexpr (std::is_same_v<W, NoWeight>) {
          edges.push_back({edge.from, edge.to, 1});
        } else {
          edges.push_back({edge.from, edge.to, static_cast<double>(edge.weight)});
        }
      },
      preferred);
  EXPECT_TRUE(status.ok()) << status.message();
  std::sort(edges.begin(), edges.end());
  return edges;
}

Edges Expected(const TestCase& graph, bool directed, bool weighted) {
  Edges edges;
  for (const TestEdge& edge : graph.edges) {
    const VertexId source = static_cast<VertexId>(edge.source);
    const VertexId target = static_cast<VertexId>(edge.target);
    const double weight = weighted ? edge.weight : 1;
    edges.push_back({source, target, weight});
    if (!directed && source != target) edges.push_back({target, source, weight});
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

template <typename W>
void ExpectEachEdgeOnce(WeightType weights) {
  for (const TestCase& graph : HardGraphs()) {
    for (const bool directed : {true, false}) {
      for (const int columns : {1, 2, 3}) {
        for (const Direction preferred : {Direction::kOut, Direction::kIn}) {
          SCOPED_TRACE(StrCat(graph.name, directed ? " directed " : " symmetric ", columns));
          const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges,
                                                  {.directed = directed,
                                                   .weights = weights,
                                                   .out_columns = !directed || (columns & 1) != 0,
                                                   .in_columns = (columns & 2) != 0});
          ASSERT_EQ(Expected(graph, directed, weights != WeightType::kNone),
                    Visited<W>(*store, preferred));
        }
      }
      for (const Direction lacks : {Direction::kOut, Direction::kIn}) {
        if (!directed) break;
        const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges,
                                                {.weights = weights,
                                                 .out_weights = lacks != Direction::kOut,
                                                 .in_weights = lacks != Direction::kIn});
        ASSERT_EQ(Expected(graph, true, weights != WeightType::kNone), Visited<W>(*store, lacks));
      }
    }
  }
}

TEST(PlainVisit, EachEdgeOnce) { ExpectEachEdgeOnce<NoWeight>(WeightType::kNone); }
TEST(PlainVisit, EachEdgeOnceWithIntegers) { ExpectEachEdgeOnce<int32_t>(WeightType::kInt32); }
TEST(PlainVisit, EachEdgeOnceWithFloats) { ExpectEachEdgeOnce<float>(WeightType::kFloat32); }
TEST(PlainVisit, EachEdgeOnceWithDoubles) { ExpectEachEdgeOnce<double>(WeightType::kFloat64); }

TEST(PlainVisit, WeightsComeAsTheTypeThatIsAskedFor) {
  for (const WeightType stored :
       {WeightType::kNone, WeightType::kInt32, WeightType::kFloat32, WeightType::kFloat64}) {
    ExpectEachEdgeOnce<double>(stored);
    ExpectEachEdgeOnce<float>(stored);
  }
  for (const WeightType stored : {WeightType::kNone, WeightType::kInt32}) {
    ExpectEachEdgeOnce<int32_t>(stored);
    ExpectEachEdgeOnce<uint64_t>(stored);
  }
}

/// Visits the edges of none, some and all vertices.
TEST(PlainVisit, EdgesFromSomeVertices) {
  Random random(8);
  for (const TestCase& graph : HardGraphs()) {
    for (const bool directed : {true, false}) {
      const auto store = InMemoryGraph::Dense(
          graph.num_vertices, graph.edges, {.directed = directed, .weights = WeightType::kInt32});
      Loaded loaded(*store);
      for (const uint64_t one_in : {uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{60}}) {
        SCOPED_TRACE(StrCat(graph.name, directed ? " directed" : "", ", one in ", one_in));
        std::vector<VertexId> from;
        for (uint64_t v = 0; v < graph.num_vertices && one_in > 0; ++v) {
          if (random.Below(one_in) == 0) from.push_back(static_cast<VertexId>(v));
        }
        Edges expected = Expected(graph, directed, true);
        std::erase_if(expected, [&](const auto& edge) {
          return !std::binary_search(from.begin(), from.end(), std::get<0>(edge));
        });
        Mutex mutex;
        Edges visited;
        const auto visit = [&](const WeightedEdge<double>& edge) {
          MutexLock lock(mutex);
          visited.push_back({edge.from, edge.to, edge.weight});
        };
        const Status status = PlainVisitFrom(*loaded.graph, from, visit);
        ASSERT_TRUE(status.ok()) << status.message();
        std::sort(visited.begin(), visited.end());
        ASSERT_EQ(expected, visited);
      }
    }
  }
}

/// Where out-lists have no weights, a visit of weighted edges reads all in-lists.
TEST(PlainVisit, EdgesFromSomeVerticesWhereOutListsLackWeights) {
  const std::vector<TestEdge> edges = {{0, 1, 5}, {1, 2, 6}, {2, 0, 7}};
  const auto store =
      InMemoryGraph::Dense(3, edges, {.weights = WeightType::kInt32, .out_weights = false});
  Loaded loaded(*store);
  const std::vector<VertexId> from = {1};
  Edges visited;
  ASSERT_TRUE(PlainVisitFrom(*loaded.graph, from, [&](const WeightedEdge<double>& edge) {
                visited.push_back({edge.from, edge.to, edge.weight});
              }).ok());
  std::sort(visited.begin(), visited.end());
  EXPECT_EQ(visited, (Edges{{0, 1, 5}, {1, 2, 6}, {2, 0, 7}}));
  visited.clear();
  ASSERT_TRUE(PlainVisitFrom(*loaded.graph, from, [&](const Edge& edge) {
                visited.push_back({edge.from, edge.to, 0});
              }).ok());
  EXPECT_EQ(visited, (Edges{{1, 2, 0}}));
}

TEST(PlainVisitDeathTest, RealWeightsAreNoWholeNumbers) {
  const auto store = InMemoryGraph::Dense(3, {{0, 1, 1.5}}, {.weights = WeightType::kFloat64});
  Loaded loaded(*store);
  EXPECT_DEATH((void)PlainVisit(*loaded.graph, [](const WeightedEdge<int32_t>&) {}),
               "a mistake in the algorithm: PlainVisit asks for weights of whole numbers");
}

Status VisitNothing(LoadedGraph& graph) {
  return PlainVisit(graph, [](const Edge&) {});
}

/// Sets the base of the first group of a packed block.
void SetBase(InMemoryGraph& store, ColumnKind column, uint64_t block, uint32_t base) {
  std::memcpy(store.mutable_payload(column, block).data(), &base, sizeof(base));
}

TEST(PlainVisit, AnIndexThatIsNotWhatIsStoredIsRefused) {
  const auto store = InMemoryGraph::Dense(2000, RandomTestEdges(4, 2000, 9000), {});
  Loaded loaded(*store);
  ASSERT_TRUE(VisitNothing(*loaded.graph).ok());
  SetBase(*store, ColumnKind::kOutOffsets, 3, 12345);
  const Status status = VisitNothing(*loaded.graph);
  EXPECT_EQ(Code::kBadData, status.code());
  EXPECT_NE(std::string::npos, status.message().find("block 3 of out-offsets"));
}

TEST(PlainVisit, AnIdThatIsNoVertexIsRefused) {
  const TestCase star = HardGraphs()[6];
  const auto store = InMemoryGraph::Dense(star.num_vertices, star.edges, {});
  Loaded loaded(*store);
  // The list of vertex 0 continues in this block, from an id near the last one.
  SetBase(*store, ColumnKind::kOutNeighbors, 3, static_cast<uint32_t>(star.num_vertices) - 64);
  const Status status = VisitNothing(*loaded.graph);
  EXPECT_EQ(Code::kBadData, status.code());
  EXPECT_NE(std::string::npos, status.message().find("block 3 of out-neighbors"));
}

TEST(PlainVisit, AReadThatFailsIsTheAnswer) {
  const auto store = InMemoryGraph::Dense(2000, RandomTestEdges(4, 2000, 9000), {});
  int64_t failing = 0;
  for (Status status = IoError(""); !status.ok(); ++failing) {
    Loaded loaded(*store);
    loaded.reader.deliveries_left = failing;
    status = VisitNothing(*loaded.graph);
    EXPECT_TRUE(status.ok() || status.code() == Code::kIo) << status.message();
  }
  EXPECT_EQ(16 + 71 + 1, failing);  // one for each block of offsets and of neighbours, and 1 more
}

}  // namespace
}  // namespace edgemill
