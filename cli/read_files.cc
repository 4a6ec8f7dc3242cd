#include "cli/read_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <optional>

#include "common/strings.h"

namespace edgemill::cli {
namespace {

/// What `path` is; nothing where there is none. "-" is standard input.
std::optional<struct stat> StatOf(const std::string& path) {
  struct stat info;
  const int result = path == "-" ? fstat(STDIN_FILENO, &info) : stat(path.c_str(), &info);
  return result == 0 ? std::optional(info) : std::nullopt;
}

bool IsSame(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool AreOneStream(const std::string& a, const std::string& b) {
  if (a == "-" && b == "-") return true;
  const auto one = StatOf(a), other = StatOf(b);
  return one.has_value() && other.has_value() && IsSame(*one, *other) &&
         (S_ISFIFO(one->st_mode) || S_ISSOCK(one->st_mode));
}

}  // namespace

Status CheckReadFiles(const std::vector<NamedFile>& read, const std::vector<NamedFile>& written) {
  for (size_t i = 0; i < read.size(); ++i) {
    for (size_t j = i + 1; j < read.size(); ++j) {
      if (!AreOneStream(read[i].path, read[j].path)) continue;
      const std::string stream = read[i].path == "-" ? "standard input (-)" : read[i].path;
      if (read[i].option == read[j].option) {
        return UsageError(
            StrCat(stream, " is given twice, and can be read only once: give it once"));
      }
      return UsageError(StrCat(stream, " can be read only once, and ", read[i].option, " and ",
                               read[j].option, " both read it: give one of them a file"));
    }
    const auto in = read[i].path == "-" ? std::nullopt : StatOf(read[i].path);
    if (!in.has_value() || !S_ISREG(in->st_mode)) continue;
    for (const NamedFile& file : written) {
      const auto out = file.path == "-" ? std::nullopt : StatOf(file.path);
      if (!out.has_value() || !IsSame(*in, *out)) continue;
      return OutputError(StrCat(file.path, ": is an input: name another ", file.option));
    }
  }
  return OkStatus();
}

}  // namespace edgemill::cli
