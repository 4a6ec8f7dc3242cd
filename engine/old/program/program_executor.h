// What an algorithm's driver sees of whoever runs its vertex program: a CPU, a GPU.
#pragma once

#include "common/status.h"
#include "engine/old/program/program.h"
#include "engine/plan/block_plan.h"

namespace edgemill {

/// Where a run is between two iterations, beside state and frontiers.
struct IterationProgress {
  Context context;
  uint64_t num_active = 0;
  EdgeIndex active_edges = 0;
  EdgeIndex sent_edges = 0;  // of all iterations before
  StepEdges step_edges;      // prioritised programs: since they last advanced
};

/// Runs a vertex program's iterations over one graph. One thread drives it. The program that is
/// given points to host arrays throughout; where the state is meanwhile is the executor's affair.
template <VertexProgram P>
class ProgramExecutor {
 public:
  using Aggregate = typename P::Aggregate;

  virtual ~ProgramExecutor() = default;
  /// Calls the program's Initial for every vertex.
  virtual Status Initialise(const P& program) = 0;
  /// Vertices that send in the next iteration: the active ones, of prioritised programs those that
  /// are due; num_vertices for programs where all are active.
  virtual uint64_t num_active() const = 0;
  /// Runs one iteration. `program` may be advanced (priorities), and its pointers to state may have
  /// changed places since the last call.
  virtual StatusOr<Aggregate> Iterate(P* program) = 0;
  /// What RunToEnd did.
  struct Totals {
    uint64_t iterations = 0;
    uint64_t activations = 0;  // vertices that sent, over all iterations
  };
  /// Iterates until no vertex is active. Faster than one by one where iterations are small.
  virtual StatusOr<Totals> RunToEnd(P* program) {
    Totals totals;
    while (num_active() > 0) {
      totals.activations += num_active();
      ++totals.iterations;
      RETURN_IF_ERROR(Iterate(program).status());
    }
    return totals;
  }
  /// Has the program's results in its arrays. Once, at the end.
  virtual Status Finish(const P& program) = 0;
};

}  // namespace edgemill
