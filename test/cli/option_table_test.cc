// Every option of every command is in a table. An option acts with all other options, or the
// command line refuses it where it cannot act.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "cli/command.h"
#include "common/strings.h"

namespace edgemill::cli {
namespace {

using Words = std::vector<std::string>;

Words WordsOf(const std::string& text) {
  std::istringstream in(text);
  Words words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// One command whose options are declared as the program declares them.
struct Declared {
  explicit Declared(const CommandEntry& entry)
      : command(entry.make()), options(std::string(entry.name)) {
    command->Declare(options);
    session.Declare(options, command->shared());
  }
  std::unique_ptr<Command> command;
  Session session;
  OptionSet options;
};

/// The options that the command line never refuses, by command. format_options_test.cc checks them
/// against formats, options_test.sh against algorithms and graphs.
const std::map<std::string_view, std::string>& Always() {
  const std::string run =
      "--source --core --iterations --tolerance --damping --dangling --delta --method --parents "
      "--values --harmonic --sample --sample-seed --at-once "
      "--fixed --scale --gain --initial --mode --device --plugin --calibration --io "
      "--queue-depth --normalized --order --order-seed --resolution --direction --weighted "
      "--eccentricity --assortativity "
      "--hubs --alpha --beta --raw --target --seeds --measure --neighbors ";
  const std::string shared = "--memory --threads --json --progress --quiet ";
  const std::string storage =
      "--weights --weights-in --columns --renumber --verbose --spill --codec --block-edges "
      "--page-edges --uuid ";
  static const std::map<std::string_view, std::string> always = {
      {"ingest",
       storage + shared +
           "--data --format --csv-columns --header --delimiter --quote "
           "--skip-lines --comment --base --vertices-file --names-file --bad-lines --sql --where "
           "--decimal --empty-weight --column "
           "--dry-run --ids --name-seed"},
      {"generate", storage + shared + "--data"},
      {"run", run + shared +
                  "--weight --searches --data --top --bottom --histogram --output --force --report "
                  "--verify --dry-run"},
      {"test",
       shared +
           "--core --iterations --tolerance --damping --dangling --delta --method --parents "
           "--harmonic --sample --sample-seed --at-once --scale --gain --initial "
           "--normalized --order --order-seed --resolution --direction --weighted --eccentricity "
           "--assortativity --searches --hubs --alpha --beta --raw --measure --neighbors "
           "--value-seed --seeds --difference --verify-only --limit --scratch --plugin"},
      {"info", "--memory --json --progress --quiet --data"},
      {"stats", shared + "--data --sample --sources --seed --plot"},
      {"pairs", shared + "--data --measure --neighbors --output --top --verify --force"},
      {"truss", shared + "--data --k --output --verify --force"},
      {"walks", shared + "--data --length --walks-per-vertex --from --weighted --return --in-out "
                         "--neighbors --seed --output --force"},
      {"sample", shared + "--data --fanout --from --replace --neighbors --seed --output --force"},
      {"export", shared + "--data --format --undirected --vertices-file --force"},
      {"verify", shared + "--data --resume"},
      {"remove", "--data --json --progress --quiet"},
      {"calibrate", shared + "--calibration"},
      {"bench io",
       "--memory --json --progress --quiet --operations --sizes --depths --engine --trials "
       "--duration --file-size --plot"},
      {"bench decode", "--memory --json --progress --quiet --data --trials --lists --seed"},
      {"bench memory", shared + "--copy-bytes --gather-bytes --trials"},
      {"bench transfer", shared + "--pinned --trials"},
      {"bench run", run + shared +
                        "--data --trials --rules --start --weight --in-turn --by-iteration "
                        "--skip-verify --plot"},
      {"bench scales",
       shared + "--from --to --trials --bytes-per-vertex --csr-memory --plot --add"},
      {"bench scaling", "--json --progress --quiet"},
      {"bench papers",
       shared + "--data --only --list --trials --seed --skip-verify --gpu-memory --csr-memory "
                "--calibration --plots"},
      {"bench graphalytics",
       shared + "--mode --device --plugin --calibration --io --queue-depth --algorithms --trials "
                "--scratch --output-dir"},
      {"bench gpu",
       shared + "--data --algorithms --transfer --beside --trials --skip-verify --gpu-memory "
                "--csr-memory"},
      {"bench record", "--json --progress --quiet --name --how --setting --by-folder --force"},
      {"bench compare", "--json --progress --quiet --all --kind --markdown --plot"},
      {"help", "--json --progress --quiet --man --plugin"},
      {"completion", "--json --progress --quiet"},
      {"version", "--json --progress --quiet"},
  };
  return always;
}

/// An option that acts only in some command lines: one in which it acts, and some that are refused.
struct Limited {
  std::string command;
  std::string option;
  std::string acts;
  std::vector<std::string> refused;
};

/// Rows for `option` with `value`: it acts beside each of `with`, and is refused beside each of
/// `without`.
std::vector<Limited> Beside(const std::string& command, const std::string& arguments,
                            const std::string& option, const std::string& value, const Words& with,
                            const Words& without) {
  std::vector<Limited> rows;
  const std::string line = StrCat(option, " ", value, " ", arguments, " ");
  for (const std::string& one : with) {
    Limited row{command, option, line + one, {}};
    for (const std::string& other : without) row.refused.push_back(line + other);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// The rows of all commands.
struct Table {
  std::vector<Limited> rows;
  void Add(const std::vector<Limited>& more) { rows.insert(rows.end(), more.begin(), more.end()); }
};

void AddRuns(Table* table) {
  for (const auto& [command, on] : std::map<std::string, std::string>{
           {"run", "bfs g.mill"}, {"bench run", "bfs g.mill"}, {"bench graphalytics", "graphs"}}) {
    const Words gpu = {"--device auto", "--device gpu", "--device hybrid", ""};
    for (const auto& [option, value] : std::map<std::string, std::string>{
             {"--gpu-memory", "1GiB"}, {"--transfer", "auto"}, {"--streams", "2"}}) {
      table->Add(Beside(command, on, option, value, gpu, {"--device cpu"}));
    }
    table->Add({{command,
                 "--transfer",
                 StrCat("--transfer subcsr ", on, " --device cpu"),
                 {StrCat("--transfer filter ", on, " --device cpu")}}});
    table->Add(Beside(command, on, "--cost-model", "hytgraph", gpu,
                      {"--device cpu", "--transfer filter", "--transfer resident"}));
    table->Add(Beside(command, on, "--cpu-share", ".5", {"--device hybrid"},
                      {"", "--device auto", "--device cpu", "--device gpu"}));
    table->Add(Beside(command, on, "--async", "", {"", "--mode push", "--mode auto"},
                      {"--sync", "--mode pull", "--mode notify-pull"}));
    table->Add(Beside(command, on, "--sync", "", {""}, {"--async"}));
    table->Add(Beside(command, on, "--async-passes", "3", {"--async"}, {"", "--sync"}));
    table->Add(Beside(command, on, "--priority", "hub", {"--async", "--async --device gpu"},
                      {"", "--sync", "--async --device cpu", "--async --device hybrid"}));
    table->Add(Beside(command, on, "--no-combining", "", gpu, {"--device cpu"}));
    table->Add(Beside(command, on, "--gpus", "2", {"--device auto", "--device gpu", ""},
                      {"--device cpu", "--device hybrid"}));
    table->Add(Beside(command, on, "--kernel", "lists", {"--device auto", "--device gpu", ""},
                      {"--device cpu", "--device hybrid"}));
    table->Add(Beside(command, on, "--mode-threshold", ".5", {"", "--mode auto"},
                      {"--mode pull", "--mode push"}));
  }
  for (const std::string command : {"run", "bench run"}) {
    table->Add(Beside(command, "hs g.mill", "--value-seed", "3", {""}, {"--values file"}));
  }
  const std::map<std::string, std::string> checkpoints = {
      {"--checkpoint-every", "60s"}, {"--checkpoint-dir", "d"}, {"--resume", ""}};
  for (const auto& [option, value] : checkpoints) {
    table->Add(Beside("run", "bfs g.mill", option, value, {""}, {"--trials 2", "--warm"}));
  }
  for (const std::string option : {"--trials 2", "--warm"}) {
    const Words words = WordsOf(option);
    table->Add(Beside("run", "bfs g.mill", words[0], words.size() > 1 ? words[1] : "", {""},
                      {"--checkpoint-every 5", "--checkpoint-dir d", "--resume"}));
  }
  table->Add(Beside("run", "bfs g.mill", "--unreachable", "inf", {"--output a.txt"}, {""}));
  table->Add(Beside("bench run", "bfs g.mill", "--seed", "1", {""}, {"-r 1"}));
  table->Add(Beside("bench graphalytics", "graphs", "--force", "", {"--output-dir d"}, {""}));
  table->Add(
      Beside("bench run", "bfs", "--scratch", "d", {"--rules graph500"}, {"", "--rules gap"}));
}

void AddIngest(Table* table) {
  const std::string files = "a.el a.mill";
  for (const Words& group :
       std::vector<Words>{{"--directed", "--undirected", "--symmetric", "--symmetrize"},
                          {"--keep-loops", "--drop-loops"},
                          {"--resume", "--replace"},
                          {"--keep-duplicates", "--merge"}}) {
    for (const std::string& one : group) {
      Words others;
      for (const std::string& other : group) {
        if (other != one) others.push_back(other == "--merge" ? "--merge min" : other);
      }
      table->Add(Beside("ingest", files, one, one == "--merge" ? "first" : "", {""}, others));
    }
  }
  table->Add(Beside("ingest", files, "--vertices", "9", {"", "--ids dense"},
                    {"--ids sparse", "--ids strings"}));
  table->Add(Beside("ingest", files, "--max-vertex-id", "9", {"", "--ids dense", "--ids sparse"},
                    {"--ids strings"}));
  table->Add(Beside("ingest", files, "--bad-lines-file", "bad", {"--bad-lines 3"}, {""}));
  for (const auto& [command, arguments] :
       {std::pair<std::string, std::string>{"ingest", files}, {"generate", "uniform a.mill"}}) {
    table->Add(Beside(command, arguments, "--renumber-seed", "3", {"--renumber random"},
                      {"", "--renumber degree"}));
  }
}

void AddGenerate(Table* table) {
  table->Add(Beside("generate", "uniform a.mill", "--resume", "", {""}, {"--replace"}));
  table->Add(Beside("generate", "uniform a.mill", "--replace", "", {""}, {"--resume"}));
  const auto kinds = [&](const std::string& option, const std::string& value, const Words& with,
                         Words without) {
    for (const std::string kind :
         {"kron", "rmat", "uniform", "web", "grid", "road", "path", "star"}) {
      if (std::find(with.begin(), with.end(), kind) == with.end()) without.push_back(kind);
    }
    Words with_files, without_files;
    for (const std::string& kind : with) with_files.push_back(kind + " a.mill");
    for (const std::string& kind : without) without_files.push_back(kind + " a.mill");
    table->Add(Beside("generate", "", option, value, with_files, without_files));
  };
  kinds("--seed", "3", {"kron", "rmat", "uniform", "web", "road"}, {});
  kinds("--edges", "3", {"kron", "rmat", "uniform"}, {"--edge-factor 2 kron"});
  kinds("--edge-factor", "3", {"kron", "rmat", "uniform", "web"}, {"--edges 2 kron"});
  kinds("--vertices", "3", {"uniform", "web", "grid", "road", "path", "star"}, {"--scale 2 path"});
  kinds("--scale", "3", {"kron", "rmat", "uniform", "web", "grid", "road", "path", "star"},
        {"--vertices 2 path"});
  for (const std::string chance : {"--a", "--b", "--c"}) kinds(chance, ".1", {"rmat"}, {});
}

void AddMeasuring(Table* table) {
  table->Add(Beside("calibrate", "", "--show", "", {""}, {"--scratch d", "--device cpu"}));
  table->Add(Beside("calibrate", "", "--scratch", "d", {""}, {"--show"}));
  table->Add(Beside("calibrate", "", "--device", "cpu", {""}, {"--show"}));
  table->Add(Beside("bench compare", "a.json b.json", "--worse", "1.1", {"--paired"}, {""}));
  table->Add(Beside("bench compare", "a.json b.json", "--least-change", "2", {""}, {"--paired"}));
  table->Add(Beside("bench compare", "a.json b.json", "--paired", "", {""}, {"--least-change 2"}));
  const std::string trials = "g.mill --algorithms";
  table->Add(
      Beside("bench gpu", trials, "--iterations", "3", {"pagerank", "bfs,pagerank"}, {"bfs,cc"}));
  table->Add(Beside("bench gpu", trials, "--tolerance", ".01", {"delta"}, {"pagerank"}));
  table->Add(Beside("bench gpu", trials, "--seed", "3", {"bfs", "cc,sssp"}, {"cc,pagerank,delta"}));
  table->Add(Beside("bench gpu", "g.mill", "--edge-bytes", "8",
                    {"", "--beside emogi-strided", "--beside subway,emogi-merged"},
                    {"--beside none", "--beside subway,pages"}));
  table->Add(Beside("bench gpu", "g.mill", "--sparse-bounds", "4/32/256/64/256",
                    {"--beside multigraph-sparse"}, {"", "--beside garaph-shards"}));
  table->Add(Beside("bench gpu", "g.mill", "--shards", "8,custom", {"--beside garaph-shards"},
                    {"", "--beside multigraph-sparse"}));
  table->Add(Beside("bench gpu", "g.mill", "--pages", "33", {"--beside garaph-shards"},
                    {"", "--beside multigraph-sparse", "--beside garaph-shards --algorithms bfs"}));
  for (const auto& [option, value] : std::map<std::string, std::string>{
           {"--streams", "3"}, {"--calibration", "file"}, {"--phases", ""}}) {
    table->Add(
        Beside("bench gpu", "g.mill", option, value, {"", "--transfer auto"}, {"--transfer none"}));
  }
}

std::vector<Limited> LimitedOptions() {
  Table table;
  AddRuns(&table);
  AddIngest(&table);
  AddGenerate(&table);
  AddMeasuring(&table);
  return table.rows;
}

TEST(OptionTableTest, HasEveryOptionOfEveryCommand) {
  const std::vector<Limited> limited = LimitedOptions();
  for (const CommandEntry& entry : Commands()) {
    std::set<std::string> known;
    for (const std::string& name : WordsOf(Always().at(entry.name))) known.insert(name);
    for (const Limited& row : limited) {
      if (row.command != entry.name) continue;
      known.insert(row.option);
      EXPECT_FALSE(row.refused.empty()) << row.option << " of " << entry.name;
    }
    const Words names = Declared(entry).options.Names();
    for (const std::string& name : names) {
      EXPECT_EQ(known.erase(name), 1u) << entry.name << " " << name << " is not in the table";
    }
    for (const std::string& name : known) ADD_FAILURE() << entry.name << " has no option " << name;
  }
}

TEST(OptionTableTest, OptionsWithoutEffectAreRefusedBeforeWork) {
  for (const Limited& row : LimitedOptions()) {
    const CommandEntry* const entry = FindCommand(row.command);
    ASSERT_NE(entry, nullptr) << row.command;
    const Status taken = Declared(*entry).options.Parse(WordsOf(row.acts));
    EXPECT_TRUE(taken.ok()) << row.command << " " << row.acts << ": " << taken.message();
    for (const std::string& line : row.refused) {
      const Status status = Declared(*entry).options.Parse(WordsOf(line));
      EXPECT_EQ(status.code(), Code::kUsage) << row.command << " " << line;
      const bool says = status.message().find(row.option) != std::string_view::npos &&
                        status.message().find(row.command) == 0;
      EXPECT_TRUE(says) << row.command << " " << line << ": " << status.message();
    }
  }
}

}  // namespace
}  // namespace edgemill::cli
