#include "engine/cpu/intersect/vertex_order.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <vector>

#include "common/threads/parallel.h"

namespace edgemill {
namespace {

constexpr uint32_t kSteps = 16;             // classes of degrees from a power of two to the next
constexpr uint32_t kClasses = 64 * kSteps;  // more than any degree needs
constexpr size_t kMostParts = 64;           // of the vertices, each with counts of its own
constexpr size_t kLeastPart = size_t{1} << 16;  // vertices

/// The class of a degree. Higher degrees are in lower classes.
uint32_t ClassOf(EdgeIndex degree) {
  if (degree < kSteps) return kClasses - 1 - static_cast<uint32_t>(degree);
  const auto exponent = static_cast<uint32_t>(std::bit_width(degree)) - 5;  // of kSteps: 0
  const auto step = static_cast<uint32_t>(degree >> exponent) - kSteps;
  return kClasses - 1 - ((exponent + 1) * kSteps + step);
}

EdgeIndex DegreeOf(const LoadedGraph& graph, VertexId vertex) {
  EdgeIndex degree = graph.index(Direction::kOut).degree(vertex);
  if (graph.info().directed) degree += graph.index(Direction::kIn).degree(vertex);
  return degree;
}

/// Whether a vertex's class is never above the next one's. Ids by the degrees of an input need not
/// be: edges that were merged counted there.
bool IsByDegree(const LoadedGraph& graph) {
  std::atomic<bool> is{true};
  const uint64_t num_vertices = graph.num_vertices();
  ForEachChunk(num_vertices, kLeastPart, graph.threads(), [&](size_t begin, size_t end) {
    uint32_t before = ClassOf(DegreeOf(graph, VertexId(begin)));
    for (size_t v = begin + 1; v < std::min<size_t>(end + 1, num_vertices); ++v) {
      const uint32_t next = ClassOf(DegreeOf(graph, VertexId(v)));
      if (next < before) return is.store(false, std::memory_order_relaxed);
      before = next;
    }
  });
  return is;
}

}  // namespace

StatusOr<VertexOrder> VertexOrder::Of(LoadedGraph& graph) {
  VertexOrder order;
  if (IsByDegree(graph)) return order;
  const uint64_t num_vertices = graph.num_vertices();
  ASSIGN_OR_RETURN(order.reservation_,
                   graph.budget().Reserve(SizeBytes(graph.info()), "ranks of vertices"));
  ASSIGN_OR_RETURN(order.ranks_, Array<uint32_t>::Allocate(num_vertices));
  ASSIGN_OR_RETURN(order.vertices_, Array<VertexId>::Allocate(num_vertices));
  // A counting sort by class, stable because each part has places of its own in each class.
  const size_t part = std::max(kLeastPart, (num_vertices + kMostParts - 1) / kMostParts);
  std::vector<std::array<uint32_t, kClasses>> places((num_vertices + part - 1) / part);
  ForEachChunk(num_vertices, part, graph.threads(), [&](size_t begin, size_t end) {
    std::array<uint32_t, kClasses>& counts = places[begin / part];
    counts = {};
    for (size_t v = begin; v < end; ++v) ++counts[ClassOf(DegreeOf(graph, VertexId(v)))];
  });
  uint32_t next = 0;
  for (uint32_t degrees = 0; degrees < kClasses; ++degrees) {
    for (std::array<uint32_t, kClasses>& of_part : places) {
      const uint32_t count = of_part[degrees];
      of_part[degrees] = next;
      next += count;
    }
  }
  ForEachChunk(num_vertices, part, graph.threads(), [&](size_t begin, size_t end) {
    std::array<uint32_t, kClasses>& place = places[begin / part];
    for (size_t v = begin; v < end; ++v) {
      const uint32_t rank = place[ClassOf(DegreeOf(graph, VertexId(v)))]++;
      order.ranks_[v] = rank;
      order.vertices_[rank] = static_cast<VertexId>(v);
    }
  });
  return order;
}

}  // namespace edgemill
