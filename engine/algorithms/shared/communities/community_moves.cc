#include "engine/algorithms/shared/communities/community_moves.h"

#include <cstring>

namespace edgemill {
namespace {

constexpr uint64_t kVerticesOfThread = 4096;  // that are worth a thread

/// Calls `visit(v)` for vertices in [begin, end) that have one of `bits`, in order.
template <typename Visit>
void ForEachWith(std::span<const uint8_t> all, uint8_t bits, uint64_t begin, uint64_t end,
                 Visit visit) {
  uint64_t v = begin;
  const uint64_t mask = bits * 0x0101010101010101u;
  while (v < end) {
    if (v + 8 <= end) {
      uint64_t word;
      std::memcpy(&word, &all[v], sizeof(word));
      if ((word & mask) == 0) {
        v += 8;
        continue;
      }
    }
    const uint64_t last = std::min(v + 8, end);
    for (; v < last; ++v) {
      if ((all[v] & bits) != 0) visit(static_cast<VertexId>(v));
    }
  }
}

}  // namespace

uint64_t TakeProposals(const MoveSpans& spans, VertexId begin, VertexId end, int threads) {
  const std::span<VertexId> label = spans.label;
  const std::span<const VertexId> choice = spans.choice;
  const std::span<const uint64_t> strength = spans.strength;
  const std::span<uint64_t> limit = spans.limit;
  const std::span<uint64_t> total = spans.total;
  const std::span<uint32_t> size = spans.size;
  const std::span<uint8_t> bits = spans.bits;
  const int team = TeamFor(end - begin, kVerticesOfThread, threads);
  const size_t shards = static_cast<size_t>(team);
  // A community belongs to one shard, which takes proposals to it in order.
  ForEachChunk(shards, 1, team, [&](size_t shard, size_t) {
    ForEachWith(bits, kProposes, begin, end, [&](VertexId v) {
      const VertexId other = choice[v];
      if (shards > 1 && other % shards != shard) return;
      if (total[other] < limit[v]) {
        total[other] += strength[v];
        ++size[other];
      } else {
        limit[v] = 0;  // not choice[v], which other shards read
      }
    });
  });
  // One that was alone stays if another one joins it: else that one would be left alone.
  ForEachChunk(end - begin, kVerticesOfThread, team, [&](size_t from, size_t to) {
    ForEachWith(bits, kProposes, begin + from, begin + to, [&](VertexId v) {
      if (limit[v] == 0) {
        bits[v] = kAwake;
      } else if ((bits[v] & kAlone) != 0 && size[label[v]] > 1) {
        bits[v] = kStays;
      }
    });
  });
  uint64_t moved = 0;
  ForEachChunk(end - begin, kVerticesOfThread, team, [&](size_t from, size_t to) {
    uint64_t of_chunk = 0;
    ForEachWith(bits, kProposes | kStays, begin + from, begin + to, [&](VertexId v) {
      const bool stays = (bits[v] & kStays) != 0;
      const VertexId leaves = stays ? choice[v] : label[v];
      AtomicAdd(&total[leaves], uint64_t{0} - strength[v]);
      AtomicAdd(&size[leaves], ~uint32_t{0});
      if (!stays) label[v] = choice[v];
      bits[v] = stays ? kAwake : kMoves;
      of_chunk += stays ? 0 : 1;
    });
    if (of_chunk > 0) AtomicAdd(&moved, of_chunk);
  });
  return moved;
}

}  // namespace edgemill
