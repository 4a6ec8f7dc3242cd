#include "edgemill/graph_names.h"

#include "common/strings.h"
#include "edgemill/open_graph.h"
#include "engine/graph/names/name_dictionary.h"
#include "engine/graph/names/vertex_called.h"

namespace edgemill {

Status VisitNames(const Graph& graph, Operation& operation, const NameVisitor& visit) {
  if (!graph.has_names()) return OkStatus();
  ASSIGN_OR_RETURN(const std::unique_ptr<GraphStore> store, OpenForRun(graph, operation.budget));
  ASSIGN_OR_RETURN(const std::unique_ptr<BlockReader> reader,
                   LookUpReader(*store, operation.threads, operation.budget));
  NameCursor cursor(*store, *reader);
  cursor.Seek(0);
  for (uint64_t rank = 0; rank < graph.info().num_vertices; ++rank) {
    ASSIGN_OR_RETURN(const std::string_view name, cursor.Next());
    visit(name);
  }
  return OkStatus();
}

Status FindNames(const Graph& graph, std::span<const ExternalId> ranks, Operation& operation,
                 const NameVisitor& visit) {
  if (!graph.has_names()) {
    return UsageError(StrCat(graph.path(), ": vertices have numbers as ids, and no names"));
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<GraphStore> store, OpenForRun(graph, operation.budget));
  ASSIGN_OR_RETURN(const std::unique_ptr<BlockReader> reader,
                   LookUpReader(*store, operation.threads, operation.budget));
  const NameDictionary dictionary(*store, *reader);
  for (const ExternalId rank : ranks) {
    if (rank >= graph.info().num_vertices) {
      return UsageError(StrCat(graph.path(), ": ", rank, " is not a vertex: ranks of names are ",
                               "below ", graph.info().num_vertices));
    }
    ASSIGN_OR_RETURN(const std::string name, dictionary.At(rank));
    visit(name);
  }
  return OkStatus();
}

StatusOr<std::vector<std::string>> ReadNames(const Graph& graph, const Resources& resources) {
  Operation operation(resources);
  std::vector<std::string> names;
  names.reserve(graph.has_names() ? graph.info().num_vertices : 0);
  RETURN_IF_ERROR(
      VisitNames(graph, operation, [&](std::string_view name) { names.emplace_back(name); }));
  return names;
}

}  // namespace edgemill
