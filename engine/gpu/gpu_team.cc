#include "engine/gpu/gpu_team.h"

#include "common/check.h"

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
  if (pass.mode == Mode::kPull) {
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
  const BlockRange blocks{pass_.main_share().begin, pass_.main_share().end};
  RETURN_IF_ERROR(pass_.mode == Mode::kPush
                      ? passes_->pass().Push(program_, launch_, repeats_, blocks)
                      : passes_->pass().Pull(program_, launch_, blocks));
  return workspace_.main().Synchronize();
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
