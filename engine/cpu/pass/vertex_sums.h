// Sums of messages, one for each vertex: for passes that push messages of programs that collect,
// and for pulls in which a vertex has two lists.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "common/check.h"
#include "engine/cpu/pass/active_sets.h"
#include "engine/cpu/pass/edge_pass.h"

namespace edgemill {

/// The sums of one pass, and the vertices that have received messages. The sums are identities
/// between passes. The workspace must have memory for sums.
template <typename P>
class VertexSums {
 public:
  using Sum = SumOfProgram<P>;

  explicit VertexSums(EdgePass<P>& pass)
      : pass_(pass), sums_(pass.workspace().template sums<Sum>()) {}
  ~VertexSums() {
    if (received_ != nullptr) pass_.workspace().sets().Return(std::move(received_));
  }
  VertexSums(const VertexSums&) = delete;
  VertexSums& operator=(const VertexSums&) = delete;

  /// Sets the sums to identities of the program's monoid, and acquires the set of vertices that
  /// receive messages. Call it first.
  Status Prepare() {
    Workspace& workspace = pass_.workspace();
    CHECK(workspace.has_sums());
    CHECK_GE(sums_.size(), pass_.graph().num_vertices());
    CHECK(received_ == nullptr);  // Prepare is called once
    if (!workspace.HoldsIdentitiesOf(&kMonoidTag<typename P::Monoid>)) {
      const LoadedGraph& graph = pass_.graph();
      const std::span<Sum> sums = sums_.first(graph.num_vertices());
      ForEachChunk(sums.size(), FirstTouchGrain(sums.size(), graph.threads()), graph.threads(),
                   [&](size_t begin, size_t end) {
                     std::fill(sums.begin() + begin, sums.begin() + end, P::Monoid::identity());
                   });
    }
    if constexpr (!kAppliesToAllOf<P>) {
      ASSIGN_OR_RETURN(received_, workspace.sets().Acquire());
    }
    return OkStatus();
  }
  /// The sum of `vertex`. A caller that adds to it also adds `vertex` to received().
  Sum& of(VertexId vertex) const { return sums_[vertex]; }
  /// The vertices that have received messages. Null for programs that apply to all.
  Frontier* received() const { return received_.get(); }
  /// Adds `more` to the sum of `vertex`, to which no other thread adds.
  void Add(VertexId vertex, Sum more) {
    of(vertex) = P::Monoid::Combine(of(vertex), more);
    if (received_ != nullptr) received_->Add(vertex);
  }
  /// Gives their sums to vertices that have received messages, or to all. Call it last.
  Status Take() {
    CHECK(kAppliesToAllOf<P> || received_ != nullptr);  // after Prepare
    if (received_ != nullptr) received_->Seal(pass_.graph().threads());
    return ForEachMember(pass_.graph(), received_.get(), [&](const MemberChunk& members) {
      P program = pass_.program();
      FrontierBatch active(pass_.next());
      members.ForEach([&](VertexId vertex) {
        const Sum sum = std::exchange(of(vertex), P::Monoid::identity());
        if (!kAppliesToAllOf<P> && !CallCond(program, vertex)) return;
        if (CallTake(program, vertex, sum)) active.Add(vertex);
      });
      pass_.copies().AddTallies(program);
    });
  }

 private:
  EdgePass<P>& pass_;
  const std::span<Sum> sums_;
  std::unique_ptr<Frontier> received_;
};

}  // namespace edgemill
