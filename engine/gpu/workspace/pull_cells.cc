#include "engine/gpu/workspace/pull_cells.h"

#include "common/strings.h"
#include "common/units.h"
#include "engine/gpu/workspace/device_cells.h"
#include "engine/gpu/workspace/gpu_workspace.h"
#include "engine/plan/vertex_shares.h"

namespace edgemill {

PullCells::PullCells(GpuWorkspace& workspace) : workspace_(workspace) {}
PullCells::~PullCells() = default;

Status PullCells::Check(Direction lists, const VertexRange& owners) const {
  const Gpu& gpu = workspace_.gpu();
  const LoadedGraph& graph = workspace_.graph();
  if (gpu.properties().shared_bytes < kCombineSharedBytes) {
    return UsageError(StrCat("--kernel dense: a thread block of ", gpu.properties().name, " has ",
                             FormatBytes(gpu.properties().shared_bytes),
                             " of shared memory, and messages of a sender range take ",
                             FormatBytes(kCombineSharedBytes), ": leave it out"));
  }
  const CellShape shape(graph.num_vertices(), EdgesOfLists(graph, lists, owners));
  if (!shape.fits()) {
    return UsageError(StrCat("--kernel dense: ", graph.store().path(), " has ", graph.num_edges(),
                             " edges, and cells take at most 2^32: leave it out"));
  }
  const uint64_t needed = DeviceCells::MostBytes(shape), used = gpu.used_bytes();
  if (used + needed > gpu.memory_bytes()) {
    return BudgetError(StrCat("--kernel dense: cells of ", graph.store().path(), " take ",
                              FormatBytes(needed), " of GPU memory while they are made, beside ",
                              FormatBytes(used), " of the run, and there are ",
                              FormatBytes(gpu.memory_bytes()),
                              ": give a larger --gpu-memory, or leave the option out"));
  }
  return OkStatus();
}

Status PullCells::Forecast(Direction lists) {
  ASSIGN_OR_RETURN(const LengthCounts lengths, CountLengths(workspace_, lists));
  policy_.SetForecast(
      ForecastCells(lengths, {workspace_.graph().info().renumbering == Renumbering::kDegree,
                              workspace_.gpu().properties().cache_bytes}));
  return OkStatus();
}

std::optional<uint64_t> PullCells::IterationsLeft() const {
  const Progress& progress = workspace_.graph().progress();
  const uint64_t most = progress.max_iterations(), at = progress.iteration();
  if (most == 0) return std::nullopt;
  return most >= at ? most - at + 1 : 0;
}

bool PullCells::MayMake(Direction lists, const VertexRange& owners) const {
  if (Has(lists, owners) || EdgesOfLists(workspace_.graph(), lists, owners) == 0) return false;
  const PullKernel kernel = workspace_.run().options.kernel;
  if (kernel != PullKernel::kAuto) return kernel == PullKernel::kDense;
  // The first cells stay: others in their place would have to be made again and again.
  return cells_ == nullptr && refused_ != owners &&
         workspace_.graph().num_edges() >= CellPolicy::kLeastEdges;
}

bool PullCells::Makes(Direction lists, const VertexRange& owners) const {
  if (!MayMake(lists, owners)) return false;
  if (workspace_.run().options.kernel == PullKernel::kDense) return true;
  return !policy_.has_forecast() || policy_.ShouldMake(IterationsLeft());
}

StatusOr<const DeviceCells*> PullCells::Choose(Direction lists, const VertexRange& owners) {
  if (Has(lists, owners)) return static_cast<const DeviceCells*>(cells_.get());
  const DeviceCells* const none = nullptr;
  if (!MayMake(lists, owners)) return none;
  const PullKernel kernel = workspace_.run().options.kernel;
  if (kernel == PullKernel::kAuto && !policy_.has_forecast()) RETURN_IF_ERROR(Forecast(lists));
  if (!Makes(lists, owners)) {
    policy_.AddPull();
    return none;
  }
  cells_.reset();
  const Status fits = Check(lists, owners);
  if (!fits.ok() && kernel == PullKernel::kDense) return fits;
  if (!fits.ok()) {
    refused_ = owners;
    return none;
  }
  ASSIGN_OR_RETURN(cells_, DeviceCells::Create(workspace_, lists, owners));
  lists_ = lists;
  owners_ = owners;
  return static_cast<const DeviceCells*>(cells_.get());
}

}  // namespace edgemill
