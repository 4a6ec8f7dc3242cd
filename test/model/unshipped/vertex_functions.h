// What several drivers share: functions of one vertex.
#pragma once

#include "engine/program/edge_program.h"
#include "engine/state/state.h"
#include "test/model/answers.h"

namespace edgemill::model {

inline constexpr uint32_t kUnreached = ~uint32_t{0};

/// Every vertex gets its own id.
struct NameItself {
  View<VertexId> name;
  void operator()(VertexId v) { name[v] = v; }
};
/// Every vertex gets one value.
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
