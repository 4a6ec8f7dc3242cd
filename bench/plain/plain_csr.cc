#include "bench/plain/plain_csr.h"

#include <algorithm>
#include <memory>

#include "common/units.h"
#include "engine/graph/loaded_graph.h"
#include "storage/read/block_reader.h"

namespace edgemill::bench {
namespace {

/// Copies the lists of one block into `lists`. Returns false when an id is out of bounds.
template <typename Weight>
bool CopyBlock(const BlockEdges& block, const VertexIndexView& index, PlainLists* lists) {
  ListCursor<Weight> cursor(block, index.num_vertices);
  return VisitVertices(block, index, [&](VertexId vertex, EdgeIndex first, EdgeIndex last) {
    EdgeIndex edge = std::max(first, block.begin);
    return cursor.VisitList(vertex, first, last, [&](const ListChunk<Weight>& chunk) {
      for (uint32_t i = 0; i < chunk.size; ++i, ++edge) {
        lists->neighbors[edge] = chunk.target(i);
        if constexpr (!std::is_same_v<Weight, NoWeight>) lists->weights[edge] = chunk.weight(i);
      }
      return true;
    });
  });
}

template <typename T>
StatusOr<RegisteredMemory> Register(MemoryRegistrar* registrar, Array<T>& array) {
  return RegisteredMemory::Register(registrar, std::as_writable_bytes(array.span()));
}

StatusOr<PlainLists> LoadLists(LoadedGraph& graph, Direction direction, bool weighted,
                               MemoryRegistrar* registrar) {
  const VertexIndexView index = graph.index(direction);
  PlainLists lists;
  ASSIGN_OR_RETURN(lists.offsets, Array<uint64_t>::Allocate(graph.num_vertices() + 1));
  ASSIGN_OR_RETURN(lists.neighbors, Array<VertexId>::Allocate(graph.num_edges()));
  if (weighted) {
    ASSIGN_OR_RETURN(lists.weights, Array<int32_t>::Allocate(graph.num_edges()));
  }
  ASSIGN_OR_RETURN(lists.registered[0], Register(registrar, lists.neighbors));
  ASSIGN_OR_RETURN(lists.registered[1], Register(registrar, lists.weights));
  for (uint64_t vertex = 0; vertex <= graph.num_vertices(); ++vertex) {
    lists.offsets[vertex] = index.first_edge(static_cast<VertexId>(vertex));
  }
  RETURN_IF_ERROR(
      graph.blocks().VisitAll(direction, weighted, [&](int /*thread*/, const BlockEdges& block) {
        return StatusOr<bool>(weighted ? CopyBlock<int32_t>(block, index, &lists)
                                       : CopyBlock<NoWeight>(block, index, &lists));
      }));
  return lists;
}

Status CheckFits(const GraphStore& store, uint64_t reading_bytes, const MemoryBudget& budget) {
  const uint64_t needed = PlainCsr::SizeBytes(store.info()) + reading_bytes;
  if (budget.available_bytes() >= needed) return OkStatus();
  const uint64_t others = budget.total_bytes() - budget.available_bytes();
  return BudgetError(StrCat(store.path(), ": plain CSR needs at least ",
                            FormatMebibytesUp(needed + others), ", and has ",
                            FormatBytes(budget.total_bytes())));
}

}  // namespace

uint64_t PlainCsr::SizeBytes(const GraphInfo& info) {
  const uint64_t directions = info.directed ? 2 : 1;
  return directions * (8 * (info.num_vertices + 1) + 4 * info.num_edges) +
         (info.weights == WeightType::kNone ? 0 : 4 * info.num_edges);
}

StatusOr<PlainCsr> PlainCsr::Load(const GraphStore& store, int threads, MemoryBudget& budget,
                                  Progress& progress, MemoryRegistrar* registrar) {
  const GraphInfo& info = store.info();
  const bool weighted = info.weights != WeightType::kNone;
  if (weighted && info.weights != WeightType::kInt32) {
    return UsageError(StrCat(store.path(), ": plain CSR holds 32-bit integer weights alone"));
  }
  if (LacksWeights(store, Direction::kOut)) {
    return UsageError(StrCat(store.path(),
                             " has no out-weights, which plain CSR holds: ingest it "
                             "with --weights-in both"));
  }
  BlockReaderOptions options;
  options.threads = threads;
  options.buffer_bytes =
      std::max(options.buffer_bytes, BlockReader::MinimumBufferBytes(store, threads));
  const uint64_t directions = info.directed ? 2 : 1;
  RETURN_IF_ERROR(CheckFits(store,
                            options.buffer_bytes + BlockReader::OverheadBytes(store, options) +
                                directions * VertexIndex::SizeBytes(info),
                            budget));
  PlainCsr csr;
  csr.has_negative_weight_ = info.has_negative_weight;
  ASSIGN_OR_RETURN(csr.reservation_, budget.Reserve(SizeBytes(info), "plain CSR"));
  ASSIGN_OR_RETURN(const std::unique_ptr<BlockReader> reader,
                   BlockReader::Create(store, options, budget));
  progress.StartStage("plain CSR", "edges", directions * info.num_edges);
  ASSIGN_OR_RETURN(const std::unique_ptr<LoadedGraph> graph,
                   LoadedGraph::Load({store, *reader, threads, budget, progress},
                                     {.out_index = true, .in_index = info.directed}));
  ASSIGN_OR_RETURN(csr.out_, LoadLists(*graph, Direction::kOut, weighted, registrar));
  if (info.directed) {
    ASSIGN_OR_RETURN(csr.in_, LoadLists(*graph, Direction::kIn, false, registrar));
  }
  return csr;
}

}  // namespace edgemill::bench
