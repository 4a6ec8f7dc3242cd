// Turns the counters of graph and reader into one IterationReport an iteration.
#pragma once

#include <optional>
#include <vector>

#include "common/clock.h"
#include "common/thread_times.h"
#include "engine/graph/loaded_graph.h"
#include "engine/report/iteration_report.h"
#include "engine/report/timeline.h"

namespace edgemill {

/// Keeps an account of every iteration of a run. The first kMaxIterations are kept apart, later
/// ones added up in the last, so that a graph with a million levels does not fill memory.
class Recorder {
 public:
  static constexpr size_t kMaxIterations = 10'000;
  static constexpr size_t kMaxSmall = 256;
  static constexpr EdgeIndex kSmallEdges = 4096;

  explicit Recorder(LoadedGraph& graph) : graph_(graph) {}

  /// An iteration (or another pass that deserves a line of its own) starts. Taking the times of an
  /// iteration costs more than a small one does. So after kMaxSmall iterations, consecutive small
  /// ones are one report.
  void Start(Mode mode, uint64_t active_vertices, EdgeIndex active_edges);
  /// The CPU visits `blocks` more in the iteration under way.
  void AddBlocks(uint64_t blocks) {
    current_.blocks += blocks;
    current_.cpu_blocks += blocks;
  }
  /// In the iteration under way so many more edges are visited.
  void AddEdges(EdgeIndex edges) { current_.edges += edges; }
  /// In the iteration under way `vertices` more sent as soon as they were active. Some of them sent
  /// in `blocks_repeated` passes over blocks beyond the first.
  void AddRepeated(uint64_t vertices, uint64_t blocks_repeated) {
    current_.repeated_vertices += vertices;
    current_.blocks_repeated += blocks_repeated;
  }
  /// In the iteration under way so many bytes of messages, values and sets crossed between two
  /// processors that share it, both ways.
  void AddExchanged(uint64_t bytes) { current_.exchanged_bytes += bytes; }
  /// Adds what the iteration under way moved to a GPU, and notes that it ran there. A pull visits
  /// these edges; a push reports itself how many it visits.
  void AddTransfers(const TransferAccounts& accounts) {
    current_.on_gpu = true;
    current_.transfers.Add(accounts);
    current_.blocks += accounts.total().blocks;
    const EdgeIndex edges = graph_.blocks().EdgesOf(accounts.total().blocks);
    if (current_.mode != Mode::kPush) AddEdges(edges);
    graph_.progress().Advance(edges);
  }
  /// It ends. `iterations`: it stands for so many, which were one to the caller that started it.
  void Finish(uint64_t iterations = 1);
  /// Ends the report of small iterations: before iterations() is looked at.
  void Flush();

  /// Adds seconds that the run took to make a GPU ready: memory, index, and edges that are to be
  /// there before the first iteration. Or seconds to release these, after the answer was there.
  void AddSetupSeconds(double seconds) { setup_seconds_ += seconds; }
  double setup_seconds() const { return setup_seconds_; }

  /// The run samples a neighbour of each vertex.
  void NoteSampledNeighbors() { samples_neighbors_ = true; }
  bool samples_neighbors() const { return samples_neighbors_; }

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
  std::optional<PhaseTimer> timer_;  // of the iteration under way
  IterationReport start_;
  IterationReport current_;
  uint64_t num_iterations_ = 0;
  uint64_t num_small_ = 0;  // in the report under way
  double setup_seconds_ = 0;
  bool samples_neighbors_ = false;
  Timeline timeline_;
  std::vector<IterationReport> iterations_;
};

}  // namespace edgemill
