// Functions of vertices and of edges, for composed sequences of operators.
#pragma once

#include <cstdint>

#include "test/model/composed/composer.h"

namespace edgemill::model {

struct Mix {
  View<uint64_t> a;
  View<const uint64_t> b;
  DegreeView degree;
  Into<Sum<uint64_t>> counts;
  TallyView<Sum<uint64_t>> total;
  uint64_t salt;
  void operator()(VertexId v) {
    a[v] = a[v] * 31 + b[v] * 7 + degree[v] + HashOf(v, salt) % 100;
    counts.Add(a[v] % ComposerState::kCounts, 1);
    total.Add(b[v] % 10);
  }
};
struct Sift {  // a filter that also writes
  View<uint64_t> a;
  View<const uint64_t> b;
  Anywhere<uint64_t> table;
  uint64_t num_vertices;
  uint64_t salt;
  bool operator()(VertexId v) {
    a[v] += table[HashOf(v, salt) % num_vertices] % 100;
    return (a[v] + b[v]) % 3 != salt % 3;
  }
};
struct XorValue {
  View<const uint64_t> a;
  TallyView<Sum<uint64_t>> total;
  uint64_t operator()(VertexId v) {
    total.Add(1 + a[v] % 5);
    return a[v] ^ v;
  }
};
struct AddAlong {
  View<const uint64_t> a;
  Shared<uint64_t> b;
  Into<Sum<uint64_t>> counts;
  TallyView<Sum<uint64_t>> total;
  void operator()(const Edge& edge) {
    AtomicAdd(b[edge.to], a[edge.from] + a[edge.to]);
    counts.Add(edge.from % ComposerState::kCounts, edge.to);
    total.Add(edge.from * uint64_t{3} + edge.to);
  }
};
template <typename W>
struct LeastAlong {
  View<const uint64_t> a;
  Into<Min<uint64_t>> b;
  TallyView<Sum<uint64_t>> total;
  void operator()(const WeightedEdge<W>& edge) {
    b.Add(edge.to, a[edge.from] + static_cast<uint64_t>(edge.weight));
    total.Add(static_cast<uint64_t>(edge.weight) * (1 + edge.to % 5));
  }
};

}  // namespace edgemill::model
