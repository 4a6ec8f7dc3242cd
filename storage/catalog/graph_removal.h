// Removing a graph: its blocks, temporary files and catalog.
#pragma once

#include <string>
#include <vector>

#include "common/os/file.h"
#include "common/status.h"
#include "storage/catalog/graph_state.h"
#include "storage/catalog/identity_file.h"

namespace edgemill {

/// Returns the error with which RemoveContents would refuse the graph at `path`, or ok. Deletes
/// nothing.
Status CheckRemovable(const std::string& path, const std::vector<std::string>& overrides);

/// Deletes everything of a graph except the graph directory itself and its lock file. The caller
/// holds the exclusive lock. First checks that everything found belongs to the graph (CheckHome
/// too); otherwise returns BadDataError and deletes nothing. Returns MissingError and deletes
/// nothing when a data directory is neither where it was nor among `overrides`, unless `state` is
/// kLeftovers or kEmpty. A removal that is stopped midway leaves kLeftovers. Links are removed,
/// never followed.
Status RemoveContents(const File& directory, GraphState state,
                      const std::vector<std::string>& overrides);

/// Removes the temporary files of the whole graph at `path`, which are there when its ingest was
/// stopped after its commit. LockedError while the graph is in use.
Status RemoveSpillsOf(const std::string& path, const std::vector<std::string>& overrides);

/// Ok unless a directory of temporary files that --spill named belongs to another graph directory
/// (CheckHome), of which `directory` is a copy. `identity` lists the directories.
Status CheckNamedSpills(const File& directory, const GraphIdentity& identity);

/// Removes the directories of `identity`'s temporary files that --spill named, and writes the
/// identity of the graph in `directory` without them. Has the errors of CheckNamedSpills too.
Status RemoveNamedSpills(const File& directory, GraphIdentity* identity);

/// Deletes `path` and everything below it; ok when there is nothing. Links are removed, never
/// followed.
Status RemoveTree(const std::string& path);

}  // namespace edgemill
