#include "engine/api/toolkit/plain_visit.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <numeric>
#include <utility>

#include "common/parallel.h"
#include "common/strings.h"
#include "engine/graph/id_map.h"
#include "engine/graph/name_dictionary.h"

namespace edgemill {

StatusOr<std::string> VertexText(LoadedGraph& graph, VertexId vertex) {
  ASSIGN_OR_RETURN(const ExternalId id, IdMap(graph.store(), graph.reader()).IdOf(vertex));
  if (!HasNames(graph.store())) return StrCat(id);
  ASSIGN_OR_RETURN(const std::string name, NameDictionary(graph.store(), graph.reader()).At(id));
  return QuotedText(name);
}

Status WrongVertex(LoadedGraph& graph, VertexId vertex, std::string_view what) {
  if (vertex == kInvalidVertex) return OkStatus();
  const StatusOr<std::string> text = VertexText(graph, vertex);
  return InternalError(
      StrCat("vertex ", text.ok() ? *text : "", " (internal ", vertex, ") ", what));
}

Status AddAlongEdges(LoadedGraph& graph, std::span<const float> value, std::span<double> sums) {
  return AddByTarget<double>(
      graph, [=](const Edge& edge) { return double{value[edge.from]}; },
      [=](VertexId v, double sum) { AtomicAdd(&sums[v], sum); });
}

namespace internal {
namespace {

std::vector<uint64_t> AllBlocks(const LoadedGraph& graph, ColumnKind column) {
  std::vector<uint64_t> blocks(graph.store().column(column).num_blocks);
  std::iota(blocks.begin(), blocks.end(), uint64_t{0});
  return blocks;
}

/// Calls `body` for these blocks of `columns`, which share block numbers, on all threads, until one
/// fails.
Status ForEachBlock(LoadedGraph& graph, std::span<const ColumnKind> columns,
                    std::vector<uint64_t> blocks,
                    const std::function<Status(const BlockLease& lease)>& body) {
  const int threads =
      std::min<int>(graph.threads(), static_cast<int>(std::max<size_t>(1, blocks.size())));
  const auto stream = graph.reader().Start(columns, std::move(blocks));
  std::atomic<bool> failed{false};
  return RunThreads(threads, [&](int) -> Status {
    while (!failed.load(std::memory_order_relaxed)) {
      ASSIGN_OR_RETURN(const std::optional<BlockLease> lease, stream->Next());
      if (!lease.has_value()) break;
      Status status = body(*lease);
      if (!status.ok()) {
        failed.store(true, std::memory_order_relaxed);
        return status;
      }
    }
    return OkStatus();
  });
}

StatusOr<PackedView> OpenPacked(const GraphStore& store, ColumnKind column, const BlockLease& lease,
                                size_t payload) {
  StatusOr<PackedView> view =
      PackedView::Open(lease.payload(payload), store.block_values(column, lease.block()));
  if (!view.ok()) return DamagedBlock(store, column, lease.block(), view.status().message());
  return view;
}

/// Whether the index, which fast decoders have filled, is what is stored.
Status CheckIndex(LoadedGraph& graph, Direction direction) {
  const GraphStore& store = graph.store();
  const bool is_in = graph.neighbors(direction) == ColumnKind::kInNeighbors;
  const ColumnKind column = is_in ? ColumnKind::kInOffsets : ColumnKind::kOutOffsets;
  const VertexIndexView index = graph.index(direction);
  const auto check = [&](const BlockLease& lease) -> Status {
    ASSIGN_OR_RETURN(const PackedView view, OpenPacked(store, column, lease, 0));
    const uint32_t* const loaded = index.low + lease.block() * store.info().block_edges;
    bool same = true;
    VisitAscending(view, [&](uint32_t i, uint32_t offset) { same &= loaded[i] == offset; });
    if (same) return OkStatus();
    return DamagedBlock(store, column, lease.block(), "it is not what the index was loaded from");
  };
  return ForEachBlock(graph, std::span(&column, 1), AllBlocks(graph, column), check);
}

}  // namespace

Status VisitPlainBlocks(LoadedGraph& graph, Direction direction, bool with_weights,
                        const std::function<bool(const PlainBlock& block)>& visit) {
  RETURN_IF_ERROR(CheckIndex(graph, direction));
  if (graph.num_edges() == 0) return OkStatus();
  graph.progress().StartPass(graph.num_edges());
  return VisitPlainBlocks(graph, direction, with_weights,
                          AllBlocks(graph, graph.neighbors(direction)), visit);
}

Status VisitPlainBlocks(LoadedGraph& graph, Direction direction, bool with_weights,
                        std::vector<uint64_t> blocks,
                        const std::function<bool(const PlainBlock& block)>& visit) {
  const GraphStore& store = graph.store();
  const std::array<ColumnKind, 2> columns = {graph.neighbors(direction), graph.weights(direction)};
  const WeightType weights = store.info().weights;
  const auto visit_lease = [&](const BlockLease& lease) -> Status {
    PlainBlock block;
    block.begin = lease.block() * store.info().block_edges;
    ASSIGN_OR_RETURN(block.neighbors, OpenPacked(store, columns[0], lease, 0));
    if (with_weights && weights == WeightType::kInt32) {
      ASSIGN_OR_RETURN(block.packed_weights, OpenPacked(store, columns[1], lease, 1));
    } else if (with_weights) {
      block.raw_weights = lease.payload(1);
      const size_t size = weights == WeightType::kFloat32 ? sizeof(float) : sizeof(double);
      if (block.raw_weights.size() != block.neighbors.num_values() * size) {
        return DamagedBlock(store, columns[1], lease.block(), "it has not a weight an edge");
      }
    }
    if (!visit(block)) {
      return DamagedBlock(store, columns[0], lease.block(),
                          "a neighbour is no vertex of the graph");
    }
    graph.progress().Advance(block.neighbors.num_values());
    return OkStatus();
  };
  return ForEachBlock(graph, std::span(columns).first(with_weights ? 2 : 1), std::move(blocks),
                      visit_lease);
}

std::vector<uint64_t> BlocksFrom(const LoadedGraph& graph, std::span<const uint64_t> from) {
  const VertexIndexView index = graph.index(Direction::kOut);
  const uint64_t block_edges = graph.info().block_edges;
  std::vector<uint64_t> blocks;
  for (uint64_t word = 0; word < from.size(); ++word) {
    for (uint64_t bits = from[word]; bits != 0; bits &= bits - 1) {
      const auto vertex = static_cast<VertexId>(word * 64 + std::countr_zero(bits));
      if (index.degree(vertex) == 0) continue;
      const uint64_t last = (index.first_edge(vertex + 1) - 1) / block_edges;
      uint64_t block = index.first_edge(vertex) / block_edges;
      if (!blocks.empty()) block = std::max(block, blocks.back() + 1);
      for (; block <= last; ++block) blocks.push_back(block);
    }
  }
  return blocks;
}

}  // namespace internal
}  // namespace edgemill
