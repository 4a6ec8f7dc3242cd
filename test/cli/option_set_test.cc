#include "cli/options/option_set.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "cli/options/field_names.h"
#include "cli/options/nearest_word.h"
#include "cli/options/option_help.h"
#include "common/strings.h"
#include "engine/run/algorithm_help.h"
#include "engine/run/run.h"
#include "test/temporary_directory.h"

namespace edgemill::cli {
namespace {

class OptionSetTest : public testing::Test {
 protected:
  void SetUp() override {
    options_.Positional("GRAPH", &graph_, true, "the graph");
    options_.Flag("-v,--verify", &verify_, "check");
    options_.Number("-r,--source", &source_, "ID", "the source");
    options_.Real("--damping", &damping_, "X", "damping", {0, 1});
    options_.Bytes("--memory", &memory_, "memory");
    options_.Choice("--mode", &mode_, {"auto", "pull", "push"}, "mode");
    options_.Texts("--data", &data_, "DIR", "data");
  }

  std::string ErrorOf(const std::vector<std::string>& arguments) {
    const Status status = options_.Parse(arguments);
    EXPECT_EQ(status.code(), Code::kUsage) << status.message();
    EXPECT_EQ(status.message().find('\n'), std::string_view::npos);
    return std::string(status.message());
  }

  OptionSet options_{"run"};
  std::string graph_;
  bool verify_ = false;
  uint64_t source_ = 0;
  double damping_ = 0;
  uint64_t memory_ = 0;
  std::string mode_;
  std::vector<std::string> data_;
};

TEST_F(OptionSetTest, TakesEveryKind) {
  const Status status =
      options_.Parse({"g.mill", "-v", "-r", "18446744073709551615", "--damping=0.5", "--memory",
                      "1.5 GiB", "--mode", "push", "--data", "a", "--data", "b c"});
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(graph_, "g.mill");
  EXPECT_TRUE(verify_);
  EXPECT_EQ(source_, ~uint64_t{0});
  EXPECT_EQ(damping_, 0.5);
  EXPECT_EQ(memory_, uint64_t{3} << 29);
  EXPECT_EQ(mode_, "push");
  EXPECT_EQ(data_, (std::vector<std::string>{"a", "b c"}));
  EXPECT_TRUE(options_.Given("--source"));
  EXPECT_TRUE(options_.Given("--verify"));
}

TEST_F(OptionSetTest, OptionsMayComeFirstAndDashesEndThem) {
  ASSERT_TRUE(options_.Parse({"--mode", "pull", "--", "-odd-name"}).ok());
  EXPECT_EQ(graph_, "-odd-name");
  EXPECT_FALSE(options_.Given("--memory"));
}

TEST_F(OptionSetTest, RefusesWhatIsWrong) {
  EXPECT_NE(ErrorOf({}).find("GRAPH is missing"), std::string::npos);
  EXPECT_NE(ErrorOf({"g", "--memoyr", "1"}).find("did you mean --memory?"), std::string::npos);
  EXPECT_NE(ErrorOf({"g", "--xyzzy"}).find("edgemill help run"), std::string::npos);
}

TEST_F(OptionSetTest, RefusesWrongValues) {
  for (const char* number : {"", "-1", "+1", "1.0", "1e3", "0x10", "18446744073709551616", " 1"}) {
    OptionSet options("run");
    options.Number("--source", &source_, "ID", "the source");
    EXPECT_EQ(options.Parse({"--source", number}).code(), Code::kUsage) << number;
  }
  for (const char* number : {"nan", "inf", "1.5", "-0.1", "1,5"}) {
    OptionSet options("run");
    options.Real("--damping", &damping_, "X", "damping", {0, 1});
    EXPECT_EQ(options.Parse({"--damping", number}).code(), Code::kUsage) << number;
  }
}

TEST_F(OptionSetTest, RefusesASecondValue) {
  EXPECT_NE(ErrorOf({"g", "--mode", "pull", "--mode", "push"}).find("more than once"),
            std::string::npos);
}

TEST_F(OptionSetTest, RefusesAMissingValue) {
  EXPECT_NE(ErrorOf({"g", "--mode"}).find("--mode needs a value"), std::string::npos);
  EXPECT_NE(ErrorOf({"g", "-r"}).find("--source needs a value"), std::string::npos);
}

TEST_F(OptionSetTest, ShortOptionsTakeTheirValueAsOneWordOrTwo) {
  ASSERT_TRUE(options_.Parse({"-r5", "g"}).ok());
  EXPECT_EQ(source_, 5u);
  EXPECT_FALSE(verify_);
}

TEST_F(OptionSetTest, ShortOptionsMayStandTogether) {
  ASSERT_TRUE(options_.Parse({"-vr", "7", "g"}).ok());
  EXPECT_TRUE(verify_);
  EXPECT_EQ(source_, 7u);
  EXPECT_EQ(graph_, "g");
}

TEST_F(OptionSetTest, ValuesMayLookLikeOptions) {
  ASSERT_TRUE(options_.Parse({"g", "--data", "--odd", "--data=-x=y"}).ok());
  EXPECT_EQ(data_, (std::vector<std::string>{"--odd", "-x=y"}));
}

TEST_F(OptionSetTest, RefusesEmptyTexts) {
  EXPECT_NE(ErrorOf({"g", "--data="}).find("run: --data: an empty text"), std::string::npos);
  EXPECT_NE(ErrorOf({""}).find("run: GRAPH: an empty text"), std::string::npos);
}

TEST_F(OptionSetTest, RefusesTwoOutputsThatAreOneFile) {
  const TemporaryDirectory directory;
  const std::string file = directory.Write("a.json", "{}");
  std::filesystem::create_hard_link(file, directory / "b.json");
  const auto parse = [](const std::string& output, const std::string& json) {
    std::string first, second;
    OptionSet options("run");
    options.Text("--output", &first, "FILE", "the answer");
    options.Text("--json", &second, "FILE", "as JSON");
    options.WritesTo("--output", [](const std::string& path) { return std::vector{path + ".v"}; });
    options.WritesTo("--json");
    return options.Parse({"--output", output, "--json", json});
  };
  std::filesystem::create_symlink("c.txt", directory / "link");
  std::filesystem::create_symlink("/proc/self/fd/2", directory / "descriptor");
  for (const auto& [output, json] : std::vector<std::pair<std::string, std::string>>{
           {"-", "-"},
           {file, file},
           {directory / "b.json", file},
           {directory / "none.txt", directory / "./none.txt"},
           {directory / "none.txt", directory / ".//none.txt"},
           {directory / "none.txt", directory / "none.txt.v"},
           {directory / "c.txt", directory / "link"},
           {"/proc/self/fd/2", directory / "descriptor"},
           {"none.txt", "./none.txt"},
           {"none.txt", std::filesystem::current_path() / "none.txt"}}) {
    const Status status = parse(output, json);
    EXPECT_EQ(status.code(), Code::kUsage) << output;
    EXPECT_NE(status.message().find("--output and --json both want"), std::string::npos);
  }
  EXPECT_TRUE(parse("-", file).ok());
  EXPECT_TRUE(parse(directory / "a.txt", file).ok());
  EXPECT_TRUE(parse("/dev/null", "/dev/null").ok());
}

TEST_F(OptionSetTest, RefusesToWriteWhatIsRead) {
  const TemporaryDirectory directory;
  const std::string file = directory.Write("a.el", "0 1");
  std::filesystem::create_hard_link(file, directory / "b.json");
  const auto parse = [&](const std::vector<std::string>& arguments) {
    std::vector<std::string> inputs;
    std::string json, spill;
    OptionSet options("ingest");
    options.Positionals("INPUT...", &inputs, 1, "inputs");
    options.Text("--json", &json, "FILE", "as JSON");
    options.Text("--spill", &spill, "DIR", "temporary files");
    options.WritesTo("--json");
    options.Reads("INPUT...");
    options.Makes("--spill");
    return options.Parse(arguments);
  };
  EXPECT_TRUE(parse({file, file, "--json", directory / "c.json"}).ok());
  EXPECT_EQ(parse({file + "x", file, "--json", directory / "b.json"}).code(), Code::kOutput);
  const Status none = parse({file, directory / "none", "--json", directory / "./none"});
  EXPECT_EQ(none.code(), Code::kUsage);
  EXPECT_NE(none.message().find("INPUT... and --json both want"), std::string::npos);
  EXPECT_EQ(parse({file, "--spill", directory / "s", "--json", directory / "s"}).code(),
            Code::kUsage);
}

TEST_F(OptionSetTest, FlagsTakeNoValue) {
  EXPECT_NE(ErrorOf({"g", "--verify=yes"}).find("--verify takes no value"), std::string::npos);
  EXPECT_NE(ErrorOf({"g", "-vx"}).find("there is no option -x"), std::string::npos);
}

TEST_F(OptionSetTest, ADashAloneIsAnArgument) {
  ASSERT_TRUE(options_.Parse({"-"}).ok());
  EXPECT_EQ(graph_, "-");
}

TEST_F(OptionSetTest, RefusesASecondArgument) {
  EXPECT_NE(ErrorOf({"g", "h"}).find("one argument too many"), std::string::npos);
}

TEST_F(OptionSetTest, HelpNamesEverything) {
  const std::string help = OptionHelp(options_.specs());
  for (const char* word :
       {"GRAPH", "-v, --verify", "--memory SIZE", "auto|pull|push", "--data DIR"}) {
    EXPECT_NE(help.find(word), std::string::npos) << word;
  }
}

TEST_F(OptionSetTest, RefusesOptionsWithoutEffectBesideOthers) {
  const auto parse = [](const std::vector<std::string>& arguments) {
    std::string kind, names = "one,two", mode = "auto";
    bool one = false, other = false;
    uint64_t seed = 0;
    OptionSet options("make");
    options.Positional("KIND", &kind, true, "what", {"kron", "grid"});
    options.Text("--names", &names, "NAMES", "several");
    options.Choice("--mode", &mode, {"auto", "pull"}, "how");
    options.Flag("-o,--one", &one, "one");
    options.Flag("--other", &other, "other");
    options.Number("--seed", &seed, "N", "seed");
    options.ActsWith("--seed", "KIND", {"kron"});
    options.ActsWith("--one", "--mode", {"auto"});
    options.ActsWith("--one", "--names", {"two", "three"});
    options.ActsWith("--other", "--seed");
    options.Exclude({"--one", "--other"});
    return options.Parse(arguments);
  };
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"kron", "--seed", "1"}, ""},
      {{"grid", "--mode", "pull"}, ""},
      {{"kron", "-o", "--mode", "auto"}, ""},
      {{"kron", "-o", "--names", "three"}, ""},
      {{"kron", "--other", "--seed", "1"}, ""},
      {{"grid", "--seed", "1"},
       "make: --seed cannot act with KIND grid: leave it out, or give KIND kron"},
      {{"grid", "-o", "--mode", "pull"},
       "make: --one cannot act with --mode pull: leave it out, or give --mode auto"},
      {{"grid", "-o", "--names", "one"},
       "make: --one cannot act with --names one: leave it out, or give --names two or three"},
      {{"grid", "--other"}, "make: --other is for --seed: give that too, or leave --other out"},
      {{"kron", "-o", "--other", "--seed", "1"},
       "make: --one and --other exclude each other: give one"},
      {{"gird", "--seed", "1"}, "make: KIND: \"gird\" is none of kron, grid: did you mean grid?"}};
  for (const auto& [arguments, message] : cases) EXPECT_EQ(parse(arguments).message(), message);
}

TEST_F(OptionSetTest, RefusesInputsThatAreOneStreamAndOutputsThatAreInputs) {
  const TemporaryDirectory directory;
  const std::string file = directory.Write("a.txt", "0 1\n");
  const std::string pipe = directory / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::filesystem::create_symlink(pipe, directory / "link");
  std::filesystem::create_hard_link(file, directory / "b.txt");
  const auto parse = [](const std::vector<std::string>& arguments) {
    std::vector<std::string> inputs;
    std::string values, output;
    OptionSet options("run");
    options.Positionals("INPUT...", &inputs, 1, "the edges");
    options.Text("--values", &values, "FILE", "values");
    options.Text("--output", &output, "FILE", "the answer");
    options.Reads("INPUT...");
    options.Reads("--values");
    options.WritesTo("--output");
    return options.Parse(arguments);
  };
  EXPECT_TRUE(parse({file, file, "--values", file}).ok());
  EXPECT_TRUE(parse({"-", "--values", pipe, "--output", "-"}).ok());
  EXPECT_TRUE(parse({file, "--output", directory / "none.txt"}).ok());
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"-", "-"},
                                             {"-", "--values", "-"},
                                             {pipe, pipe},
                                             {pipe, "--values", directory / "link"}}) {
    const Status status = parse(arguments);
    EXPECT_EQ(status.code(), Code::kUsage);
    EXPECT_NE(status.message().find("can be read only once"), std::string::npos);
  }
  const Status written = parse({file, "--output", directory / "b.txt"});
  EXPECT_EQ(written.code(), Code::kOutput);
  EXPECT_EQ(written.message(), StrCat(directory / "b.txt", ": is an input: name another --output"));
}

TEST(FieldNamesTest, NameMissingAlgorithmsAndSuggestExistingOnes) {
  for (const char* name : {"infomap", "INFOMAP", "node2vec", "Max-Flow"}) {
    EXPECT_TRUE(AboutFieldName(name).starts_with("Edgemill has no algorithm for ")) << name;
  }
  EXPECT_NE(AboutFieldName("infomap").find("; leiden gives those"), std::string::npos);
  EXPECT_EQ(AboutFieldName("Dijkstra"), "did you mean sssp?");
  EXPECT_EQ(AboutFieldName("k_truss"), "did you mean the command edgemill truss?");
  EXPECT_EQ(AboutFieldName("harmonic"), "did you mean closeness --harmonic?");
  for (const char* name : {"", "-", "frobnicate", "cc bfs", "search"}) {
    EXPECT_EQ(AboutFieldName(name), "") << name;
  }
  // These names differ from all names and aliases of algorithms.
  for (const AlgorithmHelp& help : Algorithms()) {
    EXPECT_EQ(AboutFieldName(help.name), "") << help.name;
    for (const std::string_view alias : help.aliases) EXPECT_EQ(AboutFieldName(alias), "") << alias;
  }
}

TEST(NearestTest, FindsTypingErrorsOnly) {
  const std::vector<std::string> names = {"ingest", "info", "export"};
  EXPECT_EQ(Nearest("ingset", names), "ingest");
  EXPECT_EQ(Nearest("exp", names), "");
  EXPECT_EQ(Nearest("expo", names), "export");
  EXPECT_EQ(Nearest("frobnicate", names), "");
  EXPECT_EQ(Nearest("scc", {"bfs"}), "");
  EXPECT_EQ(Nearest("bsf", {"bfs", "cc"}), "bfs");
  EXPECT_EQ(Nearest("", names), "");
}

}  // namespace
}  // namespace edgemill::cli
