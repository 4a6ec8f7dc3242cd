#include "engine/model/on_model.h"

#include <utility>
#include <vector>

#include "common/thread_annotations.h"
#include "engine/api/algorithm.h"
#include "engine/verify/plain_visit.h"

namespace edgemill::model {
namespace {

std::vector<OnModel>& Files() {
  static std::vector<OnModel> files;
  return files;
}

}  // namespace

RegisteredOnModel::RegisteredOnModel(const OnModel& functions) { Files().push_back(functions); }

const OnModel* FindOnModel(std::string_view file) {
  for (const OnModel& functions : Files()) {
    if (functions.file == file) return &functions;
  }
  return nullptr;
}

StatusOr<Graph> GraphOf(LoadedGraph& graph) {
  const bool directed = graph.info().directed;
  Mutex mutex;
  std::vector<InputEdge> edges;
  const auto add = [&](VertexId from, VertexId to, double weight) {
    if (!directed && from > to) return;  // it comes the other way too
    const MutexLock lock(mutex);
    edges.push_back({from, to, weight});
  };
  if (graph.info().weights == WeightType::kNone) {
    RETURN_IF_ERROR(PlainVisit(graph, [&](const Edge& edge) { add(edge.from, edge.to, 1); }));
  } else {
    RETURN_IF_ERROR(PlainVisit(
        graph, [&](const WeightedEdge<double>& edge) { add(edge.from, edge.to, edge.weight); }));
  }
  return Graph(graph.num_vertices(), std::move(edges), directed);
}

}  // namespace edgemill::model
