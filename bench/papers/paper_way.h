// The ways in which figures of the papers run algorithms.
#pragma once

#include <optional>
#include <string_view>

#include "bench/rivals/raw_run.h"
#include "engine/run/run_options.h"

namespace edgemill::bench {

/// One way to run an algorithm: with Edgemill, or with a plain version of a rival's engine.
struct PaperWay {
  std::string_view name;  // unique
  /// Sets how Edgemill runs; null for a rival's engine.
  void (*set)(RunOptions* options) = nullptr;
  RawEngine raw = RawEngine::kInMemory;  // the rival's engine
  bool cold = false;                     // the cache of blocks starts empty
  uint32_t edge_bytes = 4;               // of neighbours that rivals' zero-copy reads
  ShardTuning shards = {};               // of Garaph's shards

  bool is_raw() const { return set == nullptr; }
  /// The rival's engine, as it is tuned.
  RawChoice choice() const { return {.engine = raw, .shards = shards}; }
  bool uses_gpu() const {
    if (is_raw()) return true;
    RunOptions options;
    set(&options);
    return options.device != Device::kCpu;
  }
};

namespace ways {

template <Mode kMode>
void SetCpu(RunOptions* options) {
  options->device = Device::kCpu;
  options->async_passes = 0;
  options->mode = kMode;
}

/// On a GPU. Edges come by kTransfer where they do not fit; vertices may send in the iteration in
/// which they became active if kAsync.
template <Transfer kTransfer, CostModelKind kModel = CostModelKind::kCalibrated,
          bool kAsync = false>
void SetGpu(RunOptions* options) {
  options->device = Device::kGpu;
  options->gpu.transfer = kTransfer;
  options->gpu.cost_model = kModel;
  options->async_passes = kAsync ? kAsyncPasses : 0;
}

/// HyTGraph without its task combining: each block is a task of its own.
inline void SetUncombined(RunOptions* options) {
  SetGpu<Transfer::kAuto, CostModelKind::kHytgraph>(options);
  options->gpu.combines = false;
}

/// What was loaded is passed over once more. With kOrdered, blocks whose vertices contribute most
/// go first: by pending change in PageRank, hubs first elsewhere, as in HyTGraph's section VI.
template <bool kOrdered>
void SetOnceMore(RunOptions* options) {
  SetGpu<Transfer::kAuto, CostModelKind::kHytgraph>(options);
  options->async_passes = 2;
  if (!kOrdered) return;
  options->gpu.priority =
      options->algorithm == "pagerank" ? BlockPriority::kDelta : BlockPriority::kHub;
}

template <Mode kMode>
void SetResident(RunOptions* options) {
  SetGpu<Transfer::kResident>(options);
  options->mode = kMode;
}

/// With a report for each pass.
template <Mode kMode>
void SetSinglePasses(RunOptions* options) {
  SetResident<kMode>(options);
  options->gpu.loops = false;
}

template <PullKernel kKernel>
void SetKernel(RunOptions* options) {
  SetResident<Mode::kPull>(options);
  options->gpu.kernel = kKernel;
}

inline void SetHybrid(RunOptions* options) {
  options->device = Device::kHybrid;
  options->async_passes = 0;
}

// All edges in memory, on the CPU.
inline constexpr PaperWay kCpu{"CPU", SetCpu<Mode::kAuto>};
inline constexpr PaperWay kCpuPull{"CPU pull", SetCpu<Mode::kPull>};
inline constexpr PaperWay kCpuPush{"CPU push", SetCpu<Mode::kPush>};
inline constexpr PaperWay kCpuNotifyPull{"CPU notify-pull", SetCpu<Mode::kNotifyPull>};
inline constexpr PaperWay kCpuFromDisk{
    .name = "CPU, from disk", .set = SetCpu<Mode::kAuto>, .cold = true};
// All edges in the GPU's memory.
inline constexpr PaperWay kResident{"resident", SetResident<Mode::kAuto>};
inline constexpr PaperWay kResidentPull{"resident pull", SetResident<Mode::kPull>};
inline constexpr PaperWay kResidentPush{"resident push", SetResident<Mode::kPush>};
inline constexpr PaperWay kResidentLists{"resident by lists", SetKernel<PullKernel::kLists>};
inline constexpr PaperWay kResidentDense{"resident by cells", SetKernel<PullKernel::kDense>};
inline constexpr PaperWay kSinglePushes{"single pushes", SetSinglePasses<Mode::kPush>};
inline constexpr PaperWay kSinglePulls{"single pulls", SetSinglePasses<Mode::kPull>};
inline constexpr PaperWay kSinglePasses{"single passes", SetSinglePasses<Mode::kAuto>};
inline constexpr PaperWay kHybrid{"hybrid", SetHybrid};
inline constexpr PaperWay kHybridFromDisk{
    .name = "hybrid, from disk", .set = SetHybrid, .cold = true};
// Edges in the host's memory, but for those that fit in bounded memory on the GPU.
inline constexpr PaperWay kAuto{"auto", SetGpu<Transfer::kAuto>};
inline constexpr PaperWay kHytgraph{"hytgraph", SetGpu<Transfer::kAuto, CostModelKind::kHytgraph>};
inline constexpr PaperWay kHytgraphUncombined{"hytgraph uncombined", SetUncombined};
inline constexpr PaperWay kHytgraphOnceMore{"hytgraph once more", SetOnceMore<false>};
inline constexpr PaperWay kHytgraphOrdered{"hytgraph ordered", SetOnceMore<true>};
inline constexpr PaperWay kFilter{"filter", SetGpu<Transfer::kFilter>};
inline constexpr PaperWay kCompaction{"compaction", SetGpu<Transfer::kCompaction>};
inline constexpr PaperWay kCompactionAsync{
    "compaction async", SetGpu<Transfer::kCompaction, CostModelKind::kCalibrated, true>};
inline constexpr PaperWay kZeroCopy{"zero-copy", SetGpu<Transfer::kZeroCopy>};
// Plain versions of rivals, on raw CSR in the host's memory.
inline constexpr PaperWay kRawPages{.name = "whole pages", .raw = RawEngine::kWholePages};
inline constexpr PaperWay kRawKeptPages{.name = "kept pages", .raw = RawEngine::kKeptPages};
inline constexpr PaperWay kRawSubwayAsync{.name = "Subway async", .raw = RawEngine::kSubCsrAsync};
inline constexpr PaperWay kRawSubway{.name = "Subway", .raw = RawEngine::kSubCsr};
inline constexpr PaperWay kRawEmogiStrided{.name = "EMOGI strided",
                                           .raw = RawEngine::kZeroCopyStrided};
inline constexpr PaperWay kRawEmogiMerged{.name = "EMOGI merged",
                                          .raw = RawEngine::kZeroCopyMerged};
inline constexpr PaperWay kRawEmogiWide{
    .name = "EMOGI, 8-byte edges", .raw = RawEngine::kZeroCopy, .edge_bytes = 8};
inline constexpr PaperWay kRawEmogi{.name = "EMOGI", .raw = RawEngine::kZeroCopy};
// Plain versions of papers' kernels, on raw CSR in the GPU's memory.
inline constexpr PaperWay kRawSparse{.name = "MultiGraph sparse", .raw = RawEngine::kSparse};
inline constexpr PaperWay kRawShards{.name = "Garaph shards", .raw = RawEngine::kShards};
/// Edges by target, as in the paper, with so many copies of each value; 0: customised.
constexpr PaperWay ShardsByTarget(std::string_view name, uint32_t copies) {
  return {.name = name, .raw = RawEngine::kShards, .shards = {.copies = copies, .by_target = true}};
}
inline constexpr PaperWay kRawShards1 = ShardsByTarget("Garaph shards, 1 copy", 1);
inline constexpr PaperWay kRawShards2 = ShardsByTarget("Garaph shards, 2 copies", 2);
inline constexpr PaperWay kRawShards4 = ShardsByTarget("Garaph shards, 4 copies", 4);
inline constexpr PaperWay kRawShards8 = ShardsByTarget("Garaph shards, 8 copies", 8);
inline constexpr PaperWay kRawShards16 = ShardsByTarget("Garaph shards, 16 copies", 16);
inline constexpr PaperWay kRawShards32 = ShardsByTarget("Garaph shards, 32 copies", 32);
inline constexpr PaperWay kRawShardsCustom = ShardsByTarget("Garaph shards, by target", 0);

}  // namespace ways
}  // namespace edgemill::bench
