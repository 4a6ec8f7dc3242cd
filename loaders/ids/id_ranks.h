// Which ids occur, and the rank (place in ascending order) of each.
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

/// A set of ids below a limit, one bit each. Memory becomes resident as far as ids reach.
class SeenIds {
 public:
  /// For ids [0, limit). Reserves limit / 8 bytes in `budget`.
  static StatusOr<SeenIds> Create(uint64_t limit, MemoryBudget& budget);

  uint64_t limit() const { return words_.size() * 64; }
  /// Adds an id below the limit. Thread-safe.
  void Mark(uint64_t id) {
    std::atomic_ref<uint64_t> word(words_[id / 64]);
    const uint64_t bit = uint64_t{1} << (id % 64);
    // Most ids come more than once, and a load does not take the line from other cores.
    if ((word.load(std::memory_order_relaxed) & bit) == 0) {
      word.fetch_or(bit, std::memory_order_relaxed);
    }
  }
  bool Contains(uint64_t id) const { return (words_[id / 64] >> (id % 64) & 1) != 0; }
  /// How many ids up to `max_id` are in it. One pass.
  uint64_t Count(uint64_t max_id) const;
  /// The first id that is in this and not in `other`, up to `max_id`; limit() when there is none.
  uint64_t FirstMissing(const SeenIds& other, uint64_t max_id) const;
  /// The bits of ids 0 to max_id, for a checkpoint, and back.
  Status SaveTo(SpillStream& stream, uint64_t max_id) const;
  Status LoadFrom(const SpillStream& stream);

  const uint64_t* words() const { return words_.data(); }

 private:
  MemoryReservation reservation_;
  Array<uint64_t> words_;
};

/// From ids as read (below 2^32) to ranks: less a base, or by counting the ids seen below.
class IdRanks {
 public:
  /// What Sparse reserves beside a set of so many bytes, at most.
  static constexpr uint64_t CountBytes(uint64_t set_bytes) { return set_bytes / 4; }

  IdRanks() = default;
  /// Ranks are ids less `base`.
  static IdRanks Dense(uint32_t base, uint64_t num_vertices);
  /// Ranks count the ids seen. Takes `seen`; reserves CountBytes.
  static StatusOr<IdRanks> Sparse(SeenIds seen, uint64_t max_id, MemoryBudget& budget);

  /// Adds ids beyond the set's limit, rising. They rank after the others.
  void AddWide(Array<uint64_t> ids, MemoryReservation reservation);
  /// Only the facts, for edges whose ids are final already: Rank and IdOf are not to be called.
  static IdRanks Facts(bool sparse, uint32_t base, uint64_t num_vertices);

  bool sparse() const { return sparse_; }
  bool is_identity() const { return !sparse_ && base_ == 0; }
  uint32_t base() const { return base_; }
  uint64_t num_vertices() const { return num_vertices_; }
  /// The rank of `id`; num_vertices() or more of one that is not in the map.
  uint32_t Rank(uint32_t id) const {
    if (!sparse_) return id - base_;
    if (id > max_id_ || !seen_.Contains(id)) return kInvalidVertex;
    const uint64_t below = seen_.words()[id / 64] & ((uint64_t{1} << (id % 64)) - 1);
    const Count& count = counts_[id / kIdsPerCount];
    return static_cast<uint32_t>(count.before + count.Within(id / 64 % 8)) +
           static_cast<uint32_t>(__builtin_popcountll(below));
  }
  /// Makes ranks of both ends of each of `keys` (EdgeKey), which rise; num_vertices() or more of
  /// ends that are not in the map. Returns the greatest rank of a source, 0 of no keys. By the
  /// processor's instruction for counting bits where it has one.
  uint32_t RankKeys(std::span<uint64_t> keys) const;
  /// The rank of any id that is in the map; kInvalidVertex of one that is not.
  uint32_t RankOfWide(uint64_t id) const;
  /// Calls `visit(id)` for each id of a sparse map, rising, until it returns an error.
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
  /// The id of `rank`, which is below num_vertices(): for messages, slow.
  ExternalId IdOf(uint32_t rank) const;

 private:
  static constexpr uint64_t kIdsPerCount = 512;  // a cache line of bits
  /// How many ids were seen before a line of bits, and in it before each of its words but the
  /// first: 9 bits each (Vigna, Broadword Implementation of Rank/Select Queries, WEA 2008).
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
