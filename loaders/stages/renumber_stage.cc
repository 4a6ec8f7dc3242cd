#include "loaders/stages/renumber_stage.h"

#include <deque>
#include <span>
#include <utility>

#include "common/threads/parallel.h"
#include "loaders/buckets/replay_source.h"
#include "loaders/context/chunk_pump.h"
#include "loaders/sort/random_permutation.h"
#include "loaders/sort/renumberer.h"
#include "loaders/stages/edge_partitioner.h"
#include "loaders/stages/id_columns.h"

namespace edgemill {
namespace {

/// Counts the degrees of all edges of `log`, whose ids are the input's.
Status CountDegrees(const IngestContext& context, const VertexIdMap& names, const BucketSet& log,
                    Renumberer& renumberer) {
  const PhaseTimer timer(context.plan.threads);
  context.progress.StartPass(log.num_edges());
  ReplaySource source(log, 0, log.buckets().size(), {});
  ChunkPump pump(source, context.progress);
  ASSIGN_OR_RETURN(const ThreadMemory reserved,
                   context.ReserveThreads(ReplaySource::ChunkBytes(log) +
                                          Renumberer::CounterBytes(names.ids().num_vertices())));
  std::deque<Renumberer::Counter> counters;
  for (int i = 0; i < reserved.threads; ++i) counters.emplace_back(renumberer);
  ChunkWork work;
  work.prepare = [&](int thread, EdgeChunk& chunk) {
    Renumberer::Counter& counter = counters[static_cast<size_t>(thread)];
    bool known = true;
    for (const NarrowEdge& edge : chunk.narrow) {
      known &= counter.Count(names.RankOf(edge.source), names.RankOf(edge.target));
    }
    return known ? OkStatus() : log.NoVertex();
  };
  work.append_in_order = [](int, EdgeChunk&) { return OkStatus(); };
  RETURN_IF_ERROR(pump.Run(reserved.threads, work));
  counters.clear();
  context.AddTime("- count degrees", timer.Times());
  return OkStatus();
}

/// The new id of each rank.
struct VertexOrder {
  Array<uint32_t> internal_of_rank;
  MemoryReservation reservation;
};

StatusOr<VertexOrder> OrderByDegree(const IngestContext& context, const GraphSchema& schema,
                                    const VertexIdMap& names, const BucketSet& log) {
  ASSIGN_OR_RETURN(Renumberer renumberer,
                   Renumberer::Create(schema.renumbering.value(), names.ids().num_vertices(),
                                      schema.both_ways, context.budget));
  RETURN_IF_ERROR(CountDegrees(context, names, log, renumberer));
  const PhaseTimer timer(context.plan.threads);
  VertexOrder order;
  ASSIGN_OR_RETURN(order.internal_of_rank, renumberer.Finish(context.plan.threads, context.budget));
  order.reservation = renumberer.ReleaseReservation();
  context.AddTime("- order vertices", timer.Times());
  return order;
}

StatusOr<VertexOrder> OrderAtRandom(const IngestContext& context, uint64_t num_vertices,
                                    uint64_t seed) {
  VertexOrder order;
  ASSIGN_OR_RETURN(order.reservation,
                   context.budget.Reserve(num_vertices * 4, "the renumbering of vertices"));
  ASSIGN_OR_RETURN(order.internal_of_rank, Array<uint32_t>::Allocate(num_vertices));
  const RandomPermutation permutation(num_vertices, seed);
  ForEachChunk(num_vertices, FirstTouchGrain(num_vertices, context.plan.threads),
               context.plan.threads, [&](size_t begin, size_t end) {
                 for (size_t rank = begin; rank < end; ++rank) {
                   order.internal_of_rank[rank] = static_cast<uint32_t>(permutation(rank));
                 }
               });
  return order;
}

}  // namespace

Status Renumber(const IngestContext& context, const GraphSchema& schema, VertexIdMap& names,
                SpilledEdges& edges) {
  const PhaseTimer timer(context.plan.threads);
  const uint64_t num_vertices = names.ids().num_vertices();
  RETURN_IF_ERROR(
      context.CheckMemory(Renumberer::MemoryBytes(num_vertices), "renumbering vertices"));
  StatusOr<VertexOrder> order = schema.renumbering == Renumbering::kRandom
                                    ? OrderAtRandom(context, num_vertices, schema.renumber_seed)
                                    : OrderByDegree(context, schema, names, *edges.forward);
  RETURN_IF_ERROR(order.status());
  if (schema.columns.vertices) {
    RETURN_IF_ERROR(WriteInternalOfRank(order->internal_of_rank.span(), schema.compression,
                                        context.plan.threads, context.writer));
  }
  names.SetInternalOfRank(std::move(order->internal_of_rank), std::move(order->reservation));
  RETURN_IF_ERROR(Repartition(
      context, schema, [&](std::span<NarrowEdge> some) { return names.ToInternal(some); }, edges));
  names.SetKeysAreFinal();
  context.AddTime("renumber", timer.Times());
  return OkStatus();
}

}  // namespace edgemill
