// Runs drivers on the model in all modes, and compares answers.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/model_cases.h"
#include "engine/model/model_engine.h"
#include "test/model/answers.h"

namespace edgemill::model {

/// The number of runs up to now, in all modes.
inline uint64_t num_runs = 0;

/// Runs `run(engine)` on the graph in all modes. `check(value)` returns an empty string for a right
/// result.
template <typename Run, typename Check>
void RunInAllModes(std::string_view algorithm, const Case& c, Run run, Check check) {
  static uint64_t seed = 1000;
  for (Mode mode : Modes()) {
    for (int trial = 0; trial < 2; ++trial) {
      mode.seed = ++seed;
      ++num_runs;
      Engine engine(c.graph, mode);
      const auto result = run(engine);
      const std::string wrong =
          result.ok() ? check(*result) : "error: " + std::string(result.status().message());
      if (wrong.empty()) continue;
      ADD_FAILURE() << algorithm << " on " << c.name << ": " << wrong << "; " << NameOf(mode);
      return;
    }
  }
}

/// How often the tests detected that a program breaks a rule.
struct Caught {
  uint64_t runs = 0;
  uint64_t violations = 0;  // a rule was seen to be broken
  uint64_t wrong = 0;       // an answer differed from `want`, or from that of the first mode
  std::string first;        // the first violation
  uint64_t times() const { return violations + wrong; }
};

/// Runs `run(engine)`, whose result is a vector, in all modes on the `cases` with two or more
/// vertices. `want(graph)` gives the right answer.
template <typename Run, typename Want>
Caught HowOftenCaught(const std::vector<Case>& cases, Run run, Want want) {
  Caught caught;
  uint64_t seed = 77;
  for (const Case& c : cases) {
    if (c.graph.num_vertices() < 2) continue;
    const auto right = want(c.graph);
    for (Mode mode : Modes()) {
      mode.seed = ++seed;
      ++caught.runs;
      Engine engine(c.graph, mode);
      const auto result = run(engine);
      if (!result.ok()) {
        ++caught.violations;
        if (caught.first.empty()) caught.first = std::string(result.status().message());
      } else if (!Compare(*result, right, 1e-9).empty()) {
        ++caught.wrong;
      }
    }
  }
  return caught;
}
/// The same for a program without a right answer. All modes must give the same answer.
template <typename Run>
Caught HowOftenCaught(const std::vector<Case>& cases, Run run) {
  return HowOftenCaught(cases, run, [&](const Graph& graph) {
    Engine engine(graph, Mode{Move::kPull});
    auto result = run(engine);
    using Answer = std::remove_cvref_t<decltype(*result)>;
    return result.ok() ? *result : Answer();
  });
}

inline void ExpectCaught(std::string_view name, const Caught& caught) {
  EXPECT_GT(caught.times(), 0u) << name;
  std::printf("%-24s caught in %5llu of %llu runs: %llu answers, %llu violations%s%s\n",
              std::string(name).c_str(), static_cast<unsigned long long>(caught.times()),
              static_cast<unsigned long long>(caught.runs),
              static_cast<unsigned long long>(caught.wrong),
              static_cast<unsigned long long>(caught.violations), caught.first.empty() ? "" : ", ",
              caught.first.c_str());
}

}  // namespace edgemill::model
