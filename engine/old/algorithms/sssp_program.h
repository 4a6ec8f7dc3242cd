// Shortest paths as a vertex program: see sssp.cc.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "engine/old/program/program.h"

namespace edgemill {

/// What sums of any weights fit: integers in 64 bits, where 2^32 vertices of weights below 2^31
/// stay below 2^63.
template <typename W>
using WideDistance = std::conditional_t<std::is_floating_point_v<W>, double, uint64_t>;

template <typename Distance>
constexpr Distance Unreached() {
  return std::numeric_limits<Distance>::has_infinity ? std::numeric_limits<Distance>::infinity()
                                                     : std::numeric_limits<Distance>::max();
}

template <typename Distance, typename W>
EM_HOST_DEVICE Distance Length(W weight) {
  if constexpr (std::is_same_v<W, NoWeight>) {
    return 1;
  } else {
    return static_cast<Distance>(weight);
  }
}

/// Distances as `Distance`: WideDistance<W>, or 32-bit integers, which are half of the memory that
/// relaxing waits for. Then sums that do not fit count as unreached.
template <typename W, typename Distance>
struct SsspProgram {
  using Message = Distance;
  using Weight = W;
  using Aggregate = NoAggregate;
  static constexpr ProgramTraits kTraits{
      .order_independent = true, .prioritised = true, .asynchronous = true};

  Message* distance;
  VertexId source;
  double bound;  // distances below it are due
  double delta;
  double least_delta;
  bool adaptive;

  template <typename Visit>
  void VisitState(uint64_t num_vertices, Visit visit) {
    visit(distance, num_vertices, StateUse::kResult);
  }
  EM_HOST_DEVICE bool Initial(VertexId vertex, const Context&) const {
    distance[vertex] = vertex == source ? Message{0} : Unreached<Message>();
    return vertex == source;
  }
  EM_HOST_DEVICE bool Send(VertexId vertex, const Context&, Message* message) const {
    *message = LoadRelaxed(&distance[vertex]);
    return true;
  }
  EM_HOST_DEVICE void Prefetch(VertexId vertex) const { edgemill::Prefetch(&distance[vertex]); }
  EM_HOST_DEVICE Message Along(Message message, W weight) const {
    const Message sum = message + Length<Message>(weight);
    return sum < message ? Unreached<Message>() : sum;
  }
  EM_HOST_DEVICE static Message Identity() { return Unreached<Message>(); }
  EM_HOST_DEVICE static Message Combine(Message a, Message b) { return a < b ? a : b; }
  EM_HOST_DEVICE bool Wants(VertexId) const { return true; }
  EM_HOST_DEVICE bool Heeds(VertexId vertex, Message message) const {
    return message < LoadRelaxed(&distance[vertex]);
  }
  EM_HOST_DEVICE bool Apply(VertexId vertex, Message message, const Context&, Aggregate*) const {
    if (message >= distance[vertex]) return false;
    StoreRelaxed(&distance[vertex], message);
    return true;
  }
  EM_HOST_DEVICE Message Echo(VertexId vertex) const { return LoadRelaxed(&distance[vertex]); }
  EM_HOST_DEVICE bool Receive(VertexId vertex, Message message, const Context&) const {
    return AtomicMin(&distance[vertex], message);
  }
  EM_HOST_DEVICE double Priority(VertexId vertex) const {
    return static_cast<double>(LoadRelaxed(&distance[vertex]));
  }
  EM_HOST_DEVICE bool IsDue(VertexId vertex) const { return Priority(vertex) < bound; }
  /// Moves the bound past the bucket that `least` is in.
  EM_HOST_DEVICE void Advance(double least, const StepEdges& last) {
    if (adaptive && last.again < last.first / 8) delta *= 2;
    if (adaptive && last.again > last.first) delta = std::max(delta / 2, least_delta);
    bound = (std::floor(least / delta) + 1) * delta;
    if (!(bound > least)) bound = std::nextafter(least, std::numeric_limits<double>::infinity());
  }
};

}  // namespace edgemill
