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
#include "engine/gpu/workspace/gpu_workspace.h"
#include "engine/program/main_team.h"

namespace edgemill {

/// The GPU's team in the shared passes of one edge operator.
class GpuTeam final : public MainTeam {
 public:
  /// All arguments but `passes` must outlive it.
  GpuTeam(std::unique_ptr<ProgramPasses> passes, GpuWorkspace& workspace, GpuSets& sets,
          GpuMessages& messages, const OtherMemory& memory)
      : passes_(std::move(passes)),
        workspace_(workspace),
        sets_(sets),
        messages_(messages),
        memory_(memory) {}

  OperatorPasses& alone() override { return *passes_; }
  const OtherMemory& memory() const override { return memory_; }
  Mode NextMode() const override;
  StatusOr<uint64_t> ActiveWords(std::span<uint64_t> words) override;
  Status Begin(const void* program, const SharedPass& pass) override;
  Status Work() override;
  Status Receive(std::span<const VertexId> vertices, const void* sums) override {
    may_receive_.Wait();
    return messages_.Add(vertices, sums);
  }
  Status Take(std::span<const std::byte> border) override;
  StatusOr<uint64_t> TouchedWords(std::span<uint64_t> words) override;
  Status AddActive(const IndexSet& active) override;
  Status End() override;

 private:
  const ProgramTraits& traits() const { return passes_->pass().traits(); }
  PassArrays& arrays() const { return workspace_.arrays(); }
  Status VisitBlocks();
  Status GiveMessages(const VertexId* vertices, const std::byte* sums, uint32_t count,
                      GpuStream& on) const;

  const std::unique_ptr<ProgramPasses> passes_;
  GpuWorkspace& workspace_;
  GpuSets& sets_;
  GpuMessages& messages_;
  const OtherMemory memory_;
  WaitGate may_receive_;
  // These belong to the pass under way.
  SharedPass pass_;
  const void* program_ = nullptr;
  PushRepeats repeats_;
  PassArgs launch_;
};

}  // namespace edgemill
