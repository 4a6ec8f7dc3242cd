// Functions of one vertex, which several drivers share.
#pragma once

#include "engine/program/edge_program.h"
#include "engine/state/state.h"
#include "test/model/answers.h"

namespace edgemill::model {

inline constexpr uint32_t kUnreached = ~uint32_t{0};

/// Gives every vertex its own id.
struct NameItself {
  View<VertexId> name;
  void operator()(VertexId v) { name[v] = v; }
};
/// Gives every vertex the same value.
template <typename T>
struct Put {
  View<T> place;
  T value;
  void operator()(VertexId v) { place[v] = value; }
};
struct Divide {
  View<double> value;
  double divisor;
  void operator()(VertexId v) { value[v] = value[v] / divisor; }
};
template <typename T>
struct Read {
  View<const T> value;
  T operator()(VertexId v) const { return value[v]; }
};

}  // namespace edgemill::model
