// The passes of one operator on the CPU.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "engine/cpu/active_sets.h"
#include "engine/cpu/closed_bits.h"
#include "engine/cpu/edge_pass.h"
#include "engine/cpu/pull/pull_pass.h"
#include "engine/cpu/push/push_pass.h"
#include "engine/plan/direction_policy.h"
#include "engine/program/edge_backend.h"
#include "engine/report/recorder.h"

namespace edgemill {

template <typename P>
class CpuBackend final : public EdgeBackend<P> {
 public:
  CpuBackend(LoadedGraph& graph, Workspace& workspace, Recorder& recorder, Directions directions)
      : graph_(graph),
        workspace_(workspace),
        recorder_(recorder),
        policy_(PassTraitsOf<P>(directions), workspace.lists(), workspace.options().mode,
                workspace.options().async_passes > 0, workspace.sizes()),
        lists_{ListsOf(directions, workspace.lists().directed, /*reversed=*/false),
               ListsOf(directions, workspace.lists().directed, /*reversed=*/true)},
        sets_(graph, workspace.sets(), Lists(false)) {
    if constexpr (kTakesFirst<P>) {
      closed_.emplace(workspace.closed(), graph.num_vertices(), graph.threads());
    }
  }

  Status Begin(const VertexSet& from) override {
    RETURN_IF_ERROR(policy_.Check(graph_.store().path()));
    return sets_.Begin(from);
  }
  ActiveCounts active() const override { return sets_.active(); }
  ActiveCounts emitted() const override { return emitted_; }
  Status Pass(const P& program, bool asynchronous, double bound) override;
  Status Advance() override {
    emitted_.vertices += sets_.active().vertices;
    emitted_.edges += sets_.active().edges;
    return sets_.Advance();
  }
  Status Split(const P& program, double bound) override {
    return sets_.Split(bound, PriorityOf(program));
  }
  StatusOr<double> LeastWaiting(const P& program, double bound) override {
    return sets_.LeastWaiting(bound, PriorityOf(program));
  }
  Status TakeWaiting(const P& program, double before, double bound) override {
    return sets_.TakeWaiting(before, bound, PriorityOf(program));
  }
  StatusOr<VertexSet> End() override { return sets_.End(); }

  // For passes that it shares with another processor (engine/hybrid).
  LoadedGraph& graph() const { return graph_; }
  ActiveSets& sets() { return sets_; }
  const ActiveSets& sets() const { return sets_; }
  /// Null unless P takes the first message.
  ClosedBits* closed() { return closed_.has_value() ? &*closed_ : nullptr; }
  Mode NextMode() const {
    const ActiveCounts active = sets_.active();
    return policy_.Choose({active.vertices, active.edges, emitted_.edges, pulled_blocks_});
  }
  /// Counts vertices that emitted in the pass in which they became active.
  void CountEmitted(uint64_t vertices) { emitted_.vertices += vertices; }
  /// The lists that passes push along, or pull from.
  const std::vector<Direction>& Lists(bool reversed) const { return lists_[reversed ? 1 : 0]; }

 private:
  static auto PriorityOf(const P& program) {
    return [&program](VertexId vertex) {
      if constexpr (HasPriority<P>) {
        return CallPriority(program, vertex);
      } else {
        static_cast<void>(program), static_cast<void>(vertex);
        return 0.0;
      }
    };
  }

  LoadedGraph& graph_;
  Workspace& workspace_;
  Recorder& recorder_;
  const DirectionPolicy policy_;
  const std::array<std::vector<Direction>, 2> lists_;  // to push along, to pull from
  ActiveSets sets_;
  ActiveCounts emitted_;
  std::optional<uint64_t> pulled_blocks_;  // by the last pull
  std::optional<ClosedBits> closed_;       // of programs that take the first message
};

template <typename P>
Status CpuBackend<P>::Pass(const P& program, bool asynchronous, double bound) {
  const ActiveCounts active = sets_.active();
  const Mode mode = NextMode();
  recorder_.Start(mode, active.vertices, active.edges);
  const std::vector<Direction>&push_lists = Lists(false), &pull_lists = Lists(true);
  if constexpr (kIsSimpleOf<P>) {
    for (const Direction lists : mode == Mode::kPush ? push_lists : pull_lists) {
      RETURN_IF_ERROR(graph_.KeepLastNeighbors(lists));
    }
  }
  // Where all edges are of members, lists need not be asked who emits.
  const bool all = !kTakesFirst<P> && sets_.has_all_edges();
  ClosedBits* const closed = this->closed();
  EdgePass<P> pass(graph_, workspace_, program, all ? nullptr : sets_.from(), &sets_.next(),
                   closed);
  pass.set_edges(active.edges);
  RETURN_IF_ERROR(pass.Consume(sets_.from()));
  if (mode == Mode::kPush) {
    const bool repeats = asynchronous && push_lists.size() == 1;
    PushPass<P> push(pass, recorder_, repeats ? workspace_.options().async_passes : 0, bound);
    RETURN_IF_ERROR(push.Run(push_lists, active.edges));
    recorder_.AddEdges(active.edges + push.edges_at_once());
    emitted_.vertices += push.emitted_at_once();
  } else {
    if (closed != nullptr && HasCond<P>) {
      closed->Know([&](VertexId vertex) { return CallCond(program, vertex); });
    }
    PullPass<P> pull(pass, recorder_);
    if (mode == Mode::kNotifyPull && pass.from() != nullptr) {
      RETURN_IF_ERROR(pull.Notify(push_lists));
      recorder_.AddEdges(active.edges);
    }
    RETURN_IF_ERROR(pull.Run(pull_lists));
    recorder_.AddEdges(pull.num_edges());
    pulled_blocks_ = pull.num_blocks();
  }
  if (closed != nullptr) closed->EndPass(sets_.next(), HasCond<P>);
  pass.copies().End();
  recorder_.Finish();
  return OkStatus();
}

}  // namespace edgemill
