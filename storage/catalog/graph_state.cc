#include "storage/catalog/graph_state.h"

#include <sys/stat.h>

#include <algorithm>

#include "storage/catalog/blocks_place.h"
#include "storage/catalog/catalog.h"
#include "storage/catalog/catalog_contents.h"
#include "storage/catalog/data_directory.h"

namespace edgemill {
namespace {

/// Whether this process lacks the permission or the resources to read something. Such an error says
/// nothing about the contents.
bool IsDenied(const Status& status) {
  return status.code() == Code::kPermission || status.out_of_resources();
}

/// Whether a small file could not be read. Its contents may be good even if the device failed once.
bool IsUnread(const Status& status) { return IsDenied(status) || status.code() == Code::kIo; }

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
  return BadDataError(StrCat(directory.path(), ": is a copy of ", identity->home, ", to which ",
                             blocks.path(), " belongs",
                             ": use the original, or delete the copy with rm -r"));
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

Status CheckGraphIdentity(const File& directory, const Uuid& graph, size_t num_directories) {
  const std::string file = StrCat(directory.path(), "/", kIdentityName);
  ASSIGN_OR_RETURN(const std::string text, ReadIdentity(directory));
  ASSIGN_OR_RETURN(const GraphIdentity identity, DecodeGraphIdentity(text, file));
  if (identity.graph != graph || identity.directories.size() != num_directories) {
    return BadDataError(StrCat(file, ": is not that of the graph in the catalog"));
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
      return GraphStateReport{GraphState::kLeftovers, {}};
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
    case GraphState::kLeftovers:
      return "holds the remains of an ingest that was stopped before it began, or of a removal";
    case GraphState::kUnfinished:
      return "is an unfinished ingest: go on with --resume, start again with --replace, or remove "
             "it";
    case GraphState::kWhole:
      return "is a graph already: choose another name, --replace it, or remove it";
    case GraphState::kDamaged:
      return "is a graph whose catalog is damaged: --replace or remove it";
    case GraphState::kForeign:
      return "exists and is not a graph: choose another name";
  }
  return "";
}

}  // namespace edgemill
