// Sets of vertices, as drivers hold them: Ligra's vertexSubset (Shun, Blelloch, PPoPP 2013).
#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "common/check.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/types.h"
#include "engine/program/sets/frontier.h"

namespace edgemill {

class HeldSets;
class SetPool;

/// Another memory than the host's, which has the members of some sets that the host lacks.
class SetSource {
 public:
  virtual ~SetSource() = default;
  /// Adds the members to `members`, the empty frontier that SetPool::Defer was given.
  virtual void Fill(Frontier& members) = 0;
  /// Says that the members will not be needed.
  virtual void Forget(const Frontier& members) = 0;
};

/// A set of vertices of one graph. The empty set and the set of all vertices take no memory. Other
/// sets hold a bitmap and, while they are small, a sorted list, from the pool: 1/4 byte for each
/// vertex of the graph. Move-only; must not outlive its pool. Not thread-safe.
class VertexSet {
 public:
  VertexSet() = default;
  VertexSet(VertexSet&& other) noexcept { *this = std::move(other); }
  VertexSet& operator=(VertexSet&& other) noexcept;
  ~VertexSet();

  uint64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// Whether it is every vertex of the graph.
  bool is_all() const { return members_ == nullptr && size_ > 0; }
  bool Has(VertexId vertex) const {
    return members_ == nullptr ? size_ > 0 : frontier()->Test(vertex);
  }
  /// The members, in rising order. Takes 4 bytes for each: for small sets and tests. A journal
  /// keeps them (engine/program/journal/journal.h).
  std::vector<VertexId> Members() const;
  /// Copies the members, in rising order, to `place`, which has size() elements: for arrays of a
  /// State. Does nothing while calls are answered from a journal, because the array is restored.
  void CopyMembers(std::span<VertexId> place) const;
  /// The frontier with the members. Null for the empty set and for the set of all vertices.
  const Frontier* frontier() const {
    if (source_ != nullptr) std::exchange(source_, nullptr)->Fill(*members_);
    return members_.get();
  }
  /// For a SetSource: the frontier that Defer was given; null where the host has the members.
  const Frontier* deferred() const { return source_ == nullptr ? nullptr : members_.get(); }

 private:
  friend class HeldSets;
  friend class SetPool;

  void GiveBack();
  void WriteMembers(std::span<VertexId> place) const;

  SetPool* pool_ = nullptr;
  uint64_t size_ = 0;
  std::unique_ptr<Frontier> members_;
  mutable SetSource* source_ = nullptr;  // has the members while members_ is empty
};

/// Makes sets of one graph, and reuses the memory of sets that were destroyed. One thread uses it.
class SetPool {
 public:
  /// At most `most` sets with memory, of Frontier::SizeBytes each, may exist at a time. The caller
  /// plans for them; the pool reserves them in `budget` when they are needed.
  SetPool(uint64_t num_vertices, uint64_t most, int threads, MemoryBudget& budget)
      : num_vertices_(num_vertices), most_(most), threads_(threads), budget_(budget) {
    CHECK_GT(threads, 0);
  }
  SetPool(const SetPool&) = delete;
  SetPool& operator=(const SetPool&) = delete;

  uint64_t num_vertices() const { return num_vertices_; }
  int threads() const { return threads_; }
  /// The number of existing sets with memory.
  uint64_t held() const { return held_; }
  /// Follows the driver's sets from here on; null: no more. `kept` must outlive the sets.
  void Follow(HeldSets* kept) { kept_ = kept; }
  /// A set that a driver gets from an operator. Records it, or takes the recorded one.
  StatusOr<VertexSet> Kept(VertexSet set);

  VertexSet None();
  VertexSet All();
  /// A set of `members`, which may come in any order and more than once. UsageError for a number
  /// that is no vertex; BudgetError.
  StatusOr<VertexSet> Of(std::span<const VertexId> members);
  StatusOr<VertexSet> Of(std::initializer_list<VertexId> members) {
    return Of(std::span(members.begin(), members.size()));
  }
  StatusOr<VertexSet> Copy(const VertexSet& set);
  StatusOr<VertexSet> Union(const VertexSet& a, const VertexSet& b);
  StatusOr<VertexSet> Difference(const VertexSet& a, const VertexSet& b);
  StatusOr<VertexSet> Intersection(const VertexSet& a, const VertexSet& b);

  // For the engine, which fills sets by many threads.
  /// An empty frontier. BudgetError.
  StatusOr<std::unique_ptr<Frontier>> Acquire();
  /// Gives back a frontier from Acquire, which may have members.
  void Return(std::unique_ptr<Frontier> frontier);
  /// A set of `size` members, more than none and fewer than all. `source` adds them to `frontier`,
  /// which is empty, when the host needs them.
  VertexSet Defer(std::unique_ptr<Frontier> frontier, uint64_t size, SetSource& source);
  /// Seals `frontier`, and makes a set of its members.
  VertexSet Seal(std::unique_ptr<Frontier> frontier);

 private:
  friend class VertexSet;

  /// Calls make(), unless the set is recorded.
  template <typename Make>
  StatusOr<VertexSet> KeptOf(Make make);
  StatusOr<VertexSet> MakeOf(std::span<const VertexId> members);
  StatusOr<VertexSet> MakeCopy(const VertexSet& set);
  StatusOr<VertexSet> MakeUnion(const VertexSet& a, const VertexSet& b);
  StatusOr<VertexSet> MakeDifference(const VertexSet& a, const VertexSet& b);
  StatusOr<VertexSet> MakeIntersection(const VertexSet& a, const VertexSet& b);
  template <typename Keep>
  StatusOr<VertexSet> Filtered(const VertexSet& set, Keep keep);
  template <typename Combine>
  StatusOr<VertexSet> Wordwise(const VertexSet& a, const VertexSet& b, Combine combine);

  const uint64_t num_vertices_;
  const uint64_t most_;
  const int threads_;
  MemoryBudget& budget_;
  uint64_t taken_ = 0;
  uint64_t held_ = 0;
  HeldSets* kept_ = nullptr;  // null: no journal is kept
  std::vector<std::unique_ptr<Frontier>> free_;
};

}  // namespace edgemill
