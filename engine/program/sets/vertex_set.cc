#include "engine/program/sets/vertex_set.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>
#include <utility>

#include "common/check.h"
#include "common/threads/parallel.h"
#include "engine/program/sets/held_sets.h"

namespace edgemill {
namespace {

/// Words of a bitmap that a thread takes at a time.
constexpr size_t kWordsAtOnce = size_t{1} << 13;

/// Bit i says whether vertex 64 * word + i is in `set`. Bits beyond the last vertex are 0.
uint64_t WordOf(const VertexSet& set, uint64_t word, uint64_t num_vertices) {
  if (set.frontier() != nullptr) return set.frontier()->words()[word];
  return set.empty() ? 0 : BitsWithin(word, word * 64, std::min(num_vertices, word * 64 + 64));
}

}  // namespace

VertexSet& VertexSet::operator=(VertexSet&& other) noexcept {
  if (this == &other) return *this;
  GiveBack();  // at once, not only when `other` is destroyed
  pool_ = other.pool_;
  source_ = std::exchange(other.source_, nullptr);
  size_ = std::exchange(other.size_, 0);
  members_ = std::move(other.members_);
  return *this;
}

VertexSet::~VertexSet() { GiveBack(); }

void VertexSet::GiveBack() {
  if (members_ == nullptr) return;
  if (source_ != nullptr) std::exchange(source_, nullptr)->Forget(*members_);
  if (pool_->kept_ != nullptr) pool_->kept_->Drop(*members_);
  CHECK_GT(pool_->held_, 0u);
  --pool_->held_;
  pool_->Return(std::move(members_));
}

std::vector<VertexId> VertexSet::Members() const {
  std::vector<VertexId> members(size_);
  HeldSets* const kept = pool_ == nullptr ? nullptr : pool_->kept_;
  if (kept == nullptr || !kept->journal().answers()) WriteMembers(members);
  if (kept != nullptr) {
    kept->journal().Pass(JournalTag::kValue, std::as_writable_bytes(std::span(members)));
  }
  return members;
}

void VertexSet::CopyMembers(std::span<VertexId> place) const {
  CHECK_EQ(place.size(), size_);
  const HeldSets* const kept = pool_ == nullptr ? nullptr : pool_->kept_;
  if (kept == nullptr || !kept->answers()) WriteMembers(place);
}

void VertexSet::WriteMembers(std::span<VertexId> place) const {
  if (members_ == nullptr) {
    std::iota(place.begin(), place.end(), VertexId{0});
    return;
  }
  VertexId* next = place.data();
  frontier()->VisitRange(0, members_->num_vertices(), [&](VertexId vertex) {
    *next++ = vertex;
    return true;
  });
}

VertexSet SetPool::None() {
  VertexSet set;
  set.pool_ = this;
  return set;
}

VertexSet SetPool::All() {
  VertexSet set = None();
  set.size_ = num_vertices_;
  return set;
}

StatusOr<std::unique_ptr<Frontier>> SetPool::Acquire() {
  if (free_.empty()) {
    if (taken_ == most_) {
      internal::AuthorMistake(
          "more sets exist than its State declares: call HoldSets(n) in its constructor "
          "(default 1)");
    }
    ASSIGN_OR_RETURN(Frontier frontier, Frontier::Create(num_vertices_, budget_));
    ++taken_;
    return std::make_unique<Frontier>(std::move(frontier));
  }
  std::unique_ptr<Frontier> frontier = std::move(free_.back());
  free_.pop_back();
  return frontier;
}

void SetPool::Return(std::unique_ptr<Frontier> frontier) {
  CHECK(frontier != nullptr);
  CHECK_EQ(frontier->num_vertices(), num_vertices_);
  CHECK_LT(free_.size(), taken_);  // each frontier is returned once
  frontier->Clear(threads_);
  free_.push_back(std::move(frontier));
}

VertexSet SetPool::Defer(std::unique_ptr<Frontier> frontier, uint64_t size, SetSource& source) {
  CHECK(frontier != nullptr);
  CHECK(size > 0 && size < num_vertices_);  // sets of no or all vertices have no frontier
  VertexSet set = None();
  set.size_ = size;
  set.members_ = std::move(frontier);
  set.source_ = &source;
  ++held_;
  return set;
}

VertexSet SetPool::Seal(std::unique_ptr<Frontier> frontier) {
  CHECK(frontier != nullptr);
  CHECK_EQ(frontier->num_vertices(), num_vertices_);
  frontier->Seal(threads_);
  VertexSet set = None();
  if (frontier->is_sparse()) {
    set.size_ = frontier->members().size();
  } else {
    std::atomic<uint64_t> count{0};
    const std::span<const uint64_t> words = std::as_const(*frontier).words();
    ForEachChunk(words.size(), kWordsAtOnce, threads_, [&](size_t begin, size_t end) {
      uint64_t some = 0;
      for (size_t i = begin; i < end; ++i) some += static_cast<uint64_t>(std::popcount(words[i]));
      count.fetch_add(some, std::memory_order_relaxed);
    });
    set.size_ = count;
  }
  if (set.size_ == 0 || set.size_ == num_vertices_) {
    Return(std::move(frontier));
  } else {
    set.members_ = std::move(frontier);
    ++held_;
  }
  return set;
}

template <typename Make>
StatusOr<VertexSet> SetPool::KeptOf(Make make) {
  if (kept_ == nullptr) return make();
  if (kept_->answers()) return kept_->Pass(*this, VertexSet());
  ASSIGN_OR_RETURN(VertexSet set, make());
  return kept_->Pass(*this, std::move(set));
}

StatusOr<VertexSet> SetPool::Kept(VertexSet set) {
  if (kept_ == nullptr) return set;
  // Teams may have pools of their own, which do not tell when a set goes.
  if (!kept_->answers() && set.members_ != nullptr && set.pool_ != this) {
    ASSIGN_OR_RETURN(set, MakeCopy(set));
  }
  return kept_->Pass(*this, std::move(set));
}

StatusOr<VertexSet> SetPool::Of(std::span<const VertexId> members) {
  return KeptOf([&] { return MakeOf(members); });
}
StatusOr<VertexSet> SetPool::Copy(const VertexSet& set) {
  return KeptOf([&] { return MakeCopy(set); });
}
StatusOr<VertexSet> SetPool::Union(const VertexSet& a, const VertexSet& b) {
  return KeptOf([&] { return MakeUnion(a, b); });
}
StatusOr<VertexSet> SetPool::Difference(const VertexSet& a, const VertexSet& b) {
  return KeptOf([&] { return MakeDifference(a, b); });
}
StatusOr<VertexSet> SetPool::Intersection(const VertexSet& a, const VertexSet& b) {
  return KeptOf([&] { return MakeIntersection(a, b); });
}

StatusOr<VertexSet> SetPool::MakeOf(std::span<const VertexId> members) {
  if (members.empty()) return None();
  ASSIGN_OR_RETURN(std::unique_ptr<Frontier> frontier, Acquire());
  for (const VertexId vertex : members) {
    if (vertex >= num_vertices_) {
      Return(std::move(frontier));
      return UsageError(StrCat("vertex ", vertex, " of a set: there are ", num_vertices_));
    }
    frontier->Add(vertex);
  }
  return Seal(std::move(frontier));
}

/// The members of `set` for which `keep(vertex)` is true. `set` must have a list.
template <typename Keep>
StatusOr<VertexSet> SetPool::Filtered(const VertexSet& set, Keep keep) {
  CHECK(set.frontier() != nullptr && set.frontier()->is_sparse());
  ASSIGN_OR_RETURN(std::unique_ptr<Frontier> frontier, Acquire());
  for (const VertexId vertex : set.frontier()->members()) {
    if (keep(vertex)) frontier->Add(vertex);
  }
  return Seal(std::move(frontier));
}

/// The set with the words combine(word of a, word of b).
template <typename Combine>
StatusOr<VertexSet> SetPool::Wordwise(const VertexSet& a, const VertexSet& b, Combine combine) {
  for (const VertexSet* const set : {&a, &b}) {
    if (set->frontier() != nullptr) CHECK_EQ(set->frontier()->num_vertices(), num_vertices_);
  }
  ASSIGN_OR_RETURN(std::unique_ptr<Frontier> frontier, Acquire());
  const std::span<uint64_t> words = frontier->BeginAssign();
  ForEachChunk(words.size(), kWordsAtOnce, threads_, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      words[i] = combine(WordOf(a, i, num_vertices_), WordOf(b, i, num_vertices_));
    }
  });
  frontier->EndAssign(threads_);
  return Seal(std::move(frontier));
}

StatusOr<VertexSet> SetPool::MakeCopy(const VertexSet& set) {
  if (set.frontier() == nullptr) return set.empty() ? None() : All();
  if (set.frontier()->is_sparse()) {
    return Filtered(set, [](VertexId) { return true; });
  }
  return Wordwise(set, set, [](uint64_t a, uint64_t) { return a; });
}

StatusOr<VertexSet> SetPool::MakeUnion(const VertexSet& a, const VertexSet& b) {
  if (a.empty() || b.is_all()) return MakeCopy(b);
  if (b.empty() || a.is_all()) return MakeCopy(a);
  if (a.frontier()->is_sparse() && b.frontier()->is_sparse()) {
    ASSIGN_OR_RETURN(std::unique_ptr<Frontier> frontier, Acquire());
    for (const VertexSet* set : {&a, &b}) {
      for (const VertexId vertex : set->frontier()->members()) frontier->Add(vertex);
    }
    return Seal(std::move(frontier));
  }
  return Wordwise(a, b, [](uint64_t x, uint64_t y) { return x | y; });
}

StatusOr<VertexSet> SetPool::MakeDifference(const VertexSet& a, const VertexSet& b) {
  if (b.empty()) return MakeCopy(a);
  if (a.empty() || b.is_all()) return None();
  if (!a.is_all() && a.frontier()->is_sparse()) {
    return Filtered(a, [&](VertexId vertex) { return !b.Has(vertex); });
  }
  return Wordwise(a, b, [](uint64_t x, uint64_t y) { return x & ~y; });
}

StatusOr<VertexSet> SetPool::MakeIntersection(const VertexSet& a, const VertexSet& b) {
  if (a.empty() || b.empty()) return None();
  if (a.is_all()) return MakeCopy(b);
  if (b.is_all()) return MakeCopy(a);
  if (a.frontier()->is_sparse()) {
    return Filtered(a, [&](VertexId vertex) { return b.Has(vertex); });
  }
  if (b.frontier()->is_sparse()) return MakeIntersection(b, a);
  return Wordwise(a, b, [](uint64_t x, uint64_t y) { return x & y; });
}

}  // namespace edgemill
