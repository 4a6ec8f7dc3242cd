// The tallies of a program on a GPU.
#pragma once

#include <cstddef>
#include <vector>

#include "common/check.h"
#include "engine/gpu/workspace/gpu_workspace.h"
#include "engine/program/program_ref.h"

namespace edgemill {

/// Where kernels add to the tallies of one program.
class PassTallies {
 public:
  PassTallies(GpuWorkspace& workspace, const ProgramRef& program) : workspace_(workspace) {
    program.calls->fields.begin_tallies(program.program, &start_);
    totals_.resize(start_.bytes().size());
    CHECK_LE(totals_.size(), kMaxTallies * kTallySlot);  // PassArrays planned this much
  }

  Status Clear() {
    if (totals_.empty()) return OkStatus();
    return workspace_.control().Write(workspace_.arrays().sums.tallies, start_.bytes());
  }
  /// Adds to the tallies of `program` what kernels added since the last call or Clear.
  Status ReadInto(const ProgramRef& program) {
    if (totals_.empty()) return OkStatus();
    RETURN_IF_ERROR(workspace_.control().Read(totals_, workspace_.arrays().sums.tallies));
    RETURN_IF_ERROR(Clear());
    program.calls->fields.merge_tallies(program.program, totals_);
    return OkStatus();
  }

 private:
  GpuWorkspace& workspace_;
  TallySlots start_;  // what totals begin with
  std::vector<std::byte> totals_;
};

}  // namespace edgemill
