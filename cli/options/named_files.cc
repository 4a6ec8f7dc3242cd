#include "cli/options/named_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <iterator>
#include <utility>

#include "common/os/file_place.h"
#include "common/strings.h"

namespace edgemill::cli {
namespace {

struct PlacedFile {
  const NamedFile& file;
  FilePlace place;
};

StatusOr<FilePlace> PlaceNamed(const NamedFile& file) {
  if (file.path != "-") return PlaceOf(file.path);
  return PlaceOfDescriptor(file.use == FileUse::kWritten ? STDOUT_FILENO : STDIN_FILENO);
}

Status BothWant(const PlacedFile& one, const std::string& other) {
  const std::string what = one.place.descriptor == STDOUT_FILENO
                               ? "standard output"
                               : StrCat("the file ", one.file.path);
  return UsageError(
      StrCat(one.file.option, " and ", other, " both want ", what, ": give each its own"));
}

/// Returns an error if two inputs are one stream.
Status CheckStreams(const PlacedFile& a, const PlacedFile& b) {
  const bool is_stream = S_ISFIFO(a.place.mode) || S_ISSOCK(a.place.mode);
  const bool is_same = a.place.device == b.place.device && a.place.inode == b.place.inode;
  const bool both_standard = a.file.path == "-" && b.file.path == "-";
  if (!both_standard && !(is_stream && is_same)) return OkStatus();
  const std::string stream = a.file.path == "-" ? "standard input (-)" : a.file.path;
  if (a.file.option == b.file.option) {
    return UsageError(StrCat(stream, " is given twice, and can be read only once: give it once"));
  }
  return UsageError(StrCat(stream, " can be read only once, and ", a.file.option, " and ",
                           b.file.option, " both read it: give one of them a file"));
}

Status CheckPair(const PlacedFile& a, const PlacedFile& b) {
  const FileUse uses[] = {a.file.use, b.file.use};
  if (uses[0] == FileUse::kRead && uses[1] == FileUse::kRead) return CheckStreams(a, b);
  const bool written = uses[0] == FileUse::kWritten || uses[1] == FileUse::kWritten;
  if (!written || !IsSameFile(a.place, b.place)) return OkStatus();
  const bool read = uses[0] == FileUse::kRead || uses[1] == FileUse::kRead;
  if (!read || !a.place.exists()) return BothWant(a, b.file.option);
  const NamedFile& output = uses[0] == FileUse::kWritten ? a.file : b.file;
  return OutputError(StrCat(output.path, ": is an input: name another ", output.option));
}

}  // namespace

Status CheckNamedFiles(const std::vector<NamedFile>& files) {
  std::vector<PlacedFile> placed;
  for (const NamedFile& file : files) {
    StatusOr<FilePlace> place = PlaceNamed(file);
    // A file that cannot be examined is left to the command, which says why.
    if (place.ok()) placed.push_back({file, std::move(*place)});
  }
  const StatusOr<FilePlace> output = PlaceOfDescriptor(STDOUT_FILENO);
  const StatusOr<FilePlace> error = PlaceOfDescriptor(STDERR_FILENO);
  for (auto one = placed.begin(); one != placed.end(); ++one) {
    for (auto other = std::next(one); other != placed.end(); ++other) {
      RETURN_IF_ERROR(CheckPair(*one, *other));
    }
    // Writing to a descriptor goes on at its place, but a named file would be replaced.
    if (one->file.use != FileUse::kWritten || one->place.descriptor >= 0) continue;
    if (output.ok() && IsSameFile(one->place, *output)) return BothWant(*one, "standard output");
    if (error.ok() && IsSameFile(one->place, *error)) return BothWant(*one, "standard error");
  }
  return OkStatus();
}

}  // namespace edgemill::cli
