// Texts that are no lists of edges: adjacency matrices, and headers in files of their own.
#include <gtest/gtest.h>

#include "common/random.h"
#include "test/reader_testing.h"

namespace edgemill {
namespace {

using Edges = std::vector<ReadEdge>;

class MatrixText : public testing::Test {
 protected:
  void ExpectMatrix(const std::string& text, std::string_view size,
                    const ReadOptions& options = {}) {
    for (const char* name : {"a.txt", "a.csv", "a.el", "a"}) {
      const Status status = Read({directory_.Write(name, text)}, options).status;
      EXPECT_EQ(status.code(), Code::kUsage) << name << status.message();
      EXPECT_NE(status.message().find(StrCat("looks like an adjacency matrix of ", size)),
                std::string_view::npos)
          << status.message();
      EXPECT_NE(status.message().find("save_npz"), std::string_view::npos);
    }
  }
  void ExpectEdges(const std::string& text, const ReadOptions& options = {}) {
    const ReadAll all = Read({directory_.Write("a.txt", text)}, options);
    EXPECT_TRUE(all.status.ok()) << all.status.message();
    EXPECT_FALSE(all.edges.empty());
  }

  TemporaryDirectory directory_;
};

TEST_F(MatrixText, IsCalledByItsName) {
  ExpectMatrix("0 1 0 0\n0 0 1 0\n0 0 0 1\n1 0 0 0\n", "4 rows and columns,");
  ExpectMatrix("0,1.5,2,3\r\n1.5,0,0,0\r\n2,0,0,4\r\n3,0,4,0\r\n", "4 rows and columns,");
  ExpectMatrix("# a comment\n0;7;8;9\n7;0;5;6\n8;5;0;4\n9;6;4;0\n\n", "4 rows and columns,");
  ExpectMatrix(",a,b,c\na,0,1,1\nb,1,0,2\nc,1,2,0\n", "3 rows and columns with names");
  ExpectMatrix("a\tb\tc\na\t0\t1\t1\nb\t1\t0\t2\nc\t1\t2\t0\n", "3 rows and columns with names");
  ExpectMatrix("\"\",\"10\",\"x\",\"30\"\n\"10\",0,1,1\n\"x\",1,0,2\n\"30\",1,2,0\n", "3 rows");
}

TEST_F(MatrixText, IsFoundWithoutItsEnd) {
  Random random(2);
  std::string text;
  for (int i = 0; i < 2000; ++i) {
    for (int j = 0; j < 2000; ++j) text += random.Below(9) == 0 ? "1 " : "0 ";
    text += "\n";
  }
  ExpectMatrix(text, "2000 rows and columns,");
}

TEST_F(MatrixText, ListsOfEdgesAreNone) {
  ExpectEdges("0 1 5\n1 2 6\n2 0 7\n");                 // three weights
  ExpectEdges("1 2 5 9\n3 1 6 8\n2 1 7 3\n9 8 7 6\n");  // four edges with two more columns
  ExpectEdges("1 2 5 1082008561\n3 1 6 1082008562\n2 1 7 1082008563\n1 3 1 1082008564\n");
  ExpectEdges("0 1 0 0\n0 0 1 0\n0 0 0 1\n1 0 0 0\n1 1 0 0\n");  // five rows
  ExpectEdges("0 1 0 0\n1 2 0 0\n2 3 0 0\n3 0 0 0\n");           // columns of zeros
  const std::string matrix = "0 1 0 0\n0 0 1 0\n0 0 0 1\n1 0 0 0\n";
  ExpectEdges(matrix, {.format = EdgeFormat::kEdgeList});
  ExpectEdges(matrix, {.csv_columns = {"1", "2"}});
  ExpectEdges("a,b,c\nb,0,1\nc,1,0\n", {.csv_columns = {"1", "2"}});
}

class Neo4jHeaders : public testing::Test {
 protected:
  TemporaryDirectory directory_;
};

TEST_F(Neo4jHeaders, NameColumnsInTheFilesThatFollow) {
  const std::string header =
      directory_.Write("header.csv", "weight:float,:START_ID(P),:TYPE,:END_ID(P)\n");
  const std::string one = directory_.Write("1.csv", "1.5,10,KNOWS,20\n2.5,20,KNOWS,30\n");
  const std::string two = directory_.Write("2.csv", "4,30,\"KN,OWS\",10\n");
  const Edges want = {{10, 20, 1.5}, {20, 30, 2.5}, {30, 10, 4}};
  const ReadAll all = Read({header, one, two}, {}, 2);
  EXPECT_EQ(all.edges, want) << all.status.message();
  const std::string whole =
      directory_.Write("whole.csv",
                       "weight:float,:START_ID(P),:TYPE,:END_ID(P)\n1.5,10,KNOWS,20\n"
                       "2.5,20,KNOWS,30\n4,30,\"KN,OWS\",10\n");
  EXPECT_EQ(Read({whole}).edges, want);
  ReadOptions options;
  options.chunk_bytes = 10;
  EXPECT_EQ(ReadResumed({header, one, two}, options, 3, 1).edges, want);
  auto source = OpenEdgeReader({header, one, two}, {});
  ASSERT_TRUE(source.ok());
  const auto found = (*source)->Locate([](const LocatedEdge& edge) { return edge.source == 30; });
  EXPECT_EQ(found->where, two + ":1:1");
  const std::string names = directory_.Write("n.csv", "1,ada,KNOWS,bob\n");
  const ReadAll named = Read({header, names});
  EXPECT_TRUE(named.info.named && named.info.weighted) << named.status.message();
  EXPECT_EQ(named.names.size(), 2u);
}

TEST_F(Neo4jHeaders, HoldUntilTheNextHeader) {
  const std::string h1 = directory_.Write("h1.csv", "w:float,:START_ID,:END_ID\n");
  const std::string e1 = directory_.Write("e1.csv", "1.5,10,20\n");
  const std::string h2 = directory_.Write("h2.csv", ":END_ID,:START_ID,w:float\n");
  const std::string e2 = directory_.Write("e2.csv", "10,30,2.5\n");
  const ReadAll two = Read({h1, e1, h2, e2});
  EXPECT_EQ(two.edges, (Edges{{10, 20, 1.5}, {30, 10, 2.5}})) << two.status.message();
  // A header with edges below it replaces the one before, also for the file that follows.
  const std::string both = directory_.Write("both.csv", ":END_ID,:START_ID,w:float\n7,8,4\n");
  const ReadAll replaced = Read({h1, e1, both, e2});
  EXPECT_EQ(replaced.edges, (Edges{{10, 20, 1.5}, {8, 7, 4}, {30, 10, 2.5}}))
      << replaced.status.message();
  const std::string other = directory_.Write("other.csv", "target,source,weight\n7,8,4\n");
  EXPECT_EQ(Read({h1, e1, other}).edges, (Edges{{10, 20, 1.5}, {8, 7, 4}}));
  auto source = OpenEdgeReader({h1, e1, h2, e2}, {});
  ASSERT_TRUE(source.ok());
  const auto found = (*source)->Locate([](const LocatedEdge& edge) { return edge.source == 30; });
  EXPECT_EQ(found->where, e2 + ":1:1");
}

TEST_F(Neo4jHeaders, HoldForCsvAlone) {
  const std::string header = directory_.Write("h.csv", ":TYPE,:START_ID,:END_ID\n");
  const std::string csv = directory_.Write("e.csv", "A,1,2\n");
  const std::string list = directory_.Write("a.el", "3 4\n");
  const std::string matrix =
      directory_.Write("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n9 9 1\n5 6\n");
  const ReadAll all = Read({header, csv, list, matrix});
  EXPECT_EQ(all.edges, (Edges{{1, 2}, {3, 4}, {5, 6}})) << all.status.message();
  const std::string part = directory_.Write("part-0", "7\t1\t2\n8\t3\t4\n");
  EXPECT_EQ(Read({header, part}).edges, (Edges{{1, 2}, {3, 4}}));
  const std::string narrow = directory_.Write("narrow.csv", "1,2\n");
  EXPECT_NE(Read({header, narrow}).status.message().find("has 2 columns, and the header in the"),
            std::string_view::npos);
}

TEST_F(Neo4jHeaders, OfNodesAreNoNamesOfData) {
  const auto named = [&](const std::string& text) {
    const ReadAll all = Read({directory_.Write("names.csv", text)});
    EXPECT_TRUE(all.info.named) << text << all.status.message();
    return all.edges.size();
  };
  EXPECT_EQ(named("schema:ID,x\n"), 1u);
  EXPECT_EQ(named("schema:ID,x\nschema:name,y\n"), 2u);
  for (const char* header : {"id:ID,name", ":ID,name", "id:ID(P),name", "id:ID,name,born:int"}) {
    const Status status = Read({directory_.Write("n.csv", StrCat(header, "\nada,Ada,1\n"))}).status;
    EXPECT_NE(status.message().find("holds nodes of Neo4j"), std::string_view::npos) << header;
  }
}

TEST_F(Neo4jHeaders, OfNodesAreRefused) {
  const std::string nodes =
      directory_.Write("nodes.csv", "personId:ID(P),name,born:int,:LABEL\n1,Ada,1815,Person\n");
  const Status status = Read({nodes}).status;
  EXPECT_EQ(status.code(), Code::kUsage);
  EXPECT_NE(status.message().find("holds nodes of Neo4j (\":ID\")"), std::string_view::npos)
      << status.message();
  const std::string two = directory_.Write("two.csv", ":START_ID(A),:END_ID(B)\n");
  EXPECT_NE(Read({two}).status.message().find("ids of two groups, A and B"),
            std::string_view::npos);
}

}  // namespace
}  // namespace edgemill
