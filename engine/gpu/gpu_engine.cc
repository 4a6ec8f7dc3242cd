#include "engine/gpu/gpu_engine.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/gpu/gpu_passes.h"

namespace edgemill {

StatusOr<std::unique_ptr<GpuEngine>> GpuEngine::Create(const GpuRun& run, LoadedGraph& graph,
                                                       const CardNeeds& needs, DeviceArena& arena,
                                                       SetPool& pool, Mode mode,
                                                       Recorder& recorder) {
  std::unique_ptr<GpuEngine> engine(new GpuEngine(mode));
  ASSIGN_OR_RETURN(engine->workspace_, GpuWorkspace::Create(run, graph, needs, arena, recorder));
  ASSIGN_OR_RETURN(
      engine->home_,
      DeviceHome::Create(run.gpu, engine->workspace_->main(),
                         DeviceHome::StagingBytes(graph.num_vertices() * 8), graph.threads()));
  engine->sets_ = std::make_unique<GpuSets>(*engine->workspace_, pool, *engine->home_);
  engine->indexes_ = engine->workspace_->directions().IndexCopies();
  if (needs.shares) {
    ASSIGN_OR_RETURN(engine->messages_,
                     CardMessages::Create(run.gpu, needs.passes.partial_bytes, graph.budget()));
  }
  return engine;
}

StatusOr<std::unique_ptr<GpuPasses>> GpuEngine::MakePasses(const CardProgram& program) {
  return ProgramPasses::Create(*workspace_, *sets_, program, mode_, messages_.get());
}

StatusOr<const uint32_t*> GpuEngine::Members(const VertexSet& set) {
  if (set.is_all()) return static_cast<const uint32_t*>(nullptr);
  RETURN_IF_ERROR(sets_->Upload(set));
  return static_cast<const uint32_t*>(workspace_->arrays().current);
}

Status GpuEngine::BeginTallies(const CardFunction& function) {
  if (function.tallies.empty()) return OkStatus();
  return workspace_->control().Write(workspace_->arrays().tallies, function.tallies);
}

Status GpuEngine::EndTallies(const CardFunction& function) {
  if (function.tallies.empty()) return OkStatus();
  return workspace_->control().Read(function.tallies, workspace_->arrays().tallies);
}

Status GpuEngine::Map(const CardFunction& function, const VertexSet& set) {
  RETURN_IF_ERROR(BeginTallies(function));
  ASSIGN_OR_RETURN(const uint32_t* const members, Members(set));
  function.kernels->map(function.function, members, workspace_->graph().num_vertices(),
                        workspace_->arrays().tallies, workspace_->Grids(),
                        workspace_->main().handle());
  RETURN_IF_ERROR(After("map"));
  return EndTallies(function);
}

StatusOr<VertexSet> GpuEngine::Filter(const CardFunction& function, const VertexSet& set) {
  PassArrays& arrays = workspace_->arrays();
  RETURN_IF_ERROR(BeginTallies(function));
  ASSIGN_OR_RETURN(const uint32_t* const members, Members(set));
  RETURN_IF_ERROR(sets_->ClaimCleared(arrays.next));
  function.kernels->filter(function.function, members, workspace_->graph().num_vertices(),
                           arrays.next, arrays.tallies, workspace_->Grids(),
                           workspace_->main().handle());
  RETURN_IF_ERROR(After("filter"));
  RETURN_IF_ERROR(EndTallies(function));
  return TakeNext();
}

StatusOr<VertexSet> GpuEngine::TakeNext() {
  PassArrays& arrays = workspace_->arrays();
  GpuStream& main = workspace_->main();
  auto* const counts = &arrays.counters->frontier;
  RETURN_IF_ERROR(main.Fill(counts, 0, sizeof(*counts)));
  VertexIndexView no_index;
  no_index.num_vertices = static_cast<VertexId>(workspace_->graph().num_vertices());
  LaunchCountFrontier(no_index, arrays.next, counts, main.handle());
  RETURN_IF_ERROR(After("count members"));
  ASSIGN_OR_RETURN(const PassCounters counters, workspace_->ReadCounters());
  std::swap(arrays.current, arrays.next);
  return sets_->Download(counters.frontier.vertices);
}

bool GpuEngine::keeps_neighbors() const {
  return !workspace_->graph().info().directed && workspace_->keeps_neighbors(Direction::kOut);
}

Status GpuEngine::LaunchVisitKept(const CardFunction& function, uint32_t* members) {
  PassArrays& arrays = workspace_->arrays();
  const uint64_t num_vertices = workspace_->graph().num_vertices();
  RETURN_IF_ERROR(BeginTallies(function));
  workspace_->recorder().Start(Mode::kPush, num_vertices, 0);
  workspace_->recorder().AddEdges(num_vertices);
  RETURN_IF_ERROR(workspace_->KeepNeighbors());
  function.kernels->visit_kept(function.function, num_vertices, arrays.kept_neighbors.neighbor,
                               members, arrays.tallies, workspace_->Grids(),
                               workspace_->main().handle());
  RETURN_IF_ERROR(After("visit kept neighbours"));
  return EndTallies(function);
}

Status GpuEngine::VisitKept(const CardFunction& function) {
  RETURN_IF_ERROR(LaunchVisitKept(function, nullptr));
  RETURN_IF_ERROR(workspace_->main().Synchronize());
  workspace_->recorder().Finish();
  return OkStatus();
}

StatusOr<VertexSet> GpuEngine::FilterKept(const CardFunction& function) {
  RETURN_IF_ERROR(sets_->ClaimCleared(workspace_->arrays().next));
  RETURN_IF_ERROR(LaunchVisitKept(function, workspace_->arrays().next));
  ASSIGN_OR_RETURN(VertexSet members, TakeNext());
  workspace_->recorder().Finish();
  return members;
}

Status GpuEngine::Reduce(const CardFunction& function, const VertexSet& set,
                         std::span<std::byte> sums) {
  RETURN_IF_ERROR(BeginTallies(function));
  ASSIGN_OR_RETURN(const uint32_t* const members, Members(set));
  function.kernels->reduce(function.function, members, workspace_->graph().num_vertices(),
                           workspace_->arrays().reduced, workspace_->arrays().tallies,
                           workspace_->main().handle());
  RETURN_IF_ERROR(After("reduce"));
  RETURN_IF_ERROR(EndTallies(function));
  return home_->CopyToHost(sums, workspace_->arrays().reduced);
}

Status GpuEngine::VisitEdges(const CardFunction& function, Directions directions,
                             const VertexSet& set, const Slice& slice) {
  RETURN_IF_ERROR(BeginTallies(function));
  ASSIGN_OR_RETURN(const uint32_t* const members, Members(set));
  Recorder& recorder = workspace_->recorder();
  recorder.Start(Mode::kPush, set.size(), 0);
  const EdgeIndex num_edges = workspace_->graph().num_edges();
  const bool some = slice.count < num_edges / std::max<uint64_t>(1, set.size());
  recorder.AddEdges(some ? set.size() * slice.count : num_edges);
  // Edges before a slice share groups with it: whole lists are as good then.
  const ListPart part{.first_edges = slice.skip == 0 ? slice.count : ~uint64_t{0},
                      .omitted_edges = slice.may_omit};
  for (const Direction lists :
       ListsOf(directions, workspace_->graph().info().directed, /*reversed=*/false)) {
    // Union-find joins trees faster when hubs are joined first. Where lists are long, few groups of
    // a block begin lists: such blocks are zero-copied.
    RETURN_IF_ERROR(workspace_->RunPass(
        {.direction = lists, .zero_copy_first = true, .members = members, .part = part},
        [&](const RunSource& source, uint64_t num_runs, GpuStream& on, uint32_t) {
          function.kernels->visit(function.function, members, slice, workspace_->arrays().tallies,
                                  workspace_->edges(lists), source,
                                  workspace_->directions().damaged(lists),
                                  workspace_->Grids(num_runs), on.handle());
          return After("visit edges");
        }));
  }
  RETURN_IF_ERROR(workspace_->ReadCounters().status());
  RETURN_IF_ERROR(workspace_->Report());
  recorder.Finish();
  return EndTallies(function);
}

}  // namespace edgemill
