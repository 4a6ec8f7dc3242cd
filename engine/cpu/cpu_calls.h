// What the CPU's part of the engine calls of a program or function by its type: the inner loops,
// compiled in the file that has it (engine/compile/for_cpu.h).
#pragma once

#include <span>

#include "common/status.h"
#include "common/types.h"
#include "engine/program/mode.h"
#include "engine/program/operator_types.h"

namespace edgemill {

class ActiveSets;
class CpuPasses;
class Frontier;
class LoadedGraph;
class Recorder;

/// The calls of an edge program, whose bytes are a parameter.
struct CpuProgramCalls {
  /// One pass in `mode`, as OperatorPasses::Pass.
  Status (*pass)(CpuPasses& passes, const void* program, Mode mode, bool asynchronous,
                 double bound);
  /// ActiveSets' functions of the same names, by the program's Priority.
  Status (*split)(ActiveSets& sets, const void* program, double bound);
  StatusOr<double> (*least_waiting)(ActiveSets& sets, const void* program, double bound);
  Status (*activate_waiting)(ActiveSets& sets, const void* program, double before, double bound);
};

/// The edges that a function is called for.
struct EdgesToVisit {
  std::span<const Direction> lists;
  const Frontier* members = nullptr;  // whose lists; null: all
  Slice slice;                        // of each list
};

/// The calls of a function on vertices or edges: only that of its use is set. `members`: null for
/// all.
struct CpuFunctionCalls {
  Status (*map)(LoadedGraph& graph, const Frontier* members, const void* function) = nullptr;
  Status (*filter)(LoadedGraph& graph, const Frontier* members, const void* function,
                   Frontier& selected) = nullptr;
  /// Combines with `total`, a sum: in one order, whatever the threads.
  Status (*reduce)(LoadedGraph& graph, const Frontier* members, const void* function,
                   void* total) = nullptr;
  Status (*visit)(LoadedGraph& graph, Recorder& recorder, const EdgesToVisit& edges,
                  const void* function) = nullptr;
  /// For VisitSampled, on vertices without edges: calls it for an edge from each to itself.
  Status (*visit_isolated)(LoadedGraph& graph, Direction lists, const void* function) = nullptr;
};

}  // namespace edgemill
