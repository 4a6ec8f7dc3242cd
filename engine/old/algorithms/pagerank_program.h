// PageRank as vertex programs, by Jacobi iterations and by deltas: see pagerank.cc.
#pragma once

#include "engine/old/program/program.h"

namespace edgemill {

/// What an iteration tells its driver.
struct RankAggregate {
  FixedSum change;    // L1
  FixedSum dangling;  // rank of vertices without out-edges
  EM_HOST_DEVICE void Merge(const RankAggregate& other) {
    change.Merge(other.change);
    dangling.Merge(other.dangling);
  }
};

/// Jacobi iterations. `offered` are the contributions that are read, `next` those that are written:
/// a rank is what it gives each neighbour times their number, so it needs no place of its own.
struct JacobiProgram {
  using Message = double;
  using Partial = float;  // contributions are floats
  using Weight = NoWeight;
  using Aggregate = RankAggregate;
  static constexpr ProgramTraits kTraits{
      .all_active = true, .apply_to_all = true, .answers_with_sent = true};

  VertexIndexView out_index;
  float* offered;  // the rank itself where there are no out-edges: nobody reads it
  float* next;
  double base;  // what every vertex gets
  double damping;

  template <typename Visit>
  void VisitState(uint64_t num_vertices, Visit visit) {
    visit(out_index);
    visit(offered, num_vertices, StateUse::kSent);
    visit(next, num_vertices, StateUse::kWork);
  }
  EM_HOST_DEVICE bool Initial(VertexId vertex, const Context& context) const {
    offered[vertex] =
        Contribution(1.0 / static_cast<double>(context.num_vertices), out_index.degree(vertex));
    return true;
  }
  EM_HOST_DEVICE static float Contribution(double rank, EdgeIndex degree) {
    return static_cast<float>(rank) / static_cast<float>(degree == 0 ? 1 : degree);
  }
  EM_HOST_DEVICE static double Rank(float contribution, EdgeIndex degree) {
    return static_cast<double>(contribution) * static_cast<double>(degree == 0 ? 1 : degree);
  }
  EM_HOST_DEVICE bool Send(VertexId vertex, const Context&, Message* message) const {
    *message = offered[vertex];
    return true;
  }
  EM_HOST_DEVICE void Prefetch(VertexId vertex) const { edgemill::Prefetch(&offered[vertex]); }
  EM_HOST_DEVICE Message Along(Message message, NoWeight) const { return message; }
  EM_HOST_DEVICE static Message Identity() { return 0; }
  template <typename Number>
  EM_HOST_DEVICE static Number Combine(Number a, Number b) {
    return a + b;
  }
  EM_HOST_DEVICE static void Accumulate(Message* place, Message sent) { AtomicAdd(place, sent); }
  EM_HOST_DEVICE bool Wants(VertexId) const { return true; }
  /// Where a sum waits until Apply: what comes there then is no use before.
  EM_HOST_DEVICE void Deposit(VertexId vertex, Message sum) const {
    next[vertex] = static_cast<float>(sum);
  }
  EM_HOST_DEVICE Message Deposited(VertexId vertex) const { return next[vertex]; }
  EM_HOST_DEVICE bool Apply(VertexId vertex, Message sum, const Context&,
                            Aggregate* aggregate) const {
    const EdgeIndex degree = out_index.degree(vertex);
    const float contribution = Contribution(base + damping * sum, degree);
    const double before = Rank(offered[vertex], degree);
    const double now = Rank(contribution, degree);
    next[vertex] = contribution;
    aggregate->change.Add(now < before ? before - now : now - before);
    if (degree == 0) aggregate->dangling.Add(now);
    return true;
  }
};

/// What an iteration by deltas tells its driver.
struct ResidualAggregate {
  FixedSum residual;  // of all vertices
  FixedSum rank;
  EM_HOST_DEVICE void Merge(const ResidualAggregate& other) {
    residual.Merge(other.residual);
    rank.Merge(other.rank);
  }
};

/// PageRank by deltas: `residual` is what a vertex has received and not passed on.
struct DeltaProgram {
  using Message = double;
  using Partial = float;
  using Weight = NoWeight;
  using Aggregate = ResidualAggregate;
  static constexpr ProgramTraits kTraits{
      .order_independent = true, .consumes = true, .measured = true, .asynchronous = true};

  VertexIndexView out_index;
  double* rank;
  double* residual;  // hubs add up many small messages: 8 bytes
  float* message;
  double start;  // every vertex's first residual
  double damping;
  double threshold;  // residuals up to this wait

  template <typename Visit>
  void VisitState(uint64_t num_vertices, Visit visit) {
    visit(out_index);
    visit(rank, num_vertices, StateUse::kResult);
    visit(residual, num_vertices, StateUse::kResult);
    visit(message, num_vertices, StateUse::kWork);
  }
  EM_HOST_DEVICE bool Initial(VertexId vertex, const Context&) const {
    rank[vertex] = 0;
    residual[vertex] = start;
    return true;
  }
  EM_HOST_DEVICE void Begin(VertexId vertex, const Context&) const {
    message[vertex] = TakeShare(vertex);
  }
  EM_HOST_DEVICE void BeginMore(VertexId vertex, const Context&) const {
    message[vertex] += TakeShare(vertex);
  }
  /// Moves the residual to the rank; returns what each out-neighbour is to get of it.
  EM_HOST_DEVICE float TakeShare(VertexId vertex) const {
    const double taken = AtomicExchange(&residual[vertex], 0.0);
    rank[vertex] += taken;
    const EdgeIndex degree = out_index.degree(vertex);
    return degree == 0 ? 0.0f : static_cast<float>(damping * taken / static_cast<double>(degree));
  }
  EM_HOST_DEVICE bool Send(VertexId vertex, const Context&, Message* sent) const {
    *sent = message[vertex];
    return true;
  }
  EM_HOST_DEVICE void Prefetch(VertexId vertex) const { edgemill::Prefetch(&residual[vertex]); }
  EM_HOST_DEVICE Message Along(Message sent, NoWeight) const { return sent; }
  EM_HOST_DEVICE static Message Identity() { return 0; }
  template <typename Number>
  EM_HOST_DEVICE static Number Combine(Number a, Number b) {
    return a + b;
  }
  EM_HOST_DEVICE bool Wants(VertexId) const { return true; }
  EM_HOST_DEVICE bool Apply(VertexId vertex, Message sum, const Context&, Aggregate*) const {
    residual[vertex] += sum;
    return residual[vertex] > threshold;
  }
  EM_HOST_DEVICE bool Receive(VertexId vertex, Message sent, const Context&) const {
    return AtomicAdd(&residual[vertex], static_cast<double>(sent)) + sent > threshold;
  }
  EM_HOST_DEVICE void Measure(VertexId vertex, Aggregate* aggregate) const {
    aggregate->residual.Add(residual[vertex]);
    aggregate->rank.Add(rank[vertex]);
  }
};

}  // namespace edgemill
