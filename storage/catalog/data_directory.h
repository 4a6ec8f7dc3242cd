// Data directories: DIR/<graph uuid>/ with an identity file, segments and spill files. These
// functions make them, find them by uuid, and open them without following links that others may
// have put there.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/os/file.h"
#include "common/os/uuid.h"
#include "common/status.h"
#include "storage/catalog/catalog_records.h"
#include "storage/catalog/identity_file.h"

namespace edgemill {

inline constexpr std::string_view kCatalogName = "catalog";
inline constexpr std::string_view kRunsName = "runs";
/// The data directory inside the graph directory, when none is named.
inline constexpr std::string_view kOwnDataName = "data";
inline constexpr std::string_view kSpillName = "spill";

/// A data directory that exists.
struct DataDirectory {
  Uuid uuid;
  std::string path;  // DIR
  File blocks;       // DIR/<graph uuid>/, open
};

/// Opens a graph directory and checks that it is safe to use: a directory, and not writable by all
/// users. `path` itself may be a symbolic link. MissingError, PermissionError, BadDataError (no
/// directory).
StatusOr<File> OpenGraphDirectory(const std::string& path);

/// Whether the path of an open graph directory now leads to another directory, as after --replace.
/// False when nothing is at the path, or the path cannot be examined.
bool WasReplaced(const File& directory);

/// Opens the directory `name` below `parent`, which must not be a symbolic link or writable by all
/// users.
StatusOr<File> OpenDirectoryBeneath(const File& parent, const std::string& name);

/// Plans where the blocks of a new graph go, and makes nothing. Returns the DIRs as hints for
/// identity and catalog. `graph_path` must exist. UsageError for too many DIRs, and for a DIR that
/// is named twice or is deep inside the graph directory. Also for a line break in the name of a DIR
/// or of the graph.
StatusOr<std::vector<GraphIdentity::Directory>> PlanDataDirectories(
    const std::string& graph_path, const std::vector<std::string>& directories);

/// Plans where the temporary files of a new graph go, and makes nothing. Returns absolute paths in
/// the DIRs named for them. UsageError for a DIR named twice, inside the graph directory or with a
/// line break in its name.
StatusOr<std::vector<std::string>> PlanSpillDirectories(const std::string& graph_path,
                                                        const std::vector<std::string>& directories,
                                                        const Uuid& graph);

/// `path` as identity files record a home: absolute, without symbolic links and dots.
StatusOr<std::string> HomePath(const std::string& path);

/// The path that opens the DIR of a hint.
std::string ResolveHint(const std::string& graph_path, const std::string& hint);

/// Makes DIR/<graph uuid>/ with its identity file and spill directory; DIR too when missing.
/// OutputError when a graph of this uuid is there already.
StatusOr<DataDirectory> CreateDataDirectory(const std::string& path,
                                            const DirectoryIdentity& identity);

/// Finds every data directory of `graph` by uuid: among `overrides` (--data), then where the
/// records' hints point. The result is in the order of `records`. One MissingError lists all that
/// were not found, with uuid and last path. BadDataError when an identity file is damaged, has
/// another number or place, or belongs to another graph.
StatusOr<std::vector<DataDirectory>> FindDataDirectories(const File& graph_directory,
                                                         const Uuid& graph,
                                                         std::span<const DirectoryRecord> records,
                                                         const std::vector<std::string>& overrides);

}  // namespace edgemill
