#include "engine/api/engine.h"

#include <algorithm>

#include "common/check.h"
#include "common/strings.h"
#include "engine/checkpoint/checkpoints.h"
#include "engine/driver/operators.h"
#include "engine/graph/loaded_graph.h"
#include "engine/plan/direction_policy.h"

namespace edgemill {
namespace {

bool Include(Directions declared, Directions used) {
  return (static_cast<int>(declared) & static_cast<int>(used)) == static_cast<int>(used);
}

std::string_view DirectionsName(Directions directions) {
  if (directions == Directions::kBoth) return "kBoth";
  return directions == Directions::kOut ? "kOut" : "kIn";
}

// The engine plans memory and loads indexes by what the State declares. These functions end the
// process where a driver uses something that its State does not declare.

void CheckDeclared(const State& state, const ProgramTraits& program) {
  for (const ProgramTraits& declared : state.programs()) {
    if (declared.name == program.name && Include(declared.directions, program.directions)) return;
  }
  internal::AuthorMistake(
      StrCat("its State does not declare this program: give it a field `Programs<", *program.name,
             "> programs{*this, ", DirectionsName(program.directions), "}`"));
}

void CheckVisited(const State& state, Directions directions) {
  for (const ListVisit& declared : state.visits()) {
    if (Include(declared.directions, directions)) return;
  }
  internal::AuthorMistake(
      StrCat("its State does not declare the lists that EdgeVisit reads: give it a field "
             "`VisitedLists lists{*this, ",
             DirectionsName(directions), "}`"));
}

void CheckIntersected(const State& state, bool arcs) {
  const std::optional<AsksForArcs> declared = state.intersects();
  if (declared.has_value() && (!arcs || *declared == AsksForArcs::kYes)) return;
  internal::AuthorMistake(
      StrCat("its State does not declare what Intersect reads: give it a field `IntersectedLists "
             "lists{*this",
             arcs ? ", AsksForArcs::kYes" : "", "}`"));
}

/// UsageError where the graph does not have the lists or, if `weighted`, their weights.
Status CheckLists(const LoadedGraph& graph, Directions directions, bool weighted) {
  for (const Direction lists : ListsOf(directions, graph.info().directed, /*reversed=*/false)) {
    const bool is_there = graph.has_lists(lists);
    if (is_there && !(weighted && LacksWeights(graph.store(), lists))) continue;
    return UsageError(StrCat(graph.store().path(), " has no ",
                             lists == Direction::kOut ? "out" : "in",
                             is_there ? "-weights: ingest it with --weights-in both"
                                      : "-columns: ingest it with --columns both"));
  }
  return OkStatus();
}

}  // namespace

Engine::Engine(LoadedGraph& graph, const State& state, std::unique_ptr<Backend> backend)
    : graph_(graph), state_(state), backend_(std::move(backend)) {
  CHECK(backend_ != nullptr);
  CHECK_EQ(state.num_vertices(), num_vertices());
}

MemoryBudget& Engine::budget() { return graph_.budget(); }
uint64_t Engine::num_vertices() const { return graph_.num_vertices(); }
int Engine::threads() const { return graph_.threads(); }

DegreeView Engine::Degrees(OneDirection direction) const {
  const Direction lists = direction.is_out() ? Direction::kOut : Direction::kIn;
  if (!state_.has_degrees(lists)) {
    internal::AuthorMistake(
        StrCat("its State does not declare these degrees: give it a field `Degrees degrees{*this, ",
               lists == Direction::kOut ? "kOut" : "kIn", "}`"));
  }
  return DegreeView(graph_.index(lists));
}

Status Engine::Begin() const {
  const uint64_t held = backend_->sets().held();
  if (held > state_.max_sets()) {
    internal::AuthorMistake(StrCat(held, " sets exist where an operator begins, and the State ",
                                   "declares ", state_.max_sets(), ": call HoldSets(", held,
                                   ") in its constructor"));
  }
  return state_.status();
}

StatusOr<std::unique_ptr<OperatorPasses>> Engine::MakePasses(const ProgramRef& program) {
  CheckDeclared(state_, program.traits);
  RETURN_IF_ERROR(Begin());
  CHECK(program.calls != nullptr);
  return backend_->MakePasses(program);
}

template <typename Run>
Status Engine::Call(const OperatorCall& call, Run run) {
  if (checkpoints_ == nullptr) return run();
  ASSIGN_OR_RETURN(const bool answered, checkpoints_->Begin(call));
  if (!answered) RETURN_IF_ERROR(run());
  return checkpoints_->End(call);
}

StatusOr<FixpointTotals> Engine::RunInParts(const ProgramRef& program, OperatorKind kind,
                                            OpenOperator open, uint64_t most) {
  const OperatorCall call{kind, program.calls->fields, program.program};
  FixpointTotals totals;
  RETURN_IF_ERROR(Call(call, [&]() -> Status {
    if (checkpoints_ != nullptr) {
      OpenOperator restored = checkpoints_->TakeOpen();
      program.Next(restored.passes);
      if (restored.passes > 0) open = std::move(restored);
    }
    while (true) {
      ASSIGN_OR_RETURN(const auto passes, MakePasses(program));
      ASSIGN_OR_RETURN(
          FixpointTotals part,
          kind == OperatorKind::kBucketed
              ? RunBucketed(*passes, program, std::move(open.left), &open.bucket, checkpoints_)
              : RunFixpoint(*passes, program, std::move(open.left), most - open.passes,
                            checkpoints_));
      open.passes += part.passes;
      open.emitted += part.emitted;
      open.left = std::move(part.left);
      if (checkpoints_ == nullptr) break;
      checkpoints_->CountPasses(part.passes);
      if (open.left.empty() || open.passes == most) break;
      RETURN_IF_ERROR(checkpoints_->Pause(call, open));
    }
    totals = {open.passes, open.emitted, std::move(open.left)};
    return OkStatus();
  }));
  if (checkpoints_ == nullptr) return totals;
  checkpoints_->journal().PassNumber(JournalTag::kNumber, &totals.passes);
  checkpoints_->journal().PassNumber(JournalTag::kNumber, &totals.emitted);
  ASSIGN_OR_RETURN(totals.left, sets().Kept(std::move(totals.left)));
  return totals;
}

StatusOr<VertexSet> Engine::Map(const ProgramRef& program, const VertexSet& from) {
  VertexSet next;
  const OperatorCall call{OperatorKind::kEdgeMap, program.calls->fields, program.program};
  RETURN_IF_ERROR(Call(call, [&]() -> Status {
    ASSIGN_OR_RETURN(const auto passes, MakePasses(program));
    ASSIGN_OR_RETURN(next, RunEdgeMap(*passes, program, from));
    if (checkpoints_ != nullptr) checkpoints_->CountPasses(1);
    return OkStatus();
  }));
  return sets().Kept(std::move(next));
}

StatusOr<FixpointTotals> Engine::RunToEnd(const ProgramRef& program, VertexSet from,
                                          uint64_t most) {
  return RunInParts(program, OperatorKind::kFixpoint, {.left = std::move(from)}, most);
}

StatusOr<FixpointTotals> Engine::RunInBuckets(const ProgramRef& program, VertexSet from,
                                              const Buckets& buckets) {
  return RunInParts(program, OperatorKind::kBucketed,
                    {.bucket = BucketBound(buckets), .left = std::move(from)}, ~uint64_t{0});
}

Status Engine::MapVertices(const FunctionRef& function, const VertexSet& set) {
  const OperatorCall call{OperatorKind::kVertexMap, function.calls->fields, function.function};
  return Call(call, [&]() -> Status {
    RETURN_IF_ERROR(Begin());
    if (set.empty()) return OkStatus();
    CHECK(function.calls->use == FunctionUse::kMap);
    return backend_->Map(function, set);
  });
}

StatusOr<VertexSet> Engine::FilterVertices(const FunctionRef& function, const VertexSet& set) {
  const OperatorCall call{OperatorKind::kVertexFilter, function.calls->fields, function.function};
  VertexSet kept = sets().None();
  RETURN_IF_ERROR(Call(call, [&]() -> Status {
    RETURN_IF_ERROR(Begin());
    if (set.empty()) return OkStatus();
    CHECK(function.calls->use == FunctionUse::kFilter);
    ASSIGN_OR_RETURN(kept, backend_->Filter(function, set));
    return OkStatus();
  }));
  return sets().Kept(std::move(kept));
}

Status Engine::ReduceVertices(const FunctionRef& function, const VertexSet& set, void* total) {
  CHECK(function.calls->use == FunctionUse::kReduce && function.calls->clear != nullptr);
  function.calls->clear(total);
  const OperatorCall call{OperatorKind::kReduce, function.calls->fields, function.function};
  RETURN_IF_ERROR(Call(call, [&]() -> Status {
    RETURN_IF_ERROR(Begin());
    return set.empty() ? OkStatus() : backend_->Reduce(function, set, total);
  }));
  if (checkpoints_ != nullptr) {
    checkpoints_->journal().Pass(JournalTag::kNumber,
                                 {static_cast<std::byte*>(total), function.calls->sum_bytes});
  }
  return OkStatus();
}

Status Engine::VisitEdges(const FunctionRef& function, Directions directions, const VertexSet& set,
                          const Slice& slice) {
  CheckVisited(state_, directions);
  RETURN_IF_ERROR(CheckLists(graph_, directions, function.calls->weighted));
  const OperatorCall call{OperatorKind::kEdgeVisit, function.calls->fields, function.function};
  return Call(call, [&]() -> Status {
    RETURN_IF_ERROR(Begin());
    if (set.empty()) return OkStatus();
    if (checkpoints_ != nullptr) checkpoints_->CountPasses(1);
    return backend_->VisitEdges(function, directions, set, slice);
  });
}

std::vector<Directions> Engine::lists() const {
  if (!graph_.info().directed) return {kOut};
  std::vector<Directions> lists;
  if (graph_.has_lists(Direction::kOut)) lists.push_back(kOut);
  if (graph_.has_lists(Direction::kIn)) lists.push_back(kIn);
  return lists;
}

Status Engine::VisitIncidentEdges(const FunctionRef& function, Directions lists,
                                  const VertexSet& set, const Slice& slice) {
  const bool all = graph_.info().directed && this->lists().size() == 1 && !set.empty();
  return all ? VisitEdges(function, lists, sets().All(), slice)
             : VisitEdges(function, lists, set, slice);
}

bool Engine::Recorded(bool fact) const {
  auto byte = uint8_t{fact};
  if (checkpoints_ != nullptr) checkpoints_->journal().Pass(JournalTag::kFact, &byte);
  return byte != 0;
}

Status Engine::VisitSampledEdges(const FunctionRef& function) {
  const std::vector<Directions> all = lists();
  CHECK(!all.empty());  // a graph has the lists of one direction at least
  const Directions first = all[0];
  CheckVisited(state_, first);
  const OperatorCall call{OperatorKind::kVisitSampled, function.calls->fields, function.function};
  RETURN_IF_ERROR(Call(call, [&]() -> Status {
    RETURN_IF_ERROR(Begin());
    return backend_->VisitSampled(function, first);
  }));
  // If the run goes on elsewhere, what was sampled here stays.
  if (checkpoints_ != nullptr) sampled_hubs_ = Recorded(backend_->samples_hubs());
  return OkStatus();
}

Status Engine::IntersectLists(const FunctionRef& function, bool arcs) {
  CheckIntersected(state_, arcs);
  RETURN_IF_ERROR(CheckLists(graph_, kBoth, /*weighted=*/false));
  const OperatorCall call{OperatorKind::kIntersect, function.calls->fields, function.function};
  return Call(call, [&]() -> Status {
    RETURN_IF_ERROR(Begin());
    if (checkpoints_ != nullptr) checkpoints_->CountPasses(1);
    return backend_->Intersect(function);
  });
}

bool Engine::samples_hubs() const {
  return sampled_hubs_.has_value() ? *sampled_hubs_ : Recorded(backend_->samples_hubs());
}

}  // namespace edgemill
