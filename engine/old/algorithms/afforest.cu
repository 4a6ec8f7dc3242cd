#include <unordered_map>

#include "common/cancel.h"
#include "common/random.h"
#include "engine/old/algorithms/afforest_gpu.h"
#include "engine/program/union_find.h"
#include "engine/old/gpu/gpu_iteration.h"
#include "engine/old/gpu/program_kernels.cuh"

namespace edgemill {
namespace {

__global__ void SinglesKernel(VertexId* parent, uint64_t num_vertices) {
  for (uint64_t i = ThreadNumber(); i < num_vertices; i += NumThreads()) {
    parent[i] = static_cast<VertexId>(i);
  }
}

__global__ void CompressKernel(VertexId* parent, uint64_t num_vertices) {
  for (uint64_t i = ThreadNumber(); i < num_vertices; i += NumThreads()) {
    PointAtRoot(parent, static_cast<VertexId>(i));
  }
}

/// Replaces each of `vertices`, in pinned memory of the host, by its parent.
__global__ void SampleKernel(const VertexId* parent, VertexId* vertices, uint32_t size) {
  for (uint64_t i = ThreadNumber(); i < size; i += NumThreads()) {
    vertices[i] = parent[vertices[i]];
  }
}

/// Marks the vertices outside `giant` with more than `skip` edges.
__global__ void OutsideKernel(VertexIndexView index, const VertexId* parent, VertexId giant,
                              uint32_t skip, uint32_t* outside) {
  const uint64_t rounded = (uint64_t{index.num_vertices} + 31) / 32 * 32;
  for (uint64_t i = ThreadNumber(); i < rounded; i += NumThreads()) {
    const VertexId vertex = static_cast<VertexId>(i);
    const bool is_outside =
        i < index.num_vertices && parent[i] != giant && index.degree(vertex) > skip;
    const uint32_t bits = __ballot_sync(kAllLanes, is_outside);
    if (i % 32 == 0) outside[i / 32] = bits;
  }
}

/// Links each owner with the first neighbours of its list.
struct LinkFirstVisitor {
  VertexId* parent;
  VertexIndexView index;

  __device__ void BeginRun(const WarpPlace&) {}
  __device__ void Group(const WarpPlace& place, const LaneEdges<NoWeight>& edges, uint32_t*) {
    static_assert(kSampledNeighbors == 2);
    uint32_t after_head = edges.heads << 1;
    const uint32_t below = __shfl_up_sync(kAllLanes, edges.heads, 1);
    if (place.lane > 0) {
      after_head |= below >> (kLaneEdges - 1) & 1;
    } else if (place.first > 0 && index.first_edge(edges.owner[0]) == place.first - 1) {
      after_head |= 1;
    }
    const uint32_t wanted = (edges.heads | after_head) & edges.valid;
#pragma unroll
    for (uint32_t i = 0; i < kLaneEdges; ++i) {
      if ((wanted >> i & 1) != 0) LinkTrees(parent, edges.owner[i], edges.target[i]);
    }
  }
  __device__ void EndRun(const WarpPlace&) {}
  __device__ void Finish() {}
};

/// Links the lists of marked owners.
struct LinkVisitor {
  VertexId* parent;
  const uint32_t* marked;  // null: all

  __device__ void BeginRun(const WarpPlace&) {}
  __device__ void Group(const WarpPlace&, const LaneEdges<NoWeight>& edges, uint32_t*) {
#pragma unroll
    for (uint32_t i = 0; i < kLaneEdges; ++i) {
      if ((edges.valid >> i & 1) == 0) continue;
      if (marked != nullptr && !IsMember(marked, edges.owner[i])) continue;
      LinkTrees(parent, edges.owner[i], edges.target[i]);
    }
  }
  __device__ void EndRun(const WarpPlace&) {}
  __device__ void Finish() {}
};

class GpuAfforest {
 public:
  GpuAfforest(const RunEnvironment& environment)
      : graph_(environment.graph),
        recorder_(environment.recorder),
        iteration_(*environment.gpu, environment.graph, environment.recorder) {}

  Status Run(std::span<VertexId> component) {
    const bool directed = graph_.info().directed;
    const bool only_in = !graph_.can_sweep(Direction::kOut);
    const Direction first = only_in ? Direction::kIn : Direction::kOut;
    const bool can_skip = !directed || (!only_in && graph_.can_sweep(Direction::kIn));
    RETURN_IF_ERROR(Prepare(component));
    if (!can_skip) {
      RETURN_IF_ERROR(LinkLists(first, nullptr));
    } else {
      RETURN_IF_ERROR(LinkFirst(first));
      RETURN_IF_ERROR(Compress());
      ASSIGN_OR_RETURN(VertexId giant, SampleGiant());
      RETURN_IF_ERROR(LinkOutside(first, kSampledNeighbors, giant));
      if (directed) {
        // An edge whose source is in the giant is looked at in its target's list. The giant may
        // hang below a lesser root by now.
        RETURN_IF_ERROR(Compress());
        ASSIGN_OR_RETURN(giant, RootOf(giant));
        RETURN_IF_ERROR(LinkOutside(Direction::kIn, 0, giant));
      }
    }
    RETURN_IF_ERROR(Compress());
    return iteration_.ReadBack(component.data(), parent_, component.size_bytes());
  }

 private:
  CUstream_st* stream() { return iteration_.main().handle(); }
  Gpu& gpu() { return iteration_.gpu(); }

  Status Prepare(std::span<VertexId> component) {
    iteration_.arena().Plan(&parent_, graph_.num_vertices());
    RETURN_IF_ERROR(
        iteration_.Plan(AfforestNeeds(ModeRules(graph_, Mode::kAuto, {}), graph_.info().directed)));
    ASSIGN_OR_RETURN(sample_,
                     PinnedBuffer::Allocate(gpu(), kSampledVertices * sizeof(VertexId), 1));
    RETURN_IF_ERROR(iteration_.Pin(component.data(), component.size_bytes()));
    RETURN_IF_ERROR(iteration_.Start());
    SinglesKernel<<<iteration_.VertexGrid(), kProgramThreads, 0, stream()>>>(parent_,
                                                                             graph_.num_vertices());
    return gpu().AfterLaunch("singles");
  }

  Status Compress() {
    CompressKernel<<<iteration_.VertexGrid(), kProgramThreads, 0, stream()>>>(
        parent_, graph_.num_vertices());
    return gpu().AfterLaunch("compress");
  }

  /// Ends a sweep's account; finds out about damaged blocks.
  Status EndSweep() {
    DeviceCounters counters;
    RETURN_IF_ERROR(iteration_.ReadCounters(&counters));
    RETURN_IF_ERROR(iteration_.Report());
    recorder_.Finish();
    return OkStatus();
  }

  Status LinkFirst(Direction direction) {
    RETURN_IF_ERROR(CheckCancelled());
    recorder_.Start(Mode::kPush, graph_.num_vertices(), graph_.num_edges());
    const DeviceEdges& edges = iteration_.direction(direction).edges();
    RETURN_IF_ERROR(iteration_.SweepLists(
        direction, EdgeKernel::kLink, nullptr, {.first_edges = kSampledNeighbors},
        [&](const RunSource& source, uint64_t num_runs, GpuStream& stream, uint32_t) {
          VisitRunsKernel<NoWeight>
              <<<iteration_.RunGrid(num_runs), kVisitThreads, 0, stream.handle()>>>(
                  edges, source, LinkFirstVisitor{parent_, edges.index},
                  iteration_.damaged(direction));
          return gpu().AfterLaunch("link first neighbours");
        }));
    return EndSweep();
  }

  /// Links the lists, of more than `skip` neighbours, of vertices whose root is not `giant`.
  Status LinkOutside(Direction direction, uint32_t skip, VertexId giant) {
    RETURN_IF_ERROR(CheckCancelled());
    uint64_t* const outside = iteration_.current();
    OutsideKernel<<<iteration_.VertexGrid(), kProgramThreads, 0, stream()>>>(
        iteration_.direction(direction).edges().index, parent_, giant, skip,
        reinterpret_cast<uint32_t*>(outside));
    RETURN_IF_ERROR(gpu().AfterLaunch("find who is outside"));
    RETURN_IF_ERROR(iteration_.CountActive());
    return LinkLists(direction, outside);
  }

  Status LinkLists(Direction direction, const uint64_t* marked) {
    recorder_.Start(Mode::kPush,
                    marked == nullptr ? graph_.num_vertices() : iteration_.num_active(),
                    marked == nullptr ? graph_.num_edges() : iteration_.active_edges());
    const DeviceEdges& edges = iteration_.direction(direction).edges();
    RETURN_IF_ERROR(iteration_.SweepLists(
        direction, EdgeKernel::kLink, marked, {},
        [&](const RunSource& source, uint64_t num_runs, GpuStream& stream, uint32_t) {
          VisitRunsKernel<NoWeight>
              <<<iteration_.RunGrid(num_runs), kVisitThreads, 0, stream.handle()>>>(
                  edges, source, LinkVisitor{parent_, reinterpret_cast<const uint32_t*>(marked)},
                  iteration_.damaged(direction));
          return gpu().AfterLaunch("link lists");
        }));
    return EndSweep();
  }

  /// The root most often met among sampled vertices.
  StatusOr<VertexId> SampleGiant() {
    VertexId* const sample = this->sample();
    Random random(graph_.num_vertices());
    for (uint32_t i = 0; i < kSampledVertices; ++i) {
      sample[i] = static_cast<VertexId>(random.Below(graph_.num_vertices()));
    }
    RETURN_IF_ERROR(FindRoots(kSampledVertices));
    std::unordered_map<VertexId, uint32_t> counts;
    VertexId giant = 0;
    for (uint32_t i = 0; i < kSampledVertices; ++i) {
      if (++counts[sample[i]] > counts[giant]) giant = sample[i];
    }
    return giant;
  }
  StatusOr<VertexId> RootOf(VertexId vertex) {
    sample()[0] = vertex;
    RETURN_IF_ERROR(FindRoots(1));
    return sample()[0];
  }
  /// Replaces the first `size` vertices of the sample by their roots; waits.
  Status FindRoots(uint32_t size) {
    SampleKernel<<<1, kProgramThreads, 0, stream()>>>(parent_, sample(), size);
    RETURN_IF_ERROR(gpu().AfterLaunch("sample"));
    return iteration_.main().Synchronize();
  }
  VertexId* sample() { return reinterpret_cast<VertexId*>(sample_.data()); }

  LoadedGraph& graph_;
  Recorder& recorder_;
  GpuIteration iteration_;
  PinnedBuffer sample_;
  VertexId* parent_ = nullptr;
};

}  // namespace

Status AfforestOnGpu(const RunEnvironment& environment, std::span<VertexId> component) {
  return GpuAfforest(environment).Run(component);
}

}  // namespace edgemill
