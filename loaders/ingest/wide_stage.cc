// Ids too large for the set of ids seen: edges are logged as read, the ids sorted externally, and
// the edges partitioned again by rank.
#include <algorithm>

#include "common/units.h"
#include "loaders/ingest/ingest_job.h"
#include "loaders/sort/renumberer.h"
#include "loaders/spill/replay_source.h"

namespace edgemill {
namespace {

constexpr uint64_t kRunEdges = 32768;

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

}  // namespace

Status UnlistedError(ExternalId source, ExternalId target, ExternalId missing) {
  return BadDataError(StrCat("edge ", source, " -> ", target, " names vertex ", missing,
                             ", which is not in the list of vertices"));
}

Status IngestJob::LogWide(const EdgeChunk& chunk) {
  if (!wide_.has_value()) {
    wide_.emplace(*space_, spilled_weight_, 2, KeySplitters());
  }
  SeenIds& small_ids = listed_.has_value() ? *listed_ : *seen_;
  std::vector<uint64_t> listed;
  for (const ExternalId id : chunk.vertices) {
    if (id < small_ids.limit()) {
      small_ids.Mark(id);
    } else {
      listed.push_back(id);
    }
  }
  if (!listed.empty() && !wide_listed_.has_value()) {
    wide_listed_.emplace(*space_, SpilledWeight::kNone, 1, KeySplitters());
  }
  if (!listed.empty()) {
    RETURN_IF_ERROR(wide_listed_->buckets()[0].keys[0]->Append(std::as_bytes(std::span(listed))));
  }
  Bucket& log = wide_->buckets()[0];
  const size_t count = chunk.num_edges();
  std::vector<uint64_t> ids[2];
  for (size_t first = 0; first < count; first += kRunEdges) {
    const size_t end = std::min<size_t>(count, first + kRunEdges);
    for (std::vector<uint64_t>& side : ids) side.clear();
    for (size_t i = first; i < end; ++i) {
      const WideEdge edge = chunk.wide.empty()
                                ? WideEdge{chunk.narrow[i].source, chunk.narrow[i].target}
                                : chunk.wide[i];
      ids[0].push_back(edge.source);
      ids[1].push_back(edge.target);
    }
    for (size_t side = 0; side < 2; ++side) {
      RETURN_IF_ERROR(log.keys[side]->Append(std::as_bytes(std::span(ids[side]))));
    }
  }
  if (!weighted_) return OkStatus();
  return log.weights[0]->Append(WeightBytes(chunk.weights, spilled_weight_));
}

Status IngestJob::RunWideLists(const std::function<Status(std::span<const uint64_t>)>& visit) {
  if (!wide_listed_.has_value()) return OkStatus();
  const Bucket& log = wide_listed_->buckets()[0];
  std::vector<uint64_t> ids;
  for (uint64_t first = 0; first < log.count(0); first += kRunEdges) {
    ids.resize(std::min(kRunEdges, log.count(0) - first));
    RETURN_IF_ERROR(
        log.keys[0]->Read(first * sizeof(uint64_t), std::as_writable_bytes(std::span(ids))));
    RETURN_IF_ERROR(visit(ids));
  }
  return OkStatus();
}

Status IngestJob::RunWideLog(
    const std::function<Status(std::span<const WideEdge>, std::vector<double>)>& visit) {
  const Bucket& log = wide_->buckets()[0];
  std::vector<uint64_t> ids[2];
  std::vector<WideEdge> edges;
  for (uint64_t first = 0; first < log.count(0); first += kRunEdges) {
    const uint64_t count = std::min(kRunEdges, log.count(0) - first);
    for (size_t side = 0; side < 2; ++side) {
      ids[side].resize(count);
      RETURN_IF_ERROR(log.keys[side]->Read(first * sizeof(uint64_t),
                                           std::as_writable_bytes(std::span(ids[side]))));
    }
    edges.resize(count);
    for (size_t i = 0; i < count; ++i) edges[i] = {ids[0][i], ids[1][i]};
    std::vector<std::byte> bytes(count * SpilledWeightBytes(spilled_weight_));
    if (weighted_)
      RETURN_IF_ERROR(log.weights[0]->Read(first * SpilledWeightBytes(spilled_weight_), bytes));
    RETURN_IF_ERROR(visit(edges, WeightsFrom(bytes, spilled_weight_)));
  }
  return OkStatus();
}

Status IngestJob::SpillWideIds(BucketSet& ids) {
  BucketScatter scatter;
  std::vector<uint64_t> wide;
  RETURN_IF_ERROR(RunWideLists([&](std::span<const uint64_t> listed) -> Status {
    return scatter.SortAndAppend(ids, listed, {});
  }));
  // With a list of vertices, exactly those are vertices.
  if (listed_.has_value()) return OkStatus();
  return RunWideLog([&](std::span<const WideEdge> edges, std::vector<double>) -> Status {
    wide.clear();
    for (const WideEdge& edge : edges) {
      for (const uint64_t id : {edge.source, edge.target}) {
        if (id < seen_->limit()) {
          seen_->Mark(id);
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

Status IngestJob::MarkTargets() {
  ReplaySource source(*forward_, 0, forward_->buckets().size(), {});
  EdgeChunk chunk;
  for (;;) {
    ASSIGN_OR_RETURN(const bool more, source.Next(&chunk));
    if (!more) return OkStatus();
    for (const NarrowEdge& edge : chunk.narrow) seen_->Mark(edge.target);
  }
}

Status IngestJob::ResolveWideIds() {
  if (rules_.check_symmetry && stats_.asymmetry != 0) RETURN_IF_ERROR(MarkTargets());
  if (listed_.has_value()) {
    const uint64_t missing = seen_->FirstMissing(*listed_, listed_->limit() - 1);
    if (missing < seen_->limit()) return ExplainUnlisted(missing);
  }
  std::vector<uint64_t> sample;
  for (int side = 0; side < 2; ++side) {
    const std::optional<BucketSet>& from = listed_.has_value() ? wide_listed_ : wide_;
    if (from.has_value()) RETURN_IF_ERROR(SampleBucket(from->buckets()[0], side, &sample));
  }
  const uint64_t parts = std::clamp<uint64_t>(2 * wide_->buckets()[0].count(0) / plan_.bucket_edges,
                                              1, std::max<size_t>(plan_.max_streams / 4, 1));
  BucketSet ids(*space_, SpilledWeight::kNone, 1,
                KeySplitters::FromSample(std::move(sample), parts));
  RETURN_IF_ERROR(SpillWideIds(ids));
  if (listed_.has_value()) {
    std::swap(seen_, listed_);
    listed_.reset();
  }
  ids.Seal();
  RETURN_IF_ERROR(SplitLargeBuckets(ids));
  uint64_t most = 1;
  for (const Bucket& bucket : ids.buckets()) most = std::max(most, bucket.count());
  most = std::min(most, plan_.max_sort_edges);
  std::unique_ptr<SpillStream> unique = space_->NewStream();
  {
    ASSIGN_OR_RETURN(SortedBucket sorted, SortedBucket::Create(most, false, budget_));
    BucketRules rules;
    rules.duplicates = DuplicateRule::kFirst;
    for (size_t i = 0; i < ids.buckets().size(); ++i) {
      RETURN_IF_ERROR(sorted.Load(ids, WholeBucket(ids, i, most), rules));
      RETURN_IF_ERROR(unique->Append(std::as_bytes(sorted.keys())));
    }
  }
  const uint64_t num_wide = unique->size() / sizeof(uint64_t);
  const uint64_t num_vertices = seen_->Count(seen_->limit() - 1) + num_wide;
  const uint64_t beside = options_.renumbering != Renumbering::kNone
                              ? Renumberer::MemoryBytes(num_vertices)
                              : plan_.LeastSortBytes() * 16 / 15;
  RETURN_IF_ERROR(CheckRoom(unique->size() + beside,
                            StrCat("ingesting beside the large ids of ", FormatCount(num_wide),
                                   " vertices, of 8 bytes each,")));
  ASSIGN_OR_RETURN(MemoryReservation reservation,
                   budget_.Reserve(unique->size(), "64-bit vertex ids (8 bytes each)"));
  ASSIGN_OR_RETURN(Array<uint64_t> array, Array<uint64_t>::Allocate(num_wide));
  RETURN_IF_ERROR(unique->Read(0, std::as_writable_bytes(array.span())));
  const uint64_t limit = seen_->limit();
  ASSIGN_OR_RETURN(IdMap map, IdMap::Sparse(std::move(*seen_), limit - 1, budget_));
  seen_.reset();
  map.AddWide(std::move(array), std::move(reservation));
  if (map.num_vertices() > kMaxVertices) {
    return BadDataError(StrCat(FormatCount(map.num_vertices()),
                               " distinct vertex ids; a graph has at most ", kMaxVertices));
  }
  names_.SetIds(std::move(map));
  report_.id_reason = StrCat("sparse: ids up to ", stats_.max_id);
  return OkStatus();
}

Status IngestJob::LogRanks() {
  // The log becomes one of ranks: first what was spread over buckets before the first wide id, then
  // the rest.
  BucketSet ranks(*space_, spilled_weight_, 1, KeySplitters());
  BucketScatter scatter;
  std::vector<uint64_t> keys;
  {
    ReplaySource::Options options;
    options.rising_only = rules_.both_ways;  // each line once
    ReplaySource source(*forward_, 0, forward_->buckets().size(), options);
    EdgeChunk chunk;
    for (;;) {
      ASSIGN_OR_RETURN(const bool more, source.Next(&chunk));
      if (!more) break;
      keys.clear();
      for (const NarrowEdge& edge : chunk.narrow) {
        keys.push_back(EdgeKey(names_.ids().Rank(edge.source), names_.ids().Rank(edge.target)));
      }
      RETURN_IF_ERROR(scatter.SortAndAppend(ranks, keys, chunk.weights));
    }
  }
  RETURN_IF_ERROR(RunWideLog([&](std::span<const WideEdge> edges,
                                 std::vector<double> weights) -> Status {
    keys.clear();
    for (const WideEdge& edge : edges) {
      const uint32_t source = names_.ids().RankOfWide(edge.source);
      const uint32_t target = names_.ids().RankOfWide(edge.target);
      if (source == kInvalidVertex || target == kInvalidVertex) {
        return places_.AtEdge(edge.source, edge.target,
                              UnlistedError(edge.source, edge.target,
                                            source == kInvalidVertex ? edge.source : edge.target));
      }
      keys.push_back(EdgeKey(source, target));
    }
    return scatter.SortAndAppend(ranks, keys, weights);
  }));
  ranks.Seal();
  retired_.push_back(std::move(*wide_));
  wide_.reset();
  if (wide_listed_.has_value()) retired_.push_back(*std::move(wide_listed_));
  wide_listed_.reset();
  retired_.push_back(std::move(*forward_));
  if (reversed_.has_value()) retired_.push_back(std::move(*reversed_));
  reversed_.reset();
  forward_.emplace(std::move(ranks));
  names_.SetKeysAreFinal();
  return OkStatus();
}

Status IngestJob::RepartitionWide() {
  RETURN_IF_ERROR(LogRanks());
  if (options_.renumbering != Renumbering::kNone) return Renumber();
  return Repartition([](uint32_t rank) { return rank; });
}

}  // namespace edgemill
