// Functions on vertices and edges that break a rule that the compiler checks. See edge_programs.cc.
#include "engine/api/engine.h"

namespace edgemill {

#if defined(right_functions)
//! right_functions: compiles
struct Function {
  View<uint64_t> value;
  Into<Sum<uint64_t>> counts;
  bool operator()(VertexId v) {
    counts.Add(value[v], 1);
    return value[v] > 0;
  }
};
struct OnEdges {
  View<const uint64_t> value;
  Into<Sum<uint64_t>> counts;
  void operator()(const WeightedEdge<double>& edge) { counts.Add(value[edge.to], 1); }
};
Status Run(Engine& engine, const Function& function, const OnEdges& on_edges) {
  const VertexSet all = engine.sets().All();
  RETURN_IF_ERROR(engine.VertexMap(all, function));
  RETURN_IF_ERROR(engine.VertexFilter(all, function).status());
  RETURN_IF_ERROR(engine.Reduce<Or<uint8_t>>(all, function).status());
  return engine.EdgeVisit(kOut, all, Slice{.count = 1}, on_edges);
}

#elif defined(degrees_of_both)
//! degrees_of_both: DegreesAreOfOutOrInEdges
DegreeView Run(const Engine& engine) { return engine.Degrees(kBoth); }

#elif defined(declared_degrees_of_both)
//! declared_degrees_of_both: DegreesAreOfOutOrInEdges
struct Declared : State {
  Declared() : State(3, 1), degrees(*this, kBoth) {}
  Degrees degrees;
};

#elif defined(degrees_of_one)
//! degrees_of_one: compiles
struct Declared : State {
  using State::State;
  Degrees out{*this, kOut};
  Degrees in{*this, kIn};
};
DegreeView Run(const Engine& engine) { return engine.Degrees(kIn); }

#elif defined(map_of_edges)
//! map_of_edges: operator(): VertexMap needs `void operator()(VertexId)`
struct Function {
  View<uint64_t> value;
  void operator()(const Edge& edge) { value[edge.from] = 1; }
};
Status Run(Engine& engine, const Function& function) {
  return engine.VertexMap(engine.sets().All(), function);
}

#elif defined(filter_without_answer)
//! filter_without_answer: operator(): VertexFilter needs `bool operator()(VertexId)`
struct Function {
  View<const uint64_t> value;
  uint64_t operator()(VertexId v) const { return value[v]; }
};
StatusOr<VertexSet> Run(Engine& engine, const Function& function) {
  return engine.VertexFilter(engine.sets().All(), function);
}

#elif defined(reduce_of_nothing)
//! reduce_of_nothing: operator(): Reduce needs `Value operator()(VertexId)`
struct Function {
  View<const uint64_t> value;
  void operator()(VertexId) const {}
};
StatusOr<uint64_t> Run(Engine& engine, const Function& function) {
  return engine.Reduce<Max<uint64_t>>(engine.sets().All(), function);
}

#elif defined(visit_of_vertices)
//! visit_of_vertices: operator(): EdgeVisit needs `void operator()(const E&)`
struct Function {
  Into<Sum<uint64_t>> counts;
  void operator()(VertexId v) { counts.Add(v, 1); }
};
Status Run(Engine& engine, const Function& function) {
  return engine.EdgeVisit(kOut, engine.sets().All(), function);
}

#elif defined(visit_with_wide_weights)
//! visit_with_wide_weights: WeightedEdge of int32_t, float or double
struct Function {
  Into<Sum<uint64_t>> counts;
  void operator()(const WeightedEdge<int64_t>& edge) { counts.Add(edge.to, 1); }
};
Status Run(Engine& engine, const Function& function) {
  return engine.EdgeVisit(kOut, engine.sets().All(), function);
}

#elif defined(map_with_pointer)
//! map_with_pointer: a field must be a view or a number
struct Function {
  uint64_t* value;
  void operator()(VertexId v) { value[v] = 1; }
};
Status Run(Engine& engine, const Function& function) {
  return engine.VertexMap(engine.sets().All(), function);
}

#elif defined(map_with_lambda)
//! map_with_lambda: must be an aggregate of views and numbers
Status Run(Engine& engine, uint64_t* count) {
  return engine.VertexMap(engine.sets().All(), [count](VertexId) { ++*count; });
}

#elif defined(visit_with_vector)
//! visit_with_vector: must be an aggregate of views and numbers
struct Function {
  std::vector<uint64_t> counts;
  void operator()(const Edge& edge) { ++counts[edge.to]; }
};
Status Run(Engine& engine, const Function& function) {
  return engine.EdgeVisit(kOut, engine.sets().All(), function);
}

#elif defined(map_writes_what_is_read)
//! map_writes_what_is_read: operator()
struct Function {
  View<const uint64_t> value;
  void operator()(VertexId v) { value[v] = 1; }
};
Status Run(Engine& engine, const Function& function) {
  return engine.VertexMap(engine.sets().All(), function);
}

#else
#error "no such case"
#endif

}  // namespace edgemill
