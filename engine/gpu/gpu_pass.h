// One pass of an edge program on a GPU: the launches that it takes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/gpu/program/program_launchers.h"
#include "engine/gpu/workspace/gpu_workspace.h"
#include "engine/program/operator_types.h"
#include "engine/program/program_traits.h"

namespace edgemill {

/// Passes over each batch that comes, in asynchronous pushes.
struct PushRepeats {
  uint32_t count = 0;       // 0: what becomes active waits for the next pass
  double bound = kNoBound;  // else those with priorities below it do not
};

/// Moves the messages of one program. `program` is always its bytes, with views on the GPU. `from`
/// is the set of vertices that emit, on the GPU; null: all. Nothing here waits but for the blocks
/// of a pass.
class GpuPass {
 public:
  GpuPass(GpuWorkspace& workspace, const ProgramTraits& traits,
          const EdgeProgramLaunchers& kernels);

  const ProgramTraits& traits() const { return traits_; }
  const EdgeProgramLaunchers& kernels() const { return kernels_; }
  /// The lists that messages are pushed along.
  const std::vector<Direction>& push_lists() const { return push_lists_; }
  /// The lists that messages are pulled from.
  const std::vector<Direction>& pull_lists() const { return pull_lists_; }
  PassArgs LaunchOf(const uint32_t* from, Direction lists) const;

  /// Sets the closed bits of a first-wins program to those of its Cond, or clears them. Before each
  /// pass.
  Status Close(const void* program);
  /// Sets those bits at least for vertices that took something in this operator: launches of few
  /// vertices test Cond too. Returns whether they have to.
  StatusOr<bool> CloseTaken();
  /// Whether the bits are those of Cond.
  bool knows_closed() const { return closed_ == Closed::kAll; }
  /// They are now.
  void SetClosed() { closed_ = Closed::kAll; }
  /// Some of these bits are not those of Cond any more.
  void ForgetClosed() { closed_ = Closed::kUnknown; }
  /// Makes a program that consumes do so, and keeps what it sends.
  Status Consume(const void* program, const uint32_t* from);

  // A pass: Prepare, then Push or Pull, then Take. Makes sums ready, where messages are put aside.
  // In pulls chooses the vertices that may take something: in Mode::kNotifyPull only those that
  // have an edge from a vertex that emits.
  StatusOr<PassArgs> Prepare(const void* program, Mode mode, const uint32_t* from);
  /// Moves messages along the edges in `blocks`, in the mode that it was prepared for.
  Status Push(const void* program, const PassArgs& pass, const PushRepeats& repeats,
              const BlockRange& blocks);
  Status Pull(const void* program, const PassArgs& pass, const BlockRange& blocks);
  /// Makes vertices take what was put aside for them, or nothing, where programs apply to all.
  Status Take(const void* program, Mode mode, const PassArgs& pass);

 private:
  PassArrays& arrays() const { return workspace_.arrays(); }
  CUstream_st* stream() const { return workspace_.main().handle(); }
  Status After(std::string_view kernel) const { return workspace_.gpu().AfterLaunch(kernel); }
  /// Sets the sums to identities of the program's monoid, and marks that no vertex has received.
  Status PrepareSums(const PassArgs& pass);
  Status Notify(const uint32_t* from);
  Status PullFrom(const void* program, PassArgs pass, Direction lists, const BlockRange& blocks);
  /// Combines the partial sums that runs have of lists that cross them.
  Status Fold(const void* program, const PassArgs& pass, Direction lists);

  GpuWorkspace& workspace_;
  const ProgramTraits traits_;
  const EdgeProgramLaunchers& kernels_;
  const std::vector<Direction> push_lists_;
  const std::vector<Direction> pull_lists_;
  /// Which vertices have set bits: unknown; those that took something in this operator; all whose
  /// Cond is false.
  enum class Closed : uint8_t { kUnknown, kTaken, kAll };
  Closed closed_ = Closed::kUnknown;
};

}  // namespace edgemill
