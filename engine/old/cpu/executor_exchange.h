// Executor's part in an iteration that it helps another processor with. Included by
// engine/old/cpu/executor.h.
#pragma once

#include "engine/old/cpu/executor.h"

namespace edgemill {

template <VertexProgram P>
IterationProgress Executor<P>::progress() const {
  return {.context = context_,
          .num_active = num_active_,
          .active_edges = active_edges_,
          .sent_edges = sent_edges_,
          .step_edges = step_edges_};
}

template <VertexProgram P>
void Executor<P>::SetProgress(const IterationProgress& progress) {
  context_ = progress.context;
  num_active_ = progress.num_active;
  active_edges_ = progress.active_edges;
  sent_edges_ = progress.sent_edges;
  step_edges_ = progress.step_edges;
}

template <VertexProgram P>
Status Executor<P>::KeepSent() {
  ASSIGN_OR_RETURN(sent_, Frontier::Create(graph_.num_vertices(), graph_.budget()));
  keeps_sent_ = true;
  return OkStatus();
}

template <VertexProgram P>
StatusOr<uint32_t> Executor<P>::Tell(const P& program, Told which, VertexId begin, VertexId end,
                                     const Exchange<Message>& exchange) {
  const Frontier& changed = which == Told::kActive ? next_ : sent_;
  std::atomic<uint32_t> told{0};
  RETURN_IF_ERROR(ParallelFor(
      end - begin, kVertexChunk, graph_.threads(), [&](size_t chunk_begin, size_t chunk_end) {
        std::array<VertexId, 512> found;
        uint32_t count = 0;
        const auto flush = [&] {
          const uint32_t place = told.fetch_add(count, std::memory_order_relaxed);
          for (uint32_t i = 0; i < count; ++i) {
            exchange.ids[place + i] = found[i];
            exchange.messages[place + i] = program.Echo(found[i]);
          }
          count = 0;
        };
        changed.VisitRange(begin + chunk_begin, begin + chunk_end, [&](VertexId vertex) {
          found[count++] = vertex;
          if (count == found.size()) flush();
          return true;
        });
        flush();
        return OkStatus();
      }));
  return told.load();
}

template <VertexProgram P>
Status Executor<P>::Hear(const P& program, const Exchange<Message>& exchange, uint32_t count) {
  return ParallelFor(count, 4096, graph_.threads(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      program.Receive(exchange.ids[i], exchange.messages[i], context_);
    }
    return OkStatus();
  });
}

}  // namespace edgemill
