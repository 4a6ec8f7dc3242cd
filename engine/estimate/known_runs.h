// What runs took on graphs of six kinds, each of two sizes. Estimates of other runs start from it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace edgemill {

/// The features by which graphs are compared. Known before a run reads anything.
struct GraphShape {
  bool directed = false;
  double mean_degree = 0;  // stored edges of one direction, for each vertex
  /// Bits of a packed neighbour over those of a vertex's number. Small where neighbours have near
  /// numbers, or where few vertices have most edges.
  double neighbor_bits = 0;
};

/// What a run took, in measures that depend little on the machine and on the graph's size.
struct RunSize {
  double vertices = 0;    // of its graph
  double iterations = 0;  // by the run's report
  /// The seconds of one thread over those of a full pass (FullPassEdges), without the fixed time of
  /// iterations.
  double passes = 0;
  double reads_cached = 0;    // bytes read over those of the edges, where memory held them all
  double reads_uncached = 0;  // the same with the least memory
};

/// An algorithm with its usual options, on graphs of one kind.
struct KnownRun {
  std::string_view algorithm;
  std::string_view kind;  // of `edgemill generate`
  uint32_t searches = 0;  // sources or samples; 0: it takes none
  RunSize small, large;
};

struct KnownGraph {
  std::string_view kind;
  GraphShape shape;
};

/// The tables of known_runs.cc, which bench/known_runs.py prints.
std::span<const KnownGraph> KnownGraphs();
std::span<const KnownRun> KnownRuns();

/// The kind that is most like `shape`.
std::string_view KindLike(const GraphShape& shape);

/// The known run; null: the algorithm is not known on such graphs.
const KnownRun* FindKnownRun(std::string_view algorithm, std::string_view kind);

/// What the run takes on a graph of so many vertices: powers of the number of vertices through both
/// known sizes.
RunSize Extrapolate(const KnownRun& run, double vertices);

/// A full pass takes one thread as long as pulling along this many edges.
constexpr double FullPassEdges(double num_vertices, double num_edges) {
  constexpr double kEdgesPerVertex = 6;  // 20 ns where an edge takes 3.3
  return num_edges + kEdgesPerVertex * num_vertices;
}

}  // namespace edgemill
