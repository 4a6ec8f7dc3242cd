// GpuExecutor as the leader of a run that the CPU helps with. Included by
// engine/old/gpu/gpu_executor.cuh.
#pragma once

#include "engine/old/gpu/gpu_executor.cuh"

namespace edgemill {

template <VertexProgram P>
uint64_t GpuExecutor<P>::unprepared_bytes() const {
  uint64_t bytes = exchanged_.size() > 0 ? 0 : ExchangeBytes<P>(graph_.num_vertices());
  for (const auto& array : arrays_.state) {
    if (!iteration_.IsPinned(array.host, array.bytes)) bytes += array.bytes;
  }
  return bytes;
}

template <VertexProgram P>
Status GpuExecutor<P>::PrepareSharing() {
  for (const auto& array : arrays_.state) {
    RETURN_IF_ERROR(iteration_.Pin(const_cast<void*>(array.host), array.bytes));
  }
  const uint64_t bytes = ExchangeBytes<P>(graph_.num_vertices());
  if (bytes == 0) return OkStatus();
  ASSIGN_OR_RETURN(exchanged_, PinnedBuffer::Allocate(gpu(), bytes, graph_.threads()));
  return OkStatus();
}

template <VertexProgram P>
IterationProgress GpuExecutor<P>::progress() const {
  return {.context = context_,
          .num_active = iteration_.num_active(),
          .active_edges = iteration_.active_edges(),
          .sent_edges = sent_edges_,
          .step_edges = step_edges_};
}

template <VertexProgram P>
Status GpuExecutor<P>::SweepBlocks(BlockRange blocks) {
  RETURN_IF_ERROR(mode_ == Mode::kPush ? SweepPush(blocks) : SweepPull(blocks));
  return iteration_.main().Synchronize();
}

template <VertexProgram P>
Exchange<typename P::Message> GpuExecutor<P>::exchange() {
  const uint64_t entries = std::min(graph_.num_vertices(), kMostExchanged);
  auto* const messages = reinterpret_cast<Message*>(exchanged_.data());
  return {{reinterpret_cast<VertexId*>(messages + entries), entries}, {messages, entries}};
}

template <VertexProgram P>
std::span<typename P::Message> GpuExecutor<P>::sums() {
  return {reinterpret_cast<Message*>(exchanged_.data()), exchanged_.size() / sizeof(Message)};
}

template <VertexProgram P>
Status GpuExecutor<P>::Receive(Told told, uint32_t count) {
  if constexpr (SharedByMessages<P>) {
    if (count == 0) return OkStatus();
    const Exchange<Message> memory = exchange();
    HearKernel<P><<<iteration_.VertexGrid(), kProgramThreads, 0, stream()>>>(
        device_, context_, memory.ids.data(), memory.messages.data(), count,
        told == Told::kActive ? iteration_.next() : nullptr);
    RETURN_IF_ERROR(gpu().AfterLaunch("hear"));
    return iteration_.main().Synchronize();
  }
  return InternalError("the program is not shared by messages");
}

template <VertexProgram P>
StatusOr<uint32_t> GpuExecutor<P>::Tell(Told which, VertexId begin, VertexId end) {
  if constexpr (SharedByMessages<P>) {
    const Exchange<Message> memory = exchange();
    const uint64_t* const changed = which == Told::kActive ? iteration_.next() : iteration_.sent();
    if (changed == nullptr) return 0u;  // nothing pushes, so that nobody has sent already
    uint32_t* const told = &iteration_.device_counters()->told;
    RETURN_IF_ERROR(iteration_.main().Fill(told, 0, sizeof(*told)));
    TellKernel<P><<<iteration_.VertexGrid(), kProgramThreads, 0, stream()>>>(
        device_, Words(changed), begin, end, memory.ids.data(), memory.messages.data(), told);
    RETURN_IF_ERROR(gpu().AfterLaunch("tell"));
    DeviceCounters counters;
    RETURN_IF_ERROR(iteration_.ReadCounters(&counters));
    return counters.told;
  }
  return InternalError("the program is not shared by messages");
}

template <VertexProgram P>
uint64_t GpuExecutor<P>::state_bytes() const {
  uint64_t bytes = 0;
  for (const auto& array : arrays_.state) bytes += array.bytes;
  return bytes;
}

template <VertexProgram P>
Status GpuExecutor<P>::StateToHost() {
  for (const auto& array : arrays_.state) {
    RETURN_IF_ERROR(
        iteration_.main().CopyToHost(const_cast<void*>(array.host), array.device, array.bytes));
  }
  return iteration_.main().Synchronize();
}

template <VertexProgram P>
StatusOr<uint64_t> GpuExecutor<P>::SentToHost(const P& program) {
  std::vector<const void*> sent;
  P visited = program;
  visited.VisitState(graph_.num_vertices(), CollectSent{sent});
  uint64_t bytes = 0;
  for (const auto& array : arrays_.state) {
    if (std::find(sent.begin(), sent.end(), array.host) == sent.end()) continue;
    bytes += array.bytes;
    RETURN_IF_ERROR(
        iteration_.main().CopyToHost(const_cast<void*>(array.host), array.device, array.bytes));
  }
  RETURN_IF_ERROR(iteration_.main().Synchronize());
  return bytes;
}

template <VertexProgram P>
Status GpuExecutor<P>::FrontierToHost(std::span<uint64_t> current, std::span<uint64_t> waiting) {
  RETURN_IF_ERROR(
      iteration_.main().CopyToHost(current.data(), iteration_.current(), current.size_bytes()));
  if (!waiting.empty()) {
    RETURN_IF_ERROR(
        iteration_.main().CopyToHost(waiting.data(), iteration_.waiting(), waiting.size_bytes()));
  }
  return iteration_.main().Synchronize();
}

template <VertexProgram P>
Status GpuExecutor<P>::FromHost(const IterationProgress& progress,
                                std::span<const uint64_t> current,
                                std::span<const uint64_t> waiting) {
  GpuStream& main = iteration_.main();
  for (const auto& array : arrays_.state) {
    RETURN_IF_ERROR(main.CopyToDevice(array.device, array.host, array.bytes));
  }
  if (!current.empty()) {
    RETURN_IF_ERROR(main.CopyToDevice(iteration_.current(), current.data(), current.size_bytes()));
  }
  if (!waiting.empty()) {
    RETURN_IF_ERROR(main.CopyToDevice(iteration_.waiting(), waiting.data(), waiting.size_bytes()));
  }
  context_ = progress.context;
  sent_edges_ = progress.sent_edges;
  step_edges_ = progress.step_edges;
  iteration_.SetActive(progress.num_active, progress.active_edges);
  return main.Synchronize();
}

}  // namespace edgemill
