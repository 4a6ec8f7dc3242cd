// Generated graphs: each kind has the vertices and edges that it promises, the same whatever the
// threads.
#include "loaders/generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "loaders/ingest.h"
#include "test/memory_graph_writer.h"

namespace edgemill {
namespace {

using Edges = std::vector<std::pair<uint32_t, uint32_t>>;

struct Made {
  IngestReport report;
  GraphInfo info;
  Edges edges;
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
  const auto report = IngestInto(**source, writer, options, false, budget, progress);
  EXPECT_TRUE(report.ok()) << report.status().message();
  if (report.ok()) made.report = *report;
  made.info = writer.info();
  for (const auto& edge : writer.Edges(false)) made.edges.emplace_back(edge.first, edge.second);
  return made;
}

void ExpectSymmetric(const Edges& edges) {
  Edges reversed;
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
  EXPECT_GT(one.edges.size(), 20u << 14);  // both ways, less duplicates and loops
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
