// What a run keeps in a GPU's memory, planned from counts alone: so what does not fit is refused
// before anything is read, and the same arrays are then allocated.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "common/status.h"
#include "engine/device/arena_plan.h"
#include "engine/old/plan/mode_choice.h"
#include "engine/old/program/leading_executor.h"
#include "engine/old/program/program.h"
#include "engine/plan/card_shares.h"
#include "engine/plan/direction_arrays.h"
#include "engine/plan/gpu_run.h"
#include "kernels/device_edges.h"
#include "kernels/edge_kernels.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// What asynchronous pushes took while its edges were on the card (live_kernels.cuh).
struct LiveCounters {
  unsigned long long vertices = 0;
  unsigned long long blocks_again = 0;
};

/// Counters on the card, read back together.
struct DeviceCounters {
  FrontierCounts frontier;
  unsigned long long least = ~0ull;  // bits of the least priority that waits
  uint32_t told = 0;                 // messages that TellKernel wrote
  uint32_t damaged[2] = {~0u, ~0u};  // the least block of each direction with an id out of bounds
  LiveCounters live;
};

/// What a loop on the card did (device_loop.cuh).
struct LoopCounters {
  uint32_t iterations = 0;
  unsigned long long activations = 0;  // of vertices that sent, but for those it started with
  unsigned long long edges = 0;        // of theirs
  // Prioritised programs:
  StepEdges step;         // since they last advanced
  bool advanced = false;  // and have not gone on yet from what is due since
};

/// Who goes on with a loop.
enum class LoopTurn : uint32_t { kAll, kOne, kEnded };

/// How far a loop has come.
struct LoopProgress {
  uint32_t pieces = 0;    // of the lists of vertices to send next
  uint32_t vertices = 0;  // that they are of
  EdgeIndex edges = 0;
  uint32_t side = 0;      // which list and frontier have them
  uint32_t spent = 0;     // of DeviceLoop::most_spent
  bool too_many = false;  // for the list
  LoopTurn turn = LoopTurn::kAll;
  LoopCounters did;
};

/// What a phase of a loop finds: all of its threads add to it.
struct LoopPhase {
  unsigned long long tally = 0;             // LoopTally of what became active
  unsigned long long least_complement = 0;  // of the bits of the least priority that waits
  uint32_t more_pieces = 0;                 // than vertices became active
  uint32_t too_many = 0;                    // whether the list has no room, or a vertex many
};

/// What a loop's thread blocks tell each other and the host. All zeros at first, but for the pieces
/// of the list that it begins with.
struct LoopState {
  uint32_t begin_pieces = 0;
  LoopProgress at;
  unsigned long long far_groups = 0;  // read across the link
  LoopPhase phases[3];
};

/// Memory and bounds of loops on the card.
struct DeviceLoop {
  PushPiece* lists[2] = {};
  uint64_t* frontiers[2] = {};  // a bit a vertex, of those whose lists these are
  uint64_t* waiting = nullptr;  // prioritised programs: those that are not due
  LoopState* state = nullptr;
  std::byte* program = nullptr;    // a prioritised one, afterwards: kLoopProgramBytes at most
  DeviceBlock* far = nullptr;      // by number: where out-edges' blocks are in the host's memory
  uint32_t most_pieces = 0;        // of lists, in an iteration
  EdgeIndex most_edges = 0;        // likewise
  uint32_t most_spent = 1u << 14;  // so that the host may stop in between: a small part of a second
};

/// Threads of a loop's thread blocks, of which each multiprocessor has one.
inline constexpr uint32_t kLoopThreads = 512;
/// A loop goes on up to so many pieces of lists, and edges: an iteration of that takes about what
/// one from the host does beyond its work. It starts with half of them at most.
inline constexpr uint32_t kMostLoopPieces = 1u << 16;
inline constexpr EdgeIndex kMostLoopEdges = EdgeIndex{1} << 20;
/// Half as many pieces where blocks are read across the link: what several pieces have in common
/// is read for each.
inline constexpr uint32_t kMostFarPieces = kMostLoopPieces / 2;
inline constexpr uint64_t kLoopProgramBytes = 128;

/// What iterations of every program keep on the card beside the program's own arrays.
struct IterationArrays {
  /// Thread blocks of a launch over edges, for each multiprocessor.
  static constexpr uint32_t kBlocksPerMultiprocessor = 8;

  DirectionArrays directions[2];
  // Frontiers: a bit a vertex.
  uint64_t* current = nullptr;
  uint64_t* next = nullptr;
  uint64_t* waiting = nullptr;
  uint64_t* marks = nullptr;
  // Asynchronous pushes: who sends in a pass after the first, in which groups, and, to be told to
  // another processor, who has sent as soon as active.
  uint64_t* again = nullptr;
  uint32_t* again_groups = nullptr;
  uint64_t* sent = nullptr;
  DeviceCounters* counters = nullptr;
  std::byte* aggregates = nullptr;
  std::byte* aggregate_total = nullptr;
  DeviceLoop loop;

  /// Plans all of `needs`; aggregates for `max_grid` thread blocks of `streams` and one more.
  void Plan(const GraphInfo& info, const IterationNeeds& needs, uint32_t max_grid, uint32_t streams,
            ArenaPlan* arena);
};

/// A program's own arrays on the card.
template <typename P>
struct ProgramArrays {
  /// An array of the program's state: the host's, and its copy.
  struct StateArray {
    const void* host = nullptr;
    std::byte* device = nullptr;
    uint64_t bytes = 0;
    StateUse use = StateUse::kWork;
  };

  std::vector<StateArray> state;
  typename P::Message* accumulators = nullptr;  // one a vertex, for push
  typename P::Message* partials = nullptr;      // two a run, for pull
  bool has_index = false;                       // the program reads out-degrees

  /// Plans them for a graph of so many edges in blocks of `block_edges`.
  void Plan(P program, const ModeRules& rules, uint32_t block_edges, ArenaPlan* arena) {
    program.VisitState(rules.num_vertices, Collect{*this});
    for (StateArray& array : state) arena->Plan(&array.device, array.bytes);
    if (rules.may_push() && !P::kTraits.order_independent) {
      arena->Plan(&accumulators, rules.num_vertices);
    }
    if (rules.may_pull() && !P::kTraits.order_independent) {
      const uint64_t num_groups = rules.num_edges / kGroupSize + 1;
      const uint64_t run_groups = std::min<uint64_t>(1u << kMaxRunShift, block_edges / kGroupSize);
      arena->Plan(&partials, 2 * (num_groups / run_groups + 1));
    }
  }

 private:
  /// VisitState: lists the arrays.
  struct Collect {
    ProgramArrays& arrays;
    template <typename T>
    void operator()(T*& array, uint64_t count, StateUse use) const {
      if (count > 0) arrays.state.push_back({array, nullptr, count * sizeof(T), use});
    }
    void operator()(VertexIndexView&) const { arrays.has_index = true; }
  };
};

/// Whether many iterations of `P` may be one launch.
template <typename P>
inline constexpr bool kLoopsOnCard =
    P::kTraits.order_independent && !P::kTraits.all_active && !P::kTraits.measured;

/// What `P`'s executor asks for beside `arrays`.
template <typename P>
IterationNeeds IterationNeedsOf(const ModeRules& rules, const ProgramArrays<P>& arrays) {
  constexpr bool kAggregates = !std::is_empty_v<typename P::Aggregate>;
  const bool frontier = !P::kTraits.all_active;
  return {.push = rules.may_push() || rules.may_notify(),
          .pull = rules.may_pull(),
          .out_index = arrays.has_index || (frontier && rules.has_out_index),
          .frontier = frontier,
          .prioritised = P::kTraits.prioritised,
          .notify = rules.may_notify(),
          .weighted = !std::is_same_v<typename P::Weight, NoWeight>,
          .loops = kLoopsOnCard<P> && rules.may_push(),
          .aggregate_bytes = kAggregates ? sizeof(typename P::Aggregate) : 0};
}

/// What an algorithm's run asks for on the card.
struct GpuNeeds {
  uint64_t program_bytes = 0;   // of the program's own arrays
  uint64_t exchange_bytes = 0;  // of the host, where the CPU helps
  IterationNeeds iteration;
};

/// GpuNeeds of one that runs `P`.
template <typename P>
GpuNeeds GpuNeedsOf(const GraphStore& store, const GraphNeeds& graph, Mode mode) {
  const ModeRules rules(store, graph, mode, P::kTraits);
  ArenaPlan arena;
  ProgramArrays<P> arrays;
  arrays.Plan(P{}, rules, store.info().block_edges, &arena);
  return {arena.bytes(), ExchangeBytes<P>(rules.num_vertices), IterationNeedsOf(rules, arrays)};
}

/// Whether a run with `needs` can start on `card`: BudgetError as ShareOutCard's; UsageError for a
/// graph of more edges than a GPU's runs can be counted for.
Status CheckCardMemory(const GraphStore& store, const GpuNeeds& needs, const GpuRunOptions& options,
                       const CardMemory& card);

}  // namespace edgemill
