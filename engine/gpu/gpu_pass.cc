#include "engine/gpu/gpu_pass.h"

#include "common/check.h"
#include "engine/cost/tuning.h"
#include "engine/gpu/program/repeat.h"
#include "engine/plan/direction_policy.h"

namespace edgemill {

GpuPass::GpuPass(GpuWorkspace& workspace, const ProgramTraits& traits,
                 const EdgeProgramLaunchers& kernels)
    : workspace_(workspace),
      traits_(traits),
      kernels_(kernels),
      push_lists_(ListsOf(traits.directions, workspace.graph().info().directed, false)),
      pull_lists_(ListsOf(traits.directions, workspace.graph().info().directed, true)) {}

PassArgs GpuPass::LaunchOf(const uint32_t* from, Direction lists) const {
  const PassArrays& arrays = workspace_.arrays();
  return {.num_vertices = workspace_.graph().num_vertices(),
          .from = from,
          .next = arrays.sets.next,
          .closed = arrays.sets.closed,
          .emitted = arrays.sums.messages,
          .received = traits_.applies_to_all ? nullptr : arrays.sets.received,
          .partials = arrays.sums.partials,
          .tallies = arrays.sums.tallies,
          .counters = arrays.counters,
          .damaged = workspace_.directions().damaged(lists)};
}

Status GpuPass::Close(const void* program) {
  if (!traits_.takes_first || knows_closed()) return OkStatus();
  if (!traits_.has_cond) {
    return workspace_.main().Fill(arrays().sets.closed, 0,
                                  DeviceSets::SetBytes(workspace_.graph().info()));
  }
  CHECK(kernels_.closed != nullptr);  // compiled where there is a Cond
  kernels_.closed(program, LaunchOf(nullptr, push_lists_[0]), {workspace_.Grids(), stream()});
  RETURN_IF_ERROR(After("find the closed"));
  SetClosed();
  return OkStatus();
}

StatusOr<bool> GpuPass::CloseTaken() {
  if (!traits_.takes_first || knows_closed()) return false;
  if (closed_ == Closed::kUnknown) {
    const uint64_t bytes = DeviceSets::SetBytes(workspace_.graph().info());
    RETURN_IF_ERROR(workspace_.main().Fill(arrays().sets.closed, 0, bytes));
    closed_ = Closed::kTaken;
  }
  return true;
}

Status GpuPass::SumPending(const void* program, const uint32_t* from) {
  if (!SumsPending()) return OkStatus();
  float* const sums = arrays().repeats.pending;
  const uint64_t bytes = workspace_.graph().num_blocks() * sizeof(float);
  RETURN_IF_ERROR(workspace_.main().Fill(sums, 0, bytes));
  const Direction lists = push_lists_[0];
  if (workspace_.graph().num_edges() == 0) return OkStatus();
  kernels_.sum_pending(program, LaunchOf(from, lists), workspace_.edges(lists), sums,
                       {workspace_.Grids(), stream()});
  return After("sum what is pending");
}

Status GpuPass::Consume(const void* program, const uint32_t* from) {
  if (!traits_.consumes) return OkStatus();
  CHECK(kernels_.consume != nullptr);
  kernels_.consume(program, LaunchOf(from, push_lists_[0]), {workspace_.Grids(), stream()});
  return After("consume");
}

Status GpuPass::PrepareSums(const PassArgs& pass) {
  if (pass.received != nullptr) {
    RETURN_IF_ERROR(
        workspace_.main().Fill(pass.received, 0, DeviceSets::SetBytes(workspace_.graph().info())));
  }
  if (workspace_.arrays().sums.AreOf(traits_.monoid)) return OkStatus();
  CHECK(kernels_.clear_sums != nullptr);
  kernels_.clear_sums(pass, {workspace_.Grids(), stream()});
  return After("clear sums");
}

StatusOr<PassArgs> GpuPass::Prepare(const void* program, Mode mode, const uint32_t* from) {
  const EdgeProgramLaunchers& kernels = kernels_;
  const bool pulls = mode != Mode::kPush;
  const bool to_all = traits_.applies_to_all;
  PassArgs pass = LaunchOf(from, pulls ? pull_lists_[0] : push_lists_[0]);
  // Programs that apply to all visit all lists in any case.
  if (mode == Mode::kNotifyPull && from != nullptr && !to_all) {
    RETURN_IF_ERROR(Notify(from));
    pass.receivers = arrays().sets.marks;
  }
  if (pulls && kernels.receivers != nullptr && !to_all &&
      (pass.receivers != nullptr || !traits_.takes_first)) {
    CHECK(workspace_.needs().marks);
    kernels.receivers(program, pass, pass.receivers, arrays().sets.marks,
                      {workspace_.Grids(), stream()});
    RETURN_IF_ERROR(After("choose receivers"));
    pass.receivers = arrays().sets.marks;
  }
  if (!traits_.collects) return pass;
  if (!pulls || pull_lists_.size() > 1) {
    pass.sums = arrays().sums.sums;
    RETURN_IF_ERROR(PrepareSums(pass));
  } else if (pass.received != nullptr) {
    RETURN_IF_ERROR(
        workspace_.main().Fill(pass.received, 0, DeviceSets::SetBytes(workspace_.graph().info())));
  }
  return pass;
}

Status GpuPass::Push(const void* program, const PassArgs& prepared, const PushRepeats& repeats,
                     const PassBlocks& blocks) {
  const EdgeProgramLaunchers& kernels = kernels_;
  CHECK(kernels.push != nullptr);  // DirectionPolicy makes other programs pull
  CHECK(repeats.count == 0 || kernels.extract_active != nullptr);
  PassArgs pass = prepared;
  for (const Direction lists : push_lists_) {
    const DeviceEdges& edges = workspace_.edges(lists);
    pass.damaged = workspace_.directions().damaged(lists);
    const ListChoice choice{
        .direction = lists,
        .members = pass.from,
        .blocks = blocks.of(lists),
        .takes_sub_csrs = true,
        .asynchronous = repeats.count > 0,
        .pending = repeats.count > 0 && SumsPending() ? arrays().repeats.pending : nullptr};
    RETURN_IF_ERROR(workspace_.RunPass(
        choice,
        [&](const TileSelection& source, uint64_t num_tiles, GpuStream& on, uint32_t) -> Status {
          const LaunchOn launch{workspace_.Grids(num_tiles), on.handle()};
          const bool repeated = repeats.count > 0 && source.places != nullptr;
          Repeat repeat{.bound = repeats.bound,
                        .senders = arrays().sets.current,
                        .groups = workspace_.directions().of(lists).groups(),
                        .brought = workspace_.directions().of(lists).groups()};
          if (repeated) {
            kernels.extract_active(program, pass, {edges, source}, repeat, launch);
            RETURN_IF_ERROR(After("extract the active"));
          }
          kernels.push(program, pass, {edges, source}, launch);
          RETURN_IF_ERROR(After("push"));
          PassArgs again = pass;
          again.from = repeat.senders = arrays().repeats.senders;
          TileSelection wanted = source;
          wanted.groups = repeat.groups = arrays().repeats.groups;
          repeat.first = false;
          for (uint32_t i = 1; repeated && i < repeats.count; ++i) {
            kernels.extract_active(program, pass, {edges, source}, repeat, launch);
            RETURN_IF_ERROR(After("extract the active"));
            kernels.push(program, again, {edges, wanted}, launch);
            RETURN_IF_ERROR(After("push"));
          }
          return OkStatus();
        }));
  }
  return OkStatus();
}

Status GpuPass::Notify(const uint32_t* from) {
  CHECK(workspace_.needs().marks);
  RETURN_IF_ERROR(workspace_.main().Fill(arrays().sets.marks, 0,
                                         DeviceSets::SetBytes(workspace_.graph().info())));
  for (const Direction lists : push_lists_) {
    RETURN_IF_ERROR(workspace_.RunPass(
        {.direction = lists, .members = from},
        [&](const TileSelection& source, uint64_t num_tiles, GpuStream& on, uint32_t) {
          LaunchNotify(workspace_.edges(lists), source, from, arrays().sets.marks,
                       workspace_.directions().damaged(lists), workspace_.Grids(num_tiles).tiles,
                       on.handle());
          return After("notify");
        }));
  }
  return OkStatus();
}

Status GpuPass::Pull(const void* program, const PassArgs& pass, const PassBlocks& blocks) {
  for (const Direction lists : pull_lists_) {
    // Both directions use the same array of partial sums.
    if (lists != pull_lists_[0]) RETURN_IF_ERROR(Fold(program, pass, pull_lists_[0]));
    RETURN_IF_ERROR(PullFrom(program, pass, lists, blocks));
  }
  return OkStatus();
}

Status GpuPass::PullFrom(const void* program, PassArgs pass, Direction lists,
                         const PassBlocks& blocks) {
  const EdgeProgramLaunchers& kernels = kernels_;
  if (workspace_.graph().num_edges() == 0) return OkStatus();
  const DeviceEdges& edges = workspace_.edges(lists);
  pass.damaged = workspace_.directions().damaged(lists);
  if (kernels.clear_partials != nullptr) {
    kernels.clear_partials(pass, edges, {workspace_.Grids(), stream()});
    RETURN_IF_ERROR(After("clear partial sums"));
  }
  CHECK(kernels.pull != nullptr);
  const auto pull = [&](const TileSelection& source, uint64_t num_tiles, GpuStream& on, uint32_t) {
    kernels.pull(program, pass, {edges, source}, {workspace_.Grids(num_tiles), on.handle()});
    return After("pull");
  };
  // In first-wins programs, vertices that are not closed receive.
  const bool first = traits_.takes_first;
  const bool open = first && pass.receivers == nullptr;
  ListChoice choice{.direction = lists,
                    .members = open ? pass.closed : pass.receivers,
                    .not_members = open,
                    .blocks = blocks.of(lists)};
  if (first) choice.part = {.first_edges = kFirstPullEdges};
  RETURN_IF_ERROR(workspace_.RunPass(choice, pull));
  if (!first) return OkStatus();
  // Most vertices found a sender at the start of their lists, so that the rest of these lists is
  // not brought at all.
  choice.part.rest_of_list = true;
  return workspace_.RunPass(choice, pull);
}

bool GpuPass::MayUseCells(Mode mode, bool all_emit) const {
  return mode != Mode::kPush && traits_.may_use_cells && pull_lists_.size() == 1 && all_emit;
}

StatusOr<const DeviceCells*> GpuPass::CellsFor(Mode mode, bool all_emit,
                                               const VertexRange& owners) {
  if (!MayUseCells(mode, all_emit)) return static_cast<const DeviceCells*>(nullptr);
  return workspace_.cells().Choose(pull_lists_[0], owners);
}

bool GpuPass::OnlyQueues(Mode mode, bool all_emit, const VertexRange& owners) const {
  const bool pulls = mode != Mode::kPush;
  for (const Direction lists : pulls ? pull_lists_ : push_lists_) {
    if (!workspace_.pass_runner().places().all_resident(lists)) return false;
  }
  return !MayUseCells(mode, all_emit) || !workspace_.cells().Makes(pull_lists_[0], owners);
}

Status GpuPass::PullByCells(const void* program, const PassArgs& pass, const DeviceCells& cells) {
  CHECK(pass.from == nullptr && pass.sums == nullptr);
  const EdgeCells& edges = cells.edges();
  LaunchOn launch{workspace_.Grids(), stream()};
  kernels_.emit_to_cells(program, pass, edges, cells.messages(), launch);
  RETURN_IF_ERROR(After("emit to cells"));
  launch.grids.tiles = cells.num_shares();
  kernels_.combine_cells(edges, cells.messages(), cells.partials(), launch);
  RETURN_IF_ERROR(After("combine cells"));
  launch.grids.tiles = cells.num_take_blocks();
  kernels_.take_from_cells(program, pass, edges, cells.partials(), launch);
  return After("take from cells");
}

Status GpuPass::Fold(const void* program, const PassArgs& pass, Direction lists) {
  if (kernels_.fold == nullptr || workspace_.graph().num_edges() == 0) return OkStatus();
  kernels_.fold(program, pass, workspace_.edges(lists), {workspace_.Grids(), stream()});
  return After("fold");
}

Status GpuPass::Take(const void* program, Mode mode, const PassArgs& pass) {
  const EdgeProgramLaunchers& kernels = kernels_;
  if (mode != Mode::kPush) RETURN_IF_ERROR(Fold(program, pass, pull_lists_.back()));
  if (pass.sums != nullptr) {
    CHECK(kernels.take_sums != nullptr);
    kernels.take_sums(program, pass, {workspace_.Grids(), stream()});
    return After("take sums");
  }
  if (mode == Mode::kPush || kernels.apply_rest == nullptr) return OkStatus();
  VertexIndexView index;
  if (workspace_.graph().num_edges() > 0) index = workspace_.edges(pull_lists_[0]).index;
  kernels.apply_rest(program, pass, index, {workspace_.Grids(), stream()});
  return After("take the rest");
}

}  // namespace edgemill
