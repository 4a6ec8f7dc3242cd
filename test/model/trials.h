// Trials of composed sequences of operators, a seed each: EDGEMILL_SEED runs one, which a failure
// names; EDGEMILL_TRIALS says how many are run.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>

#include "common/strings.h"
#include "test/model/composed/composition.h"

namespace edgemill::model {

/// The number of an environment variable, or `otherwise`.
inline uint64_t NumberOf(const char* variable, uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  uint64_t number = otherwise;
  if (text != nullptr) CHECK(ParseNumber(text, &number));
  return number;
}

/// How many sequences to run, of `usual`: sanitizers make each twenty times as long.
inline uint64_t NumTrials(uint64_t usual) {
#ifdef EDGEMILL_TEST_SANITIZED
  usual = usual / 20 + 1;
#endif
  return std::getenv("EDGEMILL_SEED") != nullptr ? 1 : NumberOf("EDGEMILL_TRIALS", usual);
}

inline std::string Describe(const Composition& composition) {
  return StrCat("replay with EDGEMILL_SEED=", composition.seed, ": ",
                composition.graph.num_vertices(), " vertices, ", composition.graph.input().size(),
                composition.graph.directed() ? " directed" : " undirected", " edges, ",
                composition.options.block_edges, " a block, weights ",
                static_cast<int>(composition.options.weights),
                composition.options.in_columns ? "" : ", no in-lists", "; ",
                NameOf(composition.setting));
}

/// What runs, for checks of the engine's own that end the process.
inline std::string running;

inline void TellWhatRuns(int signal) {
  static_cast<void>(!write(STDERR_FILENO, running.data(), running.size()));
  std::signal(signal, SIG_DFL);
}

/// Runs `trials` compositions by `run(composition)`, which returns what went wrong. Returns how
/// many failed: after the third it stops.
template <typename Compose, typename Describe, typename Run>
int RunTrials(uint64_t trials, Compose compose, Describe describe, Run run) {
  const uint64_t first = NumberOf("EDGEMILL_SEED", 1);
  int failures = 0;
  for (uint64_t seed = first; seed < first + trials && failures < 3; ++seed) {
    const auto composition = compose(seed);
    running = describe(composition) + "\n";
    std::signal(SIGABRT, TellWhatRuns);
    const std::string wrong = run(composition);
    if (wrong.empty()) continue;
    ADD_FAILURE() << wrong << "\n" << running;
    ++failures;
  }
  return failures;
}

}  // namespace edgemill::model
