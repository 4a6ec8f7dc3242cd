// Taking a graph apart again.
#pragma once

#include <string>
#include <vector>

#include "common/os/file.h"
#include "common/status.h"
#include "storage/catalog/graph_state.h"
#include "storage/catalog/identity_file.h"

namespace edgemill {

/// What RemoveContents of the graph at `path` would refuse; deletes nothing.
Status CheckRemovable(const std::string& path, const std::vector<std::string>& overrides);

/// Deletes what a graph consists of, but for the graph directory itself and its lock file. The
/// caller holds the exclusive lock. First checks that everything found is the graph's own
/// (CheckHome too): BadDataError and nothing deleted otherwise. MissingError, nothing deleted, when
/// a data directory of a graph that is more than remains is neither where it was nor among
/// `overrides`. When stopped midway what is left is kRemains. Links are removed, never followed.
Status RemoveContents(const File& directory, GraphState state,
                      const std::vector<std::string>& overrides);

/// Removes the temporary files of the whole graph at `path`, which are there when its ingest was
/// stopped after its commit. LockedError while the graph is in use.
Status RemoveSpillsOf(const std::string& path, const std::vector<std::string>& overrides);

/// Ok unless a directory of `identity`'s temporary files that --spill named is another graph
/// directory's (CheckHome), of which the one in `directory` is a copy.
Status CheckNamedSpills(const File& directory, const GraphIdentity& identity);

/// Removes the directories of `identity`'s temporary files that --spill named, and writes the
/// identity of the graph in `directory` without them. Errors as CheckNamedSpills', too.
Status RemoveNamedSpills(const File& directory, GraphIdentity* identity);

/// Deletes `path` and everything below it; ok when there is nothing. Links are removed, never
/// followed.
Status RemoveTree(const std::string& path);

}  // namespace edgemill
