// Pass 1: reads the input once and spreads its edges over buckets.
#include <algorithm>
#include <deque>

#include "common/cancel.h"
#include "common/file.h"
#include "common/units.h"
#include "loaders/ingest/ingest_job.h"
#include "loaders/sort/renumberer.h"

namespace edgemill {
namespace {

constexpr uint64_t kSampleEdges = 1 << 16;
/// Buckets for an input that does not say how long it is.
constexpr uint64_t kBucketsOfUnknown = 64;

/// The least of a chunk that is made keys at a time: more is faster by little.
constexpr uint64_t kLeastSliceEdges = 4096;
constexpr uint64_t kGoodSliceEdges = 16384;

/// Bytes of a chunk as it is read, with its input, and as long as it is there.
uint64_t ChunkBytes(const EdgeChunk& chunk, bool weighted) {
  return chunk.input_bytes + chunk.narrow.capacity() * sizeof(NarrowEdge) +
         chunk.wide.capacity() * sizeof(WideEdge) +
         (weighted ? std::max(chunk.weights.capacity(), chunk.num_edges()) * sizeof(double) : 0) +
         chunk.vertices.capacity() * sizeof(ExternalId);
}

/// At most about kSampleEdges of the held chunks' edges, evenly spaced.
std::vector<NarrowEdge> SampleHeld(const std::deque<EdgeChunk>& held) {
  uint64_t num_edges = 0;
  for (const EdgeChunk& chunk : held) num_edges += chunk.num_edges();
  const uint64_t step = std::max<uint64_t>(num_edges / kSampleEdges, 1);
  std::vector<NarrowEdge> sample;
  for (const EdgeChunk& chunk : held) {
    for (size_t i = 0; i < chunk.narrow.size(); i += step) sample.push_back(chunk.narrow[i]);
  }
  return sample;
}

}  // namespace

Status IngestJob::MakeIdSets() {
  const EdgeSourceInfo& info = source_.info();
  const bool want_seen =
      (options_.ids != IdMode::kDense && !info.num_vertices.has_value()) || info.has_vertex_list;
  const int num_sets = want_seen ? (info.has_vertex_list ? 2 : 1) : 0;
  IngestNeeds needs{.weighted = weighted_, .num_id_sets = num_sets};
  if (raw_first_) needs.renumbering_bytes = Renumberer::MemoryBytes(info.num_vertices.value_or(0));
  ASSIGN_OR_RETURN(plan_, PlanIngest(options_, needs, budget_));
  rules_.id_limit =
      std::min<uint64_t>(options_.max_vertex_id.value_or(kMaxVertices - 1), kMaxVertices - 1) + 1;
  if (!want_seen) return OkStatus();
  uint64_t limit = plan_.id_set_bytes * 8;
  if (options_.narrow_id_limit > 0) limit = std::min(limit, options_.narrow_id_limit);
  limit = std::min<uint64_t>(limit, kMaxVertices);
  ASSIGN_OR_RETURN(seen_, SeenIds::Create(limit, budget_));
  rules_.seen = &*seen_;
  rules_.wide_allowed = options_.ids != IdMode::kDense && !info.num_vertices.has_value();
  if (info.has_vertex_list) {
    ASSIGN_OR_RETURN(listed_, SeenIds::Create(limit, budget_));
    rules_.listed = &*listed_;
  }
  rules_.id_limit = std::min(limit, options_.ids == IdMode::kDense ? rules_.id_limit : limit);
  return OkStatus();
}

Status IngestJob::ReadInput() {
  progress_.StartStage("reading", "edges", source_.info().expected_edges.value_or(0));
  const PhaseTimer timer(plan_.threads);
  ChunkPump pump(source_);
  RETURN_IF_ERROR(pump.Hold(1, 1));
  int threads = 1;
  if (!pump.held().empty()) {
    const EdgeChunk& first = pump.held().front();
    ASSIGN_OR_RETURN(threads, ReserveChunks(ChunkBytes(first, weighted_), first.num_edges()));
  }
  if (!forward_.has_value()) {
    // Held chunks take memory that pages take later.
    const uint64_t hold = plan_.spill_bytes / 4 / (weighted_ ? 16 : 8);
    RETURN_IF_ERROR(pump.Hold(hold, threads));
    RETURN_IF_ERROR(MakeBuckets(SampleHeld(pump.held()), ExpectedEdges(pump)));
  }
  const Status partitioned = RunPartition(pump, threads, true);
  if (partitioned.code() == Code::kCancelled && last_read_.has_value() && space_->spilling()) {
    RETURN_IF_ERROR(CheckpointReading(*last_read_));  // nothing that was read is read again
  }
  RETURN_IF_ERROR(partitioned);
  EndThreads();
  RETURN_IF_ERROR(space_->Drain());
  AddTime("read and partition", timer.Times());
  return OkStatus();
}

uint64_t IngestJob::KeyBytes(bool twice) const {
  return (twice ? 2 : 1) * (18 + (weighted_ ? 16 : 0));
}

StatusOr<int> IngestJob::ReserveChunks(uint64_t chunk_bytes, uint64_t chunk_edges) {
  // What each thread places at a time is little beside its chunk.
  const uint64_t fixed = chunk_bytes + 2 * plan_.max_streams * SpillCopies::kCopyBytes;
  const uint64_t edge = KeyBytes(rules_.both_ways || rules_.reversed);
  const uint64_t num_edges = std::max<uint64_t>(chunk_edges, 1024);
  const uint64_t good = fixed + edge * std::min(num_edges, kGoodSliceEdges);
  const uint64_t threads =
      std::clamp<uint64_t>(plan_.chunk_bytes / good, 1, static_cast<uint64_t>(plan_.threads));
  const uint64_t share = plan_.chunk_bytes / threads;
  slice_edges_ = std::clamp<uint64_t>((share - std::min(share, fixed)) / edge, kLeastSliceEdges,
                                      std::max(num_edges, kLeastSliceEdges));
  return ReserveThreads(fixed + edge * slice_edges_);
}

StatusOr<int> IngestJob::ReserveThreads(uint64_t each) {
  RETURN_IF_ERROR(CheckRoom(each, "a piece of this input"));
  const uint64_t most = std::min(plan_.chunk_bytes, budget_.available_bytes());
  const uint64_t threads =
      std::clamp<uint64_t>(most / each, 1, static_cast<uint64_t>(plan_.threads));
  ASSIGN_OR_RETURN(chunk_reservation_, budget_.Reserve(each * threads, "chunks of input"));
  return static_cast<int>(threads);
}

void IngestJob::EndThreads() {
  chunk_reservation_ = {};
  slice_edges_ = ~size_t{0};
}

uint64_t IngestJob::ExpectedEdges(const ChunkPump& pump) const {
  const EdgeSourceInfo& info = source_.info();
  if (info.expected_edges.has_value()) return *info.expected_edges;
  uint64_t held_edges = 0, held_bytes = 0;
  for (const EdgeChunk& chunk : pump.held()) {
    held_edges += chunk.num_edges();
    held_bytes += chunk.input_bytes;
  }
  if (pump.at_end()) return held_edges;
  if (held_bytes == 0 || info.input_bytes == 0) return kBucketsOfUnknown * plan_.bucket_edges;
  return static_cast<uint64_t>(static_cast<double>(info.input_bytes) /
                               static_cast<double>(held_bytes) * static_cast<double>(held_edges));
}

Status IngestJob::MakeBuckets(std::span<const NarrowEdge> sample, uint64_t expected) {
  if (both_ways_ || symmetrize_) expected *= 2;
  const size_t sets = write_in_ || symmetrize_ ? 2 : 1;
  const size_t streams_per_bucket = sets * (weighted_ ? 2 : 1);
  // Some streams are left for what comes after the sample's last key.
  const uint64_t most = std::max<uint64_t>(plan_.max_streams / streams_per_bucket * 3 / 4, 1);
  // Larger buckets on fewer workers beat buckets that must all be split again.
  while (plan_.sort_workers > 1 && options_.max_sort_edges == 0 &&
         expected / most > plan_.max_sort_edges / 3 * 2 &&
         plan_.SetSortWorkers(plan_.sort_workers - 1, options_)) {
  }
  uint64_t num_buckets = std::clamp<uint64_t>(expected / plan_.bucket_edges + 1, 1, most);
  if (space_ == nullptr) {
    RETURN_IF_ERROR(OpenSpace((num_buckets + num_buckets / 4 + 2) * streams_per_bucket));
  }
  space_->Expect(space_->bytes_written() +
                 expected * sets * (sizeof(uint64_t) + SpilledWeightBytes(spilled_weight_)));
  if (raw_first_) num_buckets = 1;
  EdgeBatch keys;
  AddKeys(rules_, sample, {}, &keys);
  if (symmetrize_) keys.keys.insert(keys.keys.end(), keys.reversed.begin(), keys.reversed.end());
  forward_.emplace(*space_, spilled_weight_, rules_.reversed && symmetrize_ ? 2 : 1,
                   KeySplitters::FromSample(std::move(keys.keys), num_buckets));
  if (rules_.reversed && !symmetrize_) {
    reversed_.emplace(*space_, spilled_weight_, 1,
                      KeySplitters::FromSample(std::move(keys.reversed), num_buckets));
  }
  return OkStatus();
}

Status IngestJob::RunPartition(ChunkPump& pump, int threads, bool first_reading) {
  std::vector<Partitioner> workers(static_cast<size_t>(threads));
  ChunkWork work;
  work.prepare = [&](int thread, EdgeChunk& chunk) {
    return PrepareChunk(workers[static_cast<size_t>(thread)], chunk, first_reading);
  };
  work.commit = [&](int thread, EdgeChunk& chunk) {
    return CommitChunk(workers[static_cast<size_t>(thread)], chunk, first_reading);
  };
  // The turn only places edges: copying them takes longer than all else in it.
  work.finish = [&](int thread) {
    fault::KillPoint("ingest.placed");
    workers[static_cast<size_t>(thread)].copies.Run();
  };
  RETURN_IF_ERROR(pump.Run(threads, work));
  forward_->Seal();
  if (reversed_.has_value()) reversed_->Seal();
  if (wide_.has_value()) wide_->Seal();
  if (wide_listed_.has_value()) wide_listed_->Seal();
  return OkStatus();
}

Status IngestJob::PrepareChunk(Partitioner& worker, EdgeChunk& chunk, bool first_reading) {
  if (first_reading) {
    StatusOr<ChunkFacts> facts = TakeIn(rules_, chunk);
    if (!facts.ok()) return places_.ExplainRefused(rules_, facts.status());
    worker.facts = *facts;
    if (worker.facts.is_wide) return OkStatus();
  } else {
    for (NarrowEdge& edge : chunk.narrow) {
      edge = {final_id_(edge.source), final_id_(edge.target)};
    }
  }
  PrepareSlice(worker, chunk, 0);
  return OkStatus();
}

void IngestJob::PrepareSlice(Partitioner& worker, const EdgeChunk& chunk, size_t first) {
  const size_t count = std::min(slice_edges_, chunk.narrow.size() - first);
  const std::span<const double> weights(chunk.weights);
  EdgeBatch& batch = worker.batch;
  AddKeys(rules_, std::span(chunk.narrow).subspan(first, count),
          weights.empty() ? weights : weights.subspan(first, count), &batch);
  worker.forward.Sort(*forward_, batch.keys, batch.weights);
  if (rules_.reversed) {
    worker.reversed.Sort(symmetrize_ ? *forward_ : *reversed_, batch.reversed, batch.weights);
  }
}

Status IngestJob::AppendChunk(Partitioner& worker, const EdgeChunk& chunk) {
  for (size_t first = 0;;) {
    RETURN_IF_ERROR(worker.forward.Append(*forward_, 0, &worker.copies));
    if (rules_.reversed) {
      RETURN_IF_ERROR(worker.reversed.Append(symmetrize_ ? *forward_ : *reversed_,
                                             symmetrize_ ? 1 : 0, &worker.copies));
    }
    first += std::min(slice_edges_, chunk.narrow.size() - first);
    if (first == chunk.narrow.size()) return OkStatus();
    worker.copies.Run();
    PrepareSlice(worker, chunk, first);
  }
}

Status IngestJob::CommitChunk(Partitioner& worker, EdgeChunk& chunk, bool first_reading) {
  const ChunkFacts& facts = worker.facts;
  const bool wide = first_reading && (wide_.has_value() || facts.is_wide);
  RETURN_IF_ERROR(wide ? LogWide(chunk) : AppendChunk(worker, chunk));
  CutLastIfFull(*forward_);
  if (reversed_.has_value()) CutLastIfFull(*reversed_);
  if (!first_reading) return OkStatus();
  stats_.Add(facts.stats);
  last_read_ = chunk.sequence;
  progress_.Advance(facts.stats.edges, facts.stats.bytes);
  fault::KillPoint("ingest.chunk");
  if (space_->bytes_written() - spilled_at_checkpoint_ >= options_.checkpoint_bytes) {
    worker.copies.Run();
    RETURN_IF_ERROR(CheckpointReading(chunk.sequence));
  }
  return OkStatus();
}

void IngestJob::CutLastIfFull(BucketSet& set) {
  if (raw_first_ || set.buckets().back().count() < plan_.bucket_edges ||
      set.max_key() == ~uint64_t{0}) {
    return;
  }
  const size_t buckets =
      forward_->buckets().size() + (reversed_.has_value() ? reversed_->buckets().size() : 0);
  const size_t streams = (buckets + 2) * static_cast<size_t>(set.num_sides()) * (weighted_ ? 2 : 1);
  // Every stream holds a page, and has a file open.
  if (2 * streams > space_->num_pages() || streams > plan_.max_streams) return;
  set.CutLast();
}

Status IngestJob::CheckpointReading(uint64_t sequence) {
  ASSIGN_OR_RETURN(source_position_, source_.PositionAfter(sequence));
  RETURN_IF_ERROR(SaveState(Stage::kRead));
  spilled_at_checkpoint_ = space_->bytes_written();
  fault::KillPoint("ingest.read_checkpoint");
  return OkStatus();
}

}  // namespace edgemill
