// What a directory is to Edgemill, and taking a graph apart again.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/file.h"
#include "common/status.h"
#include "storage/graph_lock.h"
#include "storage/identity_file.h"

namespace edgemill {

/// The catalog while creation has not written its first records, and once removal has begun.
inline constexpr std::string_view kNewCatalogName = "catalog.new";
inline constexpr std::string_view kRemovedCatalogName = "catalog.removed";

/// A graph is absent (kEmpty, kRemains), resumable, or whole.
enum class GraphState {
  kEmpty,       // an empty directory
  kRemains,     // of a creation that did not get to its end, or of a removal: nothing of worth
  kUnfinished,  // resumable
  kWhole,
  kDamaged,  // a graph, but its catalog cannot be read
  kForeign,  // something else
};

struct GraphStateReport {
  GraphState state = GraphState::kForeign;
  Status damage;  // kDamaged: what is wrong
};

/// Looks at a graph directory. Writes nothing. An error only when it cannot be listed.
StatusOr<GraphStateReport> InspectGraph(const File& directory);

/// "is a whole graph", "is an unfinished ingest ..." and so on, with what the user can do, for
/// messages.
std::string_view Describe(GraphState state);

/// Deletes what a graph consists of, but for the graph directory itself and its lock file. The
/// caller holds the exclusive lock. First checks that everything found is the graph's own:
/// BadDataError and nothing deleted otherwise. MissingError, nothing deleted, when a data directory
/// of a graph that is more than remains is neither where it was nor among `overrides`. When stopped
/// midway what is left is kRemains. Links are removed, never followed.
Status RemoveContents(const File& directory, GraphState state,
                      const std::vector<std::string>& overrides);

/// Deletes `path` and everything below it; ok when there is nothing. Links are removed, never
/// followed.
Status RemoveTree(const std::string& path);

bool IsSymbolicLink(const std::string& path);

}  // namespace edgemill
