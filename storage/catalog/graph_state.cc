#include "storage/catalog/graph_state.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "storage/catalog/catalog.h"
#include "storage/catalog/catalog_contents.h"
#include "storage/catalog/data_directory.h"
#include "storage/catalog/segment_file.h"

namespace edgemill {
namespace {

/// Whether this process may not read something, or has no means to: that says nothing of what it
/// holds.
bool IsDenied(const Status& status) {
  return status.code() == Code::kPermission || status.out_of_resources();
}

/// The same of a small file, of which a device that fails once may have the contents all the same.
bool IsUnread(const Status& status) { return IsDenied(status) || status.code() == Code::kIo; }

/// IDENTITY or the temporary file of its writing.
bool IsIdentityName(std::string_view name) {
  return name == kIdentityName || (name.starts_with("IDENTITY.") && name.ends_with(".tmp"));
}

bool IsCatalogName(std::string_view name) {
  return name == kCatalogName || name == kNewCatalogName || name == kRemovedCatalogName;
}

/// What is at a path, links not followed.
enum class EntryType { kNone, kFile, kDirectory, kOther };
EntryType TypeOf(const std::string& path) {
  struct stat info;
  if (lstat(path.c_str(), &info) != 0) return EntryType::kNone;
  return S_ISREG(info.st_mode)   ? EntryType::kFile
         : S_ISDIR(info.st_mode) ? EntryType::kDirectory
                                 : EntryType::kOther;
}

Status NotOurs(const std::string& path) {
  return BadDataError(StrCat(path,
                             ": is not part of the graph, so nothing was removed: move it away "
                             "first"));
}

/// RocksDB keeps files only, and names them like these.
Status CheckCatalogDirectory(const std::string& path) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, ListDirectory(path));
  for (const std::string& name : names) {
    const bool known = name == "CURRENT" || name == "IDENTITY" || name == "LOCK" ||
                       name.starts_with("LOG") || name.starts_with("MANIFEST-") ||
                       name.starts_with("OPTIONS-") || name.ends_with(".sst") ||
                       name.ends_with(".log") || name.ends_with(".dbtmp");
    if (!known || TypeOf(path + "/" + name) != EntryType::kFile) {
      return NotOurs(path + "/" + name);
    }
  }
  return OkStatus();
}

Status CheckBlocksDirectory(const std::string& path) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, ListDirectory(path));
  for (const std::string& name : names) {
    const EntryType type = TypeOf(path + "/" + name);
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

/// Everything directly in the graph directory must be ours.
Status CheckGraphDirectory(const File& directory, const GraphIdentity& identity) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, ListDirectory(directory.path()));
  for (const std::string& name : names) {
    const std::string path = directory.path() + "/" + name;
    const EntryType type = TypeOf(path);
    const bool own_data = std::any_of(identity.directories.begin(), identity.directories.end(),
                                      [&](const auto& d) { return d.path == name; });
    const bool known_directory = IsCatalogName(name) || name == kRunsName || own_data;
    const bool known_file = name == kLockName || IsIdentityName(name);
    if (!(known_directory && type == EntryType::kDirectory) &&
        !(known_file && type == EntryType::kFile)) {
      return NotOurs(path);
    }
    if (IsCatalogName(name)) RETURN_IF_ERROR(CheckCatalogDirectory(path));
  }
  return OkStatus();
}

/// One DIR that may hold blocks of the graph.
struct BlocksPlace {
  std::string parent;  // DIR
  std::string path;    // DIR/<graph uuid>
  bool made = false;   // by ingest
};

/// The DIR/<graph uuid>/ that are there, each once, and how many of the hints led nowhere.
StatusOr<std::vector<BlocksPlace>> FindBlocks(const File& directory, const GraphIdentity& identity,
                                              const std::vector<std::string>& overrides) {
  std::vector<BlocksPlace> places;
  std::set<std::pair<dev_t, ino_t>> seen;
  const auto look = [&](const std::string& parent, bool made) -> Status {
    BlocksPlace place{parent, parent + "/" + identity.graph.ToString(), made};
    ASSIGN_OR_RETURN(const bool exists, Exists(place.path));
    struct stat info;
    if (!exists || lstat(place.path.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) {
      return OkStatus();
    }
    if (seen.insert({info.st_dev, info.st_ino}).second) places.push_back(std::move(place));
    return OkStatus();
  };
  for (const GraphIdentity::Directory& hint : identity.directories) {
    // A link in place of a data directory inside the graph directory is not ours to follow.
    const std::string parent = ResolveHint(directory.path(), hint.path);
    if (hint.path.starts_with('/') || TypeOf(parent) == EntryType::kDirectory) {
      RETURN_IF_ERROR(look(parent, hint.made));
    }
  }
  for (const std::string& parent : overrides) RETURN_IF_ERROR(look(parent, false));
  return places;
}

Status RemoveBlocks(const BlocksPlace& place) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, ListDirectory(place.path));
  for (const std::string& name : names) {
    if (!IsIdentityName(name)) RETURN_IF_ERROR(RemoveTree(place.path + "/" + name));
  }
  fault::KillPoint("storage.remove.blocks");
  RETURN_IF_ERROR(RemoveTree(place.path));  // what says whose it is goes last
  if (!place.made) return SyncDirectory(place.parent);
  // Only when empty: other graphs may have come to live there.
  ASSIGN_OR_RETURN(const std::vector<std::string> others, ListDirectory(place.parent));
  return others.empty() ? RemoveDirectory(place.parent) : SyncDirectory(place.parent);
}

/// A blocks directory's identity and the parent it is in, opened one component at a time.
StatusOr<File> OpenBlocks(const BlocksPlace& place, const Uuid& graph) {
  ASSIGN_OR_RETURN(const File parent, File::Open(place.parent, O_RDONLY | O_DIRECTORY));
  return OpenDirectoryBeneath(parent, graph.ToString());
}

StatusOr<DirectoryIdentity> ReadDirectoryIdentity(const File& blocks) {
  ASSIGN_OR_RETURN(const std::string text, ReadIdentity(blocks));
  return DecodeDirectoryIdentity(text, StrCat(blocks.path(), "/", kIdentityName));
}

/// Whether both are the same directory, by whatever paths.
bool SameDirectory(const File& a, const File& b) {
  struct stat first, second;
  return fstat(a.fd(), &first) == 0 && fstat(b.fd(), &second) == 0 &&
         first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

}  // namespace

StatusOr<GraphIdentity> IdentityOf(const File& directory) {
  const std::string path = StrCat(directory.path(), "/", kIdentityName);
  const StatusOr<std::string> text = ReadIdentity(directory);
  StatusOr<GraphIdentity> identity =
      text.ok() ? DecodeGraphIdentity(*text, path) : StatusOr<GraphIdentity>(text.status());
  if (identity.ok() || IsUnread(identity.status())) return identity;
  StatusOr<std::unique_ptr<Catalog>> catalog =
      Catalog::Open(StrCat(directory.path(), "/", kCatalogName), Catalog::Mode::kReadUnfinished);
  if (!catalog.ok()) return identity.status();
  CatalogContents contents;
  const Status read = ReadCatalog(
      **catalog, &contents, [](const HeaderRecord&) { return OkStatus(); },
      [](ColumnKind, const PageRecord&) { return OkStatus(); });
  if (!read.ok()) return identity.status();
  GraphIdentity rebuilt{contents.header.info.uuid, {}};
  for (const DirectoryRecord& record : contents.directories) {
    rebuilt.directories.push_back({record.path, !record.path.starts_with('/')});
  }
  return rebuilt;
}

Status CheckHome(const File& directory, const File& blocks) {
  const StatusOr<DirectoryIdentity> identity = ReadDirectoryIdentity(blocks);
  if (IsUnread(identity.status())) return identity.status();
  if (!identity.ok() || identity->home.empty()) return OkStatus();
  const StatusOr<File> home = OpenGraphDirectory(identity->home);
  if (home.status().code() == Code::kMissing || home.status().code() == Code::kBadData) {
    return OkStatus();  // it was moved
  }
  const auto doubtful = [&](const Status& status) {
    return Annotate(status, StrCat(blocks.path(), " may be another graph's"));
  };
  RETURN_IF_ERROR(doubtful(home.status()));
  if (SameDirectory(*home, directory)) return OkStatus();
  const StatusOr<GraphStateReport> report = InspectGraph(*home);
  if (IsUnread(report.status())) return doubtful(report.status());
  const bool is_graph = report.ok() && (report->state == GraphState::kWhole ||
                                        report->state == GraphState::kUnfinished ||
                                        report->state == GraphState::kDamaged);
  if (!is_graph) return OkStatus();
  const StatusOr<GraphIdentity> at_home = IdentityOf(*home);
  if (IsUnread(at_home.status())) return doubtful(at_home.status());
  if (!at_home.ok() || at_home->graph != identity->graph) return OkStatus();
  return BadDataError(StrCat(directory.path(), ": is a copy of ", identity->home,
                             ", whose blocks are in ", blocks.path(),
                             ": work on that one, or delete the copy with rm -r"));
}

Status InheritPlace(const std::string& path, const std::string& place,
                    const std::vector<std::string>& overrides) {
  ASSIGN_OR_RETURN(const File directory, OpenGraphDirectory(path));
  ASSIGN_OR_RETURN(GraphIdentity graph, IdentityOf(directory));
  ASSIGN_OR_RETURN(const std::string home, HomePath(place));
  ASSIGN_OR_RETURN(const std::vector<BlocksPlace> places, FindBlocks(directory, graph, overrides));
  for (const BlocksPlace& blocks_place : places) {
    ASSIGN_OR_RETURN(const File blocks, OpenBlocks(blocks_place, graph.graph));
    ASSIGN_OR_RETURN(DirectoryIdentity identity, ReadDirectoryIdentity(blocks));
    if (identity.home.empty()) continue;  // inside: it moves along
    identity.home = home;
    RETURN_IF_ERROR(
        WriteFileAtomically(StrCat(blocks.path(), "/", kIdentityName), EncodeIdentity(identity)));
  }
  const StatusOr<File> old_directory = OpenGraphDirectory(place);
  if (!old_directory.ok()) return OkStatus();
  const StatusOr<GraphIdentity> old = IdentityOf(*old_directory);
  if (!old.ok()) return OkStatus();
  for (GraphIdentity::Directory& hint : graph.directories) {
    hint.made |= std::any_of(old->directories.begin(), old->directories.end(),
                             [&](const auto& d) { return d.made && d.path == hint.path; });
  }
  return WriteFileAtomically(StrCat(path, "/", kIdentityName), EncodeIdentity(graph));
}

Status CheckGraphIdentity(const std::string& path, const Uuid& graph, size_t num_directories) {
  ASSIGN_OR_RETURN(const File directory, OpenGraphDirectory(path));
  const std::string file = StrCat(path, "/", kIdentityName);
  ASSIGN_OR_RETURN(const std::string text, ReadIdentity(directory));
  ASSIGN_OR_RETURN(const GraphIdentity identity, DecodeGraphIdentity(text, file));
  if (identity.graph != graph || identity.directories.size() != num_directories) {
    return BadDataError(StrCat(file, ": is not that of the graph in the catalog"));
  }
  return OkStatus();
}

Status RemoveTree(const std::string& path) {
  const EntryType type = TypeOf(path);
  if (type == EntryType::kNone) return OkStatus();
  if (type != EntryType::kDirectory) return RemoveFile(path);
  ASSIGN_OR_RETURN(const std::vector<std::string> names, ListDirectory(path));
  for (const std::string& name : names) RETURN_IF_ERROR(RemoveTree(path + "/" + name));
  return RemoveDirectory(path);
}

Status RemoveSpillsOf(const std::string& path, const std::vector<std::string>& overrides) {
  ASSIGN_OR_RETURN(const File directory, OpenGraphDirectory(path));
  ASSIGN_OR_RETURN(const GraphIdentity identity, IdentityOf(directory));
  ASSIGN_OR_RETURN(const std::vector<BlocksPlace> places,
                   FindBlocks(directory, identity, overrides));
  for (const BlocksPlace& place : places) {
    const std::string spills = StrCat(place.path, "/", kSpillName);
    if (!PathExists(spills)) continue;
    ASSIGN_OR_RETURN(const GraphLock lock, GraphLock::Take(directory, GraphLock::Mode::kExclusive));
    ASSIGN_OR_RETURN(const GraphStateReport report, InspectGraph(directory));
    if (report.state != GraphState::kWhole) return OkStatus();
    ASSIGN_OR_RETURN(const File blocks, OpenBlocks(place, identity.graph));
    RETURN_IF_ERROR(CheckHome(directory, blocks));
    RETURN_IF_ERROR(RemoveTree(spills));
    RETURN_IF_ERROR(SyncDirectory(place.path));
  }
  return OkStatus();
}

bool IsSymbolicLink(const std::string& path) {
  struct stat info;
  return lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode);
}

StatusOr<GraphStateReport> InspectGraph(const File& directory) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, ListDirectory(directory.path()));
  const auto has = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (names.empty()) return GraphStateReport{GraphState::kEmpty, {}};
  if (!has(kCatalogName)) {
    const bool little = std::all_of(names.begin(), names.end(), [](const std::string& name) {
      return name == kLockName || IsIdentityName(name);
    });
    if (has(kNewCatalogName) || has(kRemovedCatalogName) || (little && !has(kIdentityName))) {
      return GraphStateReport{GraphState::kRemains, {}};
    }
    if (!has(kIdentityName)) return GraphStateReport{GraphState::kForeign, {}};
    return GraphStateReport{
        GraphState::kDamaged,
        BadDataError(StrCat(directory.path(),
                            ": the graph's catalog is gone: restore it from a copy, or "
                            "ingest the graph again"))};
  }
  if (!has(kIdentityName) && !has(kLockName)) return GraphStateReport{GraphState::kForeign, {}};
  StatusOr<std::unique_ptr<Catalog>> catalog =
      Catalog::Open(StrCat(directory.path(), "/", kCatalogName), Catalog::Mode::kReadUnfinished);
  if (IsDenied(catalog.status())) return catalog.status();
  if (!catalog.ok()) return GraphStateReport{GraphState::kDamaged, catalog.status()};
  const StatusOr<HeaderRecord> header = ReadHeader(**catalog);
  if (IsDenied(header.status())) return header.status();
  if (!header.ok()) {
    return GraphStateReport{GraphState::kDamaged, Annotate(header.status(), directory.path())};
  }
  return GraphStateReport{header->whole ? GraphState::kWhole : GraphState::kUnfinished, {}};
}

std::string_view Describe(GraphState state) {
  switch (state) {
    case GraphState::kEmpty:
      return "is an empty directory";
    case GraphState::kRemains:
      return "holds the remains of an ingest that was stopped before it began, or of a removal";
    case GraphState::kUnfinished:
      return "is an unfinished ingest: go on with --resume, start again with --replace, or remove "
             "it";
    case GraphState::kWhole:
      return "is a graph already: take another name, --replace it, or remove it";
    case GraphState::kDamaged:
      return "is a graph whose catalog is damaged: --replace or remove it";
    case GraphState::kForeign:
      return "exists and is no graph: take another name";
  }
  return "";
}

namespace {

/// What a removal deletes beside the graph directory's own files.
struct Removal {
  GraphIdentity identity;
  std::vector<BlocksPlace> places;
};

/// Finds what is to be removed, and checks that it is all there and all the graph's own.
StatusOr<Removal> PlanRemoval(const File& directory, GraphState state,
                              const std::vector<std::string>& overrides) {
  const std::string& path = directory.path();
  const bool remains = state == GraphState::kRemains || state == GraphState::kEmpty;
  StatusOr<GraphIdentity> identity = IdentityOf(directory);
  if (!identity.ok() && !(remains && identity.status().code() == Code::kMissing)) {
    return Annotate(
        identity.status(),
        StrCat(path, ": cannot tell where the graph's blocks are, so nothing was removed"));
  }
  if (!identity.ok()) identity = GraphIdentity{};
  RETURN_IF_ERROR(CheckGraphDirectory(directory, *identity));
  ASSIGN_OR_RETURN(std::vector<BlocksPlace> places, FindBlocks(directory, *identity, overrides));
  std::set<Uuid> found;
  for (const BlocksPlace& place : places) {
    RETURN_IF_ERROR(CheckBlocksDirectory(place.path));
    ASSIGN_OR_RETURN(const File blocks, OpenBlocks(place, identity->graph));
    RETURN_IF_ERROR(CheckHome(directory, blocks));
    // A copy of another one stands where a data directory is missing, whose blocks would be left.
    const StatusOr<DirectoryIdentity> one = ReadDirectoryIdentity(blocks);
    if (one.ok() && !found.insert(one->directory).second) {
      return BadDataError(StrCat(place.path, ": is a copy of another data directory of the graph, ",
                                 "so nothing was removed: move it away, and give the right one ",
                                 "with --data"));
    }
  }
  if (!remains && places.size() < identity->directories.size()) {
    return MissingError(StrCat(path, ": ", identity->directories.size() - places.size(), " of ",
                               identity->directories.size(),
                               " data directories missing, so nothing was removed: say where they "
                               "are with --data DIR, or delete ",
                               path, " and the folders ", identity->graph.ToString(), " by hand"));
  }
  return Removal{std::move(*identity), std::move(places)};
}

}  // namespace

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
  if (PathExists(StrCat(path, "/", kCatalogName))) {
    RETURN_IF_ERROR(RenameFile(StrCat(path, "/", kCatalogName), removed));
  } else if (!PathExists(removed)) {
    RETURN_IF_ERROR(MakeDirectory(removed));
  }
  RETURN_IF_ERROR(SyncDirectory(path));
  fault::KillPoint("storage.remove.begun");
  for (const BlocksPlace& place : removal.places) RETURN_IF_ERROR(RemoveBlocks(place));
  fault::KillPoint("storage.remove.data");
  // A data directory made here that never got its folder, or was emptied before.
  for (const GraphIdentity::Directory& hint : removal.identity.directories) {
    const std::string parent = ResolveHint(path, hint.path);
    if (hint.made && TypeOf(parent) == EntryType::kDirectory) {
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
