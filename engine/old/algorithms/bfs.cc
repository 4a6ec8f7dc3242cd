// Breadth-first search with a GPU.
#include "engine/old/algorithms/bfs_program.h"
#include "engine/old/algorithms/executor_choice.h"

namespace edgemill {
namespace {

StatusOr<GpuAlgorithmNeeds> Plan(const GraphStore& store, const RunOptions& options) {
  const GraphInfo& info = store.info();
  GpuAlgorithmNeeds needs;
  needs.graph.out_index = options.mode != Mode::kPull && store.has(ColumnKind::kOutOffsets);
  needs.graph.in_index =
      options.mode != Mode::kPush && (!info.directed || store.has(ColumnKind::kInOffsets));
  needs.gpu = options.values.GetOr("--parents", false)
                  ? GpuNeedsOf<BfsProgram<true>>(store, needs.graph, options.mode)
                  : GpuNeedsOf<BfsProgram<false>>(store, needs.graph, options.mode);
  needs.block_ids = Executor<BfsProgram<false>>::kWhole;
  needs.work_bytes =
      (info.num_vertices + 63) / 64 * 8 +
      Executor<BfsProgram<false>>::SizeBytes(info.num_vertices, info.num_blocks(), options.mode);
  return needs;
}

template <bool kParents>
Status Search(const RunEnvironment& environment, State& state, Answer* answer) {
  LoadedGraph& graph = environment.graph;
  const uint64_t num_vertices = graph.num_vertices();
  ASSIGN_OR_RETURN(const MemoryReservation reservation,
                   graph.budget().Reserve((num_vertices + 63) / 64 * 8, "BFS bits"));
  ASSIGN_OR_RETURN(Array<uint64_t> seen, Array<uint64_t>::Allocate((num_vertices + 63) / 64));
  const std::span<uint32_t> level = state.Find<uint32_t>("level");
  const std::span<VertexId> parent = state.Find<VertexId>("parent");
  using Program = BfsProgram<kParents>;
  Program program{level.data(), parent.data(), seen.data(), environment.source};
  ASSIGN_OR_RETURN(auto executor, MakeExecutor<Program>(environment, environment.options.mode));
  RETURN_IF_ERROR(executor->Initialise(program));
  ASSIGN_OR_RETURN(const auto totals, executor->RunToEnd(&program));
  RETURN_IF_ERROR(executor->Finish(program));
  if (kParents) {
    answer->Fill("parent", parent);
  } else {
    answer->Fill("level", level);
  }
  answer->AddReached(totals.activations, num_vertices);
  answer->AddCount("farthest level", totals.iterations - 1);
  return OkStatus();
}

Status Run(const RunEnvironment& environment, State& state, const RunContext&, Answer* answer) {
  return environment.options.values.GetOr("--parents", false)
             ? Search<true>(environment, state, answer)
             : Search<false>(environment, state, answer);
}

}  // namespace

const GpuAlgorithm kGpuBfs = {Plan, Run};

}  // namespace edgemill
