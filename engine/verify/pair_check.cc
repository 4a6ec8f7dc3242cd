#include "engine/verify/pair_check.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "common/buffer.h"
#include "common/check.h"
#include "common/strings.h"
#include "engine/verify/plain_visit.h"
#include "engine/verify/simple_edges.h"

namespace edgemill {
namespace {

/// Which pairs a vertex is in: bit i as an end of pair i.
using PairEnds = std::vector<std::pair<VertexId, uint64_t>>;

PairEnds PairEndsOf(std::span<const CheckedPair> pairs, VertexId CheckedPair::*end) {
  PairEnds ends;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const VertexId vertex = pairs[i].*end;
    const auto at = std::find_if(ends.begin(), ends.end(),
                                 [&](const auto& entry) { return entry.first == vertex; });
    if (at == ends.end()) {
      ends.push_back({vertex, uint64_t{1} << i});
    } else {
      at->second |= uint64_t{1} << i;
    }
  }
  std::sort(ends.begin(), ends.end());
  return ends;
}
uint64_t PairBitsOf(const PairEnds& ends, VertexId vertex) {
  const auto at = std::lower_bound(ends.begin(), ends.end(), std::pair(vertex, uint64_t{0}));
  return at != ends.end() && at->first == vertex ? at->second : 0;
}

/// What is counted of a pair.
struct PairCounts {
  double of_one = 0, of_other = 0;  // neighbours
  double shared = 0, by_log = 0, by_number = 0;
};

double PairValueOf(std::string_view measure, const PairCounts& counts) {
  if (counts.shared == 0) return 0;
  if (measure == "jaccard") {
    return counts.shared / (counts.of_one + counts.of_other - counts.shared);
  }
  if (measure == "sorensen") return 2 * counts.shared / (counts.of_one + counts.of_other);
  if (measure == "overlap") return counts.shared / std::min(counts.of_one, counts.of_other);
  if (measure == "cosine") {
    return counts.shared / std::sqrt(counts.of_one) / std::sqrt(counts.of_other);
  }
  if (measure == "common") return counts.shared;
  return measure == "adamic-adar" ? counts.by_log : counts.by_number;
}

}  // namespace

uint64_t PairCheckBytes(const GraphInfo& info) {
  return info.num_vertices * (2 * sizeof(uint64_t) + sizeof(uint32_t)) +
         info.num_blocks() * sizeof(Edge);
}

Status CheckPairs(LoadedGraph& graph, std::string_view measure, bool by_in,
                  std::span<const CheckedPair> pairs) {
  constexpr double kTolerance = 1e-9;
  CHECK_LE(pairs.size(), kMostCheckedPairs);
  const uint64_t num_vertices = graph.num_vertices();
  ASSIGN_OR_RETURN(const MemoryReservation memory,
                   graph.budget().Reserve(PairCheckBytes(graph.info()), "the verifier's marks"));
  ASSIGN_OR_RETURN(Array<uint64_t> near_one, Array<uint64_t>::Allocate(num_vertices));
  ASSIGN_OR_RETURN(Array<uint64_t> near_other, Array<uint64_t>::Allocate(num_vertices));
  ASSIGN_OR_RETURN(Array<uint32_t> holders, Array<uint32_t>::Allocate(num_vertices));
  const PairEnds ones = PairEndsOf(pairs, &CheckedPair::one),
                 others = PairEndsOf(pairs, &CheckedPair::other);
  ASSIGN_OR_RETURN(const SimpleEdges edges, SimpleEdges::Of(graph));
  RETURN_IF_ERROR(edges.VisitAll([&](const Edge& edge) {
    const auto [vertex, neighbor] =
        by_in ? std::pair(edge.to, edge.from) : std::pair(edge.from, edge.to);
    AtomicAdd(&holders[neighbor], 1u);
    if (const uint64_t bits = PairBitsOf(ones, vertex)) AtomicOr(&near_one[neighbor], bits);
    if (const uint64_t bits = PairBitsOf(others, vertex)) AtomicOr(&near_other[neighbor], bits);
  }));
  std::vector<PairCounts> counts(pairs.size());
  for (VertexId w = 0; w < num_vertices; ++w) {
    for (uint64_t bits = near_one[w] | near_other[w]; bits != 0; bits &= bits - 1) {
      const auto i = static_cast<size_t>(std::countr_zero(bits));
      const bool of_one = (near_one[w] >> i & 1) != 0, of_other = (near_other[w] >> i & 1) != 0;
      counts[i].of_one += of_one ? 1 : 0;
      counts[i].of_other += of_other ? 1 : 0;
      if (!of_one || !of_other) continue;
      counts[i].shared += 1;
      if (holders[w] < 2) continue;
      counts[i].by_log += 1 / std::log(static_cast<double>(holders[w]));
      counts[i].by_number += 1 / static_cast<double>(holders[w]);
    }
  }
  for (size_t i = 0; i < pairs.size(); ++i) {
    const double right = PairValueOf(measure, counts[i]);
    if (std::abs(pairs[i].value - right) <= kTolerance * right) continue;
    ASSIGN_OR_RETURN(const std::string one, VertexText(graph, pairs[i].one));
    ASSIGN_OR_RETURN(const std::string other, VertexText(graph, pairs[i].other));
    return InternalError(StrCat("vertices ", one, " and ", other, " have the similarity ", right,
                                ", not ", pairs[i].value));
  }
  return OkStatus();
}

}  // namespace edgemill
