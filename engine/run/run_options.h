// How an algorithm is to be run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/api/options.h"
#include "engine/checkpoint/checkpoint_options.h"
#include "engine/plan/dispatcher.h"
#include "engine/plan/gpu_run.h"
#include "engine/program/mode.h"
#include "storage/read/block_reader.h"

namespace edgemill {

/// Where vertex programs run.
enum class Device {
  kAuto,  // on a GPU where there is one to use, else on the CPU
  kCpu,
  kGpu,
  kHybrid,  // on both, as is fastest in each iteration
};

/// The usual limit of passes over a block in asynchronous runs.
inline constexpr uint32_t kAsyncPasses = 16;

/// A reader that runs on one open graph share. `reader` is on the run's store, and outlives the
/// run.
struct SharedReader {
  BlockReader* reader = nullptr;  // null: the run makes a reader of its own
  uint64_t cache_bytes = 0;       // of its cache
};

/// How to run an algorithm. UsageError for options that the algorithm does not have.
struct RunOptions {
  std::string algorithm;
  /// The options that the algorithm declares. A source is an input id or, where vertices have
  /// names, a rank.
  OptionValues values;
  Mode mode = Mode::kAuto;
  /// The most passes over a block while it is in memory, in an asynchronous run (kAsyncPasses is a
  /// good number). Vertices that become active then send in the same iteration where their edges
  /// are in memory. 0: vertices send in the next iteration. Nullopt: the plan decides (RunPlan).
  std::optional<uint32_t> async_passes = {};
  /// With Mode::kAuto: pull where active vertices have more than this share of all edges, as Garaph
  /// does. Nullopt: the engine compares predicted seconds.
  std::optional<double> pull_threshold = {};
  Device device = Device::kCpu;
  GpuRunOptions gpu;
  HybridOptions hybrid;  // Device::kHybrid
  int threads = 1;
  /// On the CPU, blocks come from here. Its memory is not part of the run's budget.
  SharedReader shared_reader;
  IoEngineKind io_engine = IoEngineKind::kAuto;
  uint32_t queue_depth = 32;
  /// Bytes of the budget that the caller takes for the answer, once the indexes and what passes
  /// need have been freed.
  uint64_t writing_bytes = 0;
  bool verify = false;  // check the answer by its definition, apart from the engine's passes
  /// Not for runs that are `warm`.
  CheckpointOptions checkpoints;
  /// Run once before, without timing and counting, so that the cache is as an earlier run leaves
  /// it.
  bool warm = false;
};

}  // namespace edgemill
