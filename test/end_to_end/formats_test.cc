// One graph is written in every format. Each gives the same stored graph, bit for bit.
#include <gtest/gtest.h>

#include "loaders/read/edge_reader.h"
#include "test/graphs/graph_builder.h"
#include "test/graphs/packed_text.h"
#include "test/npz_writing.h"

namespace edgemill {
namespace {

/// The column and checksum of every block. With one uuid, equal contents have equal checksums.
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

template <typename T>
void AppendNumber(T value, std::string* out) {
  out->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

template <typename Id>
std::string Pairs(const std::vector<TestEdge>& edges) {
  std::string bytes;
  for (const TestEdge& edge : edges) {
    AppendNumber(static_cast<Id>(edge.source), &bytes);
    AppendNumber(static_cast<Id>(edge.target), &bytes);
  }
  return bytes;
}

constexpr uint64_t kVertices = 300;

/// The edges of each vertex, in the list's order.
std::vector<std::vector<TestEdge>> Lists(const std::vector<TestEdge>& edges) {
  std::vector<std::vector<TestEdge>> lists(kVertices);
  for (const TestEdge& edge : edges) lists[edge.source].push_back(edge);
  return lists;
}

/// The bytes of a directed .sg file of GAPBS, with the lists of both directions; or of a .wsg, with
/// weights.
std::string Serialized(const std::vector<TestEdge>& edges, bool weighted) {
  std::string bytes(1, 1);
  AppendNumber(static_cast<int64_t>(edges.size()), &bytes);
  AppendNumber(static_cast<int64_t>(kVertices), &bytes);
  std::vector<TestEdge> reversed = edges;
  for (TestEdge& edge : reversed) std::swap(edge.source, edge.target);
  for (const std::vector<TestEdge>& direction : {edges, reversed}) {
    const auto lists = Lists(direction);
    int64_t offset = 0;
    AppendNumber(offset, &bytes);
    for (const auto& list : lists) {
      AppendNumber(offset += static_cast<int64_t>(list.size()), &bytes);
    }
    for (const auto& list : lists) {
      for (const TestEdge& edge : list) {
        AppendNumber(static_cast<int32_t>(edge.target), &bytes);
        if (weighted) AppendNumber(static_cast<int32_t>(edge.weight), &bytes);
      }
    }
  }
  return bytes;
}

std::string Metis(const std::vector<TestEdge>& edges, bool weighted) {
  std::string text = StrCat(kVertices, " ", edges.size(), weighted ? " 1\n" : "\n");
  for (const auto& list : Lists(edges)) {
    for (const TestEdge& edge : list) {
      text += StrCat(" ", edge.target + 1);
      if (weighted) text += StrCat(" ", static_cast<int>(edge.weight));
    }
    text += "\n";
  }
  return text;
}

/// A matrix of SciPy in the format csr.
std::string SparseMatrix(const std::vector<TestEdge>& edges) {
  std::vector<int32_t> ends = {0}, targets, weights;
  for (const auto& list : Lists(edges)) {
    for (const TestEdge& edge : list) {
      targets.push_back(static_cast<int32_t>(edge.target));
      weights.push_back(static_cast<int32_t>(edge.weight));
    }
    ends.push_back(static_cast<int32_t>(targets.size()));
  }
  return Zip({{"indices.npy", Npy("<i4", targets)},
              {"indptr.npy", Npy("<i4", ends)},
              {"format.npy", NpyText("csr")},
              {"shape.npy", Npy<int64_t>("<i8", {kVertices, kVertices})},
              {"data.npy", Npy("<i4", weights)}});
}

/// One way to write the graph.
struct Written {
  std::string name;
  EdgeFormat format = EdgeFormat::kAuto;
  bool weighted = false;
  uint64_t base = 0;
  std::string contents;
};

std::vector<Written> EveryFormat(const std::vector<TestEdge>& edges) {
  std::string list, weighted_list, csv, adjacency;
  std::string konect = "% asym weighted\n";
  std::string pajek = StrCat("*Vertices ", kVertices, "\n*Arcs\n");
  std::string graphml =
      "<?xml version=\"1.0\"?><graphml><key id=\"w\" for=\"edge\" attr.name=\"weight\" "
      "attr.type=\"int\"/><graph edgedefault=\"directed\">\n";
  std::string dimacs = StrCat("c test\np sp ", kVertices, " ", edges.size(), "\n");
  std::string matrix = StrCat("%%MatrixMarket matrix coordinate integer general\n", kVertices, " ",
                              kVertices, " ", edges.size(), "\n");
  for (const TestEdge& edge : edges) {
    const int weight = static_cast<int>(edge.weight);
    list += StrCat(edge.source, " ", edge.target, "\n");
    weighted_list += StrCat(edge.source, "\t", edge.target, " ", weight, "\n");
    csv += StrCat(edge.source, ",", edge.target, ",", weight, "\r\n");
    adjacency += StrCat(edge.source, " ", edge.target, "\n");
    konect += StrCat(edge.source + 1, " ", edge.target + 1, "\t", weight, " 1082008561\n");
    dimacs += StrCat("a ", edge.source + 1, " ", edge.target + 1, " ", weight, "\n");
    matrix += StrCat(edge.source + 1, " ", edge.target + 1, " ", weight, "\n");
    pajek += StrCat(edge.source + 1, " ", edge.target + 1, " ", weight, "\n");
    graphml += StrCat("<edge source=\"", edge.source, "\" target=\"", edge.target,
                      "\"><data key=\"w\">", weight, "</data></edge>\n");
  }
  return {{.name = "g.el", .contents = list},
          {.name = "g.bin32", .format = EdgeFormat::kPairs32, .contents = Pairs<uint32_t>(edges)},
          {.name = "g.bin64", .format = EdgeFormat::kPairs64, .contents = Pairs<uint64_t>(edges)},
          {.name = "g.adj", .format = EdgeFormat::kAdjacency, .contents = adjacency},
          {.name = "g.csv", .contents = csv},
          {.name = "plain.graph", .base = 1, .contents = Metis(edges, false)},
          {.name = "g.sg", .contents = Serialized(edges, false)},
          {.name = "g.wel", .weighted = true, .contents = weighted_list},
          {.name = "w.csv", .weighted = true, .contents = csv},
          {.name = "g.gr", .weighted = true, .base = 1, .contents = dimacs},
          {.name = "out.g", .weighted = true, .base = 1, .contents = konect},
          {.name = "g.mtx", .weighted = true, .base = 1, .contents = matrix},
          {.name = "g.graphml", .weighted = true, .contents = graphml + "</graph></graphml>\n"},
          {.name = "g.npz", .weighted = true, .contents = SparseMatrix(edges)},
          {.name = "g.net", .weighted = true, .base = 1, .contents = pajek},
          {.name = "g.graph", .weighted = true, .base = 1, .contents = Metis(edges, true)},
          {.name = "g.wsg", .weighted = true, .contents = Serialized(edges, true)}};
}

class EndToEndFormats : public testing::Test {
 protected:
  EndToEndFormats() : edges_(RandomTestEdges(4, kVertices, 2000)) {
    for (const Written& written : EveryFormat(edges_)) {
      if (written.name != "g.el" && written.name != "g.wel") continue;
      Write(written.name, written.contents);
      (written.weighted ? weighted_ : plain_) =
          Ingested(root_ / written.name, EdgeFormat::kAuto, written.weighted, 0, root_);
    }
  }
  void Write(const std::string& name, const std::string& contents) const {
    EXPECT_TRUE(WriteFileAtomically(root_ / name, contents).ok());
  }

  const TemporaryDirectory root_;
  const std::vector<TestEdge> edges_;
  Fingerprint plain_;
  Fingerprint weighted_;
};

TEST_F(EndToEndFormats, OneGraphOneContent) {
  EXPECT_EQ(plain_.size(), 4u);
  EXPECT_EQ(weighted_.size(), 6u);
  for (const Written& written : EveryFormat(edges_)) {
    const auto check = [&](const std::string& name, const std::string& contents) {
      SCOPED_TRACE(name);
      Write(name, contents);
      EXPECT_EQ(Ingested(root_ / name, written.format, written.weighted, written.base, root_),
                written.weighted ? weighted_ : plain_);
    };
    check(written.name, written.contents);
    if (written.name == "g.npz") continue;  // read in several places at once
    for (const Packer& packer : kPackers) {
      check(written.name + packer.suffix, packer.pack(written.contents));
    }
  }
}

TEST_F(EndToEndFormats, GraphalyticsToo) {
  std::string vertices, edges, weighted;
  for (uint64_t v = 0; v < kVertices; ++v) vertices += StrCat(v, "\n");
  for (const TestEdge& edge : edges_) {
    edges += StrCat(edge.source, " ", edge.target, "\n");
    weighted += StrCat(edge.source, " ", edge.target, " ", static_cast<int>(edge.weight), "\n");
  }
  const std::vector<Packer> packers = {
      {"", [](const std::string& text) { return text; }}, kPackers[0], kPackers[1]};
  for (const Packer& packer : packers) {
    SCOPED_TRACE(packer.suffix);
    const auto check = [&](const std::string& name, const std::string& lines, bool has_weights) {
      const std::string v = StrCat(name, ".v", packer.suffix),
                        e = StrCat(name, ".e", packer.suffix);
      Write(v, packer.pack(vertices));
      Write(e, packer.pack(lines));
      const std::string key = StrCat("graph.", name);
      Write(name + ".properties",
            StrCat(key, ".vertex-file = ", v, "\n", key, ".edge-file = ", e, "\n", key,
                   ".meta.vertices = ", kVertices, "\n", key, ".meta.edges = ", edges_.size(), "\n",
                   key, ".directed = true\n"));
      EXPECT_EQ(Ingested(root_ / (name + ".properties"), EdgeFormat::kAuto, has_weights, 0, root_),
                has_weights ? weighted_ : plain_);
    };
    check("plain", edges, false);
    check("weighted", weighted, true);
  }
}

}  // namespace
}  // namespace edgemill
