#include "engine/gpu/gpu_passes.h"

#include <algorithm>
#include <utility>

#include "common/check.h"
#include "engine/cost/tuning.h"

namespace edgemill {
namespace {

PassProcessor ProcessorOf(GpuWorkspace& workspace) {
  return workspace.pass_runner().exceeds_gpu() ? PassProcessor::kGpuAcrossLink
                                               : PassProcessor::kGpu;
}

PassSizes SizesOf(GpuWorkspace& workspace) {
  const LoadedGraph& graph = workspace.graph();
  return {.num_vertices = graph.num_vertices(),
          .num_edges = graph.num_edges(),
          .num_blocks = graph.num_blocks(),
          .processor = ProcessorOf(workspace),
          .pull_threshold = workspace.run().pull_threshold};
}

}  // namespace

StatusOr<std::unique_ptr<ProgramPasses>> ProgramPasses::Create(GpuWorkspace& workspace,
                                                               GpuSets& sets,
                                                               const CompiledProgram& program,
                                                               const OtherMemory& memory,
                                                               Mode mode) {
  const DirectionPolicy policy(program.ref.traits, ListColumnsOf(workspace.graph()), mode,
                               workspace.needs().asynchronous, SizesOf(workspace));
  RETURN_IF_ERROR(policy.Check(workspace.graph().store().path()));
  std::unique_ptr<ProgramPasses> made(new ProgramPasses(workspace, sets, program, memory, policy));
  return made;
}

ProgramPasses::ProgramPasses(GpuWorkspace& workspace, GpuSets& sets, const CompiledProgram& program,
                             const OtherMemory& memory, const DirectionPolicy& policy)
    : workspace_(workspace),
      sets_(sets),
      program_{.ref = program.ref, .memory = memory},
      pass_(workspace, program.ref.traits, program.kernels),
      policy_(policy),
      tallies_(workspace, program.ref),
      buckets_(workspace, sets, program.kernels),
      fixpoint_(workspace),
      search_(workspace) {
  if (MaySearch()) policy_.SetProcessor(PassProcessor::kGpu);  // searches bring no blocks
}

Status ProgramPasses::Begin(const VertexSet& from) {
  RETURN_IF_ERROR(sets_.Upload(from));
  RETURN_IF_ERROR(sets_.ClaimCleared(arrays().sets.next));  // there may be no pass
  RETURN_IF_ERROR(buckets_.Clear());
  RETURN_IF_ERROR(tallies_.Clear());
  return CountActive();
}

Status ProgramPasses::CountActive() {
  GpuStream& main = workspace_.main();
  auto* const counts = &arrays().counters->frontier;
  active_ = {};
  PassCounters found;
  for (const Direction lists : pass_.push_lists()) {
    VertexIndexView index;
    if (workspace_.directions().has_index(lists)) {
      index = workspace_.edges(lists).index;
    } else {
      index.num_vertices = static_cast<VertexId>(workspace_.graph().num_vertices());
    }
    RETURN_IF_ERROR(main.Fill(counts, 0, sizeof(*counts)));
    LaunchCountFrontier(index, arrays().sets.current, counts, main.handle());
    RETURN_IF_ERROR(workspace_.gpu().AfterLaunch("count the active"));
    ASSIGN_OR_RETURN(found, workspace_.ReadCounters());
    active_.vertices = found.frontier.vertices;
    active_.edges += found.frontier.edges;
  }
  if (found.reopened != 0) pass_.ForgetClosed();
  return std::exchange(in_pass_, false) ? EndPass(found) : OkStatus();
}

Status ProgramPasses::EndPass(const PassCounters& found) {
  emitted_.vertices += found.emitted_in_same_pass;
  workspace_.recorder().AddRepeated(found.emitted_in_same_pass, found.blocks_repeated);
  RETURN_IF_ERROR(workspace_.Report());
  workspace_.recorder().Finish();
  return OkStatus();
}

Status ProgramPasses::ReadTallies() { return tallies_.ReadInto(program_.ref); }

uint32_t ProgramPasses::RepeatsOf(Mode mode, bool asynchronous) const {
  const bool repeated = asynchronous && mode == Mode::kPush && pass_.push_lists().size() == 1 &&
                        workspace_.needs().asynchronous;
  return repeated ? workspace_.run().async_passes : 0;
}

Status ProgramPasses::Pass(bool asynchronous, double bound) {
  ASSIGN_OR_RETURN(const void* const program, OnGpu(/*writes=*/true));
  const Mode mode = NextMode();
  const PushRepeats repeats{RepeatsOf(mode, asynchronous), bound};
  const uint64_t num_vertices = workspace_.graph().num_vertices();
  ASSIGN_OR_RETURN(const uint32_t* const from, BeginPass(program, mode, repeats.count));
  ASSIGN_OR_RETURN(const DeviceCells* const cells,
                   pass_.CellsFor(mode, active_.vertices == num_vertices, {0, num_vertices}));
  ASSIGN_OR_RETURN(PassArgs pass, pass_.Prepare(program, mode, from));
  pass.shares_next = repeats.count > 0;
  if (cells != nullptr) {
    workspace_.recorder().AddEdgesInMemory(workspace_.graph().num_edges());
    RETURN_IF_ERROR(pass_.PullByCells(program, pass, *cells));
    return ReadTallies();
  }
  if (mode != Mode::kPull) workspace_.recorder().AddEdges(active_.edges);  // messages use these
  const PassBlocks blocks = PassBlocks::Of({0, workspace_.graph().num_blocks()});
  RETURN_IF_ERROR(mode == Mode::kPush ? pass_.Push(program, pass, repeats, blocks)
                                      : pass_.Pull(program, pass, blocks));
  RETURN_IF_ERROR(pass_.Take(program, mode, pass));
  return ReadTallies();
}

StatusOr<const uint32_t*> ProgramPasses::BeginPass(const void* program, Mode mode,
                                                   uint32_t repeats) {
  CHECK(!in_pass_);  // Advance has ended the last one
  workspace_.recorder().Start(mode, active_.vertices, active_.edges);
  RETURN_IF_ERROR(sets_.ClaimCleared(arrays().sets.next));
  RETURN_IF_ERROR(pass_.Close(program));
  // Repeated passes add vertices to the set, so that it must exist.
  const bool all = active_.vertices == workspace_.graph().num_vertices() && repeats == 0;
  const uint32_t* const from = all ? nullptr : arrays().sets.current;
  if (repeats > 0) RETURN_IF_ERROR(pass_.SumPending(program, from));
  RETURN_IF_ERROR(pass_.Consume(program, from));
  PassCounters* const counters = arrays().counters;
  RETURN_IF_ERROR(workspace_.main().Fill(
      &counters->emitted_in_same_pass, 0,
      offsetof(PassCounters, damaged) - offsetof(PassCounters, emitted_in_same_pass)));
  in_pass_ = true;
  return from;
}

void ProgramPasses::Swap() {
  emitted_.vertices += active_.vertices;
  emitted_.edges += active_.edges;
  std::swap(arrays().sets.current, arrays().sets.next);
}

Status ProgramPasses::Advance() {
  Swap();
  return CountActive();
}

Status ProgramPasses::AdvanceBelow(double bound) {
  Swap();
  return Split(bound);
}

Status ProgramPasses::Split(double bound) {
  ASSIGN_OR_RETURN(const void* const program, OnGpu(/*writes=*/false));
  RETURN_IF_ERROR(buckets_.Split(program, bound));
  return CountActive();
}

StatusOr<double> ProgramPasses::LeastWaiting(double bound) {
  ASSIGN_OR_RETURN(const void* const program, OnGpu(/*writes=*/false));
  return buckets_.Least(program, bound);
}

Status ProgramPasses::ActivateWaiting(double before, double bound) {
  ASSIGN_OR_RETURN(const void* const program, OnGpu(/*writes=*/false));
  RETURN_IF_ERROR(buckets_.ActivateWaiting(program, before, bound));
  return CountActive();
}

Status ProgramPasses::ActivateAll(double bound) {
  ASSIGN_OR_RETURN(const void* const program, OnGpu(/*writes=*/false));
  RETURN_IF_ERROR(buckets_.DropWaiting(program, bound));
  RETURN_IF_ERROR(buckets_.Split(program, -kNoBound));  // all that are active wait too
  RETURN_IF_ERROR(buckets_.ActivateWaiting(program, -kNoBound, kNoBound));
  return CountActive();
}

Status ProgramPasses::BeginLaunch(Mode mode) {
  CHECK(!in_pass_);
  workspace_.recorder().Start(mode, active_.vertices, active_.edges);
  RETURN_IF_ERROR(sets_.Claim(arrays().sets.current));
  RETURN_IF_ERROR(sets_.Claim(arrays().sets.next));
  return workspace_.main().Fill(&arrays().counters->reopened, 0, sizeof(uint32_t));
}

Status ProgramPasses::EndLaunch(uint64_t passes) {
  RETURN_IF_ERROR(workspace_.Report());
  workspace_.recorder().Finish(passes);
  return OkStatus();
}

bool ProgramPasses::MaySearch() const {
  return pass_.kernels().most_found_passes > 0 && pass_.pull_lists().size() == 1 &&
         search_.MayRun(pass_.pull_lists()[0]);
}

bool ProgramPasses::MaySearchFromStart(const void* program) const {
  const EdgeProgramLaunchers& kernels = pass_.kernels();
  return emitted_.vertices == 0 && policy_.chooses_by_work() && MaySearch() &&
         kernels.asks_for_sender != nullptr && !kernels.asks_for_sender(program) &&
         pass_.push_lists().size() == 1 &&
         search_.MayPush(pass_.pull_lists()[0], pass_.push_lists()[0]);
}

StatusOr<uint64_t> ProgramPasses::Search(uint64_t max_passes, std::optional<Direction> push_lists) {
  if (!MaySearch()) return uint64_t{0};
  ASSIGN_OR_RETURN(const void* const program, OnGpu(/*writes=*/true));
  const EdgeProgramLaunchers& kernels = pass_.kernels();
  const Direction lists = pass_.pull_lists()[0];
  RETURN_IF_ERROR(BeginLaunch(Mode::kPull));
  ASSIGN_OR_RETURN(const SearchResult result,
                   search_.Run({kernels, program, pass_.LaunchOf(nullptr, lists), lists},
                               {.knows_closed = pass_.knows_closed(),
                                .max_passes = max_passes,
                                .push_lists = push_lists}));
  CHECK_LE(result.passes, max_passes);
  if (result.gave_up) {
    search_.NoteGivenUp();
    policy_.SetProcessor(ProcessorOf(workspace_));
  }
  if (result.passes == 0) {
    RETURN_IF_ERROR(EndLaunch(0));
    return uint64_t{0};
  }
  pass_.SetClosed();
  // Pulls do not count edges. Vertices look through about all lists once.
  const EdgeIndex pulled = result.pulls > 0 ? workspace_.graph().num_edges() : 0;
  const EdgeIndex pushed = result.pulls < result.passes ? active_.edges + result.pushed_edges : 0;
  workspace_.recorder().AddEdges(pulled + pushed);
  emitted_.vertices += active_.vertices + result.emitted;
  emitted_.edges += active_.edges + result.pushed_edges;
  std::swap(arrays().sets.current, arrays().sets.next);
  active_ = {};
  if (result.active > 0) RETURN_IF_ERROR(CountActive());
  RETURN_IF_ERROR(EndLaunch(result.passes));
  return result.passes;
}

StatusOr<uint64_t> ProgramPasses::SmallPassesInOneLaunch(uint64_t max_passes, BucketBound* bucket) {
  const Mode mode = NextMode();
  const EdgeProgramLaunchers& kernels = pass_.kernels();
  if (mode == Mode::kPull) return Search(max_passes, {});
  if (!kernels.may_run_in_one_launch || mode != Mode::kPush || pass_.push_lists().size() != 1)
    return uint64_t{0};
  const Direction lists = pass_.push_lists()[0];
  if (!fixpoint_.MayRun(lists, active_)) return uint64_t{0};
  ASSIGN_OR_RETURN(const void* const program, OnGpu(/*writes=*/true));
  if (MaySearchFromStart(program)) {
    ASSIGN_OR_RETURN(const uint64_t passes, Search(max_passes, lists));
    if (passes > 0) return passes;
  }
  RETURN_IF_ERROR(BeginLaunch(Mode::kPush));
  PassArgs pass = pass_.LaunchOf(nullptr, lists);
  ASSIGN_OR_RETURN(pass.asks_cond, pass_.CloseTaken());
  ASSIGN_OR_RETURN(const FixpointResult result,
                   fixpoint_.Run({kernels, program, pass, lists}, max_passes,
                                 bucket == nullptr ? BucketBound::None() : *bucket));
  const FixpointProgress& at = result.at;
  CHECK_LE(at.counts.passes, max_passes);
  workspace_.recorder().AddEdges(active_.edges + at.counts.edges);
  emitted_.vertices += active_.vertices + at.counts.vertices;
  emitted_.edges += active_.edges + at.counts.edges;
  if (at.side == 1) std::swap(arrays().sets.current, arrays().sets.next);
  active_ = {.vertices = at.vertices, .edges = at.edges};
  if (result.reopened) pass_.ForgetClosed();
  RETURN_IF_ERROR(EndLaunch(at.counts.passes));
  if (bucket != nullptr) {
    *bucket = at.bucket;
    if (at.counts.begins_bucket != 0) {
      bucket->CountStartEdges(active_.edges);
    } else {
      bucket->CountLaterEdges(active_.edges);
    }
  }
  return uint64_t{at.counts.passes};
}

}  // namespace edgemill
