#include "loaders/stages/wide_stage.h"

#include <algorithm>
#include <functional>
#include <memory>

#include "common/random.h"
#include "common/units.h"
#include "loaders/sort/renumberer.h"
#include "loaders/sort/sorted_bucket.h"
#include "loaders/spill/bucket_partitioner.h"
#include "loaders/spill/record_hash.h"
#include "loaders/spill/replay_source.h"
#include "loaders/stages/bucket_splitter.h"

namespace edgemill {
namespace {

constexpr uint64_t kRangeEdges = 32768;

/// Turns weights into the bytes that a log of `type` holds.
std::vector<std::byte> WeightBytes(std::span<const double> weights, SpilledWeight type) {
  std::vector<std::byte> bytes(weights.size() * SpilledWeightBytes(type));
  for (size_t i = 0; i < weights.size(); ++i) {
    if (type == SpilledWeight::kInt32) {
      reinterpret_cast<int32_t*>(bytes.data())[i] = static_cast<int32_t>(weights[i]);
    } else if (type == SpilledWeight::kFloat32) {
      reinterpret_cast<float*>(bytes.data())[i] = static_cast<float>(weights[i]);
    } else if (type == SpilledWeight::kFloat64) {
      reinterpret_cast<double*>(bytes.data())[i] = weights[i];
    }
  }
  return bytes;
}

std::vector<double> WeightsFrom(std::span<const std::byte> bytes, SpilledWeight type) {
  std::vector<double> weights(bytes.size() / std::max<size_t>(SpilledWeightBytes(type), 1));
  VisitWeights(bytes.data(), type, weights.size(),
               [&weights](size_t i, double weight) { weights[i] = weight; });
  return weights;
}

/// The hash of a record of the wide log, with the weight as it is spilled.
uint64_t WideHash(const WideEdge& edge, double weight) {
  return RecordHash(edge.source ^ Mix64(RecordHash(edge.target, weight)));
}

/// Calls `visit` for ranges of the ids that a vertex list names and that are wide. BadDataError
/// when they are not those that were logged.
Status VisitWideLists(const std::optional<BucketSet>& wide_listed,
                      const std::function<Status(std::span<const uint64_t>)>& visit) {
  if (!wide_listed.has_value()) return OkStatus();
  const Bucket& log = wide_listed->buckets()[0];
  std::vector<uint64_t> ids;
  uint64_t sum = 0;
  for (uint64_t first = 0; first < log.count(0); first += kRangeEdges) {
    ids.resize(std::min(kRangeEdges, log.count(0) - first));
    RETURN_IF_ERROR(
        log.keys[0]->Read(first * sizeof(uint64_t), std::as_writable_bytes(std::span(ids))));
    for (const uint64_t id : ids) sum += RecordHash(id);
    RETURN_IF_ERROR(visit(ids));
  }
  return log.CheckRecords(0, sum);
}

/// Calls `visit` for ranges of the edges as read, with their weights. BadDataError when they are
/// not those that were logged.
Status VisitWideLog(
    const BucketSet& wide,
    const std::function<Status(std::span<const WideEdge>, std::vector<double>)>& visit) {
  const Bucket& log = wide.buckets()[0];
  std::vector<uint64_t> ids[2];
  std::vector<WideEdge> edges;
  uint64_t sum = 0;
  for (uint64_t first = 0; first < log.count(0); first += kRangeEdges) {
    const uint64_t count = std::min(kRangeEdges, log.count(0) - first);
    for (size_t side = 0; side < 2; ++side) {
      ids[side].resize(count);
      RETURN_IF_ERROR(log.keys[side]->Read(first * sizeof(uint64_t),
                                           std::as_writable_bytes(std::span(ids[side]))));
    }
    edges.resize(count);
    for (size_t i = 0; i < count; ++i) edges[i] = {ids[0][i], ids[1][i]};
    std::vector<std::byte> bytes(count * SpilledWeightBytes(wide.weight()));
    if (wide.weight() != SpilledWeight::kNone) {
      RETURN_IF_ERROR(log.weights[0]->Read(first * SpilledWeightBytes(wide.weight()), bytes));
    }
    std::vector<double> weights = WeightsFrom(bytes, wide.weight());
    for (size_t i = 0; i < count; ++i) sum += WideHash(edges[i], weights.empty() ? 0 : weights[i]);
    RETURN_IF_ERROR(visit(edges, std::move(weights)));
  }
  return log.CheckRecords(0, sum);
}

/// Appends the wide ids of vertices to `ids`, and adds the others of the log to `sets.seen`.
Status SpillWideIds(const SpilledEdges& edges, IdSets& sets, BucketSet& ids) {
  BucketScatter scatter;
  std::vector<uint64_t> wide;
  RETURN_IF_ERROR(
      VisitWideLists(edges.wide_listed, [&](std::span<const uint64_t> listed) -> Status {
        return scatter.SortAndAppend(ids, listed, {});
      }));
  // With a list of vertices, exactly those are vertices.
  if (sets.listed.has_value()) return OkStatus();
  return VisitWideLog(*edges.wide,
                      [&](std::span<const WideEdge> log, std::vector<double>) -> Status {
                        wide.clear();
                        for (const WideEdge& edge : log) {
                          for (const uint64_t id : {edge.source, edge.target}) {
                            if (id < sets.seen->limit()) {
                              sets.seen->Mark(id);
                            } else {
                              wide.push_back(id);
                            }
                          }
                        }
                        // One of each here already, so that a hub's id does not fill a bucket.
                        std::sort(wide.begin(), wide.end());
                        wide.erase(std::unique(wide.begin(), wide.end()), wide.end());
                        return scatter.SortAndAppend(ids, wide, {});
                      });
}

/// Marks the targets of edges read before the first wide id, which the intake of a --symmetric
/// input leaves out.
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
StatusOr<std::unique_ptr<SpillStream>> SortWideIds(const IngestMeans& means, IdSets& sets,
                                                   SpilledEdges& edges) {
  const IngestPlan& plan = means.plan;
  KeySample sample;
  for (int side = 0; side < 2; ++side) {
    const std::optional<BucketSet>& from = sets.listed.has_value() ? edges.wide_listed : edges.wide;
    if (from.has_value())
      RETURN_IF_ERROR(SampleBucket(from->buckets()[0], side, SampleReads::kSome, &sample));
  }
  const uint64_t parts =
      std::clamp<uint64_t>(2 * edges.wide->buckets()[0].count(0) / plan.sort.bucket_edges, 1,
                           std::max<size_t>(plan.max_streams / 4, 1));
  BucketSet ids(*edges.space, SpilledWeight::kNone, 1,
                KeySplitters::FromSample(std::move(sample.keys), parts));
  RETURN_IF_ERROR(SpillWideIds(edges, sets, ids));
  if (sets.listed.has_value()) sets.TakeListedAsSeen();
  ids.Seal();
  RETURN_IF_ERROR(SplitLargeBuckets(means, ids, edges.retired));
  uint64_t most = 1;
  for (const Bucket& bucket : ids.buckets()) most = std::max(most, bucket.count());
  most = std::min(most, plan.sort.max_edges);
  std::unique_ptr<SpillStream> unique = edges.space->NewStream();
  {
    ASSIGN_OR_RETURN(SortedBucket sorted, SortedBucket::Create(most, false, means.budget));
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

Status ExplainUnlisted(const EdgePlaces& places, const BucketSet& forward, ExternalId missing) {
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

Status LogWide(const IntakeRules& rules, SpilledWeight weight, const EdgeChunk& chunk,
               SpilledEdges& edges) {
  if (!edges.wide.has_value()) {
    edges.wide.emplace(*edges.space, weight, 2, KeySplitters());
  }
  SeenIds& small_ids = rules.listed != nullptr ? *rules.listed : *rules.seen;
  std::vector<uint64_t> listed;
  for (const ExternalId id : chunk.vertices) {
    if (id < small_ids.limit()) {
      small_ids.Mark(id);
    } else {
      listed.push_back(id);
    }
  }
  if (!listed.empty() && !edges.wide_listed.has_value()) {
    edges.wide_listed.emplace(*edges.space, SpilledWeight::kNone, 1, KeySplitters());
  }
  if (!listed.empty()) {
    RETURN_IF_ERROR(
        edges.wide_listed->buckets()[0].keys[0]->Append(std::as_bytes(std::span(listed))));
    for (const uint64_t id : listed) edges.wide_listed->buckets()[0].sums[0] += RecordHash(id);
  }
  Bucket& log = edges.wide->buckets()[0];
  const size_t count = chunk.num_edges();
  const std::vector<std::byte> bytes = WeightBytes(chunk.weights, weight);
  const std::vector<double> weights = WeightsFrom(bytes, weight);
  std::vector<uint64_t> ids[2];
  for (size_t first = 0; first < count; first += kRangeEdges) {
    const size_t end = std::min<size_t>(count, first + kRangeEdges);
    for (std::vector<uint64_t>& side : ids) side.clear();
    for (size_t i = first; i < end; ++i) {
      const WideEdge edge = chunk.wide.empty()
                                ? WideEdge{chunk.narrow[i].source, chunk.narrow[i].target}
                                : chunk.wide[i];
      ids[0].push_back(edge.source);
      ids[1].push_back(edge.target);
      log.sums[0] += WideHash(edge, weights.empty() ? 0 : weights[i]);
    }
    for (size_t side = 0; side < 2; ++side) {
      RETURN_IF_ERROR(log.keys[side]->Append(std::as_bytes(std::span(ids[side]))));
    }
  }
  if (weight == SpilledWeight::kNone) return OkStatus();
  return log.weights[0]->Append(bytes);
}

StatusOr<IdRanks> ResolveWideIds(const IngestMeans& means, const IngestShape& shape,
                                 const IntakeStats& stats, IdSets& sets, SpilledEdges& edges) {
  if (shape.check_symmetry && stats.asymmetry != 0) {
    RETURN_IF_ERROR(MarkTargets(*edges.forward, *sets.seen));
  }
  if (sets.listed.has_value()) {
    const uint64_t missing = sets.seen->FirstMissing(*sets.listed, sets.listed->limit() - 1);
    if (missing < sets.seen->limit()) {
      return ExplainUnlisted(means.places, *edges.forward, missing);
    }
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<SpillStream> unique, SortWideIds(means, sets, edges));
  const uint64_t num_wide = unique->size() / sizeof(uint64_t);
  const uint64_t num_vertices = sets.seen->Count(sets.seen->limit() - 1) + num_wide;
  const uint64_t beside = shape.renumbers() ? Renumberer::MemoryBytes(num_vertices)
                                            : means.plan.sort.LeastBytes() * 16 / 15;
  RETURN_IF_ERROR(means.CheckRoom(
      unique->size() + beside, StrCat("ingesting beside the large ids of ", FormatCount(num_wide),
                                      " vertices, of 8 bytes each,")));
  ASSIGN_OR_RETURN(MemoryReservation reservation,
                   means.budget.Reserve(unique->size(), "64-bit vertex ids (8 bytes each)"));
  ASSIGN_OR_RETURN(Array<uint64_t> array, Array<uint64_t>::Allocate(num_wide));
  RETURN_IF_ERROR(unique->Read(0, std::as_writable_bytes(array.span())));
  const uint64_t limit = sets.seen->limit();
  if (num_wide > 0 && (array[0] < limit ||
                       !std::is_sorted(array.begin(), array.end(), std::less_equal<uint64_t>()))) {
    return unique->BadAt(0, "the large ids that begin here do not rise");
  }
  ASSIGN_OR_RETURN(IdRanks map, IdRanks::Sparse(std::move(*sets.seen), limit - 1, means.budget));
  sets.seen.reset();
  map.AddWide(std::move(array), std::move(reservation));
  if (map.num_vertices() > kMaxVertices) {
    return BadDataError(StrCat(FormatCount(map.num_vertices()),
                               " distinct vertex ids; a graph has at most ", kMaxVertices));
  }
  return map;
}

Status LogRanks(const EdgePlaces& places, const IngestShape& shape, const IdRanks& ids,
                SpilledEdges& edges) {
  // The log becomes one of ranks: first what was spread over buckets before the first wide id, then
  // the rest.
  BucketSet ranks(*edges.space, shape.spilled_weight, 1, KeySplitters());
  BucketScatter scatter;
  std::vector<uint64_t> keys;
  {
    ReplaySource::Options options;
    options.rising_only = shape.both_ways && !shape.renumbers();  // each line once
    ReplaySource source(*edges.forward, 0, edges.forward->buckets().size(), options);
    EdgeChunk chunk;
    for (;;) {
      ASSIGN_OR_RETURN(const bool more, source.Next(&chunk));
      if (!more) break;
      keys.clear();
      for (const NarrowEdge& edge : chunk.narrow) {
        const uint32_t source = ids.Rank(edge.source), target = ids.Rank(edge.target);
        if (source == kInvalidVertex || target == kInvalidVertex) return edges.forward->NoVertex();
        keys.push_back(EdgeKey(source, target));
      }
      RETURN_IF_ERROR(scatter.SortAndAppend(ranks, keys, chunk.weights));
    }
  }
  RETURN_IF_ERROR(VisitWideLog(
      *edges.wide, [&](std::span<const WideEdge> log, std::vector<double> weights) -> Status {
        keys.clear();
        for (const WideEdge& edge : log) {
          const uint32_t source = ids.RankOfWide(edge.source);
          const uint32_t target = ids.RankOfWide(edge.target);
          if (source == kInvalidVertex || target == kInvalidVertex) {
            return places.AtEdge(
                edge.source, edge.target,
                UnlistedError(edge.source, edge.target,
                              source == kInvalidVertex ? edge.source : edge.target));
          }
          keys.push_back(EdgeKey(source, target));
        }
        return scatter.SortAndAppend(ranks, keys, weights);
      }));
  ranks.Seal();
  edges.Retire(edges.wide);
  edges.Retire(edges.wide_listed);
  edges.Retire(edges.forward);
  edges.Retire(edges.reversed);
  edges.forward.emplace(std::move(ranks));
  return OkStatus();
}

}  // namespace edgemill
