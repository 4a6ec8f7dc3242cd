// The fastest method of finding components, by how the graph is stored and by where its edges are.
#pragma once

#include <string_view>

#include "engine/api/engine.h"
#include "engine/graph/loaded_graph.h"

namespace edgemill {

/// Returns one of cc's methods. Every method is right on every graph.
inline std::string_view ComponentMethod(Engine& engine) {
  if (engine.samples_hubs()) return "hang";
  const GraphInfo& info = engine.graph().info();
  if (info.directed && engine.lists().size() == 1) return "link";  // each edge is in one list
  return info.renumbering == Renumbering::kDegree ? "hubs" : "afforest";
}

}  // namespace edgemill
