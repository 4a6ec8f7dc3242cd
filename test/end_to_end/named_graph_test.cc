// Commands on graphs whose vertices have names.
#include "test/graphs/named_graph.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/graph/names/name_text.h"
#include "engine/output/edges/edge_export.h"
#include "engine/output/scrub.h"
#include "test/end_to_end/own_program.h"
#include "test/graphs/graph_builder.h"
#include "test/graphs/random_names.h"

namespace edgemill {
namespace {

using Words = std::vector<std::string>;

struct Said {
  int code = -1;
  std::string output;
  std::string errors;
};

class NamedGraphTest : public testing::Test {
 protected:
  /// Makes NAME.mill of `edges` between places in `names`.
  void Write(const std::string& name, const Words& names, const std::vector<TestEdge>& edges,
             const IngestOptions& options) {
    EdgeList list{name, {}, edges};
    for (uint64_t id = 0; id < names.size(); ++id) list.ids.push_back(id);
    const std::string plain = root_ / StrCat(name, ".plain");
    const auto report = BuildGraph(list, plain, options);
    ASSERT_TRUE(report.ok()) << report.status().message();
    const Status status = WriteNamedGraph(plain, names, Path(name));
    ASSERT_TRUE(status.ok()) << status.message();
  }
  void Write(const std::string& name, const Words& names, const std::vector<TestEdge>& edges) {
    IngestOptions options;
    options.ids = IdMode::kDense;
    options.block_edges = 128;
    options.threads = 1;
    Write(name, names, edges, options);
  }
  std::string Path(const std::string& name) const { return root_ / (name + ".mill"); }
  std::string Contents(const std::string& path) const {
    const StatusOr<std::string> text = ReadWholeFile(path, 1 << 26);
    EXPECT_TRUE(text.ok()) << text.status().message();
    return text.ok() ? *text : "";
  }

  /// Runs the program in root_.
  Said Run(const Words& words) const {
    Words all = {"edgemill", kAsProgram};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> arguments;
    for (std::string& word : all) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const std::string out = root_ / "stdout", err = root_ / "stderr";
    const pid_t child = fork();
    if (child == 0) {
      const int output = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      const int errors = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      if (dup2(output, 1) < 0 || dup2(errors, 2) < 0) _exit(126);
      if (chdir(root_.path().c_str()) != 0) _exit(126);
      execv("/proc/self/exe", arguments.data());
      _exit(127);
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, Contents(out), Contents(err)};
  }
  /// The one line of an error, without the program's name.
  std::string Error(const Words& words, int code) const {
    const Said ended = Run(words);
    EXPECT_EQ(ended.code, code) << ended.errors;
    EXPECT_TRUE(ended.errors.starts_with("edgemill: ")) << ended.errors;
    EXPECT_EQ(std::count(ended.errors.begin(), ended.errors.end(), '\n'), 1) << ended.errors;
    return ended.errors.substr(10, ended.errors.size() - 11);
  }
  void Succeed(const Words& words) const {
    const Said ended = Run(words);
    EXPECT_EQ(ended.code, 0) << ended.errors;
  }
  nlohmann::json Json(const Words& words) const {
    Words all = words;
    all.insert(all.end(), {"--json", root_ / "told.json"});
    Succeed(all);
    return nlohmann::json::parse(Contents(root_ / "told.json"));
  }
  std::vector<std::string> Faults(const std::string& path) const {
    MemoryBudget budget(uint64_t{192} << 20);
    const auto store = GraphStore::Open(path, {}, budget);
    EXPECT_TRUE(store.ok()) << store.status().message();
    const auto reader = BlockReader::Create(**store, {}, budget);
    Progress progress;
    Scrub scrub({**store, **reader, 2, budget, progress}, "", {});
    const Status status = scrub.Run();
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(scrub.state().blocks_bad > 0, !scrub.state().faults.empty());
    return scrub.state().faults;
  }

  const TemporaryDirectory root_;
};

/// The path 42 - New York - ali - alice - bob, an edge back from bob to alice, and the isolated
/// vertex inf.
class SmallNamedGraphTest : public NamedGraphTest {
 protected:
  void SetUp() override {
    Write("g", {"42", "New York", "ali", "alice", "bob", "inf"},
          {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}, {4, 3, 1}});
  }
};

TEST_F(SmallNamedGraphTest, ASourceIsAName) {
  Succeed({"run", "bfs", "g.mill", "-r", "New York", "-v", "-o", "levels.txt"});
  EXPECT_EQ(Contents(root_ / "levels.txt"),
            "42 inf\n\"New York\" 0\nali 1\nalice 2\nbob 3\n\"inf\" inf\n");
  Succeed({"run", "bfs", "g.mill", "-r", "42", "-o", "levels.csv"});
  EXPECT_EQ(Contents(root_ / "levels.csv"),
            "id,level\n42,0\n\"New York\",1\nali,2\nalice,3\nbob,4\n\"inf\",inf\n");
  EXPECT_EQ(Error({"run", "bfs", "g.mill", "-r", "alcie"}, 64),
            "vertex \"alcie\" is not in g.mill: did you mean \"alice\" or \"ali\"?");
  EXPECT_EQ(Error({"bench", "run", "bfs", "g.mill", "-r", "0"}, 64),
            "vertex \"0\" is not in g.mill: its 6 names run from \"42\" to \"inf\"");
  EXPECT_EQ(Error({"run", "bfs", "g.plain", "-r", "alice"}, 64),
            "--source: \"alice\" is not valid: vertices of g.plain have numbers as ids: give a "
            "whole number");
}

TEST_F(SmallNamedGraphTest, AnswersThatAreVerticesAreNames) {
  Succeed({"run", "bfs", "g.mill", "-r", "New York", "--parents", "-o", "parents.tsv", "-v"});
  EXPECT_EQ(Contents(root_ / "parents.tsv"),
            "42\tinf\n\"New York\"\t\"New York\"\nali\t\"New York\"\nalice\tali\nbob\talice\n"
            "\"inf\"\tinf\n");
  Succeed({"run", "cc", "g.mill", "-o", "components.csv", "-v"});
  EXPECT_EQ(Contents(root_ / "components.csv"),
            "id,component\n42,42\n\"New York\",42\nali,42\nalice,42\nbob,42\n\"inf\",\"inf\"\n");
  const Said ended = Run({"run", "cc", "g.mill", "-o", "components.npy"});
  EXPECT_NE(ended.output.find("names           components.names, one a line"), std::string::npos)
      << ended.output;
  EXPECT_EQ(Contents(root_ / "components.names"), "42\nNew York\nali\nalice\nbob\ninf\n");
  EXPECT_FALSE(PathExists(root_ / "components.ids.npy"));
  const std::string values = Contents(root_ / "components.npy");
  uint64_t components[6];
  ASSERT_EQ(values.size(), 128 + sizeof(components));
  std::memcpy(components, values.data() + 128, sizeof(components));
  EXPECT_EQ(std::vector<uint64_t>(components, components + 6),
            (std::vector<uint64_t>{0, 0, 0, 0, 0, 5}));
  EXPECT_EQ(Error({"run", "cc", "g.mill", "-o", "components.npy"}, 73),
            "components.npy: exists already: give another name, or --force to replace it");
  std::filesystem::remove(root_ / "components.npy");
  EXPECT_EQ(Error({"run", "cc", "g.mill", "-o", "components.npy"}, 73),
            "components.names: exists already: give another name, or --force to replace it");
}

TEST_F(SmallNamedGraphTest, SummariesAndReportsShowNames) {
  const Said ended =
      Run({"run", "bfs", "g.mill", "-r", "New York", "--top", "2", "--report", "report.html"});
  EXPECT_NE(ended.output.find("source          New York\n"), std::string::npos) << ended.output;
  EXPECT_NE(ended.output.find("top levels      bob: 3\n                alice: 2\n"),
            std::string::npos)
      << ended.output;
  const std::string page = Contents(root_ / "report.html");
  EXPECT_NE(page.find("<dt>source</dt><dd>New York<"), std::string::npos);
  EXPECT_NE(page.find("<td class=\"l\">bob</td><td>3</td>"), std::string::npos);
  const auto json = Json({"run", "cc", "g.mill", "--top", "2"});
  EXPECT_EQ(json["top"].dump(), R"([{"id":"42","vertices":5},{"id":"inf","vertices":1}])");
  EXPECT_TRUE(json["source"].is_null());
  EXPECT_EQ(Json({"run", "bfs", "g.mill", "-r", "alice"})["source"], "alice");
  EXPECT_EQ(Json({"run", "bfs", "g.plain", "-r", "3"})["source"], 3);
  const auto bench = Json({"bench", "run", "bfs", "g.mill", "-r", "alice", "-n", "2"});
  EXPECT_NE(bench.dump().find(R"("sources":["alice","alice"])"), std::string::npos) << bench.dump();
}

TEST_F(SmallNamedGraphTest, EdgesAndVerticesAreExportedByName) {
  Succeed({"export", "g.mill", "back.el"});
  EXPECT_EQ(Contents(root_ / "back.el"),
            "42 \"New York\"\n\"New York\" ali\nali alice\nalice bob\nbob alice\n");
  EXPECT_EQ(Contents(root_ / "back.el.v"), "42\n\"New York\"\nali\nalice\nbob\n\"inf\"\n");
  Succeed({"export", "g.mill", "back.wel"});
  EXPECT_TRUE(Contents(root_ / "back.wel").starts_with("42 \"New York\" 1\n"));
  EXPECT_EQ(Error({"export", "g.mill", "back.bin64"}, 64),
            "export: the vertices have names, and this format holds only numbers: export the "
            "graph as .el or .wel");
}

TEST_F(SmallNamedGraphTest, InfoTellsOfNames) {
  const auto json = Json({"info", "g.mill"});
  EXPECT_EQ(json["ids"], "strings");
  EXPECT_EQ(json["names"], 6);
  EXPECT_GT(json["bytes_per_name"], 1);
  EXPECT_NE(Run({"info", "g.mill"}).output.find("ids         strings: 6 names, "),
            std::string::npos);
  EXPECT_EQ(Json({"info", "g.plain"})["ids"], "dense");
  EXPECT_EQ(Json({"info", "g.plain"})["names"], 0);
  Succeed({"verify", "g.mill"});
}

TEST_F(NamedGraphTest, NamesThatATerminalWouldObeyAreEscaped) {
  Write("g", {"a\x1b[31m", "b\tc", "d"}, {{0, 1, 1}, {1, 2, 1}});
  const Said ended = Run({"run", "bfs", "g.mill", "-r", "a\x1b[31m", "--top", "3"});
  EXPECT_EQ(ended.code, 0) << ended.errors;
  EXPECT_NE(ended.output.find("b\\tc: 1"), std::string::npos) << ended.output;
  EXPECT_EQ(ended.output.find('\x1b'), std::string::npos);
}

TEST_F(NamedGraphTest, RenumberedGraphsKeepTheirNames) {
  const Words names = RandomNames(900, 21);
  const std::vector<TestEdge> edges = RandomTestEdges(3, 900, 5000);
  IngestOptions options;
  options.ids = IdMode::kDense;
  options.block_edges = 128;
  options.renumbering = Renumbering::kDegree;
  options.threads = 1;
  Write("renumbered", names, edges, options);
  Write("plain", names, edges);
  for (const char* graph : {"renumbered.mill", "plain.mill"}) {
    Succeed({"run", "bfs", graph, "-r", names[17], "-o", StrCat(graph, ".txt"), "-v"});
    Succeed({"run", "cc", graph, "-o", StrCat(graph, ".csv"), "-v"});
  }
  EXPECT_EQ(Contents(root_ / "renumbered.mill.txt"), Contents(root_ / "plain.mill.txt"));
  EXPECT_EQ(Contents(root_ / "renumbered.mill.csv"), Contents(root_ / "plain.mill.csv"));
}

TEST_F(NamedGraphTest, TheLeastMemoryIsEnoughForTheNames) {
  Words names;
  for (char c = 'a'; c < 'y'; ++c) {
    for (int i = 10; i < 30; ++i) names.push_back(c + std::string(20'000, 'x') + StrCat(i));
  }
  for (size_t i = 0; i < names.size(); ++i) names[i].insert(1, StrCat(1000 + i));
  IngestOptions options;
  options.ids = IdMode::kDense;
  options.block_edges = 8192;
  options.threads = 1;
  Write("g", names, RandomTestEdges(4, names.size(), 3000), options);
  for (const Words& command :
       {Words{"run", "cc", "g.mill", "-o", "a.csv", "--force"},
        Words{"run", "bfs", "g.mill", "-r", names[7], "--parents", "-o", "a.txt", "--force"}}) {
    Words dry = command;
    dry.insert(dry.end(), {"--threads", "1", "--dry-run"});
    const uint64_t least = Json(dry)["least_memory_bytes"];
    EXPECT_GT(least, MemoryBudget::kProcessBytes + names.size() * 20'000);
    Words run = command;
    run.insert(run.end(), {"--threads", "1", "--memory", StrCat(least)});
    Succeed(run);
    run.back() = StrCat(least - 4096);
    EXPECT_EQ(Run(run).code, 71);
  }
  EXPECT_TRUE(Contents(root_ / "a.csv").starts_with("id,component\n" + names[0] + ","));
}

TEST_F(NamedGraphTest, ExportsOfLongNamesAreWhole) {
  Words names = RandomNames(300, 5);
  for (int i = 0; i < 40; ++i) names.push_back(std::string(3000 + 1000 * i, 'y') + ' ');
  names.push_back(std::string(65536, 'z'));
  std::sort(names.begin(), names.end());
  std::vector<TestEdge> edges = RandomTestEdges(9, names.size(), 2000);
  Write("g", names, edges);
  Succeed({"export", "g.mill", "edges.wel", "--threads", "2"});
  std::stable_sort(edges.begin(), edges.end(), [](const TestEdge& a, const TestEdge& b) {
    return std::pair(a.source, a.target) < std::pair(b.source, b.target);
  });
  std::string expected;
  for (const TestEdge& edge : edges) {
    AppendNameField(names[edge.source], &expected);
    expected += ' ';
    AppendNameField(names[edge.target], &expected);
    expected += StrCat(" ", edge.weight, "\n");
  }
  EXPECT_TRUE(Contents(root_ / "edges.wel") == expected);
}

TEST_F(NamedGraphTest, VerifyFindsDamagedNamesAndSaysWhere) {
  const Words names = RandomNames(3000, 8);
  Write("g", names, {{0, 1, 1}});
  EXPECT_TRUE(Faults(Path("g")).empty());
  MemoryBudget budget(uint64_t{64} << 20);
  const auto store = *GraphStore::Open(Path("g"), {}, budget);
  for (const ColumnKind column : {ColumnKind::kNames, ColumnKind::kNameGroups}) {
    const uint64_t block = store->column(column).num_blocks / 2;
    const BlockLocation location = store->blocks(column)[block];
    const std::string file = store->segments()[store->segment_file(column, location)].file.path();
    FlipBits(file, location.offset() + 70, 4);
    const std::vector<std::string> faults = Faults(Path("g"));
    ASSERT_EQ(faults.size(), 1u);
    EXPECT_NE(faults[0].find(StrCat("block ", block, " of ", ColumnName(column))),
              std::string::npos)
        << faults[0];
    for (const Words& reading :
         {Words{"run", "cc", "g.mill", "-o", "-"}, Words{"export", "g.mill", "-"}}) {
      EXPECT_NE(Error(reading, 65).find(StrCat("block ", block, " of ", ColumnName(column))),
                std::string::npos);
    }
    FlipBits(file, location.offset() + 70, 4);
  }
  EXPECT_TRUE(Faults(Path("g")).empty());
}

TEST_F(NamedGraphTest, VerifyReadsEveryName) {
  Words names = RandomNames(3000, 8);
  names[2000] += "\xff";
  Write("bytes", names, {{0, 1, 1}});
  const std::vector<std::string> faults = Faults(Path("bytes"));
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_NE(faults[0].find("the name of rank 2000 is not UTF-8"), std::string::npos) << faults[0];
  EXPECT_EQ(Run({"verify", "bytes.mill"}).code, 65);
}

}  // namespace
}  // namespace edgemill
