#include "bench/trials/decode_trials.h"

#include <time.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include "common/buffer.h"
#include "common/cancel.h"
#include "common/random.h"
#include "common/strings.h"
#include "common/units.h"
#include "engine/graph/block_edges.h"
#include "engine/graph/loaded_graph.h"
#include "kernels/cpu/block_ids.h"
#include "kernels/cpu/decode.h"
#include "storage/read/block_reader.h"

namespace edgemill::bench {
namespace {

/// The blocks that trials decode, and the other data that trials read.
struct Material {
  std::unique_ptr<BlockReader> reader;
  std::unique_ptr<LoadedGraph> graph;
  MemoryReservation reservation;
  Buffer payloads;
  Array<uint32_t> values;  // of each vertex, to be gathered
  std::vector<BlockEdges> blocks;
  std::vector<VertexId> vertices;  // whose lists are visited at random
};

/// The processor time of this thread, which excludes the time that other programs take.
double ProcessorSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// One way of decoding. Returns a sum that must be equal for all instruction sets, or ~0 for ids
/// out of bounds. Adds the number of edges that it decoded to `*edges`.
using Work = uint64_t (*)(const Material& material, uint64_t* edges);

/// Decodes every block in order, and adds up all prefix sums.
uint64_t DecodeInOrder(const Material& material, uint64_t* edges) {
  GroupPrefix prefix;
  uint32_t sum = 0;
  for (const BlockEdges& block : material.blocks) {
    for (uint32_t group = 0; group < block.neighbors.num_groups(); ++group) {
      DecodeGroupPrefix(block.neighbors, group, &prefix);
      for (uint32_t i = 0; i < kGroupSize; ++i) sum += prefix.sums()[i];
    }
    *edges += block.end - block.begin;
  }
  return sum;
}

/// Decodes every block in order to ids, and adds up a value of each neighbour, as a pull does.
uint64_t DecodeAndGather(const Material& material, uint64_t* edges) {
  const VertexIndexView index = material.graph->index(Direction::kOut);
  const uint32_t* values = material.values.data();
  uint32_t sum = 0;
  for (const BlockEdges& block : material.blocks) {
    const uint32_t count = static_cast<uint32_t>(block.end - block.begin);
    BlockIds& ids = material.graph->decode_scratch().ids(0);
    if (!ids.Decode(block.neighbors, block.lists(index), index.num_vertices)) return ~uint64_t{0};
    for (const VertexId& id : ids.ids()) {
      __builtin_prefetch(values + (&id)[BlockIds::kAhead]);
      sum += values[id];
    }
    *edges += count;
  }
  return sum;
}

/// Decodes the lists of the drawn vertices.
uint64_t DecodeRandomLists(const Material& material, uint64_t* edges) {
  const VertexIndexView index = material.graph->index(Direction::kOut);
  const uint64_t block_edges = material.graph->info().block_edges;
  uint32_t sum = 0;
  for (const VertexId vertex : material.vertices) {
    const EdgeIndex first = index.first_edge(vertex);
    const EdgeIndex last = index.first_edge(vertex + 1);
    for (EdgeIndex edge = first; edge < last;) {
      const BlockEdges& block = material.blocks[edge / block_edges];
      ListCursor<NoWeight> cursor(block, index.num_vertices);
      const auto add = [&](const ListChunk<NoWeight>& chunk) {
        for (uint32_t i = 0; i < chunk.size; ++i) sum += chunk.target(i);
        return true;
      };
      if (!cursor.VisitList(vertex, first, last, add)) return ~uint64_t{0};
      edge = block.end;
    }
    *edges += last - first;
  }
  return sum;
}

struct Way {
  const char* name;
  Work work;
};
constexpr Way kWays[] = {{"blocks in order", DecodeInOrder},
                         {"with a gather", DecodeAndGather},
                         {"random lists", DecodeRandomLists}};

/// The number of blocks, from the first on, whose payloads fit into `bytes`. `*taken` gets their
/// size.
uint64_t BlocksWithin(const GraphStore& store, uint64_t bytes, uint64_t* taken) {
  const auto locations = store.blocks(ColumnKind::kOutNeighbors);
  uint64_t count = 0;
  for (*taken = 0; count < locations.size(); ++count) {
    const uint64_t next = locations[count].payload_bytes + kDecodeSlackBytes + 8;
    if (*taken + next > bytes) break;
    *taken += next;
  }
  return count;
}

/// Reads the blocks into memory, and measures the processor time of checking and decompressing.
Status Fill(uint64_t num_blocks, uint64_t bytes, Material* material, DecodeReport* report) {
  ASSIGN_OR_RETURN(material->payloads, Buffer::Allocate(bytes));
  std::vector<uint64_t> blocks(num_blocks);
  for (uint64_t i = 0; i < num_blocks; ++i) blocks[i] = i;
  const BlockReaderStats& stats = material->reader->stats();
  const uint64_t before = stats.check_ns + stats.decompress_ns;
  const ColumnKind column = ColumnKind::kOutNeighbors;
  const auto stream = material->reader->Start({&column, 1}, std::move(blocks));
  material->blocks.resize(num_blocks);
  std::byte* next = material->payloads.data();
  while (true) {
    ASSIGN_OR_RETURN(std::optional<BlockLease> lease, stream->Next());
    if (!lease.has_value()) break;
    const std::span<const std::byte> payload = lease->payload();
    std::memcpy(next, payload.data(), payload.size());
    BlockEdges edges = material->graph->indexes().Extent(Direction::kOut, lease->block());
    const uint32_t count = static_cast<uint32_t>(edges.end - edges.begin);
    StatusOr<PackedView> view = PackedView::Open({next, payload.size()}, count);
    if (!view.ok()) {
      return DamagedBlock(material->graph->store(), column, edges.block, view.status().message());
    }
    edges.neighbors = *view;
    material->blocks[lease->block()] = edges;
    next += (payload.size() + kDecodeSlackBytes + 7) / 8 * 8;
    report->edges += count;
    report->payload_bytes += payload.size();
    report->stored_bytes += material->graph->store().blocks(column)[lease->block()].stored_bytes;
  }
  const double seconds = 1e-9 * static_cast<double>(stats.check_ns + stats.decompress_ns - before);
  report->blocks = num_blocks;
  report->opened_per_second = static_cast<double>(report->edges) / seconds;
  return OkStatus();
}

/// Draws vertices whose lists lie in the first `num_edges` edges.
void DrawVertices(const DecodePlan& plan, EdgeIndex num_edges, Material* material,
                  DecodeReport* report) {
  const VertexIndexView index = material->graph->index(Direction::kOut);
  const VertexId end = index.LowerBound(num_edges);
  Random random(plan.seed);
  uint64_t edges = 0;
  // Half of a graph's vertices may have no edges. Few graphs have so few lists that the loop ends
  // early.
  for (uint64_t draw = 0; draw < 100 * plan.lists && material->vertices.size() < plan.lists;
       ++draw) {
    const VertexId vertex = static_cast<VertexId>(random.Below(std::max<VertexId>(end, 1)));
    const EdgeIndex last = index.first_edge(vertex + 1);
    if (last == index.first_edge(vertex) || last > num_edges) continue;
    edges += last - index.first_edge(vertex);
    material->vertices.push_back(vertex);
  }
  const size_t count = std::max<size_t>(material->vertices.size(), 1);
  report->mean_list = static_cast<double>(edges) / static_cast<double>(count);
}

/// Bytes of the vertices' values, the drawn vertices and the table of blocks.
uint64_t ValueBytes(const GraphStore& store, const DecodePlan& plan) {
  return 4 * store.info().num_vertices + 4 * plan.lists +
         sizeof(BlockEdges) * store.blocks(ColumnKind::kOutNeighbors).size();
}

BlockReaderOptions ReaderOptions(const GraphStore& store) {
  BlockReaderOptions options;
  options.threads = 1;
  options.buffer_bytes = std::max(BlockReader::MinimumBufferBytes(store, 1), uint64_t{8} << 20);
  return options;
}

StatusOr<Material> Prepare(const GraphStore& store, const DecodePlan& plan, MemoryBudget& budget,
                           Progress& progress, DecodeReport* report) {
  if (store.info().num_edges == 0) {
    return UsageError(StrCat(store.path(), ": has no edges to decode"));
  }
  Material material;
  ASSIGN_OR_RETURN(material.reader, BlockReader::Create(store, ReaderOptions(store), budget));
  ASSIGN_OR_RETURN(material.graph, LoadedGraph::Load({store, *material.reader, 1, budget, progress},
                                                     {.out_index = true}));
  RETURN_IF_ERROR(material.graph->decode_scratch().Reserve(/*weights=*/false));
  uint64_t bytes = 0;
  const uint64_t num_blocks = BlocksWithin(store, plan.payload_bytes, &bytes);
  if (num_blocks == 0) {
    return BudgetError(StrCat("bench decode: ", FormatBytes(plan.payload_bytes),
                              " are left for blocks, and the first has no room: give a larger "
                              "--memory"));
  }
  ASSIGN_OR_RETURN(material.reservation, budget.Reserve(bytes + ValueBytes(store, plan),
                                                        "blocks to decode, and vertex values"));
  progress.StartStage("read blocks", "blocks", num_blocks);
  RETURN_IF_ERROR(Fill(num_blocks, bytes, &material, report));
  ASSIGN_OR_RETURN(material.values, Array<uint32_t>::Allocate(store.info().num_vertices));
  for (uint64_t i = 0; i < material.values.size(); ++i) {
    material.values[i] = static_cast<uint32_t>(Mix64(i));
  }
  DrawVertices(plan, report->edges, &material, report);
  return material;
}

}  // namespace

uint64_t DecodeOverheadBytes(const GraphStore& store, const DecodePlan& plan) {
  const BlockReaderOptions options = ReaderOptions(store);
  return ValueBytes(store, plan) + VertexIndex::SizeBytes(store.info()) +
         DecodeScratch::SizeBytes(store.info(), 1, /*weights=*/false) + options.buffer_bytes +
         BlockReader::OverheadBytes(store, options);
}

StatusOr<DecodeReport> RunDecodeTrials(const GraphStore& store, const DecodePlan& plan,
                                       MemoryBudget& budget, Progress& progress) {
  DecodeReport report;
  ASSIGN_OR_RETURN(const Material material, Prepare(store, plan, budget, progress, &report));
  const std::vector<std::string> targets = DecodeTargets();
  std::vector<uint64_t> answers;  // one a way, of the target timed first: all must agree
  for (const std::string& target : targets) {
    for (const Way& way : kWays) report.series.push_back({target, way.name, {}});
  }
  progress.StartStage("decode", "trials", plan.trials * report.series.size());
  Status status;
  for (uint64_t trial = 0; trial < plan.trials && status.ok(); ++trial) {
    for (size_t i = 0; i < report.series.size() && status.ok(); ++i) {
      DecodeSeries& series = report.series[i];
      const size_t way = i % std::size(kWays);
      UseDecodeTarget(series.target);
      uint64_t edges = 0;
      const double start = ProcessorSeconds();
      const uint64_t answer = kWays[way].work(material, &edges);
      series.edges_per_second.push_back(static_cast<double>(edges) / (ProcessorSeconds() - start));
      if (answers.size() == way) answers.push_back(answer);
      if (answer != answers[way] || answer == ~uint64_t{0}) {
        status =
            InternalError(StrCat("bench decode: ", series.Name(), " gives a different answer"));
      } else {
        status = CheckCancelled();
      }
      progress.Advance(1);
    }
  }
  UseDecodeTarget("");
  RETURN_IF_ERROR(status);
  return report;
}

}  // namespace edgemill::bench
