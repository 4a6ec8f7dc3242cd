// Start values of vertices, from a file.
#pragma once

#include <functional>

#include "common/status.h"
#include "common/types.h"
#include "engine/api/options.h"
#include "engine/graph/loaded_graph.h"

namespace edgemill {

inline constexpr Option<VertexValues> kValues{
    .names = "--values", .help = "where vertices start: lines with a vertex and its value"};

/// Calls `set(vertex, value)` for each line of an option's file. BadDataError for an id that is no
/// vertex and, with `all`, for a vertex that has no value.
Status VisitValues(LoadedGraph& graph, const InputValues& values, bool all,
                   const std::function<void(VertexId vertex, double value)>& set);

}  // namespace edgemill
