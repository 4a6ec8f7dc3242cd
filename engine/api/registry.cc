#include <algorithm>

#include "common/check.h"
#include "engine/api/algorithm.h"

namespace edgemill {

/// Of the source that the build writes: refers to what every algorithm's file was compiled to, so
/// that the linker keeps it. Returns how much that is.
size_t CountLinkedFiles();

namespace {

struct RegisteredAlgorithm {
  const Algorithm* algorithm;
  std::string_view file;
};

std::vector<RegisteredAlgorithm>& Registered() {
  static std::vector<RegisteredAlgorithm> algorithms;
  return algorithms;
}

/// What is typed for an option: vertices one by one.
OptionKind AsTyped(OptionKind kind) {
  return kind == OptionKind::kVertices ? OptionKind::kVertex : kind;
}

std::vector<const Algorithm*> SortedAlgorithms() {
  CHECK_GE(CountLinkedFiles(), 1u);
  std::vector<const Algorithm*> algorithms;
  for (const auto& [algorithm, file] : Registered()) algorithms.push_back(algorithm);
  std::sort(algorithms.begin(), algorithms.end(),
            [](const Algorithm* a, const Algorithm* b) { return a->name < b->name; });
  for (const Algorithm* algorithm : algorithms) {
    const bool is_whole = algorithm->driver.run != nullptr && algorithm->verifier.run != nullptr;
    if (is_whole && !algorithm->results.empty()) continue;
    internal::AuthorMistake(
        StrCat(algorithm->name, ": declare .driver, .verifier and at least one of .results"));
  }
  // The command line has one place for an option, whoever takes it.
  for (const Algorithm* one : algorithms) {
    for (const Algorithm* other : algorithms) {
      for (const OptionDeclaration& option : one->options) {
        for (const OptionDeclaration& same : other->options) {
          if (option.long_name() != same.long_name()) continue;
          CHECK(AsTyped(option.kind) == AsTyped(same.kind) && option.names == same.names);
        }
      }
    }
  }
  return algorithms;
}

}  // namespace

Registration::Registration(const Algorithm& algorithm, std::string_view file) {
  Registered().push_back({&algorithm, file});
}

std::string_view FileOf(const Algorithm& algorithm) {
  for (const auto& [registered, file] : Registered()) {
    if (registered == &algorithm) return file;
  }
  return "";
}

bool Algorithm::Has(std::string_view long_name) const {
  return std::any_of(options.begin(), options.end(), [&](const OptionDeclaration& option) {
    return option.long_name() == long_name;
  });
}

const std::vector<const Algorithm*>& AllAlgorithms() {
  static const std::vector<const Algorithm*> algorithms = SortedAlgorithms();
  return algorithms;
}

const Algorithm* FindAlgorithm(std::string_view name) {
  for (const Algorithm* algorithm : AllAlgorithms()) {
    const auto& aliases = algorithm->aliases;
    const bool is_alias = std::find(aliases.begin(), aliases.end(), name) != aliases.end();
    if (algorithm->name == name || is_alias) return algorithm;
  }
  return nullptr;
}

PassChoices PassChoicesOf(const Algorithm& algorithm, const OptionValues& values) {
  const GraphInfo info;
  const RunOptions options{.algorithm = std::string(algorithm.name), .values = values};
  const std::unique_ptr<State> state = algorithm.driver.make_state({info, options});
  PassChoices choices;
  for (const PassTraits& traits : state->programs()) {
    choices.mode |= !traits.visits;
    choices.async |= !traits.visits && traits.may_run_asynchronously;
  }
  return choices;
}

}  // namespace edgemill
