#include "engine/stats/graph_stats.h"

#include <algorithm>
#include <memory>
#include <set>

#include "common/random.h"
#include "common/strings.h"
#include "engine/graph/id_map.h"
#include "engine/graph/loaded_graph.h"
#include "engine/run/run.h"
#include "engine/stats/distances.h"

namespace edgemill {
namespace {

/// The directions whose lists the graph stores.
GraphNeeds StoredLists(const GraphStore& store) {
  const bool empty = store.info().num_edges == 0;
  return {.out_index = empty || store.has(ColumnKind::kOutNeighbors),
          .in_index = store.info().directed && (empty || store.has(ColumnKind::kInNeighbors))};
}

/// What the first stage takes beside the block table: indexes, the least buffers, the samples.
uint64_t SamplingBytes(const GraphStore& store, const StatsOptions& options) {
  const GraphNeeds needs = StoredLists(store);
  BlockReaderOptions reader{.threads = options.threads};
  return VertexIndex::SizeBytes(store.info()) *
             (uint64_t{needs.out_index} + uint64_t{needs.in_index}) +
         BlockReader::OverheadBytes(store, reader) +
         BlockReader::MinimumBufferBytes(store, options.threads) +
         SampledSharesBytes(options.sample);
}

RunOptions ComponentOptions(int threads) {
  RunOptions options;
  options.algorithm = "cc";
  options.threads = threads;
  return options;
}

/// Whether `options` cannot run on the graph because it lacks columns; adds the reason to
/// `left_out`.
bool Lacks(const GraphStore& store, const RunOptions& options, const MemoryBudget& budget,
           std::vector<std::string>* left_out) {
  const Status status = LeastBudget(store, options, budget).status();
  if (status.code() != Code::kUsage) return false;
  left_out->push_back(std::string(status.message()));
  return true;
}

/// `count` different vertices, or all where there are no more, by their input ids.
StatusOr<std::vector<ExternalId>> ChooseSources(const GraphStore& store, BlockReader& reader,
                                                uint64_t count, uint64_t seed) {
  const uint64_t num_vertices = store.info().num_vertices;
  std::set<uint64_t> ranks;
  Random random(Mix64(seed + 3));
  if (num_vertices <= count) {
    for (uint64_t rank = 0; rank < num_vertices; ++rank) ranks.insert(rank);
  }
  while (ranks.size() < std::min(count, num_vertices)) ranks.insert(random.Below(num_vertices));
  IdMap ids(store, reader);
  std::vector<ExternalId> sources;
  for (const uint64_t rank : ranks) {
    ASSIGN_OR_RETURN(const auto place, ids.At(rank));
    sources.push_back(place.first);
  }
  return sources;
}

/// Degrees, reciprocity and clustering: what needs the indexes.
Status MeasureLists(LoadedGraph& graph, const StatsOptions& options, GraphStats* stats) {
  const GraphNeeds stored = StoredLists(graph.store());
  const bool directed = graph.info().directed;
  if (stored.out_index) stats->out_degrees = DegreeCounts(graph.index(Direction::kOut));
  if (stored.in_index) stats->in_degrees = DegreeCounts(graph.index(Direction::kIn));
  if (!directed) {
    stats->isolated = stats->out_degrees->num_isolated();
  } else if (stored.out_index && stored.in_index) {
    const VertexIndexView out = graph.index(Direction::kOut), in = graph.index(Direction::kIn);
    uint64_t isolated = 0;
    for (uint64_t vertex = 0; vertex < graph.num_vertices(); ++vertex) {
      const auto v = static_cast<VertexId>(vertex);
      isolated += out.degree(v) == 0 && in.degree(v) == 0;
    }
    stats->isolated = isolated;
  }
  if (directed) {
    graph.progress().StartStage("reciprocity", "edges", 0);
    const Direction lists = stored.out_index ? Direction::kOut : Direction::kIn;
    ASSIGN_OR_RETURN(stats->reciprocity, EstimateReciprocity(graph, lists, options.sample));
  }
  if (directed && !(stored.out_index && stored.in_index)) {
    stats->left_out.push_back(
        "clustering and vertices without edges need the lists of both directions: ingest with "
        "--columns both");
    return OkStatus();
  }
  graph.progress().StartStage("clustering", "paths", 0);
  ASSIGN_OR_RETURN(stats->clustering, EstimateClustering(graph, options.sample));
  return OkStatus();
}

}  // namespace

StatusOr<uint64_t> LeastStatsBudget(const GraphStore& store, const StatsOptions& options,
                                    const MemoryBudget& budget) {
  uint64_t bytes =
      MemoryBudget::kProcessBytes + store.table_bytes() + SamplingBytes(store, options);
  std::vector<RunOptions> runs = {ComponentOptions(options.threads)};
  if (options.sources > 0) {
    runs.push_back(SearchOptions(store.info().id_base, options.threads));  // any source
  }
  for (const RunOptions& run : runs) {
    const StatusOr<uint64_t> least = LeastBudget(store, run, budget);
    if (least.status().code() == Code::kUsage) continue;  // it is left out
    RETURN_IF_ERROR(least.status());
    bytes = std::max(bytes, *least);
  }
  return bytes;
}

StatusOr<GraphStats> MeasureGraph(const GraphStore& store, const StatsOptions& options,
                                  MemoryBudget& budget, Progress& progress,
                                  const ReaderFactory& make_reader) {
  GraphStats stats;
  std::vector<ExternalId> sources;
  {
    BlockReaderOptions reading{.threads = options.threads};
    const uint64_t least = BlockReader::MinimumBufferBytes(store, options.threads);
    const uint64_t taken = SamplingBytes(store, options) - least;
    const uint64_t spare = budget.available_bytes() - std::min(budget.available_bytes(), taken);
    reading.buffer_bytes = std::clamp(spare / 2, least, std::max(least, reading.buffer_bytes));
    ASSIGN_OR_RETURN(const std::unique_ptr<BlockReader> reader,
                     make_reader(store, reading, budget));
    progress.StartStage("loading the index", "vertices", store.info().num_vertices + 1);
    ASSIGN_OR_RETURN(
        const std::unique_ptr<LoadedGraph> graph,
        LoadedGraph::Load({store, *reader, options.threads, budget, progress}, StoredLists(store)));
    RETURN_IF_ERROR(MeasureLists(*graph, options, &stats));
    ASSIGN_OR_RETURN(sources, ChooseSources(store, *reader, options.sources, options.sample.seed));
  }
  const RunOptions components = ComponentOptions(options.threads);
  if (!Lacks(store, components, budget, &stats.left_out)) {
    ASSIGN_OR_RETURN(const std::unique_ptr<RunResult> result,
                     Run(store, components, budget, progress, make_reader));
    ComponentCounts counts;
    ASSIGN_OR_RETURN(counts.sizes, result->GroupSizes());
    for (const auto& [size, count] : counts.sizes) counts.count += count;
    if (!counts.sizes.empty()) counts.largest = counts.sizes.rbegin()->first;
    stats.components = std::move(counts);
  }
  if (sources.empty() ||
      Lacks(store, SearchOptions(sources[0], options.threads), budget, &stats.left_out)) {
    return stats;
  }
  ASSIGN_OR_RETURN(stats.distances,
                   EstimateDistances(store, sources, options.threads, stats.components,
                                     {budget, progress, make_reader}));
  return stats;
}

}  // namespace edgemill
