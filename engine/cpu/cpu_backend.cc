#include "engine/cpu/cpu_backend.h"

#include <utility>

#include "common/check.h"
#include "engine/cpu/cpu_calls.h"

namespace edgemill {

CpuPasses::CpuPasses(LoadedGraph& graph, Workspace& workspace, Recorder& recorder,
                     const ProgramRef& program)
    : graph_(graph),
      workspace_(workspace),
      recorder_(recorder),
      program_(program),
      policy_(program.traits, workspace.lists(), workspace.options().mode,
              workspace.options().async_passes > 0, workspace.sizes()),
      lists_{ListsOf(program.traits.directions, workspace.lists().directed, /*reversed=*/false),
             ListsOf(program.traits.directions, workspace.lists().directed, /*reversed=*/true)},
      sets_(graph, workspace.sets(), lists_[0]) {
  CHECK(program.calls != nullptr && program.calls->cpu != nullptr);
  CHECK_EQ(workspace.sets().num_vertices(), graph.num_vertices());  // both are for the same graph
  if (program.traits.takes_first) {
    closed_.emplace(workspace.closed(), graph.num_vertices(), graph.threads());
  }
}

Status CpuPasses::Begin(const VertexSet& from) {
  RETURN_IF_ERROR(policy_.Check(graph_.store().path()));
  return sets_.Begin(from);
}

Mode CpuPasses::NextMode() const {
  const ActiveCounts active = sets_.active();
  return policy_.Choose({active.vertices, active.edges, emitted_.edges, pulled_blocks_});
}

Status CpuPasses::Pass(bool asynchronous, double bound) {
  return program_.calls->cpu->pass(*this, program_.program, NextMode(), asynchronous, bound);
}

Status CpuPasses::Advance() {
  emitted_.vertices += sets_.active().vertices;
  emitted_.edges += sets_.active().edges;
  return sets_.Advance();
}

Status CpuPasses::Split(double bound) {
  CHECK(program_.calls->cpu->split != nullptr);  // compiled where there is a Priority
  return program_.calls->cpu->split(sets_, program_.program, bound);
}

StatusOr<double> CpuPasses::LeastWaiting(double bound) {
  CHECK(program_.calls->cpu->least_waiting != nullptr);
  return program_.calls->cpu->least_waiting(sets_, program_.program, bound);
}

Status CpuPasses::ActivateWaiting(double before, double bound) {
  CHECK(program_.calls->cpu->activate_waiting != nullptr);
  return program_.calls->cpu->activate_waiting(sets_, program_.program, before, bound);
}

StatusOr<std::unique_ptr<CpuBackend>> CpuBackend::Create(LoadedGraph& graph, ProgramList programs,
                                                         const PassOptions& options,
                                                         uint64_t max_sets, Recorder& recorder) {
  ASSIGN_OR_RETURN(
      auto workspace,
      Workspace::Create(graph, WorkspaceNeedsOf(programs, options, ListColumnsOf(graph)), options,
                        max_sets));
  return std::unique_ptr<CpuBackend>(new CpuBackend(graph, std::move(workspace), recorder));
}

StatusOr<std::unique_ptr<OperatorPasses>> CpuBackend::MakePasses(const ProgramRef& program) {
  RETURN_IF_ERROR(program.calls->fields.on_host(program.program));
  return std::unique_ptr<OperatorPasses>(
      std::make_unique<CpuPasses>(graph_, *workspace_, recorder_, program));
}

Status CpuBackend::Map(const FunctionRef& function, const VertexSet& set) {
  CHECK(function.calls->cpu->map != nullptr);  // a function is compiled for its use
  RETURN_IF_ERROR(function.calls->fields.on_host(function.function));
  return function.calls->cpu->map(graph_, set.frontier(), function.function);
}

StatusOr<VertexSet> CpuBackend::Filter(const FunctionRef& function, const VertexSet& set) {
  CHECK(function.calls->cpu->filter != nullptr);
  RETURN_IF_ERROR(function.calls->fields.on_host(function.function));
  ASSIGN_OR_RETURN(std::unique_ptr<Frontier> selected, sets().Acquire());
  const Status status =
      function.calls->cpu->filter(graph_, set.frontier(), function.function, *selected);
  if (!status.ok()) {
    sets().Return(std::move(selected));
    return status;
  }
  return sets().Seal(std::move(selected));
}

Status CpuBackend::Reduce(const FunctionRef& function, const VertexSet& set, void* total) {
  CHECK(function.calls->cpu->reduce != nullptr);
  RETURN_IF_ERROR(function.calls->fields.on_host(function.function));
  return function.calls->cpu->reduce(graph_, set.frontier(), function.function, total);
}

Status CpuBackend::VisitEdges(const FunctionRef& function, Directions directions,
                              const VertexSet& set, const Slice& slice) {
  CHECK(function.calls->cpu->visit != nullptr);
  RETURN_IF_ERROR(function.calls->fields.on_host(function.function));
  recorder_.Start(Mode::kPush, set.size(), 0);
  const std::vector<Direction> lists =
      ListsOf(directions, graph_.info().directed, /*reversed=*/false);
  RETURN_IF_ERROR(function.calls->cpu->visit(graph_, recorder_, {lists, set.frontier(), slice},
                                             function.function));
  recorder_.Finish();
  return OkStatus();
}

Status CpuBackend::VisitSampled(const FunctionRef& function, Directions lists) {
  CHECK(function.calls->use == FunctionUse::kVisitSampled);
  RETURN_IF_ERROR(VisitEdges(function, lists, sets().All(), Slice{.count = 1}));
  const Direction direction = ListsOf(lists, graph_.info().directed, /*reversed=*/false)[0];
  return function.calls->cpu->visit_isolated(graph_, direction, function.function);
}

Status CpuBackend::Intersect(const FunctionRef& function) {
  CHECK(function.calls->cpu->intersect != nullptr);
  RETURN_IF_ERROR(function.calls->fields.on_host(function.function));
  recorder_.Start(Mode::kPull, graph_.num_vertices(), 0);
  RETURN_IF_ERROR(function.calls->cpu->intersect(
      graph_, recorder_, workspace_->options().list_bytes, function.function));
  recorder_.Finish();
  return OkStatus();
}

}  // namespace edgemill
