// The state of a directory as a graph.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/os/file.h"
#include "common/status.h"
#include "storage/catalog/graph_lock.h"
#include "storage/catalog/identity_file.h"

namespace edgemill {

/// The catalog's name before creation has written the first records, and after removal has begun.
inline constexpr std::string_view kNewCatalogName = "catalog.new";
inline constexpr std::string_view kRemovedCatalogName = "catalog.removed";

/// A graph is absent (kEmpty, kLeftovers), resumable, or whole.
enum class GraphState {
  kEmpty,       // an empty directory
  kLeftovers,   // what an unfinished creation or removal left: nothing of value
  kUnfinished,  // resumable
  kWhole,
  kDamaged,  // a graph, but its catalog cannot be read
  kForeign,  // something else
};

struct GraphStateReport {
  GraphState state = GraphState::kForeign;
  Status damage;  // kDamaged: what is wrong
};

/// Looks at a graph directory. Writes nothing. An error only when it cannot be listed, or its
/// catalog may not be read.
StatusOr<GraphStateReport> InspectGraph(const File& directory);

/// "is a whole graph", "is an unfinished ingest ..." and so on, with what the user can do, for
/// messages.
std::string_view Describe(GraphState state);

/// The identity file's contents or, when the file is missing or damaged, the same facts from the
/// catalog. An error when the file cannot be read, because the catalog does not know which
/// directories ingest made.
StatusOr<GraphIdentity> IdentityOf(const File& directory);

/// Ok unless the blocks, or temporary files, in `blocks` belong to another graph directory. They do
/// if their identity file names a home that exists, is not `directory`, and holds the same graph.
/// Otherwise BadDataError. So removing a copy of a graph directory does not delete the blocks of
/// the original. A graph directory that was moved passes the check, because its old place is empty.
/// An identity file that is missing or damaged forbids nothing.
Status CheckHome(const File& directory, const File& blocks);

/// Prepares the graph at `path` to be renamed to `place`, where a graph that it replaces may be.
/// Records `place` as the home of its blocks outside it. Data directories that the old graph's
/// ingest made count as made by the new graph's. The caller makes sure that no other process uses
/// the graph.
Status InheritPlace(const std::string& path, const std::string& place,
                    const std::vector<std::string>& overrides);

/// Ok when the identity file of the graph in `directory` is readable and belongs to `graph` with
/// `num_directories` data directories. Otherwise an error with the reason. Other work does not need
/// the file: only removal of a graph with a damaged catalog does.
Status CheckGraphIdentity(const File& directory, const Uuid& graph, size_t num_directories);

bool IsSymbolicLink(const std::string& path);

}  // namespace edgemill
