#include "loaders/stream/input_copies.h"

#include <fcntl.h>
#include <unistd.h>

#include <vector>

#include "common/os/file_systems.h"
#include "common/units.h"
#include "loaders/stream/stored_input.h"

namespace edgemill {
namespace {

constexpr size_t kCopiedBytes = size_t{1} << 20;  // at a time

/// Opens a file without a name. If the file system has no such files, makes one with a name, and
/// removes the name at once.
StatusOr<File> OpenNamelessCopy(const std::string& folder) {
  StatusOr<File> file = File::Open(folder, O_RDWR | O_TMPFILE);
  if (file.ok() || file.status().code() == Code::kPermission) return file;
  const std::string name = StrCat(folder, "/edgemill-input.", getpid());
  file = File::Open(name, O_RDWR | O_CREAT | O_EXCL);
  if (file.ok()) RETURN_IF_ERROR(RemoveFile(name));
  return file;
}

}  // namespace

StatusOr<File> CopyInput(const std::string& path, const std::string& place) {
  ASSIGN_OR_RETURN(StoredInput input, StoredInput::Open(path));
  ASSIGN_OR_RETURN(const std::string folder, ExistingPlace(place));
  ASSIGN_OR_RETURN(File copy, OpenNamelessCopy(folder));
  std::vector<std::byte> bytes(kCopiedBytes);
  for (uint64_t copied = 0;;) {
    size_t filled = 0;
    RETURN_IF_ERROR(input.Read(bytes, &filled));
    const Status written = copy.WriteAt(std::span(bytes).first(filled), copied);
    if (!written.ok()) {
      return Annotate(written, StrCat(input.name(), ", which --column reads again, is copied to ",
                                      folder, ", and ", FormatBytes(copied), " went there"));
    }
    copied += filled;
    if (filled < bytes.size()) return copy;
  }
}

}  // namespace edgemill
