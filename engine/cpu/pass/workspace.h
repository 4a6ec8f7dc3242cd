// The memory that the passes of one run share, whatever its programs.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "engine/graph/loaded_graph.h"
#include "engine/plan/direction_policy.h"
#include "engine/plan/pass_options.h"
#include "engine/program/program_traits.h"
#include "engine/program/sets/vertex_set.h"

namespace edgemill {

/// What the passes of a run keep beside its State, planned from its programs alone.
struct WorkspaceNeeds {
  uint64_t num_sets = 0;       // beside the driver's
  bool closed_bits = false;    // a bit a vertex
  uint64_t emitted_bytes = 0;  // a vertex: of what it emits, where programs consume
  uint64_t sum_bytes = 0;      // a vertex: of a sum; 0: there are none
  uint64_t partial_bytes = 0;  // of what one block adds to a list that goes on in others
};
WorkspaceNeeds WorkspaceNeedsOf(ProgramList programs, const PassOptions& options,
                                const ListColumns& lists);
/// The same for a host team of shared passes. Sets of waiting vertices are the main team's, and
/// what the team sends may be sums.
WorkspaceNeeds HostTeamNeedsOf(ProgramList programs, const PassOptions& options,
                               const ListColumns& lists);

/// Frontiers, closed bits, emitted messages and sums. One thread makes and ends passes.
class Workspace {
 public:
  /// Bytes beside index and state: what Create reserves, and what its sets do later. `max_sets`:
  /// of the driver.
  static uint64_t SizeBytes(const WorkspaceNeeds& needs, uint64_t num_vertices, uint64_t num_blocks,
                            uint64_t max_sets);
  /// BudgetError.
  static StatusOr<std::unique_ptr<Workspace>> Create(LoadedGraph& graph,
                                                     const WorkspaceNeeds& needs,
                                                     const PassOptions& options, uint64_t max_sets);

  SetPool& sets() { return sets_; }
  const PassOptions& options() const { return options_; }
  const ListColumns& lists() const { return lists_; }
  const PassSizes& sizes() const { return sizes_; }

  /// A bit a vertex, for programs that take the first message: set for vertices that take no more.
  /// Clear between operators.
  std::span<uint64_t> closed() { return closed_.span(); }
  /// Messages of programs that consume, a vertex each.
  template <typename Message>
  std::span<Message> emitted() {
    return emitted_.as<Message>();
  }
  /// Sums of messages, a vertex each; identities between passes.
  template <typename Sum>
  std::span<Sum> sums() {
    return sums_.as<Sum>();
  }
  bool has_sums() const { return has_sums_; }
  /// Whether the sums hold identities of the monoid of `tag`, as they do afterwards.
  bool HoldsIdentitiesOf(const void* tag) { return std::exchange(sums_tag_, tag) == tag; }
  /// What blocks add to lists that go on in others: two sums a block, and a byte.
  template <typename Sum>
  std::span<Sum> partial_sums() {
    return partial_sums_.as<Sum>();
  }
  std::span<uint8_t> partial_marks() { return partial_marks_; }

 private:
  Workspace(LoadedGraph& graph, const WorkspaceNeeds& needs, const PassOptions& options,
            uint64_t max_sets);

  const PassOptions options_;
  const bool has_sums_;
  const ListColumns lists_;
  const PassSizes sizes_;
  SetPool sets_;
  MemoryReservation reservation_;
  Array<uint64_t> closed_;
  Buffer emitted_;
  Buffer sums_;
  const void* sums_tag_ = nullptr;
  Buffer partial_sums_;
  std::vector<uint8_t> partial_marks_;
};

}  // namespace edgemill
