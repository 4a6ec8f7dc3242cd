#include "loaders/sort/renumberer.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "common/check.h"
#include "common/threads/parallel.h"

namespace edgemill {
namespace {

/// Share of the vertices that kHub moves to the front (HyTGraph, VI-B).
constexpr double kHubShare = 0.08;

/// The counts of a range fit the second-level cache, unless the number of ranges is at its limit.
constexpr int kMinRangeBits = 17;
constexpr int kMaxRangesBits = 8;
int RangeBits(uint64_t num_vertices) {
  return std::max<int>(std::bit_width(num_vertices) - kMaxRangesBits, kMinRangeBits);
}
size_t NumRanges(uint64_t num_vertices) { return (num_vertices >> RangeBits(num_vertices)) + 1; }

/// How many ends a counter holds for each range. From the half on it tries to count them, and waits
/// for the range only when it holds all: else a thread that sleeps holds back those whose chunks
/// come later. Another thread counted in the range last, so each cache line of counts comes from
/// its core once per flush: 2,048 lines.
constexpr uint32_t kHeldEnds = 4096;
constexpr uint32_t kEndsPerTry = 512;

/// Degrees are not counted further than this: the order among such hubs does not matter.
constexpr uint32_t kMaxDegree = uint32_t{1} << 31;

/// Vertices are sorted by digits of this many bits. Threads count and move parts at the same time.
constexpr int kKeyDigitBits = 11;
constexpr size_t kNumKeyDigits = size_t{1} << kKeyDigitBits;
constexpr size_t kMaxParts = 64;
constexpr size_t kMinPart = size_t{1} << 16;
uint64_t SortCountsBytes(uint64_t num_vertices) {
  const uint64_t parts = std::min<uint64_t>(num_vertices / kMinPart + 1, kMaxParts);
  return parts * kNumKeyDigits * sizeof(uint32_t);
}

}  // namespace

uint64_t Renumberer::MemoryBytes(uint64_t num_vertices) {
  // Degrees of both directions, the order, and what sorting needs beside it.
  return num_vertices * 16 + SortCountsBytes(num_vertices) + CounterBytes(num_vertices);
}

uint64_t Renumberer::CounterBytes(uint64_t num_vertices) {
  return 2 * NumRanges(num_vertices) * (kHeldEnds + 1) * sizeof(uint32_t);
}

StatusOr<Renumberer> Renumberer::Create(Renumbering kind, uint64_t num_vertices, bool both_ways,
                                        MemoryBudget& budget) {
  CHECK(kind != Renumbering::kNone);
  Renumberer renumberer;
  renumberer.kind_ = kind;
  ASSIGN_OR_RETURN(renumberer.reservation_,
                   budget.Reserve(num_vertices * (both_ways ? 4 : 8), "the degrees of vertices"));
  ASSIGN_OR_RETURN(renumberer.low_reservation_,
                   budget.Reserve(num_vertices * (both_ways ? 1 : 2), "counting degrees"));
  RETURN_IF_ERROR(renumberer.out_.Allocate(num_vertices));
  if (!both_ways) RETURN_IF_ERROR(renumberer.in_.Allocate(num_vertices));
  renumberer.range_bits_ = RangeBits(num_vertices);
  renumberer.num_ranges_ = NumRanges(num_vertices);
  renumberer.mutexes_ = std::make_unique<Mutex[]>(renumberer.num_ranges_ * (both_ways ? 1 : 2));
  return renumberer;
}

Status Renumberer::Degrees::Allocate(uint64_t num_vertices) {
  ASSIGN_OR_RETURN(low, Array<uint8_t>::Allocate(num_vertices));
  ASSIGN_OR_RETURN(high, Array<uint32_t>::Allocate(num_vertices));
  return OkStatus();
}

void Renumberer::Degrees::AddLow(int threads) {
  ForEachChunk(high.size(), kMinPart, threads, [&](size_t begin, size_t end) {
    for (size_t v = begin; v < end; ++v) high[v] += low[v];
  });
  low = {};
}

Renumberer::Counter::Counter(Renumberer& renumberer) : renumberer_(renumberer) {
  num_ends_.resize(renumberer.num_ranges_ * (renumberer.in_.high.empty() ? 1 : 2));
  ends_.resize(num_ends_.size() * kHeldEnds);
}

Renumberer::Counter::~Counter() {
  for (size_t held = 0; held < num_ends_.size(); ++held) Flush(held, true);
}

bool Renumberer::Counter::Count(uint32_t source, uint32_t target) {
  const size_t num_vertices = renumberer_.out_.high.size();
  if (source >= num_vertices || target >= num_vertices) return false;
  const bool both_ways = renumberer_.in_.high.empty();
  Add(0, source);
  if (!both_ways) {
    Add(1, target);
  } else if (source != target) {
    Add(0, target);
  }
  return true;
}

void Renumberer::Counter::Add(size_t direction, uint32_t vertex) {
  const size_t held = direction * renumberer_.num_ranges_ + (vertex >> renumberer_.range_bits_);
  ends_[held * kHeldEnds + num_ends_[held]] = vertex;
  const uint32_t num_ends = ++num_ends_[held];
  if (num_ends % kEndsPerTry == 0 && num_ends >= kHeldEnds / 2) Flush(held, num_ends == kHeldEnds);
}

void Renumberer::Counter::Flush(size_t held, bool must) {
  CHECK_LE(num_ends_[held], kHeldEnds);
  Degrees& degrees = held < renumberer_.num_ranges_ ? renumberer_.out_ : renumberer_.in_;
  uint8_t* const low = degrees.low.data();
  const uint32_t* const ends = ends_.data() + held * kHeldEnds;
  Mutex& mutex = renumberer_.mutexes_[held];
  if (!mutex.TryLock()) {
    if (!must) return;
    mutex.Lock();
  }
  for (size_t i = 0; i < num_ends_[held]; ++i) {
    if (++low[ends[i]] != 0) continue;
    uint32_t& high = degrees.high[ends[i]];
    high += high < kMaxDegree ? 256 : 0;
  }
  mutex.Unlock();
  num_ends_[held] = 0;
}

std::span<const uint32_t> Renumberer::SortByKey(std::span<uint32_t> order,
                                                std::span<uint32_t> scratch, int threads) const {
  CHECK_EQ(order.size(), scratch.size());
  const size_t size = order.size();
  const size_t part = std::max((size + kMaxParts - 1) / kMaxParts, kMinPart);
  uint64_t most = 0;
  Mutex mutex;
  ForEachChunk(size, part, threads, [&](size_t begin, size_t end) {
    uint64_t most_here = 0;
    for (size_t v = begin; v < end; ++v) {
      order[v] = static_cast<uint32_t>(v);
      most_here = std::max(most_here, OrderKey(v));
    }
    MutexLock lock(mutex);
    most = std::max(most, most_here);
  });
  // A stable sort by the difference from the largest key, from the lowest digit.
  std::vector<uint32_t> places((size + part - 1) / part * kNumKeyDigits);
  const int bits = std::bit_width(most);
  for (int shift = 0; shift < bits; shift += kKeyDigitBits) {
    const auto digit_of = [&](uint32_t v) {
      return (most - OrderKey(v)) >> shift & (kNumKeyDigits - 1);
    };
    std::fill(places.begin(), places.end(), 0);
    ForEachChunk(size, part, threads, [&](size_t begin, size_t end) {
      uint32_t* const counts = &places[begin / part * kNumKeyDigits];
      for (size_t i = begin; i < end; ++i) ++counts[digit_of(order[i])];
    });
    uint32_t place = 0;
    for (size_t digit = 0; digit < kNumKeyDigits; ++digit) {
      for (size_t i = digit; i < places.size(); i += kNumKeyDigits) {
        place += std::exchange(places[i], place);
      }
    }
    ForEachChunk(size, part, threads, [&](size_t begin, size_t end) {
      uint32_t* const next = &places[begin / part * kNumKeyDigits];
      for (size_t i = begin; i < end; ++i) scratch[next[digit_of(order[i])]++] = order[i];
    });
    std::swap(order, scratch);
  }
  return order;
}

StatusOr<Array<uint32_t>> Renumberer::Finish(int threads, MemoryBudget& budget) {
  const size_t num_vertices = out_.high.size();
  out_.AddLow(threads);
  in_.AddLow(threads);
  low_reservation_ = {};
  ASSIGN_OR_RETURN(result_reservation_,
                   budget.Reserve(num_vertices * 4, "the renumbering of vertices"));
  ASSIGN_OR_RETURN(const MemoryReservation sorting,
                   budget.Reserve(num_vertices * 4 + SortCountsBytes(num_vertices),
                                  "ordering vertices by degree"));
  ASSIGN_OR_RETURN(Array<uint32_t> internal_of_rank, Array<uint32_t>::Allocate(num_vertices));
  ASSIGN_OR_RETURN(Array<uint32_t> other, Array<uint32_t>::Allocate(num_vertices));
  const std::span<const uint32_t> sorted =
      SortByKey(internal_of_rank.span(), other.span(), threads);
  if (sorted.data() == internal_of_rank.data()) std::swap(internal_of_rank, other);
  const bool all = kind_ != Renumbering::kHub;
  const size_t num_moved =
      all ? num_vertices : static_cast<size_t>(kHubShare * static_cast<double>(num_vertices));
  constexpr uint32_t kUnset = std::numeric_limits<uint32_t>::max();
  if (!all) std::fill(internal_of_rank.begin(), internal_of_rank.end(), kUnset);
  ForEachChunk(num_moved, kMinPart, threads, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) internal_of_rank[sorted[i]] = static_cast<uint32_t>(i);
  });
  if (!all) {
    auto next = static_cast<uint32_t>(num_moved);
    for (uint32_t& internal : internal_of_rank) {
      if (internal == kUnset) internal = next++;
    }
    CHECK_EQ(next, num_vertices);  // every rank has an id of its own
  }
  out_ = {};
  in_ = {};
  reservation_ = {};
  return internal_of_rank;
}

}  // namespace edgemill
