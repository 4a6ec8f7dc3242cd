// Between the passes: ids and weights are decided, the input's promises checked, large buckets
// split.
#include <algorithm>
#include <limits>

#include "common/file.h"
#include "common/units.h"
#include "loaders/ingest/id_columns.h"
#include "loaders/ingest/ingest_job.h"
#include "loaders/sort/duplicate_merger.h"
#include "loaders/spill/replay_source.h"

namespace edgemill {
namespace {

/// The least and largest key of a bucket, of which the sample may know nothing.
Status KeyRange(const Bucket& bucket, uint64_t* least, uint64_t* most) {
  *least = ~uint64_t{0};
  *most = 0;
  constexpr uint64_t kRun = 1 << 17;
  ASSIGN_OR_RETURN(Array<uint64_t> memory, Array<uint64_t>::Allocate(kRun));
  for (int side = 0; side < 2; ++side) {
    const uint64_t count = bucket.count(side);
    for (uint64_t first = 0; first < count; first += kRun) {
      const std::span<uint64_t> keys = memory.span().first(std::min(kRun, count - first));
      RETURN_IF_ERROR(
          bucket.keys[size_t(side)]->Read(first * sizeof(uint64_t), std::as_writable_bytes(keys)));
      const auto [low, high] = std::minmax_element(keys.begin(), keys.end());
      *least = std::min(*least, *low);
      *most = std::max(*most, *high);
    }
  }
  return OkStatus();
}

}  // namespace

Status IngestJob::DecideIds() {
  const EdgeSourceInfo& info = source_.info();
  if (info.num_vertices.has_value()) {
    const uint64_t first = info.first_id;
    if (*info.num_vertices > kMaxVertices) {
      return BadDataError(StrCat("the input declares ", *info.num_vertices,
                                 " vertices; a graph has at most ", kMaxVertices));
    }
    if (stats_.any_id() && (stats_.max_id >= first + *info.num_vertices || stats_.min_id < first)) {
      const uint64_t bad = stats_.min_id < first ? stats_.min_id : stats_.max_id;
      return places_.At(
          [bad](const EdgePlace& edge) { return edge.source == bad || edge.target == bad; },
          BadDataError(StrCat("vertex id ", bad, " is outside the ", *info.num_vertices,
                              " vertices that the input declares")));
    }
    names_.SetIds(IdMap::Dense(static_cast<uint32_t>(first), *info.num_vertices));
    report_.id_reason = "dense: the input declares its vertices";
    return OkStatus();
  }
  if (!stats_.any_id()) {
    names_.SetIds(IdMap::Dense(0, 0));
    report_.id_reason = "dense: there are no vertices";
    return OkStatus();
  }
  if (wide_.has_value()) return ResolveWideIds();
  if (listed_.has_value()) {
    const uint64_t missing = seen_->FirstMissing(*listed_, stats_.max_id);
    if (missing < seen_->limit()) {
      return ExplainUnlisted(missing);
    }
    std::swap(seen_, listed_);
    listed_.reset();
  }
  const uint32_t base = stats_.min_id == 0 ? 0 : 1;
  const uint64_t dense_vertices = stats_.max_id + 1 - base;
  const uint64_t distinct = seen_.has_value() ? seen_->Count(stats_.max_id) : 0;
  const bool gaps_are_vertices = !source_.info().has_vertex_list;
  bool dense = options_.ids == IdMode::kDense;
  if (options_.ids == IdMode::kAuto) {
    dense = gaps_are_vertices ? stats_.max_id < 2 * distinct : dense_vertices == distinct;
    if (options_.max_vertex_id.has_value()) dense &= stats_.max_id <= *options_.max_vertex_id;
    report_.id_reason = StrCat(dense ? "dense" : "sparse", ": ", FormatCount(distinct),
                               " distinct ids, the largest ", stats_.max_id);
  } else {
    report_.id_reason = dense ? "dense: as asked for" : "sparse: as asked for";
  }
  if (options_.ids == IdMode::kDense && !gaps_are_vertices && dense_vertices != distinct) {
    report_.id_reason = "dense: as asked for; ids that the vertex list leaves out are vertices too";
  }
  if (dense) {
    names_.SetIds(IdMap::Dense(base, dense_vertices));
  } else {
    ASSIGN_OR_RETURN(IdMap ids, IdMap::Sparse(std::move(*seen_), stats_.max_id, budget_));
    names_.SetIds(std::move(ids));
  }
  seen_.reset();
  return OkStatus();
}

Status IngestJob::DecideWeights() {
  weight_type_ = WeightType::kNone;
  if (!weighted_) return OkStatus();
  using Kind = WeightChoice::Kind;
  switch (options_.weights.kind) {
    case Kind::kInt32:
    case Kind::kRandom:
      weight_type_ = WeightType::kInt32;
      break;
    case Kind::kFloat32:
      weight_type_ = WeightType::kFloat32;
      break;
    case Kind::kFloat64:
      weight_type_ = WeightType::kFloat64;
      break;
    default: {
      // Sums of floats may need more bits than the weights do.
      const bool sums = options_.duplicates == DuplicateRule::kSum;
      weight_type_ = stats_.weights_fit_int32              ? WeightType::kInt32
                     : stats_.weights_fit_float32 && !sums ? WeightType::kFloat32
                                                           : WeightType::kFloat64;
    }
  }
  return OkStatus();
}

Status IngestJob::Prepare() {
  const PhaseTimer timer(plan_.threads);
  progress_.StartStage("preparing", "buckets", 0);
  if (rules_.check_symmetry && stats_.asymmetry != 0) {
    if (wide_.has_value()) RETURN_IF_ERROR(LogRanks());
    return ExplainAsymmetry();
  }
  // Where they are declared nothing was chosen.
  if (!source_.info().num_vertices.has_value()) {
    progress_.Note(StrCat("ids: ", report_.id_reason));
  }
  RETURN_IF_ERROR(WriteExternalIds(names_.ids(), options_.compression, writer_));
  if (wide_.has_value()) {
    RETURN_IF_ERROR(RepartitionWide());
  } else if (options_.renumbering != Renumbering::kNone) {
    RETURN_IF_ERROR(Renumber());
  }
  RETURN_IF_ERROR(FitSorting());
  for (std::optional<BucketSet>* set : {&forward_, &reversed_}) {
    if (set->has_value()) RETURN_IF_ERROR(SplitLargeBuckets(**set));
  }
  RETURN_IF_ERROR(CheckRepeatedEdges(*forward_));
  if (durable_ && names_.keys_are_final()) RETURN_IF_ERROR(names_.Keep(*space_));
  AddTime("prepare", timer.Times());
  return OkStatus();
}

Status IngestJob::ExplainUnlisted(ExternalId missing) {
  ReplaySource source(*forward_, 0, forward_->buckets().size(), {});
  EdgeChunk chunk;
  for (;;) {
    ASSIGN_OR_RETURN(const bool more, source.Next(&chunk));
    if (!more) break;
    for (const NarrowEdge& edge : chunk.narrow) {
      if (edge.source == missing || edge.target == missing) {
        return places_.AtEdge(edge.source, edge.target,
                              UnlistedError(edge.source, edge.target, missing));
      }
    }
  }
  return places_.AtEdge(missing, missing,
                        UnlistedError(missing, missing, missing));  // a loop, which was dropped
}

Status IngestJob::SplitLargeBuckets(BucketSet& set) {
  for (size_t i = 0; i < set.buckets().size();) {
    Bucket& bucket = set.buckets()[i];
    if (bucket.count() <= plan_.max_sort_edges) {
      ++i;
      continue;
    }
    if (!bucket.has_single_key()) {
      uint64_t least, most;
      RETURN_IF_ERROR(KeyRange(bucket, &least, &most));
      // Tightened, so that splitting ends: each part then spans fewer keys than the whole.
      bucket.first_key = least;
      bucket.last_key = most;
    }
    if (!bucket.has_single_key()) {
      RETURN_IF_ERROR(SplitBucket(set, i));
      continue;
    }
    ++i;
  }
  return OkStatus();
}

Status IngestJob::CheckRepeatedEdges(const BucketSet& set) const {
  if (!symmetrize_ || !weighted_ || options_.duplicates != DuplicateRule::kKeep) return OkStatus();
  const BucketRules rules = RulesOfBuckets();
  for (const Bucket& bucket : set.buckets()) {
    if (bucket.count() <= plan_.max_sort_edges) continue;
    RETURN_IF_ERROR(CheckSameWeights(bucket, set.weight(), rules));
  }
  return OkStatus();
}

Status IngestJob::SplitBucket(BucketSet& set, size_t index) {
  const Bucket& bucket = set.buckets()[index];
  std::vector<uint64_t> sample;
  for (int side = 0; side < set.num_sides(); ++side) {
    RETURN_IF_ERROR(SampleBucket(bucket, side, &sample));
  }
  const size_t streams = static_cast<size_t>(set.num_sides()) * (weighted_ ? 2 : 1);
  // Other buckets are sealed, so only the parts hold on to pages.
  const uint64_t most_parts = std::clamp<uint64_t>(space_->num_pages() / 4 / streams, 2, 128);
  const uint64_t parts =
      std::clamp<uint64_t>(bucket.count() / plan_.bucket_edges + 1, 2, most_parts);
  std::sort(sample.begin(), sample.end());
  std::vector<uint64_t> first_keys{0};
  for (uint64_t i = 1; i < parts; ++i) {
    const uint64_t key = sample[i * sample.size() / parts];
    // A key that fills a part by itself gets one of its own.
    if (key > std::max(first_keys.back(), bucket.first_key)) first_keys.push_back(key);
    if (key == sample[(i - 1) * sample.size() / parts] && key < bucket.last_key &&
        key + 1 > first_keys.back()) {
      first_keys.push_back(key + 1);
    }
  }
  if (first_keys.size() == 1) {
    first_keys.push_back(bucket.first_key + (bucket.last_key - bucket.first_key) / 2 + 1);
  }
  BucketSet split(set.space(), set.weight(), set.num_sides(), KeySplitters(std::move(first_keys)));
  for (int side = 0; side < set.num_sides(); ++side) {
    ReplaySource::Options options;
    options.side = side;
    ReplaySource source(set, index, index + 1, options);
    ChunkPump pump(source);
    ASSIGN_OR_RETURN(const int threads,
                     ReserveThreads(ReplaySource::ChunkBytes(weighted_) +
                                    ReplaySource::kChunkEdges * KeyBytes(false)));
    std::vector<Partitioner> workers(static_cast<size_t>(threads));
    ChunkWork work;
    work.prepare = [&](int thread, EdgeChunk& chunk) {
      Partitioner& worker = workers[static_cast<size_t>(thread)];
      AddKeys(IntakeRules{}, chunk.narrow, chunk.weights, &worker.batch);
      worker.forward.Sort(split, worker.batch.keys, worker.batch.weights);
      return OkStatus();
    };
    work.commit = [&](int thread, EdgeChunk&) {
      Partitioner& worker = workers[static_cast<size_t>(thread)];
      return worker.forward.Append(split, side, &worker.copies);
    };
    work.finish = [&](int thread) { workers[static_cast<size_t>(thread)].copies.Run(); };
    RETURN_IF_ERROR(pump.Run(threads, work));
    EndThreads();
  }
  split.Seal();
  split.TightenTo(bucket.first_key, bucket.last_key);
  fault::KillPoint("ingest.split");
  retired_.push_back(set.Replace(index, std::move(split)));
  return OkStatus();
}

}  // namespace edgemill
