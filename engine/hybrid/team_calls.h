// What passes that teams share call of a program by its type: compiled in the file that has it
// (engine/compile/for_cpu.h).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/hybrid/both_copies.h"
#include "engine/hybrid/helping_team.h"
#include "engine/program/program_ref.h"

namespace edgemill {

/// Of an edge program whose passes teams may share; its bytes are a parameter.
struct TeamProgramCalls {
  /// OwnElementsOf, and OnBoth, which writes the copy to `leading`.
  std::vector<OwnElements> (*own_elements)(const void* program);
  Status (*on_both)(const void* program, std::span<const IndexCopy> indexes, void* leading);
  /// BeginInto and EndInto; null where no array is combined into.
  void (*begin_into)(const void* program, int threads);
  Status (*end_into)(const void* program);
  /// The CPU's threads as the team that helps.
  std::unique_ptr<HelpingTeam> (*make_helper)(HybridRun& run, const ProgramRef& program);
};

}  // namespace edgemill
