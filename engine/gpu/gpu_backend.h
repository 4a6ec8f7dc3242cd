// Operators on a GPU.
#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/device/device_home.h"
#include "engine/gpu/gpu_messages.h"
#include "engine/gpu/gpu_sets.h"
#include "engine/gpu/workspace/gpu_workspace.h"
#include "engine/program/arrays/on_device.h"
#include "engine/program/backend.h"
#include "engine/program/mode.h"
#include "engine/state/state_copies.h"

namespace edgemill {

/// How a run uses its GPU.
struct GpuSetting {
  const GpuRun& run;
  const DeviceNeeds& needs;
  Mode mode = Mode::kAuto;
  std::string_view file;  // of the algorithm: by which kernels are found
};

/// Keeps the State's arrays on the GPU, for as long as it lives. Functions without kernels run on
/// the CPU.
class GpuBackend final : public Backend {
 public:
  /// `host`, whose sets it uses, has kDeviceSets beside the driver's. All but `host` must outlive
  /// it. BudgetError; GpuError.
  static StatusOr<std::unique_ptr<GpuBackend>> Create(const GpuSetting& setting, LoadedGraph& graph,
                                                      State& state, std::unique_ptr<Backend> host,
                                                      Recorder& recorder);
  ~GpuBackend() override;

  SetPool& sets() override { return host_->sets(); }
  StatusOr<std::unique_ptr<OperatorPasses>> MakePasses(const ProgramRef& program) override;
  StatusOr<std::unique_ptr<MainTeam>> MakeTeam(const ProgramRef& program) override;
  Status Map(const FunctionRef& function, const VertexSet& set) override;
  StatusOr<VertexSet> Filter(const FunctionRef& function, const VertexSet& set) override;
  Status Reduce(const FunctionRef& function, const VertexSet& set, void* total) override;
  Status VisitEdges(const FunctionRef& function, Directions directions, const VertexSet& set,
                    const Slice& slice) override;
  Status VisitSampled(const FunctionRef& function, Directions lists) override;
  bool samples_hubs() const override;

 private:
  /// Reports to the recorder what it took to set the GPU up, and to take down what is declared
  /// later.
  class SetUpTimer {
   public:
    explicit SetUpTimer(Recorder& recorder) : recorder_(recorder) {}
    ~SetUpTimer() { recorder_.AddSetupSeconds(watch_.seconds()); }
    void IsUp() { recorder_.AddSetupSeconds(watch_.seconds()); }
    void GoesDown() { watch_.Restart(); }

   private:
    Recorder& recorder_;
    Stopwatch watch_;
  };

  /// The kernels of the algorithm's file, as far as they were looked up: by FunctionCalls and
  /// ProgramCalls.
  struct Kernels {
    std::string_view file;
    std::map<const void*, const FunctionKernels*> of_functions;
    std::map<const void*, const EdgeProgramLaunchers*> of_programs;
  };

  GpuBackend(const GpuSetting& setting, State& state, std::unique_ptr<Backend> host,
             Recorder& recorder)
      : timer_(recorder),
        kernels_{.file = setting.file},
        mode_(setting.mode),
        host_(std::move(host)),
        copies_(state) {}
  Status Start(const GpuSetting& setting, LoadedGraph& graph, Recorder& recorder);

  /// Null: it runs on the CPU.
  const FunctionKernels* KernelsOf(const FunctionRef& function);
  StatusOr<const EdgeProgramLaunchers*> KernelsOf(const ProgramRef& program);
  /// Calls `launch(device)`, with the function's copy on the GPU, between its tallies' beginning
  /// and end.
  template <typename Launch>
  Status Call(const FunctionRef& function, Launch launch);
  /// Where the members of `set` are on the GPU: null for all.
  StatusOr<const uint32_t*> Members(const VertexSet& set);
  /// The members of the next set, which becomes the current one. Waits.
  StatusOr<VertexSet> SealNext();
  FunctionLaunch LaunchOf(const uint32_t* members) const {
    return {.members = members,
            .num_vertices = workspace_->graph().num_vertices(),
            .tallies = workspace_->arrays().sums.tallies};
  }
  LaunchOn on() const { return {workspace_->Grids(), workspace_->main().handle()}; }
  Status After(std::string_view kernel) { return workspace_->gpu().AfterLaunch(kernel); }

  SetUpTimer timer_;
  Kernels kernels_;
  const Mode mode_;
  const std::unique_ptr<Backend> host_;
  DeviceArena arena_;
  std::unique_ptr<GpuWorkspace> workspace_;
  std::unique_ptr<DeviceHome> home_;
  std::unique_ptr<GpuSets> sets_;
  std::vector<IndexCopy> indexes_;
  OtherMemory memory_;                     // with these indexes
  std::unique_ptr<GpuMessages> messages_;  // where another processor may share passes
  StateCopies copies_;
};

}  // namespace edgemill
