// The memory that the passes of one run share, whatever its programs.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "common/buffer.h"
#include "common/memory_budget.h"
#include "common/status.h"
#include "engine/graph/loaded_graph.h"
#include "engine/plan/direction_policy.h"
#include "engine/program/mode.h"
#include "engine/program/pass_needs.h"
#include "engine/program/sets/vertex_set.h"

namespace edgemill {

/// How the edge passes of a run are to go.
struct PassOptions {
  Mode mode = Mode::kAuto;
  /// Passes over a block while it is in memory, at most, in which what has become active emits at
  /// once; 0: passes are synchronous.
  uint32_t async_passes = 0;
  /// Blocks do not stay in memory: each pass reads those again that it needs.
  bool from_disk = false;
};

/// Frontiers, closed bits, kept messages and sums. One thread makes and ends passes.
class Workspace {
 public:
  /// Bytes beside index and state: what Create reserves, and what its sets do later. `most_sets`:
  /// of the driver.
  static uint64_t SizeBytes(const PassNeeds& needs, const PassOptions& options,
                            const ListColumns& lists, uint64_t num_vertices, uint64_t num_blocks,
                            uint64_t most_sets);
  /// `needs`: of all programs of the run. BudgetError.
  static StatusOr<std::unique_ptr<Workspace>> Create(LoadedGraph& graph, const PassNeeds& needs,
                                                     const PassOptions& options,
                                                     uint64_t most_sets);

  SetPool& sets() { return sets_; }
  const PassNeeds& needs() const { return needs_; }
  const PassOptions& options() const { return options_; }
  const ListColumns& lists() const { return lists_; }
  const PassSizes& sizes() const { return sizes_; }

  /// A bit a vertex: of programs that take the first message, who takes no more. Clear between
  /// operators.
  std::span<uint64_t> closed() { return closed_.span(); }
  /// Kept messages, a vertex each.
  template <typename Message>
  std::span<Message> kept() {
    return kept_.as<Message>();
  }
  /// Sums of messages, a vertex each; identities between passes.
  template <typename Sum>
  std::span<Sum> sums() {
    return sums_.as<Sum>();
  }
  bool has_sums() const;
  /// Whether the sums hold identities of the monoid of `tag`, as they do afterwards.
  bool HoldsIdentitiesOf(const void* tag) { return std::exchange(sums_tag_, tag) == tag; }
  /// What blocks add to lists that go on in others: two sums a block, and a byte.
  template <typename Sum>
  std::span<Sum> partial_sums() {
    return partial_sums_.as<Sum>();
  }
  std::span<uint8_t> partial_marks() { return partial_marks_; }

 private:
  Workspace(LoadedGraph& graph, const PassNeeds& needs, const PassOptions& options,
            const ListColumns& lists, uint64_t most_sets);

  const PassNeeds needs_;
  const PassOptions options_;
  const ListColumns lists_;
  const PassSizes sizes_;
  SetPool sets_;
  MemoryReservation reservation_;
  Array<uint64_t> closed_;
  Buffer kept_;
  Buffer sums_;
  const void* sums_tag_ = nullptr;
  Buffer partial_sums_;
  std::vector<uint8_t> partial_marks_;
};

}  // namespace edgemill
