// Operators on a GPU.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/device/device_home.h"
#include "engine/gpu/gpu_messages.h"
#include "engine/gpu/gpu_sets.h"
#include "engine/gpu/gpu_side.h"
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
  std::string_view file;  // of the algorithm; its kernels are registered under it
  /// The other GPUs, which help this one. Their `lists` are set later.
  std::span<const GpuRun> helpers;
  std::optional<uint64_t> seed;  // for tests: shares are random
};

/// Keeps the State's arrays on the GPU, until it is destroyed. Functions without kernels run on the
/// CPU.
class GpuBackend final : public Backend {
 public:
  /// `host` has kDeviceSets sets more than the driver needs: this backend uses them. All arguments
  /// but `host` must outlive it. Errors: BudgetError, GpuError.
  static StatusOr<std::unique_ptr<GpuBackend>> Create(const GpuSetting& setting, LoadedGraph& graph,
                                                      State& state, std::unique_ptr<Backend> host,
                                                      Recorder& recorder);
  ~GpuBackend() override;

  SetPool& sets() override { return host_->sets(); }
  StatusOr<std::unique_ptr<OperatorPasses>> MakePasses(const ProgramRef& program) override;
  StatusOr<std::unique_ptr<MainTeam>> MakeTeam(const ProgramRef& program) override;
  StatusOr<std::vector<std::unique_ptr<HelperTeam>>> MakeHelpers(
      const ProgramRef& program) override;
  Status Map(const FunctionRef& function, const VertexSet& set) override;
  StatusOr<VertexSet> Filter(const FunctionRef& function, const VertexSet& set) override;
  Status Reduce(const FunctionRef& function, const VertexSet& set, void* total) override;
  Status VisitEdges(const FunctionRef& function, Directions directions, const VertexSet& set,
                    const Slice& slice) override;
  Status VisitSampled(const FunctionRef& function, Directions lists) override;
  bool samples_hubs() const override;

 private:
  /// Reports to the recorder the seconds of the backend's set-up, and of the destruction of the
  /// members that are declared after this one.
  class SetUpTimer {
   public:
    explicit SetUpTimer(Recorder& recorder) : recorder_(recorder) {}
    ~SetUpTimer() { recorder_.AddSetupSeconds(watch_.seconds()); }
    void EndSetUp() { recorder_.AddSetupSeconds(watch_.seconds()); }
    void BeginTearDown() { watch_.Restart(); }

   private:
    Recorder& recorder_;
    Stopwatch watch_;
  };

  /// The kernels of the algorithm's file that were looked up so far. Keys are the addresses of
  /// FunctionCalls and ProgramCalls.
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
        copies_(state, static_cast<MemoryId>(1 + setting.helpers.size())) {}
  Status Start(const GpuSetting& setting, LoadedGraph& graph, Recorder& recorder);
  Status StartHelpers(const GpuSetting& setting, LoadedGraph& graph);

  /// Returns null for a function that runs on the CPU.
  const FunctionKernels* KernelsOf(const FunctionRef& function);
  StatusOr<const EdgeProgramLaunchers*> KernelsOf(const ProgramRef& program);
  /// Calls `launch(device)` with the function's copy on the GPU. Sets up the tallies before, and
  /// merges them afterwards.
  template <typename Launch>
  Status Call(const FunctionRef& function, Launch launch);
  /// Returns the members of `set`, on the GPU; null for all vertices.
  StatusOr<const uint32_t*> Members(const VertexSet& set);
  /// Makes the next set the current one, and returns its members. Waits for the GPU.
  StatusOr<VertexSet> SealNext();
  FunctionLaunch LaunchOf(const uint32_t* members) const {
    return {.members = members,
            .num_vertices = workspace().graph().num_vertices(),
            .tallies = workspace().arrays().sums.tallies};
  }
  GpuWorkspace& workspace() const { return *main_.workspace; }
  LaunchOn on() const { return {workspace().Grids(), workspace().main().handle()}; }
  Status After(std::string_view kernel) { return workspace().gpu().AfterLaunch(kernel); }

  SetUpTimer timer_;
  Kernels kernels_;
  const Mode mode_;
  const std::unique_ptr<Backend> host_;
  GpuSide main_;
  std::unique_ptr<GpuSets> sets_;
  std::unique_ptr<GpuMessages> messages_;  // where another processor may share passes
  std::vector<std::unique_ptr<GpuHelper>> helpers_;
  StateCopies copies_;
};

}  // namespace edgemill
