#include "loaders/stages/wide_stage.h"

#include <algorithm>
#include <functional>
#include <memory>

#include "common/check.h"
#include "common/thread_annotations.h"
#include "common/units.h"
#include "loaders/buckets/bucket_scatter.h"
#include "loaders/buckets/record_hash.h"
#include "loaders/buckets/replay_source.h"
#include "loaders/sort/renumberer.h"
#include "loaders/sort/sorted_bucket.h"
#include "loaders/stages/bucket_splitter.h"
#include "loaders/stages/edge_partitioner.h"

namespace edgemill {
namespace {

constexpr uint64_t kRangeEdges = 32768;
/// About how many edges of the log are sampled to cut buckets.
constexpr uint64_t kSampledWideEdges = 1 << 16;

/// The edges as read: first those that were spread over buckets before the first wide id, then
/// those of the log.
class EdgesAsRead : public EdgeSource {
 public:
  EdgesAsRead(const BucketSet& before, const ReplaySource::Options& options, BucketSet& log)
      : before_(before, 0, before.buckets().size(), options), log_(log, false) {}

  const EdgeSourceInfo& info() const override { return log_.info(); }
  StatusOr<bool> Next(EdgeChunk* chunk) override {
    StatusOr<bool> more = before_.Next(chunk);
    if (!more.ok() || *more) return more;
    more = log_.Next(chunk);
    chunk->sequence += before_.num_chunks();
    return more;
  }
  StatusOr<std::string> PositionAfter(uint64_t) override { return NoPosition(); }
  Status Resume(const std::string&) override { return NoPosition(); }

 private:
  static Status NoPosition() { return InternalError("edges as read have no positions"); }

  ReplaySource before_;
  WideSource log_;
};

/// Calls `visit` for ranges of the wide ids that a vertex list names. BadDataError when the ids are
/// not those that were logged.
Status VisitWideLists(const std::optional<BucketSet>& wide_listed,
                      const std::function<Status(std::span<const uint64_t>)>& visit) {
  if (!wide_listed.has_value()) return OkStatus();
  const Bucket& log = wide_listed->buckets()[0];
  std::vector<uint64_t> ids;
  uint64_t sum = 0;
  for (uint64_t first = 0; first < log.count(0); first += kRangeEdges) {
    ids.resize(std::min(kRangeEdges, log.count(0) - first));
    RETURN_IF_ERROR(
        log.records[0]->Read(first * sizeof(uint64_t), std::as_writable_bytes(std::span(ids))));
    for (const uint64_t id : ids) sum += RecordHash(id);
    RETURN_IF_ERROR(visit(ids));
  }
  return log.CheckRecords(0, sum);
}

/// Appends the wide ids of vertices to `ids`, and adds the log's other ids to the sets. Edges may
/// have ids of any size after the first wide one. After a resume in more memory, fewer ids are wide
/// than when they were logged.
Status SpillWideIds(SpilledEdges& edges, IdSets& sets, BucketSet& ids) {
  CHECK(edges.wide.has_value() && sets.seen.has_value());
  BucketScatter scatter;
  std::vector<uint64_t> wide;
  const auto take = [&](uint64_t id, SeenIds& set) {
    if (id < set.limit()) {
      set.Mark(id);
    } else {
      wide.push_back(id);
    }
  };
  RETURN_IF_ERROR(
      VisitWideLists(edges.wide_listed, [&](std::span<const uint64_t> listed) -> Status {
        wide.clear();
        for (const uint64_t id : listed) {
          take(id, sets.listed.has_value() ? *sets.listed : *sets.seen);
        }
        return scatter.SortAndAppend(ids, wide, {});
      }));
  // If there is a list of vertices, only the listed ids are vertices.
  if (sets.listed.has_value()) return OkStatus();
  WideSource log(*edges.wide, false);
  EdgeChunk chunk;
  for (;;) {
    ASSIGN_OR_RETURN(const bool more, log.Next(&chunk));
    if (!more) return OkStatus();
    wide.clear();
    for (const WideEdge& edge : chunk.wide) {
      for (const uint64_t id : {edge.source, edge.target}) take(id, *sets.seen);
    }
    // Repeated ids are removed here already, so that a hub's id does not fill a bucket.
    std::sort(wide.begin(), wide.end());
    wide.erase(std::unique(wide.begin(), wide.end()), wide.end());
    RETURN_IF_ERROR(scatter.SortAndAppend(ids, wide, {}));
  }
}

/// Marks the targets of edges read before the first wide id. The intake of a --symmetric input
/// leaves these out.
Status MarkTargets(const BucketSet& forward, SeenIds& seen) {
  ReplaySource source(forward, 0, forward.buckets().size(), {});
  EdgeChunk chunk;
  for (;;) {
    ASSIGN_OR_RETURN(const bool more, source.Next(&chunk));
    if (!more) return OkStatus();
    for (const NarrowEdge& edge : chunk.narrow) {
      if (edge.target >= seen.limit()) return forward.NoVertex();
      seen.Mark(edge.target);
    }
  }
}

/// The wide ids of all vertices, rising, each once.
StatusOr<std::unique_ptr<SpillStream>> SortWideIds(const IngestContext& context, IdSets& sets,
                                                   SpilledEdges& edges) {
  const IngestPlan& plan = context.plan;
  KeySample sample;
  if (!sets.listed.has_value()) {
    std::vector<WideEdge> some;
    RETURN_IF_ERROR(SampleWide(*edges.wide, kSampledWideEdges, &some));
    for (const WideEdge& edge : some) {
      sample.keys.insert(sample.keys.end(), {edge.source, edge.target});
    }
  } else if (edges.wide_listed.has_value()) {
    RETURN_IF_ERROR(SampleBucket(edges.wide_listed->buckets()[0], SpilledWeight::kNone, 0,
                                 SampleSize::Partial(), &sample));
  }
  const uint64_t parts = std::clamp<uint64_t>(
      2 * edges.wide->num_edges() / plan.sort.bucket_edges, 1,
      std::max<size_t>(std::min(plan.pages.max_streams, edges.space->num_pages() / 2) / 4, 1));
  BucketSet ids(*edges.space, SpilledWeight::kNone, 1,
                KeySplitters::FromSample(std::move(sample.keys), parts));
  RETURN_IF_ERROR(SpillWideIds(edges, sets, ids));
  if (sets.listed.has_value()) sets.MarkListedAsSeen();
  ids.Seal();
  RETURN_IF_ERROR(SplitLargeBuckets(context, ids, edges.retired));
  uint64_t most = 1;
  for (const Bucket& bucket : ids.buckets()) most = std::max(most, bucket.count());
  most = std::min(most, plan.sort.max_edges);
  std::unique_ptr<SpillStream> unique = edges.space->NewStream();
  {
    ASSIGN_OR_RETURN(SortedBucket sorted, SortedBucket::Create(most, false, context.budget));
    BucketRules rules;
    rules.duplicates = DuplicateRule::kFirst;
    for (size_t i = 0; i < ids.buckets().size(); ++i) {
      RETURN_IF_ERROR(sorted.Load(ids, WholeBucket(ids, i, most), rules));
      RETURN_IF_ERROR(unique->Append(std::as_bytes(sorted.keys())));
    }
  }
  return unique;
}

}  // namespace

Status UnlistedError(ExternalId source, ExternalId target, ExternalId missing) {
  return BadDataError(StrCat("edge ", source, " -> ", target, " names vertex ", missing,
                             ", which is not in the list of vertices"));
}

Status ExplainUnlisted(const EdgeErrorLocator& places, const BucketSet& forward,
                       ExternalId missing) {
  ReplaySource source(forward, 0, forward.buckets().size(), {});
  EdgeChunk chunk;
  for (;;) {
    ASSIGN_OR_RETURN(const bool more, source.Next(&chunk));
    if (!more) break;
    for (const NarrowEdge& edge : chunk.narrow) {
      if (edge.source == missing || edge.target == missing) {
        return places.AtEdge(edge.source, edge.target,
                             UnlistedError(edge.source, edge.target, missing));
      }
    }
  }
  return places.AtEdge(missing, missing,
                       UnlistedError(missing, missing, missing));  // a loop, which was dropped
}

Status LogWide(const EdgeRules& rules, const EdgeChunk& chunk, const WideBatch& batch,
               SpilledEdges& edges, SpillCopies* copies) {
  if (!edges.wide.has_value()) {
    edges.wide.emplace(MakeWideLog(*edges.space, edges.forward->weight()));
  }
  SeenIds* const small_ids = rules.listed != nullptr ? rules.listed : rules.seen;
  CHECK(small_ids != nullptr || chunk.vertices.empty());  // named vertices come as names
  std::vector<uint64_t> listed;
  for (const ExternalId id : chunk.vertices) {
    if (id < small_ids->limit()) {
      small_ids->Mark(id);
    } else {
      listed.push_back(id);
    }
  }
  if (!listed.empty() && !edges.wide_listed.has_value()) {
    edges.wide_listed.emplace(*edges.space, SpillForm::Items(sizeof(uint64_t)));
  }
  if (!listed.empty()) {
    RETURN_IF_ERROR(
        edges.wide_listed->buckets()[0].records[0]->Append(std::as_bytes(std::span(listed))));
    for (const uint64_t id : listed) edges.wide_listed->buckets()[0].sums[0] += RecordHash(id);
  }
  return batch.Append(*edges.wide, copies);
}

StatusOr<IdRanks> ResolveWideIds(const IngestContext& context, const GraphSchema& schema,
                                 const ReadEdges& read) {
  const auto& [stats, sets, edges] = read;
  if (schema.check_symmetry && stats.asymmetry != 0) {
    RETURN_IF_ERROR(MarkTargets(*edges.forward, *sets.seen));
  }
  if (sets.listed.has_value()) {
    const uint64_t missing = sets.seen->FirstMissing(*sets.listed, sets.listed->limit() - 1);
    if (missing < sets.seen->limit()) {
      return ExplainUnlisted(context.places, *edges.forward, missing);
    }
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<SpillStream> unique, SortWideIds(context, sets, edges));
  const uint64_t num_wide = unique->size() / sizeof(uint64_t);
  const uint64_t num_vertices = sets.seen->Count(sets.seen->limit() - 1) + num_wide;
  const uint64_t beside = schema.renumbers() ? Renumberer::MemoryBytes(num_vertices)
                                             : context.plan.sort.LeastBytes() * 16 / 15;
  RETURN_IF_ERROR(context.CheckMemory(
      unique->size() + beside, StrCat("ingesting beside the large ids of ", FormatCount(num_wide),
                                      " vertices, of 8 bytes each,")));
  ASSIGN_OR_RETURN(MemoryReservation reservation,
                   context.budget.Reserve(unique->size(), "64-bit vertex ids (8 bytes each)"));
  ASSIGN_OR_RETURN(Array<uint64_t> array, Array<uint64_t>::Allocate(num_wide));
  RETURN_IF_ERROR(unique->Read(0, std::as_writable_bytes(array.span())));
  const uint64_t limit = sets.seen->limit();
  if (num_wide > 0 && (array[0] < limit ||
                       !std::is_sorted(array.begin(), array.end(), std::less_equal<uint64_t>()))) {
    return unique->BadAt(0, "the large ids that begin here do not rise");
  }
  ASSIGN_OR_RETURN(IdRanks map, IdRanks::Sparse(std::move(*sets.seen), limit - 1, context.budget));
  sets.seen.reset();
  map.AddWide(std::move(array), std::move(reservation));
  if (map.num_vertices() > kMaxVertices) {
    return BadDataError(StrCat(FormatCount(map.num_vertices()),
                               " distinct vertex ids; a graph has at most ", kMaxVertices));
  }
  return map;
}

Status RankWideEdges(const IngestContext& context, const GraphSchema& schema, bool single_log,
                     const IdRanks& ids, SpilledEdges& edges) {
  CHECK(edges.forward.has_value() && edges.wide.has_value());
  // The sets are retired before they are read, so that they stay for a resume also when this fails.
  edges.Retire(edges.wide_listed);
  edges.Retire(edges.reversed);
  edges.Retire(edges.forward);
  edges.Retire(edges.wide);
  BucketSet& log = edges.retired.back();
  const BucketSet& before = edges.retired[edges.retired.size() - 2];
  RETURN_IF_ERROR(FitSorting(context.budget, &context.plan));
  ReplaySource::Options options;
  options.rising_only = schema.both_ways && !schema.renumbers();  // each line once
  EdgesAsRead source(before, options, log);
  EdgeReplay replay{
      .source = source,
      .num_edges = log.num_edges(),
      .chunk_bytes =
          std::max(ReplaySource::ChunkBytes(before), WideSource::ChunkBytes(schema.weighted)),
      .chunk_edges = std::max(ReplaySource::ChunkEdges(before), WideSource::kChunkEdges)};
  for (const Bucket& bucket : before.buckets()) {
    replay.num_edges += bucket.count(0) / (options.rising_only ? 2 : 1);
  }
  ASSIGN_OR_RETURN(const std::vector<uint64_t> keys, SampleKeys(before));
  for (const uint64_t key : keys) {
    replay.sample.push_back(
        {ids.Rank(static_cast<uint32_t>(key >> 32)), ids.Rank(static_cast<uint32_t>(key))});
  }
  std::vector<WideEdge> sample;
  RETURN_IF_ERROR(SampleWide(log, kSampledWideEdges, &sample));
  for (const WideEdge& edge : sample) {
    replay.sample.push_back({ids.RankOfWide(edge.source), ids.RankOfWide(edge.target)});
  }
  Mutex mutex;  // one thread at a time searches the input
  replay.map = [&](EdgeChunk& chunk) -> Status {
    for (NarrowEdge& edge : chunk.narrow) {
      edge = {ids.Rank(edge.source), ids.Rank(edge.target)};
      if (edge.source == kInvalidVertex || edge.target == kInvalidVertex) return before.NoVertex();
    }
    for (const WideEdge& edge : chunk.wide) {
      const NarrowEdge ranks{ids.RankOfWide(edge.source), ids.RankOfWide(edge.target)};
      if (ranks.source == kInvalidVertex || ranks.target == kInvalidVertex) {
        MutexLock lock(mutex);
        return context.places.AtEdge(
            edge.source, edge.target,
            UnlistedError(edge.source, edge.target,
                          ranks.source == kInvalidVertex ? edge.source : edge.target));
      }
      chunk.narrow.push_back(ranks);
    }
    chunk.wide.clear();
    return OkStatus();
  };
  return PartitionAgain(context, schema, single_log, replay, edges);
}

}  // namespace edgemill
