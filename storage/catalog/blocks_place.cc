#include "storage/catalog/blocks_place.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <set>

#include "storage/catalog/data_directory.h"

namespace edgemill {

StatusOr<EntryType> TypeOf(const std::string& path) {
  ASSIGN_OR_RETURN(const bool exists, Exists(path));
  struct stat info;
  if (!exists || lstat(path.c_str(), &info) != 0) return EntryType::kNone;
  return S_ISREG(info.st_mode)   ? EntryType::kFile
         : S_ISDIR(info.st_mode) ? EntryType::kDirectory
                                 : EntryType::kOther;
}

bool IsIdentityName(std::string_view name) {
  return name == kIdentityName || (name.starts_with("IDENTITY.") && name.ends_with(".tmp"));
}

StatusOr<std::vector<BlocksPlace>> FindBlocks(const File& directory, const GraphIdentity& identity,
                                              const std::vector<std::string>& overrides) {
  std::vector<BlocksPlace> places;
  std::set<std::pair<dev_t, ino_t>> seen;
  const auto look = [&](const std::string& parent, bool made) -> Status {
    BlocksPlace place{parent, parent + "/" + identity.graph.ToString(), made};
    ASSIGN_OR_RETURN(const EntryType type, TypeOf(place.path));
    struct stat info;
    if (type != EntryType::kDirectory || lstat(place.path.c_str(), &info) != 0) return OkStatus();
    if (seen.insert({info.st_dev, info.st_ino}).second) places.push_back(std::move(place));
    return OkStatus();
  };
  for (const GraphIdentity::Directory& hint : identity.directories) {
    // Does not follow a link that stands in place of a data directory inside the graph directory.
    const std::string parent = ResolveHint(directory.path(), hint.path);
    if (!hint.path.starts_with('/')) {
      ASSIGN_OR_RETURN(const EntryType type, TypeOf(parent));
      if (type != EntryType::kDirectory) continue;
    }
    RETURN_IF_ERROR(look(parent, hint.made));
  }
  for (const std::string& parent : overrides) RETURN_IF_ERROR(look(parent, false));
  return places;
}

StatusOr<File> OpenBlocks(const BlocksPlace& place, const Uuid& graph) {
  ASSIGN_OR_RETURN(const File parent, File::Open(place.parent, O_RDONLY | O_DIRECTORY));
  return OpenDirectoryBeneath(parent, graph.ToString());
}

StatusOr<DirectoryIdentity> ReadDirectoryIdentity(const File& blocks) {
  ASSIGN_OR_RETURN(const std::string text, ReadIdentity(blocks));
  return DecodeDirectoryIdentity(text, StrCat(blocks.path(), "/", kIdentityName));
}

}  // namespace edgemill
