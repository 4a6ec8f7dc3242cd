#include "engine/graph/loaded_graph.h"

#include <chrono>
#include <numeric>

#include "common/cancel.h"
#include "common/parallel.h"

namespace edgemill {
namespace {

/// A thread's share of a sweep, at least: some 15 us. To wake a thread takes 10 to 40 us of
/// processor time, but beside the others': on 16 threads shares of four times as much made kcore
/// take 1.3 times as long on a Kronecker graph of 2^18 vertices.
constexpr EdgeIndex kEdgesAThread = EdgeIndex{1} << 11;

}  // namespace

LoadedGraph::LoadedGraph(const GraphStore& store, BlockReader& reader, int threads,
                         MemoryBudget& budget, Progress& progress)
    : store_(store),
      reader_(reader),
      threads_(threads),
      budget_(budget),
      progress_(progress),
      num_blocks_(store.info().num_blocks()) {
  for (std::vector<uint64_t>& sound : sound_) sound.resize(num_blocks_ / 64 + 1);
}

StatusOr<std::unique_ptr<LoadedGraph>> LoadedGraph::Load(const GraphStore& store,
                                                         BlockReader& reader,
                                                         const GraphNeeds& needs, int threads,
                                                         MemoryBudget& budget, Progress& progress) {
  std::unique_ptr<LoadedGraph> graph(new LoadedGraph(store, reader, threads, budget, progress));
  const bool directed = store.info().directed;
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    const bool needed = direction == Direction::kOut
                            ? needs.out_index || (!directed && needs.in_index)
                            : directed && needs.in_index;
    if (!needed) continue;
    const bool is_out = direction == Direction::kOut;
    if (!store.has(is_out ? ColumnKind::kOutOffsets : ColumnKind::kInOffsets)) {
      return UsageError(StrCat(store.path(), " has no ", is_out ? "out" : "in",
                               "-columns: ingest it with --columns both"));
    }
    ASSIGN_OR_RETURN(graph->indexes_[static_cast<size_t>(direction)],
                     VertexIndex::Load(store, reader, direction, threads, budget, progress));
    RETURN_IF_ERROR(CheckCancelled());
  }
  return graph;
}

Status LoadedGraph::KeepNeighbors(Direction direction) {
  std::optional<KeptNeighbors>& kept = kept_neighbors_[Side(direction)];
  const uint64_t bytes = KeptNeighbors::SizeBytes(num_vertices());
  if (kept.has_value() || spare_bytes_ < bytes) return OkStatus();
  const KeptNeighbor which = info().renumbering == Renumbering::kDegree ? KeptNeighbor::kFirst
                             : from_disk_                               ? KeptNeighbor::kHighest
                                                                        : KeptNeighbor::kFound;
  ASSIGN_OR_RETURN(kept, KeptNeighbors::Create(num_vertices(), which, threads_, budget_));
  spare_bytes_ -= bytes;
  return OkStatus();
}

uint64_t LoadedGraph::LastNeighborsBytes(const GraphInfo& info) {
  return info.num_duplicates == 0 ? 0 : info.num_blocks() * sizeof(VertexId);
}

Status LoadedGraph::KeepLastNeighbors(Direction direction) {
  LastNeighbors& last = last_neighbors_[Side(direction)];
  const uint64_t bytes = LastNeighborsBytes(info());
  if (!last.of_blocks.empty() || bytes == 0) return OkStatus();
  LastNeighbors found;
  ASSIGN_OR_RETURN(found.reservation, budget_.Reserve(bytes, "the last neighbours of blocks"));
  ASSIGN_OR_RETURN(found.of_blocks, Array<VertexId>::Allocate(num_blocks_));
  const VertexIndexView index = this->index(direction);
  RETURN_IF_ERROR(SweepAll(direction, false, [&](int, const BlockEdges& edges) {
    const VertexId source =
        index.OwnerOf(edges.end - 1, edges.owned_begin - edges.continues, edges.owned_end);
    ListCursor<NoWeight> cursor(edges, index.num_vertices);
    return StatusOr<bool>(
        cursor.VisitList(source, index.first_edge(source), index.first_edge(source + 1),
                         [&](const ListPiece<NoWeight>& piece) {
                           found.of_blocks[edges.block] = piece.target(piece.size - 1);
                           return true;
                         }));
  }));
  last = std::move(found);
  return OkStatus();
}

namespace {

/// Of any type; as whole groups.
uint64_t BlockWeightsBytes(const GraphInfo& info) {
  return (info.block_edges + kGroupSize - 1) / kGroupSize * kGroupSize * sizeof(double);
}

}  // namespace

uint64_t LoadedGraph::BlockIdsBytes(const GraphInfo& info, int threads, bool weights) {
  return static_cast<uint64_t>(threads) *
         (BlockIds::SizeBytes(info.block_edges) + (weights ? BlockWeightsBytes(info) : 0));
}

Status LoadedGraph::KeepBlockIds(bool weights) {
  if (!block_ids_.empty() && (!weights || !block_weights_.empty())) return OkStatus();
  DropBlockIds();
  const uint64_t bytes = BlockIdsBytes(info(), threads_, weights);
  ASSIGN_OR_RETURN(ids_reservation_, budget_.Reserve(bytes, "ids and weights of blocks"));
  ASSIGN_OR_RETURN(ids_memory_, Buffer::Allocate(bytes));
  std::byte* next = ids_memory_.data();
  for (int thread = 0; thread < threads_; ++thread) {
    block_ids_.emplace_back(next, info().block_edges);
    next += BlockIds::SizeBytes(info().block_edges);
    if (!weights) continue;
    block_weights_.push_back(next);
    next += BlockWeightsBytes(info());
  }
  return OkStatus();
}

void LoadedGraph::DropBlockIds() {
  block_ids_.clear();
  block_weights_.clear();
  ids_memory_ = Buffer();
  ids_reservation_ = MemoryReservation();
}

void LoadedGraph::KeepDegreesOnly(bool out, bool in) {
  DropBlockIds();
  for (std::optional<KeptNeighbors>& kept : kept_neighbors_) kept.reset();
  for (LastNeighbors& last : last_neighbors_) last = LastNeighbors();
  if (!(out || (in && !info().directed))) indexes_[0].reset();
  if (!in) indexes_[1].reset();
}

ColumnKind LoadedGraph::neighbors(Direction direction) const {
  return Side(direction) == 0 ? ColumnKind::kOutNeighbors : ColumnKind::kInNeighbors;
}

ColumnKind LoadedGraph::weights(Direction direction) const {
  return Side(direction) == 0 ? ColumnKind::kOutWeights : ColumnKind::kInWeights;
}

bool LoadedGraph::can_sweep(Direction direction) const {
  return has_index(direction) && (num_edges() == 0 || store_.has(neighbors(direction)));
}

BlockEdges LoadedGraph::Extent(Direction direction, uint64_t block) const {
  const VertexIndex& index = *indexes_[Side(direction)];
  BlockEdges edges;
  edges.block = block;
  edges.begin = block * info().block_edges;
  edges.end = std::min<EdgeIndex>(edges.begin + info().block_edges, num_edges());
  edges.owned_begin = index.FirstOfBlock(block);
  edges.owned_end = index.FirstOfBlock(block + 1);
  edges.continues =
      edges.owned_begin > 0 && index.view().first_edge(edges.owned_begin) > edges.begin;
  return edges;
}

StatusOr<PackedView> LoadedGraph::View(ColumnKind column, uint64_t block,
                                       std::span<const std::byte> payload, uint32_t num_values) {
  uint64_t* const sound = sound_[static_cast<size_t>(column)].data();
  if (TestBit(sound, block)) return PackedView::Reopen(payload, num_values);
  StatusOr<PackedView> view = PackedView::Open(payload, num_values);
  if (!view.ok()) return DamagedBlock(store_, column, block, view.status().message());
  AtomicSetBit(sound, block);
  return view;
}

Status LoadedGraph::Attach(const BlockLease& lease, bool with_weights, Direction direction,
                           BlockEdges* edges) {
  *edges = Extent(direction, lease.block());
  const uint32_t num_values = static_cast<uint32_t>(edges->end - edges->begin);
  ASSIGN_OR_RETURN(edges->neighbors,
                   View(neighbors(direction), edges->block, lease.payload(), num_values));
  edges->payload = lease.payload();
  if (!with_weights) return OkStatus();
  edges->weights = info().weights;
  edges->weights_payload = lease.payload(1);
  if (info().weights == WeightType::kInt32) {
    ASSIGN_OR_RETURN(edges->packed_weights,
                     View(weights(direction), edges->block, lease.payload(1), num_values));
    return OkStatus();
  }
  edges->raw_weights = lease.payload(1);
  const size_t size = info().weights == WeightType::kFloat32 ? 4 : 8;
  if (edges->raw_weights.size() != num_values * size) {
    return DamagedBlock(store_, weights(direction), edges->block, "it has not a weight an edge");
  }
  return OkStatus();
}

Status LoadedGraph::SweepThread(BlockStream& stream, Direction direction, bool with_weights,
                                int thread, const SweepBody& body, const std::atomic<bool>& stop) {
  using Clock = std::chrono::steady_clock;
  while (!stop.load(std::memory_order_relaxed)) {
    RETURN_IF_ERROR(CheckCancelled());
    ASSIGN_OR_RETURN(std::optional<BlockLease> lease, stream.Next());
    if (!lease.has_value()) break;
    const auto start = Clock::now();
    BlockEdges edges;
    RETURN_IF_ERROR(Attach(*lease, with_weights, direction, &edges));
    edges.lease = &*lease;
    ASSIGN_OR_RETURN(const bool sound, body(thread, edges));
    if (!sound) {
      return DamagedBlock(store_, neighbors(direction), edges.block,
                          "a neighbour is no vertex of the graph");
    }
    const auto elapsed = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start);
    compute_ns_.fetch_add(static_cast<uint64_t>(elapsed.count()), std::memory_order_relaxed);
    progress_.Advance(edges.end - edges.begin);
  }
  return OkStatus();
}

Status LoadedGraph::Sweep(Direction direction, bool with_weights, std::vector<uint64_t> blocks,
                          const SweepBody& body, EdgeIndex edges) {
  if (blocks.empty()) return CheckCancelled();
  const std::array<ColumnKind, 2> columns = {neighbors(direction), weights(direction)};
  const uint64_t num_blocks = blocks.size();
  progress_.StartPass(EdgesOf(blocks));
  const auto stream =
      reader_.Start(std::span(columns).first(with_weights ? 2 : 1), std::move(blocks));
  std::atomic<bool> stop{false};
  return ShareWork(SweepTeam(*stream, num_blocks, edges), [&](int thread) -> Status {
    Status status = SweepThread(*stream, direction, with_weights, thread, body, stop);
    if (!status.ok()) stop.store(true, std::memory_order_relaxed);
    return status;
  });
}

int LoadedGraph::SweepTeam(const BlockStream& stream, uint64_t num_blocks, EdgeIndex edges) const {
  const EdgeIndex looked_at = std::min(edges, num_blocks * info().block_edges);
  const uint64_t worth = looked_at / kEdgesAThread + stream.num_to_read();
  return TeamFor(std::min(num_blocks, worth), 1, threads_);
}

Status LoadedGraph::SweepAll(Direction direction, bool with_weights, const SweepBody& body) {
  std::vector<uint64_t> blocks(num_blocks_);
  std::iota(blocks.begin(), blocks.end(), uint64_t{0});
  return Sweep(direction, with_weights, std::move(blocks), body);
}

}  // namespace edgemill
