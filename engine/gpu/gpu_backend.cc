#include "engine/gpu/gpu_backend.h"

#include <algorithm>
#include <utility>

#include "common/check.h"
#include "common/strings.h"
#include "engine/gpu/gpu_passes.h"
#include "engine/gpu/gpu_team.h"

namespace edgemill {

StatusOr<std::unique_ptr<GpuBackend>> GpuBackend::Create(const GpuSetting& setting,
                                                         LoadedGraph& graph, State& state,
                                                         std::unique_ptr<Backend> host,
                                                         Recorder& recorder) {
  std::unique_ptr<GpuBackend> backend(new GpuBackend(setting, state, std::move(host), recorder));
  RETURN_IF_ERROR(backend->Start(setting, graph, recorder));
  return backend;
}

Status GpuBackend::Start(const GpuSetting& setting, LoadedGraph& graph, Recorder& recorder) {
  copies_.Plan(&arena_);
  ASSIGN_OR_RETURN(workspace_,
                   GpuWorkspace::Create(setting.run, graph, setting.needs, arena_, recorder));
  ASSIGN_OR_RETURN(home_, DeviceHome::Create(setting.run.gpu, workspace_->main(),
                                             DeviceHome::StagingBytes(graph.num_vertices() * 8),
                                             graph.threads()));
  sets_ = std::make_unique<GpuSets>(*workspace_, host_->sets(), *home_);
  indexes_ = workspace_->directions().IndexCopies();
  memory_.indexes = indexes_;
  if (setting.needs.shares) {
    ASSIGN_OR_RETURN(
        messages_,
        GpuMessages::Create(setting.run.gpu, MostSumBytes(setting.needs.programs), graph.budget()));
  }
  RETURN_IF_ERROR(copies_.Begin(*home_, FirstElements::kZeros));
  timer_.EndSetUp();
  return OkStatus();
}

GpuBackend::~GpuBackend() { timer_.BeginTearDown(); }

const FunctionKernels* GpuBackend::KernelsOf(const FunctionRef& function) {
  const FunctionCalls& calls = *function.calls;
  // A function on weights has kernels only where some program brings weights.
  if (calls.weighted && !workspace_->needs().has_weighted()) return nullptr;
  const auto [found, is_new] = kernels_.of_functions.try_emplace(&calls, nullptr);
  if (is_new) found->second = FindFunction(kernels_.file, calls.fields.type_name, calls.use);
  return found->second;
}

StatusOr<const EdgeProgramLaunchers*> GpuBackend::KernelsOf(const ProgramRef& program) {
  const auto [found, is_new] = kernels_.of_programs.try_emplace(program.calls, nullptr);
  if (is_new) found->second = FindEdgeProgram(kernels_.file, program.calls->fields.type_name);
  if (found->second == nullptr) {
    return GpuError(StrCat("the file of ", *program.traits.name, ", ", kernels_.file,
                           ".cc, was not compiled for GPUs"));
  }
  return found->second;
}

StatusOr<std::unique_ptr<OperatorPasses>> GpuBackend::MakePasses(const ProgramRef& program) {
  ASSIGN_OR_RETURN(const EdgeProgramLaunchers* const kernels, KernelsOf(program));
  ASSIGN_OR_RETURN(std::unique_ptr<ProgramPasses> passes,
                   ProgramPasses::Create(*workspace_, *sets_, {program, *kernels}, memory_, mode_));
  return std::unique_ptr<OperatorPasses>(std::move(passes));
}

StatusOr<std::unique_ptr<MainTeam>> GpuBackend::MakeTeam(const ProgramRef& program) {
  CHECK(messages_ != nullptr);
  ASSIGN_OR_RETURN(const EdgeProgramLaunchers* const kernels, KernelsOf(program));
  ASSIGN_OR_RETURN(std::unique_ptr<ProgramPasses> passes,
                   ProgramPasses::Create(*workspace_, *sets_, {program, *kernels}, memory_, mode_));
  return std::unique_ptr<MainTeam>(
      std::make_unique<GpuTeam>(std::move(passes), *workspace_, *sets_, *messages_, memory_));
}

StatusOr<const uint32_t*> GpuBackend::Members(const VertexSet& set) {
  if (set.is_all()) return static_cast<const uint32_t*>(nullptr);
  RETURN_IF_ERROR(sets_->Upload(set));
  return static_cast<const uint32_t*>(workspace_->arrays().sets.current);
}

template <typename Launch>
Status GpuBackend::Call(const FunctionRef& function, Launch launch) {
  const FieldCalls& calls = function.calls->fields;
  DeviceCopy copy;
  ASSIGN_OR_RETURN(const void* const device, copy.Make(calls, function.function, memory_));
  TallySlots tallies;
  calls.begin_tallies(function.function, &tallies);
  std::byte* const totals = workspace_->arrays().sums.tallies;
  const bool has_tallies = !tallies.bytes().empty();
  if (has_tallies) RETURN_IF_ERROR(workspace_->control().Write(totals, tallies.bytes()));
  RETURN_IF_ERROR(launch(device));
  if (!has_tallies) return OkStatus();
  RETURN_IF_ERROR(workspace_->control().Read(tallies.bytes(), totals));
  calls.merge_tallies(function.function, tallies.bytes());
  return OkStatus();
}

Status GpuBackend::Map(const FunctionRef& function, const VertexSet& set) {
  const FunctionKernels* const kernels = KernelsOf(function);
  if (kernels == nullptr) return host_->Map(function, set);
  return Call(function, [&](const void* device) -> Status {
    ASSIGN_OR_RETURN(const uint32_t* const members, Members(set));
    kernels->map(device, LaunchOf(members), on());
    return After("map");
  });
}

StatusOr<VertexSet> GpuBackend::Filter(const FunctionRef& function, const VertexSet& set) {
  const FunctionKernels* const kernels = KernelsOf(function);
  if (kernels == nullptr) return host_->Filter(function, set);
  PassArrays& arrays = workspace_->arrays();
  RETURN_IF_ERROR(Call(function, [&](const void* device) -> Status {
    ASSIGN_OR_RETURN(const uint32_t* const members, Members(set));
    RETURN_IF_ERROR(sets_->ClaimCleared(arrays.sets.next));
    kernels->filter(device, LaunchOf(members), arrays.sets.next, on());
    return After("filter");
  }));
  return SealNext();
}

StatusOr<VertexSet> GpuBackend::SealNext() {
  PassArrays& arrays = workspace_->arrays();
  GpuStream& main = workspace_->main();
  auto* const counts = &arrays.counters->frontier;
  RETURN_IF_ERROR(main.Fill(counts, 0, sizeof(*counts)));
  VertexIndexView no_index;
  no_index.num_vertices = static_cast<VertexId>(workspace_->graph().num_vertices());
  LaunchCountFrontier(no_index, arrays.sets.next, counts, main.handle());
  RETURN_IF_ERROR(After("count members"));
  ASSIGN_OR_RETURN(const PassCounters counters, workspace_->ReadCounters());
  std::swap(arrays.sets.current, arrays.sets.next);
  return sets_->Download(counters.frontier.vertices);
}

Status GpuBackend::Reduce(const FunctionRef& function, const VertexSet& set, void* total) {
  const FunctionKernels* const kernels = KernelsOf(function);
  if (kernels == nullptr) return host_->Reduce(function, set, total);
  CHECK_LE(function.calls->sum_bytes, kMaxReducedBytes);  // `reduced` is planned for these
  const uint64_t count = NumReduceChunks(workspace_->graph().num_vertices());
  std::vector<std::byte> sums(count * function.calls->sum_bytes);
  RETURN_IF_ERROR(Call(function, [&](const void* device) -> Status {
    ASSIGN_OR_RETURN(const uint32_t* const members, Members(set));
    kernels->reduce(device, LaunchOf(members), workspace_->arrays().sums.reduced, on());
    RETURN_IF_ERROR(After("reduce"));
    return home_->CopyToHost(sums, workspace_->arrays().sums.reduced);
  }));
  function.calls->combine(sums.data(), count, total);
  return OkStatus();
}

Status GpuBackend::VisitEdges(const FunctionRef& function, Directions directions,
                              const VertexSet& set, const Slice& slice) {
  const FunctionKernels* const kernels = KernelsOf(function);
  if (kernels == nullptr) return host_->VisitEdges(function, directions, set, slice);
  return Call(function, [&](const void* device) -> Status {
    ASSIGN_OR_RETURN(const uint32_t* const members, Members(set));
    Recorder& recorder = workspace_->recorder();
    recorder.Start(Mode::kPush, set.size(), 0);
    const EdgeIndex num_edges = workspace_->graph().num_edges();
    const bool some = slice.count < num_edges / std::max<uint64_t>(1, set.size());
    recorder.AddEdges(some ? set.size() * slice.count : num_edges);
    // For a slice that skips edges, whole lists are read: most skipped edges are in the same
    // groups.
    const ListPart part{.first_edges = slice.skip == 0 ? slice.count : ~uint64_t{0},
                        .omitted_edges = samples_hubs() ? slice.may_omit : 0};
    for (const Direction lists :
         ListsOf(directions, workspace_->graph().info().directed, /*reversed=*/false)) {
      // Union-find joins trees faster when hubs are joined first. Blocks with long lists have few
      // wanted groups, so they are zero-copied and come first.
      RETURN_IF_ERROR(workspace_->RunPass(
          {.direction = lists, .zero_copy_first = true, .members = members, .part = part},
          [&](const TileSelection& source, uint64_t num_tiles, GpuStream& on, uint32_t) {
            FunctionLaunch launch = LaunchOf(members);
            launch.damaged = workspace_->directions().damaged(lists);
            kernels->visit(device, launch, slice, {workspace_->edges(lists), source},
                           {workspace_->Grids(num_tiles), on.handle()});
            return After("visit edges");
          }));
    }
    RETURN_IF_ERROR(workspace_->ReadCounters().status());
    RETURN_IF_ERROR(workspace_->Report());
    recorder.Finish();
    return OkStatus();
  });
}

bool GpuBackend::samples_hubs() const {
  return !workspace_->graph().info().directed && workspace_->samples_neighbors(Direction::kOut);
}

Status GpuBackend::VisitSampled(const FunctionRef& function, Directions lists) {
  const FunctionKernels* const kernels = KernelsOf(function);
  if (kernels == nullptr) return host_->VisitSampled(function, lists);
  const bool sampled = samples_hubs();
  if (!sampled) RETURN_IF_ERROR(VisitEdges(function, lists, sets().All(), Slice{.count = 1}));
  const Direction direction =
      ListsOf(lists, workspace_->graph().info().directed, /*reversed=*/false)[0];
  Recorder& recorder = workspace_->recorder();
  RETURN_IF_ERROR(Call(function, [&](const void* device) -> Status {
    const uint64_t num_vertices = workspace_->graph().num_vertices();
    recorder.Start(Mode::kPush, num_vertices, 0);
    if (sampled) {
      recorder.AddEdges(num_vertices);
      RETURN_IF_ERROR(workspace_->SampleNeighbors());
    }
    kernels->visit_sampled(device, LaunchOf(nullptr), workspace_->edges(direction).index,
                           sampled ? workspace_->arrays().sampled_neighbors.neighbor : nullptr,
                           on());
    return After("visit sampled neighbours");
  }));
  RETURN_IF_ERROR(workspace_->main().Synchronize());
  recorder.Finish();
  return OkStatus();
}

}  // namespace edgemill
