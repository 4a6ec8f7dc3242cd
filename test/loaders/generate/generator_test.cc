// Generated graphs: each kind has the promised vertices and edges, the same on any number of
// threads.
#include "loaders/generate/generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "common/random.h"
#include "loaders/ingest/ingest.h"
#include "test/graphs/memory_graph_writer.h"

namespace edgemill {
namespace {

using EdgePairs = std::vector<std::pair<uint32_t, uint32_t>>;

struct Made {
  IngestReport report;
  GraphInfo info;
  EdgePairs edges;
  std::vector<double> weights;  // of weighted kinds
};

Made Make(const GeneratorOptions& generator, int threads) {
  Made made;
  auto source = MakeGenerator(generator);
  EXPECT_TRUE(source.ok()) << source.status().message();
  IngestOptions options;
  SetIngestDefaults(generator.kind, &options);
  options.threads = threads;
  MemoryGraphWriter writer(options.block_edges, options.page_blocks);
  MemoryBudget budget(uint64_t{128} << 20);
  Progress progress;
  const auto report = IngestInto(**source, writer, options, budget, progress);
  EXPECT_TRUE(report.ok()) << report.status().message();
  if (report.ok()) made.report = *report;
  made.info = writer.info();
  for (const auto& edge : writer.Edges(false)) made.edges.emplace_back(edge.first, edge.second);
  if (made.info.weights != WeightType::kNone) {
    made.weights = writer.Weights(ColumnKind::kOutWeights);
  }
  return made;
}

void ExpectSymmetric(const EdgePairs& edges) {
  EdgePairs reversed;
  for (const auto& [u, v] : edges) reversed.emplace_back(v, u);
  std::sort(reversed.begin(), reversed.end());
  EXPECT_TRUE(reversed == edges);
}

TEST(GeneratorTest, KronIsSymmetricAndTheSameOnAnyThreads) {
  GeneratorOptions options;
  options.scale = 14;
  const Made one = Make(options, 1);
  EXPECT_EQ(one.info.num_vertices, 1u << 14);
  EXPECT_EQ(one.report.input_edges, 16u << 14);
  EXPECT_GT(one.edges.size(), 20u << 14);  // both directions, without duplicates and loops
  EXPECT_LE(one.edges.size(), 32u << 14);
  EXPECT_EQ(one.info.num_self_loops, 0u);
  EXPECT_EQ(one.info.num_duplicates, 0u);
  ExpectSymmetric(one.edges);
  EXPECT_TRUE(Make(options, 3).edges == one.edges);
  options.seed = 5;
  EXPECT_FALSE(Make(options, 1).edges == one.edges);
}

TEST(GeneratorTest, EveryKindIsTheSameOnAnyThreads) {
  for (const char* name : {"rmat", "uniform", "web", "grid", "road", "path", "star"}) {
    SCOPED_TRACE(name);
    GeneratorOptions options;
    options.kind = ParseGeneratorKind(name).value();
    options.scale = 12;
    const Made one = Make(options, 1);
    EXPECT_GE(one.info.num_vertices, 1u << 12);
    EXPECT_FALSE(one.edges.empty());
    EXPECT_TRUE(Make(options, 3).edges == one.edges);
    if (!one.info.directed) ExpectSymmetric(one.edges);
  }
}

/// A checksum of all edges and weights in stored order.
uint64_t Checksum(const Made& made) {
  uint64_t sum = 0;
  for (const auto& [u, v] : made.edges) sum = Mix64(sum ^ (uint64_t{u} << 32 | v));
  for (const double weight : made.weights) sum = Mix64(sum ^ static_cast<uint64_t>(weight));
  return sum;
}

TEST(GeneratorTest, StreamsStayWhatTheyAre) {
  // The same options must give the same graph in every version, because results are compared by
  // options.
  struct Pin {
    const char* kind;
    int scale;
    uint64_t edges;
    uint64_t checksum;
  };
  for (const Pin& pin : {
           Pin{"kron", 16, 1819292, 0x59110d7a2477e500},
           Pin{"rmat", 12, 65536, 0xa47e27cdb680d02f},
           Pin{"uniform", 12, 130498, 0xb5c1f74e36dfdcb5},
           Pin{"web", 12, 73995, 0xa7758e67d2f12d3e},
           Pin{"grid", 12, 16128, 0xfcba40a33d7f4d6d},
           Pin{"road", 12, 13906, 0xd027156ee1d3b1ff},
           Pin{"path", 12, 8190, 0xf16780742c72741d},
           Pin{"star", 12, 8190, 0x0e983f0f60db5b64},
       }) {
    SCOPED_TRACE(pin.kind);
    GeneratorOptions options;
    options.kind = ParseGeneratorKind(pin.kind).value();
    options.scale = pin.scale;
    const Made made = Make(options, 2);
    EXPECT_EQ(made.edges.size(), pin.edges);
    EXPECT_EQ(Checksum(made), pin.checksum);
  }
}

/// GAP's rule, number by number, at scales that are multiples of 8 and others.
TEST(GeneratorTest, RmatDrawsAQuadrantFromEachNumber) {
  for (const int scale : {0, 1, 7, 8, 9, 25, 31}) {
    SCOPED_TRACE(scale);
    GeneratorOptions options;
    options.kind = GeneratorKind::kRmat;
    options.scale = scale;
    options.seed = 11;
    auto source = MakeGenerator(options);
    ASSERT_TRUE(source.ok()) << source.status().message();
    EdgeChunk chunk;
    ASSERT_TRUE((*source)->Next(&chunk).value());
    constexpr double kMax = std::numeric_limits<uint32_t>::max();
    const auto a_end = static_cast<uint32_t>(options.a * kMax);
    const uint32_t ab_end = a_end + static_cast<uint32_t>(options.b * kMax);
    const uint32_t abc_end = ab_end + static_cast<uint32_t>(options.c * kMax);
    std::mt19937 random(11);
    for (const NarrowEdge& edge : chunk.narrow) {
      uint32_t u = 0, v = 0;
      for (int depth = 0; depth < scale; ++depth) {
        const auto point = static_cast<uint32_t>(random());
        const bool down = point >= ab_end;
        u = u << 1 | down;
        v = v << 1 | (down ? point > abc_end : point > a_end);
      }
      ASSERT_EQ(edge.source, u);
      ASSERT_EQ(edge.target, v);
    }
  }
}

TEST(GeneratorTest, ShapesHaveTheirEdges) {
  GeneratorOptions options;
  options.num_vertices = 1000;
  options.kind = GeneratorKind::kPath;
  const Made path = Make(options, 2);
  EXPECT_EQ(path.edges.size(), 2u * 999);
  EXPECT_EQ(path.edges[0], std::pair(0u, 1u));
  EXPECT_EQ(path.edges[2], std::pair(1u, 2u));
  options.kind = GeneratorKind::kStar;
  const Made star = Make(options, 2);
  EXPECT_EQ(star.edges.size(), 2u * 999);
  EXPECT_EQ(star.edges[998], std::pair(0u, 999u));
  EXPECT_EQ(star.edges[999], std::pair(1u, 0u));
}

TEST(GeneratorTest, RefusesWhatNoGraphHolds) {
  EXPECT_EQ(ParseGeneratorKind("torus").status().code(), Code::kUsage);
  GeneratorOptions options;
  options.scale = 32;
  EXPECT_EQ(MakeGenerator(options).status().code(), Code::kUsage);
  options.scale = 10;
  options.a = 0.9;
  options.b = 0.2;
  EXPECT_EQ(MakeGenerator(options).status().code(), Code::kUsage);
}

}  // namespace
}  // namespace edgemill
