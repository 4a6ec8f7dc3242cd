// Runs algorithms, spoils their answers, and asks their verifiers.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/api/algorithm.h"
#include "engine/graph/id_map.h"
#include "engine/run/make_engine.h"
#include "engine/run/run_plan.h"

namespace edgemill::verification {

inline constexpr uint32_t kNone = kInvalidVertex;
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// An algorithm on a loaded graph. Gives the right answer, and the verdict of the verifier on
/// others.
class Verification {
 public:
  Verification(const GraphStore& store, BlockReader& reader, RunOptions options)
      : options_(std::move(options)),
        setup_{store.info(), options_.values, options_.threads},
        algorithm_(*FindAlgorithm(options_.algorithm)) {
    options_.threads = 2;
    const PreparedRun run(algorithm_, store, options_);
    const RunPlan plan = CountRun(run, budget_, Processors::kCpu, AskedPasses(options_));
    auto graph = LoadedGraph::Load({store, reader, 2, budget_, progress_}, plan.needs.graph);
    CHECK(graph.ok());
    graph_ = std::move(*graph);
    for (const ExternalId id : options_.values.sources()) {
      sources_.push_back(*IdMap(store, reader).Find(id));
      source_ = sources_[0];
    }
  }

  VertexId source() const { return source_; }
  LoadedGraph& graph() const { return *graph_; }
  std::unique_ptr<State> Run() const { return RunFrom(source_); }
  std::unique_ptr<State> RunFrom(VertexId source) const {
    Recorder recorder(*graph_);
    std::unique_ptr<State> state = algorithm_.driver.make_state(setup_);
    CHECK(state->Allocate(graph_->budget()).ok());
    PassOptions passes;
    passes.list_bytes = ListMemoryOf(graph_->info(), graph_->threads(), /*arcs=*/true).whole;
    const auto engine = MakeCpuEngine(*graph_, *state, passes, recorder);
    CHECK(engine.ok());
    Answer answer;
    CHECK(algorithm_.driver.run(**engine, *state, Context(source), &answer).ok());
    return state;
  }
  Status Verify(State& state) const {
    const std::unique_ptr<State> check = algorithm_.verifier.make_state(setup_);
    RETURN_IF_ERROR(check->Allocate(graph_->budget()));
    return algorithm_.verifier.run(*graph_, state, *check, Context(source_));
  }

 private:
  RunContext Context(VertexId source) const { return {source, true, graph_->progress(), sources_}; }

  RunOptions options_;
  const RunSetup setup_;
  const Algorithm& algorithm_;
  MemoryBudget budget_{uint64_t{256} << 20};
  Progress progress_;
  std::unique_ptr<LoadedGraph> graph_;
  VertexId source_ = kInvalidVertex;  // the first
  std::vector<VertexId> sources_;
};

/// Damages a right answer in many ways, and restores it each time. T is the type of the values.
template <typename T>
class Spoiler {
 public:
  /// `array` is the name of the array that holds the values.
  Spoiler(const Verification& verification, std::string_view array)
      : verification_(verification), state_(verification.Run()), values_(state_->Find<T>(array)) {
    right_.assign(values_.begin(), values_.end());
    const Status status = verification_.Verify(*state_);
    EXPECT_TRUE(status.ok()) << "the right answer: " << status.message();
  }

  const std::vector<T>& right() const { return right_; }

  /// The verifier must refuse the answer that `spoil` has changed, unless it is still the same.
  void Refused(const std::string& name, const std::function<void(std::span<T> values)>& spoil) {
    spoil(values_);
    const bool spoilt = std::memcmp(values_.data(), right_.data(), values_.size_bytes()) != 0;
    if (spoilt) {
      ++num_spoilt_;
      EXPECT_EQ(Code::kInternal, verification_.Verify(*state_).code()) << name;
    }
    std::copy(right_.begin(), right_.end(), values_.begin());
  }
  /// The verifier must refuse each value of `wrong` in the place of one right value.
  void RefusedAt(VertexId vertex, std::initializer_list<T> wrong) {
    for (const T value : wrong) {
      Refused(StrCat("vertex ", vertex, ": ", value, " for ", right_[vertex]),
              [&](std::span<T> values) { values[vertex] = value; });
    }
  }
  /// The verifier must refuse an answer after `change` of every value for which `applies` is true.
  void RefusedWhere(const std::string& name, const std::function<bool(T value)>& applies,
                    const std::function<T(T value)>& change) {
    Refused(name, [&](std::span<T> values) {
      for (T& value : values) {
        if (applies(value)) value = change(value);
      }
    });
  }
  uint64_t num_spoilt() const { return num_spoilt_; }

 private:
  const Verification& verification_;
  const std::unique_ptr<State> state_;
  const std::span<T> values_;
  std::vector<T> right_;
  uint64_t num_spoilt_ = 0;
};

/// The vertices at which single faults are tried: all of small graphs, and some of others. With
/// EDGEMILL_TEST_ALL there are more.
inline std::vector<VertexId> Places(size_t num_vertices) {
  const size_t num_places = std::getenv("EDGEMILL_TEST_ALL") != nullptr ? 40 : 12;
  std::vector<VertexId> places;
  const size_t step = num_vertices / num_places + 1;
  for (size_t vertex = 0; vertex < num_vertices; vertex += step) {
    places.push_back(static_cast<VertexId>(vertex));
  }
  return places;
}

}  // namespace edgemill::verification
