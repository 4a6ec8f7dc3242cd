#include "loaders/stages/name_stage.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "common/check.h"
#include "loaders/buckets/wide_log.h"
#include "loaders/context/chunk_pump.h"
#include "loaders/encode/name_columns.h"
#include "loaders/names/name_ranks.h"
#include "loaders/names/name_run.h"
#include "loaders/stages/edge_partitioner.h"

namespace edgemill {
namespace {

/// This bit is set in an id that is a rank already. Hashes are smaller.
constexpr uint64_t kIsRank = uint64_t{1} << 63;
/// About how many edges are sampled to cut buckets.
constexpr uint64_t kSampledEdges = 1 << 16;
/// The least memory for ranks: a slice of 200,000 names.
constexpr uint64_t kMinRankBytes = uint64_t{2} << 20;

/// Puts the ranks of one slice of hashes into edges.
class RankWriter {
 public:
  RankWriter(const NameRanks& ranks, const HashSlice& slice) : ranks_(ranks), slice_(slice) {}

  /// False when an edge has no name.
  [[nodiscard]] bool Write(std::span<WideEdge> edges) const {
    constexpr size_t kAhead = 16;
    bool known = true;
    for (size_t i = 0; i < edges.size(); ++i) {
      if (i + kAhead < edges.size()) {
        ranks_.Prefetch(edges[i + kAhead].source);
        ranks_.Prefetch(edges[i + kAhead].target);
      }
      for (uint64_t* id : {&edges[i].source, &edges[i].target}) {
        if (*id >= kIsRank || !slice_.Holds(*id)) continue;
        const uint32_t rank = ranks_.Find(*id);
        known &= rank != kInvalidVertex;
        *id = kIsRank | rank;
      }
    }
    return known;
  }

 private:
  const NameRanks& ranks_;
  const HashSlice& slice_;
};

/// The error for a logged id that belongs to no name.
Status NoName() {
  return BadDataError(
      "temporary files: an edge's end is not a vertex of the input: they have changed since they "
      "were "
      "written: ingest again");
}

/// A copy of `log` that has the ranks of one slice. `consumes` is as in WideSource.
StatusOr<BucketSet> LogWithRanks(const IngestContext& context, BucketSet& log, bool consumes,
                                 bool weighted, const RankWriter& writer) {
  BucketSet ranked = MakeWideLog(log.space(), log.weight());
  const uint64_t num_edges = log.num_edges();
  context.progress.StartPass(num_edges);
  WideSource source(log, consumes);
  ChunkPump pump(source, context.progress);
  const uint64_t chunk_bytes =
      WideSource::ChunkBytes(weighted) + WideSource::kChunkEdges * WideBatch::EdgeBytes(weighted);
  ASSIGN_OR_RETURN(const ThreadMemory reserved, context.ReserveThreads(chunk_bytes));
  struct Worker {
    WideBatch batch;
    SpillCopies copies;  // destroyed first
  };
  std::vector<Worker> workers(static_cast<size_t>(reserved.threads));
  ChunkWork work;
  work.prepare = [&](int thread, EdgeChunk& chunk) {
    if (!writer.Write(chunk.wide)) return NoName();
    workers[static_cast<size_t>(thread)].batch.Fill(chunk, log.weight());
    return OkStatus();
  };
  work.append_in_order = [&](int thread, EdgeChunk&) {
    Worker& worker = workers[static_cast<size_t>(thread)];
    return worker.batch.Append(ranked, &worker.copies);
  };
  work.finish = [&](int thread) { workers[static_cast<size_t>(thread)].copies.CopyAll(); };
  RETURN_IF_ERROR(pump.Run(reserved.threads, work));
  ranked.Seal();
  CHECK_EQ(ranked.num_edges(), num_edges);
  return ranked;
}

/// Writes the ends of `edges`, which are ranks, to `ranks`. False when an end is no rank.
bool ExtractRanks(std::span<const WideEdge> edges, std::vector<NarrowEdge>* ranks) {
  uint64_t all = kIsRank;
  for (const WideEdge& edge : edges) {
    all &= edge.source & edge.target;
    ranks->push_back({static_cast<uint32_t>(edge.source), static_cast<uint32_t>(edge.target)});
  }
  return all == kIsRank;
}

}  // namespace

Status WriteNames(const NameRun& names, CompressionPolicy compression, GraphWriter& writer) {
  NameColumns columns(writer, compression);
  NameRunReader reader(*names.stream);
  std::string_view name;
  for (;;) {
    ASSIGN_OR_RETURN(const bool more, reader.Next(&name));
    if (!more) break;
    RETURN_IF_ERROR(columns.Append(name));
  }
  return columns.Finish();
}

Status RankEdges(const IngestContext& context, const GraphSchema& schema, bool single_log,
                 const NameRun& names, SpilledEdges& edges) {
  if (!edges.wide.has_value()) return OkStatus();  // nothing was read
  CHECK(names.stream != nullptr);
  edges.Retire(edges.forward);
  edges.Retire(edges.reversed);
  edges.Retire(edges.wide);
  BucketSet& first_log = edges.retired.back();
  // A resume never needs edges that were not saved, so they may be consumed.
  const bool saved = edges.space->spilling();
  const uint64_t num_edges = first_log.num_edges();
  const uint64_t seed = context.source.info().name_seed;
  // Chunks of edges need memory beside the ranks.
  const uint64_t left = context.budget.available_bytes();
  const uint64_t rank_bytes =
      std::max(left - std::min(left, context.plan.chunk_bytes + left / 8), kMinRankBytes);
  HashSlice slice{.count = NameRanks::NumSlices(names.num_names, rank_bytes)};
  std::optional<BucketSet> ranked;
  for (;; ++slice.index) {
    BucketSet& log = ranked.has_value() ? *ranked : first_log;
    const bool consumes = ranked.has_value() || !saved;
    ASSIGN_OR_RETURN(const NameRanks ranks,
                     NameRanks::Create(names, seed, slice, context.plan.threads, context.budget));
    const RankWriter writer(ranks, slice);
    if (slice.index + 1 < slice.count) {
      ASSIGN_OR_RETURN(BucketSet next,
                       LogWithRanks(context, log, consumes, schema.weighted, writer));
      ranked.emplace(std::move(next));
      continue;
    }
    std::vector<WideEdge> sample;
    RETURN_IF_ERROR(SampleWide(log, kSampledEdges, &sample));
    WideSource source(log, consumes);
    EdgeReplay replay{.source = source,
                      .num_edges = num_edges,
                      .chunk_bytes = WideSource::ChunkBytes(schema.weighted),
                      .chunk_edges = WideSource::kChunkEdges};
    if (!writer.Write(sample) || !ExtractRanks(sample, &replay.sample)) return NoName();
    replay.map = [&](EdgeChunk& chunk) {
      chunk.narrow.clear();
      const bool known = writer.Write(chunk.wide) && ExtractRanks(chunk.wide, &chunk.narrow);
      chunk.wide.clear();
      return known ? OkStatus() : NoName();
    };
    return PartitionAgain(context, schema, single_log, replay, edges);
  }
}

}  // namespace edgemill
