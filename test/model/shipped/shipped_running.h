// Runs shipped algorithms on the model in all modes, and on the engine in all settings. Both must
// give right answers, and the verifier of the algorithm must accept them.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/api/algorithm.h"
#include "engine/model/model_engine.h"
#include "test/model/engine_running.h"
#include "test/model/shipped/shipped.h"
#include "test/model/textbook.h"

namespace edgemill::model {

/// The algorithm and the options of a run.
struct ShippedRun {
  std::string_view file;  // name of a file in engine/algorithms
  OptionValues values = {};
  std::vector<VertexId> sources = {};  // different vertices
};

inline std::string NameOf(const ShippedRun& run) {
  std::string name(run.file);
  for (const auto& [option, value] : run.values.entries())
    name += StrCat(" ", option, " ", value.Text());
  for (const VertexId source : run.sources) name += StrCat(" --source ", source);
  return name;
}

/// The case without duplicates and loops, with weights from 1 to 3.
inline StoredCase WithoutDuplicates(const StoredCase& c) {
  const Graph simple = textbook::SimpleGraph(c.plain.graph);
  std::vector<InputEdge> edges(simple.input().begin(), simple.input().end());
  for (size_t i = 0; i < edges.size(); ++i) {
    edges[i].weight = static_cast<double>(1 + (edges[i].from + 2 * edges[i].to + i) % 3);
  }
  Graph graph(simple.num_vertices(), std::move(edges), simple.directed());
  TestGraphOptions options;
  options.weights = c.stored->info().weights;
  auto stored = Stored(graph, options);
  return {{c.plain.name + ", without duplicates", std::move(graph)}, std::move(stored)};
}

/// One value for each vertex. Infinity stands for no value.
using ShippedValues = std::vector<double>;

/// Runs on the engine that `make_engine(state)` returns for a state after its allocation.
template <typename E, typename MakeEngine>
StatusOr<ShippedValues> RunShipped(const ShippedRun& run, LoadedGraph& graph, int threads,
                                   MakeEngine make_engine) {
  const Shipped<E> shipped = FindShipped<E>(run.file);
  OptionValues values = run.values;
  if (!run.sources.empty()) {
    values.Set("--source", InputVertices{{run.sources.begin(), run.sources.end()}});
  }
  const RunSetup setup{graph.info(), values, threads};
  const std::unique_ptr<State> state = shipped.make_state(setup);
  ASSIGN_OR_RETURN(const std::unique_ptr<E> engine, make_engine(*state));
  Progress progress;
  const RunContext context{run.sources.empty() ? kInvalidVertex : run.sources[0],
                           /*fits_in_cache=*/true, progress, run.sources};
  Answer answer;
  RETURN_IF_ERROR(shipped.run(*engine, *state, context, &answer));
  if (!violation.empty()) return InternalError(violation);
  const std::unique_ptr<State> check = shipped.make_check(setup);
  MemoryBudget budget(uint64_t{64} << 20);
  RETURN_IF_ERROR(check->Allocate(budget));
  RETURN_IF_ERROR(shipped.verify(graph, *state, *check, context));
  ShippedValues of_vertices;
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    if (answer.integer == nullptr) {
      of_vertices.push_back(answer.real(v));
    } else {
      const uint64_t value = answer.integer(v);
      of_vertices.push_back(value == kUnreachedInteger ? std::numeric_limits<double>::infinity()
                                                       : static_cast<double>(value));
    }
  }
  return of_vertices;
}

/// Runs on the model, with the sets that the state declares and those of the engine's passes.
inline StatusOr<ShippedValues> RunOnModel(const StoredCase& c, const ShippedRun& run,
                                          const Mode& mode) {
  OperatorFixture fixture(*c.stored, {});
  return RunShipped<Engine>(
      run, fixture.graph(), 1, [&](State& state) -> StatusOr<std::unique_ptr<Engine>> {
        RETURN_IF_ERROR(state.Allocate(fixture.budget()));
        return std::make_unique<Engine>(c.plain.graph, mode, state.max_sets() + kSetsOfPasses,
                                        &fixture.graph());
      });
}

/// The same with a journal: records, or goes on from a boundary.
inline StatusOr<ShippedValues> RunOnModel(const StoredCase& c, const ShippedRun& run,
                                          const Mode& mode, Replay& replay) {
  OperatorFixture fixture(*c.stored, {});
  const auto values = RunShipped<Engine>(
      run, fixture.graph(), 1, [&](State& state) -> StatusOr<std::unique_ptr<Engine>> {
        RETURN_IF_ERROR(state.Allocate(fixture.budget()));
        auto engine = std::make_unique<Engine>(c.plain.graph, mode,
                                               state.max_sets() + kSetsOfPasses, &fixture.graph());
        replay.Attach(state, engine->sets());
        engine->Keep(replay);
        return engine;
      });
  if (values.ok() && !replay.came_to_the_end()) {
    return InternalError("the driver ends before the boundary from which it was to go on");
  }
  return values;
}

inline StatusOr<ShippedValues> RunOnEngine(const StoredCase& c, const ShippedRun& run,
                                           const OperatorSetting& setting) {
  AccessGuard::handler() = RecordViolation;
  violation.clear();
  OperatorFixture fixture(*c.stored, setting);
  return RunShipped<edgemill::Engine>(run, fixture.graph(), setting.threads,
                                      [&](State& state) { return fixture.Start(state); });
}

/// Runs on the engine, and on the model if the graph is small. `check(values)` returns an empty
/// string for right values.
template <typename Check>
void ExpectShipped(const StoredCase& c, const ShippedRun& run, Check check) {
  static std::mt19937_64 random(3);
  const auto expect = [&](const StatusOr<ShippedValues>& values, const std::string& where) {
    const std::string wrong =
        values.ok() ? check(*values) : "error: " + std::string(values.status().message());
    if (!wrong.empty())
      ADD_FAILURE() << NameOf(run) << " on " << c.plain.name << ": " << wrong << "; " << where;
    return wrong.empty();
  };
  const bool is_small = c.plain.graph.num_vertices() <= 100;
  for (Mode mode : is_small ? Modes() : std::vector<Mode>()) {
    mode.seed = random() % 100000;
    if (!expect(RunOnModel(c, run, mode), "on the model, " + NameOf(mode))) return;
  }
  for (OperatorSetting setting : Settings()) {
    if (is_small && random() % 2 != 0) continue;
    setting.shuffle_seed = random() % 100;
    if (random() % 4 == 0) setting.spare_bytes = 0;
    const StatusOr<ShippedValues> values = RunOnEngine(c, run, setting);
    if (CannotPush(values, setting.mode)) continue;
    if (!expect(values, "on the engine, " + NameOf(setting))) return;
  }
}

}  // namespace edgemill::model
