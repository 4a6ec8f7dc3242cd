#include "loaders/stages/renumber_stage.h"

#include <deque>
#include <span>

#include "loaders/buckets/replay_source.h"
#include "loaders/context/chunk_pump.h"
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

/// Orders vertices by the degrees that were counted, and writes their new ids.
Status OrderVertices(const IngestContext& context, const GraphSchema& schema,
                     Renumberer& renumberer, VertexIdMap& names) {
  const PhaseTimer timer(context.plan.threads);
  ASSIGN_OR_RETURN(Array<uint32_t> internal_of_rank,
                   renumberer.Finish(context.plan.threads, context.budget));
  RETURN_IF_ERROR(WriteInternalOfRank(internal_of_rank.span(), schema.compression,
                                      context.plan.threads, context.writer));
  names.SetInternalOfRank(std::move(internal_of_rank), renumberer.ReleaseReservation());
  context.AddTime("- order vertices", timer.Times());
  return OkStatus();
}

}  // namespace

Status Renumber(const IngestContext& context, const GraphSchema& schema, VertexIdMap& names,
                SpilledEdges& edges) {
  const PhaseTimer timer(context.plan.threads);
  const uint64_t num_vertices = names.ids().num_vertices();
  RETURN_IF_ERROR(
      context.CheckMemory(Renumberer::MemoryBytes(num_vertices), "renumbering vertices"));
  ASSIGN_OR_RETURN(Renumberer renumberer,
                   Renumberer::Create(schema.renumbering.value(), num_vertices, schema.both_ways,
                                      context.budget));
  RETURN_IF_ERROR(CountDegrees(context, names, *edges.forward, renumberer));
  RETURN_IF_ERROR(OrderVertices(context, schema, renumberer, names));
  RETURN_IF_ERROR(Repartition(
      context, schema, [&](std::span<NarrowEdge> some) { return names.ToInternal(some); }, edges));
  names.SetKeysAreFinal();
  context.AddTime("renumber", timer.Times());
  return OkStatus();
}

}  // namespace edgemill
