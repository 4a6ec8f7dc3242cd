// The tallies of a program on a card.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/gpu/workspace/gpu_workspace.h"

namespace edgemill {

/// Where kernels add to the tallies of one program.
class PassTallies {
 public:
  /// `start`: totals as they begin, a slot each. Both must outlive it.
  PassTallies(GpuWorkspace& workspace, std::span<const std::byte> start)
      : workspace_(workspace), start_(start), totals_(start.size()) {}

  Status Clear() {
    if (start_.empty()) return OkStatus();
    return workspace_.control().Write(workspace_.arrays().tallies, start_);
  }
  /// What was added since the last call, or Clear.
  StatusOr<std::span<const std::byte>> Take() {
    RETURN_IF_ERROR(workspace_.control().Read(totals_, workspace_.arrays().tallies));
    RETURN_IF_ERROR(Clear());
    return std::span<const std::byte>(totals_);
  }

 private:
  GpuWorkspace& workspace_;
  const std::span<const std::byte> start_;
  std::vector<std::byte> totals_;
};

}  // namespace edgemill
