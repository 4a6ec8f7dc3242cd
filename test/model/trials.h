// Trials of composed sequences of operators, one seed for each. A failure names its seed, and
// EDGEMILL_SEED runs only that trial. EDGEMILL_TRIALS is the number of trials.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>

#include "common/strings.h"
#include "test/model/composed/composition.h"

namespace edgemill::model {

/// The number in an environment variable, or `otherwise` if it is not set.
inline uint64_t NumberOf(const char* variable, uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  uint64_t number = otherwise;
  if (text != nullptr) CHECK(ParseNumber(text, &number));
  return number;
}

/// The number of sequences to run: `usual`, or fewer with sanitizers, which make runs 20 times as
/// slow.
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

/// The name of the trial that runs now. A failed CHECK of the engine ends the process and prints
/// it.
inline std::string running;

inline void PrintRunningTrial(int signal) {
  static_cast<void>(!write(STDERR_FILENO, running.data(), running.size()));
  std::signal(signal, SIG_DFL);
}

/// Runs `trials` compositions by `run(composition)`, which returns an error text or an empty
/// string. Returns the number of failures, and stops after the third.
template <typename Compose, typename Describe, typename Run>
int RunTrials(uint64_t trials, Compose compose, Describe describe, Run run) {
  const uint64_t first = NumberOf("EDGEMILL_SEED", 1);
  int failures = 0;
  for (uint64_t seed = first; seed < first + trials && failures < 3; ++seed) {
    const auto composition = compose(seed);
    running = describe(composition) + "\n";
    std::signal(SIGABRT, PrintRunningTrial);
    const std::string wrong = run(composition);
    if (wrong.empty()) continue;
    ADD_FAILURE() << wrong << "\n" << running;
    ++failures;
  }
  return failures;
}

}  // namespace edgemill::model
