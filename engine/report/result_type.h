// The kinds of numbers that an answer's values can be.
#pragma once

#include <cstdint>

namespace edgemill {

enum class ResultType : uint8_t {
  kCount,      // whole numbers below 2^63, or unreachable (levels, distances)
  kLongCount,  // whole numbers below 2^64 - 1; every vertex has one
  kId,         // vertices, by input ids of any 64 bits or by names; unreachable vertices have none
  kReal,       // doubles, or unreachable
};

/// What the summary of an answer shows when the user asks for the greatest values.
enum class TopKind : uint8_t {
  kNone,    // the values have no order
  kValues,  // the vertices of greatest value
  kGroups,  // the largest groups: vertices of equal value, which go by the name of the first of
            // them
  kLabels,  // the most frequent values, which are vertices, under their own names
};
/// Whether the greatest are values that many vertices have.
constexpr bool IsOfGroups(TopKind kind) {
  return kind == TopKind::kGroups || kind == TopKind::kLabels;
}

}  // namespace edgemill
