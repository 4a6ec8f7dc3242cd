// Answers of the CPU on raw CSR, with which the answers of trials on a GPU are compared.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "bench/trials/answer_check.h"
#include "bench/trials/gpu_raw_graph.h"
#include "bench/trials/gpu_trials.h"
#include "bench/trials/known_algorithms.h"
#include "common/status.h"
#include "engine/run/run.h"
#include "storage/read/graph_store.h"

namespace edgemill::bench {

/// Computes right answers, and keeps the last of each algorithm. Not thread-safe.
class RightAnswers {
 public:
  /// All arguments must outlive the object. Takes memory of the graph's budget, also for answers.
  static StatusOr<std::unique_ptr<RightAnswers>> Create(const GraphStore& store, RawGraph& graph,
                                                        const GpuTrialOptions& options);

  /// The right answer of a trial. An algorithm without a source has the same answer in all trials,
  /// which is computed once. The answer stays until the next call for the algorithm.
  StatusOr<const RightAnswer*> Of(uint64_t trial, const KnownAlgorithm& algorithm);
  /// Calls AnswerCheck::Check.
  Status Check(RunResult& result, const RightAnswer& right) { return check_.Check(result, right); }

 private:
  RightAnswers(RawGraph& graph, const GpuTrialOptions& options, AnswerCheck check);

  RawGraph& graph_;
  const GpuTrialOptions& options_;
  AnswerCheck check_;
  std::map<std::string, RightAnswer> answers_;
};

}  // namespace edgemill::bench
