#include "engine/gpu/gpu_passes.h"

#include <algorithm>
#include <utility>

#include "engine/gpu/program/repeat.h"

namespace edgemill {
namespace {

/// Of each list, in a pull's first sweep where one message is all that a vertex takes.
constexpr uint64_t kFirstEdges = 16;
/// Passes over a batch are queued without looking whether the one before found anybody: more than
/// so many would be launches for nothing.
constexpr uint32_t kMostRepeats = 32;

PassSizes SizesOf(GpuWorkspace& workspace) {
  const LoadedGraph& graph = workspace.graph();
  return {.num_vertices = graph.num_vertices(),
          .num_edges = graph.num_edges(),
          .num_blocks = graph.num_blocks(),
          .processor =
              workspace.feeder().streams() ? PassProcessor::kCardAcrossLink : PassProcessor::kCard};
}

}  // namespace

StatusOr<std::unique_ptr<GpuPasses>> ProgramPasses::Create(GpuWorkspace& workspace, GpuSets& sets,
                                                           const CardProgram& program, Mode mode) {
  const DirectionPolicy policy(program.traits, ListColumnsOf(workspace.graph()), mode,
                               workspace.needs().iteration.asynchronous, SizesOf(workspace));
  RETURN_IF_ERROR(policy.Check(workspace.graph().store().path()));
  return std::unique_ptr<GpuPasses>(new ProgramPasses(workspace, sets, program, policy));
}

ProgramPasses::ProgramPasses(GpuWorkspace& workspace, GpuSets& sets, const CardProgram& program,
                             const DirectionPolicy& policy)
    : workspace_(workspace),
      sets_(sets),
      program_(program),
      policy_(policy),
      push_lists_(ListsOf(program.traits.directions, workspace.graph().info().directed, false)),
      pull_lists_(ListsOf(program.traits.directions, workspace.graph().info().directed, true)),
      tallies_(program.tallies.begin(), program.tallies.end()),
      fixpoint_(workspace) {}

Status ProgramPasses::Begin(const VertexSet& from) {
  all_active_ = from.is_all();
  RETURN_IF_ERROR(sets_.Upload(from));
  if (arrays().waiting != nullptr) {
    RETURN_IF_ERROR(workspace_.main().Fill(arrays().waiting, 0,
                                           PassArrays::SetBytes(workspace_.graph().info())));
  }
  RETURN_IF_ERROR(ClearTallies());
  return CountActive();
}

Status ProgramPasses::ClearTallies() {
  if (tallies_.empty()) return OkStatus();
  ASSIGN_OR_RETURN(const std::byte* const staged, workspace_.Stage(program_.tallies));
  return workspace_.main().CopyToDevice(arrays().tallies, staged, program_.tallies.size());
}

StatusOr<std::span<const std::byte>> ProgramPasses::TakeTallies() {
  RETURN_IF_ERROR(workspace_.ReadBack(tallies_.data(), arrays().tallies, tallies_.size()));
  RETURN_IF_ERROR(ClearTallies());
  return std::span<const std::byte>(tallies_);
}

Status ProgramPasses::CountActive() {
  GpuStream& main = workspace_.main();
  auto* const counts = &arrays().counters->frontier;
  active_ = {};
  PassCounters found;
  for (const Direction lists : push_lists_) {
    VertexIndexView index;
    if (workspace_.has_index(lists)) {
      index = workspace_.edges(lists).index;
    } else {
      index.num_vertices = static_cast<VertexId>(workspace_.graph().num_vertices());
    }
    RETURN_IF_ERROR(main.Fill(counts, 0, sizeof(*counts)));
    LaunchCountFrontier(index, arrays().current, counts, stream());
    RETURN_IF_ERROR(After("count the active"));
    ASSIGN_OR_RETURN(found, workspace_.ReadCounters());
    active_.vertices = found.frontier.vertices;
    active_.edges += found.frontier.edges;
  }
  all_active_ = active_.vertices == workspace_.graph().num_vertices();
  if (found.reopened != 0) knows_closed_ = false;
  return std::exchange(in_pass_, false) ? EndPass(found) : OkStatus();
}

Status ProgramPasses::EndPass(const PassCounters& found) {
  emitted_.vertices += found.emitted_at_once;
  workspace_.recorder().AddLive(found.emitted_at_once, found.blocks_again);
  RETURN_IF_ERROR(workspace_.Report());
  workspace_.recorder().Finish();
  return OkStatus();
}

PassLaunch ProgramPasses::LaunchOf(Direction lists) {
  return {.num_vertices = workspace_.graph().num_vertices(),
          .from = all_active_ ? nullptr : arrays().current,
          .next = arrays().next,
          .closed = arrays().closed,
          .kept = arrays().kept,
          .received = program_.traits.applies_to_all ? nullptr : arrays().received,
          .partials = arrays().partials,
          .tallies = arrays().tallies,
          .counters = arrays().counters,
          .damaged = workspace_.damaged(lists)};
}

Status ProgramPasses::Close(const void* program) {
  if (!program_.traits.takes_first || (knows_closed_ && program_.has_cond)) return OkStatus();
  knows_closed_ = program_.has_cond;
  if (!program_.has_cond) {
    return workspace_.main().Fill(arrays().closed, 0,
                                  PassArrays::SetBytes(workspace_.graph().info()));
  }
  program_.kernels->closed(program, LaunchOf(push_lists_[0]), workspace_.Grids(), stream());
  return After("find the closed");
}

Status ProgramPasses::Pass(const void* program, bool asynchronous, double bound) {
  const uint64_t set_bytes = PassArrays::SetBytes(workspace_.graph().info());
  const Mode mode = policy_.Choose({active_.vertices, active_.edges, emitted_.edges});
  Recorder& recorder = workspace_.recorder();
  recorder.Start(mode, active_.vertices, active_.edges);
  const uint32_t repeats = asynchronous && mode == Mode::kPush && push_lists_.size() == 1 &&
                                   workspace_.needs().iteration.asynchronous
                               ? std::min(workspace_.run().async_passes, kMostRepeats)
                               : 0;
  RETURN_IF_ERROR(sets_.Claim(arrays().next));
  if (repeats > 0) all_active_ = false;  // who emits is added to the set
  RETURN_IF_ERROR(workspace_.main().Fill(arrays().next, 0, set_bytes));
  RETURN_IF_ERROR(Close(program));
  if (program_.consumes) {
    program_.kernels->consume(program, LaunchOf(push_lists_[0]), workspace_.Grids(), stream());
    RETURN_IF_ERROR(After("consume"));
  }
  PassCounters* const counters = arrays().counters;
  RETURN_IF_ERROR(workspace_.main().Fill(
      &counters->emitted_at_once, 0,
      offsetof(PassCounters, damaged) - offsetof(PassCounters, emitted_at_once)));
  RETURN_IF_ERROR(mode == Mode::kPush ? Push(program, repeats, bound)
                                      : Pull(program, mode == Mode::kNotifyPull));
  in_pass_ = true;
  return OkStatus();
}

Status ProgramPasses::Push(const void* program, uint32_t repeats, double bound) {
  const EdgeProgramKernels& kernels = *program_.kernels;
  const bool collects = program_.traits.collects;
  PassLaunch pass = LaunchOf(push_lists_[0]);
  if (collects) {
    pass.sums = arrays().sums;
    RETURN_IF_ERROR(workspace_.PrepareSums(*program_.kernels, program_.monoid, pass));
  }
  pass.shares_next = repeats > 0;
  for (const Direction lists : push_lists_) {
    const DeviceEdges& edges = workspace_.edges(lists);
    pass.damaged = workspace_.damaged(lists);
    RETURN_IF_ERROR(workspace_.RunPass(
        {.direction = lists,
         .kernel = collects ? EdgeKernel::kAdd : EdgeKernel::kPush,
         .members = pass.from},
        [&](const RunSource& source, uint64_t num_runs, GpuStream& on, uint32_t) -> Status {
          const LaunchGrids grids = workspace_.Grids(num_runs);
          const bool repeated = repeats > 0 && source.places != nullptr;
          Repeat repeat{.bound = bound,
                        .senders = arrays().current,
                        .groups = workspace_.groups(lists),
                        .brought = workspace_.groups(lists)};
          if (repeated) {
            kernels.take_active(program, pass, edges, source, repeat, grids, on.handle());
            RETURN_IF_ERROR(After("take the active"));
          }
          kernels.push(program, pass, edges, source, grids, on.handle());
          RETURN_IF_ERROR(After("push"));
          PassLaunch again = pass;
          again.from = repeat.senders = arrays().again;
          RunSource wanted = source;
          wanted.groups = repeat.groups = arrays().again_groups;
          repeat.first = false;
          for (uint32_t i = 1; repeated && i < repeats; ++i) {
            kernels.take_active(program, pass, edges, source, repeat, grids, on.handle());
            RETURN_IF_ERROR(After("take the active"));
            kernels.push(program, again, edges, wanted, grids, on.handle());
            RETURN_IF_ERROR(After("push"));
          }
          return OkStatus();
        }));
  }
  if (!collects) return OkStatus();
  kernels.take_sums(program, pass, workspace_.Grids(), stream());
  return After("take sums");
}

Status ProgramPasses::Pull(const void* program, bool notified) {
  const EdgeProgramKernels& kernels = *program_.kernels;
  PassLaunch pass = LaunchOf(pull_lists_[0]);
  const uint64_t set_bytes = PassArrays::SetBytes(workspace_.graph().info());
  if (notified && pass.from != nullptr) {
    RETURN_IF_ERROR(workspace_.main().Fill(arrays().marks, 0, set_bytes));
    for (const Direction lists : push_lists_) {
      RETURN_IF_ERROR(workspace_.RunPass(
          {.direction = lists, .kernel = EdgeKernel::kNotify, .members = pass.from},
          [&](const RunSource& source, uint64_t num_runs, GpuStream& on, uint32_t) {
            LaunchNotify(workspace_.edges(lists), source, pass.from, arrays().marks,
                         workspace_.damaged(lists), workspace_.Grids(num_runs).runs, on.handle());
            return After("notify");
          }));
    }
    pass.receivers = arrays().marks;
  }
  if (kernels.receivers != nullptr && !program_.traits.applies_to_all &&
      (pass.receivers != nullptr || !program_.traits.takes_first)) {
    kernels.receivers(program, pass, pass.receivers, arrays().marks, workspace_.Grids(), stream());
    RETURN_IF_ERROR(After("choose receivers"));
    pass.receivers = arrays().marks;
  }
  const bool two = pull_lists_.size() > 1;
  if (program_.traits.collects) {
    if (two) {
      pass.sums = arrays().sums;
      RETURN_IF_ERROR(workspace_.PrepareSums(*program_.kernels, program_.monoid, pass));
    } else if (pass.received != nullptr) {
      RETURN_IF_ERROR(workspace_.main().Fill(pass.received, 0, set_bytes));
    }
  }
  for (const Direction lists : pull_lists_) RETURN_IF_ERROR(PullFrom(program, pass, lists));
  if (pass.sums != nullptr) {
    kernels.take_sums(program, pass, workspace_.Grids(), stream());
    return After("take sums");
  }
  if (kernels.take_rest == nullptr) return OkStatus();
  VertexIndexView index;
  if (workspace_.graph().num_edges() > 0) index = workspace_.edges(pull_lists_[0]).index;
  kernels.take_rest(program, pass, index, workspace_.Grids(), stream());
  return After("take the rest");
}

Status ProgramPasses::PullFrom(const void* program, PassLaunch pass, Direction lists) {
  const EdgeProgramKernels& kernels = *program_.kernels;
  if (workspace_.graph().num_edges() == 0) return OkStatus();
  const DeviceEdges& edges = workspace_.edges(lists);
  pass.damaged = workspace_.damaged(lists);
  if (kernels.clear_partials != nullptr) {
    kernels.clear_partials(pass, edges, workspace_.Grids(), stream());
    RETURN_IF_ERROR(After("clear partial sums"));
  }
  const auto pull = [&](const RunSource& source, uint64_t num_runs, GpuStream& on, uint32_t) {
    kernels.pull(program, pass, edges, source, workspace_.Grids(num_runs), on.handle());
    return After("pull");
  };
  // Of first-wins programs those receive that are not closed.
  const bool first = program_.traits.takes_first;
  const bool open = first && pass.receivers == nullptr;
  ListChoice choice{.direction = lists,
                    .kernel = first ? EdgeKernel::kPullFirst : EdgeKernel::kPull,
                    .members = open ? pass.closed : pass.receivers,
                    .others = open};
  if (first) choice.part = {.first_edges = kFirstEdges};
  RETURN_IF_ERROR(workspace_.RunPass(choice, pull));
  if (first) {
    // Most found what they want where their lists begin: what lies behind was not even brought.
    choice.kernel = EdgeKernel::kPull;
    choice.part.others = true;
    RETURN_IF_ERROR(workspace_.RunPass(choice, pull));
  }
  if (kernels.fold == nullptr) return OkStatus();
  kernels.fold(program, pass, edges, workspace_.Grids(), stream());
  return After("fold");
}

void ProgramPasses::Swap() {
  emitted_.vertices += active_.vertices;
  emitted_.edges += active_.edges;
  std::swap(arrays().current, arrays().next);
}

Status ProgramPasses::Advance() {
  Swap();
  return CountActive();
}

Status ProgramPasses::AdvanceBelow(const void* program, double bound) {
  Swap();
  return Split(program, bound);
}

Status ProgramPasses::Split(const void* program, double bound) {
  const uint64_t num_vertices = workspace_.graph().num_vertices();
  RETURN_IF_ERROR(sets_.Claim(arrays().next));
  RETURN_IF_ERROR(
      workspace_.main().Fill(arrays().next, 0, PassArrays::SetBytes(workspace_.graph().info())));
  program_.kernels->split(program, num_vertices, bound, arrays().current, arrays().next,
                          arrays().waiting, workspace_.Grids(), stream());
  RETURN_IF_ERROR(After("split"));
  std::swap(arrays().current, arrays().next);
  return CountActive();
}

StatusOr<double> ProgramPasses::LeastWaiting(const void* program, double bound) {
  auto* const least = &arrays().counters->least;
  RETURN_IF_ERROR(workspace_.main().Fill(least, 0xff, sizeof(*least)));
  program_.kernels->least(program, workspace_.graph().num_vertices(), bound, arrays().waiting,
                          least, workspace_.Grids(), stream());
  RETURN_IF_ERROR(After("find the least"));
  ASSIGN_OR_RETURN(const PassCounters counters, workspace_.ReadCounters());
  return counters.least == ~0ull ? kNoBound : FromOrderedBits(counters.least);
}

Status ProgramPasses::TakeWaiting(const void* program, double before, double bound) {
  RETURN_IF_ERROR(sets_.Claim(arrays().current));
  RETURN_IF_ERROR(
      workspace_.main().Fill(arrays().current, 0, PassArrays::SetBytes(workspace_.graph().info())));
  program_.kernels->take_waiting(program, workspace_.graph().num_vertices(), before, bound,
                                 arrays().waiting, arrays().current, workspace_.Grids(), stream());
  RETURN_IF_ERROR(After("take what waits"));
  return CountActive();
}

StatusOr<uint64_t> ProgramPasses::PassesAlone(const void* program, uint64_t most_passes,
                                              BucketBound* bucket) {
  const EdgeProgramKernels& kernels = *program_.kernels;
  const Mode mode = policy_.Choose({active_.vertices, active_.edges, emitted_.edges});
  if (!kernels.runs_alone || mode != Mode::kPush || push_lists_.size() != 1) return uint64_t{0};
  const Direction lists = push_lists_[0];
  if (!fixpoint_.MayRun(lists, active_)) return uint64_t{0};
  workspace_.recorder().Start(Mode::kPush, active_.vertices, active_.edges);
  RETURN_IF_ERROR(sets_.Claim(arrays().current));
  RETURN_IF_ERROR(sets_.Claim(arrays().next));
  RETURN_IF_ERROR(Close(program));
  RETURN_IF_ERROR(workspace_.main().Fill(&arrays().counters->reopened, 0, sizeof(uint32_t)));
  PassLaunch pass = LaunchOf(lists);
  ASSIGN_OR_RETURN(const FixpointResult result,
                   fixpoint_.Run(kernels, program, pass, lists, most_passes,
                                 bucket == nullptr ? BucketBound() : *bucket));
  emitted_.vertices += active_.vertices + result.counts.vertices;
  emitted_.edges += active_.edges + result.counts.edges;
  if (result.side == 1) std::swap(arrays().current, arrays().next);
  RETURN_IF_ERROR(CountActive());
  if (bucket != nullptr) {
    *bucket = result.bucket;
    if (result.counts.begins_bucket != 0) {
      bucket->CountFirst(active_.edges);
    } else {
      bucket->CountAgain(active_.edges);
    }
  }
  RETURN_IF_ERROR(workspace_.Report());
  workspace_.recorder().Finish(result.counts.passes);
  return uint64_t{result.counts.passes};
}

}  // namespace edgemill
