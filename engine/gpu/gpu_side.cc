#include "engine/gpu/gpu_side.h"

#include <optional>

#include "common/check.h"

namespace edgemill {

Status GpuSide::Start(const GpuRun& run, LoadedGraph& graph, const DeviceNeeds& needs,
                      Recorder& recorder, const StatePlace& place) {
  place.copies.Plan(&arena, place.id);
  ASSIGN_OR_RETURN(workspace, GpuWorkspace::Create(run, graph, needs, arena, recorder));
  ASSIGN_OR_RETURN(home, DeviceHome::Create(run.gpu, workspace->main(),
                                            DeviceHome::StagingBytes(graph.num_vertices() * 8),
                                            graph.threads()));
  indexes = workspace->directions().IndexCopies();
  memory = {.id = place.id, .indexes = indexes};
  return OkStatus();
}

Status GpuHelper::Start(const GpuRun& run, LoadedGraph& graph, const DeviceNeeds& needs,
                        const StatePlace& place) {
  CHECK(run.lists.has_value());
  lists_ = *run.lists;
  const GpuScope scope(run.gpu);
  return side_.Start(run, graph, needs, recorder_, place);
}

GpuHelper::~GpuHelper() {
  std::optional<GpuScope> scope;  // what follows is freed on its GPU
  if (side_.workspace != nullptr) scope.emplace(side_.gpu());
  side_.home.reset();
  side_.workspace.reset();
  side_.arena = DeviceArena();
}

StatusOr<TransferAccounts> GpuHelper::DrainAccounts(Timeline* timeline) {
  return side_.workspace->pass_runner().DrainAccounts(timeline);
}

}  // namespace edgemill
