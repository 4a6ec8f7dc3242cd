// What `edgemill help run ALGORITHM` prints.
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

/// "Its result: level, a whole number a vertex; with --parents parent, a vertex a vertex."
std::string ResultsText(const AlgorithmHelp& help) {
  std::string text;
  for (const ResultColumn& column : help.results) {
    const std::string_view type = column.real_like_weights           ? "numbers like the weights"
                                  : column.type == ResultType::kReal ? "real numbers"
                                  : column.type == ResultType::kId   ? "vertices"
                                                                     : "whole numbers";
    text += StrCat(text.empty() ? "Its result: " : "; ",
                   column.option.empty() ? "" : StrCat("with ", column.option, " "), column.name,
                   " (", type, ")");
  }
  return text + ".\n";
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
  std::string text = StrCat("edgemill run ", help->name, " GRAPH: ", help->summary, "\n\n",
                            help->text, help->memory, "Paper: ", help->paper, ".\n");
  for (const std::string_view alias : help->aliases) {
    text += StrCat("Also called ", alias, ".\n");
  }
  OptionSet options{"run"};
  AlgorithmOptions().Declare(options, {*help});
  std::vector<std::string_view> names;
  for (const OptionDeclaration& option : help->options) names.push_back(option.long_name());
  if (help->takes_mode) names.push_back("--mode");
  if (help->takes_async) names.insert(names.end(), {"--async", "--async-passes"});
  text +=
      StrCat("\nIts options:\n", OptionHelpOn(options.specs(), names), "\n", ResultsText(*help));
  text += StrCat("\nExample:\n  edgemill run ", help->name, " web.mill",
                 help->needs_source() ? " -r 42" : "", " --memory 512MiB --output ", help->name,
                 ".txt\n\n",
                 "edgemill help run lists the options of all algorithms: answers, reports, the "
                 "machine.\n");
  return text;
}

}  // namespace edgemill::cli
