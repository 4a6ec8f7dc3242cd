#include "loaders/ids/id_ranks.h"

#include <algorithm>
#include <array>
#include <bit>

#include "common/check.h"

namespace edgemill {

StatusOr<SeenIds> SeenIds::Create(uint64_t limit, MemoryBudget& budget) {
  SeenIds seen;
  const uint64_t words = (limit + 511) / 512 * 8;
  ASSIGN_OR_RETURN(seen.reservation_, budget.Reserve(words * 8, "the set of vertex ids"));
  ASSIGN_OR_RETURN(seen.words_, Array<uint64_t>::Allocate(words));
  return seen;
}

uint64_t SeenIds::Count(uint64_t max_id) const {
  uint64_t count = 0;
  const uint64_t words = std::min<uint64_t>(words_.size(), max_id / 64 + 1);
  for (uint64_t i = 0; i < words; ++i) count += static_cast<uint64_t>(std::popcount(words_[i]));
  return count;
}

uint64_t SeenIds::FirstMissing(const SeenIds& other, uint64_t max_id) const {
  CHECK_EQ(words_.size(), other.words_.size());  // all sets of an input have the same limit
  const uint64_t words = std::min<uint64_t>(words_.size(), max_id / 64 + 1);
  for (uint64_t i = 0; i < words; ++i) {
    const uint64_t missing = words_[i] & ~other.words_[i];
    if (missing != 0) return i * 64 + static_cast<uint64_t>(std::countr_zero(missing));
  }
  return limit();
}

Status SeenIds::SaveTo(SpillStream& stream, uint64_t max_id) const {
  CHECK_LT(max_id, limit());
  const uint64_t words = std::min<uint64_t>(words_.size(), max_id / 64 + 1);
  // Threads may be adding ids of edges that are not saved. It does not matter which of these ids
  // are saved, since a resume adds them again.
  std::array<uint64_t, 512> chunk;
  for (uint64_t begin = 0; begin < words; begin += chunk.size()) {
    const uint64_t count = std::min<uint64_t>(chunk.size(), words - begin);
    for (uint64_t i = 0; i < count; ++i) {
      std::atomic_ref<uint64_t> word(const_cast<uint64_t&>(words_[begin + i]));
      chunk[i] = word.load(std::memory_order_relaxed);
    }
    RETURN_IF_ERROR(stream.Append(std::as_bytes(std::span(chunk).first(count))));
  }
  return stream.Save();
}

Status SeenIds::LoadFrom(const SpillStream& stream) {
  if (stream.size() > words_.size_bytes()) {
    return BudgetError(
        "the set of vertex ids does not fit this --memory: resume with as much as "
        "the ingest began with");
  }
  return stream.Read(0, std::as_writable_bytes(words_.span()).first(stream.size()));
}

IdRanks IdRanks::Dense(uint32_t base, uint64_t num_vertices) {
  IdRanks map;
  map.base_ = base;
  map.num_vertices_ = num_vertices;
  return map;
}

StatusOr<IdRanks> IdRanks::Sparse(SeenIds seen, uint64_t max_id, MemoryBudget& budget) {
  CHECK_LT(max_id, seen.limit());
  IdRanks map;
  map.sparse_ = true;
  map.max_id_ = max_id;
  const uint64_t num_counts = max_id / kIdsPerCount + 1;
  ASSIGN_OR_RETURN(map.reservation_,
                   budget.Reserve(num_counts * sizeof(Count), "ranks of vertex ids"));
  ASSIGN_OR_RETURN(map.counts_, Array<Count>::Allocate(num_counts));
  uint64_t rank = 0;
  for (uint64_t i = 0; i < num_counts; ++i) {
    Count& count = map.counts_[i];
    count.before = rank;
    for (uint64_t word = 0; word < 8; ++word) {
      if (word > 0) count.within |= (rank - count.before) << 9 * (word - 1);
      rank += static_cast<uint64_t>(std::popcount(seen.words()[i * 8 + word]));
    }
  }
  map.num_vertices_ = rank;
  map.seen_ = std::move(seen);
  return map;
}

inline __attribute__((always_inline)) uint32_t IdRanks::RankKeysInline(
    std::span<uint64_t> keys) const {
  uint32_t source = 0, rank = 0, greatest = 0;
  bool is_first = true;
  for (uint64_t& key : keys) {
    if (key >> 32 != source || is_first) {
      source = static_cast<uint32_t>(key >> 32);
      rank = Rank(source);
      greatest = std::max(greatest, rank);
      is_first = false;
    }
    key = uint64_t{rank} << 32 | Rank(static_cast<uint32_t>(key));
  }
  return greatest;
}

__attribute__((target("popcnt"))) uint32_t IdRanks::RankKeysByPopcnt(
    std::span<uint64_t> keys) const {
  return RankKeysInline(keys);
}

uint32_t IdRanks::RankKeys(std::span<uint64_t> keys) const {
  CHECK(!sparse_ || !counts_.empty());  // a map made by Facts has no ranks
  return __builtin_cpu_supports("popcnt") ? RankKeysByPopcnt(keys) : RankKeysInline(keys);
}

void IdRanks::AddWide(Array<uint64_t> ids, MemoryReservation reservation) {
  CHECK(sparse_ && wide_.empty());
  num_vertices_ += ids.size();
  wide_ = std::move(ids);
  wide_reservation_ = std::move(reservation);
}

IdRanks IdRanks::Facts(bool sparse, uint32_t base, uint64_t num_vertices) {
  IdRanks map = Dense(base, num_vertices);
  map.sparse_ = sparse;
  return map;
}

uint32_t IdRanks::RankOfWide(uint64_t id) const {
  if (id < seen_.limit()) return Rank(static_cast<uint32_t>(id));
  const auto at = std::lower_bound(wide_.begin(), wide_.end(), id);
  if (at == wide_.end() || *at != id) return kInvalidVertex;
  return static_cast<uint32_t>(num_vertices_ - wide_.size() +
                               static_cast<uint64_t>(at - wide_.begin()));
}

ExternalId IdRanks::IdOf(uint32_t rank) const {
  CHECK_LT(rank, num_vertices_);
  if (!sparse_) return uint64_t{rank} + base_;
  if (rank >= num_vertices_ - wide_.size()) return wide_[rank - (num_vertices_ - wide_.size())];
  const auto at =
      std::upper_bound(counts_.begin(), counts_.end(), rank,
                       [](uint32_t rank, const Count& count) { return rank < count.before; });
  uint64_t id = static_cast<uint64_t>(at - counts_.begin() - 1) * kIdsPerCount;
  while (Rank(static_cast<uint32_t>(id)) < rank || !seen_.Contains(id)) ++id;
  return id;
}

}  // namespace edgemill
