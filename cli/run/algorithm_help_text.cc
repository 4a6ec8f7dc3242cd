// The texts of `edgemill help run ALGORITHM`, about one algorithm, and of `edgemill help
// algorithms`, about all, which is docs/ALGORITHMS.md.
#include <cctype>

#include "cli/command.h"
#include "cli/options/field_names.h"
#include "cli/options/nearest_word.h"
#include "cli/options/option_help.h"
#include "cli/run/algorithm_options.h"
#include "common/strings.h"
#include "engine/run/algorithm_help.h"
#include "engine/run/run.h"

namespace edgemill::cli {
namespace {

constexpr std::string_view kNotation =
    "In formulas, (u, v) is an edge from u to v, w(u, v) its weight, and s the source.\n";

constexpr std::string_view kPageStart =
    R"(# Algorithms

What does each algorithm compute, on which edges, and at what cost?
`edgemill help algorithms` prints this page from the declarations in `engine/algorithms`.
`scripts/algorithm_lists.sh` writes it anew. `edgemill help run NAME` explains one algorithm.
[USAGE.md](USAGE.md#run) has examples. [WRITING_ALGORITHMS.md](WRITING_ALGORITHMS.md) says how to
add one.

)";

constexpr std::string_view kPageWords = R"(
The words of the tables:

* *Direction*: which way messages go. On symmetric graphs edges go both ways, whatever the
  direction.
* *Duplicates* are edges with the same two ends. *Loops* are edges from a vertex to itself.
* *Memory* is in bytes a vertex, beside 4 for the index of each direction that a run reads.
  [OPERATIONS.md](OPERATIONS.md#memory) has what comes of both, for each kind of graph.
* *Passes* are rounds of messages. A pass reads the blocks of active vertices, not the whole graph.
* )";

/// "level (whole numbers, inf for none); with --parents parent (vertices, inf for none)".
std::string ResultsText(const AlgorithmHelp& help) {
  std::string text;
  for (const ResultColumn& column : help.results) {
    const std::string_view type = column.real_like_weights           ? "numbers like the weights"
                                  : column.type == ResultType::kReal ? "real numbers"
                                  : column.type == ResultType::kId   ? "vertices"
                                                                     : "whole numbers";
    text += StrCat(text.empty() ? "" : "; ", column.option.empty() ? "" : "with ", column.option,
                   column.option.empty() ? "" : " ", column.name, " (", type,
                   column.may_miss ? ", inf for none" : "", ")");
  }
  return text;
}

/// `text` with Markdown's marks of code around options.
std::string WithCode(std::string_view text) {
  std::string marked;
  for (size_t at = 0; at < text.size();) {
    const bool begins = at == 0 || std::string_view(" (\n").find(text[at - 1]) < 3;
    size_t end = at;
    while (begins && text[at] == '-' && end < text.size() &&
           (text[end] == '-' || std::isalnum(static_cast<unsigned char>(text[end])) != 0)) {
      ++end;
    }
    const std::string_view word = text.substr(at, end - at);
    const size_t letter = word.find_first_not_of('-');
    const bool is_option =
        letter != word.npos && std::isalpha(static_cast<unsigned char>(word[letter])) != 0;
    marked += is_option ? StrCat("`", word, "`") : std::string(1, text[at]);
    at += is_option ? word.size() : 1;
  }
  return marked;
}

/// A row of a table. Bars separate cells, so bars inside of cells are escaped.
std::string Row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) {
    row += cell.empty() ? "" : " ";
    for (const char c : cell) row += c == '|' ? std::string("\\|") : std::string(1, c);
    row += " |";
  }
  return row + "\n";
}

/// "`wcc`, `components`"; empty where there is no other name.
std::string AliasesText(const AlgorithmHelp& help) {
  std::string text;
  for (const std::string_view alias : help.aliases) {
    text += StrCat(text.empty() ? "" : ", ", "`", alias, "`");
  }
  return text;
}

/// The specifications of the options that the algorithm declares.
std::vector<OptionSpec> OwnOptions(const AlgorithmHelp& help) {
  OptionSet options{"run"};
  AlgorithmOptions().Declare(options, {help});
  std::vector<OptionSpec> own;
  for (const OptionSpec& spec : options.specs()) {
    if (help.Has(spec.LongName())) own.push_back(spec);
  }
  return own;
}

std::string PageSection(const AlgorithmHelp& help) {
  std::string summary(help.summary);
  summary[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(summary[0])));
  std::string text = StrCat("\n## ", help.name, "\n", WithCode(summary), ".");
  if (!help.aliases.empty()) text += StrCat(" Also called ", AliasesText(help), ".");
  text += "\n\n| | |\n| --- | --- |\n";
  for (const auto& [name, fact] : help.facts) text += Row({std::string(name), WithCode(fact)});
  text += Row({"result", WithCode(ResultsText(help))});
  std::string memory;
  for (const std::string& line : help.memory) memory += StrCat(memory.empty() ? "" : "; ", line);
  text += Row({"memory", WithCode(memory)});
  text += Row({"paper", std::string(help.paper)});
  for (const OptionSpec& spec : OwnOptions(help)) {
    text += Row({StrCat("`", OptionUsage(spec), "`"), WithCode(spec.help)});
  }
  return StrCat(text, "\n", WithCode(help.text));
}

}  // namespace

StatusOr<std::string> AlgorithmHelpText(std::string_view name) {
  const std::optional<AlgorithmHelp> help = AlgorithmCalled(name);
  if (!help.has_value()) {
    std::vector<std::string> names;
    for (const AlgorithmHelp& known : Algorithms()) {
      names.emplace_back(known.name);
      names.insert(names.end(), known.aliases.begin(), known.aliases.end());
    }
    std::string advice = AboutFieldName(name);
    if (advice.empty()) advice = DidYouMean(name, names, "edgemill help run lists them");
    return UsageError(StrCat("there is no algorithm ", name, ": ", advice));
  }
  std::string text = StrCat("edgemill run ", help->name, " GRAPH: ", help->summary, "\n\n");
  for (const auto& [about, fact] : help->facts) AppendEntry(&text, std::string(about), fact, 21);
  text += StrCat("\n", help->text, kNotation,
                 "On symmetric graphs edges go both ways, whatever the direction.\n"
                 "Memory, in bytes a vertex, beside 4 for the index of each direction:\n");
  for (const std::string& line : help->memory) text += StrCat("  ", line, "\n");
  text += StrCat("Paper: ", help->paper, ".\n");
  for (const std::string_view alias : help->aliases) {
    text += StrCat("Also called ", alias, ".\n");
  }
  OptionSet options{"run"};
  AlgorithmOptions().Declare(options, {*help});
  std::vector<std::string_view> names;
  for (const OptionDeclaration& option : help->options) names.push_back(option.long_name());
  if (help->takes_mode) names.push_back("--mode");
  if (help->takes_async) names.insert(names.end(), {"--async", "--async-passes"});
  text += StrCat("\nIts options:\n", OptionHelpOn(options.specs(), names),
                 "\nIts result: ", ResultsText(*help), ".\n");
  text += StrCat("\nExample:\n  edgemill run ", help->name, " web.mill",
                 help->needs_source() ? " -r 42" : "", " --memory 512MiB --output ", help->name,
                 ".txt\n\n",
                 "edgemill help run lists the options of all algorithms: answers, reports, the "
                 "machine.\n");
  return text;
}

std::string AlgorithmsPage() {
  std::string page(kPageStart);
  page += Row({"group", "algorithm", "also called", "gives"});
  page += "| --- | --- | --- | --- |\n";
  for (const HelpGroup& group : AlgorithmGroups()) {
    for (const AlgorithmHelp& help : group.algorithms) {
      page += Row({std::string(group.name), StrCat("[`", help.name, "`](#", help.name, ")"),
                   AliasesText(help), WithCode(help.summary)});
    }
  }
  page += StrCat(kPageWords, kNotation, "\n`--verify` checks each answer by the formula.\n");
  for (const AlgorithmHelp& help : Algorithms()) page += PageSection(help);
  return page;
}

}  // namespace edgemill::cli
