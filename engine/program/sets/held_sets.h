// The sets that a driver holds, while a Journal is kept.
//
// Each set that an operator returns has a number. While the journal answers, such a set has its
// size only. When the answers end, the sets that the driver still holds get their members from the
// checkpoint, by number.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>

#include "common/status.h"
#include "engine/program/journal/journal.h"
#include "engine/program/sets/vertex_set.h"

namespace edgemill {

/// Follows the sets of one SetPool. One thread uses it.
class HeldSets final : public SetSource {
 public:
  /// `journal` must outlive it.
  explicit HeldSets(Journal& journal) : journal_(journal) {}

  Journal& journal() { return journal_; }
  bool answers() const { return journal_.answers(); }
  /// Records a set that a driver gets. While the journal answers, returns a set of the recorded
  /// size instead. BudgetError.
  StatusOr<VertexSet> Pass(SetPool& pool, VertexSet set);
  /// Follows a set no more: its memory goes back to the pool.
  void Drop(const Frontier& members) { held_.erase(&members); }

  /// The sets that exist and have memory, by number. Brings their members to the host.
  std::map<uint64_t, const Frontier*> Held();
  /// Gives the members of set `number` as the words of a bitmap, which `fill` writes. Returns
  /// whether that set exists.
  StatusOr<bool> Restore(uint64_t number, int threads,
                         const std::function<Status(std::span<uint64_t>)>& fill);
  /// The number of sets that have no members yet.
  uint64_t num_empty() const;

  /// For sets without members: a driver asks for the members of a set, by a call that is not
  /// recorded. Ends the process.
  void Fill(Frontier& members) override;
  void Forget(const Frontier& members) override { Drop(members); }

 private:
  struct Entry {
    uint64_t number;
    Frontier* members;
    SetSource* source;  // may still have the members
    bool empty;         // has only its size
  };

  Journal& journal_;
  uint64_t count_ = 0;
  std::map<const Frontier*, Entry> held_;
};

}  // namespace edgemill
