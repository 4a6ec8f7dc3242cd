#include "cli/algorithm_options.h"

#include <limits>

#include "cli/vertex_label.h"
#include "engine/cost/calibration_file.h"

namespace edgemill::cli {

void AlgorithmOptions::Declare(OptionSet& options) {
  constexpr uint64_t kMost32 = std::numeric_limits<uint32_t>::max();
  constexpr double kLargest = std::numeric_limits<double>::max();
  options.Section("The algorithm");
  options.Text("-r,--source", &source_, "ID",
               "where to start: the vertex's id or, where vertices have names, its name");
  options.Number("-i,--iterations", &iterations_, "N",
                 "how many iterations, at most (pagerank: 100)", 1, kMost32);
  options.Real("-t,--tolerance", &tolerance_, "X", "stop at an L1 change of X (default 1e-6)", 0,
               kLargest);
  options.Real("--damping", &damping_, "X", "PageRank's damping factor (default 0.85)", 0, 1);
  options.Choice("--dangling", &dangling_, {"spread", "drop"},
                 "what PageRank does with the rank of vertices without out-edges (default spread)");
  options.Real("--delta", &delta_, "X", "width of SSSP's buckets (default: by the mean weight)", 0,
               kLargest);
  options.Text("--method", &method_, "NAME", "one of the algorithm's methods (default: its first)");
  options.Flag("--parents", &parents_, "give a shortest path tree instead of levels");
  options.Section("The machine");
  options.Choice("--mode", &mode_, {"auto", "pull", "push", "notify-pull"},
                 "how messages move; auto, the default, chooses in each iteration");
  options.Flag("--sync", &sync_,
               "vertices that become active send in the next iteration (default)");
  options.Flag("--async", &async_,
               "vertices that become active send in the same iteration where their edges are at "
               "hand anyway: fewer bytes are read, or cross to a GPU, where neighbours lie near "
               "each other");
  options.Number("--async-passes", &async_passes_, "N",
                 "with --async: how often a block is passed over while it is at hand, at most "
                 "(default 16)",
                 1, 1'000'000);
  options.Choice(
      "--device", &device_, {"auto", "cpu", "gpu", "hybrid"},
      "where to run; auto takes a GPU where there is one that the run fits, and else says "
      "so; hybrid a CPU and a GPU together, iteration by iteration as is fastest");
  options.Real("--cpu-share", &cpu_share_, "X",
               "with --device hybrid: the share of each iteration's blocks that the CPU takes, "
               "instead of what measured times suggest",
               0, 1);
  options.Bytes("--gpu-memory", &gpu_memory_,
                "hard bound of memory on the GPU, such as 1GiB (default: nine tenths of what is "
                "free there)");
  options.Choice(
      "--transfer", &transfer_,
      {"auto", "resident", "filter", "compaction", "zero-copy", "managed"},
      "how edges get to the GPU: all kept there, copied whole each time, only what is "
      "wanted of them, read by the kernels across the link, in unified memory; or, auto, "
      "kept as far as they fit and else as is fastest");
  options.Choice("--cost-model", &cost_model_, {"calibrated", "hytgraph"},
                 "by what auto chooses: what this machine was measured to do, or HyTGraph's "
                 "published constants, for comparison");
  options.Text("--calibration", &calibration_, "FILE",
               "what edgemill calibrate measured (default: where it stores that)");
  options.Number("--streams", &streams_, "N", "batches of blocks on their way to the GPU at a time",
                 1, 64);
  options.Choice("--io", &io_, {"auto", "uring", "pread"}, "how to read the disks");
  options.Number("--queue-depth", &queue_depth_, "N", "reads under way at a time", 1, 1024);
}

Status AlgorithmOptions::FindSource(const GraphStore& store, Session& session,
                                    RunOptions* options) const {
  if (!options->source.has_value()) return OkStatus();
  ASSIGN_OR_RETURN(options->source, VertexCalled(source_, store, session));
  return OkStatus();
}

StatusOr<RunOptions> AlgorithmOptions::Take(const OptionSet& given, const Session& session) const {
  RunOptions options;
  if (given.Given("--source")) options.source = 0;
  if (given.Given("--iterations")) options.iterations = static_cast<uint32_t>(iterations_);
  if (given.Given("--tolerance")) options.tolerance = tolerance_;
  if (given.Given("--damping")) options.damping = damping_;
  if (given.Given("--delta")) options.delta = delta_;
  if (given.Given("--method")) options.method = method_;
  if (given.Given("--dangling")) {
    options.dangling = dangling_ == "drop" ? Dangling::kDrop : Dangling::kSpread;
  }
  options.parents = parents_;
  for (const Mode mode : {Mode::kAuto, Mode::kPull, Mode::kPush, Mode::kNotifyPull}) {
    if (ModeName(mode) == mode_) options.mode = mode;
  }
  if (sync_ && async_) return UsageError("--sync and --async exclude each other: give one");
  if (given.Given("--async-passes") && !async_) {
    return UsageError("--async-passes is for --async: give that too");
  }
  if (async_) options.async_passes = static_cast<uint32_t>(async_passes_);
  options.threads = session.threads();
  options.queue_depth = static_cast<uint32_t>(queue_depth_);
  if (io_ == "uring") options.io_engine = IoEngineKind::kUring;
  if (io_ == "pread") options.io_engine = IoEngineKind::kPread;
  options.device = device_ == "cpu"      ? Device::kCpu
                   : device_ == "gpu"    ? Device::kGpu
                   : device_ == "hybrid" ? Device::kHybrid
                                         : Device::kAuto;
  if (given.Given("--cpu-share")) {
    if (options.device != Device::kHybrid) {
      return UsageError("--cpu-share is for --device hybrid: give that too");
    }
    options.hybrid.cpu_share = cpu_share_;
  }
  for (const char* const name : {"--gpu-memory", "--transfer", "--cost-model", "--streams"}) {
    if (!given.Given(name)) continue;
    if (options.device == Device::kCpu) {
      return UsageError(StrCat(name, " is for a GPU: leave it or --device cpu out"));
    }
    options.asks_for_gpu = true;
  }
  options.gpu.gpu.memory_bytes = gpu_memory_;
  if (options.device != Device::kCpu || !calibration_.empty()) {
    ASSIGN_OR_RETURN(options.gpu.calibration, CalibrationForRun(calibration_));
  }
  if (CostModelName(CostModelKind::kHytgraph) == cost_model_) {
    options.gpu.cost_model = CostModelKind::kHytgraph;
  }
  options.gpu.streams = static_cast<uint32_t>(streams_);
  for (const Transfer transfer : {Transfer::kAuto, Transfer::kResident, Transfer::kFilter,
                                  Transfer::kCompaction, Transfer::kZeroCopy, Transfer::kManaged}) {
    if (TransferName(transfer) == transfer_) options.gpu.transfer = transfer;
  }
  return options;
}

}  // namespace edgemill::cli
