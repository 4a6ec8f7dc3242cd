// Renumbering: vertices get internal ids by degree, and the edges that were logged are spread over
// buckets by them.
#include <algorithm>

#include "common/units.h"
#include "loaders/ingest/id_columns.h"
#include "loaders/ingest/ingest_job.h"
#include "loaders/sort/renumberer.h"
#include "loaders/spill/replay_source.h"

namespace edgemill {

Status IngestJob::Renumber() {
  const PhaseTimer timer(plan_.threads);
  const uint64_t num_vertices = names_.ids().num_vertices();
  RETURN_IF_ERROR(CheckRoom(Renumberer::MemoryBytes(num_vertices), "renumbering vertices"));
  ASSIGN_OR_RETURN(Renumberer renumberer,
                   Renumberer::Create(options_.renumbering, num_vertices, budget_));
  {
    ReplaySource source(*forward_, 0, forward_->buckets().size(), {});
    ChunkPump pump(source);
    ChunkWork work;
    work.prepare = [&](int, EdgeChunk& chunk) {
      for (const NarrowEdge& edge : chunk.narrow) {
        renumberer.Count(names_.RankOf(edge.source), names_.RankOf(edge.target), both_ways_);
      }
      return OkStatus();
    };
    work.commit = [](int, EdgeChunk&) { return OkStatus(); };
    ASSIGN_OR_RETURN(const int threads, ReserveThreads(ReplaySource::ChunkBytes(weighted_)));
    RETURN_IF_ERROR(pump.Run(threads, work));
    EndThreads();
  }
  ASSIGN_OR_RETURN(Array<uint32_t> internal_of_rank, renumberer.Finish());
  RETURN_IF_ERROR(WriteInternalOfRank(internal_of_rank.span(), options_.compression, writer_));
  names_.SetInternalOfRank(std::move(internal_of_rank), renumberer.TakeReservation());
  RETURN_IF_ERROR(
      Repartition([&](uint32_t id) { return names_.internal_of_rank()[names_.RankOf(id)]; }));
  names_.SetKeysAreFinal();
  AddTime("renumber", timer.Times());
  return OkStatus();
}

Status IngestJob::Repartition(const std::function<uint32_t(uint32_t)>& map) {
  BucketSet log = std::move(*forward_);
  forward_.reset();
  RETURN_IF_ERROR(FitSorting());
  raw_first_ = false;
  rules_.both_ways = both_ways_;
  rules_.reversed = symmetrize_ || write_in_;
  final_id_ = map;
  std::vector<NarrowEdge> sample;
  for (const Bucket& bucket : log.buckets()) {
    std::vector<uint64_t> keys;
    RETURN_IF_ERROR(SampleBucket(bucket, 0, &keys));
    for (const uint64_t key : keys) {
      sample.push_back({map(static_cast<uint32_t>(key >> 32)), map(static_cast<uint32_t>(key))});
    }
  }
  RETURN_IF_ERROR(MakeBuckets(sample, log.num_edges()));
  ReplaySource source(log, 0, log.buckets().size(), {});
  ChunkPump pump(source);
  ASSIGN_OR_RETURN(const int threads,
                   ReserveChunks(ReplaySource::ChunkBytes(weighted_), ReplaySource::kChunkEdges));
  RETURN_IF_ERROR(RunPartition(pump, threads, false));
  EndThreads();
  retired_.push_back(std::move(log));
  return OkStatus();
}

}  // namespace edgemill
