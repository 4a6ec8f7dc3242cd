// Components by least labels, as a vertex program: see cc.cc.
#pragma once

#include "engine/old/program/program.h"

namespace edgemill {

/// Least labels as a vertex program: messages go along out-edges only.
struct LabelProgram {
  using Message = uint32_t;
  using Weight = NoWeight;
  using Aggregate = NoAggregate;
  static constexpr ProgramTraits kTraits{.order_independent = true, .asynchronous = true};

  uint32_t* label;

  template <typename Visit>
  void VisitState(uint64_t num_vertices, Visit visit) {
    visit(label, num_vertices, StateUse::kResult);
  }
  EM_HOST_DEVICE bool Initial(VertexId vertex, const Context&) const {
    label[vertex] = vertex;
    return true;
  }
  EM_HOST_DEVICE bool Send(VertexId vertex, const Context&, Message* message) const {
    *message = LoadRelaxed(&label[vertex]);
    return true;
  }
  EM_HOST_DEVICE void Prefetch(VertexId vertex) const { edgemill::Prefetch(&label[vertex]); }
  EM_HOST_DEVICE Message Along(Message message, NoWeight) const { return message; }
  EM_HOST_DEVICE static Message Identity() { return kInvalidVertex; }
  EM_HOST_DEVICE static Message Combine(Message a, Message b) { return a < b ? a : b; }
  EM_HOST_DEVICE bool Wants(VertexId vertex) const { return LoadRelaxed(&label[vertex]) != 0; }
  EM_HOST_DEVICE bool Heeds(VertexId vertex, Message message) const {
    return message < LoadRelaxed(&label[vertex]);
  }
  EM_HOST_DEVICE bool Apply(VertexId vertex, Message message, const Context&, Aggregate*) const {
    if (message >= label[vertex]) return false;
    StoreRelaxed(&label[vertex], message);
    return true;
  }
  EM_HOST_DEVICE Message Echo(VertexId vertex) const { return LoadRelaxed(&label[vertex]); }
  EM_HOST_DEVICE bool Receive(VertexId vertex, Message message, const Context&) const {
    return AtomicMin(&label[vertex], message);
  }
};

}  // namespace edgemill
