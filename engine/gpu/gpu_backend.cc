#include "engine/gpu/gpu_backend.h"

#include <algorithm>
#include <utility>

#include "common/check.h"
#include "common/strings.h"
#include "engine/gpu/gpu_helper_team.h"
#include "engine/gpu/gpu_passes.h"
#include "engine/gpu/gpu_team.h"
#include "engine/gpu/workspace/device_needs.h"
#include "engine/plan/vertex_shares.h"

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
  RETURN_IF_ERROR(
      main_.Start(setting.run, graph, setting.needs, recorder, {copies_, kFirstOtherMemory}));
  sets_ = std::make_unique<GpuSets>(workspace(), host_->sets(), *main_.home);
  if (setting.needs.shares) {
    ASSIGN_OR_RETURN(
        messages_,
        GpuMessages::Create(setting.run.gpu, MostSumBytes(setting.needs.programs), graph.budget()));
  }
  RETURN_IF_ERROR(StartHelpers(setting, graph));
  std::vector<ArrayHome*> homes = {main_.home.get()};
  for (const auto& helper : helpers_) homes.push_back(helper->side().home.get());
  if (!helpers_.empty() && !setting.needs.gathers) {
    main_.home->NoteInReach();
    for (const auto& helper : helpers_) helper->side().home->NoteInReach();
  }
  RETURN_IF_ERROR(copies_.Begin(homes, FirstElements::kZeros));
  timer_.EndSetUp();
  return OkStatus();
}

Status GpuBackend::StartHelpers(const GpuSetting& setting, LoadedGraph& graph) {
  if (setting.helpers.empty()) return OkStatus();
  const auto count = static_cast<uint32_t>(1 + setting.helpers.size());
  const std::vector<VertexRange> shares = ShareVertices(graph, count, setting.seed);
  const DeviceNeeds needs = HelperNeedsOf(setting.needs);
  for (uint32_t i = 1; i < count; ++i) {
    GpuRun run = setting.helpers[i - 1];
    run.lists = shares[i];
    helpers_.push_back(std::make_unique<GpuHelper>(graph));
    RETURN_IF_ERROR(helpers_.back()->Start(run, graph, needs, {copies_, kFirstOtherMemory + i}));
  }
  return OkStatus();
}

GpuBackend::~GpuBackend() {
  timer_.BeginTearDown();
  messages_.reset();  // waits for work that reads helpers' memory, as the home's destructor does
  if (!helpers_.empty()) (void)workspace().main().Synchronize();
  helpers_.clear();
}

const FunctionKernels* GpuBackend::KernelsOf(const FunctionRef& function) {
  const FunctionCalls& calls = *function.calls;
  // A function on weights has kernels only where a program or visit is declared that brings these.
  if (calls.weighted && !workspace().needs().has_weighted()) return nullptr;
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
  ASSIGN_OR_RETURN(
      std::unique_ptr<ProgramPasses> passes,
      ProgramPasses::Create(workspace(), *sets_, {program, *kernels}, main_.memory, mode_));
  return std::unique_ptr<OperatorPasses>(std::move(passes));
}

StatusOr<std::unique_ptr<MainTeam>> GpuBackend::MakeTeam(const ProgramRef& program) {
  CHECK(messages_ != nullptr);
  ASSIGN_OR_RETURN(const EdgeProgramLaunchers* const kernels, KernelsOf(program));
  ASSIGN_OR_RETURN(
      std::unique_ptr<ProgramPasses> passes,
      ProgramPasses::Create(workspace(), *sets_, {program, *kernels}, main_.memory, mode_));
  return std::unique_ptr<MainTeam>(
      std::make_unique<GpuTeam>(std::move(passes), main_, *sets_, *messages_));
}

StatusOr<std::vector<std::unique_ptr<HelperTeam>>> GpuBackend::MakeHelpers(
    const ProgramRef& program) {
  std::vector<std::unique_ptr<HelperTeam>> teams;
  ASSIGN_OR_RETURN(const EdgeProgramLaunchers* const kernels, KernelsOf(program));
  for (const auto& helper : helpers_) {
    teams.push_back(
        std::make_unique<GpuHelperTeam>(*helper, main_, CompiledProgram{program, *kernels}));
  }
  return teams;
}

StatusOr<const uint32_t*> GpuBackend::Members(const VertexSet& set) {
  if (set.is_all()) return static_cast<const uint32_t*>(nullptr);
  RETURN_IF_ERROR(sets_->Upload(set));
  return static_cast<const uint32_t*>(workspace().arrays().sets.current);
}

template <typename Launch>
Status GpuBackend::Call(const FunctionRef& function, Launch launch) {
  const FieldCalls& calls = function.calls->fields;
  DeviceCopy copy;
  ASSIGN_OR_RETURN(const void* const device, copy.Make(calls, function.function, main_.memory));
  TallySlots tallies;
  calls.begin_tallies(function.function, &tallies);
  std::byte* const totals = workspace().arrays().sums.tallies;
  const bool has_tallies = !tallies.bytes().empty();
  if (has_tallies) RETURN_IF_ERROR(workspace().control().Write(totals, tallies.bytes()));
  RETURN_IF_ERROR(launch(device));
  if (!has_tallies) return OkStatus();
  RETURN_IF_ERROR(workspace().control().Read(tallies.bytes(), totals));
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
  PassArrays& arrays = workspace().arrays();
  RETURN_IF_ERROR(Call(function, [&](const void* device) -> Status {
    ASSIGN_OR_RETURN(const uint32_t* const members, Members(set));
    RETURN_IF_ERROR(sets_->ClaimCleared(arrays.sets.next));
    kernels->filter(device, LaunchOf(members), arrays.sets.next, on());
    return After("filter");
  }));
  return SealNext();
}

StatusOr<VertexSet> GpuBackend::SealNext() {
  PassArrays& arrays = workspace().arrays();
  GpuStream& main = workspace().main();
  auto* const counts = &arrays.counters->frontier;
  RETURN_IF_ERROR(main.Fill(counts, 0, sizeof(*counts)));
  VertexIndexView no_index;
  no_index.num_vertices = static_cast<VertexId>(workspace().graph().num_vertices());
  LaunchCountFrontier(no_index, arrays.sets.next, counts, main.handle());
  RETURN_IF_ERROR(After("count members"));
  ASSIGN_OR_RETURN(const PassCounters counters, workspace().ReadCounters());
  std::swap(arrays.sets.current, arrays.sets.next);
  return sets_->Download(counters.frontier.vertices);
}

Status GpuBackend::Reduce(const FunctionRef& function, const VertexSet& set, void* total) {
  const FunctionKernels* const kernels = KernelsOf(function);
  if (kernels == nullptr) return host_->Reduce(function, set, total);
  CHECK_LE(function.calls->sum_bytes, kMaxReducedBytes);  // `reduced` is planned for these
  const uint64_t count = NumReduceChunks(workspace().graph().num_vertices());
  std::vector<std::byte> sums(count * function.calls->sum_bytes);
  RETURN_IF_ERROR(Call(function, [&](const void* device) -> Status {
    ASSIGN_OR_RETURN(const uint32_t* const members, Members(set));
    kernels->reduce(device, LaunchOf(members), workspace().arrays().sums.reduced, on());
    RETURN_IF_ERROR(After("reduce"));
    return main_.home->CopyToHost(sums, workspace().arrays().sums.reduced);
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
    Recorder& recorder = workspace().recorder();
    recorder.Start(Mode::kPush, set.size(), 0);
    const EdgeIndex num_edges = workspace().graph().num_edges();
    const bool some = slice.count < num_edges / std::max<uint64_t>(1, set.size());
    recorder.AddEdges(some ? set.size() * slice.count : num_edges);
    // For a slice that skips edges, whole lists are read: most skipped edges are in the same
    // groups.
    const ListPart part{.first_edges = slice.skip == 0 ? slice.count : ~uint64_t{0},
                        .omitted_edges = samples_hubs() ? slice.may_omit : 0};
    for (const Direction lists :
         ListsOf(directions, workspace().graph().info().directed, /*reversed=*/false)) {
      // Union-find joins trees faster when hubs are joined first. Blocks with long lists have few
      // wanted groups, so they are zero-copied and come first.
      RETURN_IF_ERROR(workspace().RunPass(
          {.direction = lists, .zero_copy_first = true, .members = members, .part = part},
          [&](const TileSelection& source, uint64_t num_tiles, GpuStream& on, uint32_t) {
            FunctionLaunch launch = LaunchOf(members);
            launch.damaged = workspace().directions().damaged(lists);
            kernels->visit(device, launch, slice, {workspace().edges(lists), source},
                           {workspace().Grids(num_tiles), on.handle()});
            return After("visit edges");
          }));
    }
    RETURN_IF_ERROR(workspace().ReadCounters().status());
    RETURN_IF_ERROR(workspace().Report());
    recorder.Finish();
    return OkStatus();
  });
}

bool GpuBackend::samples_hubs() const {
  return !workspace().graph().info().directed && workspace().samples_neighbors(Direction::kOut);
}

Status GpuBackend::VisitSampled(const FunctionRef& function, Directions lists) {
  const FunctionKernels* const kernels = KernelsOf(function);
  if (kernels == nullptr) return host_->VisitSampled(function, lists);
  const bool sampled = samples_hubs();
  if (!sampled) RETURN_IF_ERROR(VisitEdges(function, lists, sets().All(), Slice{.count = 1}));
  const Direction direction =
      ListsOf(lists, workspace().graph().info().directed, /*reversed=*/false)[0];
  Recorder& recorder = workspace().recorder();
  RETURN_IF_ERROR(Call(function, [&](const void* device) -> Status {
    const uint64_t num_vertices = workspace().graph().num_vertices();
    recorder.Start(Mode::kPush, num_vertices, 0);
    if (sampled) {
      recorder.AddEdges(num_vertices);
      RETURN_IF_ERROR(workspace().SampleNeighbors());
    }
    kernels->visit_sampled(device, LaunchOf(nullptr), workspace().edges(direction).index,
                           sampled ? workspace().arrays().sampled_neighbors.neighbor : nullptr,
                           on());
    return After("visit sampled neighbours");
  }));
  RETURN_IF_ERROR(workspace().main().Synchronize());
  recorder.Finish();
  return OkStatus();
}

}  // namespace edgemill
