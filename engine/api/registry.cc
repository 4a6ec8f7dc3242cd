#include <algorithm>

#include "common/check.h"
#include "engine/api/algorithm.h"

namespace edgemill {

/// Refers to the object file of every algorithm, so that the linker keeps all of them. Returns
/// their number. The build generates the source of this function.
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

/// The kind of one value on the command line. An option for several vertices takes one at a time.
OptionKind KindOfOneValue(OptionKind kind) {
  return kind == OptionKind::kVertices ? OptionKind::kVertex : kind;
}

/// Ends the process if one option has two meanings, in one algorithm or in two. The command line
/// declares each option once for all algorithms.
void CheckOptions(const Algorithm& one, const Algorithm& other) {
  for (const OptionDeclaration& option : one.options) {
    const auto declares = [&](const OptionDeclaration& same) {
      return same.long_name() == option.long_name();
    };
    const auto same = std::find_if(other.options.begin(), other.options.end(), declares);
    if (same == other.options.end()) continue;
    if (&one == &other && std::count_if(other.options.begin(), other.options.end(), declares) > 1) {
      internal::AuthorMistake(
          StrCat(one.name, " declares the option ", option.long_name(), " twice: leave one out"));
    }
    if (option.names != same->names) {
      internal::AuthorMistake(StrCat(
          one.name, " calls an option \"", option.names, "\", and ", other.name, " \"", same->names,
          "\": give both the same names, or give one of them a different long name"));
    }
    if (KindOfOneValue(option.kind) != KindOfOneValue(same->kind)) {
      internal::AuthorMistake(StrCat(one.name, " and ", other.name,
                                     " take values of two types for ", option.long_name(),
                                     ": rename one of them"));
    }
  }
}

void CheckNames(const Algorithm& one, const Algorithm& other) {
  for (const std::string_view alias : other.aliases) {
    if (alias == one.name) {
      internal::AuthorMistake(
          StrCat(other.name, " has the alias ", alias, ", which is an algorithm: leave it out"));
    }
  }
  if (&one != &other && one.name == other.name) {
    internal::AuthorMistake(StrCat("two algorithms are called ", one.name, ": rename one of them"));
  }
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
  for (const Algorithm* one : algorithms) {
    for (const Algorithm* other : algorithms) {
      CheckOptions(*one, *other);
      CheckNames(*one, *other);
    }
  }
  return algorithms;
}

}  // namespace

Registration::Registration(const Algorithm& algorithm, std::string_view file) {
  CHECK(!file.empty());  // the engine finds kernels by the file
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
  CHECK(algorithm.driver.make_state != nullptr);
  const GraphInfo info;
  const std::unique_ptr<State> state = algorithm.driver.make_state({info, values});
  return {.mode = !state->programs().empty(),
          .async = AnyOf(state->programs(), &ProgramTraits::may_run_asynchronously)};
}

const ResultColumn& ColumnOf(const Algorithm& algorithm, const OptionValues& values) {
  CHECK(!algorithm.results.empty());  // SortedAlgorithms refuses an algorithm without results
  for (const ResultColumn& column : algorithm.results) {
    if (!column.option.empty() && values.GetOr(column.option, false)) return column;
  }
  return algorithm.results.front();
}

}  // namespace edgemill
