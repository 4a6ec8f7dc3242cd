// The CPU's loops for passes of a program, and for functions on vertices and edges. They are
// compiled for each type (cpu_calls.h).
#pragma once

#include <span>
#include <vector>

#include "common/check.h"
#include "engine/cpu/cpu_backend.h"
#include "engine/cpu/cpu_calls.h"
#include "engine/cpu/intersect/intersect_lists.h"
#include "engine/cpu/pass/edge_pass.h"
#include "engine/cpu/pull/pull_pass.h"
#include "engine/cpu/push/push_pass.h"
#include "engine/cpu/vertex_loops.h"
#include "engine/program/functions/vertex_function.h"

namespace edgemill {

template <typename P>
Status RunCpuPass(CpuPasses& passes, const void* bytes, Mode mode, bool asynchronous,
                  double bound) {
  CHECK(mode != Mode::kAuto);  // DirectionPolicy has chosen
  const P& program = *static_cast<const P*>(bytes);
  LoadedGraph& graph = passes.graph();
  Recorder& recorder = passes.recorder();
  ActiveSets& sets = passes.sets();
  const ActiveCounts active = sets.active();
  recorder.Start(mode, active.vertices, active.edges);
  const std::vector<Direction>&push_lists = passes.lists(false), &pull_lists = passes.lists(true);
  if constexpr (kIsSimpleOf<P>) {
    for (const Direction lists : mode == Mode::kPush ? push_lists : pull_lists) {
      RETURN_IF_ERROR(graph.neighbor_memory().FindLastNeighbors(lists));
    }
  }
  // If the active vertices have all edges, a test of whether a sender emits is not needed.
  const bool all = !kTakesFirst<P> && sets.has_all_edges();
  ClosedBits* const closed = passes.closed();
  CHECK((closed != nullptr) == kTakesFirst<P>);
  EdgePass<P> pass(graph, passes.workspace(), program,
                   {all ? nullptr : sets.from(), &sets.next(), closed});
  pass.set_edges(active.edges);
  RETURN_IF_ERROR(pass.Consume(sets.from()));
  if (mode == Mode::kPush) {
    const bool repeats = asynchronous && push_lists.size() == 1;
    PushPass<P> push(pass, recorder, repeats ? passes.workspace().options().async_passes : 0,
                     bound);
    RETURN_IF_ERROR(push.Run(push_lists, active.edges));
    recorder.AddEdges(active.edges + push.edges_in_same_pass());
    passes.CountEmitted(push.emitted_in_same_pass());
  } else {
    if (closed != nullptr && HasCond<P>) {
      closed->SetFromCond([&](VertexId vertex) { return CallCond(program, vertex); });
    }
    PullPass<P> pull(pass, recorder);
    if (mode == Mode::kNotifyPull && pass.from() != nullptr) {
      RETURN_IF_ERROR(pull.Notify(push_lists));
      recorder.AddEdges(active.edges);
    }
    RETURN_IF_ERROR(pull.Run(pull_lists));
    recorder.AddEdges(pull.num_edges());
    passes.NotePulled(pull.num_blocks());
  }
  if (closed != nullptr) closed->EndPass(sets.next(), HasCond<P>);
  pass.copies().End();
  recorder.Finish();
  return OkStatus();
}

/// The priorities of the program `bytes`, in the form that ActiveSets needs.
template <typename P>
auto PriorityOf(const void* bytes) {
  const P& program = *static_cast<const P*>(bytes);
  return [&program](VertexId vertex) { return CallPriority(program, vertex); };
}

template <typename P>
constexpr CpuProgramCalls CpuProgramCallsFor() {
  CpuProgramCalls calls = {};
  calls.pass = RunCpuPass<P>;
  if constexpr (HasPriority<P>) {
    calls.split = [](ActiveSets& sets, const void* program, double bound) {
      return sets.Split(bound, PriorityOf<P>(program));
    };
    calls.least_waiting = [](ActiveSets& sets, const void* program, double bound) {
      return sets.LeastWaiting(bound, PriorityOf<P>(program));
    };
    calls.activate_waiting = [](ActiveSets& sets, const void* program, double before,
                                double bound) {
      return sets.ActivateWaiting(before, bound, PriorityOf<P>(program));
    };
  }
  return calls;
}
template <typename P>
inline constexpr CpuProgramCalls kCpuProgramCalls = CpuProgramCallsFor<P>();

template <typename F>
Status MapOnCpu(LoadedGraph& graph, const Frontier* members, const void* function) {
  return VisitWithCopies(graph, members, *static_cast<const F*>(function),
                         [](F& copy, const MemberChunk& some) {
                           some.ForEach([&](VertexId vertex) {
                             EM_ACCESS(vertex);
                             copy(vertex);
                           });
                         });
}

template <typename F>
Status FilterOnCpu(LoadedGraph& graph, const Frontier* members, const void* function,
                   Frontier& selected) {
  return VisitWithCopies(graph, members, *static_cast<const F*>(function),
                         [&](F& copy, const MemberChunk& some) {
                           FrontierBatch batch(selected);
                           some.AddWhere(batch, [&](VertexId vertex) {
                             EM_ACCESS(vertex);
                             return static_cast<bool>(copy(vertex));
                           });
                         });
}

template <typename M, typename F>
Status ReduceOnCpu(LoadedGraph& graph, const Frontier* members, const void* bytes, void* total) {
  CHECK(total != nullptr);
  using Value = typename M::Value;
  const F& function = *static_cast<const F*>(bytes);
  const uint64_t num_vertices = graph.num_vertices();
  std::vector<Value> sums(num_vertices / kVertexChunk + 1, M::identity());
  Mutex mutex;
  F merged = function;
  RETURN_IF_ERROR(
      ParallelFor(num_vertices, kVertexChunk, graph.threads(), [&](size_t begin, size_t end) {
        F copy = function;
        Value sum = M::identity();
        const auto add = [&](VertexId vertex) {
          EM_ACCESS(vertex);
          sum = M::Combine(sum, copy(vertex));
          return true;
        };
        if (members != nullptr) {
          members->VisitRange(begin, end, add);
        } else {
          for (size_t i = begin; i < end; ++i) add(static_cast<VertexId>(i));
        }
        CheckNumbers(function, copy);
        sums[begin / kVertexChunk] = sum;
        if constexpr (kHasTallies<F>) {
          MutexLock lock(mutex);
          MergeTallies(merged, copy);
        }
        return OkStatus();
      }));
  EndTallies(merged);
  Value& combined = *static_cast<Value*>(total);
  for (const Value& sum : sums) combined = M::Combine(combined, sum);
  return OkStatus();
}

template <typename F>
Status VisitOnCpu(LoadedGraph& graph, Recorder& recorder, const EdgesToVisit& edges,
                  const void* function) {
  EdgeVisitor<F> visitor(graph, edges.members, edges.slice, *static_cast<const F*>(function));
  for (const Direction direction : edges.lists) RETURN_IF_ERROR(visitor.Visit(direction, recorder));
  visitor.End();
  return OkStatus();
}

template <typename F>
Status VisitIsolatedOnCpu(LoadedGraph& graph, Direction lists, const void* function) {
  const VertexIndexView index = graph.index(lists);
  return VisitWithCopies(graph, nullptr, *static_cast<const F*>(function),
                         [&](F& copy, const MemberChunk& some) {
                           some.ForEach([&](VertexId vertex) {
                             if (index.degree(vertex) > 0) return;
                             EM_ACCESS(kInvalidVertex, vertex, vertex);
                             copy(Edge{vertex, vertex});
                           });
                         });
}

template <typename F>
Status IntersectOnCpu(LoadedGraph& graph, Recorder& recorder, uint64_t bytes,
                      const void* function) {
  return IntersectLists(graph, recorder, bytes, *static_cast<const F*>(function));
}

/// The calls of a function for one use. M is Reduce's monoid.
template <FunctionUse kUse, typename M, typename F>
inline constexpr CpuFunctionCalls kCpuFunctionCalls = [] {
  CpuFunctionCalls calls;
  if constexpr (kUse == FunctionUse::kMap) calls.map = MapOnCpu<F>;
  if constexpr (kUse == FunctionUse::kFilter) calls.filter = FilterOnCpu<F>;
  if constexpr (kUse == FunctionUse::kReduce) calls.reduce = ReduceOnCpu<M, F>;
  if constexpr (kUse == FunctionUse::kVisit) calls.visit = VisitOnCpu<F>;
  if constexpr (kUse == FunctionUse::kVisitSampled) {
    calls.visit = VisitOnCpu<F>;
    calls.visit_isolated = VisitIsolatedOnCpu<F>;
  }
  if constexpr (kUse == FunctionUse::kIntersect) calls.intersect = IntersectOnCpu<F>;
  return calls;
}();

}  // namespace edgemill
