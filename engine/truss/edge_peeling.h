// Removes the edges of lists in memory, those with the fewest triangles first.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "engine/truss/live_lists.h"

namespace edgemill {

/// Peels by rounds, as PKT does (Kabir, Madduri): a round removes a list of edges with supports of
/// at most the level. Each triangle that loses its first edge lowers the supports of the edges that
/// stay. Where these come down to the level, they make the list of the next round.
///
/// An edge has one word: its support, or that it is in the list of the round, or that it is removed
/// and its truss number. So a triangle is told apart by the two words that it may change.
class EdgePeeling {
 public:
  /// Bytes beside LiveLists: a word an edge, and lists of the edges of two rounds.
  static uint64_t SizeBytes(uint64_t num_edges) {
    return num_edges * sizeof(uint32_t) + 2 * ListedFor(num_edges) * sizeof(Listed);
  }
  /// Edge i has the support support(i). `lists` must outlive it. BudgetError.
  template <typename Support>
  static StatusOr<EdgePeeling> Create(LiveLists& lists, int threads, MemoryBudget& budget,
                                      Support support) {
    ASSIGN_OR_RETURN(EdgePeeling peeling, Allocate(lists, threads, budget));
    for (uint64_t edge = 0; edge < lists.num_edges(); ++edge) {
      peeling.words_[edge] = support(edge);
    }
    return peeling;
  }
  EdgePeeling(EdgePeeling&& other) noexcept = default;

  /// Removes all edges. Those with supports of at most `first_level` get the truss number
  /// `first_level` + 2. Advances `progress` by the edges. CancelledError.
  Status Run(uint32_t first_level, Progress& progress);

  /// After Run.
  uint32_t truss(uint64_t edge) const { return words_[edge] & ~kRemoved; }
  uint64_t rounds() const { return rounds_; }

 private:
  static constexpr uint32_t kRemoved = uint32_t{1} << 31;  // and the truss number
  static constexpr uint32_t kListed = ~uint32_t{0};        // in the list of the round
  static constexpr size_t kEdgesAtOnce = 64;               // that a thread takes of a list

  /// An edge with the ranks of its ends.
  struct Listed {
    uint32_t u, v, edge;
  };
  /// Edges that are removed in a round. Full ones leave edges out.
  struct List {
    Array<Listed> edges;
    uint64_t size = 0;
  };
  /// Edges that a thread found, on their way to a list.
  class Adder;

  EdgePeeling(LiveLists& lists, int threads) : lists_(lists), threads_(threads) {}
  static uint64_t ListedFor(uint64_t num_edges) {
    constexpr uint64_t kFew = uint64_t{1} << 16;
    return num_edges < kFew ? num_edges + 1 : kFew + num_edges / 16;
  }
  static StatusOr<EdgePeeling> Allocate(LiveLists& lists, int threads, MemoryBudget& budget);

  static bool IsSupport(uint32_t word) { return word < kRemoved; }
  /// Lists edges with supports of at most `level`, as many as fit. Returns the least support above.
  uint32_t FindWithin(uint32_t level, List* list);
  /// Ends the filling of a list.
  void Close(List* list);
  /// Removes the edges of `list`, and lists those that come down to `level` in `next`.
  Status RemoveListed(const List& list, uint32_t level, List* next);
  /// Takes the triangles of `edge` away from their other edges.
  void RemoveTriangles(const Listed& edge, uint32_t level, Adder& next);
  /// Takes a triangle away from an edge. Returns whether its support came down to `level`.
  bool LowerTo(uint32_t level, uint32_t edge);

  LiveLists& lists_;
  const int threads_;
  MemoryReservation reservation_;
  Array<uint32_t> words_;
  std::array<List, 2> lists_of_rounds_;
  uint64_t rounds_ = 0;
  uint64_t left_ = 0;      // edges
  uint64_t in_lists_ = 0;  // edges that lists_ has, with removed ones
  bool left_out_ = false;  // a list was full: edges that should be in it are not
};

}  // namespace edgemill
