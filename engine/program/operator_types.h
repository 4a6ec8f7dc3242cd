// Parameters and results of operators on edges, beside sets and programs.
#pragma once

#include <cstdint>
#include <limits>

#include "engine/program/sets/vertex_set.h"

namespace edgemill {

inline constexpr double kNoBound = std::numeric_limits<double>::infinity();

/// The operators as the journal knows them. The values are stored: never renumber.
enum class OperatorKind : uint8_t {
  kEdgeMap = 1,
  kFixpoint = 2,
  kBucketed = 3,
  kVertexMap = 4,
  kVertexFilter = 5,
  kReduce = 6,
  kEdgeVisit = 7,
  kVisitSampled = 8,
  kIntersect = 9,
};

/// The totals of a Fixpoint or Bucketed.
struct FixpointTotals {
  uint64_t passes = 0;
  uint64_t emitted = 0;  // how often vertices emitted, in all passes
  VertexSet left;        // vertices still active, where the number of passes was bounded
};

/// The buckets of Bucketed.
struct Buckets {
  double width = 1;
  /// Makes buckets wider while one pass empties a bucket, and narrower, down to `width`, where that
  /// takes many passes.
  bool adaptive = false;
};

/// The edges of each list that a visit takes: `count` edges, from the edge at `skip` on.
struct Slice {
  uint64_t skip = 0;
  uint64_t count = ~uint64_t{0};
  /// Lists of at most this many edges may be left out where VisitSampled has visited their edges.
  /// This changes only the time.
  uint64_t may_omit = 0;
};

}  // namespace edgemill
