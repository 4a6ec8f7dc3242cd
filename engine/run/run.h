// The engine's public face: what to run, on which graph, within which means; and what came of it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "common/types.h"
#include "engine/api/answer.h"
#include "engine/api/options.h"
#include "engine/plan/dispatcher.h"
#include "engine/plan/gpu_run.h"
#include "engine/program/mode.h"
#include "engine/report/iteration_report.h"
#include "engine/report/result_type.h"
#include "engine/report/timeline.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// Where vertex programs run.
enum class Device {
  kAuto,  // on a GPU where there is one to use, else on the CPU
  kCpu,
  kGpu,
  kHybrid,  // on both, iteration by iteration as is fastest
};

/// Passes over a block in asynchronous runs.
inline constexpr uint32_t kAsyncPasses = 16;

/// How to run an algorithm. Options that it does not have are a UsageError.
struct RunOptions {
  std::string algorithm;
  /// The options that the algorithm declares. A source is in the input's ids; of vertices with
  /// names, their ranks.
  OptionValues values;
  /// How many of the greatest ranks, farthest vertices or largest components RunResult::top has;
  /// unset: the column's default_top.
  std::optional<uint32_t> top;
  /// Sets memory aside for LoadedNames where the answer's values are vertices with names: they will
  /// be written as these.
  bool names_values = false;
  Mode mode = Mode::kAuto;
  /// Asynchronous: vertices that become active send in the same iteration where their edges are at
  /// hand anyway, in so many passes over a block while it is here at most (kAsyncPasses is a good
  /// number); 0: in the next one.
  uint32_t async_passes = 0;
  Device device = Device::kCpu;
  bool asks_for_gpu = false;  // with kAuto: the options are ones for a GPU
  GpuRunOptions gpu;
  HybridOptions hybrid;  // Device::kHybrid
  int threads = 1;
  IoEngineKind io_engine = IoEngineKind::kAuto;
  uint32_t queue_depth = 32;
  bool verify = false;  // check the answer by its definition, apart from the engine's passes
  /// Run once before, untimed and uncounted, so that the cache is as an earlier run leaves it.
  bool warm = false;
};

/// One vertex's answer: of ResultType::kReal in `real`, else in `integer`; ids are input ids.
struct VertexValue {
  ExternalId id = 0;
  bool reached = true;
  uint64_t integer = 0;
  double real = 0;
};

/// The account of a run. Seconds are wall-clock.
struct RunReport {
  std::vector<IterationReport> iterations;
  uint64_t num_iterations = 0;  // may exceed iterations.size(): see Recorder
  uint32_t async_passes = 0;    // RunOptions'
  double load_seconds = 0;      // reading the indexes, making a GPU ready
  double run_seconds = 0;       // the iterations
  PhaseTimes times;             // where the threads' time went in it, set-up of a GPU included
  double verify_seconds = 0;
  uint64_t bytes_read = 0;
  uint64_t reads = 0;
  uint64_t edges_processed = 0;  // that were visited, in all iterations
  /// What edges_per_second is of: the edges of what a search reached, of undirected graphs each
  /// once (Graph500); else the graph's, times the iterations of those that pass over all in each.
  uint64_t edges_counted = 0;
  double edges_per_second = 0;  // by run_seconds
  uint64_t least_budget_bytes = 0;
  uint64_t peak_resident_bytes = 0;
  std::string io_engine;
  std::string gpu;           // its name; empty when none was used
  std::string gpu_fallback;  // why auto took the CPU
  /// That is worth telling: the user asked for a GPU's memory or the like, or the machine has one.
  bool gpu_missed = false;
  uint64_t gpu_memory_bytes = 0;  // its bound
  uint64_t peak_gpu_bytes = 0;
  /// Whether a neighbour of each vertex is kept on a GPU; or would be of use where all edges are
  /// there, and there is no room.
  bool keeps_neighbors = false;
  bool misses_neighbors = false;
  uint64_t link_bytes = 0;     // to the GPU
  std::string cost_model;      // its name; empty without a GPU
  std::string calibration;     // where its figures are from
  TransferAccounts transfers;  // of all iterations
  Timeline timeline;           // on a GPU
};

/// One of the vertices of greatest value, or of the largest components: its input id, and its rank,
/// level, distance or number of vertices.
struct TopEntry {
  ExternalId id = 0;
  std::variant<uint64_t, double> value;
  bool operator==(const TopEntry&) const = default;
};

/// A finished run's answers, in memory. The ids of vertices with names are their ranks. Keeps the
/// reader for the columns of ids and names; the store and budget given to Run must outlive it.
class RunResult {
 public:
  virtual ~RunResult() = default;
  virtual ResultType type() const = 0;
  /// What the values are: "level".
  virtual std::string_view value_name() const = 0;
  /// What top() has.
  virtual TopKind top_kind() const = 0;
  virtual uint64_t num_vertices() const = 0;
  /// Calls `visit` with runs of answers, rising in input id over all calls, each vertex once. Reads
  /// the id columns of graphs with sparse or renumbered ids. Stops at the visitor's first error.
  using Visitor = std::function<Status(std::span<const VertexValue> values)>;
  virtual Status Visit(const Visitor& visit) = 0;
  /// What the summary says, in order.
  virtual const std::vector<ResultFact>& facts() const = 0;
  /// What makes the answer say less than was hoped for.
  virtual const std::vector<std::string>& warnings() const = 0;
  /// Whether values came to the tolerance that was asked for, if any; else warnings() says so.
  virtual bool settled() const = 0;
  /// The one that makes the run's time say little of the algorithm, or nothing.
  virtual const std::string& no_measure() const = 0;
  virtual const RunReport& report() const = 0;
  /// As many as RunOptions::top asks for, the greatest value first, of equal ones the least id.
  virtual const std::vector<TopEntry>& top() const = 0;
  /// For names of the vertices in the answer (NameDictionary).
  virtual BlockReader& reader() = 0;
};

/// How Run gets its reader; tests give one over memory.
using ReaderFactory = std::function<StatusOr<std::unique_ptr<BlockReader>>(
    const GraphStore& store, const BlockReaderOptions& options, MemoryBudget& budget)>;

/// The least --memory with which `options` can run on `store`, in bytes: the process's share, what
/// `budget` has reserved already (the open catalog), index, state and the smallest buffers. From
/// counts alone; reads nothing. On the CPU, Mode::kAuto is taken for the one of them that needs the
/// least, as a run does which has no more. With a GPU's buffers for Device::kGpu and kHybrid. The
/// errors of a run that cannot start: UsageError for an unknown algorithm, an option that it does
/// not have or a column that the graph lacks.
StatusOr<uint64_t> LeastBudget(const GraphStore& store, RunOptions options,
                               const MemoryBudget& budget);

/// Whether there is a GPU for `options`, with the memory that a run on `store` takes at least:
/// GpuError and BudgetError as those of Run. Ok where no GPU is asked for.
Status CheckGpu(const GraphStore& store, const RunOptions& options, const MemoryBudget& budget,
                Progress& progress);

/// Runs an algorithm. Reads of the graph what it needs, keeps blocks in what `budget` has left
/// beyond index and state. Errors: those of LeastBudget; BudgetError with the least workable
/// number; UsageError for a source that is no vertex; BadDataError for a damaged block, by its
/// name; IoError; CancelledError. There is no answer then.
StatusOr<std::unique_ptr<RunResult>> Run(const GraphStore& store, const RunOptions& options,
                                         MemoryBudget& budget, Progress& progress,
                                         const ReaderFactory& make_reader = BlockReader::Create);

/// Whether the algorithm, as `options` have it run, may take RunOptions::async_passes.
bool MayRunAsynchronously(const RunOptions& options);

}  // namespace edgemill
