// Makes one IterationReport for each iteration from the counters of the graph and the reader.
#pragma once

#include <optional>
#include <vector>

#include "common/clock.h"
#include "common/thread_times.h"
#include "engine/graph/loaded_graph.h"
#include "engine/report/gpu_preparation.h"
#include "engine/report/iteration_report.h"
#include "engine/report/timeline.h"

namespace edgemill {

/// Keeps the reports of a run's iterations. Each of the first kMaxIterations has its own report.
/// Later ones are added to the last report, so that a million levels do not fill memory.
class Recorder {
 public:
  static constexpr size_t kMaxIterations = 10'000;
  static constexpr size_t kMaxSmall = 256;
  static constexpr EdgeIndex kSmallEdges = 4096;

  explicit Recorder(LoadedGraph& graph) : graph_(graph) {}

  /// Starts an iteration, or another pass that has its own line in reports. To measure a small
  /// iteration takes longer than the iteration itself. So after kMaxSmall reports, consecutive
  /// small iterations share one report.
  void Start(Mode mode, uint64_t active_vertices, EdgeIndex active_edges);
  /// Counts `blocks` that the CPU visits in the current iteration.
  void AddBlocks(uint64_t blocks) {
    current_.blocks += blocks;
    current_.cpu_blocks += blocks;
  }
  /// Counts edges that are visited in the current iteration.
  void AddEdges(EdgeIndex edges) { current_.edges += edges; }
  /// Counts edges that a GPU visits in the current iteration in another form than blocks.
  void AddEdgesInMemory(EdgeIndex edges) {
    current_.on_gpu = true;
    AddEdges(edges);
    graph_.progress().Advance(edges);
  }
  /// Counts `vertices` that sent in the iteration in which they became active. `blocks_repeated`:
  /// the passes over blocks, beyond the first, in which some of them sent.
  void AddRepeated(uint64_t vertices, uint64_t blocks_repeated) {
    current_.repeated_vertices += vertices;
    current_.blocks_repeated += blocks_repeated;
  }
  /// Counts bytes of messages, values and sets that crossed, in either direction, between the
  /// processors that share the current iteration.
  void AddExchanged(uint64_t bytes) { current_.exchanged_bytes += bytes; }
  /// Adds the blocks that the current iteration moved to a GPU, and notes that it ran there. A pull
  /// visits all their edges. A push reports its edges by AddEdges.
  void AddTransfers(const TransferAccounts& accounts) {
    current_.on_gpu = true;
    current_.transfers.Add(accounts);
    current_.blocks += accounts.total().blocks;
    const EdgeIndex edges = graph_.blocks().EdgesOf(accounts.total().blocks);
    if (current_.mode != Mode::kPush) AddEdges(edges);
    graph_.progress().Advance(edges);
  }
  /// Ends the iteration. `iterations`: the number of iterations that the caller started as one.
  void Finish(uint64_t iterations = 1);
  /// Ends the report of small iterations. Call it before iterations().
  void Flush();

  /// Adds seconds in which the run prepared a GPU: its memory, the index, and edges that must be
  /// there before the first iteration. Also adds seconds to release these after the run.
  void AddSetupSeconds(double seconds) { setup_seconds_ += seconds; }
  double setup_seconds() const { return setup_seconds_; }

  /// Adds seconds that a step of GPU kernels took: `name` outlives the recorder.
  void AddStep(const char* name, double seconds);
  const std::vector<StepReport>& steps() const { return steps_; }

  /// Notes that the run samples a neighbour of each vertex.
  void NoteSampledNeighbors() { prepared_.samples_neighbors = true; }

  /// Notes cells that were made.
  void AddCells(const CellReport& made) {
    const CellReport before = prepared_.cells;
    prepared_.cells = made;
    prepared_.cells.times += before.times;
    prepared_.cells.make_seconds += before.make_seconds;
  }
  const GpuPreparation& prepared() const { return prepared_; }

  Timeline& timeline() { return timeline_; }
  const Timeline& timeline() const { return timeline_; }

  const std::vector<IterationReport>& iterations() const { return iterations_; }
  /// The iteration that ended last.
  const IterationReport& last() const { return current_; }
  uint64_t num_iterations() const { return num_iterations_; }

 private:
  IterationReport Counters() const;
  void Begin(Mode mode);
  void End(uint64_t iterations);

  LoadedGraph& graph_;
  Stopwatch watch_;
  std::optional<PhaseTimer> timer_;  // of the current iteration
  IterationReport start_;
  IterationReport current_;
  uint64_t num_iterations_ = 0;
  uint64_t num_small_ = 0;  // small iterations in the current report
  double setup_seconds_ = 0;
  std::vector<StepReport> steps_;
  GpuPreparation prepared_;
  Timeline timeline_;
  std::vector<IterationReport> iterations_;
};

}  // namespace edgemill
