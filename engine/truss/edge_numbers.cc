#include "engine/truss/edge_numbers.h"

#include <algorithm>

#include "common/threads/parallel.h"
#include "engine/cpu/intersect/list_pairs.h"
#include "engine/report/recorder.h"

namespace edgemill {
namespace {

constexpr uint64_t kAmpleStageOfParts = uint64_t{4} << 20;  // entries, as for ListPairs
constexpr size_t kVerticesToCount = size_t{1} << 16;

uint64_t BytesOfStage(uint64_t entries) {
  return OrientedLists::SizeBytes(entries, entries, /*arcs=*/false);
}

}  // namespace

uint64_t MostSimpleEdges(const GraphInfo& info) {
  // A loop of an undirected graph is stored once, each other edge at both ends.
  return info.directed ? info.num_edges : (info.num_edges + 1) / 2;
}

uint64_t LeastListPartsBytes(const GraphInfo& info, int threads) {
  // What ListPairs takes has all of it: a loader, and lists of a whole stage.
  return ListMemoryOf(info, threads, /*arcs=*/false).least;
}

StatusOr<ListParts> ListParts::Create(LoadedGraph& graph, const VertexOrder& order,
                                      uint64_t bytes) {
  const GraphInfo& info = graph.info();
  ListParts parts(graph);
  ListLoader::Sizes sizes{.longest = ListLoader::LongestList(graph, order), .stage_entries = 0};
  const uint64_t all = std::max<uint64_t>(info.num_edges, info.num_vertices);
  const uint64_t least_stage = ListLoader::LeastStage(info, sizes.longest);
  sizes.stage_entries = std::max(least_stage, std::min(kAmpleStageOfParts, all));
  const auto loader_bytes = [&] { return ListLoader::SizeBytes(info, graph.threads(), sizes); };
  if (loader_bytes() + BytesOfStage(sizes.stage_entries) > bytes / 2) {
    sizes.stage_entries = least_stage;
  }
  const uint64_t all_lists =
      OrientedLists::SizeBytes(info.num_vertices, MostSimpleEdges(info), /*arcs=*/false);
  const uint64_t left = bytes - std::min(bytes, loader_bytes());
  ASSIGN_OR_RETURN(ListLoader loader, ListLoader::Create(graph, order, /*arcs=*/false, sizes));
  parts.loader_.emplace(std::move(loader));
  ASSIGN_OR_RETURN(
      OrientedLists lists,
      OrientedLists::Create(std::max(std::min(all_lists, left), BytesOfStage(sizes.stage_entries)),
                            info.num_vertices, /*arcs=*/false, graph.budget()));
  parts.lists_.emplace(std::move(lists));
  return parts;
}

Status ListParts::ForEach(const std::function<Status(const OrientedLists& lists)>& visit) {
  if (has_all_) return visit(*lists_);
  Recorder recorder(graph_);
  const auto num_vertices = static_cast<VertexId>(graph_.num_vertices());
  for (VertexId begin = 0; begin < num_vertices; begin = lists_->end()) {
    lists_->Clear(begin);
    RETURN_IF_ERROR(loader_->Fill(*lists_, recorder));
    has_all_ = begin == 0 && lists_->end() == num_vertices;
    RETURN_IF_ERROR(visit(*lists_));
  }
  return OkStatus();
}

StatusOr<EdgeNumbers> EdgeNumbers::Count(LoadedGraph& graph) {
  EdgeNumbers numbers;
  ASSIGN_OR_RETURN(numbers.order_, VertexOrder::Of(graph));
  const uint64_t num_vertices = graph.num_vertices();
  ASSIGN_OR_RETURN(numbers.reservation_,
                   graph.budget().Reserve((num_vertices + 1) * sizeof(uint64_t), "edge numbers"));
  ASSIGN_OR_RETURN(numbers.firsts_, Array<uint64_t>::Allocate(num_vertices + 1));
  ASSIGN_OR_RETURN(ListParts parts,
                   ListParts::Create(graph, numbers.order_, graph.budget().available_bytes()));
  graph.progress().StartStage("numbering edges", "vertices", num_vertices);
  RETURN_IF_ERROR(parts.ForEach([&](const OrientedLists& lists) {
    ForEachChunk(lists.end() - lists.begin(), kVerticesToCount, graph.threads(),
                 [&](size_t begin, size_t end) {
                   for (size_t i = begin; i < end; ++i) {
                     const auto vertex = static_cast<VertexId>(lists.begin() + i);
                     numbers.firsts_[vertex + 1] = lists.of(vertex).ranks.size();
                   }
                 });
    graph.progress().Advance(lists.end() - lists.begin());
    return OkStatus();
  }));
  for (uint64_t vertex = 0; vertex < num_vertices; ++vertex) {
    numbers.firsts_[vertex + 1] += numbers.firsts_[vertex];
  }
  return numbers;
}

}  // namespace edgemill
