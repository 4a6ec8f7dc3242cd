#include "bench/layouts/shards.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "bench/plain/thread_team.h"
#include "common/check.h"

namespace edgemill::bench {
namespace {

/// Sources are cut into this many chunks for each thread, which have about as many edges each.
constexpr uint64_t kChunksPerThread = 4;

/// Vertices [chunks[i], chunks[i + 1]) have about equal numbers of edges.
std::vector<uint64_t> CutVertices(std::span<const uint64_t> offsets, uint64_t num_chunks) {
  std::vector<uint64_t> chunks;
  for (uint64_t i = 0; i <= num_chunks; ++i) {
    const uint64_t edge = offsets.back() / num_chunks * i;
    const auto at = std::lower_bound(offsets.begin(), offsets.end(), edge);
    chunks.push_back(static_cast<uint64_t>(at - offsets.begin()));
  }
  chunks.front() = 0;
  chunks.back() = offsets.size() - 1;
  return chunks;
}

/// Puts edges into their shards in the order of their sources. Chunks of sources count the edges
/// that they have for each shard first, so that each edge's place is known.
class SourceOrder {
 public:
  SourceOrder(const ShardedLists& lists, std::span<const Shard> shards, ShardedEdges* edges)
      : lists_(lists), shards_(shards), edges_(*edges) {}

  Status Run(int threads, MemoryBudget& budget) {
    const uint64_t num_vertices = lists_.out.offsets.size() - 1;
    ThreadTeam team(threads);
    const uint64_t num_chunks = kChunksPerThread * static_cast<uint64_t>(threads);
    ASSIGN_OR_RETURN(const MemoryReservation reservation,
                     budget.Reserve(num_vertices * sizeof(uint32_t) +
                                        num_chunks * shards_.size() * sizeof(uint64_t),
                                    "laying out shards"));
    ASSIGN_OR_RETURN(shard_of_, Array<uint32_t>::Allocate(num_vertices));
    ASSIGN_OR_RETURN(places_, Array<uint64_t>::Allocate(num_chunks * shards_.size()));
    team.Chunks(shards_.size(), 64, [&](int, uint64_t begin, uint64_t end) {
      for (uint64_t i = begin; i < end; ++i) {
        std::fill_n(shard_of_.begin() + shards_[i].first_target, shards_[i].num_targets,
                    static_cast<uint32_t>(i));
      }
    });
    chunks_ = CutVertices(lists_.out.offsets.span(), num_chunks);
    team.Chunks(num_chunks, 1, [&](int, uint64_t chunk, uint64_t) { Count(chunk); });
    for (uint64_t i = 0; i < shards_.size(); ++i) {
      uint64_t place = shards_[i].begin;
      for (uint64_t chunk = 0; chunk < num_chunks; ++chunk) {
        place += std::exchange(PlaceOf(chunk, i), place);
      }
      CHECK_EQ(place, shards_[i].end);  // in-lists have the edges of out-lists
    }
    team.Chunks(num_chunks, 1, [&](int, uint64_t chunk, uint64_t) { Put(chunk); });
    return OkStatus();
  }

 private:
  uint64_t& PlaceOf(uint64_t chunk, uint64_t shard) {
    return places_[chunk * shards_.size() + shard];
  }
  void Count(uint64_t chunk) {
    const auto& offsets = lists_.out.offsets;
    for (uint64_t e = offsets[chunks_[chunk]]; e < offsets[chunks_[chunk + 1]]; ++e) {
      ++PlaceOf(chunk, shard_of_[lists_.out.neighbors[e]]);
    }
  }
  void Put(uint64_t chunk) {
    const auto& offsets = lists_.out.offsets;
    for (uint64_t source = chunks_[chunk]; source < chunks_[chunk + 1]; ++source) {
      for (uint64_t e = offsets[source]; e < offsets[source + 1]; ++e) {
        const VertexId target = lists_.out.neighbors[e];
        const uint32_t shard = shard_of_[target];
        const uint64_t place = PlaceOf(chunk, shard)++;
        edges_.sources[place] = static_cast<VertexId>(source);
        edges_.targets[place] = static_cast<uint16_t>(target - shards_[shard].first_target);
        if (!edges_.weights.empty()) edges_.weights[place] = lists_.out.weights[e];
      }
    }
  }

  const ShardedLists& lists_;
  std::span<const Shard> shards_;
  ShardedEdges& edges_;
  Array<uint32_t> shard_of_;      // by target
  Array<uint64_t> places_;        // by chunk and shard
  std::vector<uint64_t> chunks_;  // of sources
};

void PutInTargetOrder(const PlainLists& in, std::span<const Shard> shards, int threads,
                      ShardedEdges* edges) {
  ThreadTeam team(threads);
  team.Chunks(shards.size(), 1, [&](int, uint64_t i, uint64_t) {
    const Shard& shard = shards[i];
    for (uint32_t local = 0; local < shard.num_targets; ++local) {
      const VertexId target = shard.first_target + local;
      std::ranges::copy(in.of(target), edges->sources.begin() + in.offsets[target]);
      std::fill_n(edges->targets.begin() + in.offsets[target], in.degree(target),
                  static_cast<uint16_t>(local));
    }
  });
}

}  // namespace

uint32_t CopiesOf(uint64_t num_edges, uint64_t num_targets) {
  if (num_edges <= num_targets) return 1;
  constexpr int kMost = std::countr_zero(kMaxCopies);
  const double mean = static_cast<double>(num_edges) / static_cast<double>(num_targets);
  return 1u << std::min(static_cast<int>(std::lround(std::log2(mean))), kMost);
}

std::vector<Shard> CutShards(std::span<const uint64_t> in_offsets, const ShardTuning& tuning) {
  std::vector<Shard> shards;
  const uint64_t num_vertices = in_offsets.size() - 1;
  const auto shard_with = [&](uint64_t first, uint32_t copies) {
    const uint64_t last = std::min<uint64_t>(first + kShardValues / copies, num_vertices);
    return Shard{static_cast<VertexId>(first), static_cast<uint32_t>(last - first), copies,
                 in_offsets[first], in_offsets[last]};
  };
  for (uint64_t first = 0; first < num_vertices; first += shards.back().num_targets) {
    uint32_t copies = tuning.copies == 0 ? kMaxCopies : tuning.copies;
    Shard shard = shard_with(first, copies);
    while (tuning.copies == 0 && CopiesOf(shard.end - shard.begin, shard.num_targets) < copies) {
      copies /= 2;
      shard = shard_with(first, copies);
    }
    shards.push_back(shard);
  }
  return shards;
}

double MeanCopies(std::span<const Shard> shards) {
  double sum = 0;
  for (const Shard& shard : shards) sum += shard.copies;
  return shards.empty() ? 0 : sum / static_cast<double>(shards.size());
}

std::vector<ShardPart> CutParts(std::span<const Shard> shards, uint64_t part_edges) {
  std::vector<ShardPart> parts;
  for (const Shard& shard : shards) {
    const uint64_t edges = shard.end - shard.begin;
    if (edges == 0) continue;
    const uint64_t count = part_edges == 0 ? 1 : (edges + part_edges - 1) / part_edges;
    const uint64_t most = (edges + count - 1) / count;
    for (uint64_t begin = shard.begin; begin < shard.end; begin += most) {
      parts.push_back({begin, std::min(begin + most, shard.end), shard.first_target,
                       shard.num_targets, shard.copies});
    }
  }
  return parts;
}

std::vector<uint32_t> CutPages(std::span<const ShardPart> parts, uint32_t num_pages) {
  const uint64_t num_edges = parts.empty() ? 0 : parts.back().end;
  std::vector<uint32_t> pages = {0};
  for (uint32_t page = 1; page <= num_pages; ++page) {
    const auto edge =
        static_cast<uint64_t>(static_cast<unsigned __int128>(num_edges) * page / num_pages);
    uint32_t part = pages.back();
    while (part < parts.size() && parts[part].begin < edge) ++part;
    pages.push_back(part);
  }
  return pages;
}

StatusOr<ShardedEdges> LayOutShards(const ShardedLists& lists, std::span<const Shard> shards,
                                    bool by_target, int threads, MemoryBudget& budget) {
  const bool weighted = lists.weighted && !by_target;
  const uint64_t num_edges = lists.out.neighbors.size();
  CHECK_EQ(num_edges, lists.in.neighbors.size());
  ShardedEdges edges;
  ASSIGN_OR_RETURN(edges.reservation,
                   budget.Reserve(num_edges * (weighted ? 10 : 6), "edges of shards"));
  ASSIGN_OR_RETURN(edges.sources, Array<VertexId>::Allocate(num_edges));
  ASSIGN_OR_RETURN(edges.targets, Array<uint16_t>::Allocate(num_edges));
  if (weighted) {
    ASSIGN_OR_RETURN(edges.weights, Array<int32_t>::Allocate(num_edges));
  }
  if (by_target) {
    PutInTargetOrder(lists.in, shards, threads, &edges);
  } else {
    RETURN_IF_ERROR(SourceOrder(lists, shards, &edges).Run(threads, budget));
  }
  return edges;
}

}  // namespace edgemill::bench
