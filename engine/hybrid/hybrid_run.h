// What the shared passes of a run have beside the main team: the host teams, the dispatcher that
// decides on the shares, and counts of what has crossed.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "common/buffer.h"
#include "engine/cpu/pass/workspace.h"
#include "engine/plan/dispatcher.h"
#include "engine/program/arrays/on_device.h"

namespace edgemill {

/// What has crossed between the memories in shared passes.
struct CrossedCounts {
  uint64_t passes = 0;          // that were shared
  uint64_t messages = 0;        // sent to their owner
  uint64_t message_bytes = 0;   // of these, with their vertices
  uint64_t returned_bytes = 0;  // values of touched vertices, with which these are
  uint64_t set_bytes = 0;       // sets: vertices that emit, were touched or are active

  uint64_t bytes() const { return message_bytes + returned_bytes + set_bytes; }
};

/// What the passes of a host team use, in all operators.
struct HostTeamResources {
  LoadedGraph& graph;  // as these threads see it
  OtherMemory memory;  // of their copy of the State's arrays: another, or kHostMemory
  CrossedCounts& crossed;
  MemoryReservation reservation;
  std::unique_ptr<Workspace> workspace;
};

/// The shared passes of one run. One thread uses it.
class HybridRun {
 public:
  /// Bytes that Create and an AddHostTeam reserve, and what the host team's sets do later.
  static uint64_t SizeBytes(const WorkspaceNeeds& needs, const GraphInfo& info, int threads);
  /// BudgetError.
  static StatusOr<std::unique_ptr<HybridRun>> Create(LoadedGraph& graph,
                                                     const Dispatcher& dispatcher);
  /// Adds a host team, in the host's memory or another. `graph`: as its threads see it.
  /// BudgetError.
  Status AddHostTeam(LoadedGraph& graph, ProgramList programs, const PassOptions& options,
                     const OtherMemory& memory = {kHostMemory, {}});

  LoadedGraph& graph() { return graph_; }
  std::span<const std::unique_ptr<HostTeamResources>> host_teams() { return host_teams_; }
  Dispatcher& dispatcher() { return dispatcher_; }
  CrossedCounts& crossed() { return crossed_; }
  /// A bit a vertex, for a set that crosses.
  std::span<uint64_t> words() { return words_.span(); }

 private:
  HybridRun(LoadedGraph& graph, const Dispatcher& dispatcher)
      : graph_(graph), dispatcher_(dispatcher) {}

  LoadedGraph& graph_;
  Dispatcher dispatcher_;
  CrossedCounts crossed_;
  MemoryReservation reservation_;
  std::vector<std::unique_ptr<HostTeamResources>> host_teams_;
  Array<uint64_t> words_;
};

}  // namespace edgemill
