// The memory that the passes of all programs of a run share.
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
#include "engine/transfer/sub_csr_parts.h"

namespace edgemill {

/// The memory that the passes of a run need beside its State. Planned from its programs.
struct WorkspaceNeeds {
  uint64_t num_sets = 0;       // beside the driver's sets
  bool closed_bits = false;    // a bit for each vertex
  uint64_t emitted_bytes = 0;  // for each vertex: of its message, where programs consume
  uint64_t sum_bytes = 0;      // for each vertex: of its sum; 0: there are no sums
  uint64_t partial_bytes = 0;  // of the part of a sum that one block adds to a list across blocks
};
WorkspaceNeeds WorkspaceNeedsOf(ProgramList programs, const PassOptions& options,
                                const ListColumns& lists);
/// The same for a host team of shared passes. It has no set of waiting vertices, which the main
/// team has, but it may need sums to send.
WorkspaceNeeds HostTeamNeedsOf(ProgramList programs, const PassOptions& options,
                               const ListColumns& lists);

/// Frontiers, closed bits, emitted messages and sums. One thread makes and ends passes.
class Workspace {
 public:
  /// The bytes that Create reserves, without those of SubCSRs, and those that the sets reserve
  /// later. `max_sets`: of the driver.
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

  /// The words of ClosedBits, for programs that take the first message. All bits are clear between
  /// operators.
  std::span<uint64_t> closed() { return closed_.span(); }
  /// The messages of programs that consume, one for each vertex.
  template <typename Message>
  std::span<Message> emitted() {
    return emitted_.as<Message>();
  }
  /// Sums of messages, one for each vertex. They are identities between passes.
  template <typename Sum>
  std::span<Sum> sums() {
    return sums_.as<Sum>();
  }
  bool has_sums() const { return has_sums_; }
  /// Whether the sums are identities of the monoid with `tag`. If not, the caller must set them:
  /// the next call with this tag returns true.
  bool HoldsIdentitiesOf(const void* tag) { return std::exchange(sums_tag_, tag) == tag; }
  /// The parts of sums for lists across blocks: two sums for each block, and a byte of marks.
  template <typename Sum>
  std::span<Sum> partial_sums() {
    return partials_.sums.as<Sum>();
  }
  std::span<uint8_t> partial_marks() { return partials_.marks; }
  /// The parts in which pushes take SubCSRs; null: pushes take blocks.
  SubCsrParts* sub_csrs() { return sub_csrs_.get(); }

 private:
  /// What blocks add to lists across blocks.
  struct Partials {
    Buffer sums;
    std::vector<uint8_t> marks;
  };

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
  Partials partials_;
  std::unique_ptr<SubCsrParts> sub_csrs_;
};

}  // namespace edgemill
