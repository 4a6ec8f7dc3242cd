// The operators on edges, written once over what a backend does: one pass, passes until nothing is
// active, and passes in order of priorities.
#pragma once

#include <cstdint>
#include <utility>

#include "common/cancel.h"
#include "engine/program/bucket_bound.h"
#include "engine/program/edge_backend.h"
#include "engine/program/edge_program.h"
#include "engine/program/operator_types.h"

namespace edgemill {

/// Has a program do what `passes` passes would have had it do in between.
template <typename P>
void CatchUp([[maybe_unused]] uint64_t passes, [[maybe_unused]] P* program) {
  if constexpr (HasNext<P>) {
    for (uint64_t pass = 0; pass < passes; ++pass) program->Next();
  }
}

template <typename P>
StatusOr<VertexSet> RunEdgeMap(EdgeBackend<P>& backend, const VertexSet& from, const P& program) {
  RETURN_IF_ERROR(CheckCancelled());
  RETURN_IF_ERROR(backend.Begin(from));
  if (backend.active().vertices > 0 || kAppliesToAllOf<P>) {
    RETURN_IF_ERROR(backend.Pass(program, false, kNoBound));
  }
  RETURN_IF_ERROR(backend.Advance());
  return backend.End();
}

template <typename P>
StatusOr<FixpointTotals> RunFixpoint(EdgeBackend<P>& backend, VertexSet from, P* program,
                                     uint64_t most_passes) {
  FixpointTotals totals;
  if (most_passes == 0) {
    totals.left = std::move(from);
    return totals;
  }
  RETURN_IF_ERROR(backend.Begin(from));
  while (backend.active().vertices > 0 && totals.passes < most_passes) {
    RETURN_IF_ERROR(CheckCancelled());
    ASSIGN_OR_RETURN(const uint64_t alone,
                     backend.PassesAlone(*program, most_passes - totals.passes, nullptr));
    totals.passes += alone;
    CatchUp(alone, program);
    if (alone > 0) continue;
    RETURN_IF_ERROR(backend.Pass(*program, kMayRunAsynchronously<P>, kNoBound));
    ++totals.passes;
    if constexpr (HasNext<P>) program->Next();
    RETURN_IF_ERROR(backend.Advance());
    from = VertexSet();  // its memory serves others
  }
  totals.emitted = backend.emitted().vertices;
  ASSIGN_OR_RETURN(totals.left, backend.End());
  return totals;
}

template <typename P>
StatusOr<FixpointTotals> RunBucketed(EdgeBackend<P>& backend, VertexSet from, P* program,
                                     const Buckets& buckets) {
  FixpointTotals totals;
  BucketBound bucket(buckets);
  RETURN_IF_ERROR(backend.Begin(from));
  RETURN_IF_ERROR(backend.Split(*program, bucket.bound()));  // all wait
  from = VertexSet();
  while (true) {
    if (backend.active().vertices == 0) {
      const double before = bucket.bound();
      ASSIGN_OR_RETURN(const double least, backend.LeastWaiting(*program, before));
      if (least == kNoBound) break;
      bucket.Advance(least);
      RETURN_IF_ERROR(backend.TakeWaiting(*program, before, bucket.bound()));
      bucket.CountFirst(backend.active().edges);
    }
    RETURN_IF_ERROR(CheckCancelled());
    ASSIGN_OR_RETURN(const uint64_t alone,
                     backend.PassesAlone(*program, ~uint64_t{0}, &bucket));
    totals.passes += alone;
    CatchUp(alone, program);
    if (alone > 0) continue;
    RETURN_IF_ERROR(backend.Pass(*program, kMayRunAsynchronously<P>, bucket.bound()));
    ++totals.passes;
    if constexpr (HasNext<P>) program->Next();
    RETURN_IF_ERROR(backend.AdvanceBelow(*program, bucket.bound()));
    bucket.CountAgain(backend.active().edges);
  }
  totals.emitted = backend.emitted().vertices;
  ASSIGN_OR_RETURN(totals.left, backend.End());
  return totals;
}

}  // namespace edgemill
