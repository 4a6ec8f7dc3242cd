// The operators that algorithms call.
//
// A driver calls operators on an Engine; each takes a direction, a set of vertices and a program or
// a function: small structs of views (engine/program). The way of messages, the number of threads
// and the kind of memory change no answer. See docs/WRITING_ALGORITHMS.md.
#pragma once

#if defined(EDGEMILL_ENGINE)  // another Engine replaces it: for GPUs (engine/compile), or in tests
#include EDGEMILL_ENGINE
#else

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/program/backend.h"
#include "engine/program/functions/vertex_function.h"
#include "engine/state/state.h"

namespace edgemill {

class Checkpoints;
class LoadedGraph;
struct OpenOperator;
struct OperatorCall;

/// Runs operators on one graph. One thread drives it. Every operator returns the errors of reading
/// (IoError; BadDataError with the block), BudgetError and CancelledError. UsageError where the
/// graph lacks the lists, or the program lacks the functions, for the given mode. Errors that
/// accessors of the State's arrays kept are returned too. After an error the state is undefined.
class Engine {
 public:
  /// An engine for drivers of `state`. `graph` and `state` must outlive it.
  Engine(LoadedGraph& graph, const State& state, std::unique_ptr<Backend> backend);
  /// From here on, `checkpoints` keeps a journal of the operators, or answers them. It has started,
  /// and must outlive the engine.
  void Keep(Checkpoints& checkpoints) { checkpoints_ = &checkpoints; }

  LoadedGraph& graph() { return graph_; }
  MemoryBudget& budget();
  uint64_t num_vertices() const;
  int threads() const;
  /// Makes sets, and combines them.
  SetPool& sets() { return backend_->sets(); }
  /// Degrees by out- (kOut) or in-edges (kIn), from the index, which the State must declare.
  DegreeView Degrees(OneDirection direction) const;

  /// Sends what the members of `from` emit across their edges. The vertices at the other ends take
  /// the combined messages. Returns the vertices for which Apply or Relax was true.
  template <typename P>
  StatusOr<VertexSet> EdgeMap(Directions directions, const VertexSet& from, P program) {
    return Map(RefTo(directions, program), from);
  }
  /// Repeats EdgeMap with the set that it returned, until the set is empty or `max_passes` are
  /// done. Calls program.Next() between passes, if the program has it.
  template <typename P>
  StatusOr<FixpointTotals> Fixpoint(Directions directions, VertexSet from, P program,
                                    uint64_t max_passes = ~uint64_t{0}) {
    return RunToEnd(RefTo(directions, program), std::move(from), max_passes);
  }
  /// Fixpoint in the order of program.Priority(v): takes the vertices of the lowest bucket first,
  /// until no vertex is active.
  template <typename P>
  StatusOr<FixpointTotals> Bucketed(Directions directions, VertexSet from, P program,
                                    const Buckets& buckets) {
    return RunInBuckets(RefTo<true>(directions, program), std::move(from), buckets);
  }
  template <typename P>
  StatusOr<FixpointTotals> Bucketed(Directions directions, VertexSet from, P program,
                                    double width) {
    return Bucketed(directions, std::move(from), program, Buckets{.width = width});
  }

  /// Calls function(v) for each member.
  template <typename F>
  Status VertexMap(const VertexSet& set, F function) {
    return MapVertices(RefTo<FunctionUse::kMap>(function), set);
  }
  /// The members for which function(v) is true.
  template <typename F>
  StatusOr<VertexSet> VertexFilter(const VertexSet& set, F function) {
    return FilterVertices(RefTo<FunctionUse::kFilter>(function), set);
  }
  /// Combines function(v) over a set. The order is the same for any number of threads.
  template <typename M, typename F>
  StatusOr<typename M::Value> Reduce(const VertexSet& set, F function) {
    typename M::Value total{};
    RETURN_IF_ERROR(ReduceVertices(RefTo<FunctionUse::kReduce, M>(function), set, &total));
    return total;
  }
  /// Calls function(edge), in any order, for each edge of the members' lists or of the same slice
  /// of each list. edge.from is the member. The function writes only through Into and Shared.
  template <typename F>
  Status EdgeVisit(Directions directions, const VertexSet& set, const Slice& slice, F function) {
    return VisitEdges(RefTo<FunctionUse::kVisit>(function), directions, set, slice);
  }
  template <typename F>
  Status EdgeVisit(Directions directions, const VertexSet& set, F function) {
    return EdgeVisit(directions, set, Slice{}, function);
  }
  /// The directions whose lists are loaded; only kOut for an undirected graph.
  std::vector<Directions> lists() const;
  /// EdgeVisit of the members' lists or, where a directed graph has lists of one direction only, of
  /// all lists. Called for each of lists(), it visits every edge with a member at either end.
  template <typename F>
  Status VisitIncident(Directions lists, const VertexSet& set, const Slice& slice, F function) {
    return VisitIncidentEdges(RefTo<FunctionUse::kVisit>(function), lists, set, slice);
  }
  /// Calls function(edge) for one edge of each vertex, in its list of lists()[0]. The engine
  /// chooses the neighbour; a vertex without neighbours gets itself. The choice changes only the
  /// time.
  template <typename F>
  Status VisitSampled(F function) {
    return VisitSampledEdges(RefTo<FunctionUse::kVisitSampled>(function));
  }
  /// Whether VisitSampled takes a neighbour of highest degree, not the vertex itself, and reads no
  /// list. A GPU keeps such neighbours of a symmetric graph, where it has the memory and
  /// VisitedLists asks for them.
  bool samples_hubs() const;
  /// Calls function(triangle) for each triangle of the simple graph that edges taken both ways make
  /// (engine/program/functions/triangle.h). The corners are in any order. Combines what it tells
  /// each corner, and calls function.Take(v, sum) with sums for v, any number of times. Take writes
  /// only through Into and Shared. Directed graphs need lists of both directions. Runs on the CPU.
  template <typename F>
  Status Intersect(F function) {
    return IntersectLists(RefTo<FunctionUse::kIntersect>(function), kAsksForArcs<F>);
  }

 private:
  // A program that breaks a rule meets only a static assertion, so that the compiler reports
  // nothing else.
  template <bool kBuckets = false, typename P>
  static ProgramRef RefTo(Directions directions, P& program) {
    if constexpr (CheckProgram<kBuckets, P>()) {
      return {&program, ProgramTraitsOf<P>(directions), &ProgramCallsOf<P>()};
    }
    return {};
  }
  template <FunctionUse kUse, typename M = void, typename F>
  static FunctionRef RefTo(const F& function) {
    if constexpr (CheckFunction<kUse, M, F>()) return {&function, &FunctionCallsOf<kUse, M, F>()};
    return {};
  }
  // The operators, on programs and functions of any type.
  StatusOr<VertexSet> Map(const ProgramRef& program, const VertexSet& from);
  StatusOr<FixpointTotals> RunToEnd(const ProgramRef& program, VertexSet from, uint64_t most);
  StatusOr<FixpointTotals> RunInBuckets(const ProgramRef& program, VertexSet from,
                                        const Buckets& buckets);
  Status MapVertices(const FunctionRef& function, const VertexSet& set);
  StatusOr<VertexSet> FilterVertices(const FunctionRef& function, const VertexSet& set);
  Status ReduceVertices(const FunctionRef& function, const VertexSet& set, void* total);
  Status VisitEdges(const FunctionRef& function, Directions directions, const VertexSet& set,
                    const Slice& slice);
  Status VisitIncidentEdges(const FunctionRef&, Directions, const VertexSet&, const Slice&);
  Status VisitSampledEdges(const FunctionRef& function);
  Status IntersectLists(const FunctionRef& function, bool arcs);
  StatusOr<std::unique_ptr<OperatorPasses> > MakePasses(const ProgramRef& program);
  /// Calls run(), unless the journal answers the call.
  template <typename Run>
  Status Call(const OperatorCall& call, Run run);
  /// Runs a Fixpoint or Bucketed, of at most `most` passes, from open.left on: in parts, between
  /// which checkpoints may be written.
  StatusOr<FixpointTotals> RunInParts(const ProgramRef& program, OperatorKind kind,
                                      OpenOperator open, uint64_t most);
  /// A fact of the machine, which the journal keeps.
  bool Recorded(bool fact) const;
  /// Returns the first error that arrays kept. Ends the process where too many sets exist.
  Status Begin() const;

  LoadedGraph& graph_;
  const State& state_;
  const std::unique_ptr<Backend> backend_;
  Checkpoints* checkpoints_ = nullptr;  // null: no journal is kept
  std::optional<bool> sampled_hubs_;    // by VisitSampled, perhaps on another machine
};

}  // namespace edgemill
#endif
