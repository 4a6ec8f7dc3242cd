// Ranks: numbers that every vertex sums up from what its in-neighbours contribute, time and again.
// Options that say when to stop, the arithmetic of contributions, and what verifies ranks.
#pragma once

#include <cmath>

#include "engine/api/algorithm.h"
#include "engine/api/toolkit/plain_visit.h"

namespace edgemill {

inline constexpr Option<uint64_t> kIterations{"-i,--iterations", "how many iterations, at most",
                                              Whole32(1), 100};
inline constexpr Option<double> kTolerance{
    "-t,--tolerance", "stop at an L1 change of X; 0: never", {.least = 0}, 1e-6};
inline constexpr Option<double> kDamping{
    "--damping", "the chance of following an edge", {.least = 0, .below = 1}, 0.85};

/// When iterations stop, by kIterations and kTolerance.
struct Convergence {
  uint64_t iterations;
  /// 0: none. A number of iterations alone means exactly so many.
  double tolerance;

  explicit Convergence(const RunState& state)
      : iterations(state.Get(kIterations)),
        tolerance(state.Given(kIterations) && !state.Given(kTolerance) ? 0
                                                                       : state.Get(kTolerance)) {}
};

/// What a vertex passes on along each of its out-edges, in 4 bytes; without any, its whole rank.
EM_HOST_DEVICE inline float Contribution(double rank, EdgeIndex degree) {
  return static_cast<float>(rank) / static_cast<float>(degree == 0 ? 1 : degree);
}
EM_HOST_DEVICE inline double RankOfContribution(float contribution, EdgeIndex degree) {
  return double{contribution} * static_cast<double>(degree == 0 ? 1 : degree);
}

/// How iterations ended.
struct RankEnd {
  uint64_t iterations = 0;
  /// What the last iteration changed, or what the next one would change at the most.
  double change = 0;
};

/// Answers with the column "rank", of rank(vertex), and adds facts: the last change, and the sum.
/// Warns where `end` is before the tolerance.
template <typename RankOf>
Status AnswerRanks(Engine& engine, RankOf rank, const RankEnd& end, const Convergence& until,
                   Answer* answer) {
  answer->passes = end.iterations;
  answer->AddCount("iterations", end.iterations);
  ASSIGN_OR_RETURN(const double sum, engine.Reduce<Sum<double>>(engine.sets().All(), rank));
  answer->Fill("rank", rank);
  answer->AddFact("last change", FormatSignificant(end.change), end.change, "last_change_l1");
  answer->AddFact("sum of ranks", FormatFixed(sum, 9), sum);
  answer->CheckSettled("ranks", end.change, until.tolerance);
  return OkStatus();
}

/// The state of CheckRanks.
struct RankCheck : RunState {
  using RunState::RunState;
  VertexArray<double> sums{*this, "the verifier's sums"};
  VertexArray<double> contribution{*this, "the verifier's contributions"};

  /// Sets sums[v] to what an iteration from `rank(vertex)` gives v. `spread`: the rank of vertices
  /// without out-edges is spread over all. The errors of PlainVisit.
  template <typename RankOf>
  Status Iterate(LoadedGraph& graph, RankOf rank, double damping, bool spread) {
    const DegreeView degree(graph.index(Direction::kOut));
    const double dangling =
        SumOverVertices(graph, [&](VertexId v) { return degree[v] == 0 ? rank(v) : 0; });
    const std::span<double> contributions = contribution.mutable_span();
    ForEachVertex(graph, [&](VertexId v) {
      contributions[v] = rank(v) / static_cast<double>(std::max<EdgeIndex>(1, degree[v]));
    });
    const std::span<double> next = sums.mutable_span();
    ForEachVertex(graph, [&](VertexId v) { next[v] = 0; });
    RETURN_IF_ERROR(AddAlongEdges(graph, contributions, next));
    const double jumps = 1 - damping + (spread ? damping * dangling : 0);
    const double base = jumps / static_cast<double>(graph.num_vertices());
    ForEachVertex(graph, [&](VertexId v) { next[v] = base + damping * next[v]; });
    return OkStatus();
  }
};

/// Checks ranks of PageRank in doubles, edge by edge: that one more iteration changes them by no
/// more than `allowed` in all, which bounds how far they are from those to which iterations lead;
/// and what they sum to. InternalError; the errors of PlainVisit.
template <typename RankOf>
Status CheckRanks(LoadedGraph& graph, RankOf rank, double damping, bool spread, double allowed,
                  RankCheck& check) {
  RETURN_IF_ERROR(check.Iterate(graph, rank, damping, spread));
  const std::span<const double> next = check.sums.span();
  const double change =
      SumOverVertices(graph, [&](VertexId v) { return std::abs(next[v] - rank(v)); });
  const double total = SumOverVertices(graph, rank);
  if (spread && graph.num_vertices() > 0 && !(std::abs(total - 1) <= 1e-5 / (1 - damping))) {
    return InternalError(StrCat("ranks sum to ", total));
  }
  if (change <= allowed) return OkStatus();
  return InternalError(StrCat("another iteration changes ranks by ", change, " > ", allowed));
}

/// The same for ranks after so many iterations, which are done again: `rank(vertex)` is no further
/// from theirs than `allowed` in all.
template <typename RankOf>
Status CheckIteratedRanks(LoadedGraph& graph, RankOf rank, double damping, bool spread,
                          uint64_t iterations, double allowed, RankCheck& check) {
  const double start = 1 / static_cast<double>(graph.num_vertices());
  RETURN_IF_ERROR(check.Iterate(
      graph, [=](VertexId) { return start; }, damping, spread));
  const std::span<const double> right = check.sums.span();
  for (uint64_t i = 1; i < iterations; ++i) {
    RETURN_IF_ERROR(check.Iterate(
        graph, [=](VertexId v) { return right[v]; }, damping, spread));
  }
  const double apart =
      SumOverVertices(graph, [&](VertexId v) { return std::abs(right[v] - rank(v)); });
  if (apart <= allowed) return OkStatus();
  return InternalError(
      StrCat("ranks are ", apart, " > ", allowed, " from those after ", iterations, " iterations"));
}

}  // namespace edgemill
