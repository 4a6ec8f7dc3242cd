// Pass 1: reads the input once and spreads its edges over buckets.
#include <algorithm>
#include <deque>

#include "common/cancel.h"
#include "common/file.h"
#include "common/units.h"
#include "loaders/ingest_job.h"

namespace edgemill {
namespace {

constexpr uint64_t kSampleEdges = 1 << 16;
/// Buckets for an input that does not say how long it is.
constexpr uint64_t kBucketsOfUnknown = 64;

/// Bytes a thread needs for a chunk like `chunk` and what becomes of it.
uint64_t ChunkMemory(const EdgeChunk& chunk, bool weighted, bool twice) {
  const uint64_t edge = 8 + (weighted ? 16 : 0) + (twice ? 2 : 1) * (18 + (weighted ? 16 : 0));
  return std::max<uint64_t>(chunk.num_edges(), 1024) * edge;
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
  ASSIGN_OR_RETURN(plan_, PlanIngest(options_, weighted_, num_sets, budget_));
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
  Stopwatch watch;
  ChunkPump pump(source_);
  RETURN_IF_ERROR(pump.Hold(1, 1));
  int threads = 1;
  if (!pump.held().empty()) {
    const uint64_t each =
        ChunkMemory(pump.held().front(), weighted_, rules_.both_ways || rules_.reversed);
    threads = static_cast<int>(
        std::clamp<uint64_t>(plan_.chunk_bytes / each, 1, static_cast<uint64_t>(plan_.threads)));
    if (const uint64_t left =
            budget_.available_bytes() - std::min(budget_.available_bytes(), plan_.spill_bytes);
        each > left) {
      // What is left beside the spill pages is a fixed share of what was planned with.
      const double share = static_cast<double>(left) / static_cast<double>(plan_.available_bytes);
      const auto least = static_cast<uint64_t>(static_cast<double>(each) / share);
      return BudgetError(StrCat("--memory ", FormatBytes(budget_.total_bytes()),
                                " is too small: a piece of this input takes ", FormatBytes(each),
                                ": give at least --memory ",
                                FormatMebibytesUp(budget_.total_bytes() + least -
                                                  plan_.available_bytes + (uint64_t{1} << 20))));
    }
    ASSIGN_OR_RETURN(MemoryReservation chunks,
                     budget_.Reserve(each * static_cast<uint64_t>(threads), "chunks of input"));
    reservations_.push_back(std::move(chunks));
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
  reservations_.clear();
  RETURN_IF_ERROR(space_->Drain());
  AddTime("read and partition", watch.seconds());
  return OkStatus();
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
  RETURN_IF_ERROR(pump.Run(threads, work));
  forward_->Seal();
  if (reversed_.has_value()) reversed_->Seal();
  if (wide_.has_value()) wide_->Seal();
  if (wide_listed_.has_value()) wide_listed_->Seal();
  return OkStatus();
}

Status IngestJob::PrepareChunk(Partitioner& worker, EdgeChunk& chunk, bool first_reading) {
  if (first_reading) {
    RETURN_IF_ERROR(TakeIn(rules_, chunk, &worker.batch));
  } else {
    worker.batch = EdgeBatch{};
    for (NarrowEdge& edge : chunk.narrow) {
      edge = {final_id_(edge.source), final_id_(edge.target)};
    }
    AddKeys(rules_, chunk.narrow, chunk.weights, &worker.batch);
  }
  worker.forward.Sort(*forward_, worker.batch.keys, worker.batch.weights);
  if (rules_.reversed) {
    const BucketSet& set = symmetrize_ ? *forward_ : *reversed_;
    worker.reversed.Sort(set, worker.batch.reversed, worker.batch.weights);
  }
  return OkStatus();
}

Status IngestJob::CommitChunk(Partitioner& worker, EdgeChunk& chunk, bool first_reading) {
  const EdgeBatch& batch = worker.batch;
  const bool wide = first_reading && (wide_.has_value() || batch.is_wide);
  if (wide) RETURN_IF_ERROR(LogWide(batch, chunk));
  if (!wide) RETURN_IF_ERROR(worker.forward.Append(*forward_, 0));
  if (rules_.reversed && !wide) {
    RETURN_IF_ERROR(
        worker.reversed.Append(symmetrize_ ? *forward_ : *reversed_, symmetrize_ ? 1 : 0));
  }
  CutLastIfFull(*forward_);
  if (reversed_.has_value()) CutLastIfFull(*reversed_);
  if (!first_reading) return OkStatus();
  stats_.Add(batch.stats);
  last_read_ = chunk.sequence;
  progress_.Advance(batch.stats.edges, batch.stats.bytes);
  fault::KillPoint("ingest.chunk");
  if (space_->bytes_written() - spilled_at_checkpoint_ >= options_.checkpoint_bytes) {
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
