// What an algorithm's file declares: its name and help, its state, its driver, its results, its
// verifier. The build finds the file; nothing else knows the algorithm.
#pragma once

#include <concepts>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/status.h"
#include "engine/api/engine.h"
#include "engine/api/run.h"
#include "engine/api/state.h"
#include "engine/graph/loaded_graph.h"
#include "storage/read/graph_store.h"

namespace edgemill {

struct GpuAlgorithm;

/// What is known of a run before anything is read: what a State depends on.
struct RunSetup {
  const GraphStore& store;
  const RunOptions& options;

  uint64_t num_vertices() const { return store.info().num_vertices; }
  int threads() const { return options.threads; }
};

/// A run's surroundings, as its driver sees them.
struct RunContext {
  const RunOptions& options;
  VertexId source;     // internal; kInvalidVertex for algorithms without one
  bool fits_in_cache;  // blocks stay in memory; else each pass reads them again
  Progress& progress;
};

/// A column of the answer: a value a vertex, by its internal id.
struct ResultColumn {
  std::string_view name;  // "level"
  ResultType type = ResultType::kCount;
  TopKind top = TopKind::kNone;
  uint32_t default_top = 0;
  /// The value of a vertex: of kReal `real`, of others `integer`. kUnreachedInteger, or infinity,
  /// where it has none.
  std::function<uint64_t(VertexId vertex)> integer;
  std::function<double(VertexId vertex)> real;
};
inline constexpr uint64_t kUnreachedInteger = ~uint64_t{0};

/// A column of numbers, a vertex each: whole ones, whose greatest means that a vertex has none, or
/// real ones, where infinity does.
template <typename T>
ResultColumn ValueColumn(std::string_view name, std::span<const T> values) {
  if constexpr (std::is_floating_point_v<T>) {
    return {.name = name,
            .type = ResultType::kReal,
            .top = TopKind::kValues,
            .real = [values](VertexId vertex) { return double{values[vertex]}; }};
  } else {
    return {.name = name, .top = TopKind::kValues, .integer = [values](VertexId vertex) {
              const T value = values[vertex];
              return value == std::numeric_limits<T>::max() ? kUnreachedInteger : uint64_t{value};
            }};
  }
}
template <typename T>
ResultColumn ValueColumn(std::string_view name, std::span<T> values) {
  return ValueColumn(name, std::span<const T>(values));
}
/// A column of vertices; kInvalidVertex where a vertex has none.
inline ResultColumn VertexColumn(std::string_view name, std::span<const VertexId> values,
                                 TopKind top = TopKind::kNone) {
  ResultColumn column = ValueColumn(name, values);
  column.type = ResultType::kId;
  column.top = top;
  return column;
}

/// What a driver leaves beside its arrays.
struct Answer {
  ResultColumn column;
  std::vector<ResultFact> facts;
  /// Passes over all edges that the method takes by definition, for edges/s; 0 counts as 1.
  uint64_t passes = 0;
};

/// An algorithm: its description, and plain functions. Those of state types are made from functions
/// on these by DriverOf and the like.
struct Algorithm {
  AlgorithmHelp help;
  /// Refuses options and graphs that the algorithm cannot take; null: none. UsageError.
  Status (*check)(const RunSetup& setup) = nullptr;
  std::unique_ptr<State> (*make_state)(const RunSetup& setup);
  Status (*run)(Engine& engine, State& state, const RunContext& context, Answer* answer);
  /// Adds the facts that take a pass over the answer, once the run's time has been taken; null:
  /// none do. With arrays of its own.
  Status (*describe)(Engine& engine, State& state, State& own, Answer* answer) = nullptr;
  std::unique_ptr<State> (*make_describe_state)(const RunSetup& setup) = nullptr;
  /// The verifier's arrays.
  std::unique_ptr<State> (*make_check_state)(const RunSetup& setup);
  /// Checks the answer by the definition, edge by edge, by PlainVisit alone. InternalError that
  /// says what is wrong, where.
  Status (*verify)(LoadedGraph& graph, State& state, State& check, const RunContext& context);
  const GpuAlgorithm* gpu = nullptr;  // null: on the CPU alone
};

namespace internal {

template <auto kFunction>
struct Typed;
template <typename S, Status (*kDriver)(Engine&, S&, const RunContext&, Answer*)>
struct Typed<kDriver> {
  static Status Call(Engine& engine, State& state, const RunContext& context, Answer* answer) {
    return kDriver(engine, static_cast<S&>(state), context, answer);
  }
};
template <typename S, typename C, Status (*kVerifier)(LoadedGraph&, S&, C&, const RunContext&)>
struct Typed<kVerifier> {
  static Status Call(LoadedGraph& graph, State& state, State& check, const RunContext& context) {
    return kVerifier(graph, static_cast<S&>(state), static_cast<C&>(check), context);
  }
};
template <typename S, typename D, Status (*kDescribe)(Engine&, S&, D&, Answer*)>
requires std::derived_from<D, State>
struct Typed<kDescribe> {
  static Status Call(Engine& engine, State& state, State& own, Answer* answer) {
    return kDescribe(engine, static_cast<S&>(state), static_cast<D&>(own), answer);
  }
};

}  // namespace internal

/// A driver, verifier or description with states of its own types, as Algorithm has them.
template <auto kFunction>
inline constexpr auto kTyped = &internal::Typed<kFunction>::Call;

template <typename S>
std::unique_ptr<State> MakeState(const RunSetup& setup) {
  return std::make_unique<S>(setup);
}

/// The registry; nullptr when there is no such algorithm.
const Algorithm* FindAlgorithm(std::string_view name);
const std::vector<const Algorithm*>& AllAlgorithms();

/// UsageError unless `value`, when set, is one of the algorithm's methods. Returns it, or the
/// default.
StatusOr<std::string> ChosenMethod(const Algorithm& algorithm, const RunOptions& options);

extern const Algorithm kBfs;
extern const Algorithm kCc;
extern const Algorithm kPageRank;
extern const Algorithm kSssp;

}  // namespace edgemill
