// What passes that teams share call of a program by its type: compiled in the file that has it
// (engine/compile/for_cpu.h).
#pragma once

#include <memory>
#include <vector>

#include "engine/hybrid/host_team.h"
#include "engine/hybrid/team_memories.h"
#include "engine/program/program_ref.h"

namespace edgemill {

struct HostTeamResources;
class LoadedGraph;
class MainTeam;
class Recorder;
class Workspace;

/// The calls of an edge program whose passes teams may share; its bytes are a parameter.
struct TeamProgramCalls {
  /// OwnElementsOf, Align, and ShownIn, which writes the copy to `shown`.
  std::vector<OwnElements> (*own_elements)(const void* program);
  Status (*align)(const void* program, TeamMemories memories);
  void (*show)(const void* program, const OtherMemory& memory, void* shown);
  /// Combines a sum with `total`, another; neither need be aligned.
  void (*combine)(void* total, const void* sum);
  /// BeginInto and EndInto; null where no array is combined into.
  Status (*begin_into)(const void* program, TeamMemories memories, int threads);
  Status (*end_into)(const void* program, TeamMemories memories);
  /// Threads of the CPU as a host team.
  std::unique_ptr<HostTeam> (*make_host_team)(HostTeamResources& resources,
                                              const ProgramRef& program);
  /// Threads of the CPU as the main team, on another memory; null but in tests (CpuMainTeam).
  std::unique_ptr<MainTeam> (*make_cpu_main_team)(LoadedGraph& graph, Workspace& workspace,
                                                  Recorder& recorder, const ProgramRef& program,
                                                  const OtherMemory& memory);
};

}  // namespace edgemill
