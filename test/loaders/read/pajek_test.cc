// Networks of Pajek: files of other programs, each rule of the format, damage, and long files.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <thread>
#include <utility>

#include "common/random.h"
#include "loaders/formats/ordered/ordered_input.h"
#include "test/ordered_reading.h"

namespace edgemill {
namespace {

/// A FIFO to which a thread writes `text`, for one reader.
class Pipe {
 public:
  Pipe(const std::string& text, const TemporaryDirectory& directory)
      : path(directory / StrCat("pipe", text.size())) {
    EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
    std::signal(SIGPIPE, SIG_IGN);  // a reader may stop early
    writer_ = std::thread([this, text] {
      std::FILE* const file = std::fopen(path.c_str(), "w");
      (void)std::fwrite(text.data(), 1, text.size(), file);  // fails when the reader stops
      (void)std::fclose(file);
    });
  }
  ~Pipe() {
    writer_.join();
    (void)unlink(path.c_str());
  }

  const std::string path;

 private:
  std::thread writer_;
};

class PajekTest : public testing::Test {
 protected:
  ReadAll Good(const std::string& text, const ReadOptions& options = {}) {
    const ReadAll all = Read({directory_.Write("a.net", text)}, options);
    EXPECT_TRUE(all.status.ok()) << all.status.message();
    return all;
  }
  void ExpectBad(const std::string& text, std::string_view said, const ReadOptions& options = {}) {
    const std::string path = directory_.Write("a.net", text);
    const ReadAll all = Read({path}, options);
    EXPECT_EQ(all.status.code(), Code::kBadData) << said;
    EXPECT_EQ(all.status.message().find(path), 0u) << all.status.message();
    EXPECT_NE(all.status.message().find(said), std::string_view::npos) << all.status.message();
  }

  TemporaryDirectory directory_;
};

TEST_F(PajekTest, ReadsWhatNetworkxWrites) {
  const ReadAll numbers = Read({TestFile("networkx/numbers.net")});
  EXPECT_EQ(numbers.edges, kSampleEdges) << numbers.status.message();
  EXPECT_EQ(numbers.vertices, (std::vector<uint64_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_TRUE(HasNote(numbers.info, "ids are the labels of vertices"));
  const ReadAll names = Read({TestFile("networkx/names.net")});
  EXPECT_EQ(NamedEdgesOf(names), (NamedEdges{{"Ada Bob", "x", 2},
                                             {"Ada Bob", "Zoë", 1.5},
                                             {"x", "q r", -4},
                                             {"Zoë", "q r", .25},
                                             {"q r", "q r", 7},
                                             {"n4", "Ada Bob", 3}}));
  EXPECT_EQ(names.names.size(), 6u);
  EXPECT_TRUE(HasNote(names.info, "ids are names (the label \"Ada Bob\" in line 2"));
  const ReadAll undirected = Read({TestFile("networkx/undirected.net")});
  EXPECT_TRUE(undirected.info.undirected && undirected.info.weighted);
  EXPECT_EQ(undirected.edges.size(), 6u);
  const ReadAll ids = Read({TestFile("networkx/names.net")}, {.ids = IdReading::kNumbers});
  EXPECT_EQ(ids.info.num_vertices, 6u);
  EXPECT_EQ(ids.edges.front(), (ReadEdge{1, 2, 2}));
  EXPECT_TRUE(HasNote(ids.info, "labels of vertices are ignored"));
}

TEST_F(PajekTest, SectionsAreReadInAnyCaseAndOrder) {
  const std::string text =
      "% a comment\r\n*NETWORK a b\r\n*vertices 5 2\r\n\r\n*Arcs :1 \"likes\"\r\n1 2\r\n% x\r\n"
      "*eDgesList\r\n3 4 5\r\n*arcslist\r\n5 1 2\r\n*Edges\r\n 2\t2 \r\n";
  const ReadAll all = Good(text);
  EXPECT_EQ(all.edges, (std::vector<ReadEdge>{
                           {1, 2}, {3, 4}, {4, 3}, {3, 5}, {5, 3}, {5, 1}, {5, 2}, {2, 2}}));
  EXPECT_EQ(all.info.num_vertices, 5u);
  EXPECT_EQ(all.info.first_id, 1u);
  EXPECT_TRUE(HasNote(all.info, "3 edges beside arcs are stored in both directions"));
  EXPECT_EQ(Read({directory_.Write("b", text)}).edges, all.edges);  // by its content
  EXPECT_EQ(Good(text, {.base = 1}).edges.front(), (ReadEdge{0, 1}));
  const ReadAll edges = Good("*Vertices 3\n*Edges\n1 2\n*Edgeslist\n3 1 2\n");
  EXPECT_TRUE(edges.info.undirected);
  EXPECT_EQ(edges.edges, (std::vector<ReadEdge>{{1, 2}, {3, 1}, {3, 2}}));
  EXPECT_EQ(Good("*Vertices 2\r*Arcs\r1 2\r").edges, (std::vector<ReadEdge>{{1, 2}}));
  const std::string project = "*Vertices 2\n*Arcs\n1 2\n*Partition p\n*Vertices 2\n1\n2\n";
  EXPECT_EQ(Good(project).edges, (std::vector<ReadEdge>{{1, 2}}));
  EXPECT_EQ(Good("*Vertices 4\n").info.num_vertices, 4u);
}

TEST_F(PajekTest, WeightsAreInTheThirdColumn) {
  const std::string text = "*Vertices 3\n*Arcs\n1 2 .5 c Blue\n2 3\n*Arcslist\n3 1\n";
  EXPECT_EQ(Good(text).edges, (std::vector<ReadEdge>{{1, 2, .5}, {2, 3, 1}, {3, 1, 1}}));
  EXPECT_FALSE(Good(text, {.weights = WeightMode::kNone}).info.weighted);
  EXPECT_FALSE(Good("*Vertices 3\n*Arcs\n1 2 c Blue\n").info.weighted);
  ExpectBad("*Vertices 3\n*Arcs\n1 2 1\n2 3 x\n", ":4:5: not a number where a weight");
  ExpectBad("*Vertices 3\n*Arcs\n1 2\n2 3 4\n", ":4:5: a weight, where the first line");
  const std::string late = "*Vertices 3\n*Arcs\n1 2\n2 3 4\n";
  EXPECT_EQ(Good(late, {.weights = WeightMode::kFloat}).edges,
            (std::vector<ReadEdge>{{1, 2, 1}, {2, 3, 4}}));
}

TEST_F(PajekTest, LabelsAreNamesOrNumbers) {
  const std::string mixed = "*Vertices 4\n2 \"b c\"\n1 a 0.5 0.5\n4\n*Arcs\n1 2\n2 3\n4 4\n";
  EXPECT_EQ(NamedEdgesOf(Good(mixed)),
            (NamedEdges{{"a", "b c", 0}, {"b c", "3", 0}, {"4", "4", 0}}));
  const ReadAll few = Good("*Vertices 9\n1 a\n2 b\n*Arcs\n1 2\n");
  EXPECT_TRUE(HasNote(few.info, "7 of 9 vertices are not listed"));
  ExpectBad("*Vertices 3\n1 a\n3 a\n2 b\n*Arcs\n1 2\n",
            ":3:1: the vertices 1 and 3 have the same label");
  ExpectBad("*Vertices 3\n1 a\n2 3\n*Arcs\n1 2\n",
            ":3:1: the label \"3\" of vertex 2 is the number of vertex 3, which has no label");
  ExpectBad("*Vertices 3\n1 10\n2 10\n\n", ":3:1: the vertices 1 and 2 have the same label, 10");
  ExpectBad("*Vertices 3\n1 10\n1 11\n", ":3:3: a vertex that is listed twice");
  ExpectBad("*Vertices 3\n1 a\n2 \"b\n", "a quote that does not end");
  ExpectBad("*Vertices 3\n1 a\n2 Zo\xef\n", "a name that is not UTF-8");
  // Numbers that are no ids, such as coordinates, are no labels.
  EXPECT_EQ(Good("*Vertices 2\n1 0.5 0.5\n2 0.1 0.2\n*Arcs\n1 2\n").edges,
            (std::vector<ReadEdge>{{1, 2}}));
  EXPECT_EQ(Read({directory_.Write("c.net", mixed)}, {.base = 1}).status.code(), Code::kUsage);
  const std::string numbers = "*Vertices 3\n1 5\n2 9\n*Arcs\n1 2\n3 1\n";
  EXPECT_EQ(Good(numbers, {.base = 1}).edges, (std::vector<ReadEdge>{{4, 8}, {2, 4}}));
  ExpectBad("*Vertices 2\n1 5\n2 0\n", ":3:3: id 0 where ids start from 1", {.base = 1});
}

TEST_F(PajekTest, LabelsTakeBoundedMemory) {
  const std::string path =
      directory_.Write("a.net", "*Vertices 9000000000\n1 a\n8000000000 b\n*Arcs\n1 2\n");
  const Status status = Read({path}).status;
  EXPECT_EQ(status.code(), Code::kBudget) << status.message();
  EXPECT_EQ(Good("*Vertices 9000000000\n1 a\n8000000000 b\n*Arcs\n8000000000 2\n",
                 {.ids = IdReading::kNumbers})
                .edges,
            (std::vector<ReadEdge>{{8'000'000'000, 2}}));
}

TEST_F(PajekTest, LabelsAreReservedInTheBudget) {
  const std::string text = "*Vertices 4000000\n1 a\n4000000 b\n*Arcs\n1 4000000\n";
  const std::string path = directory_.Write("a.net", text);
  const auto read = [&](MemoryBudget* budget) {
    ReadOptions options;
    options.table_means.budget = budget;
    return Read({path, path}, options);
  };
  MemoryBudget small(uint64_t{100} << 20);
  for (MemoryBudget* const budget : {&small, static_cast<MemoryBudget*>(nullptr)}) {
    const Status status = read(budget).status;
    EXPECT_EQ(status.code(), Code::kBudget) << status.message();
    EXPECT_NE(status.message().find("labels of vertices need"), std::string_view::npos)
        << status.message();
    EXPECT_NE(status.message().find("--ids sparse"), std::string_view::npos);
  }
  // Two inputs, one after the other, take the memory of one.
  MemoryBudget large(uint64_t{200} << 20);
  EXPECT_EQ(NamedEdgesOf(read(&large)), (NamedEdges{{"a", "b", 0}, {"a", "b", 0}}));
  EXPECT_EQ(large.available_bytes(), uint64_t{168} << 20);
}

TEST_F(PajekTest, LabelsOfAPipeHaveALimit) {
  std::string text = "*Vertices 16000000\n";
  for (int i = 1; i <= 100'000; ++i) text += StrCat(i, " \"label ", i, "\"\n");
  const Pipe few(text + "*Arcs\n1 100000\n", directory_);
  EXPECT_EQ(NamedEdgesOf(Read({few.path})), (NamedEdges{{"label 1", "label 100000", 0}}));
  const Pipe many(text + "16000000 b\n*Arcs\n1 16000000\n", directory_);
  const Status status = Read({many.path}).status;
  EXPECT_EQ(status.code(), Code::kBudget) << status.message();
  EXPECT_NE(status.message().find(":100002:1: the labels of vertices take more than 64.0 MiB: "
                                  "give a file, not a pipe, or --ids sparse"),
            std::string_view::npos)
      << status.message();
}

TEST_F(PajekTest, NamesOfAChunkAreBounded) {
  constexpr uint64_t kLabels = 5000, kLabelBytes = 500;
  const auto label = [](uint64_t i) { return StrCat("v", i, std::string(kLabelBytes, 'x')); };
  std::string text = StrCat("*Vertices ", kLabels, "\n");
  for (uint64_t i = 1; i <= kLabels; ++i) text += StrCat(i, " ", label(i), "\n");
  Random random(7);
  NamedEdges want;
  text += "*Arcs\n";
  for (int i = 0; i < 10'000; ++i) {
    const uint64_t source = 1 + random.Below(kLabels), target = 1 + random.Below(kLabels);
    text += StrCat(source, " ", target, "\n");
    want.emplace_back(label(source), label(target), 0);
  }
  text += "*Arcslist\n1";
  for (uint64_t i = 1; i <= kLabels; ++i) {
    text += StrCat(" ", i);
    want.emplace_back(label(1), label(i), 0);
  }
  const std::string path = directory_.Write("a.net", text);
  ReadOptions options;
  options.chunk_bytes = 50'000;
  auto source = OpenEdgeReader({path}, options);
  ASSERT_TRUE(source.ok());
  EdgeChunk chunk;
  while (true) {
    const auto more = (*source)->Next(&chunk);
    ASSERT_TRUE(more.ok()) << more.status().message();
    if (!*more) break;
    EXPECT_LT(chunk.names.memory_bytes(), 4 * options.chunk_bytes);
  }
  EXPECT_EQ(NamedEdgesOf(Read({path}, options, 3)), want);
  const uint64_t chunks = Read({path}, options).num_chunks;
  ASSERT_GT(chunks, 100u);
  for (const uint64_t stop : {uint64_t{1}, chunks / 2, chunks - 2}) {
    EXPECT_EQ(NamedEdgesOf(ReadResumed({path}, options, stop, 2)), want) << stop;
  }
}

TEST_F(PajekTest, WhatIsNoNetworkIsRefusedByName) {
  ExpectBad("*Vertices 2\n*Matrix\n0 1\n1 0\n", ":2:1: *Matrix, which is not read");
  ExpectBad("*Vertices 2\n*Events\nTI 1\n", "\"*Events\", which is not read");
  ExpectBad("*Arcs\n1 2\n", "edges before *Vertices");
  ExpectBad("*Vertices\n", "*Vertices without the number");
  ExpectBad("*Vertices -3\n", "*Vertices without the number");
  ExpectBad("1 2\n", "a line before *Vertices", {.format = EdgeFormat::kPajek});
  ExpectBad("", "no *Vertices");
  ExpectBad("*Vertices 2\n*Arcs\n1 2\n*Vertices 2\n", ":4:1: a second network");
  ExpectBad("*Vertices 2\n*Arcs\n1 3\n", ":3:3: a vertex that is not among those of *Vertices");
  ExpectBad("*Vertices 2\n*Arcs\n0 1\n", ":3:1: a vertex that is not among");
  ExpectBad("*Vertices 2\n*Arcs\n1\n", ":3:2: a missing id");
  ExpectBad("*Vertices 2\n*Arcslist\n1 -2\n", ":3:3: a negative id");
  ExpectBad(StrCat("*Vertices 2\n*Arcs\n1 2", std::string(2 << 20, ' ')), ":3:1: a line longer");
}

TEST_F(PajekTest, NetFilesMayBeListsOfEdges) {
  EXPECT_EQ(Good("# a comment\n1 2\n2 3\n").edges, (std::vector<ReadEdge>{{1, 2}, {2, 3}}));
  EXPECT_EQ(Good("source,target,weight\n1,2,5\n").edges, (std::vector<ReadEdge>{{1, 2, 5}}));
}

TEST_F(PajekTest, BadLinesCanBeSkipped) {
  const std::string text = "*Vertices 3\n*Arcs\n1 2\n1 x\n1 9\n2 3\n";
  const ReadAll all = Good(text, {.max_bad_lines = 2});
  EXPECT_EQ(all.edges, (std::vector<ReadEdge>{{1, 2}, {2, 3}}));
  EXPECT_EQ(all.bad_lines, 2u);
  // No edge of a bad list is stored.
  const std::string lists = "*Vertices 3\n*Arcslist\n1 2 999 3\n2 3 1\n";
  EXPECT_EQ(Good(lists, {.max_bad_lines = 1}).edges, (std::vector<ReadEdge>{{2, 3}, {2, 1}}));
}

TEST_F(PajekTest, HeadingsWithoutLinesMeanNothing) {
  const ReadAll few = Good("*Vertices 3\n*Edges\n1 2\n*Arcs\n");
  EXPECT_TRUE(few.info.undirected);
  EXPECT_EQ(few.edges, (std::vector<ReadEdge>{{1, 2}}));
  std::string text = "*Vertices 9\n*Arcs\n*Edges\n";
  for (int i = 0; i < 400'000; ++i) text += "1 2\n";
  EXPECT_TRUE(Good(text + "*Arcs\n% no line\n\n").info.undirected);
  const ReadAll late = Good(text + "*Arcs\n\n%" + std::string(5000, 'x') + "\n3 4");
  EXPECT_FALSE(late.info.undirected);
  EXPECT_EQ(late.edges.back(), (ReadEdge{3, 4}));
}

TEST_F(PajekTest, APipeShowsItsHeadAlone) {
  std::string edges = "*Vertices 9\n*Edges\n";
  for (int i = 0; i < 400'000; ++i) edges += "1 2\n";
  const auto said = [&](const std::string& text, const ReadOptions& options = {}) {
    const Pipe pipe(text, directory_);
    return std::string(Read({pipe.path}, options).status.message());
  };
  EXPECT_EQ(said(edges + "*Arcs\n"), "");
  const ReadOptions skips{.max_bad_lines = 1000};
  EXPECT_NE(said(edges + "*Arcs\n3 4\n", skips).find(":400004:1: arcs, behind the first MiB of a"),
            std::string::npos);
  EXPECT_NE(said(edges + "*Arcslist\n3 4\n").find("arcs, behind"), std::string::npos);
  std::string labels = "*Vertices 100000\n";
  for (int i = 1; i <= 100'000; ++i) labels += StrCat(i, " \"name of ", i, "\"\n");
  labels += "*Edges\n1 2 .5\n2 3 1\n";
  EXPECT_NE(said(labels, skips).find(":100003:1: a weight, behind the first MiB of a pipe"),
            std::string::npos);
  EXPECT_EQ(said(labels, {.weights = WeightMode::kFloat}), "");
  EXPECT_EQ(said(labels, {.weights = WeightMode::kNone}), "");
}

TEST_F(PajekTest, ArcsBehindTheHeadAreFound) {
  std::string text = "*Vertices 9\n*Edges\n";
  for (int i = 0; i < 400'000; ++i) text += "1 2\n";
  text += " *Arcs\n3 4\n";
  const ReadAll all = Good(text);
  EXPECT_EQ(all.edges.size(), 800'001u);
  EXPECT_FALSE(all.info.undirected);
  EXPECT_EQ(all.edges.back(), (ReadEdge{3, 4}));
  std::string labels = "*Vertices 100000\n";
  for (int i = 1; i <= 100'000; ++i) labels += StrCat(i, " \"name of ", i, "\"\n");
  const ReadAll named = Good(labels + "*Edges\n1 2 .5\n");
  EXPECT_TRUE(named.info.undirected && named.info.weighted);
  EXPECT_EQ(named.names.size(), 100'000u);
  EXPECT_EQ(NamedEdgesOf(named), (NamedEdges{{"name of 1", "name of 2", .5}}));
}

TEST_F(PajekTest, AFileIsOpenOnceWhileItIsLookedThrough) {
  const std::string text(3 << 20, 'x');
  const InputSpec spec{directory_.Write("a.net.xz", Xz(text))};
  auto opened = InputStream::Open(spec.path, spec.trust_suffix, spec.window_log_max);
  ASSERT_TRUE(opened.ok());
  ReopeningStream stream(spec, std::move(*opened));
  const auto count_open = [&] {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
      std::error_code gone;
      count += std::filesystem::read_symlink(entry, gone) == spec.path;
    }
    return count;
  };
  size_t seen = 0;
  ASSERT_TRUE(LookThrough(&stream, 0, [&](std::string_view part) {
                seen += part.size();
                EXPECT_EQ(count_open(), 1);
                return true;
              }).ok());
  EXPECT_EQ(seen, text.size());
  EXPECT_EQ(count_open(), 0);
}

TEST_F(PajekTest, DamageIsFoundOrChangesNoStructure) {
  ExpectSafeWhenDamaged("*Vertices 3\n1 \"a b\"\n2 b\n*Arcs\n1 2 3\n*Edges\n2 3 1\n", "a.net",
                        directory_);
}

TEST_F(PajekTest, LongFilesAreReadInParts) {
  Random random(6);
  std::string text = "*Vertices 5000\n*Arcs\n";
  std::vector<ReadEdge> want;
  for (int i = 0; i < 20'000; ++i) {
    const ReadEdge edge{1 + random.Below(5000), 1 + random.Below(5000), double(random.Below(100))};
    want.push_back(edge);
    text += StrCat(edge.source, " ", edge.target, " ", edge.weight, "\n");
  }
  ExpectSameInParts(text, "a.net", want, directory_);
}

}  // namespace
}  // namespace edgemill
