// The operators on edges, written once over what a backend does: one pass, passes until nothing is
// active, and passes in order of priorities.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "common/cancel.h"
#include "engine/program/edge_backend.h"
#include "engine/program/edge_program.h"
#include "engine/program/operator_types.h"

namespace edgemill {

namespace internal {

/// Which bucket is being emptied.
class BucketBound {
 public:
  explicit BucketBound(const Buckets& buckets) : buckets_(buckets), width_(buckets.width) {}

  double bound() const { return bound_; }
  void CountFirst(EdgeIndex edges) {
    first_edges_ = edges;
    again_edges_ = 0;
  }
  void CountAgain(EdgeIndex edges) { again_edges_ += edges; }
  /// Moves the bound past the bucket that `least` is in.
  void Advance(double least) {
    if (buckets_.adaptive && again_edges_ < first_edges_ / 8) width_ *= 2;
    if (buckets_.adaptive && again_edges_ > first_edges_) {
      width_ = std::max(width_ / 2, buckets_.width);
    }
    bound_ = (std::floor(least / width_) + 1) * width_;
    if (!(bound_ > least)) bound_ = std::nextafter(least, kNoBound);
  }

 private:
  const Buckets buckets_;
  double width_;
  double bound_ = -kNoBound;
  EdgeIndex first_edges_ = 0;  // of the members of the bucket when it was begun
  EdgeIndex again_edges_ = 0;  // of those that became members since
};

}  // namespace internal

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
StatusOr<FixpointTotals> RunFixpoint(EdgeBackend<P>& backend, const VertexSet& from, P* program,
                                     uint64_t most_passes) {
  FixpointTotals totals;
  RETURN_IF_ERROR(backend.Begin(from));
  while (backend.active().vertices > 0 && totals.passes < most_passes) {
    RETURN_IF_ERROR(CheckCancelled());
    RETURN_IF_ERROR(backend.Pass(*program, kMayRunAsynchronously<P>, kNoBound));
    ++totals.passes;
    if constexpr (HasNext<P>) program->Next();
    RETURN_IF_ERROR(backend.Advance());
  }
  totals.emitted = backend.emitted().vertices;
  ASSIGN_OR_RETURN(totals.left, backend.End());
  return totals;
}

template <typename P>
StatusOr<FixpointTotals> RunBucketed(EdgeBackend<P>& backend, const VertexSet& from, P* program,
                                     const Buckets& buckets) {
  FixpointTotals totals;
  internal::BucketBound bucket(buckets);
  RETURN_IF_ERROR(backend.Begin(from));
  RETURN_IF_ERROR(backend.Split(*program, bucket.bound()));  // all wait
  while (true) {
    if (backend.active().vertices == 0) {
      const double before = bucket.bound();
      ASSIGN_OR_RETURN(const double least, backend.LeastWaiting(*program, before));
      if (least == kNoBound) break;
      bucket.Advance(least);
      RETURN_IF_ERROR(backend.TakeWaiting(*program, before, bucket.bound()));
      // The first bucket, of what the driver gave, says nothing of the graph.
      if (before > -kNoBound) bucket.CountFirst(backend.active().edges);
    }
    RETURN_IF_ERROR(CheckCancelled());
    RETURN_IF_ERROR(backend.Pass(*program, kMayRunAsynchronously<P>, bucket.bound()));
    ++totals.passes;
    if constexpr (HasNext<P>) program->Next();
    RETURN_IF_ERROR(backend.Advance());
    RETURN_IF_ERROR(backend.Split(*program, bucket.bound()));
    bucket.CountAgain(backend.active().edges);
  }
  totals.emitted = backend.emitted().vertices;
  ASSIGN_OR_RETURN(totals.left, backend.End());
  return totals;
}

}  // namespace edgemill
