#include "engine/api/engine.h"

#include <algorithm>

#include "common/check.h"
#include "common/strings.h"
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

StatusOr<VertexSet> Engine::Map(const ProgramRef& program, const VertexSet& from) {
  ASSIGN_OR_RETURN(const auto passes, MakePasses(program));
  return RunEdgeMap(*passes, program, from);
}

StatusOr<FixpointTotals> Engine::RunToEnd(const ProgramRef& program, VertexSet from,
                                          uint64_t most) {
  ASSIGN_OR_RETURN(const auto passes, MakePasses(program));
  return RunFixpoint(*passes, program, std::move(from), most);
}

StatusOr<FixpointTotals> Engine::RunInBuckets(const ProgramRef& program, VertexSet from,
                                              const Buckets& buckets) {
  ASSIGN_OR_RETURN(const auto passes, MakePasses(program));
  return RunBucketed(*passes, program, std::move(from), buckets);
}

Status Engine::MapVertices(const FunctionRef& function, const VertexSet& set) {
  RETURN_IF_ERROR(Begin());
  if (set.empty()) return OkStatus();
  CHECK(function.calls->use == FunctionUse::kMap);
  return backend_->Map(function, set);
}

StatusOr<VertexSet> Engine::FilterVertices(const FunctionRef& function, const VertexSet& set) {
  RETURN_IF_ERROR(Begin());
  if (set.empty()) return sets().None();
  CHECK(function.calls->use == FunctionUse::kFilter);
  return backend_->Filter(function, set);
}

Status Engine::ReduceVertices(const FunctionRef& function, const VertexSet& set, void* total) {
  RETURN_IF_ERROR(Begin());
  CHECK(function.calls->use == FunctionUse::kReduce && function.calls->clear != nullptr);
  function.calls->clear(total);
  if (set.empty()) return OkStatus();
  return backend_->Reduce(function, set, total);
}

Status Engine::VisitEdges(const FunctionRef& function, Directions directions, const VertexSet& set,
                          const Slice& slice) {
  CheckVisited(state_, directions);
  RETURN_IF_ERROR(CheckLists(graph_, directions, function.calls->weighted));
  RETURN_IF_ERROR(Begin());
  if (set.empty()) return OkStatus();
  return backend_->VisitEdges(function, directions, set, slice);
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

Status Engine::VisitSampledEdges(const FunctionRef& function) {
  const std::vector<Directions> all = lists();
  CHECK(!all.empty());  // a graph has the lists of one direction at least
  const Directions first = all[0];
  CheckVisited(state_, first);
  RETURN_IF_ERROR(Begin());
  return backend_->VisitSampled(function, first);
}

}  // namespace edgemill
