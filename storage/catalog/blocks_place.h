// Where the blocks of a graph are: DIR/<graph uuid>/, by its identity file and by what the user
// says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/os/file.h"
#include "common/os/uuid.h"
#include "common/status.h"
#include "storage/catalog/identity_file.h"

namespace edgemill {

/// What is at a path, links not followed. PermissionError or IoError where that cannot be told.
enum class EntryType { kNone, kFile, kDirectory, kOther };
StatusOr<EntryType> TypeOf(const std::string& path);

/// Whether a file called so is IDENTITY, or the temporary file of its writing.
bool IsIdentityName(std::string_view name);

/// One DIR that may hold blocks of the graph.
struct BlocksPlace {
  std::string parent;  // DIR
  std::string path;    // DIR/<graph uuid>
  bool made = false;   // by ingest
};

/// The DIR/<graph uuid>/ that are there, each once: of the graph in `directory`, and in
/// `overrides`.
StatusOr<std::vector<BlocksPlace>> FindBlocks(const File& directory, const GraphIdentity& identity,
                                              const std::vector<std::string>& overrides);

/// Opens DIR/<graph uuid>/, one component at a time.
StatusOr<File> OpenBlocks(const BlocksPlace& place, const Uuid& graph);

/// The identity file in a DIR/<graph uuid>/.
StatusOr<DirectoryIdentity> ReadDirectoryIdentity(const File& blocks);

}  // namespace edgemill
