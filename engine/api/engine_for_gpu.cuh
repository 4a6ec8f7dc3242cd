// The Engine that replaces the real one when the file of an algorithm is compiled for GPUs. Its
// operators run nothing. Each one only refers to the kernels of its program, so that the compiler
// makes and registers them (engine/gpu/program/program_launchers.h).
#pragma once

#include <vector>

#include "engine/gpu/program/launches.cuh"
#include "engine/graph/loaded_graph.h"
#include "engine/program/operator_types.h"
#include "engine/program/sets/vertex_set.h"
#include "engine/state/state.h"

namespace edgemill {

class EngineForGpus {
 public:
  LoadedGraph& graph() { return graph_; }
  MemoryBudget& budget() { return graph_.budget(); }
  uint64_t num_vertices() const { return graph_.num_vertices(); }
  int threads() const { return graph_.threads(); }
  SetPool& sets() { return sets_; }
  DegreeView Degrees(OneDirection) const { return DegreeView(); }

  template <typename P>
  StatusOr<VertexSet> EdgeMap(Directions, const VertexSet&, P) {
    KeepKernels(kEdgeProgramRegistration<P>);
    return NothingRuns();
  }
  template <typename P>
  StatusOr<FixpointTotals> Fixpoint(Directions, VertexSet, P, uint64_t = ~uint64_t{0}) {
    KeepKernels(kEdgeProgramRegistration<P>);
    return NothingRuns();
  }
  template <typename P>
  StatusOr<FixpointTotals> Bucketed(Directions, VertexSet, P, const Buckets&) {
    KeepKernels(kEdgeProgramRegistration<P>);
    return NothingRuns();
  }
  template <typename P>
  StatusOr<FixpointTotals> Bucketed(Directions, VertexSet, P, double) {
    KeepKernels(kEdgeProgramRegistration<P>);
    return NothingRuns();
  }
  template <typename F>
  Status VertexMap(const VertexSet&, F) {
    KeepKernels(kMapRegistration<F>);
    return NothingRuns();
  }
  template <typename F>
  StatusOr<VertexSet> VertexFilter(const VertexSet&, F) {
    KeepKernels(kFilterRegistration<F>);
    return NothingRuns();
  }
  template <typename M, typename F>
  StatusOr<typename M::Value> Reduce(const VertexSet&, F) {
    if constexpr (sizeof(typename M::Value) <= kMaxReducedBytes) {
      KeepKernels(kReduceRegistration<M, F>);
    }
    return NothingRuns();
  }
  template <typename F>
  Status EdgeVisit(Directions, const VertexSet&, const Slice&, F) {
    KeepKernels(kVisitRegistration<F>);
    return NothingRuns();
  }
  template <typename F>
  Status EdgeVisit(Directions, const VertexSet&, F) {
    KeepKernels(kVisitRegistration<F>);
    return NothingRuns();
  }
  template <typename F>
  Status VisitIncident(Directions, const VertexSet&, const Slice&, F) {
    KeepKernels(kVisitRegistration<F>);
    return NothingRuns();
  }
  template <typename F>
  Status VisitSampled(F) {
    KeepKernels(kVisitSampledRegistration<F>);
    return NothingRuns();
  }
  template <typename F>
  Status Intersect(F) {  // runs on the CPU
    return NothingRuns();
  }
  std::vector<Directions> lists() const { return {}; }
  bool samples_hubs() const { return false; }

 private:
  EngineForGpus(LoadedGraph& graph, SetPool& sets) : graph_(graph), sets_(sets) {}
  static void KeepKernels(const KernelRegistration& registration) {
    const KernelRegistration* volatile used = &registration;
    (void)used;
  }
  static Status NothingRuns() { return InternalError("compiled for GPUs: nothing runs here"); }

  LoadedGraph& graph_;
  SetPool& sets_;
};

using Engine = EngineForGpus;

}  // namespace edgemill
