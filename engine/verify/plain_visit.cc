#include "engine/verify/plain_visit.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <utility>

#include "common/cancel.h"
#include "common/check.h"
#include "common/strings.h"
#include "common/threads/parallel.h"
#include "engine/graph/id_map.h"
#include "engine/graph/names/name_dictionary.h"
#include "engine/verify/plain_visit_into.h"

namespace edgemill {

StatusOr<std::string> VertexLabel(LoadedGraph& graph, VertexId vertex) {
  ASSIGN_OR_RETURN(const ExternalId id, IdMap(graph.store(), graph.reader()).IdOf(vertex));
  if (!HasNames(graph.store())) return StrCat(id);
  return NameDictionary(graph.store(), graph.reader()).At(id);
}

StatusOr<std::string> VertexText(LoadedGraph& graph, VertexId vertex) {
  ASSIGN_OR_RETURN(const std::string label, VertexLabel(graph, vertex));
  return HasNames(graph.store()) ? QuotedText(label) : label;
}

Status WrongVertex(LoadedGraph& graph, VertexId vertex, std::string_view what) {
  if (vertex == kInvalidVertex) return OkStatus();
  CHECK_LT(vertex, graph.num_vertices());
  const StatusOr<std::string> text = VertexText(graph, vertex);
  return InternalError(
      StrCat("vertex ", text.ok() ? *text : "", " (internal ", vertex, ") ", what));
}

Status AddAlongEdges(LoadedGraph& graph, std::span<const double> value, std::span<double> sums) {
  CHECK_EQ(value.size(), graph.num_vertices());
  CHECK_EQ(sums.size(), graph.num_vertices());
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

/// Calls `body` for these blocks of `columns`, which share block numbers, until one call fails.
/// Uses as many threads as `edges` edges in the blocks are worth.
Status ForEachBlock(LoadedGraph& graph, std::span<const ColumnKind> columns,
                    std::vector<uint64_t> blocks, EdgeIndex edges,
                    const std::function<Status(const BlockLease& lease)>& body) {
  const uint64_t num_blocks = blocks.size();
  const auto stream = graph.reader().Start(columns, std::move(blocks));
  std::atomic<bool> failed{false};
  return ShareWork(graph.blocks().TeamFor(*stream, num_blocks, edges), [&](int) -> Status {
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

/// Checks that the index, which fast decoders have filled, equals the stored offsets.
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
  return ForEachBlock(graph, std::span(&column, 1), AllBlocks(graph, column),
                      GraphBlocks::kAllEdges, check);
}

/// Blocks of a direction, in ascending order, and how many of their edges are to be visited.
struct BlocksToVisit {
  Direction direction = Direction::kOut;
  bool with_weights = false;
  std::vector<uint64_t> blocks;
  EdgeIndex edges = 0;
};

Status VisitOpened(LoadedGraph& graph, BlocksToVisit wanted,
                   const std::function<bool(const PlainBlock& block)>& visit) {
  if (wanted.blocks.empty()) return CheckCancelled();
  const Direction direction = wanted.direction;
  const bool with_weights = wanted.with_weights;
  const GraphStore& store = graph.store();
  const std::array<ColumnKind, 2> columns = {graph.neighbors(direction), graph.weights(direction)};
  const WeightType weights = store.info().weights;
  CHECK(!with_weights || store.has(columns[1]));
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
        return DamagedBlock(store, columns[1], lease.block(),
                            "it does not have one weight for each edge");
      }
    }
    if (!visit(block)) {
      return DamagedBlock(store, columns[0], lease.block(),
                          "a neighbour is not a vertex of the graph");
    }
    return OkStatus();
  };
  return ForEachBlock(graph, std::span(columns).first(with_weights ? 2 : 1),
                      std::move(wanted.blocks), wanted.edges, visit_lease);
}

}  // namespace

Direction ListsToVisit(const LoadedGraph& graph, Direction preferred, bool weighted) {
  const Direction other = preferred == Direction::kOut ? Direction::kIn : Direction::kOut;
  const bool readable =
      graph.has_lists(preferred) && !(weighted && LacksWeights(graph.store(), preferred));
  return readable ? preferred : other;
}

Status VisitPlainBlocks(LoadedGraph& graph, Direction direction, bool with_weights,
                        const std::function<bool(const PlainBlock& block)>& visit) {
  RETURN_IF_ERROR(CheckIndex(graph, direction));
  graph.progress().StartPass(graph.num_edges());
  return VisitOpened(graph,
                     {.direction = direction,
                      .with_weights = with_weights,
                      .blocks = AllBlocks(graph, graph.neighbors(direction)),
                      .edges = graph.num_edges()},
                     [&](const PlainBlock& block) {
                       if (!visit(block)) return false;
                       graph.progress().Advance(block.neighbors.num_values());
                       return true;
                     });
}

Status VisitPlainLists(
    LoadedGraph& graph, bool with_weights, std::span<const VertexId> from,
    const std::function<bool(const PlainBlock& block, std::span<const VertexId> lists)>& visit) {
  return VisitPlainListsOf(graph, Direction::kOut, with_weights, from, visit);
}

Status VisitPlainListsOf(
    LoadedGraph& graph, Direction direction, bool with_weights, std::span<const VertexId> from,
    const std::function<bool(const PlainBlock& block, std::span<const VertexId> lists)>& visit) {
  CHECK(from.empty() || from.back() < graph.num_vertices());
  const VertexIndexView index = graph.index(direction);
  const uint64_t block_edges = graph.info().block_edges;
  std::vector<uint64_t> blocks;
  EdgeIndex edges = 0;
  for (const VertexId vertex : from) {
    const EdgeIndex begin = index.first_edge(vertex), end = index.first_edge(vertex + 1);
    if (begin == end) continue;
    edges += end - begin;
    uint64_t block = begin / block_edges;
    if (!blocks.empty()) block = std::max(block, blocks.back() + 1);
    for (; block <= (end - 1) / block_edges; ++block) blocks.push_back(block);
  }
  graph.progress().StartPass(edges);
  RETURN_IF_ERROR(VisitOpened(
      graph, {direction, with_weights, std::move(blocks), edges}, [&](const PlainBlock& block) {
        const auto ends_before = [&](VertexId vertex) {
          return index.first_edge(vertex + 1) <= block.begin;
        };
        const auto begins_before_end = [&](VertexId vertex) {
          return index.first_edge(vertex) < block.begin + block.neighbors.num_values();
        };
        const auto first = std::partition_point(from.begin(), from.end(), ends_before);
        const auto last = std::partition_point(first, from.end(), begins_before_end);
        return visit(block, std::span(first, last));
      }));
  graph.progress().Advance(edges);
  return OkStatus();
}

}  // namespace internal
}  // namespace edgemill
