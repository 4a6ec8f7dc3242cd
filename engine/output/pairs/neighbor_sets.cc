#include "engine/output/pairs/neighbor_sets.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "common/check.h"
#include "common/threads/parallel.h"
#include "kernels/portable_atomics.h"

namespace edgemill {

StatusOr<NeighborSets> NeighborSets::Create(const PairLists& source, uint64_t bytes,
                                            MemoryBudget& budget) {
  NeighborSets sets(source);
  ASSIGN_OR_RETURN(sets.reservation_, budget.Reserve(bytes, "sets of neighbours"));
  ASSIGN_OR_RETURN(sets.memory_, Array<uint32_t>::Allocate(bytes / sizeof(uint32_t)));
  return sets;
}

void NeighborSets::Start(std::span<const VertexId> vertices) {
  CHECK_LE(vertices.size() * kPlaceWords, memory_.size());
  vertices_ = vertices;
  std::fill_n(places(), vertices.size(), Place());
}

Status NeighborSets::Read() {
  const uint32_t block_edges = source_.info.block_edges;
  uint64_t words = vertices_.size() * kPlaceWords;
  std::vector<uint64_t> blocks;
  for (size_t i = 0; i < vertices_.size(); ++i) {
    Place& place = places()[i];
    if (!place.wanted) continue;
    const EdgeIndex begin = source_.index.first_edge(vertices_[i]);
    const EdgeIndex end = source_.index.first_edge(vertices_[i] + 1);
    const uint64_t more = WordsOf(source_, vertices_[i]);
    place.begin = words;
    place.is_bitmap = end - begin > more;
    words += more;
    CHECK_LE(words, memory_.size());
    if (place.is_bitmap) std::fill_n(memory_.data() + place.begin, more, 0u);
    for (EdgeIndex edge = begin; edge < end; edge = (edge / block_edges + 1) * block_edges) {
      const uint64_t block = edge / block_edges;
      if (blocks.empty() || blocks.back() < block) blocks.push_back(block);
    }
  }
  RETURN_IF_ERROR(source_.blocks.Visit(
      source_.direction, /*with_weights=*/false, std::move(blocks),
      [&](int, const BlockEdges& block) -> StatusOr<bool> { return ReadBlock(block); }));
  constexpr size_t kGrain = 256;
  ForEachChunk(vertices_.size(), kGrain, source_.threads, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (places()[i].wanted) Finish(vertices_[i], &places()[i]);
    }
  });
  return OkStatus();
}

bool NeighborSets::ReadBlock(const BlockEdges& block) {
  const VertexIndexView& index = source_.index;
  ListCursor<NoWeight> cursor(block, source_.info.num_vertices);
  auto vertex = std::partition_point(vertices_.begin(), vertices_.end(), [&](VertexId v) {
    return index.first_edge(v + 1) <= block.begin;
  });
  for (; vertex != vertices_.end() && index.first_edge(*vertex) < block.end; ++vertex) {
    const Place& place = places()[vertex - vertices_.begin()];
    if (!place.wanted) continue;
    const EdgeIndex first = index.first_edge(*vertex);
    uint32_t* const words = memory_.data() + place.begin;
    uint64_t at = std::max(first, block.begin) - first;
    const bool is_sound = cursor.VisitList(
        *vertex, first, index.first_edge(*vertex + 1), [&](const ListChunk<NoWeight>& chunk) {
          for (uint32_t i = 0; i < chunk.size; ++i) {
            const VertexId neighbor = chunk.target(i);
            if (!place.is_bitmap) {
              words[at + i] = neighbor;
            } else if (neighbor != *vertex) {  // other blocks have parts of the same list
              AtomicOr(&words[neighbor / 32], uint32_t{1} << neighbor % 32);
            }
          }
          at += chunk.size;
          return true;
        });
    if (!is_sound) return false;
  }
  return true;
}

void NeighborSets::Finish(VertexId vertex, Place* place) {
  uint32_t* const words = memory_.data() + place->begin;
  if (place->is_bitmap) {
    for (uint64_t i = 0; i < WordsOfBitmap(source_.info); ++i) {
      place->size += static_cast<uint32_t>(std::popcount(words[i]));
    }
    return;
  }
  const uint64_t count = source_.index.degree(vertex);
  VertexId before = kInvalidVertex;
  for (uint64_t i = 0; i < count; ++i) {
    const VertexId neighbor = words[i];
    if (neighbor != before && neighbor != vertex) words[place->size++] = neighbor;
    before = neighbor;
  }
}

}  // namespace edgemill
