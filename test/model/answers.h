// Comparison of answers with the textbook's.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "test/model/algorithms/bfs.h"
#include "test/model/textbook.h"

namespace edgemill::model {

/// Empty where the values are alike; else the first that is not. `tolerance` is of values above 1
/// in absolute value relative, else absolute.
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

/// Levels as distances.
inline std::vector<double> HopsOf(const std::vector<uint32_t>& levels) {
  std::vector<double> hops(levels.begin(), levels.end());
  std::replace(hops.begin(), hops.end(), static_cast<double>(kUnreached), textbook::kFar);
  return hops;
}

inline std::string WrongParent(const Graph& graph, VertexId source, const BfsResult& result) {
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    const VertexId parent = result.parent[v];
    if ((parent == kInvalidVertex) != (result.level[v] == kUnreached)) return "unreached parent";
    if (v == source || parent == kInvalidVertex) continue;
    if (!graph.HasEdge(parent, v) || result.level[parent] + 1 != result.level[v]) {
      return "bad parent of " + std::to_string(v);
    }
  }
  return "";
}

}  // namespace edgemill::model
