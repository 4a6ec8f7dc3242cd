// IDENTITY files: what a graph directory and each of its data directories are, in a few lines of
// text that outlive a damaged catalog (docs/FORMAT.md, "Identity files").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/os/file.h"
#include "common/os/uuid.h"
#include "common/status.h"

namespace edgemill {

inline constexpr uint32_t kIdentityVersion = 1;
inline constexpr std::string_view kIdentityName = "IDENTITY";

/// NAME.mill/IDENTITY: enough to remove the graph when its catalog is lost.
struct GraphIdentity {
  struct Directory {
    std::string path;   // as in DirectoryRecord
    bool made = false;  // DIR did not exist before: removed with the graph when empty
  };
  Uuid graph;
  std::vector<Directory> directories;
  /// Where temporary files lie when they have directories of their own: DIR/<graph uuid>.spill,
  /// absolute. Empty once the graph is whole.
  std::vector<std::string> spills;
  /// Those DIRs that did not exist before: they go with the temporary files when they are empty.
  std::vector<std::string> made_for_spills;
};

/// DIR/<graph uuid>/IDENTITY and DIR/<graph uuid>.spill/IDENTITY.
struct DirectoryIdentity {
  Uuid graph;
  Uuid directory;      // for temporary files: the graph's uuid
  uint32_t index = 0;  // among the graph's data directories, or its directories of temporary files
  uint32_t count = 0;  // the number of these directories
  /// The graph directory's path when the files lie outside it. Empty when they lie inside it, and
  /// in identity files from before the path was recorded.
  std::string home;
};

/// The name of a directory for temporary files that is named with --spill.
std::string SpillNameOf(const Uuid& graph);

/// The file's text, with its checksum line.
std::string EncodeIdentity(const GraphIdentity& identity);
std::string EncodeIdentity(const DirectoryIdentity& identity);

/// BadDataError, naming `path`, for a wrong checksum, an unknown version (the message has both
/// versions) or malformed lines.
StatusOr<GraphIdentity> DecodeGraphIdentity(std::string_view text, std::string_view path);
StatusOr<DirectoryIdentity> DecodeDirectoryIdentity(std::string_view text, std::string_view path);

/// The text of the IDENTITY file in `directory`, which may not be a symbolic link. MissingError
/// when there is none.
StatusOr<std::string> ReadIdentity(const File& directory);

/// The directory of a graph, or of a graph's blocks, that contains `path` or is at `path`. Empty
/// when there is none.
std::string GraphAround(const std::string& path);

}  // namespace edgemill
