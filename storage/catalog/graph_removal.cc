#include "storage/catalog/graph_removal.h"

#include <fcntl.h>

#include <algorithm>
#include <set>

#include "storage/catalog/blocks_place.h"
#include "storage/catalog/catalog.h"
#include "storage/catalog/data_directory.h"
#include "storage/catalog/segment_file.h"

namespace edgemill {
namespace {

bool IsCatalogName(std::string_view name) {
  return name == kCatalogName || name == kNewCatalogName || name == kRemovedCatalogName;
}

Status NotOurs(const std::string& path) {
  return BadDataError(StrCat(path,
                             ": is not part of the graph, so nothing was removed: move it away "
                             "first"));
}

/// Ok when the directory holds only files with the names that RocksDB gives.
Status CheckCatalogDirectory(const std::string& path) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, ListDirectory(path));
  for (const std::string& name : names) {
    const bool known = name == "CURRENT" || name == "IDENTITY" || name == "LOCK" ||
                       name.starts_with("LOG") || name.starts_with("MANIFEST-") ||
                       name.starts_with("OPTIONS-") || name.ends_with(".sst") ||
                       name.ends_with(".log") || name.ends_with(".dbtmp");
    ASSIGN_OR_RETURN(const EntryType type, TypeOf(path + "/" + name));
    if (!known || type != EntryType::kFile) return NotOurs(path + "/" + name);
  }
  return OkStatus();
}

Status CheckBlocksDirectory(const std::string& path) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, ListDirectory(path));
  for (const std::string& name : names) {
    ASSIGN_OR_RETURN(const EntryType type, TypeOf(path + "/" + name));
    ColumnKind column;
    uint16_t number;
    const bool file = IsIdentityName(name) || ParseSegmentName(name, &column, &number);
    if (!(file && type == EntryType::kFile) &&
        !(name == kSpillName && type == EntryType::kDirectory)) {
      return NotOurs(path + "/" + name);
    }
  }
  return OkStatus();
}

/// Ok when a data directory inside the graph directory holds only the graph's blocks.
Status CheckOwnData(const std::string& path, const Uuid& graph) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, ListDirectory(path));
  for (const std::string& name : names) {
    ASSIGN_OR_RETURN(const EntryType type, TypeOf(path + "/" + name));
    if (name != graph.ToString() || type != EntryType::kDirectory)
      return NotOurs(path + "/" + name);
  }
  return OkStatus();
}

/// Ok when everything directly in the graph directory belongs to the graph.
Status CheckGraphDirectory(const File& directory, const GraphIdentity& identity) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, ListDirectory(directory.path()));
  for (const std::string& name : names) {
    const std::string path = directory.path() + "/" + name;
    ASSIGN_OR_RETURN(const EntryType type, TypeOf(path));
    const bool own_data = std::any_of(identity.directories.begin(), identity.directories.end(),
                                      [&](const auto& d) { return d.path == name; });
    const bool known_directory = IsCatalogName(name) || name == kRunsName || own_data;
    const bool known_file = name == kLockName || IsIdentityName(name);
    if (!(known_directory && type == EntryType::kDirectory) &&
        !(known_file && type == EntryType::kFile)) {
      return NotOurs(path);
    }
    if (IsCatalogName(name)) RETURN_IF_ERROR(CheckCatalogDirectory(path));
    if (own_data) RETURN_IF_ERROR(CheckOwnData(path, identity.graph));
  }
  return OkStatus();
}

/// Deletes a directory with an identity file. That file, which names the owner, goes last.
Status RemoveIdentified(const std::string& path) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, ListDirectory(path));
  for (const std::string& name : names) {
    if (!IsIdentityName(name)) RETURN_IF_ERROR(RemoveTree(path + "/" + name));
  }
  fault::KillPoint("storage.remove.blocks");
  return RemoveTree(path);
}

Status RemoveBlocks(const BlocksPlace& place) {
  RETURN_IF_ERROR(RemoveIdentified(place.path));
  if (!place.made) return SyncDirectory(place.parent);
  // Only when empty: other graphs may have been put there.
  ASSIGN_OR_RETURN(const std::vector<std::string> others, ListDirectory(place.parent));
  return others.empty() ? RemoveDirectory(place.parent) : SyncDirectory(place.parent);
}

/// Removes the directories `spills` of temporary files, and those of `made` that are empty now.
Status RemoveSpills(const std::vector<std::string>& spills, const std::vector<std::string>& made) {
  for (const std::string& spill : spills) {
    RETURN_IF_ERROR(RemoveIdentified(spill));
    RETURN_IF_ERROR(SyncParent(spill));
  }
  for (const std::string& parent : made) {
    ASSIGN_OR_RETURN(const EntryType type, TypeOf(parent));
    if (type != EntryType::kDirectory) continue;
    ASSIGN_OR_RETURN(const std::vector<std::string> others, ListDirectory(parent));
    if (!others.empty()) continue;
    RETURN_IF_ERROR(RemoveDirectory(parent));
    RETURN_IF_ERROR(SyncParent(parent));
  }
  return OkStatus();
}

/// What a removal deletes beside the graph directory's own files.
struct Removal {
  GraphIdentity identity;
  std::vector<BlocksPlace> places;
  std::vector<std::string> spills;
};

/// The directories of temporary files that `identity` names, if they exist. BadDataError when one
/// belongs to another graph directory, of which this one is a copy.
StatusOr<std::vector<std::string>> FindNamedSpills(const File& directory,
                                                   const GraphIdentity& identity) {
  std::vector<std::string> spills;
  for (const std::string& path : identity.spills) {
    ASSIGN_OR_RETURN(const EntryType type, TypeOf(path));
    if (type == EntryType::kNone) continue;
    if (type != EntryType::kDirectory) return NotOurs(path);
    ASSIGN_OR_RETURN(const File spill, File::Open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    RETURN_IF_ERROR(CheckHome(directory, spill));
    spills.push_back(path);
  }
  return spills;
}

/// Finds what is to be removed, and checks that it is all there and all the graph's own.
StatusOr<Removal> PlanRemoval(const File& directory, GraphState state,
                              const std::vector<std::string>& overrides) {
  const std::string& path = directory.path();
  const bool is_leftover = state == GraphState::kLeftovers || state == GraphState::kEmpty;
  StatusOr<GraphIdentity> identity = IdentityOf(directory);
  if (!identity.ok() && !(is_leftover && identity.status().code() == Code::kMissing)) {
    return Annotate(
        identity.status(),
        StrCat(path, ": cannot find where the graph's blocks are, so nothing was removed"));
  }
  if (!identity.ok()) identity = GraphIdentity{};
  RETURN_IF_ERROR(CheckGraphDirectory(directory, *identity));
  ASSIGN_OR_RETURN(std::vector<BlocksPlace> places, FindBlocks(directory, *identity, overrides));
  std::set<Uuid> found;
  for (const BlocksPlace& place : places) {
    RETURN_IF_ERROR(CheckBlocksDirectory(place.path));
    ASSIGN_OR_RETURN(const File blocks, OpenBlocks(place, identity->graph));
    RETURN_IF_ERROR(CheckHome(directory, blocks));
    // A data directory and a copy of it were found, so another one is missing. A removal would
    // leave the blocks of the missing one.
    const StatusOr<DirectoryIdentity> one = ReadDirectoryIdentity(blocks);
    if (one.ok() && !found.insert(one->directory).second) {
      return BadDataError(StrCat(place.path, ": is a copy of another data directory of the graph, ",
                                 "so nothing was removed: move it away, and give the right one ",
                                 "with --data"));
    }
  }
  if (!is_leftover && places.size() < identity->directories.size()) {
    return MissingError(StrCat(path, ": ", identity->directories.size() - places.size(), " of ",
                               identity->directories.size(),
                               " data directories missing, so nothing was removed: say where they "
                               "are with --data DIR, or delete ",
                               path, " and the folders named ", identity->graph.ToString(),
                               " by hand"));
  }
  ASSIGN_OR_RETURN(std::vector<std::string> spills, FindNamedSpills(directory, *identity));
  return Removal{std::move(*identity), std::move(places), std::move(spills)};
}

}  // namespace

Status RemoveTree(const std::string& path) {
  ASSIGN_OR_RETURN(const EntryType type, TypeOf(path));
  if (type == EntryType::kNone) return OkStatus();
  if (type != EntryType::kDirectory) return RemoveFile(path);
  ASSIGN_OR_RETURN(const std::vector<std::string> names, ListDirectory(path));
  for (const std::string& name : names) RETURN_IF_ERROR(RemoveTree(path + "/" + name));
  return RemoveDirectory(path);
}

Status CheckNamedSpills(const File& directory, const GraphIdentity& identity) {
  return FindNamedSpills(directory, identity).status();
}

Status RemoveNamedSpills(const File& directory, GraphIdentity* identity) {
  if (identity->spills.empty()) return OkStatus();
  ASSIGN_OR_RETURN(const std::vector<std::string> spills, FindNamedSpills(directory, *identity));
  RETURN_IF_ERROR(RemoveSpills(spills, identity->made_for_spills));
  identity->spills.clear();
  identity->made_for_spills.clear();
  return WriteFileAtomically(StrCat(directory.path(), "/", kIdentityName),
                             EncodeIdentity(*identity));
}

Status RemoveSpillsOf(const std::string& path, const std::vector<std::string>& overrides) {
  ASSIGN_OR_RETURN(const File directory, OpenGraphDirectory(path));
  ASSIGN_OR_RETURN(GraphIdentity identity, IdentityOf(directory));
  if (!identity.spills.empty()) {
    ASSIGN_OR_RETURN(const GraphLock lock,
                     GraphLock::Acquire(directory, GraphLock::Mode::kExclusive));
    ASSIGN_OR_RETURN(const GraphStateReport report, InspectGraph(directory));
    ASSIGN_OR_RETURN(identity, IdentityOf(directory));  // now that no other process can change it
    if (report.state == GraphState::kWhole)
      RETURN_IF_ERROR(RemoveNamedSpills(directory, &identity));
  }
  ASSIGN_OR_RETURN(const std::vector<BlocksPlace> places,
                   FindBlocks(directory, identity, overrides));
  for (const BlocksPlace& place : places) {
    const std::string spills = StrCat(place.path, "/", kSpillName);
    ASSIGN_OR_RETURN(const bool exists, Exists(spills));
    if (!exists) continue;
    ASSIGN_OR_RETURN(const GraphLock lock,
                     GraphLock::Acquire(directory, GraphLock::Mode::kExclusive));
    ASSIGN_OR_RETURN(const GraphStateReport report, InspectGraph(directory));
    if (report.state != GraphState::kWhole) return OkStatus();
    ASSIGN_OR_RETURN(const File blocks, OpenBlocks(place, identity.graph));
    RETURN_IF_ERROR(CheckHome(directory, blocks));
    RETURN_IF_ERROR(RemoveTree(spills));
    RETURN_IF_ERROR(SyncDirectory(place.path));
  }
  return OkStatus();
}

Status CheckRemovable(const std::string& path, const std::vector<std::string>& overrides) {
  ASSIGN_OR_RETURN(const File directory, OpenGraphDirectory(path));
  ASSIGN_OR_RETURN(const GraphStateReport report, InspectGraph(directory));
  return PlanRemoval(directory, report.state, overrides).status();
}

Status RemoveContents(const File& directory, GraphState state,
                      const std::vector<std::string>& overrides) {
  const std::string& path = directory.path();
  ASSIGN_OR_RETURN(const Removal removal, PlanRemoval(directory, state, overrides));
  const std::string removed = StrCat(path, "/", kRemovedCatalogName);
  ASSIGN_OR_RETURN(const bool has_catalog, Exists(StrCat(path, "/", kCatalogName)));
  if (has_catalog) RETURN_IF_ERROR(RenameFile(StrCat(path, "/", kCatalogName), removed));
  RETURN_IF_ERROR(MakeDirectory(removed));  // where it is not there yet
  RETURN_IF_ERROR(SyncDirectory(path));
  fault::KillPoint("storage.remove.begun");
  RETURN_IF_ERROR(RemoveSpills(removal.spills, removal.identity.made_for_spills));
  for (const BlocksPlace& place : removal.places) RETURN_IF_ERROR(RemoveBlocks(place));
  fault::KillPoint("storage.remove.data");
  // Data directories that ingest made may be empty: their folder was never made, or is already
  // deleted.
  for (const GraphIdentity::Directory& hint : removal.identity.directories) {
    const std::string parent = ResolveHint(path, hint.path);
    ASSIGN_OR_RETURN(const EntryType type, TypeOf(parent));
    if (hint.made && type == EntryType::kDirectory) {
      ASSIGN_OR_RETURN(const std::vector<std::string> others, ListDirectory(parent));
      if (others.empty()) RETURN_IF_ERROR(RemoveDirectory(parent));
    }
  }
  RETURN_IF_ERROR(RemoveTree(StrCat(path, "/", kRunsName)));
  RETURN_IF_ERROR(RemoveTree(StrCat(path, "/", kNewCatalogName)));
  ASSIGN_OR_RETURN(const std::vector<std::string> names, ListDirectory(path));
  for (const std::string& name : names) {
    if (IsIdentityName(name)) RETURN_IF_ERROR(RemoveFile(path + "/" + name));
  }
  fault::KillPoint("storage.remove.identity");
  RETURN_IF_ERROR(RemoveTree(removed));
  return SyncDirectory(path);
}

}  // namespace edgemill
