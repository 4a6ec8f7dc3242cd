#include "engine/run/algorithm_help.h"

#include <algorithm>
#include <cmath>

#include "common/check.h"
#include "common/units.h"
#include "engine/cpu/pass/workspace.h"

namespace edgemill {
namespace {

/// "level 4, sets and sums 0.9": bytes a vertex of a run with these values, on a directed graph.
/// Arrays in `known` are left out.
std::string BytesText(const Algorithm& algorithm, const OptionValues& values,
                      std::vector<std::string>* known) {
  GraphInfo info;
  info.num_vertices = uint64_t{1} << 24;
  info.num_edges = info.num_vertices << 4;
  const std::unique_ptr<State> state = algorithm.driver.make_state({info, values});
  std::string text;
  const auto add = [&](std::string name, uint64_t bytes) {
    const double a_vertex = static_cast<double>(bytes) / static_cast<double>(info.num_vertices);
    std::string entry = StrCat(name, " ", FormatSignificant(std::round(a_vertex * 10) / 10));
    if (a_vertex < 0.05 || std::find(known->begin(), known->end(), entry) != known->end()) return;
    text += StrCat(text.empty() ? "" : ", ", entry);
    known->push_back(std::move(entry));
  };
  for (const StateArray* const array : state->arrays()) add(array->name(), array->bytes());
  const WorkspaceNeeds needs =
      WorkspaceNeedsOf(state->programs(), {}, {.directed = true, .out = true, .in = true});
  add("sets and sums",
      Workspace::SizeBytes(needs, info.num_vertices, info.num_blocks(), state->max_sets()));
  return text;
}

/// Lines for a run without options, then for methods and flags that take other memory.
std::vector<std::string> MemoryLines(const Algorithm& algorithm, const AlgorithmHelp& help) {
  std::vector<std::string> known;
  std::vector<std::string> lines = {BytesText(algorithm, {}, &known)};
  const std::vector<std::string> methods = help.Methods();
  for (size_t i = 1; i < methods.size(); ++i) {
    std::vector<std::string> all;
    const std::string bytes = BytesText(algorithm, {{"--method", methods[i]}}, &all);
    if (bytes != lines.front()) lines.push_back(StrCat("with --method ", methods[i], ": ", bytes));
  }
  for (const OptionDeclaration& option : help.options) {
    if (option.kind != OptionKind::kFlag) continue;
    const std::string more = BytesText(algorithm, {{option.long_name(), true}}, &known);
    if (!more.empty()) lines.push_back(StrCat("with ", option.long_name(), " also: ", more));
  }
  const bool writes_vertices =
      std::any_of(help.results.begin(), help.results.end(),
                  [](const ResultColumn& column) { return column.type == ResultType::kId; });
  if (writes_vertices) {
    lines.emplace_back("to write vertices: 8, once index, sets and sums are gone");
  }
  return lines;
}

std::vector<DeclaredFact> DeclaredFacts(const AlgorithmFacts& facts) {
  std::vector<DeclaredFact> declared = {{"formula", facts.formula},
                                        {"direction", facts.direction},
                                        {"duplicates, loops", facts.duplicates},
                                        {"weights", facts.weights},
                                        {"ends", facts.ends},
                                        {"passes", facts.passes}};
  std::erase_if(declared, [](const DeclaredFact& fact) { return fact.second.empty(); });
  return declared;
}

AlgorithmHelp HelpOf(const Algorithm& algorithm) {
  AlgorithmHelp help{.name = algorithm.name,
                     .group = algorithm.group,
                     .aliases = algorithm.aliases,
                     .summary = algorithm.summary,
                     .text = algorithm.text,
                     .paper = algorithm.paper,
                     .options = algorithm.options,
                     .results = algorithm.results};
  help.facts = DeclaredFacts(algorithm.facts);
  help.memory = MemoryLines(algorithm, help);
  const auto add = [&](const OptionValues& values) {
    const PassChoices choices = PassChoicesOf(algorithm, values);
    help.takes_mode |= choices.mode;
    help.takes_async |= choices.async;
  };
  add({});
  for (const std::string& method : help.Methods()) add({{"--method", method}});
  return help;
}

}  // namespace

const OptionDeclaration* AlgorithmHelp::Find(std::string_view long_name) const {
  for (const OptionDeclaration& option : options) {
    if (option.long_name() == long_name) return &option;
  }
  return nullptr;
}

const ResultColumn& AlgorithmHelp::Column(const OptionValues& values) const {
  const Algorithm* const algorithm = FindAlgorithm(name);
  CHECK(algorithm != nullptr);  // help is only made for algorithms in the registry
  return ColumnOf(*algorithm, values);
}

bool AlgorithmHelp::Has(std::string_view long_name) const { return Find(long_name) != nullptr; }

std::vector<std::string> AlgorithmHelp::Methods() const {
  const OptionDeclaration* const method = Find("--method");
  return method == nullptr ? std::vector<std::string>() : method->Choices();
}

std::optional<AlgorithmHelp> AlgorithmCalled(std::string_view name) {
  const Algorithm* const algorithm = FindAlgorithm(name);
  if (algorithm == nullptr) return std::nullopt;
  return HelpOf(*algorithm);
}

std::vector<AlgorithmHelp> Algorithms() {
  std::vector<AlgorithmHelp> helps;
  for (const Algorithm* algorithm : AllAlgorithms()) helps.push_back(HelpOf(*algorithm));
  return helps;
}

std::vector<HelpGroup> AlgorithmGroups() {
  constexpr std::string_view kNames[] = {"paths", "structure", "centrality", "simulations"};
  std::vector<HelpGroup> groups;
  for (size_t i = 0; i < std::size(kNames); ++i) {
    HelpGroup group{.name = kNames[i]};
    for (const AlgorithmHelp& help : Algorithms()) {
      CHECK_LT(static_cast<size_t>(help.group), std::size(kNames));  // else it is in none
      if (help.group == static_cast<AlgorithmGroup>(i)) group.algorithms.push_back(help);
    }
    if (!group.algorithms.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace edgemill
