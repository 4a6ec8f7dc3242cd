#include "engine/driver/operators.h"

#include <algorithm>
#include <utility>

#include "common/cancel.h"
#include "common/check.h"

namespace edgemill {
namespace {

/// Whether an operator that has done `passes` has to pause. It does at least one pass, so that the
/// run advances.
bool MustPause(PassAllowance* allowance, uint64_t passes) {
  return allowance != nullptr && passes > 0 && allowance->Left(passes) == 0;
}

/// How many passes may be done with no look of the host between them: at most `most`.
uint64_t PassesAlone(PassAllowance* allowance, uint64_t passes, uint64_t most) {
  if (allowance == nullptr) return most;
  return std::min(most, std::max<uint64_t>(1, allowance->Left(passes)));
}

}  // namespace

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
                                     VertexSet from, uint64_t max_passes,
                                     PassAllowance* allowance) {
  FixpointTotals totals;
  if (max_passes == 0) {
    totals.left = std::move(from);
    return totals;
  }
  RETURN_IF_ERROR(passes.Begin(from));
  while (passes.active().vertices > 0 && totals.passes < max_passes) {
    if (MustPause(allowance, totals.passes)) break;
    RETURN_IF_ERROR(CheckCancelled());
    const uint64_t most = PassesAlone(allowance, totals.passes, max_passes - totals.passes);
    ASSIGN_OR_RETURN(const uint64_t alone, passes.SmallPassesInOneLaunch(most, nullptr));
    CHECK_LE(alone, most);
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
                                     VertexSet from, BucketBound* bucket,
                                     PassAllowance* allowance) {
  CHECK(program.traits.has_priority);
  FixpointTotals totals;
  RETURN_IF_ERROR(passes.Begin(from));
  RETURN_IF_ERROR(passes.Split(bucket->bound()));  // all vertices wait
  from = VertexSet();
  while (true) {
    if (MustPause(allowance, totals.passes)) {
      // Beyond all bounds, only vertices wait that never emit.
      if (bucket->bound() < kNoBound) RETURN_IF_ERROR(passes.ActivateAll(bucket->bound()));
      break;
    }
    if (passes.active().vertices == 0) {
      const double before = bucket->bound();
      ASSIGN_OR_RETURN(const double least, passes.LeastWaiting(before));
      if (least == kNoBound) break;
      CHECK_GE(least, before);  // vertices with lower priorities have emitted
      bucket->Advance(least);
      CHECK_GT(bucket->bound(), least);
      RETURN_IF_ERROR(passes.ActivateWaiting(before, bucket->bound()));
      bucket->CountStartEdges(passes.active().edges);
    }
    RETURN_IF_ERROR(CheckCancelled());
    const uint64_t most = PassesAlone(allowance, totals.passes, ~uint64_t{0});
    ASSIGN_OR_RETURN(const uint64_t alone, passes.SmallPassesInOneLaunch(most, bucket));
    totals.passes += alone;
    program.Next(alone);
    if (alone > 0) continue;
    RETURN_IF_ERROR(passes.Pass(program.traits.may_run_asynchronously, bucket->bound()));
    ++totals.passes;
    program.Next();
    RETURN_IF_ERROR(passes.AdvanceBelow(bucket->bound()));
    bucket->CountLaterEdges(passes.active().edges);
  }
  totals.emitted = passes.emitted().vertices;
  ASSIGN_OR_RETURN(totals.left, passes.End());
  return totals;
}

}  // namespace edgemill
