// Passes of moves over lists in memory.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "common/check.h"
#include "engine/algorithms/shared/communities/community_moves.h"
#include "engine/algorithms/shared/communities/weighted_graph.h"

namespace edgemill {

/// The weights of arcs to each of a few labels. For one thread.
class LabelWeights {
 public:
  /// Takes up to `most` labels at a time. BudgetError.
  static StatusOr<LabelWeights> Of(uint64_t most, ArrayPool& pool) {
    LabelWeights made;
    const uint64_t size = SizeFor(most);
    ASSIGN_OR_RETURN(made.slots_, CountedArray<Slot>::Of(size, pool));
    ASSIGN_OR_RETURN(made.used_, CountedArray<uint32_t>::Unset(size / 2 + 1, pool));
    made.Begin(most);
    return made;
  }
  static uint64_t SizeFor(uint64_t most) { return std::bit_ceil(2 * std::max<uint64_t>(most, 8)); }
  static uint64_t BytesFor(uint64_t most) {
    return SizeFor(most) * (sizeof(Slot) + sizeof(uint32_t) / 2) + 64;
  }
  /// For up to `most` labels from here on. It must be empty.
  void Begin(uint64_t most) {
    const uint64_t size = SizeFor(most);
    mask_ = static_cast<uint32_t>(size - 1);
    shift_ = 64 - std::countr_zero(size);
  }
  void Add(VertexId label, uint64_t weight) {
    for (uint32_t i = (label * 0x9e3779b97f4a7c15u) >> shift_;; i = (i + 1) & mask_) {
      Slot& slot = slots_[i];
      if (slot.label == label + 1) {
        slot.weight += weight;
        return;
      }
      if (slot.label == 0) {
        slot = {weight, label + 1};
        used_[num_used_++] = i;
        return;
      }
    }
  }
  uint64_t size() const { return num_used_; }
  /// Calls `visit(label, weight)` for all, and clears them.
  template <typename Visit>
  void Drain(Visit visit) {
    for (uint64_t i = 0; i < num_used_; ++i) {
      Slot& slot = slots_[used_[i]];
      visit(static_cast<VertexId>(slot.label - 1), slot.weight);
      slot.label = 0;
    }
    num_used_ = 0;
  }

 private:
  struct Slot {
    uint64_t weight;
    uint32_t label;  // and 1; 0: free
  };
  CountedArray<Slot> slots_;
  CountedArray<uint32_t> used_;
  uint64_t num_used_ = 0;
  uint32_t mask_ = 0;
  int shift_ = 0;
};

/// One for each thread, of as many as there is memory for.
class ThreadTables {
 public:
  static StatusOr<ThreadTables> Of(uint64_t most, int threads, ArrayPool& pool) {
    ThreadTables made;
    for (int i = 0; i < threads; ++i) {
      StatusOr<LabelWeights> table = LabelWeights::Of(most, pool);
      if (!table.ok()) {
        if (i == 0) return table.status();
        break;
      }
      made.tables_.push_back(std::move(*table));
    }
    return made;
  }
  int threads() const { return static_cast<int>(tables_.size()); }
  LabelWeights& operator[](int thread) { return tables_[static_cast<size_t>(thread)]; }

 private:
  std::vector<LabelWeights> tables_;
};

/// Calls `body(thread, begin, end)` for parts of [begin, end), on `team` threads.
template <typename Body>
void ForEachPart(uint64_t begin, uint64_t end, uint64_t grain, int team, Body body) {
  std::atomic<uint64_t> next{begin};
  const auto work = [&](int thread) {
    while (true) {
      const uint64_t from = next.fetch_add(grain, std::memory_order_relaxed);
      if (from >= end) return OkStatus();
      body(thread, from, std::min(from + grain, end));
    }
  };
  if (!ShareWork(team, work).ok()) CHECK(work(0).ok());
}

/// How passes move.
struct MoveOptions {
  ModularityRule rule;
  uint64_t seed = 1;
  int threads = 1;
  /// Not empty: only vertices that are alone move, and only inside of these groups.
  std::span<const VertexId> bounds;
  std::span<const VertexId> borders;  // of windows, with the first one's begin
  uint64_t most_passes = 16;
  uint64_t few = 0;  // passes end when no more vertices move
};

template <typename Lists>
class MemoryMoves {
 public:
  MemoryMoves(const Lists& lists, const MoveSpans& spans, ThreadTables& tables,
              const MoveOptions& options)
      : lists_(lists), spans_(spans), tables_(tables), options_(options) {}

  /// Passes until few move. CancelledError.
  Status Run(uint64_t* passes) {
    for (uint64_t pass = 0; pass < options_.most_passes; ++pass) {
      uint64_t moved = 0;
      for (size_t i = 0; i + 1 < options_.borders.size(); ++i) {
        RETURN_IF_ERROR(CheckCancelled());
        moved += MoveWindow(options_.borders[i], options_.borders[i + 1]);
      }
      ++*passes;
      if (moved <= options_.few) break;
    }
    return OkStatus();
  }

 private:
  static constexpr uint64_t kArcsOfThread = uint64_t{1} << 14, kArcsOfPart = 2048;

  uint64_t MoveWindow(VertexId begin, VertexId end) {
    const uint64_t places = lists_.FirstOf(end) - lists_.FirstOf(begin) + (end - begin);
    const int team = TeamFor(places, kArcsOfThread, tables_.threads());
    const uint64_t grain =
        std::clamp<uint64_t>((end - begin) * kArcsOfPart / (places + 1), 1, 2048);
    std::atomic<uint64_t> proposals{0};
    ForEachPart(begin, end, grain, team, [&](int thread, uint64_t from, uint64_t to) {
      uint64_t of_part = 0;
      for (uint64_t v = from; v < to; ++v) {
        if ((spans_.bits[v] & kAwake) != 0) {
          of_part += Choose(static_cast<VertexId>(v), tables_[thread], begin, end) ? 1 : 0;
        }
      }
      if (of_part > 0) proposals.fetch_add(of_part, std::memory_order_relaxed);
    });
    if (proposals.load() == 0) return 0;
    const uint64_t moved = TakeProposals(spans_, begin, end, options_.threads);
    if (moved == 0) return 0;
    ForEachPart(begin, end, grain, team, [&](int, uint64_t from, uint64_t to) {
      for (uint64_t v = from; v < to; ++v) {
        if ((spans_.bits[v] & kMoves) == 0) continue;
        const VertexId label = spans_.label[v];
        lists_.ForEachArc(static_cast<VertexId>(v), [&](VertexId other, uint64_t) {
          if (spans_.label[other] != label) SetBits(spans_.bits[other], kAwake);
        });
        std::atomic_ref<uint8_t>(spans_.bits[v])
            .fetch_and(static_cast<uint8_t>(~kMoves), std::memory_order_relaxed);
      }
    });
    return moved;
  }

  bool Choose(VertexId v, LabelWeights& table, VertexId begin, VertexId end) {
    const std::span<const VertexId> label = spans_.label;
    const std::span<const uint64_t> total = spans_.total;
    const std::span<const uint32_t> size = spans_.size;
    uint8_t& bits = spans_.bits[v];
    const VertexId own = label[v];
    const bool alone = size[own] == 1, refines = !options_.bounds.empty();
    bits = 0;
    const uint64_t arcs = lists_.NumArcs(v);
    if (arcs == 0 || (refines && !alone)) return false;
    table.Begin(std::min<uint64_t>(arcs, lists_.num_vertices()));
    const std::span<const VertexId> bounds = options_.bounds;
    if (refines) {
      lists_.ForEachArc(v, [&](VertexId other, uint64_t weight) {
        if (bounds[other] == bounds[v] && other != v && weight > 0) table.Add(label[other], weight);
      });
    } else {
      lists_.ForEachArc(v, [&](VertexId other, uint64_t weight) {
        if (other != v && weight > 0) table.Add(label[other], weight);
      });
    }
    BestMove move{
        own,  spans_.strength[v], options_.seed, options_.rule.ratio(), options_.rule.resolution,
        alone};
    const auto may_leave = [&](VertexId other) {
      return other >= begin && other < end && size[other] == 1;
    };
    table.Drain([&](VertexId other, uint64_t weight) {
      move.Look(other, weight, total[other], may_leave);
    });
    if (!alone && size[v] == 0) move.Look(v, 0, 0, may_leave);  // alone
    const uint64_t most = move.Limit(total[own]);
    if (most <= total[move.best]) return false;
    spans_.choice[v] = move.best;
    spans_.limit[v] = most;
    bits = kProposes | (alone ? kAlone : 0);
    return true;
  }

  const Lists& lists_;
  const MoveSpans spans_;
  ThreadTables& tables_;
  const MoveOptions options_;
};

}  // namespace edgemill
