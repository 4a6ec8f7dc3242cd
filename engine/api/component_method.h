// How components are found fastest, as the graph lies and where its edges are.
#pragma once

#include <string_view>

#include "engine/api/engine.h"
#include "engine/graph/loaded_graph.h"

namespace edgemill {

/// One of cc's methods, all of which are right everywhere.
inline std::string_view ComponentMethod(Engine& engine) {
  if (engine.samples_hubs()) return "hang";
  const GraphInfo& info = engine.graph().info();
  if (info.directed && engine.lists().size() == 1) return "link";  // each edge is in one list
  return info.renumbering == Renumbering::kDegree ? "hubs" : "afforest";
}

}  // namespace edgemill
