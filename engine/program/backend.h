// The interface by which the Engine runs operators: on the CPU, on a GPU, or on teams that share
// passes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/status.h"
#include "common/types.h"
#include "engine/program/bucket_bound.h"
#include "engine/program/operator_types.h"
#include "engine/program/program_ref.h"
#include "engine/program/sets/vertex_set.h"

namespace edgemill {

/// Vertices, and their edges in the lists that a push would read.
struct ActiveCounts {
  uint64_t vertices = 0;
  EdgeIndex edges = 0;
};

/// The passes of one operator on edges. One thread calls Begin, then passes, then End. The program
/// may change between passes (ProgramRef::Next).
class OperatorPasses {
 public:
  virtual ~OperatorPasses() = default;

  /// The members of `from` emit in the next pass. `from` must live until that pass is over.
  virtual Status Begin(const VertexSet& from) = 0;
  /// The vertices that emit in the next pass.
  virtual ActiveCounts active() const = 0;
  /// The vertices that have emitted in the passes so far.
  virtual ActiveCounts emitted() const = 0;
  /// Does one pass. `asynchronous`: in an asynchronous run, vertices that become active with
  /// priorities below `bound` emit in the same pass.
  virtual Status Pass(bool asynchronous, double bound) = 0;
  /// Makes the vertices that the last pass has activated emit in the next one.
  virtual Status Advance() = 0;

  // For buckets: Advance, and then Split.
  virtual Status AdvanceBelow(double bound) {
    RETURN_IF_ERROR(Advance());
    return Split(bound);
  }
  /// Makes vertices that would emit next wait, if their priorities are `bound` or more.
  virtual Status Split(double bound) = 0;
  /// The least priority of the waiting vertices; infinity where there is none. Ignores priorities
  /// below `bound`: these vertices have emitted meanwhile.
  virtual StatusOr<double> LeastWaiting(double bound) = 0;
  /// Makes waiting vertices with priorities below `bound` emit next. Drops those with priorities
  /// below `before`: they have emitted meanwhile.
  virtual Status ActivateWaiting(double before, double bound) = 0;

  /// Makes waiting vertices with priorities of `bound` or more active, beside those that are. Drops
  /// the other waiting vertices: they have emitted meanwhile. Then none waits, and the operator may
  /// end, to go on in another one.
  virtual Status ActivateAll(double bound) = 0;

  /// Does many small pushes in one launch where that is faster than one launch for each: at most
  /// `max_passes`. Updates `bucket` (null without buckets) as these passes do. Returns the number
  /// of passes; 0 where a launch would not pay. The caller then calls the program's Next as often.
  virtual StatusOr<uint64_t> SmallPassesInOneLaunch(uint64_t max_passes, BucketBound* bucket) {
    static_cast<void>(max_passes), static_cast<void>(bucket);
    return uint64_t{0};
  }

  /// Ends the operator. Returns the vertices that are active and have not emitted.
  virtual StatusOr<VertexSet> End() = 0;
};

class HelperTeam;
class MainTeam;

/// Runs the operators of one Engine. One thread uses it. Errors are those of Engine's operators.
class Backend {
 public:
  virtual ~Backend() = default;

  /// The pool that makes and combines sets.
  virtual SetPool& sets() = 0;
  /// `program` must outlive the passes.
  virtual StatusOr<std::unique_ptr<OperatorPasses>> MakePasses(const ProgramRef& program) = 0;
  /// Makes the main team of passes that teams share. Null where the backend has no main team.
  virtual StatusOr<std::unique_ptr<MainTeam>> MakeTeam(const ProgramRef& program);
  /// Makes the teams that help this one, with memories of their own. None by default.
  virtual StatusOr<std::vector<std::unique_ptr<HelperTeam>>> MakeHelpers(const ProgramRef& program);
  /// Calls the function for each member.
  virtual Status Map(const FunctionRef& function, const VertexSet& set) = 0;
  /// The members for which the function is true.
  virtual StatusOr<VertexSet> Filter(const FunctionRef& function, const VertexSet& set) = 0;
  /// Combines the function's value for each member with `total`, a sum.
  virtual Status Reduce(const FunctionRef& function, const VertexSet& set, void* total) = 0;
  /// Calls the function for each edge of the members' lists, or for the same slice of each list.
  virtual Status VisitEdges(const FunctionRef& function, Directions directions,
                            const VertexSet& set, const Slice& slice) = 0;

  /// Calls the function for one edge of each vertex: to any neighbour in the vertex's list, or to
  /// the vertex itself where the list is empty. `lists`: kOut or kIn, as for EdgeVisit.
  virtual Status VisitSampled(const FunctionRef& function, Directions lists) = 0;
  /// Whether VisitSampled takes the neighbour of highest degree, and reads no list for it.
  virtual bool samples_hubs() const { return false; }

  /// Calls the function for each triangle. Only on the CPU.
  virtual Status Intersect(const FunctionRef& function);
};

}  // namespace edgemill
