// The levels of a search, as a State keeps them.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/state/state.h"

namespace edgemill {
inline namespace EM_VIEWS_NAMESPACE {

/// Disjoint sets one after another, the levels of a search: 4 bytes a vertex, and 8 a set.
class Levels {
 public:
  Levels(State& state, const char* name) : members_(state, name) { members_.KeepOnHost(); }

  uint64_t size() const { return ends_.size(); }
  void Clear() { ends_.clear(); }
  /// Appends `set`, which has no vertex of the sets before.
  void Append(const VertexSet& set) {
    const uint64_t begin = ends_.empty() ? 0 : ends_.back();
    if (set.size() > members_.size() - begin) {
      internal::AuthorMistake(
          StrCat(members_.name(), ": the sets of Levels are disjoint: Append none twice"));
    }
    set.CopyMembers(members_.mutable_span().subspan(begin, set.size()));
    ends_.push_back(begin + set.size());
  }
  /// The set that was appended as number `level`. BudgetError.
  StatusOr<VertexSet> At(uint64_t level, SetPool& pool) const {
    if (level >= size()) {
      internal::AuthorMistake(
          StrCat(members_.name(), ": the driver asks for set ", level, " of ", size()));
    }
    const uint64_t begin = level == 0 ? 0 : ends_[level - 1];
    return pool.Of(members_.span().subspan(begin, ends_[level] - begin));
  }

 private:
  VertexArray<VertexId> members_;
  std::vector<uint64_t> ends_;
};

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill
