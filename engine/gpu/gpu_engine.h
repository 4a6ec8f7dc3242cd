// All operators of a run on a card.
#pragma once

#include <memory>
#include <vector>

#include "engine/device/device_home.h"
#include "engine/gpu/card_messages.h"
#include "engine/gpu/gpu_operators.h"
#include "engine/gpu/gpu_sets.h"
#include "engine/gpu/workspace/gpu_workspace.h"
#include "engine/program/mode.h"

namespace edgemill {

class GpuEngine final : public GpuOperators {
 public:
  /// `arena` has the State's arrays planned, and is allocated here; it must outlive this, like the
  /// others. BudgetError; GpuError.
  static StatusOr<std::unique_ptr<GpuEngine>> Create(const GpuRun& run, LoadedGraph& graph,
                                                     const CardNeeds& needs, DeviceArena& arena,
                                                     SetPool& pool, Mode mode, Recorder& recorder);
  ArrayHome& home() { return *home_; }

  std::span<const IndexCopy> indexes() const override { return indexes_; }
  StatusOr<std::unique_ptr<GpuPasses>> MakePasses(const CardProgram& program) override;
  Status Map(const CardFunction& function, const VertexSet& set) override;
  StatusOr<VertexSet> Filter(const CardFunction& function, const VertexSet& set) override;
  Status Reduce(const CardFunction& function, const VertexSet& set,
                std::span<std::byte> sums) override;
  Status VisitEdges(const CardFunction& function, Directions directions, const VertexSet& set,
                    const Slice& slice) override;
  bool keeps_neighbors() const override;
  Status VisitKept(const CardFunction& function) override;
  StatusOr<VertexSet> FilterKept(const CardFunction& function) override;

 private:
  explicit GpuEngine(Mode mode) : mode_(mode) {}

  /// Where the members of `set` are on the card: null for all.
  StatusOr<const uint32_t*> Members(const VertexSet& set);
  /// The members of the next set, which becomes the current one. Waits.
  StatusOr<VertexSet> TakeNext();
  /// `members`: as FunctionKernels::visit_kept.
  Status LaunchVisitKept(const CardFunction& function, uint32_t* members);
  Status BeginTallies(const CardFunction& function);
  /// Reads them back; waits for the function.
  Status EndTallies(const CardFunction& function);
  Status After(std::string_view kernel) { return workspace_->gpu().AfterLaunch(kernel); }

  const Mode mode_;
  std::unique_ptr<GpuWorkspace> workspace_;
  std::unique_ptr<DeviceHome> home_;
  std::unique_ptr<GpuSets> sets_;
  std::vector<IndexCopy> indexes_;
  std::unique_ptr<CardMessages> messages_;  // where another processor may share passes
};

}  // namespace edgemill
