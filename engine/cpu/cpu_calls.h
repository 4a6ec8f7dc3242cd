// The inner loops for each type of program or function, as the CPU's part of the engine calls them.
// They are compiled in the file that has the type (engine/compile/for_cpu.h).
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

/// The calls of an edge program, which is given by its bytes.
struct CpuProgramCalls {
  /// Does one pass in `mode`, as OperatorPasses::Pass does.
  Status (*pass)(CpuPasses& passes, const void* program, Mode mode, bool asynchronous,
                 double bound);
  /// These call the functions of ActiveSets with the same names, with the program's Priority.
  Status (*split)(ActiveSets& sets, const void* program, double bound);
  StatusOr<double> (*least_waiting)(ActiveSets& sets, const void* program, double bound);
  Status (*activate_waiting)(ActiveSets& sets, const void* program, double before, double bound);
};

/// The edges that a function is called for.
struct EdgesToVisit {
  std::span<const Direction> lists;
  const Frontier* members = nullptr;  // the vertices whose lists are visited; null: all
  Slice slice;                        // of each list
};

/// The calls of a function on vertices, edges or triangles. Only the call for its use is set.
/// `members` is null for all vertices.
struct CpuFunctionCalls {
  Status (*map)(LoadedGraph& graph, const Frontier* members, const void* function) = nullptr;
  Status (*filter)(LoadedGraph& graph, const Frontier* members, const void* function,
                   Frontier& selected) = nullptr;
  /// Combines the values with `total`, a sum. The order does not depend on the threads.
  Status (*reduce)(LoadedGraph& graph, const Frontier* members, const void* function,
                   void* total) = nullptr;
  Status (*visit)(LoadedGraph& graph, Recorder& recorder, const EdgesToVisit& edges,
                  const void* function) = nullptr;
  /// For VisitSampled: calls the function for vertices without edges, with an edge to themselves.
  Status (*visit_isolated)(LoadedGraph& graph, Direction lists, const void* function) = nullptr;
  /// Takes at most `bytes` of the graph's budget.
  Status (*intersect)(LoadedGraph& graph, Recorder& recorder, uint64_t bytes,
                      const void* function) = nullptr;
};

}  // namespace edgemill
