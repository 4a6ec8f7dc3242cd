// Breadth-first search as a vertex program: see bfs.cc.
#pragma once

#include "engine/old/program/program.h"

namespace edgemill {

/// BFS as a vertex program. A message is the sender: its level is the iteration's number.
template <bool kParents>
struct BfsProgram {
  using Message = VertexId;
  using Weight = NoWeight;
  using Aggregate = NoAggregate;
  static constexpr ProgramTraits kTraits{.order_independent = true, .early_exit = true};

  static constexpr uint32_t kUnreached = kInvalidVertex;

  uint32_t* level;
  VertexId* parent;
  uint64_t* reached;  // a bit a vertex
  VertexId source;

  template <typename Visit>
  void VisitState(uint64_t num_vertices, Visit visit) {
    visit(level, num_vertices, StateUse::kResult);
    visit(parent, kParents ? num_vertices : 0, StateUse::kResult);
    visit(reached, (num_vertices + 63) / 64, StateUse::kWork);
  }
  EM_HOST_DEVICE bool Initial(VertexId vertex, const Context&) const {
    if (vertex == source) AtomicSetBit(reached, vertex);
    level[vertex] = vertex == source ? 0 : kUnreached;
    if (kParents) parent[vertex] = vertex == source ? source : kInvalidVertex;
    return vertex == source;
  }
  EM_HOST_DEVICE bool Send(VertexId vertex, const Context&, Message* message) const {
    *message = vertex;
    return true;
  }
  EM_HOST_DEVICE void Prefetch(VertexId vertex) const { edgemill::Prefetch(&reached[vertex / 64]); }
  EM_HOST_DEVICE void PrefetchState(VertexId vertex) const { edgemill::Prefetch(&level[vertex]); }
  EM_HOST_DEVICE Message Along(Message message, NoWeight) const { return message; }
  EM_HOST_DEVICE static Message Identity() { return kInvalidVertex; }
  EM_HOST_DEVICE static Message Combine(Message a, Message b) { return a < b ? a : b; }
  EM_HOST_DEVICE bool Wants(VertexId vertex) const { return !TestBit(reached, vertex); }
  EM_HOST_DEVICE bool Heeds(VertexId vertex, Message) const { return Wants(vertex); }
  EM_HOST_DEVICE uint64_t WantsBits(uint64_t word) const { return ~LoadRelaxed(&reached[word]); }
  void MarkSettled(uint64_t word, uint64_t bits) const { reached[word] |= bits; }
  EM_HOST_DEVICE void Settle(VertexId vertex, Message sender, const Context& context) const {
    level[vertex] = context.iteration + 1;
    if (kParents) parent[vertex] = sender;
  }
  EM_HOST_DEVICE bool Apply(VertexId vertex, Message sender, const Context& context,
                            Aggregate*) const {
    AtomicSetBit(reached, vertex);
    Settle(vertex, sender, context);
    return true;
  }
  EM_HOST_DEVICE Message Echo(VertexId vertex) const { return kParents ? parent[vertex] : vertex; }
  EM_HOST_DEVICE bool Receive(VertexId vertex, Message sender, const Context& context) const {
    if (!AtomicSetBit(reached, vertex)) return false;
    Settle(vertex, sender, context);
    return true;
  }
};

}  // namespace edgemill
