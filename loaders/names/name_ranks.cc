#include "loaders/names/name_ranks.h"

#include <algorithm>
#include <atomic>

#include "common/check.h"
#include "common/random.h"
#include "common/threads/parallel.h"
#include "common/types.h"
#include "loaders/names/name_run.h"

namespace edgemill {
namespace {

/// The most multipliers that are tried. About 2 % of large slices have two names with the same tag,
/// and another multiplier gives them different tags.
constexpr uint64_t kMaxTries = 8;

/// Slots for the names of one slice: a quarter stays free, and slices are not quite equal.
uint64_t SlotsFor(uint64_t num_names, uint64_t num_slices) {
  const uint64_t share = num_names / num_slices + 1;
  return share + share / 3 + share / 64 + 1024;
}

}  // namespace

uint64_t NameRanks::NumSlices(uint64_t num_names, uint64_t bytes) {
  uint64_t slices = 1;
  while (SlotsFor(num_names, slices) * sizeof(uint64_t) > bytes && slices < num_names) ++slices;
  return slices;
}

bool NameRanks::Insert(uint64_t id, uint32_t rank) {
  const Place place = PlaceOf(id);
  size_t at = place.slot;
  for (size_t probes = 0; probes < slots_.size(); ++probes) {
    const std::atomic_ref<uint64_t> slot(slots_[at]);
    uint64_t found = slot.load(std::memory_order_relaxed);
    if (found == kEmpty &&
        slot.compare_exchange_strong(found, place.tag << 32 | rank, std::memory_order_relaxed)) {
      return true;
    }
    if (found >> 32 == place.tag) return false;
    at = at + 1 == slots_.size() ? 0 : at + 1;
  }
  return false;
}

StatusOr<bool> NameRanks::InsertAll(const NameRun& names, uint64_t seed, const HashSlice& slice,
                                    int threads) {
  std::atomic<bool> apart = true;
  std::atomic<uint64_t> num_taken = 0;
  RETURN_IF_ERROR(
      ParallelFor(names.sections.size(), 1, threads, [&](size_t section, size_t) -> Status {
        NameRunReader reader(*names.stream, names.sections[section]);
        std::string_view name;
        uint64_t taken = 0;
        const uint64_t first = section * NameRun::kSectionNames;
        for (uint64_t i = 0; i < names.SectionNames(section) && apart; ++i) {
          ASSIGN_OR_RETURN(const bool more, reader.Next(&name));
          if (!more) return names.stream->BadAt(0, "names that begin here: some are missing");
          const uint64_t id = HashName(name, seed);
          if (!slice.Holds(id)) continue;
          ++taken;
          if (!Insert(id, static_cast<uint32_t>(first + i))) apart = false;
        }
        num_taken += taken;
        return OkStatus();
      }));
  return apart && num_taken < slots_.size();
}

StatusOr<NameRanks> NameRanks::Create(const NameRun& names, uint64_t seed, const HashSlice& slice,
                                      int threads, MemoryBudget& budget) {
  CHECK_LT(slice.index, slice.count);
  CHECK_LE(names.num_names, kMaxVertices);  // a slot has 32 bits for a rank
  NameRanks ranks;
  const uint64_t slots = SlotsFor(names.num_names, slice.count);
  ASSIGN_OR_RETURN(ranks.reservation_,
                   budget.Reserve(slots * sizeof(uint64_t), "ranks of vertices' names"));
  ASSIGN_OR_RETURN(ranks.slots_, Array<uint64_t>::Allocate(slots));
  for (uint64_t attempt = 0; attempt < kMaxTries; ++attempt) {
    const auto clear = [&](size_t begin, size_t end) {
      std::fill(ranks.slots_.begin() + begin, ranks.slots_.begin() + end, kEmpty);
    };
    ForEachChunk(slots, FirstTouchGrain(slots, threads), threads, clear);
    ranks.multiplier_ = Mix64(attempt + 1) | 1;
    ASSIGN_OR_RETURN(const bool apart, ranks.InsertAll(names, seed, slice, threads));
    if (apart) return ranks;
  }
  return BadDataError(StrCat("two names have one hash by the seed ", seed,
                             ", which is rare: ingest again with --name-seed ", seed + 1));
}

}  // namespace edgemill
