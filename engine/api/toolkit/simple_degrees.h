// Degrees as of a simple graph.
#pragma once

#include "engine/api/algorithm.h"

namespace edgemill {
inline namespace EM_VIEWS_NAMESPACE {

/// A step of SimpleDegrees: name it in the State's Programs.
struct CountNeighbors {
  using Monoid = Sum<uint32_t>;
  static constexpr bool kSimple = true;
  View<uint32_t> degree;
  uint32_t Emit(VertexId) const { return 1; }
  bool Apply(VertexId v, uint32_t sum) { return (degree[v] = sum) > 0; }
};
/// The same, where edges need not be read.
struct TakeDegree {
  DegreeView stored;
  View<uint32_t> degree;
  void operator()(VertexId v) { degree[v] = static_cast<uint32_t>(stored[v]); }
};

/// Sets degree[v] to the number of other vertices that v has edges to or, of an undirected graph,
/// with; the State declares CountNeighbors and out-degrees. Reads all edges where the graph has
/// loops or duplicates. The errors of EdgeMap.
inline Status SimpleDegrees(Engine& engine, VertexArray<uint32_t>& degree) {
  const VertexSet all = engine.sets().All();
  const GraphInfo& info = engine.graph().info();
  if (info.num_self_loops == 0 && info.num_duplicates == 0) {
    return engine.VertexMap(all, TakeDegree{engine.Degrees(kOut), degree.view()});
  }
  degree.Fill(0);
  return engine.EdgeMap(kOut, all, CountNeighbors{degree.view()}).status();
}

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill
