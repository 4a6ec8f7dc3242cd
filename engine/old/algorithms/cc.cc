// Connected components with a GPU.
#include "engine/old/algorithms/afforest_gpu.h"
#include "engine/old/algorithms/executor_choice.h"
#include "engine/old/algorithms/label_program.h"

namespace edgemill {
namespace {

bool SpreadsLabels(const RunOptions& options) {
  return options.values.GetOr("--method", std::string_view()) == "labels";
}

StatusOr<GpuAlgorithmNeeds> Plan(const GraphStore& store, const RunOptions& options) {
  const GraphInfo& info = store.info();
  GpuAlgorithmNeeds needs;
  needs.graph.out_index = store.has(ColumnKind::kOutOffsets);
  needs.graph.in_index = !info.directed || store.has(ColumnKind::kInOffsets);
  needs.block_ids = true;
  if (SpreadsLabels(options)) {
    if (info.directed) {
      return UsageError(
          "--method labels needs a symmetric graph with a GPU: use afforest, or --device cpu");
    }
    needs.work_bytes =
        Executor<LabelProgram>::SizeBytes(info.num_vertices, info.num_blocks(), options.mode);
    needs.gpu = GpuNeedsOf<LabelProgram>(store, needs.graph, options.mode);
    return needs;
  }
  ArenaPlan arena;
  VertexId* parent = nullptr;
  arena.Plan(&parent, info.num_vertices);
  needs.gpu = {arena.bytes(), 0,
               AfforestNeeds(ModeRules(store, needs.graph, Mode::kAuto, {}), info.directed)};
  return needs;
}

Status Run(const RunEnvironment& environment, State& state, const RunContext&, Answer* answer) {
  const std::span<VertexId> component = state.Find<VertexId>("component");
  answer->Fill("component", component);
  if (!SpreadsLabels(environment.options)) {
    return component.empty() ? OkStatus() : AfforestOnGpu(environment, component);
  }
  LabelProgram program{component.data()};
  ASSIGN_OR_RETURN(auto executor,
                   MakeExecutor<LabelProgram>(environment, environment.options.mode));
  RETURN_IF_ERROR(executor->Initialise(program));
  RETURN_IF_ERROR(executor->RunToEnd(&program).status());
  return executor->Finish(program);
}

}  // namespace

const GpuAlgorithm kGpuCc = {Plan, Run};

}  // namespace edgemill
