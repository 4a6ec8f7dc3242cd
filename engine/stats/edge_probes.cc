#include "engine/stats/edge_probes.h"

#include <algorithm>
#include <numeric>

#include "kernels/portable_atomics.h"
#include "storage/format/group_codec.h"

namespace edgemill {
namespace {

/// The numbers 0 to size - 1, sorted by what `key` gives for each.
template <typename Key>
std::vector<uint32_t> OrderBy(size_t size, Key key) {
  std::vector<uint32_t> order(size);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
  return order;
}

/// Appends `block` to rising numbers, unless it is the last of them.
void AddBlock(uint64_t block, std::vector<uint64_t>* blocks) {
  if (blocks->empty() || blocks->back() < block) blocks->push_back(block);
}

}  // namespace

StatusOr<std::vector<VertexId>> EdgeProbes::NeighborsAt(Direction direction,
                                                        std::span<const EdgeIndex> edges) {
  std::vector<VertexId> neighbors(edges.size());
  const std::vector<uint32_t> order = OrderBy(edges.size(), [&](uint32_t i) { return edges[i]; });
  std::vector<uint64_t> blocks;
  for (const uint32_t i : order) AddBlock(edges[i] / graph_.info().block_edges, &blocks);
  const VertexIndexView index = graph_.index(direction);
  const auto answer = [&](int, const BlockEdges& block) -> StatusOr<bool> {
    auto next = std::lower_bound(order.begin(), order.end(), block.begin,
                                 [&](uint32_t i, EdgeIndex edge) { return edges[i] < edge; });
    ListDecoder decoder(block.neighbors);
    bool sound = true;
    while (next != order.end() && edges[*next] < block.end) {
      const VertexId owner = OwnerOf(direction, edges[*next]);
      const EdgeIndex first = index.first_edge(owner);
      // All questions about this list have their answers by one walk up to the last of them.
      auto last = next;
      const EdgeIndex list_end = std::min(index.first_edge(owner + 1), block.end);
      while (last != order.end() && edges[*last] < list_end) ++last;
      const EdgeIndex begin = std::max(first, block.begin);
      decoder.VisitList(owner, static_cast<uint32_t>(begin - block.begin),
                        static_cast<uint32_t>(edges[*(last - 1)] + 1 - block.begin),
                        first < block.begin, [&](uint32_t edge, VertexId neighbor) {
                          while (next != last && edges[*next] == block.begin + edge) {
                            sound &= neighbor < index.num_vertices;
                            neighbors[*next++] = neighbor;
                          }
                        });
    }
    return sound;
  };
  RETURN_IF_ERROR(graph_.blocks().Visit(direction, false, std::move(blocks), answer));
  return neighbors;
}

StatusOr<std::vector<uint8_t>> EdgeProbes::Contain(Direction direction,
                                                   std::span<const Pair> pairs) {
  std::vector<uint8_t> found(pairs.size(), 0);
  const auto key = [&](uint32_t i) { return uint64_t{pairs[i].owner} << 32 | pairs[i].neighbor; };
  const std::vector<uint32_t> order = OrderBy(pairs.size(), key);
  const VertexIndexView index = graph_.index(direction);
  const uint64_t block_edges = graph_.info().block_edges;
  std::vector<uint64_t> blocks;
  for (const uint32_t i : order) {
    const EdgeIndex begin = index.first_edge(pairs[i].owner);
    const EdgeIndex end = index.first_edge(pairs[i].owner + 1);
    for (EdgeIndex edge = begin; edge < end; edge += block_edges) {
      AddBlock(edge / block_edges, &blocks);
    }
    if (begin < end) AddBlock((end - 1) / block_edges, &blocks);
  }
  const auto answer = [&](int, const BlockEdges& block) -> StatusOr<bool> {
    const VertexId least = block.owned_begin - (block.continues ? 1 : 0);
    auto next = std::lower_bound(order.begin(), order.end(), least,
                                 [&](uint32_t i, VertexId v) { return pairs[i].owner < v; });
    ListDecoder decoder(block.neighbors);
    while (next != order.end() && pairs[*next].owner < block.owned_end) {
      const VertexId owner = pairs[*next].owner;
      const EdgeIndex first = index.first_edge(owner);
      const EdgeIndex begin = std::max(first, block.begin);
      const EdgeIndex end = std::min(index.first_edge(owner + 1), block.end);
      const auto asked = next;
      while (next != order.end() && pairs[*next].owner == owner) ++next;
      if (begin >= end) continue;
      // Lists and questions rise: one walk up both.
      auto question = asked;
      decoder.VisitList(owner, static_cast<uint32_t>(begin - block.begin),
                        static_cast<uint32_t>(end - block.begin), first < block.begin,
                        [&](uint32_t, VertexId neighbor) {
                          while (question != next && pairs[*question].neighbor < neighbor) {
                            ++question;
                          }
                          for (auto same = question;
                               same != next && pairs[*same].neighbor == neighbor; ++same) {
                            StoreRelaxed(&found[*same], uint8_t{1});
                          }
                        });
    }
    return true;
  };
  RETURN_IF_ERROR(graph_.blocks().Visit(direction, false, std::move(blocks), answer));
  return found;
}

}  // namespace edgemill
