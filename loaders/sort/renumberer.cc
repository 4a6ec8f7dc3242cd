#include "loaders/sort/renumberer.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <span>

#include "loaders/sort/radix_sort.h"

namespace edgemill {
namespace {

/// Share of the vertices that kHub moves to the front (HyTGraph, VI-B).
constexpr double kHubShare = 0.08;

/// Adds `count`, staying near the largest number: the order among such hubs does not matter.
void Increase(uint32_t& degree, uint32_t count) {
  std::atomic_ref<uint32_t> shared(degree);
  constexpr uint32_t kMost = uint32_t{1} << 31;
  if (shared.load(std::memory_order_relaxed) < kMost) {
    shared.fetch_add(std::min(count, kMost / 2), std::memory_order_relaxed);
  }
}

}  // namespace

uint64_t Renumberer::MemoryBytes(uint64_t num_vertices) { return num_vertices * 28; }

StatusOr<Renumberer> Renumberer::Create(Renumbering kind, uint64_t num_vertices, bool both_ways,
                                        MemoryBudget& budget) {
  Renumberer renumberer;
  renumberer.kind_ = kind;
  ASSIGN_OR_RETURN(renumberer.result_reservation_,
                   budget.Reserve(num_vertices * 4, "the renumbering of vertices"));
  ASSIGN_OR_RETURN(
      renumberer.reservation_,
      budget.Reserve(MemoryBytes(num_vertices) - num_vertices * 4, "renumbering vertices"));
  ASSIGN_OR_RETURN(renumberer.out_degrees_, Array<uint32_t>::Allocate(num_vertices));
  if (!both_ways) {
    ASSIGN_OR_RETURN(renumberer.in_degrees_, Array<uint32_t>::Allocate(num_vertices));
  }
  return renumberer;
}

bool Renumberer::Counter::Count(uint32_t source, uint32_t target) {
  const size_t num_vertices = renumberer_.out_degrees_.size();
  if (source >= num_vertices || target >= num_vertices) return false;
  uint32_t* const out = renumberer_.out_degrees_.data();
  if (!both_ways_) {
    Add(out + source);
    Add(renumberer_.in_degrees_.data() + target);
    return true;
  }
  Add(out + source);
  if (source != target) Add(out + target);
  return true;
}

void Renumberer::Counter::Add(uint32_t* degree) {
  Held& held = held_[reinterpret_cast<uintptr_t>(degree) / sizeof(uint32_t) % kHeld];
  if (held.degree == degree) {
    ++held.count;
    return;
  }
  Release(held);
  held = {degree, 1};
}

void Renumberer::Counter::Release(const Held& held) {
  if (held.degree == nullptr) return;
  __builtin_prefetch(held.degree, 1);
  Held& oldest = under_way_[next_++ % kUnderWay];
  if (oldest.degree != nullptr) Increase(*oldest.degree, oldest.count);
  oldest = held;
}

void Renumberer::Counter::Flush() {
  for (auto& all : {std::span<Held>(held_), std::span<Held>(under_way_)}) {
    for (Held& held : all) {
      if (held.degree != nullptr) Increase(*held.degree, held.count);
      held = {};
    }
  }
}

StatusOr<Array<uint32_t>> Renumberer::Finish() {
  const size_t num_vertices = out_degrees_.size();
  ASSIGN_OR_RETURN(Array<uint32_t> internal_of_rank, Array<uint32_t>::Allocate(num_vertices));
  ASSIGN_OR_RETURN(Array<uint64_t> keys, Array<uint64_t>::Allocate(num_vertices));
  ASSIGN_OR_RETURN(Array<uint64_t> scratch, Array<uint64_t>::Allocate(num_vertices));
  // Sorted by a 32-bit coldness, ties by rank, which is the key's low half.
  constexpr uint64_t kColdest = std::numeric_limits<uint32_t>::max();
  uint64_t most = 1;
  const auto heat = [&](size_t v) {
    const uint64_t out = out_degrees_[v], in = in_degrees_.empty() ? out : in_degrees_[v];
    return kind_ == Renumbering::kHub ? out * in : out + in;
  };
  for (size_t v = 0; v < num_vertices; ++v) most = std::max(most, heat(v));
  // Products are cut to their top 32 bits: an order by H to 1 part in 4 billion of the hottest.
  const int shift = std::max(0, static_cast<int>(std::bit_width(most)) - 32);
  for (size_t v = 0; v < num_vertices; ++v) keys[v] = (kColdest - (heat(v) >> shift)) << 32 | v;
  const uint64_t* const sorted =
      RadixSort(keys.data(), scratch.data(), num_vertices, 0, ~uint64_t{0});
  const size_t num_moved = kind_ == Renumbering::kHub
                               ? static_cast<size_t>(kHubShare * static_cast<double>(num_vertices))
                               : num_vertices;
  constexpr uint32_t kUnset = std::numeric_limits<uint32_t>::max();
  std::fill(internal_of_rank.begin(), internal_of_rank.end(), kUnset);
  for (size_t i = 0; i < num_moved; ++i) {
    internal_of_rank[static_cast<uint32_t>(sorted[i])] = static_cast<uint32_t>(i);
  }
  uint32_t next = static_cast<uint32_t>(num_moved);
  for (uint32_t& internal : internal_of_rank) {
    if (internal == kUnset) internal = next++;
  }
  out_degrees_ = {};
  in_degrees_ = {};
  reservation_ = {};
  return internal_of_rank;
}

}  // namespace edgemill
