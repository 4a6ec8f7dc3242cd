#include "engine/program/sets/held_sets.h"

#include <memory>
#include <utility>

#include "common/check.h"

namespace edgemill {

StatusOr<VertexSet> HeldSets::Pass(SetPool& pool, VertexSet set) {
  const bool answers = journal_.answers();
  uint64_t size = set.size();
  journal_.PassNumber(JournalTag::kSet, &size);
  const uint64_t number = count_++;
  if (!answers) {
    if (set.members_ != nullptr) {
      held_[set.members_.get()] = {number, set.members_.get(), set.source_, false};
    }
    return set;
  }
  set = VertexSet();
  if (size == 0 || size > pool.num_vertices()) return pool.None();
  if (size == pool.num_vertices()) return pool.All();
  ASSIGN_OR_RETURN(std::unique_ptr<Frontier> members, pool.Acquire());
  held_[members.get()] = {number, members.get(), nullptr, true};
  return pool.Defer(std::move(members), size, *this);
}

std::map<uint64_t, const Frontier*> HeldSets::Held() {
  std::map<uint64_t, const Frontier*> sets;
  for (auto& [key, entry] : held_) {
    CHECK(!entry.empty);  // answers have ended, and Restore has filled it
    if (entry.source != nullptr) std::exchange(entry.source, nullptr)->Fill(*entry.members);
    sets[entry.number] = entry.members;
  }
  return sets;
}

StatusOr<bool> HeldSets::Restore(uint64_t number, int threads,
                                 const std::function<Status(std::span<uint64_t>)>& fill) {
  for (auto& [key, entry] : held_) {
    if (entry.number != number) continue;
    RETURN_IF_ERROR(fill(entry.members->BeginAssign()));
    entry.members->EndAssign(threads);
    entry.empty = false;
    return true;
  }
  return false;
}

uint64_t HeldSets::num_empty() const {
  uint64_t count = 0;
  for (const auto& [key, entry] : held_) count += entry.empty ? 1 : 0;
  return count;
}

void HeldSets::Fill(Frontier& members) {
  const auto found = held_.find(&members);
  if (found == held_.end() || !found->second.empty) return;
  internal::AuthorMistake(
      "a driver asks whether a set has a member, while its calls are answered from a checkpoint: "
      "ask for Members()");
}

}  // namespace edgemill
