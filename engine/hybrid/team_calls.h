// The functions for each program type that shared passes call. They are compiled in the file that
// has the type (engine/compile/for_cpu.h).
#pragma once

#include <memory>
#include <vector>

#include "engine/hybrid/team_memories.h"
#include "engine/program/helper_team.h"
#include "engine/program/program_ref.h"

namespace edgemill {

struct HostTeamResources;
class LoadedGraph;
class MainTeam;
class Recorder;
class Workspace;

/// The calls of an edge program whose passes teams may share. The program is given by its bytes.
struct TeamProgramCalls {
  /// These three call OwnElementsOf, Align and ShownIn. The last writes the copy to `shown`.
  std::vector<OwnElements> (*own_elements)(const void* program);
  Status (*align)(const void* program, TeamMemories memories);
  void (*show)(const void* program, const OtherMemory& memory, void* shown);
  /// Combines `sum` into `total`, also a sum. Neither need be aligned.
  void (*combine)(void* total, const void* sum);
  /// These call BeginInto and EndInto. Null where the program combines into no array.
  Status (*begin_into)(const void* program, TeamMemories memories, int threads);
  Status (*end_into)(const void* program, TeamMemories memories);
  /// Makes a host team of CPU threads.
  std::unique_ptr<HelperTeam> (*make_host_team)(HostTeamResources& resources,
                                                const ProgramRef& program);
  /// Makes a main team of CPU threads, on another memory (CpuMainTeam). Null except in tests.
  std::unique_ptr<MainTeam> (*make_cpu_main_team)(LoadedGraph& graph, Workspace& workspace,
                                                  Recorder& recorder, const ProgramRef& program,
                                                  const OtherMemory& memory);
};

}  // namespace edgemill
