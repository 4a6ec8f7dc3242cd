#include "engine/gpu/device_direction.h"

#include <algorithm>
#include <bit>

namespace edgemill {

Status DeviceDirection::Plan(const LoadedGraph& graph, Direction direction, bool with_groups,
                             DeviceArena* arena) {
  host_index_ = graph.index(direction);
  edges_.index = host_index_;
  edges_.num_edges = graph.num_edges();
  edges_.block_shift = static_cast<uint32_t>(std::countr_zero(graph.info().block_edges));
  edges_.run_shift = std::min(kMaxRunShift, edges_.block_shift - kGroupShift);
  const uint64_t num_runs = edges_.num_runs();
  if (num_runs >= uint64_t{1} << 32) {
    return UsageError(StrCat(graph.store().path(), ": ", graph.num_edges(), " edges in blocks of ",
                             graph.info().block_edges,
                             " are too many for a GPU: ingest with larger --block-edges"));
  }
  arena->Plan(&low_, uint64_t{host_index_.num_vertices} + 1);
  arena->Plan(&crossings_, host_index_.num_crossings);
  arena->Plan(&run_owners_, num_runs + 1);
  arena->Plan(&blocks_, edges_.num_blocks());
  arena->Plan(&block_counts_, edges_.num_blocks());
  if (with_groups) {
    arena->Plan(&groups_, (edges_.num_groups() + 31) / 32);
    arena->Plan(&runs_, num_runs);
  }
  arena->Plan(&num_runs_, 1);
  planned_ = true;
  return OkStatus();
}

Status DeviceDirection::Upload(Gpu& gpu, GpuStream& stream) {
  edges_.index.low = low_;
  edges_.index.crossings = crossings_;
  edges_.run_owner = run_owners_;
  edges_.blocks = blocks_;
  RETURN_IF_ERROR(stream.CopyToDevice(low_, host_index_.low,
                                      (uint64_t{host_index_.num_vertices} + 1) * sizeof(*low_)));
  if (host_index_.num_crossings > 0) {
    RETURN_IF_ERROR(stream.CopyToDevice(crossings_, host_index_.crossings,
                                        host_index_.num_crossings * sizeof(*crossings_)));
  }
  if (edges_.num_edges == 0) return OkStatus();
  RETURN_IF_ERROR(stream.Fill(blocks_, 0, edges_.num_blocks() * sizeof(*blocks_)));
  LaunchRunOwners(edges_, run_owners_, stream.handle());
  return gpu.AfterLaunch("run owners");
}

}  // namespace edgemill
