// Formats that describe their contents, as other programs write them: Matrix Market, DIMACS, METIS,
// Graphalytics.
#include <gtest/gtest.h>

#include "test/reader_testing.h"

namespace edgemill {
namespace {

using Edges = std::vector<ReadEdge>;

const std::string& MtxHead() {
  static const std::string& banner = *new std::string("%%MatrixMarket matrix coordinate ");
  return banner;
}

ReadAll ReadText(const std::string& name, const std::string& text,
                 WeightMode weights = WeightMode::kAuto) {
  TemporaryDirectory directory;
  ReadOptions options;
  options.weights = weights;
  ReadAll all = Read({directory.Write(name, text)}, options);
  EXPECT_TRUE(all.status.ok()) << all.status.message();
  return all;
}

TEST(MatrixMarket, OnePercentBannersAreRead) {
  const std::string text = "%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n";
  for (const char* name : {"a.mtx", "a.txt"}) {
    const ReadAll all = ReadText(name, text);
    EXPECT_EQ(all.edges, (Edges{{2, 1}, {3, 2}})) << name;
    EXPECT_TRUE(all.info.undirected) << name;
  }
}

TEST(MatrixMarket, SkewSymmetricMatricesHaveTheOtherHalfNegated) {
  const std::string text = MtxHead() + "real skew-symmetric\n3 3 3\n2 1 5\n3 2 -.5\n3 1 0\n";
  const ReadAll all = ReadText("a.mtx", text);
  EXPECT_EQ(all.edges,
            (Edges{{2, 1, 5}, {1, 2, -5}, {3, 2, -.5}, {2, 3, .5}, {3, 1, 0}, {1, 3, 0}}));
  EXPECT_FALSE(all.info.undirected);
  EXPECT_EQ(all.info.expected_edges, 6u);
  const ReadAll none = ReadText("a.mtx", text, WeightMode::kNone);
  EXPECT_EQ(none.edges, (Edges{{2, 1}, {3, 2}, {3, 1}}));
  EXPECT_TRUE(none.info.undirected);
}

TEST(MatrixMarket, HermitianMatricesOfIntegersAreSymmetric) {
  const ReadAll all = ReadText("a.mtx", MtxHead() + "integer hermitian\n2 2 1\n2 1 7\n");
  EXPECT_EQ(all.edges, (Edges{{2, 1, 7}}));
  EXPECT_TRUE(all.info.undirected && all.info.integer_weights);
}

TEST(MatrixMarket, RowsAndColumnsAreTwoSidesOfABipartiteGraph) {
  const std::string text = MtxHead() + "integer general\n2 3 3\n1 1 4\n2 3 5\n1 2 6\n";
  const ReadAll all = ReadText("a.mtx", text);
  EXPECT_EQ(all.edges, (Edges{{1, 3, 4}, {2, 5, 5}, {1, 4, 6}}));
  EXPECT_EQ(all.info.num_vertices, 5u);
  ASSERT_EQ(all.info.notes.size(), 1u);
  EXPECT_NE(all.info.notes[0].find("column j is vertex 2 + j"), std::string::npos);
  TemporaryDirectory directory;
  ReadOptions base;
  base.base = 1;
  EXPECT_EQ(Read({directory.Write("a.mtx", text)}, base).edges,
            (Edges{{0, 2, 4}, {1, 4, 5}, {0, 3, 6}}));
  const ReadAll flat = ReadText("a.mtx", MtxHead() + "pattern general\n3 1 2\n3 1\n 2  1\n");
  EXPECT_EQ(flat.edges, (Edges{{3, 4}, {2, 4}}));
}

TEST(MatrixMarket, LongCommentsAreNoTruncation) {
  TemporaryDirectory directory;
  std::string text = MtxHead() + "pattern general\n";
  while (text.size() < (size_t{1} << 20) + 10) text += "% a long story\n";
  const std::string path = directory.Write("a.mtx", text + "2 2 1\n1 2\n");
  EXPECT_EQ(Read({path}).status.message(),
            path + ": no size line in the first MiB: leave out comments");
}

TEST(NamedFormats, WithoutWeightsNoneIsParsed) {
  const WeightMode none = WeightMode::kNone;
  EXPECT_EQ(ReadText("a.mtx", MtxHead() + "real general\n2 2 2\n1 2 inf\n2 1 nan\n", none).edges,
            (Edges{{1, 2}, {2, 1}}));
  EXPECT_EQ(ReadText("a.mtx", MtxHead() + "integer general\n2 2 1\n1 2 1.5\n", none).edges,
            (Edges{{1, 2}}));
  const ReadAll complex =
      ReadText("a.mtx", MtxHead() + "complex hermitian\n2 2 1\n2 1 0.5 -1\n", none);
  EXPECT_EQ(complex.edges, (Edges{{2, 1}}));
  EXPECT_TRUE(complex.info.undirected);
  EXPECT_EQ(ReadText("a.gr", "p sp 2 2\na 1 2 1.5\na 2 1 1e999\n", none).edges,
            (Edges{{1, 2}, {2, 1}}));
  EXPECT_EQ(ReadText("a.e", "1 2 1e999\n2 3 x\n", none).edges, (Edges{{1, 2}, {2, 3}}));
  const ReadAll metis = ReadText("a.graph", "2 1 11 2\nx y 2 inf\n7 8 1 1e999\n", none);
  EXPECT_EQ(metis.edges, (Edges{{1, 2}, {2, 1}}));
  EXPECT_FALSE(metis.info.weighted);
}

TEST(NamedFormats, FloatTakesWhatAnIntegerFormatDoesNot) {
  const WeightMode real = WeightMode::kFloat;
  EXPECT_EQ(ReadText("a.gr", "p sp 2 1\na 1 2 1.5\n", real).edges, (Edges{{1, 2, 1.5}}));
  EXPECT_EQ(ReadText("a.mtx", MtxHead() + "integer general\n2 2 1\n1 2 .5\n", real).edges,
            (Edges{{1, 2, .5}}));
}

TEST(Metis, RealWeightsAreWeights) {
  EXPECT_EQ(ReadText("a.graph", "2 1 1\n2 1.5\n1 15e-1\n").edges,
            (Edges{{1, 2, 1.5}, {2, 1, 1.5}}));
  TemporaryDirectory directory;
  ReadOptions options;
  options.weights = WeightMode::kInt;
  const std::string path = directory.Write("a.graph", "2 1 1\n2 1.5\n1 1\n");
  EXPECT_EQ(Read({path}, options).status.message().find(path + ":2:3: a weight that is no integer"),
            0u);
}

TEST(Dimacs, ProblemsDecideWhatLinesAre) {
  const Edges path = {{1, 2}, {2, 3}};
  for (const char* name : {"a.col", "a.gr", "a.txt"}) {
    const ReadAll all = ReadText(name, "c colours\np edge 3 2\nn 1 4\ne 1 2\nc\ne 2 3\n");
    EXPECT_EQ(all.edges, path) << name;
    EXPECT_TRUE(all.info.undirected && !all.info.weighted) << name;
    EXPECT_EQ(all.info.num_vertices, 3u) << name;
  }
  EXPECT_EQ(ReadText("a.gr", "p col 3 2\ne 1 2\ne 2 3\n").edges, path);
  const ReadAll pace = ReadText("a.gr", "c PACE\np tw 3 2\n1 2\nc\n2 3\n");
  EXPECT_EQ(pace.edges, path);
  EXPECT_TRUE(pace.info.undirected);
  const ReadAll flow = ReadText("a.gr", "p max 3 2\nn 1 s\nn 3 t\na 1 2 5\na 2 3 6\n");
  EXPECT_EQ(flow.edges, (Edges{{1, 2, 5}, {2, 3, 6}}));
  EXPECT_FALSE(flow.info.undirected);
}

}  // namespace
}  // namespace edgemill
