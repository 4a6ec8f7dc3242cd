#include "storage/write/graph_writer.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "common/os/file_systems.h"
#include "storage/catalog/catalog.h"
#include "storage/catalog/catalog_contents.h"
#include "storage/catalog/data_directory.h"
#include "storage/catalog/graph_lock.h"
#include "storage/catalog/graph_removal.h"
#include "storage/catalog/graph_state.h"
#include "storage/write/disk_graph_writer.h"
#include "storage/write/placement.h"

namespace edgemill {
namespace {

/// Returns an error for wrong options before anything is made.
Status CheckOptions(const CreateOptions& options) {
  if (!std::has_single_bit(options.block_edges) || options.block_edges < 128 ||
      options.block_edges > 65536) {
    return UsageError(StrCat("--block-edges ", options.block_edges,
                             ": must be a power of two from 128 to 65536"));
  }
  if (options.page_blocks < 1 || options.page_blocks > kMaxPageBlocks) {
    return UsageError(
        StrCat("a page of ", options.page_blocks, " blocks: must be 1 to ", kMaxPageBlocks));
  }
  return OkStatus();
}

/// Puts the first records into a new catalog, which gets its name only when they are durable.
Status MakeCatalog(const File& directory, const DiskGraphWriter::Parts& parts) {
  const std::string fresh = StrCat(directory.path(), "/", kNewCatalogName);
  ASSIGN_OR_RETURN(std::unique_ptr<Catalog> catalog, Catalog::Open(fresh, Catalog::Mode::kCreate));
  catalog->Put(HeaderKey(), EncodeHeader(parts.header));
  for (size_t i = 0; i < parts.records.size(); ++i) {
    catalog->Put(DirectoryKey(static_cast<uint32_t>(i)), EncodeDirectory(parts.records[i]));
  }
  for (const auto& [key, value] : parts.journal) catalog->Put(JournalKey(key), value);
  RETURN_IF_ERROR(catalog->Write());
  catalog.reset();
  RETURN_IF_ERROR(SyncDirectory(fresh));
  fault::KillPoint("storage.create.catalog");
  RETURN_IF_ERROR(RenameFile(fresh, StrCat(directory.path(), "/", kCatalogName)));
  return SyncDirectory(directory.path());
}

/// Makes the directories of temporary files that --spill names. An identity file in each
/// says which graph owns it, so that a run on a copy of the graph does not use or remove it.
Status MakeNamedSpills(const GraphIdentity& graph, const std::string& home) {
  for (uint32_t i = 0; i < graph.spills.size(); ++i) {
    const auto count = static_cast<uint32_t>(graph.spills.size());
    const DirectoryIdentity identity{graph.graph, graph.graph, i, count, home};
    RETURN_IF_ERROR(MakeDirectories(graph.spills[i]));
    RETURN_IF_ERROR(
        WriteFileAtomically(StrCat(graph.spills[i], "/", kIdentityName), EncodeIdentity(identity)));
  }
  return OkStatus();
}

/// Makes everything of a new graph below its locked, empty directory.
StatusOr<DiskGraphWriter::Parts> MakeParts(const File& directory, const CreateOptions& options,
                                           const std::vector<GraphIdentity::Directory>& plan) {
  const std::string path = directory.path();
  ASSIGN_OR_RETURN(std::vector<std::string> spills,
                   PlanSpillDirectories(path, options.spill_directories, options.uuid));
  for (const std::string& spill : spills) {
    ASSIGN_OR_RETURN(const bool exists, Exists(spill));
    if (!exists) continue;
    return OutputError(StrCat(spill, ": a graph of this uuid has its temporary files here: remove ",
                              "it, or choose another --uuid or --spill"));
  }
  // The new catalog's directory is made first: while it has this name, the
  // graph counts as not begun (InspectGraph).
  RETURN_IF_ERROR(MakeDirectory(StrCat(path, "/", kNewCatalogName)));
  fault::KillPoint("storage.create.begun");
  DiskGraphWriter::Parts parts;
  parts.place.identity = {options.uuid, plan, std::move(spills)};
  for (const std::string& spill : parts.place.identity.spills) {
    const std::string directory = ParentDirectory(spill);
    ASSIGN_OR_RETURN(const bool exists, Exists(directory));
    if (!exists) parts.place.identity.made_for_spills.push_back(directory);
  }
  RETURN_IF_ERROR(
      WriteFileAtomically(StrCat(path, "/", kIdentityName), EncodeIdentity(parts.place.identity)));
  fault::KillPoint("storage.create.identity");
  parts.journal = options.journal;
  parts.header.info.uuid = options.uuid;
  parts.header.info.block_edges = options.block_edges;
  parts.header.info.page_blocks = options.page_blocks;
  parts.header.num_directories = static_cast<uint32_t>(plan.size());
  std::vector<std::string> places;
  ASSIGN_OR_RETURN(const std::string home, HomePath(path));
  for (uint32_t i = 0; i < plan.size(); ++i) {
    const std::string data_path = ResolveHint(path, plan[i].path);
    const bool outside = plan[i].path.starts_with('/');
    const DirectoryIdentity identity{options.uuid, options.uuid.Derive(i), i,
                                     parts.header.num_directories, outside ? home : ""};
    ASSIGN_OR_RETURN(DataDirectory made, CreateDataDirectory(data_path, identity));
    places.push_back(data_path);
    parts.place.directories.push_back(std::move(made));
    parts.records.push_back({identity.directory, 1, plan[i].path});
  }
  RETURN_IF_ERROR(MakeNamedSpills(parts.place.identity, home));
  fault::KillPoint("storage.create.data");
  ASSIGN_OR_RETURN(const std::vector<uint64_t> free_bytes, FreeBytesOfEach(places));
  const std::vector<uint32_t> weights = PlacementWeights(free_bytes);
  for (size_t i = 0; i < weights.size(); ++i) parts.records[i].weight = weights[i];
  RETURN_IF_ERROR(MakeDirectory(StrCat(path, "/", kRunsName)));
  RETURN_IF_ERROR(MakeCatalog(directory, parts));
  fault::KillPoint("storage.create.done");
  ASSIGN_OR_RETURN(parts.catalog,
                   Catalog::Open(StrCat(path, "/", kCatalogName), Catalog::Mode::kWrite));
  return parts;
}

/// Ok when a graph may be made in a directory of this state.
Status CheckReplaceable(const File& directory, GraphState state, bool replace) {
  const bool has_graph = state == GraphState::kUnfinished || state == GraphState::kWhole ||
                         state == GraphState::kDamaged;
  if (state == GraphState::kForeign || (has_graph && !replace)) {
    const std::string text = StrCat(directory.path(), ": ", Describe(state));
    return state == GraphState::kUnfinished ? UnfinishedError(text) : OutputError(text);
  }
  return OkStatus();
}

/// Where blocks of a new graph at `path` go, and which data directories are created for it, or were
/// for the graph that it replaces.
StatusOr<std::vector<GraphIdentity::Directory>> PlanPlaces(const std::string& path,
                                                           const CreateOptions& options) {
  GraphIdentity old;  // of the graph that is replaced; read before its directories change
  if (!options.replaces.empty()) {
    const StatusOr<File> directory = OpenGraphDirectory(options.replaces);
    StatusOr<GraphIdentity> identity = directory.ok() ? IdentityOf(*directory) : directory.status();
    if (identity.ok()) old = *std::move(identity);
  }
  ASSIGN_OR_RETURN(std::vector<GraphIdentity::Directory> plan,
                   PlanDataDirectories(path, options.data_directories));
  for (GraphIdentity::Directory& data : plan) {
    data.made |= std::any_of(old.directories.begin(), old.directories.end(),
                             [&](const auto& d) { return d.made && d.path == data.path; });
  }
  return plan;
}

/// Opens `path` as the place of a new graph, making it if need be.
StatusOr<File> OpenPlace(const std::string& path, bool* made) {
  ASSIGN_OR_RETURN(const bool exists, Exists(path));
  *made = !exists;
  if (*made) {
    const Status status = MakeDirectory(path);
    if (status.code() == Code::kMissing) {
      return OutputError(
          StrCat(path, ": ", ParentDirectory(path), " is not a directory: make it first"));
    }
    RETURN_IF_ERROR(status);
  }
  const Status synced = *made ? SyncParent(path) : OkStatus();
  StatusOr<File> directory = synced.ok() ? OpenGraphDirectory(path) : synced;
  if (*made && !directory.ok()) RemoveDirectory(path).ok();
  if (directory.status().code() == Code::kBadData) {
    return OutputError(StrCat(path, ": ", Describe(GraphState::kForeign)));
  }
  return directory;
}

/// Takes the lock of `directory` if a graph may be made there; otherwise makes nothing in it.
StatusOr<GraphLock> LockPlace(const File& directory, bool replace) {
  ASSIGN_OR_RETURN(const GraphStateReport report, InspectGraph(directory));
  RETURN_IF_ERROR(CheckReplaceable(directory, report.state, replace));
  return GraphLock::Acquire(directory, GraphLock::Mode::kExclusive, /*create=*/true);
}

/// A process that holds the lock of a graph works on it by its path. Ok when the path leads to the
/// locked directory. The path does not change later, because --replace locks the graphs that it
/// exchanges.
Status CheckInPlace(const File& directory) {
  if (!WasReplaced(directory)) return OkStatus();
  return LockedError(
      StrCat(directory.path(), ": another command has just replaced this graph: try again"));
}

/// Undoes a creation that failed, where possible. The next creation removes what is left.
void UndoCreation(const File& directory, bool made) {
  const std::string lock = StrCat(directory.path(), "/", kLockName);
  if (!RemoveContents(directory, GraphState::kLeftovers, {}).ok()) return;
  if (RemoveFile(lock).ok() && made) RemoveDirectory(directory.path()).ok();
}

}  // namespace

StatusOr<std::unique_ptr<GraphWriter>> GraphWriter::Create(const std::string& graph_path,
                                                           const CreateOptions& options) {
  const std::string path = WithoutTrailingSlashes(graph_path);
  RETURN_IF_ERROR(CheckOptions(options));
  ASSIGN_OR_RETURN(std::vector<GraphIdentity::Directory> plan,
                   PlanDataDirectories(path, options.data_directories));
  RETURN_IF_ERROR(PlanSpillDirectories(path, options.spill_directories, options.uuid).status());
  bool made = false;
  ASSIGN_OR_RETURN(File directory, OpenPlace(path, &made));
  fault::KillPoint("storage.create.directory");
  StatusOr<GraphLock> taken = LockPlace(directory, options.replace);
  if (made && !taken.ok()) RemoveDirectory(path).ok();  // empty, unless another process uses it
  ASSIGN_OR_RETURN(GraphLock lock, std::move(taken));
  RETURN_IF_ERROR(CheckInPlace(directory));
  // Checked again, now that no other process can change it.
  ASSIGN_OR_RETURN(const GraphStateReport report, InspectGraph(directory));
  RETURN_IF_ERROR(CheckReplaceable(directory, report.state, options.replace));
  RETURN_IF_ERROR(RemoveContents(directory, report.state, options.data_directories));
  // Planned again, because directories that the old graph's ingest made are gone now.
  ASSIGN_OR_RETURN(plan, PlanPlaces(path, options));
  StatusOr<DiskGraphWriter::Parts> parts = MakeParts(directory, options, plan);
  if (!parts.ok()) {
    UndoCreation(directory, made);
    return parts.status();
  }
  parts->place.directory = std::move(directory);
  parts->place.lock = std::move(lock);
  auto writer = std::make_unique<DiskGraphWriter>(std::move(*parts));
  RETURN_IF_ERROR(writer->Start({}));
  return std::unique_ptr<GraphWriter>(std::move(writer));
}

StatusOr<std::unique_ptr<GraphWriter>> GraphWriter::Resume(
    const std::string& path, const std::vector<std::string>& data_directories) {
  DiskGraphWriter::Parts parts;
  ASSIGN_OR_RETURN(parts.place.directory, OpenGraphDirectory(path));
  ASSIGN_OR_RETURN(const GraphStateReport report, InspectGraph(parts.place.directory));
  if (report.state == GraphState::kDamaged) return report.damage;
  if (report.state == GraphState::kForeign) {
    return BadDataError(StrCat(path, ": is not a graph directory, so there is nothing to resume"));
  }
  if (report.state == GraphState::kEmpty || report.state == GraphState::kLeftovers) {
    return MissingError(
        StrCat(path, ": ", Describe(report.state),
               ": there is nothing to resume, give the same command without --resume"));
  }
  ASSIGN_OR_RETURN(parts.place.lock,
                   GraphLock::Acquire(parts.place.directory, GraphLock::Mode::kExclusive));
  RETURN_IF_ERROR(CheckInPlace(parts.place.directory));
  const std::string catalog_path = StrCat(path, "/", kCatalogName);
  ASSIGN_OR_RETURN(parts.catalog, Catalog::Open(catalog_path, Catalog::Mode::kWrite));
  CatalogContents contents;
  std::vector<std::pair<ColumnKind, PageRecord>> pages;
  RETURN_IF_ERROR(
      Annotate(ReadCatalog(
                   *parts.catalog, &contents, [](const HeaderRecord&) { return OkStatus(); },
                   [&](ColumnKind column, const PageRecord& page) {
                     pages.emplace_back(column, page);
                     return OkStatus();
                   }),
               path));
  RETURN_IF_ERROR(Annotate(CheckWritable(contents.header_bytes), path));
  ASSIGN_OR_RETURN(parts.place.directories,
                   FindDataDirectories(parts.place.directory, contents.header.info.uuid,
                                       contents.directories, data_directories));
  for (const DataDirectory& data : parts.place.directories) {
    RETURN_IF_ERROR(CheckHome(parts.place.directory, data.blocks));
  }
  ASSIGN_OR_RETURN(parts.place.identity, IdentityOf(parts.place.directory));
  RETURN_IF_ERROR(CheckNamedSpills(parts.place.directory, parts.place.identity));
  if (contents.header.whole) {
    // The ingest may have been killed between its commit and the end of its cleaning up.
    RETURN_IF_ERROR(RemoveSpills(&parts.place));
    return OutputError(StrCat(path, ": is a whole graph: there is nothing to resume"));
  }
  parts.header = contents.header;
  parts.records = std::move(contents.directories);
  parts.journal = std::move(contents.journal);
  auto writer = std::make_unique<DiskGraphWriter>(std::move(parts));
  for (const auto& [column, page] : pages) writer->RestorePage(column, page);
  RETURN_IF_ERROR(writer->Start(contents.segments));
  fault::KillPoint("storage.resume.restored");
  return std::unique_ptr<GraphWriter>(std::move(writer));
}

Status RemoveGraph(const std::string& graph_path,
                   const std::vector<std::string>& data_directories) {
  const std::string path = WithoutTrailingSlashes(graph_path);
  if (IsSymbolicLink(path)) {
    return BadDataError(
        StrCat(path, ": is a symbolic link: remove what it points to, then the link"));
  }
  ASSIGN_OR_RETURN(const File directory, OpenGraphDirectory(path));
  ASSIGN_OR_RETURN(GraphStateReport report, InspectGraph(directory));
  if (report.state == GraphState::kForeign) {
    return BadDataError(StrCat(path, ": is not a graph directory, so nothing was removed"));
  }
  ASSIGN_OR_RETURN(const GraphLock lock,
                   GraphLock::Acquire(directory, GraphLock::Mode::kExclusive, /*create=*/true));
  RETURN_IF_ERROR(CheckInPlace(directory));
  ASSIGN_OR_RETURN(report, InspectGraph(directory));
  RETURN_IF_ERROR(RemoveContents(directory, report.state, data_directories));
  RETURN_IF_ERROR(RemoveFile(StrCat(path, "/", kLockName)));
  fault::KillPoint("storage.remove.lock");
  RETURN_IF_ERROR(RemoveDirectory(path));
  return SyncParent(path);
}

}  // namespace edgemill
