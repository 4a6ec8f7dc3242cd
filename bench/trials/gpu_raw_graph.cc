#include "bench/trials/gpu_raw_graph.h"

#include <utility>

#include "engine/graph/id_map.h"
#include "storage/read/block_reader.h"

namespace edgemill::bench {
namespace {

StatusOr<std::vector<VertexId>> InternalIds(const GraphStore& store,
                                            const std::vector<ExternalId>& ids,
                                            MemoryBudget& budget) {
  BlockReaderOptions options;
  options.threads = 1;
  options.buffer_bytes = BlockReader::MinimumBufferBytes(store, 1);
  ASSIGN_OR_RETURN(const std::unique_ptr<BlockReader> reader,
                   BlockReader::Create(store, options, budget));
  IdMap map(store, *reader);
  std::vector<VertexId> vertices;
  for (const ExternalId id : ids) {
    ASSIGN_OR_RETURN(const VertexId vertex, map.Find(id));
    vertices.push_back(vertex);
  }
  return vertices;
}

}  // namespace

StatusOr<std::unique_ptr<RawGraph>> RawGraph::Load(const GraphStore& store,
                                                   const std::vector<ExternalId>& sources,
                                                   const GpuTrialOptions& options, Gpu& gpu,
                                                   Progress& progress) {
  std::unique_ptr<RawGraph> graph(new RawGraph(options, gpu));
  ASSIGN_OR_RETURN(PlainCsr csr, PlainCsr::Load(store, options.threads, graph->budget_, progress,
                                                &graph->registrar_));
  graph->csr_.emplace(std::move(csr));
  if (options.edge_bytes == 8) {
    ASSIGN_OR_RETURN(WideNeighbors wide, WideNeighbors::Create(*graph->csr_, options.threads,
                                                               graph->budget_, &graph->registrar_));
    graph->wide_.emplace(std::move(wide));
  }
  ASSIGN_OR_RETURN(graph->sources_, InternalIds(store, sources, graph->budget_));
  return graph;
}

}  // namespace edgemill::bench
