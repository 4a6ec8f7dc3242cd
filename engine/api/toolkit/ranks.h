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

/// UsageError for a tolerance that numbers of `method` cannot settle to. 0, for none, is fine.
inline Status CheckTolerance(const RunSetup& setup, double least, std::string_view method) {
  const double tolerance = setup.Get(kTolerance);
  if (tolerance == 0 || tolerance >= least) return OkStatus();
  return UsageError(
      StrCat("-t ", tolerance, ": must be at least ", least, " for --method ", method));
}

/// What a vertex passes on along each of its out-edges, in 4 bytes; without any, its whole rank.
EM_HOST_DEVICE inline float Contribution(double rank, EdgeIndex degree) {
  return static_cast<float>(rank) / static_cast<float>(degree == 0 ? 1 : degree);
}
EM_HOST_DEVICE inline double RankOfContribution(float contribution, EdgeIndex degree) {
  return double{contribution} * static_cast<double>(degree == 0 ? 1 : degree);
}

/// Answers with the column "rank", of rank(vertex), and adds facts: the last change, and the sum.
template <typename RankOf>
Status AnswerRanks(Engine& engine, RankOf rank, double last_change, Answer* answer) {
  ASSIGN_OR_RETURN(const double sum, engine.Reduce<Sum<double>>(engine.sets().All(), rank));
  answer->Fill("rank", rank);
  answer->AddFact("last change", FormatSignificant(last_change), last_change, "last_change_l1");
  answer->AddFact("sum of ranks", FormatFixed(sum, 9), sum);
  return OkStatus();
}

/// The state of CheckRanks.
struct RankCheck : RunState {
  using RunState::RunState;
  VertexArray<double> sums{*this, "the verifier's sums"};
  VertexArray<float> contribution{*this, "the verifier's contributions"};
};

/// Checks ranks of PageRank. Takes one more iteration, edge by edge, and measures how far
/// `rank(vertex)` is from it. A run with a tolerance must be within a few times of it; one of so
/// many iterations as near as they bring it. `spread`: the rank of vertices without out-edges is
/// spread over all. InternalError; the errors of PlainVisit.
template <typename RankOf>
Status CheckRanks(LoadedGraph& graph, RankOf rank, double damping, bool spread,
                  const Convergence& until, RankCheck& check) {
  const DegreeView degree(graph.index(Direction::kOut));
  const double dangling =
      SumOverVertices(graph, [&](VertexId v) { return degree[v] == 0 ? rank(v) : 0; });
  ForEachVertex(graph,
                [&](VertexId v) { check.contribution.Set(v, Contribution(rank(v), degree[v])); });
  RETURN_IF_ERROR(AddAlongEdges(graph, check.contribution.span(), check.sums.mutable_span()));
  const double jumps = 1 - damping + (spread ? damping * dangling : 0);
  const double base = jumps / static_cast<double>(graph.num_vertices());
  const double change = SumOverVertices(
      graph, [&](VertexId v) { return std::abs(base + damping * check.sums.Get(v) - rank(v)); });
  // The change of iteration n is at most 2 d^n; rounding of contributions adds 2^-24 of the ranks.
  const double after = std::pow(damping, static_cast<double>(until.iterations));
  const double allowed = 1e-6 + 2 * std::max(until.tolerance, after);
  const double total = SumOverVertices(graph, rank);
  if (spread && graph.num_vertices() > 0 && std::abs(total - 1) > 1e-5) {
    return InternalError(StrCat("ranks sum to ", total));
  }
  if (change <= allowed) return OkStatus();
  return InternalError(StrCat("another iteration changes ranks by ", change, " > ", allowed));
}

}  // namespace edgemill
