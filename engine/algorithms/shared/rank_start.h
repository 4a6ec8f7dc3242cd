// The ranks that PageRank starts from.
//
// A random walk on an undirected graph is at each vertex in proportion to its degree. With jumps,
// and on many directed graphs, this is nearly true. So few iterations follow from ranks in
// proportion to in-degrees, if the tolerance is coarse. However, the total rank of a small
// component is wrong then, and only the damping corrects it, iteration by iteration. From equal
// ranks, that total is right at once. Iterations on Kronecker 20 to 1e-3, 1e-4, 1e-5, 1e-6: 4, 7,
// 18, 32 by degree; 8, 10, 13, 16 from equal ranks.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "common/status.h"
#include "common/strings.h"
#include "common/types.h"
#include "engine/algorithms/shared/start_values.h"
#include "engine/api/algorithm.h"

namespace edgemill {

inline constexpr Option<std::string_view> kInitial{
    .names = "--initial",
    .help =
        "the ranks to start from: all equal, all zero, or in proportion to in-degrees, as a coarse "
        "-t does by itself",
    .choices = "uniform|zero|degree"};
inline constexpr Option<VertexValues> kStartRanks{
    .names = kValues.names, .help = kValues.help, .range = {.least = 0, .most = 1e30}};

inline namespace EM_VIEWS_NAMESPACE {

/// The rank of a vertex before the first iteration, for functions and on the host.
struct StartRank {
  DegreeView in_degree;
  View<const float> given;  // from a file; empty: by in-degree
  double base = 0;
  double slope = 0;  // for each in-edge; the factor of given ranks
  double operator()(VertexId v) const { return Of(in_degree, given, base, slope, v); }
  EM_HOST_DEVICE static double Of(const DegreeView& in_degree, const View<const float>& given,
                                  double base, double slope, VertexId v) {
    if (given) return slope * double{given[v]};
    return slope == 0 ? base : base + slope * static_cast<double>(in_degree[v]);
  }
};

/// How many vertices have no out-edges, and how many in-edges these have.
struct DanglingSums {
  using Monoid = Both<Sum<double>, Sum<double>>;
  DegreeView degree, in_degree;
  Monoid::Value operator()(VertexId v) const {
    if (degree[v] != 0) return {0, 0};
    return {1, static_cast<double>(in_degree[v])};
  }
};

/// What RankStart::Find needs of a run.
struct StartInputs {
  DanglingSums degrees;
  double damping;
  bool sums_to_one;  // the ranks; else a jump brings each vertex (1 - damping) / V
  // Needed where the ranks are a file's:
  std::span<float> given = {};   // receives them
  View<const float> shown = {};  // shows them
};

/// What a run starts from.
struct RankStart {
  enum class Kind : uint8_t { kDegree, kUniform, kZero, kValues };

  /// The start that the options give. Without an option, by in-degree if `tolerance` is at least
  /// kCoarseTolerance and the graph has its in-edges. `tolerance` is 0 where the number of
  /// iterations is given.
  RankStart(const RunState& state, double tolerance)
      : values(state.Find(kStartRanks)),
        kind(KindOf(state, tolerance)),
        directed(state.directed()) {}
  bool is_zero() const { return kind == Kind::kZero; }
  /// Whether in-degrees are needed. An undirected graph uses its out-degrees, which are the same.
  bool needs_in_degrees() const { return kind == Kind::kDegree && directed; }

  /// The ranks to start from, unless these are zero. `reduce` sums a DanglingSums over all
  /// vertices. By in-degree, the ranks have their final sum: of the ranks of vertices with
  /// out-edges, the share `damping` stays in the graph. The errors of VisitValues.
  template <typename Reduce>
  StatusOr<StartRank> Find(LoadedGraph& graph, const StartInputs& in, Reduce reduce) const {
    if (values != nullptr) {
      double sum = 0;
      RETURN_IF_ERROR(VisitValues(graph, *values, /*all=*/true, [&](VertexId v, double rank) {
        in.given[v] = static_cast<float>(rank);
        sum += rank;
      }));
      if (sum == 0 && graph.num_vertices() > 0) {
        return BadDataError(StrCat(values->file, ": all ranks are 0: give one that is greater"));
      }
      // Ranks sum to 1 or, where some are dropped, to less.
      const bool scales = sum > 1 || in.sums_to_one;
      return StartRank{in.degrees.in_degree, in.shown, 0, scales ? 1 / sum : 1};
    }
    const auto vertices = static_cast<double>(graph.num_vertices());
    if (kind != Kind::kDegree) {
      return StartRank{in.degrees.in_degree, {}, 1 / vertices, 0};
    }
    ASSIGN_OR_RETURN(const auto dangling, reduce(in.degrees));
    const auto edges = static_cast<double>(graph.info().num_edges);
    const double left = edges * (1 - in.damping) + in.damping * dangling.second;
    const double slope = left > 0 ? in.damping * (vertices - dangling.first) / left : 0;
    const double base =
        in.sums_to_one ? 1 / (vertices + slope * edges) : (1 - in.damping) / vertices;
    return StartRank{in.degrees.in_degree, {}, base, base * slope};
  }

  const InputValues* const values;  // null: the start is by `kind`
  const Kind kind;
  const bool directed;

 private:
  static constexpr double kCoarseTolerance = 1e-4;
  static Kind KindOf(const RunState& state, double tolerance) {
    if (state.Find(kStartRanks) != nullptr) return Kind::kValues;
    if (!state.Given(kInitial)) {
      const bool coarse = tolerance >= kCoarseTolerance;
      return coarse && state.has_in_lists() ? Kind::kDegree : Kind::kUniform;
    }
    const std::string_view start = state.Get(kInitial);
    return start == "degree" ? Kind::kDegree : start == "zero" ? Kind::kZero : Kind::kUniform;
  }
};

}  // namespace EM_VIEWS_NAMESPACE

/// UsageError where both options are given, or the graph has no in-degrees for --initial degree.
/// Only --method delta may start from zero: with jacobi, ranks sum to 1 only if they do at the
/// start.
inline Status CheckStart(const RunSetup& setup, bool is_delta) {
  if (!setup.values.Given(kInitial)) return OkStatus();
  if (setup.values.Find(kStartRanks) != nullptr) {
    return UsageError("--initial and --values: give one of them");
  }
  const std::string_view start = setup.Get(kInitial);
  if (start == "zero" && !is_delta) {
    return UsageError("--initial zero is for --method delta: give that too");
  }
  if (start != "degree" || setup.has_in_lists) return OkStatus();
  return UsageError("--initial degree: the graph does not store in-edges; give --initial uniform");
}

}  // namespace edgemill
