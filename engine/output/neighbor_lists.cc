#include "engine/output/neighbor_lists.h"

#include <algorithm>
#include <type_traits>
#include <unordered_set>
#include <utility>

#include "common/random.h"
#include "common/strings.h"
#include "common/threads/parallel.h"
#include "common/units.h"
#include "engine/graph/id_map.h"

namespace edgemill {
namespace {

/// An id that no vertex has, for edges that are left out.
constexpr ExternalId kLeftOut = ~ExternalId{0};

/// Appends `count` different ones of the `size` edges from `first` on, rising: by Floyd's method
/// (Bentley and Floyd, 1987).
void Draw(EdgeIndex first, uint64_t size, uint64_t count, Random random,
          std::vector<EdgeIndex>* drawn) {
  const auto begin = static_cast<std::ptrdiff_t>(drawn->size());
  std::unordered_set<uint64_t> chosen;
  for (uint64_t last = size - count; last < size; ++last) {
    const bool is_new = count < size && chosen.insert(random.Below(last + 1)).second;
    if (!is_new) chosen.insert(last);
  }
  for (const uint64_t number : chosen) drawn->push_back(first + number);
  std::sort(drawn->begin() + begin, drawn->end());
}

/// Leaves out edges whose neighbour is kLeftOut.
void Compact(IdLists* lists) {
  uint64_t kept = 0;
  uint64_t edge = 0;
  uint64_t kept_lists = 0;
  for (size_t list = 0; list < lists->vertices.size(); ++list) {
    const uint64_t begin = kept;
    for (; edge < lists->offsets[list + 1]; ++edge) {
      if (lists->neighbors[edge] == kLeftOut) continue;
      lists->neighbors[kept] = lists->neighbors[edge];
      if (!lists->weights.empty()) lists->weights[kept] = lists->weights[edge];
      ++kept;
    }
    if (kept == begin) continue;
    lists->vertices[kept_lists++] = lists->vertices[list];
    lists->offsets[kept_lists] = kept;
  }
  lists->vertices.resize(kept_lists);
  lists->offsets.resize(kept_lists + 1);
  lists->neighbors.resize(kept);
  if (!lists->weights.empty()) lists->weights.resize(kept);
}

void AddSources(IdLists* lists) {
  lists->sources.reserve(lists->neighbors.size());
  for (size_t list = 0; list < lists->vertices.size(); ++list) {
    lists->sources.resize(lists->offsets[list + 1], lists->vertices[list]);
  }
}

}  // namespace

NeighborLists::NeighborLists(const GraphContext& context)
    : context_(context), indexes_(context_.store.info()), blocks_(context_, indexes_) {}

uint64_t NeighborLists::MemoryBytes(const GraphStore& store) {
  const GraphInfo& info = store.info();
  const uint64_t by_rank =
      store.has(ColumnKind::kInternalOfRank) ? info.num_vertices * sizeof(VertexId) : 0;
  return VertexIndex::SizeBytes(info) + ExternalIds::SizeBytes(store) + by_rank;
}

StatusOr<std::unique_ptr<NeighborLists>> NeighborLists::Load(const GraphContext& context) {
  const auto& [store, reader, threads, budget, progress] = context;
  std::unique_ptr<NeighborLists> lists(new NeighborLists(context));
  ASSIGN_OR_RETURN(lists->ids_, ExternalIds::Load(store, reader, threads, budget));
  if (!store.has(ColumnKind::kInternalOfRank)) return lists;
  const uint64_t num_vertices = store.info().num_vertices;
  ASSIGN_OR_RETURN(lists->reservation_,
                   budget.Reserve(num_vertices * sizeof(VertexId), "the order of the ids"));
  ASSIGN_OR_RETURN(lists->by_rank_, Array<VertexId>::Allocate(num_vertices));
  RETURN_IF_ERROR(IdMap(store, reader)
                      .VisitInParallel(threads, [&](uint64_t first, std::span<const ExternalId>,
                                                    std::span<const VertexId> vertices) {
                        std::ranges::copy(vertices, lists->by_rank_.data() + first);
                        return OkStatus();
                      }));
  return lists;
}

StatusOr<VertexId> NeighborLists::Find(ExternalId id) const {
  if (!info().sparse_ids) {
    const uint64_t rank = id - info().id_base;
    if (id < info().id_base || rank >= info().num_vertices) return Unknown(id);
    return OfRank(rank);
  }
  uint64_t begin = 0;
  for (uint64_t end = info().num_vertices; begin < end;) {
    const uint64_t middle = begin + (end - begin) / 2;
    if (ids_.Of(OfRank(middle)) < id) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  if (begin == info().num_vertices || ids_.Of(OfRank(begin)) != id) return Unknown(id);
  return OfRank(begin);
}

Status NeighborLists::Unknown(ExternalId id) const {
  const uint64_t count = info().num_vertices;
  if (count == 0) {
    return UsageError(
        StrCat("vertex ", id, " is not in ", context_.store.path(), ": it has no vertices"));
  }
  return UsageError(StrCat("vertex ", id, " is not in ", context_.store.path(), ": its ",
                           FormatCount(count), " ids run from ", ids_.Of(OfRank(0)), " to ",
                           ids_.Of(OfRank(count - 1))));
}

StatusOr<VertexIndexView> NeighborLists::Index(Direction direction) {
  if (!indexes_.has(direction)) {
    const bool is_out = direction == Direction::kOut || !info().directed;
    RETURN_IF_ERROR(indexes_.Load(context_, {.out_index = is_out, .in_index = !is_out}));
  }
  return indexes_.view(direction);
}

Status NeighborLists::CheckWeights(const ListOptions& options) const {
  if (!options.weights) return OkStatus();
  if (info().weights == WeightType::kNone) {
    return UsageError(StrCat(context_.store.path(), ": the edges have no weights"));
  }
  if (!LacksWeights(context_.store, options.direction)) return OkStatus();
  const bool is_out = options.direction == Direction::kOut;
  return UsageError(StrCat(context_.store.path(), ": the lists of ", is_out ? "out" : "in",
                           "-neighbours have no weights: read those of the other direction, or ",
                           "ingest the graph with --weights-in both"));
}

void NeighborLists::WriteIds(std::span<ExternalId> ids) const {
  for (uint64_t rank = 0; rank < ids.size(); ++rank) ids[rank] = ids_.Of(OfRank(rank));
}

Status NeighborLists::WriteDegrees(std::span<const ExternalId> vertices, Direction direction,
                                   std::span<uint64_t> degrees) {
  const MutexLock lock(mutex_);
  ASSIGN_OR_RETURN(const VertexIndexView index, Index(direction));
  for (size_t i = 0; i < vertices.size(); ++i) {
    ASSIGN_OR_RETURN(const VertexId vertex, Find(vertices[i]));
    degrees[i] = index.degree(vertex);
  }
  return OkStatus();
}

Status NeighborLists::WriteAllDegrees(Direction direction, std::span<uint64_t> degrees) {
  const MutexLock lock(mutex_);
  ASSIGN_OR_RETURN(const VertexIndexView index, Index(direction));
  for (uint64_t rank = 0; rank < degrees.size(); ++rank) {
    degrees[rank] = index.degree(OfRank(rank));
  }
  return OkStatus();
}

StatusOr<IdLists> NeighborLists::Read(std::span<const ExternalId> vertices,
                                      const ListOptions& options) {
  const MutexLock lock(mutex_);
  Request request;
  IdLists lists;
  RETURN_IF_ERROR(Want(vertices, ~uint64_t{0}, options, &request, &lists));
  RETURN_IF_ERROR(Fill(std::move(request), options, &lists));
  return lists;
}

StatusOr<IdLists> NeighborLists::Sample(std::span<const ExternalId> vertices, uint64_t most,
                                        uint64_t seed, const ListOptions& options) {
  const MutexLock lock(mutex_);
  Request request{.is_sample = true};
  IdLists lists;
  RETURN_IF_ERROR(Want(vertices, most, options, &request, &lists));
  ASSIGN_OR_RETURN(const MemoryReservation memory,
                   context_.budget.Reserve(lists.offsets.back() * sizeof(EdgeIndex), "the sample"));
  request.drawn.reserve(lists.offsets.back());
  for (size_t i = 0; i < vertices.size(); ++i) {
    const Wanted& list = request.lists[i];
    Draw(list.first, list.last - list.first, lists.offsets[i + 1] - lists.offsets[i],
         Random(Mix64(seed ^ Mix64(vertices[i]))), &request.drawn);
  }
  RETURN_IF_ERROR(Fill(std::move(request), options, &lists));
  return lists;
}

Status NeighborLists::Want(std::span<const ExternalId> vertices, uint64_t most,
                           const ListOptions& options, Request* request, IdLists* lists) {
  RETURN_IF_ERROR(CheckWeights(options));
  ASSIGN_OR_RETURN(const VertexIndexView index, Index(options.direction));
  ASSIGN_OR_RETURN(request->memory,
                   context_.budget.Reserve(vertices.size() * kListBytes, "the lists"));
  lists->vertices.assign(vertices.begin(), vertices.end());
  lists->offsets.assign(1, 0);
  lists->offsets.reserve(vertices.size() + 1);
  request->lists.reserve(vertices.size());
  for (const ExternalId id : vertices) {
    ASSIGN_OR_RETURN(const VertexId vertex, Find(id));
    const uint64_t place = lists->offsets.back();
    const uint64_t count = std::min(most, index.degree(vertex));
    request->lists.push_back(
        {vertex, index.first_edge(vertex), index.first_edge(vertex + 1), place, count});
    lists->offsets.push_back(place + count);
  }
  return OkStatus();
}

StatusOr<IdLists> NeighborLists::ReadEdges(EdgeIndex first, uint64_t most,
                                           const ListOptions& options) {
  const MutexLock lock(mutex_);
  RETURN_IF_ERROR(CheckWeights(options));
  if (options.once && info().directed) {
    return UsageError(StrCat(context_.store.path(), ": is directed: each edge comes once anyway"));
  }
  ASSIGN_OR_RETURN(const VertexIndexView index, Index(options.direction));
  const EdgeIndex num_edges = info().num_edges;
  IdLists lists{.offsets = {0}, .next = num_edges};
  if (first >= num_edges) return lists;
  if (most < num_edges - first) {
    const EdgeIndex begin = index.first_edge(index.LowerBound(first + most + 1) - 1);
    lists.next = begin > first ? begin : first + most;
  }
  Request request{.begin = first, .end = lists.next, .once = options.once};
  // No more lists than edges have edges.
  const uint64_t most_lists = std::min<uint64_t>(lists.next - first, info().num_vertices);
  ASSIGN_OR_RETURN(request.memory,
                   context_.budget.Reserve(most_lists * kListBytes, "the lists of a chunk"));
  for (VertexId vertex = index.LowerBound(first + 1) - 1;
       vertex < index.num_vertices && index.first_edge(vertex) < lists.next; ++vertex) {
    const EdgeIndex begin = index.first_edge(vertex);
    const EdgeIndex end = index.first_edge(vertex + 1);
    if (begin == end) continue;
    const uint64_t place = lists.offsets.back();
    lists.offsets.push_back(std::min(end, lists.next) - first);
    lists.vertices.push_back(ids_.Of(vertex));
    request.lists.push_back({vertex, begin, end, place, lists.offsets.back() - place});
  }
  RETURN_IF_ERROR(Fill(std::move(request), options, &lists));
  return lists;
}

std::vector<uint64_t> NeighborLists::BlocksOf(const Request& request) const {
  std::vector<uint64_t> blocks;
  const auto add = [&](EdgeIndex edge) {
    const uint64_t block = edge / info().block_edges;
    if (blocks.empty() || blocks.back() < block) blocks.push_back(block);
  };
  for (const Wanted& list : request.lists) {
    if (request.is_sample) {
      std::ranges::for_each(request.DrawnOf(list), add);
      continue;
    }
    const EdgeIndex end = std::min(list.last, request.end);
    for (EdgeIndex edge = std::max(list.first, request.begin); edge < end;
         edge = (edge / info().block_edges + 1) * info().block_edges) {
      add(edge);
    }
  }
  return blocks;
}

Status NeighborLists::Fill(Request request, const ListOptions& options, IdLists* lists) {
  const uint64_t num_edges = lists->offsets.back();
  const uint64_t edge_bytes = sizeof(ExternalId) + (options.weights ? sizeof(double) : 0) +
                              (options.sources ? sizeof(ExternalId) : 0);
  const auto memory = context_.budget.Reserve(
      num_edges * edge_bytes, StrCat("lists of ", FormatCount(num_edges), " edges"));
  if (!memory.ok()) return Annotate(memory.status(), context_.store.path());
  lists->neighbors.assign(num_edges, kLeftOut);
  if (options.weights) lists->weights.resize(num_edges);
  // The places say where neighbours go, whatever the order of the lists.
  std::ranges::sort(request.lists, {}, &Wanted::first);
  std::erase_if(request.lists, [](const Wanted& list) { return list.count == 0; });
  RETURN_IF_ERROR(blocks_.Visit(options.direction, options.weights, BlocksOf(request),
                                [&](int /*thread*/, const BlockEdges& block) -> StatusOr<bool> {
                                  return options.weights
                                             ? FillFromBlock<double>(block, request, lists)
                                             : FillFromBlock<NoWeight>(block, request, lists);
                                }));
  if (request.once) Compact(lists);
  if (options.sources) AddSources(lists);
  return OkStatus();
}

template <typename Weight>
bool NeighborLists::FillFromBlock(const BlockEdges& block, const Request& request,
                                  IdLists* lists) const {
  ListCursor<Weight> cursor(block, info().num_vertices);
  auto list = std::ranges::partition_point(
      request.lists, [&](const Wanted& one) { return one.last <= block.begin; });
  for (; list != request.lists.end() && list->first < block.end; ++list) {
    EdgeIndex edge = std::max(list->first, block.begin);
    const bool is_sound = cursor.VisitList(
        list->vertex, list->first, list->last, [&](const ListChunk<Weight>& chunk) {
          request.ForEachOf(*list, edge, edge + chunk.size, [&](EdgeIndex wanted, uint64_t place) {
            const auto i = static_cast<uint32_t>(wanted - edge);
            const VertexId neighbor = chunk.target(i);
            if (request.once && neighbor < list->vertex) return;
            lists->neighbors[place] = ids_.Of(neighbor);
            if constexpr (!std::is_same_v<Weight, NoWeight>)
              lists->weights[place] = chunk.weight(i);
          });
          edge += chunk.size;
          return true;
        });
    if (!is_sound) return false;
  }
  return true;
}

}  // namespace edgemill
