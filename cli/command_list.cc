// The commands, how they are found by name, and the help that lists them.
#include <algorithm>
#include <optional>
#include <utility>

#include "cli/command.h"
#include "cli/options/field_names.h"
#include "cli/options/nearest_word.h"
#include "cli/options/option_help.h"
#include "common/strings.h"
#include "engine/run/algorithm_help.h"
#include "engine/run/run.h"

namespace edgemill::cli {
namespace {

// The purposes of commands, in the order of help.
constexpr std::string_view kMake = "Make a graph";
constexpr std::string_view kAsk = "Ask it";
constexpr std::string_view kKeep = "Keep it";
constexpr std::string_view kMeasure = "Measure";
constexpr std::string_view kUnlisted = "";  // not in the lists of help

std::string HelpLine(std::string_view name, std::string_view summary) {
  std::string line = StrCat("  ", name);
  line.resize(17, ' ');
  return StrCat(line, summary, "\n");
}

/// The commands of two words that start with `group`, one in each line.
std::string GroupHelp(std::string_view group) {
  std::string text;
  for (const CommandEntry& entry : Commands()) {
    if (entry.name.starts_with(StrCat(group, " "))) text += HelpLine(entry.name, entry.summary);
  }
  return text;
}

/// All commands by purpose, on one screen. Those of two words share one line, at the place of the
/// first.
std::string ProgramHelp() {
  std::string text = "Graph algorithms on graphs larger than memory: edgemill COMMAND ...";
  std::string_view purpose;
  bool told_of_bench = false;
  for (const CommandEntry& entry : Commands()) {
    if (entry.purpose == kUnlisted) continue;
    if (entry.purpose != purpose) text += StrCat("\n", entry.purpose, "\n");
    purpose = entry.purpose;
    if (entry.name.starts_with("bench ")) {
      if (std::exchange(told_of_bench, true)) continue;
      text += HelpLine("bench WHAT", "disks, memory, links, algorithms: edgemill help bench");
      continue;
    }
    if (entry.name == "truss" || entry.name == "sample") continue;  // beside pairs, and walks
    if (entry.name == "pairs") {
      text += HelpLine("pairs, truss", "similarities of given pairs; truss numbers of edges");
    } else if (entry.name == "walks") {
      text += HelpLine("walks, sample", "random walks; some neighbours, and theirs");
    } else {
      text += HelpLine(entry.name, entry.summary);
    }
    if (entry.name != "run") continue;
    std::string line;
    for (const HelpGroup& group : AlgorithmGroups()) {
      std::string names = StrCat(group.name, ":");
      for (const AlgorithmHelp& help : group.algorithms) names += StrCat(" ", help.name);
      constexpr size_t kMostBytes = 92;  // of names: all of help is 24 lines, a screen
      if (!line.empty() && line.size() + names.size() > kMostBytes) {
        text += HelpLine("", std::exchange(line, ""));
      }
      line += StrCat(line.empty() ? "" : "; ", names);
    }
    text += HelpLine("", line);
  }
  return text + "edgemill help COMMAND explains a command, edgemill help run bfs an algorithm.\n";
}

}  // namespace

const std::vector<CommandEntry>& Commands() {
  static const std::vector<CommandEntry> commands = {
      {"ingest", "read edges from files and write a graph", kMake, MakeIngestCommand},
      {"generate", "make a synthetic graph, straight to disk", kMake, MakeGenerateCommand},
      {"run", "run an algorithm: edgemill run bfs GRAPH -r 42", kAsk, MakeRunCommand},
      {"info", "vertices, edges, sizes, data directories", kAsk, MakeInfoCommand},
      {"stats", "degrees, components, clustering, diameter", kAsk, MakeStatsCommand},
      {"pairs", "similarities of given pairs of vertices", kAsk, MakePairsCommand},
      {"truss", "truss numbers of edges, and the k-truss", kAsk, MakeTrussCommand},
      {"walks", "random walks, uniform, weighted or of node2vec", kAsk, MakeWalksCommand},
      {"sample", "some neighbours of given vertices, and theirs", kAsk, MakeSampleCommand},
      {"export", "write a graph's edges to a file", kKeep, MakeExportCommand},
      {"verify", "read and check every block and the catalog", kKeep, MakeVerifyCommand},
      {"remove", "delete a graph, and nothing else", kKeep, MakeRemoveCommand},
      {"calibrate", "measure this machine once, for faster runs", kMeasure, MakeCalibrateCommand},
      {"bench io", "disks, as runs use them", kMeasure, MakeBenchIoCommand},
      {"bench decode", "decoding, apart from disks", kMeasure, MakeBenchDecodeCommand},
      {"bench memory", "memory and cores, by the number of threads", kMeasure,
       MakeBenchMemoryCommand},
      {"bench transfer", "the link between host and GPU", kMeasure, MakeBenchTransferCommand},
      {"bench run", "algorithms, verified, by GAP's rules if asked", kMeasure, MakeBenchRunCommand},
      {"bench scales", "how time, bytes and memory grow with a graph", kMeasure,
       MakeBenchScalesCommand},
      {"bench scaling", "times by the number of threads, beside bounds", kMeasure,
       MakeBenchScalingCommand},
      {"bench papers", "the figures of the five papers, by their names", kMeasure,
       MakeBenchPapersCommand},
      {"bench graphalytics", "LDBC Graphalytics on its graphs, with its references", kMeasure,
       MakeBenchGraphalyticsCommand},
      {"bench gpu", "GPU engines and rival methods, in turns", kMeasure, MakeBenchGpuCommand},
      {"bench record", "make a result of commands' reports", kMeasure, MakeBenchRecordCommand},
      {"bench compare", "compare two results", kMeasure, MakeBenchCompareCommand},
      {"help", "explain a command, or an algorithm of run", kUnlisted, MakeHelpCommand},
      {"completion", "print a script that completes command lines in a shell", kUnlisted,
       MakeCompletionCommand},
      {"test", "run an algorithm in every way on hard graphs", kUnlisted, MakeTestCommand},
      {"version", "print the version and what it was built with", kUnlisted, MakeVersionCommand},
  };
  return commands;
}

const CommandEntry* FindCommand(std::string_view name) {
  for (const CommandEntry& entry : Commands()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

std::vector<OptionSpec> OptionsOf(const CommandEntry& entry) {
  const std::unique_ptr<Command> command = entry.make();
  OptionSet options{std::string(entry.name)};
  Session session;
  command->Declare(options);
  session.Declare(options, command->shared());
  return options.specs();
}

bool IsCommandGroup(std::string_view name) {
  return std::any_of(Commands().begin(), Commands().end(), [&](const CommandEntry& entry) {
    return entry.name.starts_with(StrCat(name, " "));
  });
}

Status UnknownCommand(std::string_view name) {
  if (name.starts_with('-')) {
    return UsageError(StrCat("the command comes before options such as ", name,
                             ": edgemill help lists the commands"));
  }
  if (const std::optional<AlgorithmHelp> algorithm = AlgorithmCalled(name)) {
    return UsageError(StrCat(name, " is an algorithm: edgemill run ", name, " GRAPH",
                             algorithm->needs_source() ? " -r ID" : ""));
  }
  std::vector<std::string> names;
  for (const CommandEntry& entry : Commands()) {
    if (entry.name != "remove") names.emplace_back(entry.name);  // no hint may delete data
  }
  std::string advice = DidYouMean(name, names, AboutFieldName(name));
  if (advice.empty()) advice = "edgemill help lists them";
  return UsageError(StrCat("there is no command ", name, ": ", advice));
}

StatusOr<std::string> HelpText(std::string_view name) {
  if (name.empty()) return ProgramHelp();
  if (IsCommandGroup(name)) return StrCat("edgemill ", name, " measures:\n\n", GroupHelp(name));
  const CommandEntry* entry = FindCommand(name);
  if (entry == nullptr) return UnknownCommand(name);
  const std::vector<OptionSpec> options = OptionsOf(*entry);
  std::string text = StrCat("edgemill ", name, ": ", entry->summary, "\n\nusage: edgemill ", name,
                            " ", PositionalUsage(options), " [OPTIONS]\n\n");
  text += OptionHelp(options);
  const std::unique_ptr<Command> command = entry->make();
  if (!command->description().empty()) text += StrCat("\n", command->description());
  return text;
}

}  // namespace edgemill::cli
