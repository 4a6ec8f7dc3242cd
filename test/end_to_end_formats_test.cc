// One graph through every format that it is written in: what is stored is the same, bit for bit.
#include <gtest/gtest.h>

#include "loaders/edge_reader.h"
#include "test/graph_builder.h"

namespace edgemill {
namespace {

/// Every block's checksum by column: with one uuid, equal contents have equal checksums.
using Fingerprint = std::vector<std::pair<int, uint64_t>>;

Fingerprint Ingested(const std::string& input, EdgeFormat format, bool weighted, uint64_t base,
                     const TemporaryDirectory& root) {
  ReadOptions reading;
  reading.format = format;
  reading.base = base;
  auto source = OpenEdgeReader({input}, reading);
  EXPECT_TRUE(source.ok()) << source.status().message();
  IngestOptions options;
  options.uuid = TestUuid();
  options.ids = IdMode::kAuto;
  options.replace = true;
  options.threads = 1;
  options.direction = EdgeDirection::kDirected;
  options.weights.kind = weighted ? WeightChoice::Kind::kInt32 : WeightChoice::Kind::kNone;
  MemoryBudget budget(uint64_t{192} << 20);
  Progress progress;
  const auto report = Ingest(**source, root / "g.mill", options, budget, progress);
  EXPECT_TRUE(report.ok()) << input << ": " << report.status().message();
  const auto store = GraphStore::Open(root / "g.mill", {}, budget);
  Fingerprint fingerprint;
  for (int column = 0; column < kNumColumns; ++column) {
    for (const BlockLocation& block : (*store)->blocks(ColumnKind(column))) {
      fingerprint.push_back({column, block.checksum});
    }
  }
  return fingerprint;
}

std::string Binary(const TemporaryDirectory& root, const std::string& name,
                   const std::vector<std::byte>& bytes) {
  EXPECT_TRUE(
      WriteFileAtomically(root / name, {reinterpret_cast<const char*>(bytes.data()), bytes.size()})
          .ok());
  return root / name;
}

template <typename Id>
std::vector<std::byte> Pairs(const std::vector<TestEdge>& edges) {
  std::vector<Id> ids;
  for (const TestEdge& edge : edges) {
    ids.push_back(static_cast<Id>(edge.source));
    ids.push_back(static_cast<Id>(edge.target));
  }
  const auto bytes = std::as_bytes(std::span(ids));
  return {bytes.begin(), bytes.end()};
}

TEST(EndToEndFormats, OneGraphOneContent) {
  const TemporaryDirectory root;
  const std::vector<TestEdge> edges = RandomTestEdges(4, 300, 2000);
  std::string list, weighted_list, csv, adjacency;
  std::string dimacs = StrCat("c test\np sp 300 ", edges.size(), "\n");
  std::string matrix =
      StrCat("%%MatrixMarket matrix coordinate integer general\n300 300 ", edges.size(), "\n");
  for (const TestEdge& edge : edges) {
    const int weight = static_cast<int>(edge.weight);
    list += StrCat(edge.source, " ", edge.target, "\n");
    weighted_list += StrCat(edge.source, "\t", edge.target, " ", weight, "\n");
    csv += StrCat(edge.source, ",", edge.target, ",", weight, "\r\n");
    adjacency += StrCat(edge.source, " ", edge.target, "\n");
    dimacs += StrCat("a ", edge.source + 1, " ", edge.target + 1, " ", weight, "\n");
    matrix += StrCat(edge.source + 1, " ", edge.target + 1, " ", weight, "\n");
  }
  const auto text = [&](const std::string& name, const std::string& contents) {
    EXPECT_TRUE(WriteFileAtomically(root / name, contents).ok());
    return root / name;
  };
  const Fingerprint plain = Ingested(text("g.el", list), EdgeFormat::kAuto, false, 0, root);
  EXPECT_EQ(plain.size(), 4u);
  EXPECT_EQ(plain, Ingested(Binary(root, "g.bin32", Pairs<uint32_t>(edges)), EdgeFormat::kPairs32,
                            false, 0, root));
  EXPECT_EQ(plain, Ingested(Binary(root, "g.bin64", Pairs<uint64_t>(edges)), EdgeFormat::kPairs64,
                            false, 0, root));
  EXPECT_EQ(plain, Ingested(text("g.adj", adjacency), EdgeFormat::kAdjacency, false, 0, root));
  EXPECT_EQ(plain, Ingested(text("g.csv", csv), EdgeFormat::kAuto, false, 0, root));
  const Fingerprint weighted =
      Ingested(text("g.wel", weighted_list), EdgeFormat::kAuto, true, 0, root);
  EXPECT_EQ(weighted.size(), 6u);
  EXPECT_EQ(weighted, Ingested(text("g.csv", csv), EdgeFormat::kAuto, true, 0, root));
  EXPECT_EQ(weighted, Ingested(text("g.gr", dimacs), EdgeFormat::kAuto, true, 1, root));
  EXPECT_EQ(weighted, Ingested(text("g.mtx", matrix), EdgeFormat::kAuto, true, 1, root));
}

}  // namespace
}  // namespace edgemill
