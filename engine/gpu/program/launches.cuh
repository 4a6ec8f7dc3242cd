// The launches of programs' and functions' kernels, and their registration.
#pragma once

#include "common/type_name.h"
#include "engine/gpu/program/fixpoint_kernel.cuh"
#include "engine/gpu/program/function_kernels.cuh"
#include "engine/gpu/program/program_kernels.h"
#include "engine/gpu/program/push_visitor.cuh"
#include "engine/gpu/program/repeated_push.cuh"
#include "engine/gpu/program/search_kernels.cuh"
#include "engine/program/vertex_function.h"
#include "kernels/launch_together.cuh"

namespace edgemill {

template <typename P>
struct EdgeProgramLaunches {
  using Stream = CUstream_st*;

  static const P& Of(const void* program) { return *static_cast<const P*>(program); }

  static void Consume(const void* program, const PassLaunch& pass, const LaunchGrids& grids,
                      Stream stream) {
    ConsumeKernel<P><<<grids.vertices, kProgramThreads, 0, stream>>>(Of(program), pass);
  }
  static void Closed(const void* program, const PassLaunch& pass, const LaunchGrids& grids,
                     Stream stream) {
    ClosedKernel<P><<<grids.vertices, kProgramThreads, 0, stream>>>(Of(program), pass);
  }
  static void Receivers(const void* program, const PassLaunch& pass, const uint32_t* among,
                        uint32_t* receivers, const LaunchGrids& grids, Stream stream) {
    ReceiversKernel<P>
        <<<grids.vertices, kProgramThreads, 0, stream>>>(Of(program), pass, among, receivers);
  }
  static void Push(const void* program, const PassLaunch& pass, const DeviceEdges& edges,
                   const RunSource& source, const LaunchGrids& grids, Stream stream) {
    VisitRunsKernel<WeightAsked<P>><<<grids.runs, kVisitThreads, 0, stream>>>(
        edges, source, PushVisitor<P>{Of(program), pass}, pass.damaged);
  }
  static void Pull(const void* program, const PassLaunch& pass, const DeviceEdges& edges,
                   const RunSource& source, const LaunchGrids& grids, Stream stream) {
    VisitRunsKernel<WeightAsked<P>><<<grids.runs, kVisitThreads, 0, stream>>>(
        edges, source, PullVisitor<P>{Of(program), pass, edges.index}, pass.damaged);
  }
  static void ClearPartials(const PassLaunch& pass, const DeviceEdges& edges,
                            const LaunchGrids& grids, Stream stream) {
    ClearPartialsKernel<P><<<grids.vertices, kProgramThreads, 0, stream>>>(pass, edges.num_runs());
  }
  static void Fold(const void* program, const PassLaunch& pass, const DeviceEdges& edges,
                   const LaunchGrids& grids, Stream stream) {
    FoldKernel<P><<<grids.vertices, kProgramThreads, 0, stream>>>(Of(program), pass, edges);
  }
  static void ClearSums(const PassLaunch& pass, const LaunchGrids& grids, Stream stream) {
    ClearSumsKernel<P><<<grids.vertices, kProgramThreads, 0, stream>>>(pass);
  }
  static void TakeSums(const void* program, const PassLaunch& pass, const LaunchGrids& grids,
                       Stream stream) {
    TakeSumsKernel<P><<<grids.vertices, kProgramThreads, 0, stream>>>(Of(program), pass);
  }
  static void Receive(const void* program, const PassLaunch& pass, const VertexId* vertices,
                      const void* received, uint32_t count, const LaunchGrids& grids,
                      Stream stream) {
    ReceiveKernel<P><<<grids.vertices, kProgramThreads, 0, stream>>>(
        Of(program), pass, vertices, static_cast<const SumOfProgram<P>*>(received), count);
  }
  static void TakeRest(const void* program, const PassLaunch& pass, const VertexIndexView& lists,
                       const LaunchGrids& grids, Stream stream) {
    TakeRestKernel<P><<<grids.vertices, kProgramThreads, 0, stream>>>(Of(program), pass, lists);
  }
  static void Split(const void* program, uint64_t num_vertices, double bound, const uint32_t* from,
                    uint32_t* due, uint32_t* waiting, const LaunchGrids& grids, Stream stream) {
    SplitKernel<P><<<grids.vertices, kProgramThreads, 0, stream>>>(Of(program), num_vertices, bound,
                                                                   from, due, waiting);
  }
  static void Least(const void* program, uint64_t num_vertices, double bound,
                    const uint32_t* waiting, unsigned long long* least, const LaunchGrids& grids,
                    Stream stream) {
    LeastKernel<P><<<grids.vertices, kProgramThreads, 0, stream>>>(Of(program), num_vertices, bound,
                                                                   waiting, least);
  }
  static void TakeWaiting(const void* program, uint64_t num_vertices, double before, double bound,
                          uint32_t* waiting, uint32_t* due, const LaunchGrids& grids,
                          Stream stream) {
    TakeWaitingKernel<P><<<grids.vertices, kProgramThreads, 0, stream>>>(
        Of(program), num_vertices, before, bound, waiting, due);
  }
  static void TakeActive(const void* program, const PassLaunch& pass, const DeviceEdges& edges,
                         const RunSource& source, const Repeat& repeat, const LaunchGrids& grids,
                         Stream stream) {
    TakeActiveKernel<P><<<grids.vertices, kProgramThreads, 0, stream>>>(
        Of(program), pass, edges, source.places, source.num_blocks, repeat);
  }
  static void Fixpoint(const void* program, const PassLaunch& pass, const ReachedEdges& reached,
                       const FixpointLaunch& fixpoint, const BucketBound& bucket, uint32_t grid,
                       Stream stream) {
    LaunchTogether(FixpointKernel<P>, grid, kFixpointThreads, 0, stream, Of(program), pass, reached,
                   fixpoint, bucket);
  }
  static void Open(const void* program, const PassLaunch& pass, const SearchLaunch& search,
                   bool knows_closed, const LaunchGrids& grids, Stream stream) {
    OpenKernel<P>
        <<<grids.vertices, kProgramThreads, 0, stream>>>(Of(program), pass, search, knows_closed);
  }
  static void TakeFound(const void* program, const PassLaunch& pass, const ReachedEdges& reached,
                        const SearchLaunch& search, const LaunchGrids& grids, Stream stream) {
    TakeFoundKernel<P>
        <<<grids.vertices, kProgramThreads, 0, stream>>>(Of(program), pass, reached, search);
  }

  static constexpr EdgeProgramKernels Kernels() {
    EdgeProgramKernels kernels = {};
    if constexpr (kConsumes<P>) kernels.consume = Consume;
    if constexpr (HasCond<P>) {
      kernels.closed = Closed;
      kernels.receivers = Receivers;
    }
    if constexpr (kMayPush<P>) kernels.push = Push;
    kernels.pull = Pull;
    if constexpr (kCollects<P>) {
      kernels.fold = Fold;
      if constexpr (!kAppliesToAllOf<P>) kernels.clear_partials = ClearPartials;
      kernels.clear_sums = ClearSums;
      kernels.take_sums = TakeSums;
    }
    if constexpr (kMayShare<P>) kernels.receive = Receive;
    if constexpr (kAppliesToAllOf<P>) kernels.take_rest = TakeRest;
    if constexpr (HasPriority<P>) {
      kernels.split = Split;
      kernels.least = Least;
      kernels.take_waiting = TakeWaiting;
    }
    if constexpr (kMayRunAsynchronously<P>) kernels.take_active = TakeActive;
    if constexpr (kRunsAlone<P>) {
      kernels.runs_alone = true;
      kernels.fixpoint = Fixpoint;
    }
    if constexpr (kMaySearch<P>) {
      kernels.most_found_passes = kAppliesLate<P> ? kSearchSets : 1;
      kernels.open = Open;
      kernels.take_found = TakeFound;
    }
    return kernels;
  }
};

template <typename F>
struct FunctionLaunches {
  using Stream = CUstream_st*;

  static const F& Of(const void* function) { return *static_cast<const F*>(function); }

  static void Map(const void* function, const uint32_t* members, uint64_t num_vertices,
                  std::byte* tallies, const LaunchGrids& grids, Stream stream) {
    MapKernel<F><<<grids.vertices, kProgramThreads, 0, stream>>>(Of(function), members,
                                                                 num_vertices, tallies);
  }
  static void Filter(const void* function, const uint32_t* among, uint64_t num_vertices,
                     uint32_t* kept, std::byte* tallies, const LaunchGrids& grids, Stream stream) {
    FilterKernel<F><<<grids.vertices, kProgramThreads, 0, stream>>>(Of(function), among,
                                                                    num_vertices, kept, tallies);
  }
  template <typename M>
  static void Reduce(const void* function, const uint32_t* members, uint64_t num_vertices,
                     void* sums, std::byte* tallies, Stream stream) {
    ReduceKernel<M, F><<<NumReduceChunks(num_vertices), kProgramThreads, 0, stream>>>(
        Of(function), members, num_vertices, static_cast<typename M::Value*>(sums), tallies);
  }
  static void Visit(const void* function, const uint32_t* members, const Slice& slice,
                    std::byte* tallies, const DeviceEdges& edges, const RunSource& source,
                    uint32_t* damaged, const LaunchGrids& grids, Stream stream) {
    VisitRunsKernel<WeightOfEdges<F>><<<grids.runs, kVisitThreads, 0, stream>>>(
        edges, source, FunctionVisitor<F>{Of(function), members, slice, edges.index, tallies},
        damaged);
  }
  static void VisitKept(const void* function, uint64_t num_vertices, const VertexId* neighbors,
                        uint32_t* members, std::byte* tallies, const LaunchGrids& grids,
                        Stream stream) {
    VisitKeptKernel<F><<<grids.vertices, kProgramThreads, 0, stream>>>(Of(function), num_vertices,
                                                                       neighbors, members, tallies);
  }
};

// Each is there once in a file compiled for cards, by which the kernels are found. They are static,
// for two files may share a program.

template <typename P>
static const KernelRegistration kEdgeProgramRegistration{EDGEMILL_CARD_FILE, FullTypeName<P>(),
                                                         EdgeProgramLaunches<P>::Kernels()};
template <typename F>
static const KernelRegistration kMapRegistration{
    EDGEMILL_CARD_FILE, FullTypeName<F>(), FunctionUse::kMap, {.map = FunctionLaunches<F>::Map}};
template <typename F>
static const KernelRegistration kFilterRegistration{EDGEMILL_CARD_FILE,
                                                    FullTypeName<F>(),
                                                    FunctionUse::kFilter,
                                                    {.filter = FunctionLaunches<F>::Filter}};
template <typename M, typename F>
static const KernelRegistration kReduceRegistration{
    EDGEMILL_CARD_FILE,
    FullTypeName<ReduceOf<M, F>>(),
    FunctionUse::kReduce,
    {.reduce = FunctionLaunches<F>::template Reduce<M>}};
template <typename F>
static const KernelRegistration kVisitRegistration{EDGEMILL_CARD_FILE,
                                                   FullTypeName<F>(),
                                                   FunctionUse::kVisit,
                                                   {.visit = FunctionLaunches<F>::Visit}};
template <typename F>
static const KernelRegistration kVisitKeptRegistration{
    EDGEMILL_CARD_FILE,
    FullTypeName<F>(),
    FunctionUse::kVisitKept,
    {.visit_kept = FunctionLaunches<F>::VisitKept}};

}  // namespace edgemill
