// What kind of number an answer's values are.
#pragma once

#include <cstdint>

namespace edgemill {

enum class ResultType : uint8_t {
  kCount,      // whole numbers below 2^63, or unreachable (levels, distances)
  kLongCount,  // whole numbers below 2^64 - 1; every vertex has one
  kId,         // vertices: input ids, any 64 bits, or names; unreachable ones have none
  kReal,       // doubles, or unreachable
};

/// What the summary shows of an answer when the user wants the greatest values.
enum class TopKind : uint8_t {
  kNone,    // the values have no order
  kValues,  // the vertices of greatest value
  kGroups,  // the values, which are vertices, that most vertices have
};

}  // namespace edgemill
