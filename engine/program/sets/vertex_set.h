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

class SetPool;

/// A memory beside the host's that has the members of some sets, which the host does not have yet.
class SetSource {
 public:
  virtual ~SetSource() = default;
  /// Puts the members into `members`, empty so far, which SetPool::Defer was given.
  virtual void Fill(Frontier& members) = 0;
  /// The members will not be needed.
  virtual void Forget(const Frontier& members) = 0;
};

/// A set of vertices of one graph. No vertex and all vertices take no memory; other sets hold a
/// bitmap and, while they are small, a sorted list: 1/4 byte a vertex, from the pool. Move-only;
/// must not outlive its pool. Not thread-safe.
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
  /// Those members, rising. Takes 4 bytes a member: for small sets and tests.
  std::vector<VertexId> Members() const;
  /// The same into `place`, which has size() elements.
  void CopyMembers(std::span<VertexId> place) const;
  /// Null for no vertex and for all.
  const Frontier* frontier() const {
    if (source_ != nullptr) std::exchange(source_, nullptr)->Fill(*members_);
    return members_.get();
  }
  /// For a SetSource: the frontier that it was deferred with; null where the host has the members.
  const Frontier* deferred() const { return source_ == nullptr ? nullptr : members_.get(); }

 private:
  friend class SetPool;

  void GiveBack();

  SetPool* pool_ = nullptr;
  uint64_t size_ = 0;
  std::unique_ptr<Frontier> members_;
  mutable SetSource* source_ = nullptr;  // has the members, which members_ lacks
};

/// Makes sets of one graph, and keeps the memory of those that are gone for the next. One thread
/// uses it.
class SetPool {
 public:
  /// At most `most` sets with memory may be alive at once, of Frontier::SizeBytes each. The caller
  /// plans for them; the pool reserves them in `budget` as they come.
  SetPool(uint64_t num_vertices, uint64_t most, int threads, MemoryBudget& budget)
      : num_vertices_(num_vertices), most_(most), threads_(threads), budget_(budget) {
    CHECK_GT(threads, 0);
  }
  SetPool(const SetPool&) = delete;
  SetPool& operator=(const SetPool&) = delete;

  uint64_t num_vertices() const { return num_vertices_; }
  int threads() const { return threads_; }
  /// Sets with memory that are alive.
  uint64_t held() const { return held_; }

  VertexSet None();
  VertexSet All();
  /// A set of `members`, in any order, perhaps twice. UsageError for one that is no vertex;
  /// BudgetError.
  StatusOr<VertexSet> Of(std::span<const VertexId> members);
  StatusOr<VertexSet> Of(std::initializer_list<VertexId> members) {
    return Of(std::span(members.begin(), members.size()));
  }
  StatusOr<VertexSet> Copy(const VertexSet& set);
  StatusOr<VertexSet> Union(const VertexSet& a, const VertexSet& b);
  StatusOr<VertexSet> Difference(const VertexSet& a, const VertexSet& b);
  StatusOr<VertexSet> Intersection(const VertexSet& a, const VertexSet& b);

  // For the engine, which fills sets by many threads: an empty frontier. BudgetError.
  StatusOr<std::unique_ptr<Frontier>> Acquire();
  /// Gives back what Acquire gave, in any state.
  void Return(std::unique_ptr<Frontier> frontier);
  /// A set of `size` members, neither none nor all, that `source` puts into `frontier`, which is
  /// empty, when the host needs them.
  VertexSet Defer(std::unique_ptr<Frontier> frontier, uint64_t size, SetSource& source);
  /// The members of `frontier`, which is sealed here, as a set.
  VertexSet Seal(std::unique_ptr<Frontier> frontier);

 private:
  friend class VertexSet;

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
  std::vector<std::unique_ptr<Frontier>> free_;
};

}  // namespace edgemill
