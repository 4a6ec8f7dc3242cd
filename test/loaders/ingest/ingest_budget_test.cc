// If --memory is too small, ingest names a number that works, and 20 % less does not work.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/random.h"
#include "common/units.h"
#include "loaders/generate/generator.h"
#include "loaders/ingest/ingest.h"
#include "test/graphs/list_source.h"
#include "test/graphs/memory_graph_writer.h"
#include "test/graphs/written_graph.h"
#include "test/named_budget.h"

namespace edgemill {
namespace {

/// An input, which is opened again for each trial, and the options of its ingest.
struct Shape {
  std::string name;
  std::function<StatusOr<std::unique_ptr<EdgeSource>>()> open;
  IngestOptions options;
  /// The need is unknown before the input is read, so only the second refusal names it.
  bool known_late = false;
};

Shape Generated(const std::string& name, GeneratorOptions generator) {
  generator.kind = *ParseGeneratorKind(name);
  Shape schema{name, [generator] { return MakeGenerator(generator); }, {}};
  schema.options.threads = 2;
  SetIngestDefaults(generator.kind, &schema.options);
  return schema;
}

Status Trial(const Shape& schema, uint64_t mebibytes) {
  auto source = schema.open();
  if (!source.ok()) return source.status();
  MemoryGraphWriter writer(schema.options.block_edges, schema.options.page_blocks);
  writer.Discard();
  MemoryBudget budget(mebibytes * kMebibyte);
  Progress progress;
  return IngestInto(**source, writer, schema.options, budget, progress).status();
}

uint64_t NamedIn(const Status& refusal) {
  return refusal.code() == Code::kBudget ? NamedMebibytes(refusal.message(), "--memory") : 0;
}

void ExpectNamedWorks(const Shape& schema) {
  SCOPED_TRACE(schema.name);
  const Status refused = Trial(schema, 33);
  uint64_t named = NamedIn(refused);
  ASSERT_GT(named, 33u) << refused.message();
  if (schema.known_late) {
    const Status again = Trial(schema, named);
    ASSERT_GT(NamedIn(again), named) << again.message();
    named = NamedIn(again);
  }
  const Status done = Trial(schema, named);
  ASSERT_TRUE(done.ok()) << "named " << named << " MiB: " << done.message();
  // 20 % less is too little.
  const uint64_t less = (named * 4 - 1) / 5;
  EXPECT_TRUE(less <= 33 || !Trial(schema, less).ok())
      << "named " << named << " MiB, " << less << " works";
}

TEST(IngestBudgetTest, GeneratorsNameTheMemoryThatWorks) {
  GeneratorOptions small;
  small.scale = 15;  // two of the generator's chunks
  ExpectNamedWorks(Generated("kron", small));
  ExpectNamedWorks(Generated("road", small));
  Shape weighted = Generated("kron", small);
  weighted.name += ", weighted";
  weighted.options.weights.kind = WeightChoice::Kind::kRandom;
  ExpectNamedWorks(weighted);
  weighted.name += ", large blocks";
  weighted.options.block_edges = 65536;
  ExpectNamedWorks(weighted);
  GeneratorOptions many;
  many.num_vertices = 1'500'000;
  Shape renumbered = Generated("star", many);
  renumbered.name += ", renumbered";
  renumbered.options.renumbering = Renumbering::kDegree;
  ExpectNamedWorks(renumbered);
}

/// If an amount of memory works, more memory works too, up to memory that holds everything.
void ExpectMoreWorks(const Shape& schema, uint64_t least, uint64_t most) {
  SCOPED_TRACE(schema.name);
  bool works = false;
  for (uint64_t mebibytes = least; mebibytes <= most; mebibytes += (most - least) / 12) {
    const Status status = Trial(schema, mebibytes);
    EXPECT_TRUE(status.ok() || !works) << mebibytes << " MiB: " << status.message();
    works |= status.ok();
  }
  EXPECT_TRUE(works);
}

TEST(IngestBudgetTest, MoreMemoryThanEnoughWorks) {
  // Ids rise, so the first edges do not show the number of vertices.
  GeneratorOptions generator;
  generator.num_vertices = 3'000'000;
  Shape path = Generated("path", generator);
  path.options.renumbering = Renumbering::kDegree;
  ExpectMoreWorks(path, 90, 330);
  EdgeList list{"rising ids", {}, {}, false};
  for (uint64_t i = 0; i < 1'000'000; ++i) list.edges.push_back({i, i + 1});
  Shape rising{list.name, [&] { return std::make_unique<ListSource>(list, 20000); }, {}};
  rising.options.direction = EdgeDirection::kDirected;
  rising.options.threads = 2;
  ExpectMoreWorks(rising, 66, 186);
  rising.options.renumbering = Renumbering::kDegree;
  ExpectMoreWorks(rising, 66, 186);
  // Ids need 64 bits from the start, or after the first third.
  for (const uint64_t first : {uint64_t{0}, uint64_t{400'000}}) {
    EdgeList wide{"large ids", {}, {}, false};
    for (uint64_t i = 0; i < 1'200'000; ++i) {
      wide.edges.push_back(i < first ? TestEdge{i, i + 1}
                                     : TestEdge{Mix64(2 * i), Mix64(2 * i + 1)});
    }
    Shape schema{wide.name, [&] { return std::make_unique<ListSource>(wide, 20000); }, {}};
    schema.options.direction = EdgeDirection::kDirected;
    schema.options.threads = 2;
    ExpectMoreWorks(schema, 66, 210);
  }
}

/// Edges that fit into memory are not spilled to give sorting more memory than it needs.
TEST(IngestBudgetTest, EdgesThatFitAreNotSpilled) {
  GeneratorOptions generator;
  generator.scale = 18;  // 7.7 million edges stored, 62 MB in memory
  for (const Renumbering renumbering : {Renumbering::kNone, Renumbering::kDegree}) {
    Shape schema = Generated("kron", generator);
    schema.options.renumbering = renumbering;
    const auto spilled = [&](uint64_t mebibytes) -> uint64_t {
      auto source = schema.open();
      EXPECT_TRUE(source.ok());
      MemoryGraphWriter writer(schema.options.block_edges, schema.options.page_blocks);
      writer.Discard();
      MemoryBudget budget(mebibytes * kMebibyte);
      Progress progress;
      const auto report = IngestInto(**source, writer, schema.options, budget, progress);
      EXPECT_TRUE(report.ok()) << report.status().message();
      return report.ok() ? report->spill_bytes_written : 0;
    };
    EXPECT_EQ(spilled(renumbering == Renumbering::kNone ? 200 : 300), 0u);
    EXPECT_GT(spilled(130), 10'000'000u);
  }
}

TEST(IngestBudgetTest, LargeIdsNameTheMemoryThatWorks) {
  EdgeList list{"ids of 64 bits", {}, {}, false};
  for (uint64_t i = 0; i < 1'500'000; ++i) list.edges.push_back({Mix64(2 * i), Mix64(2 * i + 1)});
  Shape schema{list.name, [&] { return std::make_unique<ListSource>(list, 20000); }, {}};
  schema.options.direction = EdgeDirection::kDirected;
  schema.options.threads = 2;
  schema.known_late = true;
  ExpectNamedWorks(schema);
  schema.name += ", renumbered";
  schema.options.renumbering = Renumbering::kHub;
  ExpectNamedWorks(schema);
}

}  // namespace
}  // namespace edgemill
