// Edge programs that break a rule that the compiler checks. fails_once.sh compiles each case
// separately, with its name defined. The text after the name must be in the only error.
#include "engine/api/engine.h"

namespace edgemill {

using AnyNumber = Any<uint64_t>;

#if defined(right_program)
//! right_program: compiles
struct Program {
  using Monoid = Sum<double, float>;
  View<const float> sent;
  View<double> sums;
  DegreeView degree;
  TallyView<Sum<uint64_t>> edges;
  double factor;
  float Emit(VertexId u) const { return sent[u]; }
  float Along(float message, const WeightedEdge<float>& edge) const {
    return message * edge.weight;
  }
  bool Cond(VertexId v) const { return degree[v] > 0; }
  bool Apply(VertexId v, double sum) {
    sums[v] = factor * sum;
    edges.Add(degree[v]);
    return sum > 0;
  }
  bool Enough(VertexId, double sum) const { return sum > 1; }
  void Next() { factor /= 2; }
  double Priority(VertexId v) const { return -sums[v]; }
};

#elif defined(no_monoid)
//! no_monoid: Monoid: an edge program needs `using Monoid = ...`
struct Program {
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return value[u]; }
  bool Apply(VertexId, uint64_t) { return true; }
};

#elif defined(monoid_without_value)
//! monoid_without_value: Monoid: needs `using Value = T`
struct Empty {};
struct Program {
  using Monoid = Empty;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return value[u]; }
  bool Apply(VertexId, uint64_t) { return true; }
};

#elif defined(monoid_without_identity)
//! monoid_without_identity: identity: a Monoid needs `static Value identity()`
struct Product {
  using Value = uint64_t;
  static Value Combine(Value a, Value b) { return a * b; }
};
struct Program {
  using Monoid = Product;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return value[u]; }
  bool Apply(VertexId, uint64_t) { return true; }
};

#elif defined(monoid_without_combine)
//! monoid_without_combine: Combine: a Monoid needs `static Value Combine(Value, Value)`
struct Product {
  using Value = uint64_t;
  static Value identity() { return 1; }
};
struct Program {
  using Monoid = Product;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return value[u]; }
  bool Apply(VertexId, uint64_t) { return true; }
};

#elif defined(monoid_of_vectors)
//! monoid_of_vectors: Monoid: its Value must be trivially copyable
struct Lists {
  using Value = std::vector<VertexId>;
  static Value identity() { return {}; }
  static Value Combine(Value a, Value) { return a; }
};
struct Program {
  using Monoid = Lists;
  View<uint64_t> value;
  std::vector<VertexId> Emit(VertexId u) const { return {u}; }
  bool Apply(VertexId, std::vector<VertexId>) { return true; }
};

#elif defined(no_emit)
//! no_emit: Emit: must be `Message Emit(VertexId) const`
struct Program {
  using Monoid = Min<uint64_t>;
  View<uint64_t> value;
  bool Relax(VertexId v, uint64_t least) { return AtomicMin(value[v], least); }
};

#elif defined(emit_of_another_type)
//! emit_of_another_type: Emit: must be `Message Emit(VertexId) const`
struct Program {
  using Monoid = Min<uint64_t>;
  View<uint64_t> value;
  Edge Emit(VertexId u) const { return {u, u}; }
  bool Relax(VertexId v, uint64_t least) { return AtomicMin(value[v], least); }
};

#elif defined(wide_message)
//! wide_message: Emit: a message has at most 16 bytes
struct Program {
  using Monoid = Both<Sum<uint64_t>, Both<Sum<uint64_t>, Sum<uint64_t>>>;
  View<uint64_t> value;
  Monoid::Value Emit(VertexId u) const { return {value[u], {1, 1}}; }
  bool Apply(VertexId v, Monoid::Value sum) {
    value[v] = sum.first;
    return true;
  }
};

#elif defined(along_a_vertex)
//! along_a_vertex: Along: must be `Message Along(Message, const E&) const`
struct Program {
  using Monoid = Min<uint64_t>;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return value[u]; }
  uint64_t Along(uint64_t message, VertexId to) const { return message + to; }
  bool Relax(VertexId v, uint64_t least) { return AtomicMin(value[v], least); }
};

#elif defined(along_wide_weights)
//! along_wide_weights: WeightedEdge of int32_t, float or double
struct Program {
  using Monoid = Min<uint64_t>;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return value[u]; }
  uint64_t Along(uint64_t message, const WeightedEdge<int64_t>& edge) const {
    return message + static_cast<uint64_t>(edge.weight);
  }
  bool Relax(VertexId v, uint64_t least) { return AtomicMin(value[v], least); }
};

#elif defined(along_not_const)
//! along_not_const: Along: must be `Message Along(Message, const E&) const`
struct Program {
  using Monoid = Min<uint64_t>;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return value[u]; }
  uint64_t Along(uint64_t message, const Edge&) { return message + 1; }
  bool Relax(VertexId v, uint64_t least) { return AtomicMin(value[v], least); }
};

#elif defined(cond_returns_int)
//! cond_returns_int: Cond: must be `bool Cond(VertexId) const`
struct Program {
  using Monoid = AnyNumber;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return u; }
  int Cond(VertexId v) const { return value[v] == 0; }
  bool Apply(VertexId, uint64_t) { return true; }
};

#elif defined(cond_not_const)
//! cond_not_const: Cond: must be `bool Cond(VertexId) const`
struct Program {
  using Monoid = AnyNumber;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return u; }
  bool Cond(VertexId v) { return value[v] == 0; }
  bool Apply(VertexId, uint64_t) { return true; }
};

#elif defined(two_conds)
//! two_conds: Cond: must be `bool Cond(VertexId) const`
struct Program {
  using Monoid = AnyNumber;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return u; }
  bool Cond(const Edge& edge) const { return value[edge.to] == 0; }
  bool Cond(VertexId v, uint64_t) const { return value[v] == 0; }
  bool Apply(VertexId, uint64_t) { return true; }
};

#elif defined(relax_returns_nothing)
//! relax_returns_nothing: Relax: must be `bool Relax(VertexId, Value)`
struct Program {
  using Monoid = Min<uint64_t>;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return value[u]; }
  void Relax(VertexId v, uint64_t least) { AtomicMin(value[v], least); }
};

#elif defined(apply_without_sum)
//! apply_without_sum: Apply: must be `bool Apply(VertexId, Value)`
struct Program {
  using Monoid = Sum<uint64_t>;
  View<uint64_t> value;
  uint64_t Emit(VertexId) const { return 1; }
  bool Apply(VertexId v) {
    value[v] = 1;
    return true;
  }
};

#elif defined(neither_apply_nor_relax)
//! neither_apply_nor_relax: Apply or Relax: an edge program has at least one of them
struct Program {
  using Monoid = Sum<uint64_t>;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return value[u]; }
};

#elif defined(next_with_parameter)
//! next_with_parameter: Next: must be `void Next()`
struct Program {
  using Monoid = AnyNumber;
  View<uint64_t> value;
  uint64_t depth;
  uint64_t Emit(VertexId u) const { return u; }
  bool Apply(VertexId, uint64_t) { return true; }
  void Next(uint64_t more) { depth += more; }
};

#elif defined(no_priority)
//! no_priority: Priority: Bucketed needs `double Priority(VertexId) const`
#define RUN_BUCKETED
struct Program {
  using Monoid = Min<uint64_t>;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return value[u]; }
  bool Relax(VertexId v, uint64_t least) { return AtomicMin(value[v], least); }
};

#elif defined(priority_of_nothing)
//! priority_of_nothing: Priority: must be `double Priority(VertexId) const`
#define RUN_BUCKETED
struct Program {
  using Monoid = Min<uint64_t>;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return value[u]; }
  bool Relax(VertexId v, uint64_t least) { return AtomicMin(value[v], least); }
  double Priority() const { return 0; }
};

#elif defined(enough_without_sum)
//! enough_without_sum: Enough: must be `bool Enough(VertexId, Value) const`
struct Program {
  using Monoid = Sum<uint64_t>;
  View<uint64_t> value;
  uint64_t Emit(VertexId) const { return 1; }
  bool Apply(VertexId v, uint64_t sum) {
    value[v] = sum;
    return true;
  }
  bool Enough(VertexId v) const { return value[v] > 0; }
};

#elif defined(any_relaxes)
//! any_relaxes: Relax: a program whose Monoid is Any has Apply alone
struct Program {
  using Monoid = AnyNumber;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return u; }
  bool Relax(VertexId v, uint64_t first) { return CompareAndSet(value[v], 0, first); }
};

#elif defined(applies_to_all_and_relaxes)
//! applies_to_all_and_relaxes: kAppliesToAll: such a program has no Relax
struct Program {
  using Monoid = Min<uint64_t>;
  static constexpr bool kAppliesToAll = true;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return value[u]; }
  bool Relax(VertexId v, uint64_t least) { return AtomicMin(value[v], least); }
};

#elif defined(pointer_field)
//! pointer_field: a field must be a view or a number
struct Program {
  using Monoid = Min<uint64_t>;
  uint64_t* value;
  uint64_t Emit(VertexId u) const { return value[u]; }
  bool Relax(VertexId v, uint64_t least) { return AtomicMin(&value[v], least); }
};

#elif defined(array_field)
//! array_field: a field of a program or function is an array
struct Program {
  using Monoid = Min<uint64_t>;
  View<uint64_t> value;
  float limits[3];
  uint64_t Emit(VertexId u) const { return value[u]; }
  bool Relax(VertexId v, uint64_t least) { return AtomicMin(value[v], least); }
};

#elif defined(array_of_views)
//! array_of_views: a field of a program or function is an array
struct Program {
  using Monoid = Min<uint64_t>;
  View<uint64_t> values[20];
  uint64_t Emit(VertexId u) const { return values[0][u]; }
  bool Relax(VertexId v, uint64_t least) { return AtomicMin(values[1][v], least); }
};

#elif defined(array_of_one)
//! array_of_one: a field must be a view or a number: no pointer, array or class
struct Program {
  using Monoid = Min<uint64_t>;
  View<uint64_t> value;
  float limits[1];
  uint64_t Emit(VertexId u) const { return value[u]; }
  bool Relax(VertexId v, uint64_t least) { return AtomicMin(value[v], least); }
};

#elif defined(relax_narrows)
//! relax_narrows: Relax: its parameter does not hold every Value of the Monoid
struct Program {
  using Monoid = Min<double>;
  View<int> value;
  double Emit(VertexId u) const { return value[u]; }
  bool Relax(VertexId v, int least) { return AtomicMin(value[v], least); }
};

#elif defined(apply_narrows)
//! apply_narrows: Apply: its parameter does not hold every Value of the Monoid
struct Program {
  using Monoid = Sum<double, float>;
  View<float> value;
  float Emit(VertexId u) const { return value[u]; }
  bool Apply(VertexId v, const float& sum) {
    value[v] = sum;
    return true;
  }
};

#elif defined(enough_narrows)
//! enough_narrows: Enough: its parameter does not hold every Value of the Monoid
struct Program {
  using Monoid = Sum<uint64_t>;
  View<uint64_t> value;
  uint64_t Emit(VertexId) const { return 1; }
  bool Apply(VertexId v, uint64_t sum) {
    value[v] = sum;
    return true;
  }
  bool Enough(VertexId, uint32_t sum) const { return sum > 1; }
};

#elif defined(emit_narrows)
//! emit_narrows: Emit: the Monoid's Message does not hold all that it returns
struct Program {
  using Monoid = Min<uint32_t>;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return value[u]; }
  bool Relax(VertexId v, uint32_t least) { return AtomicMin(value[v], least); }
};

#elif defined(wider_parameters)
//! wider_parameters: compiles
struct Program {
  using Monoid = Both<Sum<uint32_t>, Max<uint32_t>>;
  View<uint64_t> value;
  Monoid::Value Emit(VertexId) const { return {1, 1}; }
  bool Relax(VertexId v, const Monoid::Value& sum) { return AtomicMin(value[v], sum.first); }
  bool Enough(VertexId, auto sum) const { return sum.second > 1; }
};

#elif defined(vector_field)
//! vector_field: must be an aggregate of views and numbers
struct Program {
  using Monoid = Min<uint64_t>;
  View<uint64_t> value;
  std::vector<uint64_t> limits;
  uint64_t Emit(VertexId u) const { return limits[u]; }
  bool Relax(VertexId v, uint64_t least) { return AtomicMin(value[v], least); }
};

#elif defined(reference_field)
//! reference_field: must be an aggregate of views and numbers
struct Program {
  using Monoid = Min<uint64_t>;
  View<uint64_t> value;
  uint64_t& count;
  uint64_t Emit(VertexId u) const { return value[u]; }
  bool Relax(VertexId v, uint64_t least) { return AtomicMin(value[v], least); }
};

#elif defined(constant_field)
//! constant_field: must be an aggregate of views and numbers
struct Program {
  using Monoid = Min<uint64_t>;
  View<uint64_t> value;
  const uint64_t most = 7;
  uint64_t Emit(VertexId u) const { return value[u]; }
  bool Relax(VertexId v, uint64_t least) { return AtomicMin(value[v], least); }
};

#elif defined(thirteen_fields)
//! thirteen_fields: has at most 12 fields
struct Program {
  using Monoid = Min<uint64_t>;
  View<uint64_t> value;
  double a, b, c, d, e, f, g, h, i, j, k, l;
  uint64_t Emit(VertexId u) const { return value[u]; }
  bool Relax(VertexId v, uint64_t least) { return AtomicMin(value[v], least); }
};

#elif defined(cond_writes)
//! cond_writes: value[v] = 1
struct Program {
  using Monoid = Min<uint64_t>;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return value[u]; }
  bool Cond(VertexId v) const {
    value[v] = 1;
    return true;
  }
  bool Relax(VertexId v, uint64_t least) { return AtomicMin(value[v], least); }
};

#elif defined(emit_takes)
//! emit_takes: Emit
struct Program {
  using Monoid = Sum<uint64_t>;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return AtomicExchange(value[u], 0); }
  bool Relax(VertexId v, uint64_t more) { return AtomicAdd(value[v], more) == 0; }
};

#else
#error "no such case"
#endif

struct ProgramState : State {
  using State::State;
  Programs<Program> programs{*this, kOut};
};

#if defined(RUN_BUCKETED)
StatusOr<FixpointTotals> Run(Engine& engine, const Program& program) {
  return engine.Bucketed(kOut, engine.sets().All(), program, 1.0);
}
#else
StatusOr<VertexSet> Run(Engine& engine, const Program& program) {
  return engine.EdgeMap(kOut, engine.sets().All(), program);
}
StatusOr<FixpointTotals> RunOn(Engine& engine, const Program& program) {
  return engine.Fixpoint(kOut, engine.sets().All(), program);
}
#endif

}  // namespace edgemill
