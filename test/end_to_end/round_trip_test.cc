// A graph that is exported and ingested again is the same, with its vertices without edges.
#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <random>
#include <set>

#include "common/os/file.h"
#include "engine/graph/names/name_text.h"
#include "engine/output/edges/edge_export.h"
#include "loaders/read/edge_reader.h"
#include "test/graphs/graph_builder.h"

namespace edgemill {
namespace {

/// How one graph is made.
struct Shape {
  bool symmetric = false;
  bool weighted = false;
  Renumbering renumbering = Renumbering::kNone;
};

struct Files {
  std::string edges;
  std::string vertices;  // empty: none
};

/// Ingests `files` to `path`, always with one uuid.
void IngestFiles(const Files& files, const Shape& shape, const std::string& path) {
  ReadOptions reading;
  reading.vertices_file = files.vertices;
  const auto source = OpenEdgeReader({files.edges}, reading);
  ASSERT_TRUE(source.ok()) << source.status().message();
  IngestOptions options;
  options.uuid = TestUuid();
  options.threads = 2;
  options.renumbering = shape.renumbering;
  options.direction = shape.symmetric ? EdgeDirection::kSymmetric : EdgeDirection::kDirected;
  MemoryBudget budget(uint64_t{192} << 20);
  Progress progress;
  const auto report = Ingest(**source, path, options, budget, progress);
  ASSERT_TRUE(report.ok()) << report.status().message();
}

/// The checksum of every block of each column, and values of the header.
std::string Content(const std::string& path) {
  MemoryBudget budget(uint64_t{192} << 20);
  const auto store = GraphStore::Open(path, {}, budget);
  EXPECT_TRUE(store.ok()) << store.status().message();
  const GraphInfo& info = (*store)->info();
  std::string content = StrCat(info.num_vertices, " ", info.num_edges, " ", int(info.weights), " ",
                               info.id_base, " ", info.name_bytes > 0 ? "by name" : "by number");
  for (int column = 0; column < kNumColumns; ++column) {
    for (const BlockLocation& block : (*store)->blocks(ColumnKind(column))) {
      content += StrCat(" ", column, ":", block.checksum);
    }
  }
  return content;
}

/// Exports the graph at `path`. Returns the number of vertices without edges.
uint64_t Export(const std::string& path, const Files& files) {
  MemoryBudget budget(uint64_t{192} << 20);
  const auto store = GraphStore::Open(path, {}, budget);
  EXPECT_TRUE(store.ok());
  const auto reader = BlockReader::Create(**store, {}, budget);
  EXPECT_TRUE(reader.ok());
  const ExportOptions options{.format = files.edges.ends_with(".wel") ? ExportFormat::kWeightedList
                                                                      : ExportFormat::kEdgeList};
  Progress progress;
  auto edges = EdgeExport::Create({**store, **reader, 2, budget, progress}, options);
  EXPECT_TRUE(edges.ok()) << edges.status().message();
  auto output = OutputFile::Open(files.edges);
  EXPECT_TRUE(output.ok() && edges->Run(*output, progress).ok() && output->Finish().ok());
  auto vertices = OutputFile::Open(files.vertices);
  EXPECT_TRUE(vertices.ok() && edges->WriteVertices(*vertices, progress).ok() &&
              vertices->Finish().ok());
  return edges->num_isolated();
}

/// The text for the vertex `id` in a file: its number, or an odd name that contains the number.
std::string Called(uint64_t id, bool by_name) {
  if (!by_name) return StrCat(id);
  constexpr std::string_view kOdd[] = {"v", "New York ", "say \"hi\" ", "#", "zo\xc3\xab", ",;",
                                       "",  "inf",       "\t",          "%", "//",         "1e"};
  std::string field;
  AppendNameField(StrCat(kOdd[id % std::size(kOdd)], id % 3 == 0 ? StrCat(id) : StrCat(id, " ")),
                  &field);
  return field;
}

TEST(RoundTripTest, RandomGraphsComeBack) {
  for (uint64_t seed = 0; seed < 48; ++seed) {
    const bool by_name = seed >= 24;
    SCOPED_TRACE(seed);
    const TemporaryDirectory root;
    std::mt19937_64 random(seed);
    const Shape shape{.symmetric = seed % 2 == 1,
                      .weighted = seed % 4 >= 2,
                      .renumbering = seed % 3 == 1 ? Renumbering::kDegree : Renumbering::kNone};
    // Ids are close together, up to a million, or any number.
    const uint64_t max_id = seed % 5 == 0 ? 200 : seed % 5 == 4 ? ~uint64_t{1} : 1'000'000;
    std::vector<uint64_t> ids(100);
    for (uint64_t& id : ids) id = random() % max_id;
    std::set<uint64_t> vertices(ids.begin(), ids.end()), named;
    std::string text;
    for (int i = 0; i < 150; ++i) {
      const uint64_t u = ids[random() % 60], v = ids[random() % 60];  // the rest have no edge
      const std::string weight = shape.weighted ? StrCat(" ", random() % 1000 / 8.0) : "";
      named.insert({u, v});
      const std::string source = Called(u, by_name), target = Called(v, by_name);
      text += StrCat(source, " ", target, weight, "\n");
      if (shape.symmetric && u != v) text += StrCat(target, " ", source, weight, "\n");
    }
    std::string list;
    for (const uint64_t id : vertices) list += StrCat(Called(id, by_name), "\n");
    const std::string suffix = shape.weighted ? ".wel" : ".el";
    const Files first{root / ("first" + suffix), root / "first.v"};
    ASSERT_TRUE(WriteFileAtomically(first.edges, text).ok());
    ASSERT_TRUE(WriteFileAtomically(first.vertices, list).ok());
    ASSERT_NO_FATAL_FAILURE(IngestFiles(first, shape, root / "a.mill"));
    const Files second{root / ("second" + suffix), root / "second.v"};
    EXPECT_EQ(Export(root / "a.mill", second), vertices.size() - named.size());
    const std::string want = Content(root / "a.mill");
    std::filesystem::remove_all(root / "a.mill");
    ASSERT_NO_FATAL_FAILURE(IngestFiles(second, shape, root / "a.mill"));
    EXPECT_EQ(Content(root / "a.mill"), want);
  }
}

}  // namespace
}  // namespace edgemill
