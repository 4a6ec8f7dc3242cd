// The C interface's lists of neighbours: against the edges that were given, over orders of ids,
// blocks and directions; samples, chunks, names, errors.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/random.h"
#include "edgemill/c_api.h"
#include "test/library/c_api_fixture.h"

namespace edgemill {
namespace {

using Edge = std::pair<uint64_t, double>;  // a neighbour and the weight

/// Lists that a call gave.
class Found {
 public:
  Found() = default;
  Found(const Found&) = delete;
  Found& operator=(const Found&) = delete;
  ~Found() { edgemill_neighbors_free(lists_); }

  const edgemill_neighbors** out() { return &lists_; }
  const edgemill_neighbors* operator->() const { return lists_; }
  /// List `i`; weights are 0 where there are none.
  std::vector<Edge> List(uint64_t i) const {
    std::vector<Edge> list;
    for (uint64_t edge = lists_->offsets[i]; edge < lists_->offsets[i + 1]; ++edge) {
      list.emplace_back(lists_->neighbors[edge],
                        lists_->weights == nullptr ? 0 : lists_->weights[edge]);
    }
    return list;
  }

 private:
  const edgemill_neighbors* lists_ = nullptr;
};

std::vector<Edge> Sorted(std::vector<Edge> list) {
  std::sort(list.begin(), list.end());
  return list;
}

class CListsTest : public CApiTest {
 protected:
  std::shared_ptr<edgemill_lists> Lists(const std::shared_ptr<edgemill_graph>& graph,
                                        std::vector<const char*> arguments = {}) {
    edgemill_lists* lists = nullptr;
    ExpectOk(edgemill_lists_open(graph.get(), Given(std::move(arguments)), &lists));
    return {lists, edgemill_lists_close};
  }

  /// Makes a graph of random edges with ids from `ids`, a hub and vertices of one direction.
  void IngestRandom(const std::vector<uint64_t>& ids, std::vector<const char*> arguments) {
    Random random(17);
    std::vector<uint64_t> sources, targets;
    std::vector<double> weights;
    for (int i = 0; i < 3000; ++i) {
      const uint64_t source = ids[random.Below(i % 3 == 0 ? 2 : ids.size() - 3)];
      sources.push_back(source);
      targets.push_back(ids[random.Below(ids.size())]);
      weights.push_back(static_cast<double>(random.Below(50)));
    }
    arguments.push_back("--block-edges=256");
    arguments.push_back("--page-edges=512");
    const Given call(std::move(arguments));
    ExpectOk(Ingest(sources, targets, weights, call));
    for (auto* const lists : {&out_, &in_}) lists->clear();
    for (size_t i = 0; i < sources.size(); ++i) {
      out_[sources[i]].emplace_back(targets[i], weights[i]);
      in_[targets[i]].emplace_back(sources[i], weights[i]);
    }
  }

  /// Expects what a graph of out_ and in_ has.
  void ExpectLists(edgemill_lists* lists) {
    std::set<uint64_t> all;
    for (const auto* const side : {&out_, &in_}) {
      for (const auto& [vertex, list] : *side) all.insert(vertex);
    }
    std::vector<uint64_t> ids(all.begin(), all.end());
    std::vector<uint64_t> found(ids.size());
    ExpectOk(edgemill_lists_vertices(lists, found.data()));
    EXPECT_EQ(found, ids);
    std::reverse(ids.begin() + 3, ids.end());  // lists come in the order that is asked for
    ids.push_back(ids[0]);
    for (const bool is_in : {false, true}) {
      auto& side = is_in ? in_ : out_;
      const int32_t flags = (is_in ? EDGEMILL_LIST_IN : 0) | EDGEMILL_LIST_WEIGHTS;
      std::vector<uint64_t> degrees(ids.size());
      ExpectOk(edgemill_lists_degrees(lists, ids.data(), ids.size(), flags, degrees.data()));
      Found read;
      ExpectOk(edgemill_lists_read(lists, ids.data(), ids.size(), flags, read.out()));
      ASSERT_EQ(read->num_lists, ids.size());
      for (size_t i = 0; i < ids.size(); ++i) {
        EXPECT_EQ(degrees[i], side[ids[i]].size());
        EXPECT_EQ(read->vertices[i], ids[i]);
        EXPECT_EQ(Sorted(read.List(i)), Sorted(side[ids[i]])) << ids[i];
      }
      ExpectChunks(lists, side, flags);
    }
  }

  static void ExpectChunks(edgemill_lists* lists, std::map<uint64_t, std::vector<Edge>>& side,
                           int32_t flags) {
    for (const uint64_t most : {1, 100, 700, 1'000'000}) {
      std::map<uint64_t, std::vector<Edge>> got;
      uint64_t next = 0;
      while (next < 3000) {
        Found chunk;
        ExpectOk(
            edgemill_lists_edges(lists, next, most, flags | EDGEMILL_LIST_SOURCES, chunk.out()));
        ASSERT_GT(chunk->next, next);
        EXPECT_LE(chunk->num_edges, most);
        EXPECT_EQ(chunk->num_edges, chunk->next - next);
        next = chunk->next;
        for (uint64_t i = 0; i < chunk->num_lists; ++i) {
          for (const Edge& edge : chunk.List(i)) got[chunk->vertices[i]].push_back(edge);
          EXPECT_EQ(chunk->sources[chunk->offsets[i]], chunk->vertices[i]);
        }
      }
      EXPECT_EQ(next, 3000u);
      for (auto& [vertex, list] : side) {
        EXPECT_EQ(Sorted(got[vertex]), Sorted(list)) << vertex << " by " << most;
      }
    }
  }

  std::map<uint64_t, std::vector<Edge>> out_;
  std::map<uint64_t, std::vector<Edge>> in_;
};

std::vector<uint64_t> DenseIds() {
  std::vector<uint64_t> ids(200);
  for (size_t i = 0; i < ids.size(); ++i) ids[i] = i;
  return ids;
}

std::vector<uint64_t> SparseIds() {
  std::vector<uint64_t> ids;
  for (uint64_t i = 0; i < 200; ++i) ids.push_back(i * i * 1'000'003 + 5);
  ids.back() = ~uint64_t{0} - 1;
  return ids;
}

TEST_F(CListsTest, ListsAreTheEdgesThatWereGiven) {
  for (const bool sparse : {false, true}) {
    for (const char* const order : {"--renumber=none", "--renumber=degree", "--renumber=random"}) {
      SCOPED_TRACE(std::string(order) + (sparse ? " sparse" : " dense"));
      IngestRandom(sparse ? SparseIds() : DenseIds(), {order});
      auto graph = Open();
      auto lists = Lists(graph);
      ExpectLists(lists.get());
      lists = nullptr;
      graph = nullptr;
      ExpectOk(edgemill_graph_remove(path_.c_str(), nullptr));
    }
  }
}

TEST_F(CListsTest, TheLeastMemoryIsEnough) {
  IngestRandom(SparseIds(), {"--renumber=degree"});
  const auto graph = Open();
  const char* const little[] = {"--memory=33MiB"};
  const edgemill_call call = {.arguments = little, .num_arguments = 1};
  edgemill_lists* lists = nullptr;
  edgemill_error* const error = edgemill_lists_open(graph.get(), &call, &lists);
  ASSERT_NE(error, nullptr);
  EXPECT_EQ(edgemill_error_code(error), EDGEMILL_BUDGET);
  const std::string message = edgemill_error_message(error);
  edgemill_error_free(error);
  const size_t at = message.find("--memory ");
  ASSERT_NE(at, std::string::npos) << message;
  const std::string least = "--memory=" + message.substr(at + 9, message.find(',', at) - at - 9);
  const char* const enough[] = {least.c_str(), "--threads=2"};
  const edgemill_call again = {.arguments = enough, .num_arguments = 2};
  ExpectOk(edgemill_lists_open(graph.get(), &again, &lists));
  ExpectLists(lists);
  // What is asked for must fit too.
  const std::vector<uint64_t> many(2'000'000, 5);
  Found found;
  ExpectError(edgemill_lists_read(lists, many.data(), many.size(), 0, found.out()), EDGEMILL_BUDGET,
              "lists");
  edgemill_lists_close(lists);
}

TEST_F(CListsTest, SamplesAreUniformAndRepeatable) {
  // Vertex 0 has the neighbours 1 to 10; vertex 1 has two.
  std::vector<int32_t> sources(10, 0), targets;
  for (int32_t i = 1; i <= 10; ++i) targets.push_back(i);
  sources.insert(sources.end(), {1, 1});
  targets.insert(targets.end(), {2, 3});
  ExpectOk(Ingest(sources, targets));
  const auto graph = Open();
  const auto lists = Lists(graph);
  const std::vector<uint64_t> ids = {0, 1, 9, 0};
  std::map<uint64_t, int> times;
  std::map<std::pair<uint64_t, uint64_t>, int> pairs;
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    Found found;
    const edgemill_draw draw = {ids.data(), ids.size(), 3, seed, 0};
    ExpectOk(edgemill_lists_sample(lists.get(), &draw, found.out()));
    ASSERT_EQ(found->num_edges, 8u);
    EXPECT_EQ(found.List(1), (std::vector<Edge>{{2, 0}, {3, 0}}));
    EXPECT_TRUE(found.List(2).empty());
    EXPECT_EQ(found.List(0), found.List(3));
    const std::vector<Edge> drawn = found.List(0);
    EXPECT_TRUE(drawn[0].first < drawn[1].first && drawn[1].first < drawn[2].first);
    for (const Edge& edge : drawn) ++times[edge.first];
    ++pairs[{drawn[0].first, drawn[1].first}];
  }
  // Each of 10 neighbours is expected 1,200 times, with a deviation of 29.
  ASSERT_EQ(times.size(), 10u);
  for (const auto& [neighbor, count] : times) EXPECT_NEAR(count, 1200, 150) << neighbor;
  EXPECT_GT(pairs.size(), 30u);
}

TEST_F(CListsTest, ASymmetricGraphHasEdgesOnce) {
  ExpectOk(Ingest<int32_t>({0, 1, 2, 2}, {1, 2, 0, 2}, {1, 2, 3, 4}, Given({"--undirected"})));
  const auto graph = Open();
  const auto lists = Lists(graph);
  const uint64_t num_edges = edgemill_graph_describe(graph.get())->num_edges;
  Found all, once;
  constexpr int32_t kFlags = EDGEMILL_LIST_WEIGHTS | EDGEMILL_LIST_SOURCES;
  ExpectOk(edgemill_lists_edges(lists.get(), 0, 100, kFlags, all.out()));
  EXPECT_EQ(all->num_edges, num_edges);
  ExpectOk(edgemill_lists_edges(lists.get(), 0, 100, kFlags | EDGEMILL_LIST_ONCE, once.out()));
  EXPECT_EQ(once->next, num_edges);
  std::vector<std::array<double, 3>> edges;
  for (uint64_t i = 0; i < once->num_edges; ++i) {
    const auto [low, high] = std::minmax(once->sources[i], once->neighbors[i]);
    edges.push_back({static_cast<double>(low), static_cast<double>(high), once->weights[i]});
  }
  std::sort(edges.begin(), edges.end());
  EXPECT_EQ(edges,
            (std::vector<std::array<double, 3>>{{0, 1, 1}, {0, 2, 3}, {1, 2, 2}, {2, 2, 4}}));
}

TEST_F(CListsTest, VerticesHaveNames) {
  const std::string file = directory_.Write("names.csv", "from,to\nada,bob\nbob,eve\nbob,ada\n");
  const char* const files[] = {file.c_str()};
  ExpectOk(edgemill_ingest_files(files, 1, path_.c_str(), Given(), nullptr));
  const auto graph = Open();
  const auto lists = Lists(graph);
  const char* const names[] = {"eve", "bob"};
  std::array<uint64_t, 2> ids;
  ExpectOk(edgemill_lists_find(lists.get(), names, 2, ids.data()));
  EXPECT_EQ(ids, (std::array<uint64_t, 2>{2, 1}));
  Found found;
  ExpectOk(edgemill_lists_read(lists.get(), ids.data(), 2, 0, found.out()));
  EXPECT_EQ(found.List(1), (std::vector<Edge>{{0, 0}, {2, 0}}));
  const edgemill_names* texts = nullptr;
  ExpectOk(edgemill_lists_names(lists.get(), found->neighbors, 2, &texts));
  EXPECT_EQ(std::string(texts->text, texts->offsets[2]), "adaeve");
  edgemill_names_free(texts);
  const char* const wrong[] = {"bib"};
  ExpectError(edgemill_lists_find(lists.get(), wrong, 1, ids.data()), EDGEMILL_USAGE, "bob");
  const uint64_t absent = 3;
  ExpectError(edgemill_lists_names(lists.get(), &absent, 1, &texts), EDGEMILL_USAGE,
              "3 is not a vertex");
}

TEST_F(CListsTest, WhatIsNotThereIsSaid) {
  ExpectOk(Ingest<int32_t>({0, 1}, {1, 2}, {}, Given({"--columns=out"})));
  auto graph = Open();
  auto lists = Lists(graph);
  Found found;
  const uint64_t absent = 3;
  uint64_t degree = 0;
  ExpectError(edgemill_lists_read(lists.get(), &absent, 1, 0, found.out()), EDGEMILL_USAGE,
              "vertex 3 is not in ");
  ExpectError(edgemill_lists_degrees(lists.get(), &absent, 1, EDGEMILL_LIST_IN, &degree),
              EDGEMILL_USAGE, "has no in-columns");
  const uint64_t first = 0;
  ExpectError(edgemill_lists_read(lists.get(), &first, 1, EDGEMILL_LIST_WEIGHTS, found.out()),
              EDGEMILL_USAGE, "no weights");
  ExpectError(edgemill_lists_edges(lists.get(), 0, 10, EDGEMILL_LIST_ONCE, found.out()),
              EDGEMILL_USAGE, "is directed");
  const char* const name[] = {"ada"};
  ExpectError(edgemill_lists_find(lists.get(), name, 1, &degree), EDGEMILL_USAGE, "no names");
}

TEST_F(CListsTest, ListsEndWithTheirGraph) {
  ExpectOk(Ingest<int32_t>({0, 1}, {1, 2}));
  auto graph = Open();
  auto lists = Lists(graph);
  ExpectOk(Ingest<int32_t>({0}, {1}, {}, Given({"--replace"})));
  Found found;
  const uint64_t first = 0;
  ExpectError(edgemill_lists_read(lists.get(), &first, 1, 0, found.out()), EDGEMILL_MISSING,
              "open it again");
  edgemill_lists* others = nullptr;
  ExpectError(edgemill_lists_open(graph.get(), Given(), &others), EDGEMILL_MISSING,
              "open it again");
  graph = Open();
  lists = Lists(graph);
  graph = nullptr;
  ExpectError(edgemill_lists_read(lists.get(), &first, 1, 0, found.out()), EDGEMILL_USAGE,
              "is closed");
  ExpectError(edgemill_graph_remove(path_.c_str(), nullptr), EDGEMILL_LOCKED, "");
  lists = nullptr;
  ExpectOk(edgemill_graph_remove(path_.c_str(), nullptr));
}

TEST_F(CListsTest, AGraphWithoutEdgesHasNoLists) {
  ExpectOk(Ingest<int32_t>({}, {}, {}, Given({"--vertices=3"})));
  const auto graph = Open();
  const auto lists = Lists(graph);
  const std::vector<uint64_t> ids = {2, 0};
  std::vector<uint64_t> degrees(2, 9);
  ExpectOk(edgemill_lists_degrees(lists.get(), ids.data(), 2, EDGEMILL_LIST_IN, degrees.data()));
  EXPECT_EQ(degrees, (std::vector<uint64_t>{0, 0}));
  Found read, edges, sample;
  ExpectOk(edgemill_lists_read(lists.get(), ids.data(), 2, 0, read.out()));
  EXPECT_EQ(read->num_edges, 0u);
  ExpectOk(edgemill_lists_edges(lists.get(), 0, 10, 0, edges.out()));
  EXPECT_EQ(edges->next, 0u);
  const edgemill_draw draw = {ids.data(), 2, 5, 1, 0};
  ExpectOk(edgemill_lists_sample(lists.get(), &draw, sample.out()));
  EXPECT_EQ(sample->num_edges, 0u);
}

}  // namespace
}  // namespace edgemill
