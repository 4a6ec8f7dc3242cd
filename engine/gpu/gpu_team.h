// A GPU as the main team of passes that another processor shares.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "common/threads/wait_gate.h"
#include "engine/gpu/gpu_messages.h"
#include "engine/gpu/gpu_pass.h"
#include "engine/gpu/gpu_passes.h"
#include "engine/gpu/gpu_sets.h"
#include "engine/gpu/gpu_side.h"
#include "engine/gpu/workspace/gpu_workspace.h"
#include "engine/program/main_team.h"

namespace edgemill {

/// The GPU's team in the shared passes of one edge operator.
class GpuTeam final : public MainTeam {
 public:
  /// All arguments but `passes` must outlive it.
  GpuTeam(std::unique_ptr<ProgramPasses> passes, GpuSide& side, GpuSets& sets,
          GpuMessages& messages)
      : passes_(std::move(passes)),
        side_(side),
        workspace_(*side.workspace),
        sets_(sets),
        messages_(messages) {}

  OperatorPasses& alone() override { return *passes_; }
  const OtherMemory& memory() const override { return side_.memory; }
  Mode NextMode() const override;
  bool Searches() const override { return passes_->Searches(); }
  StatusOr<uint64_t> ActiveWords(std::span<uint64_t> words) override;
  Status Begin(const void* program, const SharedPass& pass) override;
  Status Work() override;
  Status Receive(std::span<const VertexId> vertices, const void* sums) override {
    may_receive_.Wait();
    return messages_.Add(vertices, sums);
  }
  /// Takes the messages that `from`, a helper, has added up on its GPU, in `sums` for the vertices
  /// in `received`. Thread-safe from Begin until Take.
  Status ReceiveSums(const GpuSide& from, const uint32_t* received, const void* sums);
  Status Take(std::span<const std::byte> border) override;
  StatusOr<uint64_t> TouchedWords(std::span<uint64_t> words) override;
  const uint32_t* TouchedThere() const override { return launch_.touched; }
  Status AddActive(const IndexSet& active) override;
  Status End() override;

 private:
  const ProgramTraits& traits() const { return passes_->pass().traits(); }
  PassArrays& arrays() const { return workspace_.arrays(); }
  Status VisitBlocks();
  Status GiveMessages(const VertexId* vertices, const std::byte* sums, uint32_t count,
                      GpuStream& on) const;

  const std::unique_ptr<ProgramPasses> passes_;
  GpuSide& side_;
  GpuWorkspace& workspace_;
  GpuSets& sets_;
  GpuMessages& messages_;
  WaitGate may_receive_;
  // These belong to the pass under way.
  SharedPass pass_;
  const void* program_ = nullptr;
  PushRepeats repeats_;
  PassArgs launch_;
  bool by_cells_ = false;
};

}  // namespace edgemill
