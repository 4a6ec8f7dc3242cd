#include "bench/trials/gpu_right_answers.h"

#include <cmath>
#include <utility>

#include "bench/plain/plain_algorithms.h"

namespace edgemill::bench {
namespace {

/// The tolerance for ranks as floats, in the sum of all differences.
constexpr double kFloatTolerance = 1e-5;
/// The bucket width of the plain SSSP that checks: a sixteenth of the largest usual weight.
constexpr uint32_t kCheckDelta = 16;

}  // namespace

RightAnswers::RightAnswers(RawGraph& graph, const GpuTrialOptions& options, AnswerCheck check)
    : graph_(graph), options_(options), check_(std::move(check)) {}

StatusOr<std::unique_ptr<RightAnswers>> RightAnswers::Create(const GraphStore& store,
                                                             RawGraph& graph,
                                                             const GpuTrialOptions& options) {
  ASSIGN_OR_RETURN(AnswerCheck check, AnswerCheck::Create(store, options.threads, graph.budget()));
  return std::unique_ptr<RightAnswers>(new RightAnswers(graph, options, std::move(check)));
}

StatusOr<const RightAnswer*> RightAnswers::Of(uint64_t trial, const KnownAlgorithm& algorithm) {
  if (!algorithm.has_source() && answers_.contains(algorithm.name)) {
    return &std::as_const(answers_[algorithm.name]);
  }
  RightAnswer& right = answers_[algorithm.name];
  right = {};
  const PlainCsr& csr = graph_.csr();
  MemoryBudget& budget = graph_.budget();
  const int threads = options_.threads;
  switch (algorithm.raw) {
    case RawAlgorithm::kBfs: {
      ASSIGN_OR_RETURN(right.values, PlainBfs(csr, graph_.source(trial), threads, budget));
      break;
    }
    case RawAlgorithm::kSssp: {
      ASSIGN_OR_RETURN(right.values,
                       PlainSssp(csr, graph_.source(trial), kCheckDelta, threads, budget));
      break;
    }
    case RawAlgorithm::kComponents: {
      ASSIGN_OR_RETURN(right.values, PlainComponents(csr, threads, budget));
      break;
    }
    case RawAlgorithm::kPageRank: {
      ASSIGN_OR_RETURN(right.ranks, PlainPageRank(csr, options_.iterations, threads, budget));
      right.rank_tolerance = kFloatTolerance;
      break;
    }
    case RawAlgorithm::kDeltaPageRank: {
      const double near = options_.tolerance / 10;
      const double iterations = std::log(near) / std::log(kDamping);
      ASSIGN_OR_RETURN(right.ranks,
                       PlainPageRank(csr, static_cast<uint32_t>(iterations) + 1, threads, budget));
      right.rank_tolerance = DeltaRankError(options_.tolerance) + near;
      break;
    }
  }
  return &std::as_const(right);
}

}  // namespace edgemill::bench
