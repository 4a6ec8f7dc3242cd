#include "loaders/read/edge_reader.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <thread>

#include "common/random.h"
#include "test/reader_testing.h"

namespace edgemill {
namespace {

using Edges = std::vector<ReadEdge>;

std::string TestData(const std::string& name) { return EDGEMILL_TEST_DATA "/" + name; }

/// The edges, sorted, with ids less `first`.
Edges Normal(const ReadAll& all, uint64_t first, bool weights) {
  EXPECT_TRUE(all.status.ok()) << all.status.message();
  Edges edges = all.edges;
  for (ReadEdge& edge : edges) {
    edge.source -= first;
    edge.target -= first;
    if (!weights) edge.weight = 0;
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

/// Squeezes edges as GAPBS does: no loops, and one edge for each pair, with its first weight.
Edges Squeezed(const Edges& edges) {
  Edges squeezed;
  for (const ReadEdge& edge : edges) {
    if (edge.source == edge.target) continue;
    if (!squeezed.empty() && squeezed.back().source == edge.source &&
        squeezed.back().target == edge.target) {
      continue;
    }
    squeezed.push_back(edge);
  }
  return squeezed;
}

TEST(EdgeReader, ReadersAgreeOnOneGraph) {
  const Edges plain = Normal(Read({TestData("gapbs/4.el")}), 0, false);
  ASSERT_EQ(plain.size(), 256u);
  EXPECT_EQ(Normal(Read({TestData("gapbs/4.mtx")}), 1, false), plain);
  const Edges weighted = Normal(Read({TestData("gapbs/4.wel")}), 0, true);
  EXPECT_EQ(Normal(Read({TestData("gapbs/4.wel")}), 0, false), plain);
  EXPECT_EQ(Normal(Read({TestData("gapbs/4.gr")}), 1, true), weighted);
  EXPECT_EQ(Normal(Read({TestData("gapbs/4w.mtx")}), 1, true), weighted);
  EXPECT_EQ(Normal(Read({TestData("gapbs/4.graph")}), 1, false), Squeezed(plain));
  EXPECT_EQ(Normal(Read({TestData("gapbs/4w.graph")}), 1, true), Squeezed(weighted));
  ReadOptions base_one;
  base_one.base = 1;
  EXPECT_EQ(Normal(Read({TestData("gapbs/4.gr")}, base_one), 0, true), weighted);
  EXPECT_EQ(Normal(Read({TestData("gapbs/4.mtx")}, base_one), 0, false), plain);
}

TEST(EdgeReader, InfoSaysWhatTheFormatsDeclare) {
  const EdgeSourceInfo gr = Read({TestData("gapbs/4.gr")}).info;
  EXPECT_TRUE(gr.weighted && gr.integer_weights && !gr.undirected);
  EXPECT_EQ(gr.num_vertices, 14u);
  EXPECT_EQ(gr.first_id, 1u);
  EXPECT_EQ(gr.expected_edges, 256u);
  const EdgeSourceInfo metis = Read({TestData("gapbs/4.graph")}).info;
  EXPECT_FALSE(metis.symmetric);  // the file lists 53 edges in one direction only
  EXPECT_EQ(metis.num_vertices, 14u);
  const ReadAll karate = Read({TestData("matrix_market/karate.mtx")});
  EXPECT_TRUE(karate.info.undirected);
  EXPECT_EQ(karate.edges.size(), 78u);
  EXPECT_EQ(karate.info.num_vertices, 34u);
  const ReadAll beam = Read({TestData("matrix_market/LFAT5.mtx")});
  EXPECT_TRUE(beam.info.weighted && !beam.info.integer_weights);
  EXPECT_EQ(beam.edges[1], (ReadEdge{4, 1, -94.2528}));
  EXPECT_EQ(beam.edges[2], (ReadEdge{5, 1, .78544}));
  EXPECT_EQ(Read({TestData("matrix_market/west0067.mtx")}).edges.size(), 294u);
}

TEST(EdgeReader, MangledMatrixMarketIsRefused) {
  for (const auto& [name, place, reason] : {std::tuple{"mangled1", ":1:16: ", "not a matrix"},
                                            {"mangled2", ":1:23: ", "unknown layout"},
                                            {"mangled3", ":1:34: ", "unknown kind of value"}}) {
    const std::string path = TestData(StrCat("matrix_market/", name, ".mtx"));
    const Status status = Read({path}).status;
    EXPECT_EQ(status.code(), Code::kBadData);
    EXPECT_EQ(status.message().find(path + place), 0u) << status.message();
    EXPECT_NE(status.message().find(reason), std::string_view::npos) << status.message();
  }
}

TEST(EdgeReader, GraphalyticsSetsByAnyPart) {
  const std::string stem = TestData("graphalytics/example-undirected");
  const ReadAll whole = Read({stem + ".v", stem + ".e", stem + ".properties"});
  ASSERT_TRUE(whole.status.ok()) << whole.status.message();
  EXPECT_TRUE(whole.info.undirected && whole.info.has_vertex_list && whole.info.weighted);
  EXPECT_EQ(whole.vertices.size(), 9u);
  EXPECT_EQ(whole.edges.size(), 12u);
  for (const char* part : {".v", ".e", ".properties"}) {
    const ReadAll one = Read({stem + part});
    EXPECT_EQ(one.edges, whole.edges) << part;
    EXPECT_EQ(one.vertices, whole.vertices) << part;
    EXPECT_TRUE(one.info.undirected) << part;
  }
  ReadOptions adjacency;
  adjacency.format = EdgeFormat::kAdjacency;
  const ReadAll lines = Read({stem + "-input"}, adjacency);
  Edges both = whole.edges;
  for (const ReadEdge& edge : whole.edges) both.push_back({edge.target, edge.source});
  for (ReadEdge& edge : both) edge.weight = 0;
  std::sort(both.begin(), both.end());
  EXPECT_EQ(Normal(lines, 0, false), both);
}

TEST(EdgeReader, GraphalyticsCountsAreChecked) {
  TemporaryDirectory directory;
  directory.Write("g.v", "1\n2\n3\n");
  directory.Write("g.e", "1 2\n2 3\n");
  const std::string counts = "graph.g.meta.vertices = 3\ngraph.g.directed = true\n";
  const std::string path = directory.Write("g.properties", counts + "graph.g.meta.edges = 2\n");
  EXPECT_TRUE(Read({path}).status.ok());
  directory.Write("g.properties", counts + "graph.g.meta.edges = 3\n");
  const Status status = Read({path}).status;
  EXPECT_NE(status.message().find("declares 3 edges, the file has 2"), std::string_view::npos)
      << status.message();
  directory.Write("g.properties", "graph.g.vertex-file = missing.v\ngraph.g.edge-file = lost.e\n");
  std::filesystem::remove(directory / "g.e");
  EXPECT_EQ(Read({path}).status.code(), Code::kMissing);
}

/// 2,000 lines of all sorts, some with ids beyond 32 bits.
std::string RandomText(uint64_t seed, bool weights) {
  Random random(seed);
  std::string text;
  for (int i = 0; i < 2000; ++i) {
    if (random.Below(20) == 0) text += "# comment " + std::to_string(i) + "\n";
    if (random.Below(30) == 0) text += "\n";
    const uint64_t limit = random.Below(50) == 0 ? uint64_t{1} << 40 : 3000;
    text += StrCat(random.Below(limit), random.Below(2) == 0 ? " " : "\t  ", random.Below(limit));
    if (weights) text += StrCat(" ", random.Below(1000), random.Below(3) == 0 ? ".25" : "");
    text += random.Below(10) == 0 ? " \r\n" : "\n";
  }
  return text;
}

TEST(EdgeReader, ParallelIsSerialWhateverTheChunkSize) {
  TemporaryDirectory directory;
  const std::string first = directory.Write("a.el", RandomText(1, true));
  const std::string second = directory.Write("b.wel", RandomText(2, true));
  const ReadAll whole = Read({first, second});
  ASSERT_TRUE(whole.status.ok()) << whole.status.message();
  ASSERT_EQ(whole.edges.size(), 4000u);
  for (const size_t chunk : {1, 7, 64, 1000, 100000}) {
    ReadOptions options;
    options.chunk_bytes = chunk;
    for (const int threads : {1, 4}) {
      const ReadAll parts = Read({first, second}, options, threads);
      ASSERT_TRUE(parts.status.ok()) << parts.status.message();
      EXPECT_EQ(parts.edges, whole.edges) << chunk << " " << threads;
    }
  }
}

TEST(EdgeReader, ChunkBordersAtEveryByte) {
  for (const char* name : {"gapbs/4.el", "gapbs/4.wel", "gapbs/4.gr", "gapbs/4.mtx",
                           "gapbs/4w.graph", "gapbs/4.graph"}) {
    const ReadAll whole = Read({TestData(name)});
    for (size_t chunk = 1; chunk < 300; ++chunk) {
      ReadOptions options;
      options.chunk_bytes = chunk;
      const ReadAll parts = Read({TestData(name)}, options);
      ASSERT_TRUE(parts.status.ok()) << parts.status.message();
      ASSERT_EQ(parts.edges, whole.edges) << name << " in chunks of " << chunk;
    }
  }
}

TEST(EdgeReader, ResumeAtEveryChunkIsAsUninterrupted) {
  TemporaryDirectory directory;
  ReadOptions options;
  options.chunk_bytes = 100;
  options.max_bad_lines = 2;
  std::string text = "1 2 3\nnonsense\n" + RandomText(3, true).substr(0, 1500);
  text.erase(text.rfind('\n') + 1);
  const std::vector<std::vector<std::string>> cases = {
      {directory.Write("bad.wel", text), TestData("gapbs/4w.graph")},
      {TestData("gapbs/4.gr"), TestData("gapbs/4w.mtx")},
      {TestData("gapbs/4.graph"), TestData("gapbs/4.el")},
  };
  for (const std::vector<std::string>& paths : cases) {
    const ReadAll whole = Read(paths, options);
    ASSERT_TRUE(whole.status.ok()) << whole.status.message();
    ASSERT_GT(whole.num_chunks, 8u);
    for (uint64_t stop = 1; stop <= whole.num_chunks; ++stop) {
      const ReadAll parts = ReadResumed(paths, options, stop, 2);
      ASSERT_TRUE(parts.status.ok()) << parts.status.message();
      EXPECT_EQ(parts.edges, whole.edges) << "stopped after " << stop;
      EXPECT_EQ(parts.num_chunks, whole.num_chunks);
      EXPECT_EQ(parts.bad_lines, whole.bad_lines);
    }
  }
}

TEST(EdgeReader, ResumeRefusesChangedInputsAndOptions) {
  TemporaryDirectory directory;
  ReadOptions options;
  options.chunk_bytes = 8;
  const std::string path = directory.Write("a.el", "1 2\n3 4\n5 6\n7 8\n");
  auto source = OpenEdgeReader({path}, options);
  EdgeChunk chunk;
  ASSERT_TRUE(*(*source)->Next(&chunk));
  const std::string position = *(*source)->PositionAfter(0);
  options.base = 1;
  EXPECT_EQ((*OpenEdgeReader({path}, options))->Resume(position).code(), Code::kUsage);
  options.base = 0;
  EXPECT_EQ((*OpenEdgeReader({path}, options))->Resume("rubbish").code(), Code::kBadData);
  directory.Write("a.el", "1 2\n3 4\n5 6\n7 9\n");
  const Status changed = (*OpenEdgeReader({path}, options))->Resume(position);
  EXPECT_EQ(changed.code(), Code::kBadData);
  EXPECT_NE(changed.message().find("has changed"), std::string_view::npos);
}

TEST(EdgeReader, FirstBadLineWinsWhateverTheThreads) {
  TemporaryDirectory directory;
  std::string text;
  for (int i = 0; i < 5000; ++i) text += i == 3210 || i == 3700 ? "12 x4\n" : "12 34\n";
  const std::string path = directory.Write("a.el", text);
  const std::string wanted = path + ":3211:4: ";
  for (const size_t chunk : {10, 200, 4000, 1000000}) {
    ReadOptions options;
    options.chunk_bytes = chunk;
    options.ids = IdReading::kNumbers;
    for (int repeat = 0; repeat < 3; ++repeat) {
      const Status status = Read({path}, options, 4).status;
      EXPECT_EQ(status.message().find(wanted), 0u) << status.message();
    }
    options.max_bad_lines = 1;
    const Status second = Read({path}, options, 4).status;
    EXPECT_EQ(second.message().find(StrCat(path, ":3701:")), 0u) << second.message();
    options.max_bad_lines = 2;
    options.bad_lines_file = directory / "bad";
    const ReadAll all = Read({path}, options, 4);
    ASSERT_TRUE(all.status.ok()) << all.status.message();
    EXPECT_EQ(all.bad_lines, 2u);
    EXPECT_EQ(all.edges.size(), 4998u);
    std::ifstream file(options.bad_lines_file);
    const std::string written{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(written, StrCat(path, ":3211:4: not a number where an id should be: 12 x4\n", path,
                              ":3701:4: not a number where an id should be: 12 x4\n"));
  }
}

TEST(EdgeReader, ReadsPipes) {
  TemporaryDirectory directory;
  const std::string path = directory / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const std::string text = RandomText(5, false);
  std::thread writer([&] {
    std::ofstream file(path, std::ios::binary);
    for (size_t at = 0; at < text.size(); at += 1000) file << text.substr(at, 1000) << std::flush;
  });
  const ReadAll piped = Read({path});
  writer.join();
  ASSERT_TRUE(piped.status.ok()) << piped.status.message();
  EXPECT_EQ(piped.edges, Read({directory.Write("a.el", text)}).edges);
}

TEST(EdgeReader, CsvHeadersColumnsAndDelimiters) {
  TemporaryDirectory directory;
  const Edges edges = {{1, 2, 0.5}, {3, 4, 1}};
  ReadOptions options;
  EXPECT_EQ(Read({directory.Write("a.csv", "from,to,weight\n1,2,0.5\n3,4,1\n")}).edges, edges);
  EXPECT_EQ(Read({directory.Write("b.csv", "1;2;0.5\n3 ; 4; 1\n")}).edges, edges);
  EXPECT_EQ(Read({directory.Write("c.tsv", "a\tb\tc\n1\t2\t0.5\n3\t4\t1\n")}).edges, edges);
  EXPECT_EQ(Read({directory.Write("d.txt", "1, 2, 0.5\r\n3,4,1")}).edges, edges);
  EXPECT_EQ(
      Read({directory.Write("e.csv", "\"a\",\"b\",\"c\"\n\"1\",\"2\",0.5\n3,\"4\",1\n")}).edges,
      edges);
  const std::string many =
      directory.Write("f.csv", "w,\"the, name\",dst,src\n0.5,\"x\"\"y, z\",2,1\n1,,4,3\n");
  EXPECT_EQ(Read({many}).edges, edges);
  EXPECT_EQ(Read({directory.Write("g.csv", "a,b,c,d\n1,2,3,4\n")}).status.code(), Code::kUsage);
  options.csv_columns = {"4", "dst", "w"};
  EXPECT_EQ(Read({many}, options).edges, edges);
  options.csv_columns = {"4", "nowhere"};
  EXPECT_EQ(Read({many}, options).status.code(), Code::kUsage);
  options.csv_columns = {};
  options.header = HeaderMode::kNo;
  options.ids = IdReading::kNumbers;
  EXPECT_EQ(Read({directory.Write("h.csv", "a,b\n1,2\n")}, options).status.code(), Code::kBadData);
  options.weights = WeightMode::kNone;
  const ReadAll dropped = Read({directory.Write("i.csv", "1,2,0.5\n")}, options);
  EXPECT_FALSE(dropped.info.weighted);
  EXPECT_EQ(dropped.edges, (Edges{{1, 2, 0}}));
}

TEST(EdgeReader, MixedInputsMustAgree) {
  TemporaryDirectory directory;
  const std::string plain = directory.Write("a.el", "1 2\n");
  const std::string weighted = directory.Write("b.el", "1 2 3\n");
  EXPECT_EQ(Read({plain, weighted}).status.code(), Code::kUsage);
  ReadOptions none;
  none.weights = WeightMode::kNone;
  EXPECT_EQ(Read({plain, weighted}, none).edges.size(), 2u);
  EXPECT_EQ(Read({plain, TestData("matrix_market/karate.mtx")}).status.code(), Code::kUsage);
  EXPECT_EQ(Read({directory.Write("c.what", "hello\n")}).status.code(), Code::kUsage);
  EXPECT_EQ(Read({directory.Write("d.what",
                                  "%%MatrixMarket matrix coordinate pattern general\n"
                                  "2 2 1\n1 2\n")})
                .info.num_vertices,
            2u);
}

TEST(EdgeReader, MetisSymmetryIsKnownAtTheEnd) {
  TemporaryDirectory directory;
  const std::string both = directory.Write("a.graph", "% c\n3 2\n2\n1 3\n2\n");
  const ReadAll all = Read({both});
  ASSERT_TRUE(all.status.ok()) << all.status.message();
  EXPECT_TRUE(all.info.symmetric);
  const std::string weights =
      directory.Write("b.graph", "3 2 11 2\n5 6 2 9\n% x\n5 6 1 9 3 8\n0 0 2 8");
  const ReadAll with_weights = Read({weights});
  ASSERT_TRUE(with_weights.status.ok()) << with_weights.status.message();
  EXPECT_EQ(with_weights.edges, (Edges{{1, 2, 9}, {2, 1, 9}, {2, 3, 8}, {3, 2, 8}}));
  EXPECT_TRUE(with_weights.info.symmetric);
}

}  // namespace
}  // namespace edgemill
