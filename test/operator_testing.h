// Running operators on a graph in memory.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "engine/compile/for_cpu.h"
#include "engine/plan/staging_memory.h"
#include "engine/run/make_engine.h"
#include "test/engine_testing.h"
#include "test/graphs/in_memory_graph.h"

namespace edgemill {

/// The options with which a test runs operators.
struct OperatorSetting {
  Mode mode = Mode::kAuto;
  int threads = 1;
  uint32_t async_passes = 0;
  uint64_t shuffle_seed = 1;
  uint64_t spare_bytes = uint64_t{1} << 20;  // memory for sampled neighbours
  bool from_disk = false;                    // the engine takes lists to be on disk
  bool sub_csrs = false;                     // pushes take SubCSRs
  /// The share of the memory in which all lists of an Intersect fit; at least what works.
  double list_share = 1;
};

/// A graph in memory, and an engine that runs on it with one State at a time.
class OperatorFixture {
 public:
  OperatorFixture(const InMemoryGraph& graph, const OperatorSetting& setting)
      : setting_(setting), reader_(graph, setting.shuffle_seed) {
    const bool has_in = graph.has(ColumnKind::kInOffsets);
    auto loaded =
        LoadedGraph::Load({graph, reader_, setting.threads, budget_, progress_},
                          {.out_index = graph.has(ColumnKind::kOutOffsets), .in_index = has_in});
    CHECK(loaded.ok());
    graph_ = std::move(*loaded);
    graph_->neighbor_memory().SetSpare(setting.spare_bytes, setting.from_disk);
    recorder_.emplace(*graph_);
  }

  LoadedGraph& graph() { return *graph_; }
  Recorder& recorder() { return *recorder_; }
  MemoryBudget& budget() { return budget_; }
  uint64_t num_vertices() const { return graph_->num_vertices(); }
  /// Allocates `state` and makes an engine for it.
  StatusOr<std::unique_ptr<Engine>> Start(State& state) {
    RETURN_IF_ERROR(state.Allocate(budget_));
    return Make(state);
  }
  /// Makes an engine for drivers that allocate their state themselves. `state` has the same type.
  StatusOr<std::unique_ptr<Engine>> Make(const State& state) {
    PassOptions options{.mode = setting_.mode, .async_passes = setting_.async_passes};
    if (state.intersects().has_value()) {
      const ListMemory lists = ListMemoryOf(graph_->info(), setting_.threads, /*arcs=*/true);
      options.list_bytes =
          lists.least + static_cast<uint64_t>(setting_.list_share *
                                              static_cast<double>(lists.whole - lists.least));
    }
    if (setting_.sub_csrs) {
      options.sub_csr_bytes =
          SubCsrPartsBytes(graph_->info(), /*with_weights=*/true, setting_.threads);
    }
    return MakeCpuEngine(*graph_, state, options, *recorder_);
  }

 private:
  const OperatorSetting setting_;
  MemoryBudget budget_{uint64_t{256} << 20};
  Progress progress_;
  InMemoryReader reader_;
  std::unique_ptr<LoadedGraph> graph_;
  std::optional<Recorder> recorder_;
};

}  // namespace edgemill
