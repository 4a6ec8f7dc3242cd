#include "storage/catalog/data_directory.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <set>

#include "storage/catalog/graph_lock.h"

namespace edgemill {
namespace {

Status CheckNotWorldWritable(const File& directory) {
  struct stat info;
  if (fstat(directory.fd(), &info) != 0) return ErrnoError(errno, "stat", directory.path());
  if ((info.st_mode & S_IWOTH) != 0) {
    return PermissionError(StrCat(directory.path(),
                                  ": every user may write here, so its contents cannot be trusted: "
                                  "if it is a graph's directory, chmod o-w it"));
  }
  return OkStatus();
}

/// `path` without symbolic links and dots, also when its last parts do not exist.
StatusOr<std::filesystem::path> Canonical(const std::string& path) {
  std::error_code error;
  std::filesystem::path absolute = std::filesystem::absolute(path, error);
  if (!error) absolute = std::filesystem::weakly_canonical(absolute, error);
  if (error) return ErrnoError(error.value(), "find", path);
  if (!absolute.has_filename()) absolute = absolute.parent_path();  // a trailing slash
  return absolute;
}

/// `directory` relative to `graph` when it is directly inside, unchanged when it is outside.
StatusOr<std::string> HintFor(const std::filesystem::path& graph,
                              const std::filesystem::path& directory) {
  const std::filesystem::path relative = directory.lexically_relative(graph);
  const bool inside = !relative.empty() && *relative.begin() != "..";
  if (!inside) return directory.native();
  const std::string name = relative.native();
  if (name.find('/') != std::string::npos || name == "." || name == kCatalogName ||
      name == kRunsName || name == kLockName || name.starts_with(kIdentityName)) {
    return UsageError(
        StrCat(directory.native(),
               ": blocks cannot go there: inside the graph directory a data directory is "
               "one level down and has a name of its own"));
  }
  return name;
}

/// Opens the DIR of a hint. Relative hints stay beneath the graph directory.
StatusOr<File> OpenHint(const File& graph_directory, const std::string& hint) {
  if (hint.starts_with('/')) return File::Open(hint, O_RDONLY | O_DIRECTORY);
  return OpenDirectoryBeneath(graph_directory, hint);
}

/// Looks for a data directory of one graph in DIRs, one after the other.
class Finder {
 public:
  Finder(const Uuid& graph, std::span<const DirectoryRecord> records)
      : graph_(graph), records_(records), found_(records.size()) {}

  /// Takes DIR if it holds one of the wanted directories that was not found yet. Finding none is no
  /// error.
  Status Look(StatusOr<File> parent) {
    if (!parent.ok()) return Skip(parent.status());
    StatusOr<File> blocks = OpenDirectoryBeneath(*parent, graph_.ToString());
    if (!blocks.ok()) return Skip(blocks.status());
    const std::string identity_path = StrCat(blocks->path(), "/", kIdentityName);
    const StatusOr<std::string> text = ReadIdentity(*blocks);
    if (!text.ok()) return Skip(text.status());
    ASSIGN_OR_RETURN(const DirectoryIdentity identity,
                     DecodeDirectoryIdentity(*text, identity_path));
    if (identity.graph != graph_) {
      return BadDataError(StrCat(identity_path, ": belongs to graph ", identity.graph.ToString(),
                                 ", not to ", graph_.ToString()));
    }
    const auto record = std::find_if(records_.begin(), records_.end(),
                                     [&](const auto& r) { return r.uuid == identity.directory; });
    const size_t index = static_cast<size_t>(record - records_.begin());
    if (record == records_.end() || identity.index != index || identity.count != records_.size()) {
      return BadDataError(StrCat(identity_path, ": data directory ", identity.index + 1, " of ",
                                 identity.count, " is not the one that the catalog lists"));
    }
    if (!found_[index]) {
      found_[index] = DataDirectory{identity.directory, parent->path(), std::move(*blocks)};
    }
    return OkStatus();
  }

  bool FoundAll() const {
    return std::all_of(found_.begin(), found_.end(), [](const auto& f) { return f.has_value(); });
  }

  StatusOr<std::vector<DataDirectory>> Finish(const std::string& graph_path) {
    std::vector<DataDirectory> all;
    std::string missing;
    size_t num_missing = 0;
    for (size_t i = 0; i < found_.size(); ++i) {
      if (found_[i]) {
        all.push_back(std::move(*found_[i]));
      } else {
        missing += StrCat(num_missing++ == 0 ? "" : ", ", records_[i].uuid.ToString(), " (last at ",
                          ResolveHint(graph_path, records_[i].path), ")");
      }
    }
    if (num_missing == 0) return all;
    // A directory that may not be read is not missing: say what stands in the way.
    if (!refusal_.ok()) return refusal_;
    return MissingError(StrCat(graph_path, ": ", num_missing, " of ", found_.size(),
                               " data directories missing: ", missing,
                               ": mount them, or say where they are with --data DIR"));
  }

 private:
  Status Skip(const Status& status) {
    if (status.code() == Code::kMissing) return OkStatus();
    if (status.code() != Code::kPermission) return status;
    if (refusal_.ok()) refusal_ = status;
    return OkStatus();
  }

  const Uuid graph_;
  const std::span<const DirectoryRecord> records_;
  std::vector<std::optional<DataDirectory>> found_;
  Status refusal_;
};

}  // namespace

StatusOr<File> OpenGraphDirectory(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) == 0 && !S_ISDIR(info.st_mode)) {
    return BadDataError(
        StrCat(path, ": is not a graph directory: give the NAME.mill that ingest made"));
  }
  ASSIGN_OR_RETURN(File directory, File::Open(path, O_RDONLY | O_DIRECTORY));
  RETURN_IF_ERROR(CheckNotWorldWritable(directory));
  return directory;
}

bool WasReplaced(const File& directory) {
  struct stat opened, named;
  return fstat(directory.fd(), &opened) == 0 && stat(directory.path().c_str(), &named) == 0 &&
         (opened.st_dev != named.st_dev || opened.st_ino != named.st_ino);
}

StatusOr<File> OpenDirectoryBeneath(const File& parent, const std::string& name) {
  ASSIGN_OR_RETURN(File directory, File::OpenBeneath(parent, name, O_RDONLY | O_DIRECTORY));
  RETURN_IF_ERROR(CheckNotWorldWritable(directory));
  return directory;
}

StatusOr<std::vector<GraphIdentity::Directory>> PlanDataDirectories(
    const std::string& graph_path, const std::vector<std::string>& directories) {
  if (directories.empty()) {
    return std::vector<GraphIdentity::Directory>{{std::string(kOwnDataName), true}};
  }
  if (directories.size() > kMaxDataDirectories) {
    return UsageError(StrCat(directories.size(), " data directories given: at most ",
                             kMaxDataDirectories, " can be used"));
  }
  ASSIGN_OR_RETURN(const std::filesystem::path graph, Canonical(graph_path));
  if (graph.native().find('\n') != std::string::npos) {
    return UsageError(
        StrCat(graph_path, ": a graph with blocks elsewhere cannot have a line break in its name"));
  }
  std::vector<GraphIdentity::Directory> plan;
  std::set<std::string> seen;
  for (const std::string& directory : directories) {
    ASSIGN_OR_RETURN(const std::filesystem::path path, Canonical(directory));
    ASSIGN_OR_RETURN(const std::string hint, HintFor(graph, path));
    if (hint.find('\n') != std::string::npos) {
      return UsageError(StrCat(directory, ": a data directory's name cannot hold a line break"));
    }
    if (!seen.insert(hint).second) {
      return UsageError(StrCat(directory, ": the same data directory is named twice"));
    }
    ASSIGN_OR_RETURN(const bool exists, Exists(path.native()));
    plan.push_back({hint, !exists});
  }
  return plan;
}

StatusOr<std::vector<std::string>> PlanSpillDirectories(const std::string& graph_path,
                                                        const std::vector<std::string>& directories,
                                                        const Uuid& graph) {
  std::vector<std::string> plan;
  ASSIGN_OR_RETURN(const std::filesystem::path home, Canonical(graph_path));
  for (const std::string& directory : directories) {
    ASSIGN_OR_RETURN(const std::filesystem::path path, Canonical(directory));
    const std::filesystem::path inside = path.lexically_relative(home);
    if (!inside.empty() && *inside.begin() != "..") {
      return UsageError(StrCat(
          directory, ": temporary files cannot go there: it is the graph directory, or in it"));
    }
    const std::string spill = (path / SpillNameOf(graph)).native();
    if (spill.find('\n') != std::string::npos) {
      return UsageError(StrCat(
          directory, ": a directory for temporary files cannot have a line break in its name"));
    }
    if (std::find(plan.begin(), plan.end(), spill) != plan.end()) {
      return UsageError(StrCat(directory, ": the same --spill is named twice"));
    }
    plan.push_back(spill);
  }
  return plan;
}

StatusOr<std::string> HomePath(const std::string& path) {
  ASSIGN_OR_RETURN(const std::filesystem::path home, Canonical(path));
  return home.native();
}

std::string ResolveHint(const std::string& graph_path, const std::string& hint) {
  return hint.starts_with('/') ? hint : graph_path + "/" + hint;
}

StatusOr<DataDirectory> CreateDataDirectory(const std::string& path,
                                            const DirectoryIdentity& identity) {
  RETURN_IF_ERROR(MakeDirectories(path));
  const std::string blocks_path = path + "/" + identity.graph.ToString();
  ASSIGN_OR_RETURN(const bool exists, Exists(blocks_path));
  if (exists) {
    return OutputError(StrCat(blocks_path,
                              ": a graph of this uuid has its blocks here: remove it, or "
                              "choose another --uuid or --data"));
  }
  RETURN_IF_ERROR(MakeDirectory(blocks_path));
  fault::KillPoint("storage.create.data-directory");
  RETURN_IF_ERROR(MakeDirectory(StrCat(blocks_path, "/", kSpillName)));
  RETURN_IF_ERROR(
      WriteFileAtomically(StrCat(blocks_path, "/", kIdentityName), EncodeIdentity(identity)));
  RETURN_IF_ERROR(SyncDirectory(path));
  ASSIGN_OR_RETURN(const File parent, File::Open(path, O_RDONLY | O_DIRECTORY));
  ASSIGN_OR_RETURN(File blocks, OpenDirectoryBeneath(parent, identity.graph.ToString()));
  return DataDirectory{identity.directory, path, std::move(blocks)};
}

StatusOr<std::vector<DataDirectory>> FindDataDirectories(
    const File& graph_directory, const Uuid& graph, std::span<const DirectoryRecord> records,
    const std::vector<std::string>& overrides) {
  Finder finder(graph, records);
  for (const std::string& path : overrides) {
    RETURN_IF_ERROR(finder.Look(File::Open(path, O_RDONLY | O_DIRECTORY)));
  }
  for (size_t i = 0; i < records.size(); ++i) {
    // Tries the hints of directories already found too: disks may have changed places.
    if (finder.FoundAll()) break;
    RETURN_IF_ERROR(finder.Look(OpenHint(graph_directory, records[i].path)));
  }
  return finder.Finish(graph_directory.path());
}

}  // namespace edgemill
