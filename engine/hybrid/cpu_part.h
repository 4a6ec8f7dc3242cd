// The work of a team of CPU threads on its blocks in a shared pass.
#pragma once

#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "common/check.h"
#include "engine/cpu/pass/edge_pass.h"
#include "engine/cpu/pull/pull_pass.h"
#include "engine/cpu/push/push_pass.h"
#include "engine/hybrid/shared_pass.h"

namespace edgemill {

/// Holds a set from a pool, and returns it when this is destroyed.
class PooledSet {
 public:
  static StatusOr<PooledSet> Acquire(SetPool& pool) {
    PooledSet set;
    ASSIGN_OR_RETURN(set.set_, pool.Acquire());
    set.pool_ = &pool;
    return set;
  }
  PooledSet() = default;
  PooledSet(PooledSet&& other) noexcept { *this = std::move(other); }
  PooledSet& operator=(PooledSet&& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(set_, other.set_);
    return *this;
  }
  ~PooledSet() {
    if (set_ != nullptr) pool_->Return(std::move(set_));
  }
  Frontier* get() const { return set_.get(); }

 private:
  SetPool* pool_ = nullptr;
  std::unique_ptr<Frontier> set_;
};

/// The lists that a shared pass reads.
inline std::vector<Direction> ListsOfPass(const SharedPass& pass, Directions directions,
                                          bool directed) {
  return ListsOf(directions, directed, /*reversed=*/pass.mode == Mode::kPull);
}

/// Gives the last vertex that a team owns the sum of its list: `own`, from the team's blocks, and
/// `border`, from the blocks of later teams, which may be empty. Adds to the tallies of `part`.
template <typename Q>
void TakeSplitList(EdgePass<Q>& part, Direction lists, VertexId vertex, PartialSum<Q> own,
                   std::span<const std::byte> border) {
  PullTarget<Q> target(part, lists, {});
  Q program = part.program();
  if (!border.empty()) {
    CHECK_EQ(border.size(), sizeof(SumOfProgram<Q>));
    SumOfProgram<Q> sum;
    std::memcpy(static_cast<void*>(&sum), border.data(), sizeof(sum));
    own.Add(sum);
  }
  if (target.Receives(program, vertex)) target.Take(program, vertex, own, part.next());
  part.copies().AddTallies(program);
}

/// Visits the blocks of `part` with Q, the program in the form in which the team runs it.
template <typename Q>
struct CpuPart {
  EdgePass<Q>& part;
  Recorder& recorder;
  uint32_t repeats = 0;             // of a push: see PushPass
  VertexSums<Q>* sums = nullptr;    // null, or sums that the caller takes later
  PartialSum<Q>* beyond = nullptr;  // see PullTarget

  /// Returns the number of vertices that emitted in the pass in which they became active.
  StatusOr<uint64_t> Run(const SharedPass& pass, const std::vector<Direction>& lists) {
    if (pass.mode == Mode::kPush) return Push(pass, lists);
    RETURN_IF_ERROR(Pull(lists));
    return uint64_t{0};
  }
  StatusOr<uint64_t> Push(const SharedPass& pass, const std::vector<Direction>& lists) {
    RETURN_IF_ERROR(FindLastNeighbors(lists));
    PushPass<Q> push(part, recorder, lists.size() == 1 ? repeats : 0, pass.bound);
    // With 0 active edges, the push does not make the next set from closed bits: other teams send
    // messages too, so the bits do not tell which vertices became active here.
    RETURN_IF_ERROR(push.Run(lists, 0, sums));
    return push.emitted_in_same_pass();
  }
  Status Pull(const std::vector<Direction>& lists) {
    RETURN_IF_ERROR(FindLastNeighbors(lists));
    if (part.closed() != nullptr && HasCond<Q>) {
      part.closed()->SetFromCond([&](VertexId vertex) { return CallCond(part.program(), vertex); });
    }
    return PullPass<Q>(part, recorder).Run(lists, sums, beyond);
  }
  Status FindLastNeighbors(const std::vector<Direction>& lists) {
    if constexpr (kIsSimpleOf<Q>) {
      for (const Direction direction : lists) {
        RETURN_IF_ERROR(part.graph().neighbor_memory().FindLastNeighbors(direction));
      }
    }
    return OkStatus();
  }
};

}  // namespace edgemill
