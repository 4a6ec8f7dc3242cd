#include "engine/algorithms/shared/start_values.h"

#include <span>
#include <string>

#include "common/strings.h"
#include "engine/graph/id_map.h"
#include "engine/verify/plain_visit.h"

namespace edgemill {

Status VisitValues(LoadedGraph& graph, const InputValues& values, bool all,
                   const std::function<void(VertexId vertex, double value)>& set) {
  if (values.rows == nullptr) return InternalError(StrCat(values.file, ": was not read"));
  auto row = values.rows->begin();
  const auto end = values.rows->end();
  const auto unknown = [&] {
    return BadDataError(
        StrCat(values.file, ": ", row->first, " is not a vertex of ", graph.store().path()));
  };
  RETURN_IF_ERROR(
      IdMap(graph.store(), graph.reader())
          .Visit([&](uint64_t, std::span<const ExternalId> ids,
                     std::span<const VertexId> vertices) -> Status {
            for (size_t i = 0; i < ids.size(); ++i) {
              if (row != end && row->first < ids[i]) return unknown();
              if (row != end && row->first == ids[i]) {
                set(vertices[i], row->second);
                ++row;
              } else if (all) {
                ASSIGN_OR_RETURN(const std::string text, VertexText(graph, vertices[i]));
                return BadDataError(StrCat(values.file, ": has no value for vertex ", text));
              }
            }
            return OkStatus();
          }));
  return row == end ? OkStatus() : unknown();
}

}  // namespace edgemill
