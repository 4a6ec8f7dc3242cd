#include "loaders/stages/read_stage.h"

#include <algorithm>
#include <deque>
#include <optional>

#include "common/check.h"
#include "common/clock.h"
#include "common/os/file.h"
#include "loaders/context/chunk_pump.h"
#include "loaders/sort/id_locality.h"
#include "loaders/sort/renumberer.h"
#include "loaders/stages/edge_partitioner.h"
#include "loaders/stages/wide_stage.h"

namespace edgemill {
namespace {

constexpr uint64_t kSampleEdges = 1 << 16;
/// How many buckets an input of unknown length gets.
constexpr uint64_t kBucketsOfUnknown = 64;

/// The most memory that a chunk takes while it exists, with its input.
uint64_t ChunkBytes(const EdgeChunk& chunk, bool weighted) {
  return chunk.input_bytes + chunk.narrow.capacity() * sizeof(NarrowEdge) +
         chunk.wide.capacity() * sizeof(WideEdge) +
         (weighted ? std::max(chunk.weights.capacity(), chunk.num_edges()) * sizeof(double) : 0) +
         chunk.vertices.capacity() * sizeof(ExternalId) + chunk.names.memory_bytes() +
         chunk.wide.size() * WideBatch::EdgeBytes(weighted);
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

/// Decides by the held chunks what `schema` leaves open. Uses no edges if vertices have names or
/// ids of 64 bits.
void Decide(const std::deque<EdgeChunk>& held, GraphSchema* schema) {
  std::vector<NarrowEdge> first;
  for (const EdgeChunk& chunk : held) {
    first.insert(first.end(), chunk.narrow.begin(), chunk.narrow.end());
    if (!chunk.wide.empty()) first.clear();
    if (!chunk.wide.empty() || first.size() >= kLocalityEdges) break;
  }
  DecideRenumbering(first, schema);
}

/// About how many edges the whole input has, by the chunks that `pump` holds.
uint64_t ExpectedEdges(const EdgeSourceInfo& info, const ChunkPump& pump, uint64_t bucket_edges) {
  if (info.expected_edges.has_value()) return *info.expected_edges;
  uint64_t held_edges = 0, held_bytes = 0;
  for (const EdgeChunk& chunk : pump.held()) {
    held_edges += chunk.num_edges();
    held_bytes += chunk.input_bytes;
  }
  if (pump.at_end()) return held_edges;
  if (held_bytes == 0 || info.input_bytes == 0) return kBucketsOfUnknown * bucket_edges;
  return static_cast<uint64_t>(static_cast<double>(info.input_bytes) /
                               static_cast<double>(held_bytes) * static_cast<double>(held_edges));
}

/// The memory that ids and renumbering may take after reading, beside the sets of ids. Nullopt if
/// vertices have names, are listed, or have wide ids.
std::optional<uint64_t> IdBytes(const IngestContext& context, const GraphSchema& schema,
                                const EdgeRules& rules, const ChunkPump& pump, uint64_t expected) {
  const IngestPlan& plan = context.plan;
  const auto is_wide = [](const EdgeChunk& chunk) { return !chunk.wide.empty(); };
  if (rules.names != nullptr || context.source.info().has_vertex_list ||
      std::ranges::any_of(pump.held(), is_wide)) {
    return std::nullopt;
  }
  const uint64_t num_vertices = plan.num_vertices > 0 ? plan.num_vertices
                                : rules.wide_allowed  ? 2 * expected
                                                      : rules.id_limit;
  // Any edge may have two new wide ids.
  return (rules.wide_allowed ? 2 * expected * sizeof(uint64_t) : 0) +
         (schema.renumbers() ? Renumberer::MemoryBytes(num_vertices) : 0);
}

/// Starts the stage. Its progress counts bytes if their number is known, since only some formats
/// tell the number of edges.
void StartReading(const IngestContext& context, uint64_t edges_before) {
  const EdgeSourceInfo& info = context.source.info();
  const uint64_t edges = info.input_bytes > 0 ? 0 : info.expected_edges.value_or(0);
  context.progress.StartStage("reading", "edges",
                              {.units = edges,
                               .bytes = info.input_bytes,
                               .units_before = edges_before,
                               .bytes_before = context.source.place().stored_bytes});
}

/// The chunks of an input on their way into the buckets.
class InputIntake {
 public:
  InputIntake(const IngestContext& context, const GraphSchema& schema, const ReadOrder& order,
              SpilledEdges& edges, IntakeStats& stats)
      : context_(context),
        weight_(schema.spilled_weight),
        rules_(order.rules),
        checkpoints_(order.checkpoints),
        edges_(edges),
        stats_(stats),
        partition_(context, schema, schema.renumbers(), edges) {}

  EdgePartitioner& partition() { return partition_; }
  Status Run(ChunkPump& pump, int threads);

 private:
  struct Worker {
    ChunkFacts facts;
    WideBatch wide;
    EdgePartitioner::Worker keys;
  };

  Status RunChunks(ChunkPump& pump, int threads);
  Status Prepare(Worker& worker, EdgeChunk& chunk);
  Status AppendInOrder(Worker& worker, const EdgeChunk& chunk);
  Status Log(Worker& worker, const EdgeChunk& chunk);
  Status Checkpoint(uint64_t sequence);

  const IngestContext& context_;
  const SpilledWeight weight_;
  const EdgeRules& rules_;
  const ReadCheckpoints& checkpoints_;
  SpilledEdges& edges_;
  IntakeStats& stats_;
  EdgePartitioner partition_;
  uint64_t spilled_at_checkpoint_ = 0;
  Stopwatch since_checkpoint_;
  std::optional<uint64_t> last_read_;  // sequence of the last chunk that is in the buckets
};

Status InputIntake::Run(ChunkPump& pump, int threads) {
  const Status status = RunChunks(pump, threads);
  if (status.ok()) edges_.Seal();
  if (status.code() == Code::kCancelled && last_read_.has_value() && edges_.space->spilling()) {
    RETURN_IF_ERROR(Checkpoint(*last_read_));  // nothing that was read is read again
  }
  return status;
}

Status InputIntake::RunChunks(ChunkPump& pump, int threads) {
  std::vector<Worker> workers(static_cast<size_t>(threads));
  ChunkWork work;
  work.prepare = [&](int thread, EdgeChunk& chunk) {
    return Prepare(workers[static_cast<size_t>(thread)], chunk);
  };
  work.append_in_order = [&](int thread, EdgeChunk& chunk) {
    return AppendInOrder(workers[static_cast<size_t>(thread)], chunk);
  };
  // A turn only finds places for edges. Copying them takes longer and happens after the turn.
  work.finish = [&](int thread) {
    fault::KillPoint("ingest.placed");
    workers[static_cast<size_t>(thread)].keys.copies.CopyAll();
  };
  return pump.Run(threads, work);
}

Status InputIntake::Prepare(Worker& worker, EdgeChunk& chunk) {
  StatusOr<ChunkFacts> facts = ApplyRules(rules_, chunk);
  if (!facts.ok()) return context_.places.LocateFirstError(rules_, facts.status());
  worker.facts = *facts;
  if (worker.facts.is_wide) {
    worker.wide.Fill(chunk, weight_);
  } else {
    partition_.Prepare(worker.keys, chunk);
  }
  return OkStatus();
}

Status InputIntake::AppendInOrder(Worker& worker, const EdgeChunk& chunk) {
  CHECK(!last_read_.has_value() || *last_read_ + 1 == chunk.sequence);  // in the input's order
  const ChunkFacts& facts = worker.facts;
  if (rules_.names != nullptr) {
    RETURN_IF_ERROR(rules_.names->runs.Add(chunk.names, *edges_.space));
  }
  RETURN_IF_ERROR(edges_.wide.has_value() || facts.is_wide ? Log(worker, chunk)
                                                           : partition_.Append(worker.keys, chunk));
  stats_.Add(facts.stats);
  last_read_ = chunk.sequence;
  fault::KillPoint("ingest.chunk");
  if (edges_.space->bytes_written() - spilled_at_checkpoint_ < checkpoints_.bytes ||
      !edges_.space->SavingPays(since_checkpoint_.seconds())) {
    return OkStatus();
  }
  worker.keys.copies.CopyAll();
  return Checkpoint(chunk.sequence);
}

Status InputIntake::Log(Worker& worker, const EdgeChunk& chunk) {
  if (!worker.facts.is_wide) worker.wide.Fill(chunk, weight_);
  return LogWide(rules_, chunk, worker.wide, edges_, &worker.keys.copies);
}

Status InputIntake::Checkpoint(uint64_t sequence) {
  RETURN_IF_ERROR(checkpoints_.save(sequence));
  spilled_at_checkpoint_ = edges_.space->bytes_written();
  since_checkpoint_.Restart();
  fault::KillPoint("ingest.read_checkpoint");
  return OkStatus();
}

}  // namespace

Status ReadInput(const IngestContext& context, GraphSchema* schema, const ReadOrder& order,
                 SpilledEdges& edges, IntakeStats& stats) {
  const EdgeRules& rules = order.rules;
  const EdgeSourceInfo& info = context.source.info();
  const IngestPlan& plan = context.plan;
  const bool reads_again = context.source.place().repeated_bytes > 0;
  if (reads_again) context.progress.StartStage("reading again what was read", "edges", 0);
  if (!reads_again) StartReading(context, stats.edges);
  const PhaseTimer timer(plan.threads);
  {
    ChunkPump pump(context.source, context.progress);
    RETURN_IF_ERROR(pump.Hold(1, 1));
    if (reads_again) StartReading(context, stats.edges + context.progress.done());
    // Held chunks take memory that pages need later. Edges with names are not spread yet.
    const uint64_t hold =
        rules.names != nullptr ? 1 : plan.pages.bytes / 4 / (schema->weighted ? 16 : 8);
    if (!schema->renumbering.has_value()) {
      if (rules.names == nullptr) RETURN_IF_ERROR(pump.Hold(kLocalityEdges, 1));
      Decide(pump.held(), schema);
    }
    InputIntake intake(context, *schema, order, edges, stats);
    EdgePartitioner& partition = intake.partition();
    ThreadMemory reserved;
    if (!pump.held().empty()) {
      const EdgeChunk& first = pump.held().front();
      ASSIGN_OR_RETURN(reserved, partition.ReserveChunks(ChunkBytes(first, schema->weighted),
                                                         first.num_edges()));
    }
    if (!edges.forward.has_value()) {
      RETURN_IF_ERROR(pump.Hold(hold, reserved.threads));
      const uint64_t expected = ExpectedEdges(info, pump, plan.sort.bucket_edges);
      RETURN_IF_ERROR(partition.MakeBuckets(SampleHeld(pump.held()), expected,
                                            IdBytes(context, *schema, rules, pump, expected)));
    }
    RETURN_IF_ERROR(intake.Run(pump, reserved.threads));
  }
  CHECK(edges.space != nullptr && edges.forward.has_value());
  RETURN_IF_ERROR(edges.space->Drain());
  context.AddTime("read and partition", timer.Times());
  return OkStatus();
}

}  // namespace edgemill
