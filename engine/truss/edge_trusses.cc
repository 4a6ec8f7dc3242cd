#include "engine/truss/edge_trusses.h"

#include <algorithm>
#include <map>

#include "common/check.h"
#include "common/threads/parallel.h"
#include "engine/cpu/intersect/list_pairs.h"
#include "engine/graph/decode_scratch.h"
#include "engine/truss/edge_peeling.h"
#include "engine/truss/live_lists.h"

namespace edgemill {

uint64_t EdgeTrusses::ResultBytes(const GraphInfo& info) {
  return EdgeNumbers::SizeBytes(info) + EdgeSupports::SizeBytes(MostSimpleEdges(info));
}

uint64_t EdgeTrusses::LeastBytes(const GraphInfo& info, int threads) {
  return ResultBytes(info) + DecodeScratch::SizeBytes(info, threads, /*weights=*/false) +
         LeastListPartsBytes(info, threads);
}

StatusOr<std::unique_ptr<EdgeTrusses>> EdgeTrusses::Find(LoadedGraph& graph,
                                                         const TrussOptions& options) {
  CHECK_GE(options.least, 2u);
  RETURN_IF_ERROR(graph.decode_scratch().Reserve(/*weights=*/false));
  ASSIGN_OR_RETURN(EdgeNumbers numbers, EdgeNumbers::Count(graph));
  ASSIGN_OR_RETURN(EdgeSupports supports,
                   EdgeSupports::Create(numbers.num_edges(), graph.budget()));
  auto trusses = std::unique_ptr<EdgeTrusses>(new EdgeTrusses(graph));
  trusses->numbers_ = std::move(numbers);
  trusses->trusses_ = std::move(supports);
  trusses->counts_.edges = trusses->numbers_.num_edges();
  // Edges of the K-truss are in K - 2 triangles.
  RETURN_IF_ERROR(trusses->Peel(std::max(options.least, 3u) - 3));
  trusses->CountClasses(options.least);
  return trusses;
}

Status EdgeTrusses::Peel(uint32_t first_level) {
  const int threads = graph_.threads();
  const auto count = [&] {
    graph_.progress().StartStage("counting triangles", "edges", 0);
    ++counts_.counts;
    return trusses_.Count(graph_, numbers_, graph_.budget().available_bytes());
  };
  RETURN_IF_ERROR(count());
  for (uint32_t level = first_level;;) {
    EdgeSupports::Totals totals = trusses_.Count(level, threads);
    if (totals.left == 0) return OkStatus();
    // Without an edge that is in no triangle, all others stay in theirs.
    const uint64_t needed = LiveLists::SizeBytes(graph_.num_vertices(), totals.in_triangles) +
                            std::max(LeastListPartsBytes(graph_.info(), threads),
                                     EdgePeeling::SizeBytes(totals.in_triangles));
    if (totals.in_triangles <= LiveLists::kMostEdges &&
        needed <= graph_.budget().available_bytes()) {
      trusses_.RemoveWithin(0, level + 2, threads);
      return PeelInMemory(level, totals.in_triangles);
    }
    if (totals.within == 0) {
      level = totals.least_above;
      continue;
    }
    trusses_.RemoveWithin(level, level + 2, threads);
    if (totals.left == totals.within) return OkStatus();
    if (level > 0) RETURN_IF_ERROR(count());
  }
}

Status EdgeTrusses::PeelInMemory(uint32_t first_level, uint64_t num_edges) {
  counts_.edges_in_lists = num_edges;
  if (num_edges == 0) return OkStatus();
  graph_.progress().StartStage("reading edges in triangles", "edges", 0);
  ASSIGN_OR_RETURN(LiveLists lists, LiveLists::Make(graph_, numbers_, trusses_, num_edges));
  uint64_t at = 0;  // supports come in the order of edges
  const auto support = [&](uint64_t) {
    while (trusses_.is_removed(at)) ++at;
    return trusses_.value(at++);
  };
  ASSIGN_OR_RETURN(EdgePeeling peeling,
                   EdgePeeling::Create(lists, graph_.threads(), graph_.budget(), support));
  graph_.progress().StartStage("peeling", "edges", num_edges);
  RETURN_IF_ERROR(peeling.Run(first_level, graph_.progress()));
  counts_.rounds = peeling.rounds();
  trusses_.RemoveRest([&](uint64_t edge) { return peeling.truss(edge); });
  return OkStatus();
}

void EdgeTrusses::CountClasses(uint32_t least) {
  // Edges with the same number often follow each other.
  std::map<uint32_t, uint64_t> classes;
  for (uint64_t edge = 0; edge < trusses_.num_edges();) {
    const uint32_t truss = trusses_.value(edge);
    const uint64_t begin = edge++;
    while (edge < trusses_.num_edges() && trusses_.value(edge) == truss) ++edge;
    if (truss >= least) classes[truss] += edge - begin;
  }
  counts_.classes.assign(classes.begin(), classes.end());
}

Status EdgeTrusses::ForEachPart(const std::function<Status(const TrussPart& part)>& visit) const {
  ASSIGN_OR_RETURN(ListParts parts,
                   ListParts::Create(graph_, numbers_.order(), graph_.budget().available_bytes()));
  return parts.ForEach([&](const OrientedLists& lists) {
    return visit({lists, numbers_, trusses_});
  });
}

}  // namespace edgemill
