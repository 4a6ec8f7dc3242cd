#include "loaders/stages/edge_partitioner.h"

#include <algorithm>
#include <vector>

#include "common/check.h"
#include "common/os/file.h"
#include "common/os/file_systems.h"
#include "common/units.h"
#include "loaders/buckets/replay_source.h"
#include "loaders/context/chunk_pump.h"

namespace edgemill {
namespace {

/// The least number of edges that become keys at a time. More are only a little faster.
constexpr size_t kMinSliceEdges = 4096;
/// Edges of a slice that are sorted by bucket at a time: their keys fit the second-level cache.
constexpr size_t kBatchEdges = 16384;
/// The most edges of a chunk that is spread once more, and the bytes of an edge with its records.
constexpr uint64_t kMaxReplayedEdges = uint64_t{1} << 18;
constexpr uint64_t kReplayedEdgeBytes = 64;

}  // namespace

EdgePartitioner::EdgePartitioner(const IngestContext& context, const GraphSchema& schema,
                                 bool single_log, SpilledEdges& edges)
    : context_(context),
      schema_(schema),
      single_log_(single_log),
      directions_(single_log ? KeyDirections{} : schema.directions()),
      edges_(edges) {}

Status EdgePartitioner::OpenSpace(size_t streams, uint64_t bytes) {
  SpillSpace::Options options;
  options.directories = context_.writer.spill_directories();
  options.page_bytes = context_.plan.pages.PageBytes(streams);
  options.memory_bytes = context_.plan.pages.bytes;
  options.expected_bytes = PagePlan::HoldingBytes(bytes, streams);
  options.table_bytes = context_.plan.pages.table_bytes;
  options.threads = context_.plan.threads;
  ASSIGN_OR_RETURN(edges_.space, SpillSpace::Create(options, context_.budget));
  return OkStatus();
}

Status EdgePartitioner::NoteFullDisks(uint64_t bytes) const {
  ASSIGN_OR_RETURN(const std::vector<FileSystem> file_systems,
                   FileSystemsOf(context_.writer.spill_directories()));
  const uint64_t free_bytes = FreeBytes(file_systems);
  if (bytes <= free_bytes) return OkStatus();
  context_.progress.Note(
      StrCat("temporary files may take ", FormatBytes(bytes), ", and ", FormatBytes(free_bytes),
             " are free: give a larger --memory, or --spill ", "a directory with more room"));
  return OkStatus();
}

Status EdgePartitioner::MakeBuckets(std::span<const NarrowEdge> sample, uint64_t expected,
                                    std::optional<uint64_t> beside) {
  CHECK(!edges_.forward.has_value() && !edges_.reversed.has_value());  // the old ones are retired
  IngestPlan& plan = context_.plan;
  SortPlan& sort = plan.sort;
  const SpilledWeight weight = schema_.spilled_weight;
  const uint64_t logged_bytes = single_log_ ? expected * SpilledRecordBytes(weight) : 0;
  if (schema_.both_ways || schema_.symmetrize) expected *= 2;
  const size_t sets = schema_.columns.in || schema_.symmetrize ? 2 : 1;
  const uint64_t bytes = expected * sets * SpilledRecordBytes(weight);
  const auto streams = [sets](uint64_t num_buckets) {
    return (num_buckets + num_buckets / 4 + 2) * sets;
  };
  uint32_t max_id = 0;
  for (const NarrowEdge& edge : sample) max_id = std::max({max_id, edge.source, edge.target});
  if (edges_.space == nullptr && beside.has_value()) {
    plan.GrowPages(logged_bytes + bytes, streams(expected / sort.bucket_edges + 1), *beside,
                   context_.budget.available_bytes());
  }
  const uint64_t page_bytes = plan.pages.FitTables(bytes);
  const uint64_t table_bytes = bytes / page_bytes * SpillTableBytes(page_bytes);
  RETURN_IF_ERROR(context_.CheckMemory(
      table_bytes - std::min(table_bytes, plan.pages.table_bytes),
      StrCat("the page table of ", FormatBytes(bytes), " of temporary files")));
  // Some streams are left for buckets after the sample's last key.
  const uint64_t most_streams =
      edges_.space == nullptr
          ? plan.pages.max_streams
          : std::min<uint64_t>(plan.pages.max_streams, edges_.space->num_pages() / 2);
  const uint64_t most = std::max<uint64_t>(most_streams / sets * 3 / 4, 1);
  // Larger buckets with fewer workers are faster than buckets that must all be split again.
  while (sort.workers > 1 && sort.edges_limit == 0 && expected / most > sort.max_edges / 3 * 2 &&
         sort.SetWorkers(sort.workers - 1)) {
  }
  uint64_t num_buckets = std::clamp<uint64_t>(expected / sort.bucket_edges + 1, 1, most);
  if (edges_.space == nullptr) {
    RETURN_IF_ERROR(OpenSpace(streams(num_buckets), logged_bytes + bytes));
  }
  if (single_log_) num_buckets = 1;
  SpillSpace& space = *edges_.space;
  const double packed =
      static_cast<double>(expected * sets) *
      SpilledRecordEstimate(max_id + 1.0, static_cast<double>(num_buckets), weight);
  space.Expect(space.bytes_written() + static_cast<uint64_t>(packed));
  if (bytes > plan.pages.bytes) {
    const double share = static_cast<double>(bytes - plan.pages.bytes) / static_cast<double>(bytes);
    RETURN_IF_ERROR(NoteFullDisks(static_cast<uint64_t>(share * packed)));
  }
  EdgeBatch keys;
  AddKeys(directions_, sample, {}, &keys);
  if (schema_.symmetrize) {
    keys.keys.insert(keys.keys.end(), keys.reversed.begin(), keys.reversed.end());
  }
  edges_.forward.emplace(space, weight, directions_.reversed && schema_.symmetrize ? 2 : 1,
                         KeySplitters::FromSample(std::move(keys.keys), num_buckets));
  if (directions_.reversed && !schema_.symmetrize) {
    edges_.reversed.emplace(space, weight, 1,
                            KeySplitters::FromSample(std::move(keys.reversed), num_buckets));
  }
  return OkStatus();
}

StatusOr<ThreadMemory> EdgePartitioner::ReserveChunks(uint64_t chunk_bytes, uint64_t chunk_edges) {
  const IngestPlan& plan = context_.plan;
  const uint64_t num_edges = std::max<uint64_t>(chunk_edges, 1024);
  const uint64_t ways = directions_.both_ways || directions_.reversed ? 2 : 1;
  const uint64_t batch_edges = std::min<uint64_t>(num_edges, kBatchEdges);
  // The copies of a thread take little memory beside its chunk.
  const uint64_t fixed = chunk_bytes + 2 * plan.pages.max_streams * SpillCopies::kCopyBytes +
                         batch_edges * ways * BatchKeyBytes(schema_.weighted);
  const uint64_t run_bytes = SpillCopies::kRunBytes + sizeof(uint32_t);  // of each stream and batch
  const uint64_t edge =
      ways * SortedKeyBytes(schema_.weighted) + plan.pages.max_streams * run_bytes / batch_edges;
  const uint64_t good = fixed + edge * batch_edges;
  const uint64_t threads =
      std::clamp<uint64_t>(plan.chunk_bytes / good, 1, static_cast<uint64_t>(plan.threads));
  const uint64_t share = plan.chunk_bytes / threads;
  slice_edges_ = std::clamp<uint64_t>((share - std::min(share, fixed)) / edge, kMinSliceEdges,
                                      std::max(num_edges, kMinSliceEdges));
  return context_.ReserveThreads(fixed + edge * slice_edges_);
}

void EdgePartitioner::PrepareSlice(Worker& worker, const EdgeChunk& chunk, size_t first) const {
  CHECK_LE(first, chunk.narrow.size());
  CHECK(chunk.wide.empty());
  const size_t end = first + std::min(slice_edges_, chunk.narrow.size() - first);
  worker.forward.Begin(*edges_.forward, (directions_.both_ways ? 2 : 1) * (end - first));
  if (directions_.reversed) worker.reversed.Begin(reversed_set(), end - first);
  EdgeBatch& batch = worker.batch;
  while (first < end) {
    const size_t count = std::min(kBatchEdges, end - first);
    const std::span<const double> weights(chunk.weights);
    AddKeys(directions_, std::span(chunk.narrow).subspan(first, count),
            weights.empty() ? weights : weights.subspan(first, count), &batch);
    if (single_log_ && schema_.both_ways) {
      // Both directions are the same edge. Its lines must keep their order in a packed page, so
      // they get the same key.
      for (uint64_t& key : batch.keys) key = std::min(key, ReverseKey(key));
    }
    worker.forward.Add(batch.keys, batch.weights);
    if (directions_.reversed) worker.reversed.Add(batch.reversed, batch.weights);
    first += count;
  }
}

Status EdgePartitioner::Append(Worker& worker, const EdgeChunk& chunk) {
  for (size_t first = 0;;) {
    RETURN_IF_ERROR(worker.forward.Append(*edges_.forward, 0, &worker.copies));
    if (directions_.reversed) {
      RETURN_IF_ERROR(
          worker.reversed.Append(reversed_set(), schema_.symmetrize ? 1 : 0, &worker.copies));
    }
    first += std::min(slice_edges_, chunk.narrow.size() - first);
    if (first == chunk.narrow.size()) break;
    worker.copies.CopyAll();
    PrepareSlice(worker, chunk, first);
  }
  if (single_log_) {
    edges_.forward->CutLogIfFull();
    return OkStatus();
  }
  CutLastIfFull(*edges_.forward);
  if (edges_.reversed.has_value()) CutLastIfFull(*edges_.reversed);
  return OkStatus();
}

void EdgePartitioner::CutLastIfFull(BucketSet& set) {
  const IngestPlan& plan = context_.plan;
  if (set.buckets().back().count() < plan.sort.bucket_edges || set.max_key() == ~uint64_t{0}) {
    return;
  }
  const size_t buckets = edges_.forward->buckets().size() +
                         (edges_.reversed.has_value() ? edges_.reversed->buckets().size() : 0);
  const size_t streams = (buckets + 2) * static_cast<size_t>(set.num_sides());
  // Every stream holds a page, and has a file open.
  if (2 * streams > edges_.space->num_pages() || streams > plan.pages.max_streams) return;
  set.CutLast();
}

Status PartitionAgain(const IngestContext& context, const GraphSchema& schema, bool single_log,
                      const EdgeReplay& replay, SpilledEdges& edges) {
  CHECK(replay.map);
  EdgePartitioner partition(context, schema, single_log, edges);
  RETURN_IF_ERROR(partition.MakeBuckets(replay.sample, replay.num_edges, std::nullopt));
  context.progress.StartPass(replay.num_edges);
  ChunkPump pump(replay.source, context.progress);
  ASSIGN_OR_RETURN(const ThreadMemory reserved,
                   partition.ReserveChunks(replay.chunk_bytes, replay.chunk_edges));
  std::vector<EdgePartitioner::Worker> workers(static_cast<size_t>(reserved.threads));
  ChunkWork work;
  work.prepare = [&](int thread, EdgeChunk& chunk) -> Status {
    RETURN_IF_ERROR(replay.map(chunk));
    partition.Prepare(workers[static_cast<size_t>(thread)], chunk);
    return OkStatus();
  };
  work.append_in_order = [&](int thread, EdgeChunk& chunk) {
    return partition.Append(workers[static_cast<size_t>(thread)], chunk);
  };
  work.finish = [&](int thread) {
    fault::KillPoint("ingest.placed");
    workers[static_cast<size_t>(thread)].copies.CopyAll();
  };
  RETURN_IF_ERROR(pump.Run(reserved.threads, work));
  edges.Seal();
  return OkStatus();
}

Status Repartition(const IngestContext& context, const GraphSchema& schema,
                   const std::function<bool(std::span<NarrowEdge>)>& map, SpilledEdges& edges) {
  // The set is retired before it is read, so that it stays for a resume also when this fails.
  edges.Retire(edges.forward);
  BucketSet& log = edges.retired.back();
  const Status no_vertex = log.NoVertex();
  RETURN_IF_ERROR(FitSorting(context.budget, &context.plan));
  // Chunks are placed in turns, and each turn finds a place in every bucket. Larger chunks need
  // fewer turns.
  const uint64_t share = context.plan.chunk_bytes / static_cast<uint64_t>(context.plan.threads);
  const ReplaySource::Options options{
      .chunk_edges =
          std::clamp(share / kReplayedEdgeBytes, ReplaySource::kGoodChunkEdges, kMaxReplayedEdges)};
  ASSIGN_OR_RETURN(const std::vector<uint64_t> keys, SampleKeys(log));
  std::vector<NarrowEdge> sample;
  for (const uint64_t key : keys) {
    sample.push_back({static_cast<uint32_t>(key >> 32), static_cast<uint32_t>(key)});
  }
  if (!map(sample)) return no_vertex;
  const uint64_t num_edges = log.num_edges();
  // A resume never needs edges that were not saved, so they may be consumed.
  auto source = edges.space->spilling() ? ReplaySource(log, 0, log.buckets().size(), options)
                                        : ReplaySource::Consuming(log, options);
  const EdgeReplay replay{
      .source = source,
      .num_edges = num_edges,
      .chunk_bytes = ReplaySource::ChunkBytes(log, options.chunk_edges),
      .chunk_edges = ReplaySource::ChunkEdges(log, options.chunk_edges),
      .map = [&](EdgeChunk& chunk) { return map(chunk.narrow) ? OkStatus() : no_vertex; },
      .sample = std::move(sample)};
  return PartitionAgain(context, schema, false, replay, edges);
}

}  // namespace edgemill
