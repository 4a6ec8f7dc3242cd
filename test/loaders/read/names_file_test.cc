// --names-file: names for the vertices of BV graphs and of other formats with numbers.
#include <gtest/gtest.h>

#include <set>

#include "test/bv_writing.h"
#include "test/reader_testing.h"

namespace edgemill {
namespace {

using Lists = std::vector<std::vector<uint64_t>>;
using NamedEdge = std::pair<std::string, std::string>;

class NamesFileTest : public testing::Test {
 protected:
  /// Writes a BV graph of some hundred vertices, and returns its lists.
  Lists PlaceGraph() {
    Random random(7);
    Lists lists(500);
    for (auto& list : lists) {
      std::set<uint64_t> targets;
      for (uint64_t i = random.Below(6); i > 0; --i) targets.insert(random.Below(lists.size()));
      list.assign(targets.begin(), targets.end());
    }
    const BvShape shape{.num_vertices = lists.size()};
    const BvFiles files = BvWriter(shape, lists, 1).Write();
    directory_.Write("web.properties", files.properties);
    directory_.Write("web.offsets", files.offsets);
    graph_ = directory_.Write("web.graph", files.graph);
    return lists;
  }
  static std::string NameOf(uint64_t vertex) {
    return StrCat("http://example.com/", vertex * 7919 % 503, "/a page of ", vertex);
  }
  static std::string NamesOf(uint64_t count) {
    std::string text;
    for (uint64_t vertex = 0; vertex < count; ++vertex) text += NameOf(vertex) + "\n";
    return text;
  }
  ReadAll ReadWith(const std::string& names, int threads = 1) {
    ReadOptions options;
    options.chunk_bytes = 512;
    options.names_file = directory_.Write("web.urls", names);
    return Read({graph_}, options, threads);
  }
  void ExpectBad(const std::string& names, std::string_view text) {
    const ReadAll read = ReadWith(names);
    EXPECT_EQ(read.status.code(), Code::kBadData) << read.status.message();
    EXPECT_NE(read.status.message().find(text), std::string_view::npos) << read.status.message();
  }

  const TemporaryDirectory directory_;
  std::string graph_;
};

TEST_F(NamesFileTest, EdgesHaveTheNamesOfTheirVertices) {
  const Lists lists = PlaceGraph();
  std::vector<NamedEdge> want;
  for (uint64_t v = 0; v < lists.size(); ++v) {
    for (const uint64_t u : lists[v]) want.emplace_back(NameOf(v), NameOf(u));
  }
  for (const int threads : {1, 4}) {
    const ReadAll read = ReadWith(NamesOf(lists.size()), threads);
    ASSERT_TRUE(read.status.ok()) << read.status.message();
    EXPECT_TRUE(read.info.named);
    EXPECT_EQ(read.names.size(), lists.size());  // isolated vertices too
    std::vector<NamedEdge> edges;
    for (const ReadEdge& edge : read.edges) {
      edges.emplace_back(read.names.at(edge.source), read.names.at(edge.target));
    }
    EXPECT_EQ(edges, want);
  }
}

TEST_F(NamesFileTest, ReadingGoesOnInAnyPlace) {
  const Lists lists = PlaceGraph();
  ReadOptions options;
  options.chunk_bytes = 512;
  options.names_file = directory_.Write("web.urls", NamesOf(lists.size()));
  const ReadAll whole = Read({graph_}, options);
  for (const uint64_t stop : {uint64_t{1}, whole.num_chunks / 2, whole.num_chunks - 1}) {
    const ReadAll parts = ReadResumed({graph_}, options, stop, 2);
    ASSERT_TRUE(parts.status.ok()) << parts.status.message();
    EXPECT_EQ(parts.edges, whole.edges);
    EXPECT_EQ(parts.names, whole.names);
  }
}

TEST_F(NamesFileTest, WrongNamesAreNamedByLine) {
  const uint64_t count = PlaceGraph().size();
  ExpectBad(NamesOf(count - 1), "has 499 names, and ");
  ExpectBad(NamesOf(count + 1), "web.urls:501:1: a name beyond the 500 vertices of ");
  ExpectBad(NamesOf(40) + "\n" + NamesOf(count), "web.urls:41:1: a missing name");
  ExpectBad(NamesOf(40) + "caf\xe9\n" + NamesOf(count), "web.urls:41:4: a name that is not UTF-8");
  ExpectBad(NamesOf(count - 1) + NameOf(3) + "\n", "web.urls:500:1: the name of line 4 again");
  ExpectBad("", "has 0 names");
}

TEST_F(NamesFileTest, OptionsAndFormatsWithoutNumbersAreRefused) {
  const uint64_t count = PlaceGraph().size();
  ReadOptions options;
  options.names_file = directory_.Write("web.urls", NamesOf(count));
  const auto expect_usage = [&](const std::string& path, std::string_view text) {
    const ReadAll read = Read({path}, options);
    EXPECT_EQ(read.status.code(), Code::kUsage) << read.status.message();
    EXPECT_NE(read.status.message().find(text), std::string_view::npos) << read.status.message();
  };
  expect_usage(directory_.Write("a.el", "0 1\n"), "formats that declare how many vertices");
  options.ids = IdReading::kNumbers;
  expect_usage(graph_, "leave out --ids");
  options.ids = IdReading::kAuto;
  options.vertices_file = directory_.Write("more.v", "7\n");
  expect_usage(graph_, "leave out --vertices-file");
  options.vertices_file.clear();
  options.names_file = directory_.path() + "/none.urls";
  EXPECT_EQ(Read({graph_}, options).status.code(), Code::kMissing);
}

/// 16 bytes a vertex are enough, and one byte less is not.
TEST_F(NamesFileTest, TheirMemoryIsReserved) {
  const uint64_t count = PlaceGraph().size();
  ReadOptions options;
  options.names_file = directory_.Write("web.urls", NamesOf(count));
  MemoryBudget small(MemoryBudget::kProcessBytes + 16 * count - 1);
  options.table_means.budget = &small;
  EXPECT_EQ(Read({graph_}, options).status.code(), Code::kBudget);
  MemoryBudget enough(MemoryBudget::kProcessBytes + 16 * count);
  options.table_means.budget = &enough;
  const ReadAll read = Read({graph_}, options);
  EXPECT_TRUE(read.status.ok()) << read.status.message();
  EXPECT_EQ(enough.available_bytes(), 16 * count);  // given back
}

TEST_F(NamesFileTest, IdsFromOneAreNamedFromLineOne) {
  graph_ = directory_.Write("a.mtx",
                            "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n3 1\n");
  const ReadAll read = ReadWith("ann\nbob\ncy\n");
  ASSERT_TRUE(read.status.ok()) << read.status.message();
  ASSERT_EQ(read.edges.size(), 2u);
  EXPECT_EQ(read.names.at(read.edges[0].source), "ann");
  EXPECT_EQ(read.names.at(read.edges[0].target), "bob");
  EXPECT_EQ(read.names.at(read.edges[1].source), "cy");
  EXPECT_EQ(read.names.at(read.edges[1].target), "ann");
}

}  // namespace
}  // namespace edgemill
