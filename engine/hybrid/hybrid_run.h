// What the shared passes of a run have beside the two processors: the helper's memory, who decides
// on the shares, and what has crossed.
#pragma once

#include <memory>
#include <span>

#include "common/buffer.h"
#include "engine/cpu/workspace.h"
#include "engine/plan/dispatcher.h"

namespace edgemill {

/// What has crossed between the copies in shared passes.
struct CrossedCounts {
  uint64_t passes = 0;          // that were shared
  uint64_t messages = 0;        // sent to their owner
  uint64_t message_bytes = 0;   // of these, with their vertices
  uint64_t returned_bytes = 0;  // values of touched vertices, with which these are
  uint64_t set_bytes = 0;       // who emits, was touched or is active

  uint64_t bytes() const { return message_bytes + returned_bytes + set_bytes; }
};

/// Of one run. One thread uses it.
class HybridRun {
 public:
  /// Bytes that Create reserves, and what its sets do later.
  static uint64_t SizeBytes(const WorkspaceNeeds& needs, const GraphInfo& info, int threads);
  /// `graph` as the helper's threads see it. BudgetError.
  static StatusOr<std::unique_ptr<HybridRun>> Create(LoadedGraph& graph, ProgramList programs,
                                                     const PassOptions& options,
                                                     const Dispatcher& dispatcher);

  LoadedGraph& graph() { return graph_; }
  /// The helper's.
  Workspace& workspace() { return *workspace_; }
  Dispatcher& dispatcher() { return dispatcher_; }
  CrossedCounts& crossed() { return crossed_; }
  /// A bit a vertex, for a set on its way.
  std::span<uint64_t> words() { return words_.span(); }

 private:
  HybridRun(LoadedGraph& graph, const Dispatcher& dispatcher)
      : graph_(graph), dispatcher_(dispatcher) {}

  LoadedGraph& graph_;
  Dispatcher dispatcher_;
  CrossedCounts crossed_;
  MemoryReservation reservation_;
  std::unique_ptr<Workspace> workspace_;
  Array<uint64_t> words_;
};

}  // namespace edgemill
