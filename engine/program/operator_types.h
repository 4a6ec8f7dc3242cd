// What operators on edges take and return beside sets and programs.
#pragma once

#include <cstdint>
#include <limits>

#include "engine/program/sets/vertex_set.h"

namespace edgemill {

inline constexpr double kNoBound = std::numeric_limits<double>::infinity();

/// What a Fixpoint or Bucketed has done.
struct FixpointTotals {
  uint64_t passes = 0;
  uint64_t emitted = 0;  // vertices that emitted, each as often as it did
  VertexSet left;        // what is active still, where the number of passes was bounded
};

/// The buckets of Bucketed.
struct Buckets {
  double width = 1;
  /// Widen while buckets are done in one pass, narrow down to `width` where they take many.
  bool adaptive = false;
};

/// Which edges of each list a visit takes: `count` from the one at `skip` on.
struct Slice {
  uint64_t skip = 0;
  uint64_t count = ~uint64_t{0};
  /// Lists of so many edges at most may be left out, where VisitSampled was called for their edges:
  /// whether they are changes time alone.
  uint64_t may_omit = 0;
};

}  // namespace edgemill
