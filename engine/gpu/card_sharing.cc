#include "engine/gpu/card_sharing.h"

#include "engine/gpu/gpu_passes.h"

namespace edgemill {

Mode CardSharing::NextMode() const { return passes_.NextMode(); }

StatusOr<uint64_t> CardSharing::ActiveWords(std::span<uint64_t> words) {
  return sets_.ReadWords(arrays().current, words);
}

Status CardSharing::Begin(const void* program, const SharedPass& pass) {
  program_ = program;
  pass_ = pass;
  repeats_ = {passes_.RepeatsOf(pass.mode, pass.asynchronous), pass.bound};
  ASSIGN_OR_RETURN(const uint32_t* const from,
                   passes_.BeginPass(program, pass.mode, repeats_.count));
  ASSIGN_OR_RETURN(launch_, card_pass_.Prepare(program, pass.mode, from));
  launch_.shares_next = repeats_.count > 0;
  const GraphInfo& info = workspace_.graph().info();
  if (!card_pass_.program().traits.applies_to_all) {
    launch_.touched = arrays().touched;
    RETURN_IF_ERROR(workspace_.main().Fill(launch_.touched, 0, PassArrays::SetBytes(info)));
  }
  if (pass.mode == Mode::kPull) {
    launch_.runs_end = pass.first * (info.block_edges >> DeviceEdgesOf(info).run_edges_shift());
  }
  return messages_.Begin(
      card_pass_.program().sum_bytes,
      [this](const VertexId* vertices, const std::byte* sums, uint32_t count, GpuStream& on) {
        return GiveMessages(vertices, sums, count, on);
      },
      workspace_.main());
}

Status CardSharing::GiveMessages(const VertexId* vertices, const std::byte* sums, uint32_t count,
                                 GpuStream& on) const {
  kernels().receive(program_, launch_, vertices, sums, count, workspace_.Grids(), on.handle());
  return workspace_.gpu().AfterLaunch("receive");
}

Status CardSharing::Work() {
  RETURN_IF_ERROR(workspace_.gpu().UseInThread());
  const BlockRange blocks{0, pass_.first};
  RETURN_IF_ERROR(pass_.mode == Mode::kPush ? card_pass_.Push(program_, launch_, repeats_, blocks)
                                            : card_pass_.Pull(program_, launch_, blocks));
  return workspace_.main().Synchronize();
}

Status CardSharing::Take(std::span<const std::byte> border) {
  if (pass_.splits_list && !border.empty()) {
    if (card_pass_.program().traits.collects) {
      RETURN_IF_ERROR(workspace_.control().Write(arrays().border, border));
      launch_.border = arrays().border;
    } else {
      const VertexId vertex = pass_.first_vertex - 1;
      RETURN_IF_ERROR(messages_.Add(std::span(&vertex, 1), border.data()));
    }
  }
  RETURN_IF_ERROR(messages_.End(workspace_.main()));
  if (pass_.owns_lists) launch_.num_vertices = pass_.first_vertex;
  return card_pass_.Take(program_, pass_.mode, launch_);
}

StatusOr<uint64_t> CardSharing::TouchedWords(std::span<uint64_t> words) {
  return sets_.ReadWords(arrays().touched, words);
}

Status CardSharing::AddActive(VertexId first, std::span<const uint64_t> words) {
  return sets_.AddWords(first, words, arrays().next);
}

Status CardSharing::End() {
  card_pass_.ForgetClosed();
  return OkStatus();
}

}  // namespace edgemill
