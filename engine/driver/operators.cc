#include "engine/driver/operators.h"

#include <utility>

#include "common/cancel.h"
#include "common/check.h"

namespace edgemill {

StatusOr<VertexSet> RunEdgeMap(OperatorPasses& passes, const ProgramRef& program,
                               const VertexSet& from) {
  RETURN_IF_ERROR(CheckCancelled());
  RETURN_IF_ERROR(passes.Begin(from));
  if (passes.active().vertices > 0 || program.traits.applies_to_all) {
    RETURN_IF_ERROR(passes.Pass(/*asynchronous=*/false, kNoBound));
  }
  RETURN_IF_ERROR(passes.Advance());
  return passes.End();
}

StatusOr<FixpointTotals> RunFixpoint(OperatorPasses& passes, const ProgramRef& program,
                                     VertexSet from, uint64_t max_passes) {
  FixpointTotals totals;
  if (max_passes == 0) {
    totals.left = std::move(from);
    return totals;
  }
  RETURN_IF_ERROR(passes.Begin(from));
  while (passes.active().vertices > 0 && totals.passes < max_passes) {
    RETURN_IF_ERROR(CheckCancelled());
    ASSIGN_OR_RETURN(const uint64_t alone,
                     passes.SmallPassesInOneLaunch(max_passes - totals.passes, nullptr));
    CHECK_LE(alone, max_passes - totals.passes);
    totals.passes += alone;
    program.Next(alone);
    if (alone > 0) continue;
    RETURN_IF_ERROR(passes.Pass(program.traits.may_run_asynchronously, kNoBound));
    ++totals.passes;
    program.Next();
    RETURN_IF_ERROR(passes.Advance());
    from = VertexSet();  // gives its memory back to the pool
  }
  totals.emitted = passes.emitted().vertices;
  ASSIGN_OR_RETURN(totals.left, passes.End());
  return totals;
}

StatusOr<FixpointTotals> RunBucketed(OperatorPasses& passes, const ProgramRef& program,
                                     VertexSet from, const Buckets& buckets) {
  CHECK(program.traits.has_priority);
  FixpointTotals totals;
  BucketBound bucket(buckets);
  RETURN_IF_ERROR(passes.Begin(from));
  RETURN_IF_ERROR(passes.Split(bucket.bound()));  // all vertices wait
  from = VertexSet();
  while (true) {
    if (passes.active().vertices == 0) {
      const double before = bucket.bound();
      ASSIGN_OR_RETURN(const double least, passes.LeastWaiting(before));
      if (least == kNoBound) break;
      CHECK_GE(least, before);  // vertices with lower priorities have emitted
      bucket.Advance(least);
      CHECK_GT(bucket.bound(), least);
      RETURN_IF_ERROR(passes.ActivateWaiting(before, bucket.bound()));
      bucket.CountStartEdges(passes.active().edges);
    }
    RETURN_IF_ERROR(CheckCancelled());
    ASSIGN_OR_RETURN(const uint64_t alone, passes.SmallPassesInOneLaunch(~uint64_t{0}, &bucket));
    totals.passes += alone;
    program.Next(alone);
    if (alone > 0) continue;
    RETURN_IF_ERROR(passes.Pass(program.traits.may_run_asynchronously, bucket.bound()));
    ++totals.passes;
    program.Next();
    RETURN_IF_ERROR(passes.AdvanceBelow(bucket.bound()));
    bucket.CountLaterEdges(passes.active().edges);
  }
  totals.emitted = passes.emitted().vertices;
  ASSIGN_OR_RETURN(totals.left, passes.End());
  return totals;
}

}  // namespace edgemill
