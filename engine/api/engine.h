// The operators of which algorithms are made.
//
// A driver holds a State and calls operators on an Engine; each takes a direction, a set of
// vertices and a program or a function: small structs of views (engine/program). The engine chooses
// how messages move, in how many threads and through which memory; the answer does not depend on
// it. See docs/WRITING_ALGORITHMS.md.
#pragma once

#if defined(EDGEMILL_CARD_FILE)
#include "engine/api/card/engine_for_cards.cuh"
#else

#include <memory>
#include <utility>

#include "engine/api/card/engine_card.h"
#include "engine/api/state.h"
#include "engine/cpu/cpu_backend.h"
#include "engine/cpu/vertex_loops.h"
#include "engine/driver/operators.h"
#include "engine/gpu/gpu_backend.h"
#include "engine/hybrid/card_leader.h"
#include "engine/hybrid/hybrid_backend.h"
#include "engine/program/arrays/on_device.h"
#include "engine/program/vertex_function.h"

namespace edgemill {

/// Runs operators on one graph. One thread drives it. Every operator returns the errors of reading
/// (IoError; BadDataError with the block), UsageError where the graph has not the lists or the
/// program not the functions for the mode that was asked for, BudgetError, CancelledError, and
/// errors that accessors of the State's arrays kept; after an error the state is undefined.
class Engine {
 public:
  /// For drivers of `state`, which must outlive it. BudgetError.
  static StatusOr<std::unique_ptr<Engine> > Create(LoadedGraph& graph, const State& state,
                                                   const PassOptions& options, Recorder& recorder) {
    ASSIGN_OR_RETURN(auto workspace,
                     Workspace::Create(graph, state.needs(), options, state.most_sets()));
    return std::unique_ptr<Engine>(new Engine(graph, state, std::move(workspace), recorder));
  }
  /// The same on a card. BudgetError; GpuError.
  static StatusOr<std::unique_ptr<Engine> > CreateOnCard(LoadedGraph& graph, State& state,
                                                         const PassOptions& options,
                                                         const CardRun& card, Recorder& recorder);

  LoadedGraph& graph() { return graph_; }
  MemoryBudget& budget() { return graph_.budget(); }
  uint64_t num_vertices() const { return graph_.num_vertices(); }
  int threads() const { return graph_.threads(); }
  /// Makes sets, and combines them.
  SetPool& sets() { return workspace_->sets(); }
  /// Degrees by out- (kOut) or in-edges (kIn), from the index, which the State must declare. There
  /// is no view of both: a function with two views adds.
  DegreeView Degrees(OneDirection direction) const {
    const Direction lists = direction.is_out() ? Direction::kOut : Direction::kIn;
    CheckDegrees(lists);
    return DegreeView(graph_.index(lists));
  }

  /// What members of `from` emit crosses their edges, is combined, and is taken by the other ends.
  /// Returns those for which Apply or Relax was true.
  template <typename P>
  StatusOr<VertexSet> EdgeMap(Directions directions, const VertexSet& from, P program) {
    if constexpr (CheckEdgeProgram<P>()) {
      CheckDeclared<P>(directions);
      ASSIGN_OR_RETURN(const auto backend, MakeBackend(directions, program));
      return RunEdgeMap<P>(*backend, from, program);
    } else {
      return Refused();
    }
  }
  /// EdgeMap of what EdgeMap returned, until nothing is left or `most_passes` are done. Between
  /// passes program.Next(), if there.
  template <typename P>
  StatusOr<FixpointTotals> Fixpoint(Directions directions, VertexSet from, P program,
                                    uint64_t most_passes = ~uint64_t{0}) {
    if constexpr (CheckEdgeProgram<P>()) {
      CheckDeclared<P>(directions);
      ASSIGN_OR_RETURN(const auto backend, MakeBackend(directions, program));
      return RunFixpoint<P>(*backend, std::move(from), &program, most_passes);
    } else {
      return Refused();
    }
  }
  /// Fixpoint in the order of program.Priority(v): those of the lowest bucket first, and again as
  /// long as there are any.
  template <typename P>
  StatusOr<FixpointTotals> Bucketed(Directions directions, VertexSet from, P program,
                                    const Buckets& buckets) {
    if constexpr (CheckBucketedProgram<P>()) {
      CheckDeclared<P>(directions);
      ASSIGN_OR_RETURN(const auto backend, MakeBackend(directions, program));
      return RunBucketed<P>(*backend, std::move(from), &program, buckets);
    } else {
      return Refused();
    }
  }
  template <typename P>
  StatusOr<FixpointTotals> Bucketed(Directions directions, VertexSet from, P program,
                                    double width) {
    return Bucketed(directions, std::move(from), program, Buckets{.width = width});
  }

  /// Calls function(v) for each member.
  template <typename F>
  Status VertexMap(const VertexSet& set, F function) {
    if constexpr (CheckVertexFunction<F>()) {
      RETURN_IF_ERROR(state_.status());
      if (set.empty()) return OkStatus();
      if (const FunctionKernels* const kernels = OnCard<F>(FunctionUse::kMap)) {
        return CallOnCard(function, *kernels, [&](const CardFunction& on_card) {
          return card_->operators().Map(on_card, set);
        });
      }
      RETURN_IF_ERROR(Begin(function));
      return VisitWithCopies(graph_, set.frontier(), function,
                             [](F& copy, const MemberChunk& members) {
                               members.ForEach([&](VertexId vertex) {
                                 EM_ACCESS(vertex);
                                 copy(vertex);
                               });
                             });
    } else {
      return Refused();
    }
  }
  /// The members for which function(v) is true.
  template <typename F>
  StatusOr<VertexSet> VertexFilter(const VertexSet& set, F function) {
    if constexpr (CheckVertexTest<F>()) {
      RETURN_IF_ERROR(state_.status());
      if (set.empty()) return sets().None();
      if (const FunctionKernels* const kernels = OnCard<F>(FunctionUse::kFilter)) {
        VertexSet members;
        RETURN_IF_ERROR(CallOnCard(function, *kernels, [&](const CardFunction& on_card) -> Status {
          ASSIGN_OR_RETURN(members, card_->operators().Filter(on_card, set));
          return OkStatus();
        }));
        return members;
      }
      RETURN_IF_ERROR(Begin(function));
      ASSIGN_OR_RETURN(std::unique_ptr<Frontier> kept, sets().Take());
      const Status status = VisitWithCopies(graph_, set.frontier(), function,
                                            [&](F& copy, const MemberChunk& members) {
                                              FrontierBatch batch(*kept);
                                              members.AddWhere(batch, [&](VertexId vertex) {
                                                EM_ACCESS(vertex);
                                                return static_cast<bool>(copy(vertex));
                                              });
                                            });
      if (!status.ok()) {
        sets().Return(std::move(kept));
        return status;
      }
      return sets().Seal(std::move(kept));
    } else {
      return Refused();
    }
  }
  /// Combines function(v) over a set: in one order, whatever the threads. What it adds to tallies
  /// is kept, as in all operators.
  template <typename M, typename F>
  StatusOr<typename M::Value> Reduce(const VertexSet& set, F function) {
    if constexpr (CheckVertexValue<M, F>()) {
      using Value = typename M::Value;
      Value total = M::identity();
      RETURN_IF_ERROR(state_.status());
      if (set.empty()) return total;
      if (const FunctionKernels* const kernels = OnCard<ReduceOf<M, F>>(FunctionUse::kReduce)) {
        std::vector<Value> parts(NumReduceChunks(num_vertices()));
        RETURN_IF_ERROR(CallOnCard(function, *kernels, [&](const CardFunction& on_card) {
          return card_->operators().Reduce(on_card, set, std::as_writable_bytes(std::span(parts)));
        }));
        for (const Value& part : parts) total = M::Combine(total, part);
        return total;
      }
      RETURN_IF_ERROR(Begin(function));
      const Frontier* const members = set.frontier();
      std::vector<Value> sums(num_vertices() / kVertexChunk + 1, M::identity());
      Mutex mutex;
      F merged = function;
      RETURN_IF_ERROR(
          ParallelFor(num_vertices(), kVertexChunk, threads(), [&](size_t begin, size_t end) {
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
      for (const Value& sum : sums) total = M::Combine(total, sum);
      return total;
    } else {
      return Refused();
    }
  }

  /// Calls function(edge) for each edge of the members' lists, or the same slice of each; edge.from
  /// is the member. In any order. It writes through Into and Shared alone.
  template <typename F>
  Status EdgeVisit(Directions directions, const VertexSet& set, const Slice& slice, F function) {
    if constexpr (CheckEdgeFunction<F>()) {
      RETURN_IF_ERROR(CheckLists(directions));
      RETURN_IF_ERROR(state_.status());
      if (set.empty()) return OkStatus();
      const bool has_weights = std::is_same_v<WeightOfEdges<F>, NoWeight> || state_.needs().weights;
      if (const FunctionKernels* const kernels = OnCard<F>(FunctionUse::kVisit);
          kernels != nullptr && has_weights) {
        return CallOnCard(function, *kernels, [&](const CardFunction& on_card) {
          return card_->operators().VisitEdges(on_card, directions, set, slice);
        });
      }
      RETURN_IF_ERROR(Begin(function));
      recorder_.Start(Mode::kPush, set.size(), 0);
      EdgeVisitor<F> visitor(graph_, set.frontier(), slice, function);
      for (const Direction lists : ListsOf(directions, graph_.info().directed, false)) {
        RETURN_IF_ERROR(visitor.Visit(lists, recorder_));
      }
      visitor.End();
      recorder_.Finish();
      return OkStatus();
    } else {
      return Refused();
    }
  }
  template <typename F>
  Status EdgeVisit(Directions directions, const VertexSet& set, F function) {
    return EdgeVisit(directions, set, Slice{}, function);
  }

  /// Whether a neighbour of each vertex is kept: the one of highest degree but for itself, of those
  /// the one of least id. So it is of a symmetric graph whose edges have room on a card, or in
  /// pinned memory of the host, where the State asks for it (VisitedLists).
  bool keeps_neighbors() const {
    return card_ != nullptr && card_->operators().keeps_neighbors();
  }
  /// Where they are: calls function(edge) for each vertex with the edge to its own; a vertex
  /// without another neighbour has one to itself.
  template <typename F>
  Status VisitKept(F function) {
    if constexpr (CheckEdgeFunction<F>()) {
      ASSIGN_OR_RETURN(const FunctionKernels* const kernels, KeptKernels<F>());
      return CallOnCard(function, *kernels, [&](const CardFunction& on_card) {
        return card_->operators().VisitKept(on_card);
      });
    } else {
      return Refused();
    }
  }
  /// The same; the vertices for which it is true.
  template <typename F>
  StatusOr<VertexSet> FilterKept(F function) {
    if constexpr (CheckEdgeFunction<F>()) {
      ASSIGN_OR_RETURN(const FunctionKernels* const kernels, KeptKernels<F>());
      VertexSet members;
      RETURN_IF_ERROR(CallOnCard(function, *kernels, [&](const CardFunction& on_card) -> Status {
        ASSIGN_OR_RETURN(members, card_->operators().FilterKept(on_card));
        return OkStatus();
      }));
      return members;
    } else {
      return Refused();
    }
  }

 private:
  /// What operators return where a static assertion has failed, so that nothing else is reported.
  static Status Refused() { return InternalError("refused by the compiler"); }

  /// Before every operator: the first error that accessors of arrays kept; and arrays that have a
  /// second memory come to the host.
  template <typename P>
  Status Begin(const P& program) const {
    RETURN_IF_ERROR(state_.status());
    return OnHost(program);
  }

  /// What runs P: the card where the run has one, with the CPU where they share passes; else the
  /// CPU.
  template <typename P>
  StatusOr<std::unique_ptr<EdgeBackend<P>> > MakeBackend(Directions directions, const P& program) {
    RETURN_IF_ERROR(state_.status());
    if (card_ == nullptr) {
      RETURN_IF_ERROR(OnHost(program));
      return std::unique_ptr<EdgeBackend<P>>(
          std::make_unique<CpuBackend<P>>(graph_, *workspace_, recorder_, directions));
    }
    const EdgeProgramKernels* const kernels = FindEdgeProgram(card_file_, FullTypeName<P>());
    if (kernels == nullptr) return NoKernels(kProgramName<P>);
    ASSIGN_OR_RETURN(auto backend,
                     GpuBackend<P>::Create(card_->operators(), *kernels, directions, program));
    if constexpr (kMayHaveCard && kMayShare<P>) {
      if (hybrid_ != nullptr) {
        auto leader = std::make_unique<CardLeader<P>>(std::move(backend), card_->operators());
        return std::unique_ptr<EdgeBackend<P>>(std::make_unique<HybridBackend<P>>(
            std::move(leader), *hybrid_, recorder_, directions));
      }
    }
    return std::unique_ptr<EdgeBackend<P>>(std::move(backend));
  }
  Status NoKernels(std::string_view program) const;
  /// The kernels of a function on the run's card; null: it runs on the CPU.
  template <typename F>
  const FunctionKernels* OnCard(FunctionUse use) const {
    return card_ == nullptr ? nullptr : FindFunction(card_file_, FullTypeName<F>(), use);
  }
  template <typename F>
  StatusOr<const FunctionKernels*> KeptKernels() const {
    const FunctionKernels* const kernels = OnCard<F>(FunctionUse::kVisitKept);
    if (kernels == nullptr || !keeps_neighbors()) return InternalError("no neighbours are kept");
    return kernels;
  }
  template <typename F, typename Call>
  Status CallOnCard(const F& function, const FunctionKernels& kernels, Call call) {
    RETURN_IF_ERROR(state_.status());
    ASSIGN_OR_RETURN(const F device, OnDevice(function, card_->operators().indexes()));
    CardTallies<F> tallies(function);
    RETURN_IF_ERROR(call(CardFunction{&kernels, &device, tallies.bytes()}));
    tallies.MergeInto(function, tallies.bytes());
    return OkStatus();
  }

  // Memory is planned, and indexes are loaded, by what the State declares: these end the process
  // where it does not declare what the driver uses.
  void CheckDegrees(Direction lists) const;
  void CheckProgram(const std::string_view* name, Directions directions) const;
  template <typename P>
  void CheckDeclared(Directions directions) const {
    CheckProgram(&kProgramName<P>, directions);
  }
  /// UsageError where the graph has not the lists.
  Status CheckLists(Directions directions) const;

  Engine(LoadedGraph& graph, const State& state, std::unique_ptr<Workspace> workspace,
         Recorder& recorder)
      : graph_(graph), state_(state), workspace_(std::move(workspace)), recorder_(recorder) {}

  LoadedGraph& graph_;
  const State& state_;
  const std::unique_ptr<Workspace> workspace_;
  Recorder& recorder_;
  std::unique_ptr<EngineCard> card_;  // null on the CPU
  std::string_view card_file_;
  std::unique_ptr<HybridRun> hybrid_;  // where the CPU shares the card's passes
};

}  // namespace edgemill
#endif
