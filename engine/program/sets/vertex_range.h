// A range of vertices.
#pragma once

#include <cstdint>

namespace edgemill {

/// The vertices [begin, end).
struct VertexRange {
  uint64_t begin = 0;
  uint64_t end = 0;
  constexpr uint64_t size() const { return end - begin; }
  bool operator==(const VertexRange&) const = default;
};

}  // namespace edgemill
