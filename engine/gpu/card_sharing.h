// A card's part of passes that another processor shares.
#pragma once

#include "engine/gpu/card_messages.h"
#include "engine/gpu/card_pass.h"
#include "engine/gpu/gpu_operators.h"
#include "engine/gpu/gpu_sets.h"
#include "engine/gpu/workspace/gpu_workspace.h"

namespace edgemill {

class ProgramPasses;

/// Of one edge operator.
class CardSharing final : public GpuSharing {
 public:
  /// All must outlive it.
  CardSharing(ProgramPasses& passes, CardPass& pass, GpuWorkspace& workspace, GpuSets& sets,
              CardMessages& messages)
      : passes_(passes),
        card_pass_(pass),
        workspace_(workspace),
        sets_(sets),
        messages_(messages) {}

  Mode NextMode() const override;
  StatusOr<uint64_t> ActiveWords(std::span<uint64_t> words) override;
  Status Begin(const void* program, const SharedPass& pass) override;
  Status Work() override;
  Status Receive(std::span<const VertexId> vertices, const void* sums) override {
    return messages_.Add(vertices, sums);
  }
  Status Take(std::span<const std::byte> border) override;
  StatusOr<uint64_t> TouchedWords(std::span<uint64_t> words) override;
  Status AddActive(VertexId first, std::span<const uint64_t> words) override;
  Status End() override;

 private:
  const EdgeProgramKernels& kernels() const { return *card_pass_.program().kernels; }
  PassArrays& arrays() const { return workspace_.arrays(); }
  Status GiveMessages(const VertexId* vertices, const std::byte* sums, uint32_t count,
                      GpuStream& on) const;

  ProgramPasses& passes_;
  CardPass& card_pass_;
  GpuWorkspace& workspace_;
  GpuSets& sets_;
  CardMessages& messages_;
  // Of the pass under way.
  SharedPass pass_;
  const void* program_ = nullptr;
  PushRepeats repeats_;
  PassLaunch launch_;
};

}  // namespace edgemill
