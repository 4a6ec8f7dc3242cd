// A driver run again from each of its boundaries, as after a crash: answered from the journal up to
// an operator, then with the state that was there. A driver that learns of state by other means
// than operators goes another way, and is caught by its answer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "common/check.h"
#include "common/status.h"
#include "engine/program/arrays/tally_slots.h"
#include "engine/program/journal/journal.h"
#include "engine/program/sets/held_sets.h"
#include "engine/program/sets/vertex_set.h"
#include "engine/state/state.h"

namespace edgemill::model {

/// What there was where an operator began.
struct Boundary {
  std::vector<std::byte> journal;
  std::vector<std::vector<std::byte>> arrays;
  std::map<uint64_t, std::vector<uint64_t>> sets;
};

/// The journal of one run on the model: records all boundaries, or goes on from one of them.
class Replay {
 public:
  /// Records.
  Replay() = default;
  /// Goes on from `from`, which must outlive it.
  explicit Replay(const Boundary& from) : from_(&from) { journal_.Load(from.journal); }
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  void Attach(State& state, SetPool& sets) {
    state_ = &state;
    state.Keep(&journal_);
    sets.Follow(&held_);
  }
  /// Whether the driver has come to the boundary from which it was to go on.
  bool came_to_the_end() const { return !journal_.answers(); }
  const std::vector<Boundary>& boundaries() const { return boundaries_; }
  Journal& journal() { return journal_; }

  /// Where an operator begins: returns whether the journal answers it.
  StatusOr<bool> Begin() {
    if (journal_.differs()) return Differs();
    if (journal_.answers() && !journal_.at_end()) {
      uint64_t number = 0;
      journal_.PassNumber(JournalTag::kOperator, &number);
      if (journal_.differs()) return Differs();
      return true;
    }
    if (journal_.answers()) {
      RETURN_IF_ERROR(Restore());
    } else if (from_ == nullptr) {
      Record();
    }
    return false;
  }
  template <typename P>
  Status End(const P& program) {
    const bool answers = journal_.answers();
    uint64_t number = 0;
    if (!answers) journal_.PassNumber(JournalTag::kOperator, &number);
    TallySlots slots;
    slots.Save(program);
    if (slots.count() == 0) return OkStatus();
    journal_.Pass(JournalTag::kTallies, slots.bytes());
    if (answers) slots.Load(program);
    return journal_.differs() ? Differs() : OkStatus();
  }

 private:
  static Status Differs() {
    return InternalError("the driver makes other calls when it runs again");
  }

  void Record() {
    Boundary& boundary = boundaries_.emplace_back();
    journal_.ForEachPart([&](std::span<const std::byte> part) {
      boundary.journal.insert(boundary.journal.end(), part.begin(), part.end());
    });
    for (const StateArray* const array : state_->arrays()) {
      const std::span<const std::byte> bytes = array->CurrentBytes();
      boundary.arrays.emplace_back(bytes.begin(), bytes.end());
    }
    for (const auto& [number, members] : held_.Held()) {
      boundary.sets[number] = {members->words().begin(), members->words().end()};
    }
  }

  Status Restore() {
    CHECK_EQ(from_->arrays.size(), state_->arrays().size());
    for (size_t i = 0; i < from_->arrays.size(); ++i) {
      const std::span<std::byte> bytes = state_->arrays()[i]->ReplacedBytes();
      CHECK_EQ(bytes.size(), from_->arrays[i].size());
      std::copy(from_->arrays[i].begin(), from_->arrays[i].end(), bytes.begin());
    }
    for (const auto& set : from_->sets) {
      const auto fill = [&](std::span<uint64_t> into) {
        std::copy(set.second.begin(), set.second.end(), into.begin());
        return OkStatus();
      };
      ASSIGN_OR_RETURN(const bool exists, held_.Restore(set.first, 1, fill));
      if (!exists) return Differs();
    }
    if (held_.num_empty() > 0) return Differs();
    journal_.EndAnswers();
    return OkStatus();
  }

  MemoryBudget budget_{uint64_t{256} << 20};
  Journal journal_{budget_};
  HeldSets held_{journal_};
  State* state_ = nullptr;
  const Boundary* from_ = nullptr;
  std::vector<Boundary> boundaries_;
};

}  // namespace edgemill::model
