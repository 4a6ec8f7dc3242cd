// Compares answers with those of the textbook algorithms.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/state/state.h"
#include "test/model/textbook.h"

namespace edgemill::model {

template <typename T>
std::vector<T> CopyOf(const Values<T>& values) {
  return std::vector<T>(values.span().begin(), values.span().end());
}

/// Returns an empty string if the values are equal, else the first that differs. `tolerance` is
/// relative for values whose absolute value is above 1, else absolute.
template <typename T, typename U>
std::string Compare(const std::vector<T>& got, const std::vector<U>& want, double tolerance = 0) {
  if (got.size() != want.size()) {
    return "size " + std::to_string(got.size()) + ", not " + std::to_string(want.size());
  }
  for (size_t i = 0; i < got.size(); ++i) {
    const auto a = static_cast<double>(got[i]);
    const auto b = static_cast<double>(want[i]);
    if (a == b || std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b))) continue;
    return "[" + std::to_string(i) + "] is " + std::to_string(a) + ", not " + std::to_string(b);
  }
  return "";
}

/// Returns an empty string if `parents` describe a tree of shortest paths, whose lengths are
/// `lengths`. With `hops`, every edge has length 1.
inline std::string WrongParent(const Graph& graph, VertexId source,
                               const std::vector<double>& lengths,
                               const std::vector<double>& parents, bool hops) {
  std::vector<bool> shown(graph.num_vertices());
  for (const InputEdge& edge : textbook::Arcs(graph)) {
    const double length = lengths[edge.from] + (hops ? 1 : edge.weight);
    if (parents[edge.to] == edge.from && length == lengths[edge.to]) shown[edge.to] = true;
  }
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    if ((parents[v] == textbook::kInfinite) != (lengths[v] == textbook::kInfinite))
      return "unreached parent";
    if (parents[v] == textbook::kInfinite) continue;
    if (v == source ? parents[v] != source : !shown[v]) return "bad parent of " + std::to_string(v);
    VertexId at = v;
    for (uint64_t steps = 0; at != source; ++steps) {
      if (steps == graph.num_vertices()) return "a cycle above " + std::to_string(v);
      at = static_cast<VertexId>(parents[at]);
    }
  }
  return "";
}

}  // namespace edgemill::model
