// Launches and registers the kernels of programs and functions.
#pragma once

#include "common/type_name.h"
#include "engine/gpu/program/cell_kernels.cuh"
#include "engine/gpu/program/fixpoint_kernel.cuh"
#include "engine/gpu/program/function_kernels.cuh"
#include "engine/gpu/program/lane_visitor.cuh"
#include "engine/gpu/program/program_launchers.h"
#include "engine/gpu/program/push_visitor.cuh"
#include "engine/gpu/program/repeated_push.cuh"
#include "engine/gpu/program/search_kernels.cuh"
#include "engine/program/functions/vertex_function.h"
#include "kernels/gpu/launch_together.cuh"
#include "kernels/gpu/visit_sub_csrs.cuh"

namespace edgemill {

/// Visits the tiles of `visited` for a pass of P.
template <typename P, typename Visitor>
void VisitTiles(const VisitedEdges& visited, const Visitor& visitor, const PassArgs& pass,
                const LaunchOn& on) {
  VisitTilesKernel<WeightAsked<P>><<<on.grids.tiles, kVisitThreads, 0, on.stream>>>(
      visited.edges, visited.source, visitor, pass.damaged);
}

/// The steps of a pull by cells.
template <typename P>
struct CellLaunches {
  static const P& Of(const void* program) { return *static_cast<const P*>(program); }
  static void Emit(const void* program, const PassArgs& pass, const EdgeCells& cells,
                   void* messages, const LaunchOn& on) {
    EmitToCellsKernel<P><<<on.grids.vertices, kProgramThreads, 0, on.stream>>>(
        Of(program), pass, cells, static_cast<PartialOf<P>*>(messages));
  }
  static void Combine(const EdgeCells& cells, const void* messages, void* partials,
                      const LaunchOn& on) {
    constexpr auto kKernel = CombineCellsKernel<typename P::Monoid>;
    (void)cudaFuncSetAttribute(kKernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               kCombineSharedBytes);
    kKernel<<<on.grids.tiles, kCellThreads, kCombineSharedBytes, on.stream>>>(
        cells, static_cast<const PartialOf<P>*>(messages), static_cast<PartialOf<P>*>(partials));
  }
  static void Take(const void* program, const PassArgs& pass, const EdgeCells& cells,
                   const void* partials, const LaunchOn& on) {
    TakeFromCellsKernel<P><<<on.grids.tiles, kCellThreads, 0, on.stream>>>(
        Of(program), pass, cells, static_cast<const PartialOf<P>*>(partials));
  }
};

template <typename P>
struct EdgeProgramLaunches {
  static const P& Of(const void* program) { return *static_cast<const P*>(program); }
  static void Consume(const void* program, const PassArgs& pass, const LaunchOn& on) {
    ConsumeKernel<P><<<on.grids.vertices, kProgramThreads, 0, on.stream>>>(Of(program), pass);
  }
  static void Closed(const void* program, const PassArgs& pass, const LaunchOn& on) {
    ClosedKernel<P><<<on.grids.vertices, kProgramThreads, 0, on.stream>>>(Of(program), pass);
  }
  static void Receivers(const void* program, const PassArgs& pass, const uint32_t* among,
                        uint32_t* receivers, const LaunchOn& on) {
    ReceiversKernel<P>
        <<<on.grids.vertices, kProgramThreads, 0, on.stream>>>(Of(program), pass, among, receivers);
  }
  static void Push(const void* program, const PassArgs& pass, const VisitedEdges& visited,
                   const LaunchOn& on) {
    const auto visitor = [&] {
      if constexpr (kHasLanes<P>) {
        return LaneVisitor<P, /*kPulls=*/false>{Of(program), pass};
      } else {
        return PushVisitor<P>{Of(program), pass};
      }
    }();
    const TileSelection& source = visited.source;
    if (source.sub_csrs != nullptr) {
      VisitSubCsrsKernel<WeightAsked<P>><<<on.grids.tiles, kVisitThreads, 0, on.stream>>>(
          source.sub_csrs, source.num_sub_csrs, visited.edges.weights, visitor);
    } else {
      VisitTiles<P>(visited, visitor, pass, on);
    }
  }
  static void Pull(const void* program, const PassArgs& pass, const VisitedEdges& visited,
                   const LaunchOn& on) {
    if constexpr (kHasLanes<P>) {
      VisitTiles<P>(visited, LaneVisitor<P, /*kPulls=*/true>{Of(program), pass}, pass, on);
    } else {
      VisitTiles<P>(visited, PullVisitor<P>{Of(program), pass, visited.edges.index}, pass, on);
    }
  }
  static void ClearPartials(const PassArgs& pass, const DeviceEdges& edges, const LaunchOn& on) {
    ClearPartialsKernel<P>
        <<<on.grids.vertices, kProgramThreads, 0, on.stream>>>(pass, edges.num_tiles());
  }
  static void Fold(const void* program, const PassArgs& pass, const DeviceEdges& edges,
                   const LaunchOn& on) {
    FoldKernel<P><<<on.grids.vertices, kProgramThreads, 0, on.stream>>>(Of(program), pass, edges);
  }
  static void ClearSums(const PassArgs& pass, const LaunchOn& on) {
    ClearSumsKernel<P><<<on.grids.vertices, kProgramThreads, 0, on.stream>>>(pass);
  }
  static void TakeSums(const void* program, const PassArgs& pass, const LaunchOn& on) {
    TakeSumsKernel<P><<<on.grids.vertices, kProgramThreads, 0, on.stream>>>(Of(program), pass);
  }
  static void Receive(const void* program, const PassArgs& pass, const ReceivedMessages& received,
                      const LaunchOn& on) {
    ReceiveKernel<P><<<on.grids.vertices, kProgramThreads, 0, on.stream>>>(
        Of(program), pass, received.vertices, static_cast<const SumOfProgram<P>*>(received.sums),
        received.count);
  }
  static void ApplyRest(const void* program, const PassArgs& pass, const VertexIndexView& lists,
                        const LaunchOn& on) {
    ApplyRestKernel<P>
        <<<on.grids.vertices, kProgramThreads, 0, on.stream>>>(Of(program), pass, lists);
  }
  static void Split(const void* program, const BucketSets& sets, double bound, const LaunchOn& on) {
    SplitKernel<P><<<on.grids.vertices, kProgramThreads, 0, on.stream>>>(
        Of(program), sets.num_vertices, bound, sets.from, sets.due, sets.waiting);
  }
  static void Least(const void* program, const BucketSets& sets, double bound,
                    unsigned long long* least, const LaunchOn& on) {
    LeastKernel<P><<<on.grids.vertices, kProgramThreads, 0, on.stream>>>(
        Of(program), sets.num_vertices, bound, sets.waiting, least);
  }
  static void ActivateWaiting(const void* program, const BucketSets& sets, double before,
                              double bound, const LaunchOn& on) {
    ActivateWaitingKernel<P><<<on.grids.vertices, kProgramThreads, 0, on.stream>>>(
        Of(program), sets.num_vertices, before, bound, sets.waiting, sets.due);
  }
  static void ExtractActive(const void* program, const PassArgs& pass, const VisitedEdges& visited,
                            const Repeat& repeat, const LaunchOn& on) {
    ExtractActiveKernel<P><<<on.grids.vertices, kProgramThreads, 0, on.stream>>>(
        Of(program), pass, visited.edges, visited.source.places, visited.source.num_blocks, repeat);
  }
  static void Fixpoint(const void* program, const PassArgs& pass, const ReachedEdges& reached,
                       const FixpointLaunch& fixpoint, const LaunchOn& on) {
    LaunchTogether(FixpointKernel<P>, on.grids.tiles, kFixpointThreads, 0, on.stream, Of(program),
                   pass, reached, fixpoint, fixpoint.bucket);
  }
  static void Open(const void* program, const PassArgs& pass, const SearchLaunch& search,
                   bool knows_closed, const LaunchOn& on) {
    OpenKernel<P><<<on.grids.vertices, kProgramThreads, 0, on.stream>>>(Of(program), pass, search,
                                                                        knows_closed);
  }
  static void TakeFound(const void* program, const PassArgs& pass, const ReachedEdges& reached,
                        const SearchLaunch& search, const LaunchOn& on) {
    TakeFoundKernel<P>
        <<<on.grids.vertices, kProgramThreads, 0, on.stream>>>(Of(program), pass, reached, search);
  }

  static constexpr EdgeProgramLaunchers Kernels() {
    EdgeProgramLaunchers kernels = {};
    if constexpr (kConsumes<P>) kernels.consume = Consume;
    if constexpr (HasCond<P>) {
      kernels.closed = Closed;
      kernels.receivers = Receivers;
    }
    if constexpr (kCanPush<P>) kernels.push = Push;
    kernels.pull = Pull;
    if constexpr (kCollects<P>) {
      kernels.fold = Fold;
      if constexpr (!kAppliesToAllOf<P>) kernels.clear_partials = ClearPartials;
      kernels.take_sums = TakeSums;
    }
    if constexpr (kCollects<P> || kMayLog<P>) kernels.clear_sums = ClearSums;
    if constexpr (kMayShare<P>) kernels.receive = Receive;
    if constexpr (kMayLog<P>) {
      kernels.receive_sums = [](const void* program, const PassArgs& pass, const uint32_t* received,
                                const void* sums, const LaunchOn& on) {
        ReceiveSumsKernel<P><<<on.grids.vertices, kProgramThreads, 0, on.stream>>>(
            Of(program), pass, received, static_cast<const SumOfProgram<P>*>(sums));
      };
    }
    if constexpr (kAppliesToAllOf<P>) kernels.apply_rest = ApplyRest;
    if constexpr (kMayUseCells<P>) {
      kernels.emit_to_cells = CellLaunches<P>::Emit;
      kernels.combine_cells = CellLaunches<P>::Combine;
      kernels.take_from_cells = CellLaunches<P>::Take;
    }
    if constexpr (HasPriority<P>) {
      kernels.split = Split;
      kernels.least = Least;
      kernels.activate_waiting = ActivateWaiting;
    }
    if constexpr (kMayRunAsynchronously<P>) {
      kernels.extract_active = ExtractActive;
      if constexpr (HasPending<P>) {
        kernels.sum_pending = [](const void* program, const PassArgs& pass,
                                 const DeviceEdges& edges, float* sums, const LaunchOn& on) {
          SumPendingKernel<P><<<on.grids.vertices, kProgramThreads, 0, on.stream>>>(
              Of(program), pass, edges, sums);
        };
      }
    }
    if constexpr (kMayRunInOneLaunch<P>) {
      kernels.may_run_in_one_launch = true;
      kernels.fixpoint = Fixpoint;
    }
    if constexpr (kCanSearch<P>) {
      kernels.most_found_passes = 1;
      if constexpr (kAppliesLate<P>) {
        kernels.most_found_passes = kSearchSets;
        kernels.asks_for_sender = [](const void* program) {
          return Tuning<P>::AsksForSender(Of(program));
        };
      }
      kernels.open = Open;
      kernels.take_found = TakeFound;
    }
    return kernels;
  }
};

template <typename F>
struct FunctionLaunches {
  static const F& Of(const void* function) { return *static_cast<const F*>(function); }

  static void Map(const void* function, const FunctionLaunch& launch, const LaunchOn& on) {
    MapKernel<F><<<on.grids.vertices, kProgramThreads, 0, on.stream>>>(
        Of(function), launch.members, launch.num_vertices, launch.tallies);
  }
  static void Filter(const void* function, const FunctionLaunch& launch, uint32_t* selected,
                     const LaunchOn& on) {
    FilterKernel<F><<<on.grids.vertices, kProgramThreads, 0, on.stream>>>(
        Of(function), launch.members, launch.num_vertices, selected, launch.tallies);
  }
  template <typename M>
  static void Reduce(const void* function, const FunctionLaunch& launch, void* sums,
                     const LaunchOn& on) {
    ReduceKernel<M, F><<<NumReduceChunks(launch.num_vertices), kProgramThreads, 0, on.stream>>>(
        Of(function), launch.members, launch.num_vertices, static_cast<typename M::Value*>(sums),
        launch.tallies);
  }
  static void Visit(const void* function, const FunctionLaunch& launch, const Slice& slice,
                    const VisitedEdges& visited, const LaunchOn& on) {
    VisitTilesKernel<WeightOfEdges<F>><<<on.grids.tiles, kVisitThreads, 0, on.stream>>>(
        visited.edges, visited.source,
        FunctionVisitor<F>{Of(function), launch.members, slice, visited.edges.index,
                           launch.tallies},
        launch.damaged);
  }
  static void VisitSampled(const void* function, const FunctionLaunch& launch,
                           const VertexIndexView& index, const VertexId* neighbors,
                           const LaunchOn& on) {
    VisitSampledKernel<F><<<on.grids.vertices, kProgramThreads, 0, on.stream>>>(
        Of(function), index, neighbors, launch.tallies);
  }
};

// A file that is compiled for GPUs has one registration for each program and use. The registry
// finds kernels by the file's name. Registrations are static because two files may share a program.

template <typename P>
static const KernelRegistration kEdgeProgramRegistration{EDGEMILL_GPU_FILE, FullTypeName<P>(),
                                                         EdgeProgramLaunches<P>::Kernels()};
template <typename F>
static const KernelRegistration kMapRegistration{
    EDGEMILL_GPU_FILE, FullTypeName<F>(), FunctionUse::kMap, {.map = FunctionLaunches<F>::Map}};
template <typename F>
static const KernelRegistration kFilterRegistration{EDGEMILL_GPU_FILE,
                                                    FullTypeName<F>(),
                                                    FunctionUse::kFilter,
                                                    {.filter = FunctionLaunches<F>::Filter}};
template <typename M, typename F>
static const KernelRegistration kReduceRegistration{
    EDGEMILL_GPU_FILE,
    FullTypeName<ReduceOf<M, F>>(),
    FunctionUse::kReduce,
    {.reduce = FunctionLaunches<F>::template Reduce<M>}};
template <typename F>
static const KernelRegistration kVisitRegistration{EDGEMILL_GPU_FILE,
                                                   FullTypeName<F>(),
                                                   FunctionUse::kVisit,
                                                   {.visit = FunctionLaunches<F>::Visit}};
template <typename F>
static const KernelRegistration kVisitSampledRegistration{
    EDGEMILL_GPU_FILE,
    FullTypeName<F>(),
    FunctionUse::kVisitSampled,
    {.visit = FunctionLaunches<F>::Visit, .visit_sampled = FunctionLaunches<F>::VisitSampled}};

}  // namespace edgemill
