#include "engine/gpu/gpu_team.h"

#include "common/check.h"
#include "engine/plan/vertex_shares.h"

namespace edgemill {

Mode GpuTeam::NextMode() const { return passes_->NextMode(); }

StatusOr<uint64_t> GpuTeam::ActiveWords(std::span<uint64_t> words) {
  return sets_.ReadWords(arrays().sets.current, words);
}

Status GpuTeam::Begin(const void* program, const SharedPass& pass) {
  program_ = program;
  pass_ = pass;
  // Pulls add to the sums without atomic operations, so messages must wait meanwhile.
  may_receive_.Set(!traits().collects || pass.mode == Mode::kPush);
  repeats_ = {passes_->RepeatsOf(pass.mode, pass.asynchronous), pass.bound};
  ASSIGN_OR_RETURN(const uint32_t* const from,
                   passes_->BeginPass(program, pass.mode, repeats_.count));
  ASSIGN_OR_RETURN(launch_, passes_->pass().Prepare(program, pass.mode, from));
  launch_.shares_next = repeats_.count > 0;
  const GraphInfo& info = workspace_.graph().info();
  if (!traits().applies_to_all) {
    launch_.touched = arrays().sets.touched;
    RETURN_IF_ERROR(workspace_.main().Fill(launch_.touched, 0, DeviceSets::SetBytes(info)));
  }
  if (pass.by_vertex) {
    launch_.first_list = static_cast<VertexId>(pass.main_share().lists.begin);
    launch_.num_lists = static_cast<VertexId>(pass.main_share().lists.size());
  } else if (pass.mode == Mode::kPull) {
    launch_.tiles_end =
        pass.main_share().end * (info.block_edges >> DeviceEdgesOf(info).tile_edges_shift());
  }
  return messages_.Begin(
      traits().sum_bytes,
      [this](const VertexId* vertices, const std::byte* sums, uint32_t count, GpuStream& on) {
        return GiveMessages(vertices, sums, count, on);
      },
      workspace_.main());
}

Status GpuTeam::GiveMessages(const VertexId* vertices, const std::byte* sums, uint32_t count,
                             GpuStream& on) const {
  CHECK(passes_->pass().kernels().receive != nullptr);
  passes_->pass().kernels().receive(program_, launch_, {vertices, sums, count},
                                    {workspace_.Grids(), on.handle()});
  return workspace_.gpu().AfterLaunch("receive");
}

Status GpuTeam::Work() {
  CHECK(program_ != nullptr);  // Begin has set it
  const Status status = VisitBlocks();
  may_receive_.Set(true);  // after an error too: else the host team would wait forever
  return status;
}

Status GpuTeam::VisitBlocks() {
  RETURN_IF_ERROR(workspace_.gpu().UseInThread());
  const TeamShare& share = pass_.main_share();
  const PassBlocks blocks = pass_.by_vertex ? BlocksOfLists(workspace_.graph(), share.lists)
                                            : PassBlocks::Of({share.begin, share.end});
  const DeviceCells* cells = nullptr;
  if (pass_.by_vertex) {
    ASSIGN_OR_RETURN(cells,
                     passes_->pass().CellsFor(pass_.mode, launch_.from == nullptr, share.lists));
  }
  by_cells_ = cells != nullptr;
  if (by_cells_) {
    workspace_.recorder().AddEdgesInMemory(
        EdgesOfLists(workspace_.graph(), passes_->pass().pull_lists()[0], share.lists));
    RETURN_IF_ERROR(passes_->pass().PullByCells(program_, launch_, *cells));
    return workspace_.main().Synchronize();
  }
  RETURN_IF_ERROR(pass_.mode == Mode::kPush
                      ? passes_->pass().Push(program_, launch_, repeats_, blocks)
                      : passes_->pass().Pull(program_, launch_, blocks));
  return workspace_.main().Synchronize();
}

Status GpuTeam::ReceiveSums(const GpuSide& from, const uint32_t* received, const void* sums) {
  may_receive_.Wait();
  const auto receive = passes_->pass().kernels().receive_sums;
  CHECK(receive != nullptr);
  return messages_.Give([&](GpuStream& on) -> Status {
    const PassArrays& own = arrays();
    if (own.sets.gathered != nullptr) {  // its memory is out of reach
      const GraphInfo& info = workspace_.graph().info();
      RETURN_IF_ERROR(
          on.CopyFrom(from.gpu(), own.sets.gathered, received, DeviceSets::SetBytes(info)));
      RETURN_IF_ERROR(
          on.CopyFrom(from.gpu(), own.sums.gathered, sums, info.num_vertices * traits().sum_bytes));
      received = own.sets.gathered;
      sums = own.sums.gathered;
    }
    receive(program_, launch_, received, sums, {workspace_.Grids(), on.handle()});
    return workspace_.gpu().AfterLaunch("receive sums");
  });
}

Status GpuTeam::Take(std::span<const std::byte> border) {
  if (pass_.main_share().splits && !border.empty()) {
    if (traits().collects) {
      RETURN_IF_ERROR(workspace_.control().Write(arrays().sums.border, border));
      launch_.border = arrays().sums.border;
    } else {
      const auto vertex = static_cast<VertexId>(pass_.main_share().end_vertex - 1);
      RETURN_IF_ERROR(messages_.Add(std::span(&vertex, 1), border.data()));
    }
  }
  RETURN_IF_ERROR(messages_.End(workspace_.main()));
  if (by_cells_) return OkStatus();  // its vertices have taken their sums
  if (pass_.owns_lists) launch_.num_vertices = pass_.main_share().end_vertex;
  return passes_->pass().Take(program_, pass_.mode, launch_);
}

StatusOr<uint64_t> GpuTeam::TouchedWords(std::span<uint64_t> words) {
  return sets_.ReadWords(arrays().sets.touched, words);
}

Status GpuTeam::AddActive(const IndexSet& active) {
  return sets_.AddMembers(active, arrays().sets.next);
}

Status GpuTeam::End() {
  passes_->pass().ForgetClosed();
  return passes_->ReadTallies();
}

}  // namespace edgemill
