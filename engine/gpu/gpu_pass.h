// The kernel launches of one pass of an edge program on a GPU.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/gpu/program/program_launchers.h"
#include "engine/gpu/workspace/device_cells.h"
#include "engine/gpu/workspace/gpu_workspace.h"
#include "engine/plan/vertex_shares.h"
#include "engine/program/operator_types.h"
#include "engine/program/program_traits.h"

namespace edgemill {

/// How often an asynchronous push passes over each batch that comes to the GPU.
struct PushRepeats {
  uint32_t count = 0;       // 0: vertices that become active wait for the next pass
  double bound = kNoBound;  // else only vertices with priorities of at least this wait
};

/// Moves the messages of one program. `program` always points to its bytes, with views of memory on
/// the GPU. `from` is the set of vertices that emit, on the GPU; null: all. Functions wait only for
/// the blocks of a pass.
class GpuPass {
 public:
  GpuPass(GpuWorkspace& workspace, const ProgramTraits& traits,
          const EdgeProgramLaunchers& kernels);

  const ProgramTraits& traits() const { return traits_; }
  const EdgeProgramLaunchers& kernels() const { return kernels_; }
  /// The directions of the lists along which messages are pushed.
  const std::vector<Direction>& push_lists() const { return push_lists_; }
  /// The directions of the lists through which messages are pulled.
  const std::vector<Direction>& pull_lists() const { return pull_lists_; }
  PassArgs LaunchOf(const uint32_t* from, Direction lists) const;

  /// Prepares the closed bits of a first-wins program before a pass. Sets them where its Cond is
  /// false, or clears all if it has no Cond.
  Status Close(const void* program);
  /// The same before a launch of few vertices. Sets the closed bits at least for vertices that took
  /// a message in this operator. Returns whether the launch must test Cond too.
  StatusOr<bool> CloseTaken();
  /// Whether exactly the vertices whose Cond is false have set closed bits.
  bool knows_closed() const { return closed_ == Closed::kAll; }
  /// Notes that knows_closed is true from now on.
  void SetClosed() { closed_ = Closed::kAll; }
  /// Notes that some closed bits do not agree with Cond any more.
  void ForgetClosed() { closed_ = Closed::kUnknown; }
  /// Sums up by block what the vertices of `from` have to pass on, if the run's BlockPriority needs
  /// it. Call this before Consume, for an asynchronous push.
  Status SumPending(const void* program, const uint32_t* from);
  /// Calls Emit for the vertices of `from` if the program consumes, and keeps the messages.
  Status Consume(const void* program, const uint32_t* from);

  // A pass calls Prepare, then Push or Pull, then Take. Prepare clears the sums in which messages
  // are put aside. For pulls it chooses the vertices that may take a message. In Mode::kNotifyPull
  // these must have an edge from a vertex that emits.
  StatusOr<PassArgs> Prepare(const void* program, Mode mode, const uint32_t* from);
  /// Moves messages along the edges in `blocks`. `pass` was prepared for the same mode.
  Status Push(const void* program, const PassArgs& pass, const PushRepeats& repeats,
              const PassBlocks& blocks);
  Status Pull(const void* program, const PassArgs& pass, const PassBlocks& blocks);
  /// Returns the cells by which a pull goes in which the vertices in `owners` take, and all emit,
  /// if `all_emit`. Null: it goes by lists, as do passes of other modes.
  StatusOr<const DeviceCells*> CellsFor(Mode mode, bool all_emit, const VertexRange& owners);
  /// Whether Push, or CellsFor and Pull, only queue kernels: all blocks are on the GPU, and no
  /// cells are made.
  bool OnlyQueues(Mode mode, bool all_emit, const VertexRange& owners) const;
  /// Does a whole pull by cells. Take must not follow.
  Status PullByCells(const void* program, const PassArgs& pass, const DeviceCells& cells);
  /// Makes vertices take the sums that were put aside for them. Where the program applies to all,
  /// vertices without messages take the identity.
  Status Take(const void* program, Mode mode, const PassArgs& pass);

 private:
  /// Whether a pull may go by cells.
  bool MayUseCells(Mode mode, bool all_emit) const;
  PassArrays& arrays() const { return workspace_.arrays(); }
  CUstream_st* stream() const { return workspace_.main().handle(); }
  Status After(std::string_view kernel) const { return workspace_.gpu().AfterLaunch(kernel); }
  bool SumsPending() const {
    return workspace_.run().options.priority == BlockPriority::kDelta &&
           kernels_.sum_pending != nullptr;
  }
  /// Sets the sums to identities of the program's monoid, and clears `pass.received`.
  Status PrepareSums(const PassArgs& pass);
  Status Notify(const uint32_t* from);
  Status PullFrom(const void* program, PassArgs pass, Direction lists, const PassBlocks& blocks);
  /// Combines the partial sums of each list that crosses from one warp tile to another.
  Status Fold(const void* program, const PassArgs& pass, Direction lists);

  GpuWorkspace& workspace_;
  const ProgramTraits traits_;
  const EdgeProgramLaunchers& kernels_;
  const std::vector<Direction> push_lists_;
  const std::vector<Direction> pull_lists_;
  /// Which vertices have set closed bits: unknown; those that took a message in this operator; all
  /// vertices whose Cond is false.
  enum class Closed : uint8_t { kUnknown, kTaken, kAll };
  Closed closed_ = Closed::kUnknown;
};

}  // namespace edgemill
