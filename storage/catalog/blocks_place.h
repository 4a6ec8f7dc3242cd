// Where the blocks of a graph are: DIR/<graph uuid>/, as its identity file and the user say.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/os/file.h"
#include "common/os/uuid.h"
#include "common/status.h"
#include "storage/catalog/identity_file.h"

namespace edgemill {

/// The kind of entry at a path; links are not followed. TypeOf returns PermissionError or IoError
/// when it cannot look.
enum class EntryType { kNone, kFile, kDirectory, kOther };
StatusOr<EntryType> TypeOf(const std::string& path);

/// Whether `name` is IDENTITY, or the temporary file used for writing it.
bool IsIdentityName(std::string_view name);

/// One DIR that may hold blocks of the graph.
struct BlocksPlace {
  std::string parent;  // DIR
  std::string path;    // DIR/<graph uuid>
  bool made = false;   // by ingest
};

/// Finds the directories DIR/<graph uuid>/ that exist, each once, for the DIRs of `identity` and
/// `overrides`.
StatusOr<std::vector<BlocksPlace>> FindBlocks(const File& directory, const GraphIdentity& identity,
                                              const std::vector<std::string>& overrides);

/// Opens DIR/<graph uuid>/, one component at a time.
StatusOr<File> OpenBlocks(const BlocksPlace& place, const Uuid& graph);

/// The identity file in a DIR/<graph uuid>/.
StatusOr<DirectoryIdentity> ReadDirectoryIdentity(const File& blocks);

}  // namespace edgemill
