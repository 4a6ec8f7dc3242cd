// The ids that occur, and the rank of each: its place in ascending order.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/types.h"
#include "loaders/spill/spill_space.h"

namespace edgemill {

/// A set of ids below a limit, with one bit for each id. Only pages with marked ids take memory.
class SeenIds {
 public:
  /// Makes an empty set of ids below `limit`. Reserves limit / 8 bytes in `budget`.
  static StatusOr<SeenIds> Create(uint64_t limit, MemoryBudget& budget);

  uint64_t limit() const { return words_.size() * 64; }
  /// Adds an id below the limit. Thread-safe.
  void Mark(uint64_t id) {
    std::atomic_ref<uint64_t> word(words_[id / 64]);
    const uint64_t bit = uint64_t{1} << (id % 64);
    // Most ids come more than once, and a load leaves the cache line to other cores.
    if ((word.load(std::memory_order_relaxed) & bit) == 0) {
      word.fetch_or(bit, std::memory_order_relaxed);
    }
  }
  bool Contains(uint64_t id) const { return (words_[id / 64] >> (id % 64) & 1) != 0; }
  /// Counts the ids up to `max_id` that are in the set, in one pass.
  uint64_t Count(uint64_t max_id) const;
  /// The first id up to `max_id` that is in this set but not in `other`; limit() if there is none.
  uint64_t FirstMissing(const SeenIds& other, uint64_t max_id) const;
  /// Saves the bits of the ids 0 to max_id for a checkpoint; LoadFrom reads them.
  Status SaveTo(SpillStream& stream, uint64_t max_id) const;
  Status LoadFrom(const SpillStream& stream);

  const uint64_t* words() const { return words_.data(); }

 private:
  MemoryReservation reservation_;
  Array<uint64_t> words_;
};

/// Maps ids as read to ranks. A rank is the id less a base, or the number of smaller ids seen.
class IdRanks {
 public:
  /// The most bytes that Sparse reserves in addition to a set of `set_bytes` bytes.
  static constexpr uint64_t CountBytes(uint64_t set_bytes) { return set_bytes / 4; }

  IdRanks() = default;
  /// A map in which ranks are ids less `base`.
  static IdRanks Dense(uint32_t base, uint64_t num_vertices);
  /// A map in which the rank of an id is the number of smaller ids in `seen`. Takes `seen`, and
  /// reserves at most CountBytes.
  static StatusOr<IdRanks> Sparse(SeenIds seen, uint64_t max_id, MemoryBudget& budget);

  /// Adds ids beyond the set's limit, in ascending order. Their ranks follow those of the set.
  void AddWide(Array<uint64_t> ids, MemoryReservation reservation);
  /// A map without ids, for edges whose ids are final already. Rank and IdOf must not be called.
  static IdRanks Facts(bool sparse, uint32_t base, uint64_t num_vertices);

  bool sparse() const { return sparse_; }
  bool is_identity() const { return !sparse_ && base_ == 0; }
  uint32_t base() const { return base_; }
  uint64_t num_vertices() const { return num_vertices_; }
  /// The rank of `id`; num_vertices() or more if `id` is not in the map.
  uint32_t Rank(uint32_t id) const {
    if (!sparse_) return id - base_;
    if (id > max_id_ || !seen_.Contains(id)) return kInvalidVertex;
    const uint64_t below = seen_.words()[id / 64] & ((uint64_t{1} << (id % 64)) - 1);
    const Count& count = counts_[id / kIdsPerCount];
    return static_cast<uint32_t>(count.before + count.Within(id / 64 % 8)) +
           static_cast<uint32_t>(__builtin_popcountll(below));
  }
  /// Replaces both ends of each of `keys` (EdgeKey, ascending) by their ranks. Ends that are not in
  /// the map become num_vertices() or more. Returns the greatest rank of a source, 0 without keys.
  /// Uses the processor's instruction for counting bits if it has one.
  uint32_t RankKeys(std::span<uint64_t> keys) const;
  /// The rank of an id of any size; kInvalidVertex if it is not in the map.
  uint32_t RankOfWide(uint64_t id) const;
  /// Calls `visit(id)` for each id of a sparse map, in ascending order, until it returns an error.
  template <typename Visit>
  Status VisitIds(Visit visit) const {
    for (uint64_t i = 0; i < seen_.limit() / 64; ++i) {
      for (uint64_t word = seen_.words()[i]; word != 0; word &= word - 1) {
        RETURN_IF_ERROR(visit(i * 64 + static_cast<uint64_t>(__builtin_ctzll(word))));
      }
      if (i * 64 > max_id_) break;
    }
    for (const uint64_t id : wide_) RETURN_IF_ERROR(visit(id));
    return OkStatus();
  }
  /// The id of `rank`, which must be below num_vertices(). Slow, for messages.
  ExternalId IdOf(uint32_t rank) const;

 private:
  static constexpr uint64_t kIdsPerCount = 512;  // a cache line of bits
  /// Counts for a cache line of bits. `before` counts the ids seen before the line. `within` counts
  /// those in the line before each word except the first, in 9 bits each (Vigna,
  /// Broadword Implementation of Rank/Select Queries, WEA 2008).
  struct Count {
    uint64_t before = 0;
    uint64_t within = 0;
    uint64_t Within(uint64_t word) const { return word == 0 ? 0 : within >> 9 * (word - 1) & 511; }
  };
  uint32_t RankKeysInline(std::span<uint64_t> keys) const;
  uint32_t RankKeysByPopcnt(std::span<uint64_t> keys) const;

  bool sparse_ = false;
  uint32_t base_ = 0;
  uint64_t num_vertices_ = 0;
  uint64_t max_id_ = 0;
  SeenIds seen_;
  MemoryReservation reservation_;
  Array<Count> counts_;
  Array<uint64_t> wide_;
  MemoryReservation wide_reservation_;
};

}  // namespace edgemill
