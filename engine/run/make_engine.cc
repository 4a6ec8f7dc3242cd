#include "engine/run/make_engine.h"

#include <utility>

#include "engine/cpu/cpu_backend.h"
#include "engine/hybrid/hybrid_backend.h"
#if defined(EDGEMILL_WITH_CUDA)
#include "common/strings.h"
#include "engine/gpu/gpu_backend.h"
#include "engine/gpu/program/program_launchers.h"
#include "engine/gpu/workspace/device_needs.h"
#endif

namespace edgemill {

StatusOr<std::unique_ptr<Engine>> MakeCpuEngine(LoadedGraph& graph, const State& state,
                                                const PassOptions& options, Recorder& recorder) {
  ASSIGN_OR_RETURN(
      std::unique_ptr<Backend> backend,
      CpuBackend::Create(graph, state.programs(), options, state.max_sets(), recorder));
  return std::make_unique<Engine>(graph, state, std::move(backend));
}

#if defined(EDGEMILL_WITH_CUDA)

Status CheckGpuCode(std::string_view file) {
  if (HasKernels(file)) return OkStatus();
  return GpuError(StrCat(file, ".cc was not compiled for GPUs"));
}

StatusOr<std::unique_ptr<Engine>> MakeGpuEngine(LoadedGraph& graph, State& state,
                                                const PassOptions& options, const GpuSetup& setup,
                                                Recorder& recorder) {
  // Sets of passes come to the host one at a time.
  ASSIGN_OR_RETURN(
      std::unique_ptr<Backend> host,
      CpuBackend::Create(graph, {}, options, state.max_sets() + kDeviceSets, recorder));
  std::unique_ptr<HybridRun> shared;
  if (setup.dispatcher != nullptr) {
    ASSIGN_OR_RETURN(shared, HybridRun::Create(graph, *setup.dispatcher));
    if (setup.helpers.empty()) {
      RETURN_IF_ERROR(shared->AddHostTeam(graph, state.programs(), options));
    }
  }
  const GpuSetting setting{setup.gpu,  setup.needs,   options.mode,
                           setup.file, setup.helpers, setup.seed};
  ASSIGN_OR_RETURN(std::unique_ptr<Backend> backend,
                   GpuBackend::Create(setting, graph, state, std::move(host), recorder));
  if (shared != nullptr) {
    backend = std::make_unique<HybridBackend>(std::move(backend), std::move(shared), recorder);
  }
  return std::make_unique<Engine>(graph, state, std::move(backend));
}

#else

Status CheckGpuCode(std::string_view) { return GpuError("this build has no code for GPUs"); }

StatusOr<std::unique_ptr<Engine>> MakeGpuEngine(LoadedGraph&, State&, const PassOptions&,
                                                const GpuSetup&, Recorder&) {
  return GpuError("this build has no code for GPUs");
}

#endif

}  // namespace edgemill
