// Messages that are added up in a sum a vertex: where a pass pushes what is to be collected, and
// where two lists bring a vertex messages.
#pragma once

#include <memory>
#include <utility>

#include "engine/cpu/active_sets.h"
#include "engine/cpu/edge_pass.h"

namespace edgemill {

/// The sums of one pass, and who has received. Identities between passes.
template <typename P>
class VertexSums {
 public:
  using Sum = SumOfProgram<P>;

  explicit VertexSums(EdgePass<P>& pass) : pass_(pass) {}
  ~VertexSums() {
    if (received_ != nullptr) pass_.workspace().sets().Return(std::move(received_));
  }
  VertexSums(const VertexSums&) = delete;
  VertexSums& operator=(const VertexSums&) = delete;

  /// Has the sums be identities of this monoid, and the pass note who receives. First.
  Status Prepare() {
    Workspace& workspace = pass_.workspace();
    CHECK(workspace.has_sums());
    if (!workspace.HoldsIdentitiesOf(&kMonoidTag<typename P::Monoid>)) {
      const LoadedGraph& graph = pass_.graph();
      const std::span<Sum> sums = workspace.template sums<Sum>().first(graph.num_vertices());
      ForEachChunk(sums.size(), FirstTouchGrain(sums.size(), graph.threads()), graph.threads(),
                   [&](size_t begin, size_t end) {
                     std::fill(sums.begin() + begin, sums.begin() + end, P::Monoid::identity());
                   });
    }
    if constexpr (!kAppliesToAllOf<P>) {
      ASSIGN_OR_RETURN(received_, workspace.sets().Take());
      pass_.set_received(received_.get());
    }
    return OkStatus();
  }
  /// Gives vertices their sums: those that have received, or all. Last.
  Status Take() {
    const std::span<Sum> sums = pass_.workspace().template sums<Sum>();
    if (received_ != nullptr) received_->Seal(pass_.graph().threads());
    return ForEachMember(pass_.graph(), received_.get(), [&](std::span<const VertexId> members) {
      P program = pass_.program();
      FrontierBatch active(pass_.next());
      for (const VertexId vertex : members) {
        const Sum sum = std::exchange(sums[vertex], P::Monoid::identity());
        if (!kAppliesToAllOf<P> && !CallCond(program, vertex)) continue;
        pass_.TakeSum(program, vertex, sum, active);
      }
      pass_.KeepTallies(program);
    });
  }

 private:
  EdgePass<P>& pass_;
  std::unique_ptr<Frontier> received_;
};

}  // namespace edgemill
