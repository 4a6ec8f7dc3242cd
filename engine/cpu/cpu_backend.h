// Operators on the CPU.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "engine/cpu/pass/active_sets.h"
#include "engine/cpu/pass/closed_bits.h"
#include "engine/cpu/pass/workspace.h"
#include "engine/plan/direction_policy.h"
#include "engine/program/backend.h"
#include "engine/report/recorder.h"

namespace edgemill {

/// The passes of one operator: the part that does not depend on the program's type.
class CpuPasses final : public OperatorPasses {
 public:
  CpuPasses(LoadedGraph& graph, Workspace& workspace, Recorder& recorder,
            const ProgramRef& program);

  Status Begin(const VertexSet& from) override;
  ActiveCounts active() const override { return sets_.active(); }
  ActiveCounts emitted() const override { return emitted_; }
  Status Pass(bool asynchronous, double bound) override;
  Status Advance() override;
  Status Split(double bound) override;
  StatusOr<double> LeastWaiting(double bound) override;
  Status ActivateWaiting(double before, double bound) override;
  Status ActivateAll(double bound) override {
    sets_.SealWaiting();
    return ActivateWaiting(bound, kNoBound);
  }
  StatusOr<VertexSet> End() override { return sets_.End(); }

  // For the loops that are compiled for the program's type, and for passes that teams share.
  LoadedGraph& graph() const { return graph_; }
  Workspace& workspace() const { return workspace_; }
  Recorder& recorder() const { return recorder_; }
  ActiveSets& sets() { return sets_; }
  /// Null unless the program takes the first message.
  ClosedBits* closed() { return closed_.has_value() ? &*closed_ : nullptr; }
  Mode NextMode() const;
  /// The lists that passes push along, or pull from.
  const std::vector<Direction>& lists(bool reversed) const { return lists_[reversed ? 1 : 0]; }
  /// Counts vertices that emitted in the pass in which they became active.
  void CountEmitted(uint64_t vertices) { emitted_.vertices += vertices; }
  /// Notes the number of blocks that the last pull has read.
  void NotePulled(uint64_t blocks) { pulled_blocks_ = blocks; }

 private:
  LoadedGraph& graph_;
  Workspace& workspace_;
  Recorder& recorder_;
  const ProgramRef program_;
  const DirectionPolicy policy_;
  const std::array<std::vector<Direction>, 2> lists_;  // to push along, and to pull from
  ActiveSets sets_;
  ActiveCounts emitted_;
  std::optional<uint64_t> pulled_blocks_;  // by the last pull
  std::optional<ClosedBits> closed_;       // of programs that take the first message
};

class CpuBackend final : public Backend {
 public:
  /// For drivers that run `programs`, and hold at most `max_sets` sets at once. BudgetError.
  static StatusOr<std::unique_ptr<CpuBackend>> Create(LoadedGraph& graph, ProgramList programs,
                                                      const PassOptions& options, uint64_t max_sets,
                                                      Recorder& recorder);

  SetPool& sets() override { return workspace_->sets(); }
  StatusOr<std::unique_ptr<OperatorPasses>> MakePasses(const ProgramRef& program) override;
  Status Map(const FunctionRef& function, const VertexSet& set) override;
  StatusOr<VertexSet> Filter(const FunctionRef& function, const VertexSet& set) override;
  Status Reduce(const FunctionRef& function, const VertexSet& set, void* total) override;
  Status VisitEdges(const FunctionRef& function, Directions directions, const VertexSet& set,
                    const Slice& slice) override;
  Status VisitSampled(const FunctionRef& function, Directions lists) override;
  Status Intersect(const FunctionRef& function) override;

 private:
  CpuBackend(LoadedGraph& graph, std::unique_ptr<Workspace> workspace, Recorder& recorder)
      : graph_(graph), workspace_(std::move(workspace)), recorder_(recorder) {}

  LoadedGraph& graph_;
  const std::unique_ptr<Workspace> workspace_;
  Recorder& recorder_;
};

}  // namespace edgemill
