// Operators on a card, over graphs in memory: each graph's engine for one State at a time.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/gpu/workspace/gpu_needs.h"
#include "engine/plan/staging_memory.h"
#include "test/operator_testing.h"

namespace edgemill {

/// How a test has a card used.
struct CardSetting {
  GpuRunOptions gpu;
  bool min_staging = false;  // pinned memory for one block at a time
  /// How the CPU shares passes; nullopt: it does not.
  std::optional<HybridOptions> shares;
};

class CardFixture {
 public:
  CardFixture(const InMemoryGraph& graph, const OperatorSetting& setting, const CardSetting& card)
      : store_(graph), setting_(setting), card_(card), host_(graph, setting) {}

  uint64_t num_vertices() const { return host_.num_vertices(); }
  Recorder& recorder() { return host_.recorder(); }
  /// Allocates `state` and makes an engine for it, whose kernels are those of `file`. The engine
  /// must not outlive this, nor `state`.
  StatusOr<std::unique_ptr<Engine>> Start(State& state, std::string_view file) {
    RETURN_IF_ERROR(state.Allocate(host_.budget()));
    ASSIGN_OR_RETURN(gpu_, Gpu::Open(card_.gpu.gpu));
    needs_ =
        CardNeedsOf(state, store_, setting_.mode, setting_.async_passes, card_.shares.has_value());
    RETURN_IF_ERROR(FitCard(store_, card_.gpu, CardMemoryOf(*gpu_), &needs_));
    const bool weighted = needs_.swept.weighted;
    const uint64_t staging = card_.min_staging ? LeastStagingBytes(store_, weighted)
                                               : AmpleStagingBytes(store_, weighted, card_.gpu);
    run_.emplace(GpuRun{.gpu = *gpu_,
                        .options = card_.gpu,
                        .staging_bytes = staging - BookkeepingBytes(store_.info()),
                        .shared = card_.shares.has_value(),
                        .async_passes = setting_.async_passes});
    std::optional<Dispatcher> dispatcher;
    if (card_.shares.has_value()) {
      const LoadedGraph& graph = host_.graph();
      dispatcher.emplace(Dispatcher::Setting{.num_vertices = graph.num_vertices(),
                                             .num_edges = graph.num_edges(),
                                             .num_blocks = graph.num_blocks()},
                         BuiltInCalibration(), *card_.shares);
    }
    return MakeGpuEngine(
        host_.graph(), state, {.mode = setting_.mode, .async_passes = setting_.async_passes},
        CardRun{*run_, needs_, file, dispatcher.has_value() ? &*dispatcher : nullptr},
        host_.recorder());
  }

 private:
  const InMemoryGraph& store_;
  const OperatorSetting setting_;
  const CardSetting card_;
  OperatorFixture host_;
  CardNeeds needs_;
  std::unique_ptr<Gpu> gpu_;
  std::optional<GpuRun> run_;
};

}  // namespace edgemill
