// The names of a graph's vertices, read within the memory of an operation.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "edgemill/edgemill.h"
#include "edgemill/operation.h"

namespace edgemill {

using NameVisitor = std::function<void(std::string_view name)>;

/// Calls `visit` with the names of all vertices, by rank; not at all where they have no names. The
/// errors of ReadNames.
Status VisitNames(const Graph& graph, Operation& operation, const NameVisitor& visit);

/// Calls `visit` with the names of the vertices of these ranks, in their order. UsageError where
/// there is no such vertex, or vertices have no names.
Status FindNames(const Graph& graph, std::span<const ExternalId> ranks, Operation& operation,
                 const NameVisitor& visit);

}  // namespace edgemill
