#include <algorithm>

#include "engine/api/algorithm.h"

namespace edgemill {

const std::vector<const Algorithm*>& AllAlgorithms() {
  static const std::vector<const Algorithm*> algorithms = {&kBfs, &kSssp, &kCc, &kPageRank};
  return algorithms;
}

const Algorithm* FindAlgorithm(std::string_view name) {
  for (const Algorithm* algorithm : AllAlgorithms()) {
    const auto& aliases = algorithm->help.aliases;
    const bool is_alias = std::find(aliases.begin(), aliases.end(), name) != aliases.end();
    if (algorithm->help.name == name || is_alias) return algorithm;
  }
  return nullptr;
}

std::optional<AlgorithmHelp> AlgorithmCalled(std::string_view name) {
  const Algorithm* const algorithm = FindAlgorithm(name);
  if (algorithm == nullptr) return std::nullopt;
  return algorithm->help;
}

std::vector<AlgorithmHelp> Algorithms() {
  std::vector<AlgorithmHelp> helps;
  for (const Algorithm* algorithm : AllAlgorithms()) helps.push_back(algorithm->help);
  return helps;
}

StatusOr<std::string> ChosenMethod(const Algorithm& algorithm, const RunOptions& options) {
  const auto& methods = algorithm.help.methods;
  if (!options.method.has_value()) {
    return std::string(methods.empty() ? std::string_view() : methods.front());
  }
  std::string known;
  for (const std::string_view method : methods) {
    if (method == *options.method) return *options.method;
    known += StrCat(known.empty() ? "" : ", ", method);
  }
  return UsageError(StrCat("--method ", *options.method, ": ", algorithm.help.name, " has ",
                           known.empty() ? "no methods" : known));
}

}  // namespace edgemill
