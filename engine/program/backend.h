// What the Engine asks of what runs its operators: the CPU, a GPU, or teams that share passes.
#pragma once

#include <cstdint>
#include <memory>

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

/// The passes of one operator on edges. One thread drives it: Begin, then passes, then End. The
/// program is that which it was made for; it may change between passes (ProgramRef::Next).
class OperatorPasses {
 public:
  virtual ~OperatorPasses() = default;

  /// The members of `from` emit in the next pass. `from` must stay until that is over.
  virtual Status Begin(const VertexSet& from) = 0;
  /// What emits in the next pass.
  virtual ActiveCounts active() const = 0;
  /// What has emitted in the passes so far.
  virtual ActiveCounts emitted() const = 0;
  /// One pass. `asynchronous`: what becomes active emits in it, where the run is so and the
  /// priority is below `bound`.
  virtual Status Pass(bool asynchronous, double bound) = 0;
  /// What the last pass made active emits in the next one.
  virtual Status Advance() = 0;

  // Buckets. Advance. Of the vertices that would emit next, those with priorities of `bound` or
  // more then wait instead.
  virtual Status AdvanceBelow(double bound) {
    RETURN_IF_ERROR(Advance());
    return Split(bound);
  }
  /// Makes vertices that would emit next wait, if their priorities are `bound` or more.
  virtual Status Split(double bound) = 0;
  /// The least priority of those that wait, but for those below `bound`, which have emitted
  /// meanwhile; infinity where there is none.
  virtual StatusOr<double> LeastWaiting(double bound) = 0;
  /// Those that wait with priorities below `bound` emit next, but for those below `before`, which
  /// have emitted meanwhile.
  virtual Status ActivateWaiting(double before, double bound) = 0;

  /// Where many small passes in one launch, push after push, are faster than one by one: does some,
  /// at most `max_passes`, from what is active, and leaves `bucket` (null without buckets) as they
  /// did. Returns how many there were: 0 where this is no time for it. The caller has the program
  /// catch up.
  virtual StatusOr<uint64_t> PassesAlone(uint64_t max_passes, BucketBound* bucket) {
    static_cast<void>(max_passes), static_cast<void>(bucket);
    return uint64_t{0};
  }

  /// Ends the operator: what is active, and has not emitted.
  virtual StatusOr<VertexSet> End() = 0;
};

class MainTeam;

/// Runs the operators of one Engine. One thread uses it. Errors are those of Engine's operators.
class Backend {
 public:
  virtual ~Backend() = default;

  /// Makes sets, and combines them.
  virtual SetPool& sets() = 0;
  /// `program` must outlive what is returned.
  virtual StatusOr<std::unique_ptr<OperatorPasses>> MakePasses(const ProgramRef& program) = 0;
  /// The same passes, as the main team where others share them; null: it makes none.
  virtual StatusOr<std::unique_ptr<MainTeam>> MakeTeam(const ProgramRef& program);
  /// Calls the function for each member.
  virtual Status Map(const FunctionRef& function, const VertexSet& set) = 0;
  /// The members for which it is true.
  virtual StatusOr<VertexSet> Filter(const FunctionRef& function, const VertexSet& set) = 0;
  /// Combines what it returns for each member with `total`, a sum.
  virtual Status Reduce(const FunctionRef& function, const VertexSet& set, void* total) = 0;
  /// Calls it for each edge of the members' lists, or the same slice of each.
  virtual Status VisitEdges(const FunctionRef& function, Directions directions,
                            const VertexSet& set, const Slice& slice) = 0;

  /// Calls it for one edge in each vertex's list, of those that EdgeVisit reads for kOut or kIn: to
  /// any neighbour; to itself where it has none.
  virtual Status VisitSampled(const FunctionRef& function, Directions lists) = 0;
  /// Whether that is an edge to the neighbour of highest degree, and no list is read for it.
  virtual bool samples_hubs() const { return false; }
};

}  // namespace edgemill
