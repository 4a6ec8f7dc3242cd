// Descriptions of algorithms for help and the command line, all from their declarations.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/api/algorithm.h"

namespace edgemill {

/// What a fact is about, and the fact: {"direction", "out-edges"}.
using DeclaredFact = std::pair<std::string_view, std::string_view>;

/// What an algorithm's file declares, for help and the command line.
struct AlgorithmHelp {
  std::string_view name;  // "bfs"
  AlgorithmGroup group;
  std::vector<std::string_view> aliases;  // other names that people type
  std::string_view summary;               // one line
  std::vector<DeclaredFact> facts;
  std::string_view text;  // every special case
  std::string_view paper;
  std::vector<OptionDeclaration> options;
  std::vector<ResultColumn> results;
  std::vector<std::string> memory;  // bytes a vertex: "level 4", "with --parents also: parent 4"
  bool takes_mode = false;          // RunOptions::mode, with some method
  bool takes_async = false;         // RunOptions::async_passes, with some method

  /// Whether it takes the option of this long name ("--delta"), and how that is declared.
  bool Has(std::string_view long_name) const;
  const OptionDeclaration* Find(std::string_view long_name) const;
  bool needs_source() const { return Has("--source"); }
  /// The column that a run with these values fills.
  const ResultColumn& Column(const OptionValues& values) const;
  /// The choices of --method, the default first; may be empty.
  std::vector<std::string> Methods() const;
};

/// Every algorithm, by name.
std::vector<AlgorithmHelp> Algorithms();
/// The algorithms of one group, of which there is at least one.
struct HelpGroup {
  std::string_view name;  // "paths"
  std::vector<AlgorithmHelp> algorithms;
};
std::vector<HelpGroup> AlgorithmGroups();

/// The algorithm with this name or alias; nullopt where there is none.
std::optional<AlgorithmHelp> AlgorithmCalled(std::string_view name);

}  // namespace edgemill
