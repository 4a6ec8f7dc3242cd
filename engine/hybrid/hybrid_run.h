// The parts of shared passes beside the main team: the host teams, the dispatcher, which decides on
// the shares, and counts of the data that crosses between memories.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "common/buffer.h"
#include "engine/cpu/pass/workspace.h"
#include "engine/plan/dispatcher.h"
#include "engine/program/arrays/on_device.h"

namespace edgemill {

/// Counts of the data that has crossed between the memories in shared passes.
struct CrossedCounts {
  uint64_t passes = 0;          // shared passes
  uint64_t messages = 0;        // sent to their owner
  uint64_t message_bytes = 0;   // of the messages and their vertices
  uint64_t returned_bytes = 0;  // values of touched vertices, and which vertices these are
  uint64_t set_bytes = 0;       // of sets: vertices that emit, were touched or are active

  uint64_t bytes() const { return message_bytes + returned_bytes + set_bytes; }
};

/// The resources of a host team's passes, in all operators.
struct HostTeamResources {
  LoadedGraph& graph;  // the graph, with the team's threads
  OtherMemory memory;  // of the team's copy of the State's arrays; may be kHostMemory
  CrossedCounts& crossed;
  MemoryReservation reservation;
  std::unique_ptr<Workspace> workspace;
};

/// The shared passes of one run. One thread uses it.
class HybridRun {
 public:
  /// The bytes that Create and one AddHostTeam reserve, and those that the host team's sets reserve
  /// later.
  static uint64_t SizeBytes(const WorkspaceNeeds& needs, const GraphInfo& info, int threads);
  /// The bytes that Create reserves.
  static uint64_t SetBytes(const GraphInfo& info);
  /// BudgetError.
  static StatusOr<std::unique_ptr<HybridRun>> Create(LoadedGraph& graph,
                                                     const Dispatcher& dispatcher);
  /// Adds a host team. Its copy of the state is in the host's memory or in another. `graph`: the
  /// graph, with the team's threads. BudgetError.
  Status AddHostTeam(LoadedGraph& graph, ProgramList programs, const PassOptions& options,
                     const OtherMemory& memory = {kHostMemory, {}});

  LoadedGraph& graph() { return graph_; }
  std::span<const std::unique_ptr<HostTeamResources>> host_teams() { return host_teams_; }
  Dispatcher& dispatcher() { return dispatcher_; }
  CrossedCounts& crossed() { return crossed_; }
  /// A bit for each vertex, for a set that crosses.
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
