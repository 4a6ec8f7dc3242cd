// Ingests in child processes that may be killed, and the files that they leave.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "common/os/file.h"
#include "common/status.h"
#include "common/strings.h"
#include "storage/catalog/catalog.h"
#include "test/temporary_directory.h"

namespace edgemill {

/// Does `work` in a child process, which dies at the kill point `kill` (EDGEMILL_KILL_POINT) unless
/// `kill` is empty. Returns the exit code, or 1000 plus the number of the signal.
inline int RunInChild(const std::string& kill, const std::function<Status()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    if (!kill.empty()) setenv("EDGEMILL_KILL_POINT", kill.c_str(), 1);
    const Status status = work();
    if (!status.ok()) fprintf(stderr, "%s\n", std::string(status.message()).c_str());
    _exit(status.exit_code());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/// The segments below the data directories d1 and d2, by name.
inline std::map<std::string, std::string> Segments(const std::filesystem::path& root) {
  std::map<std::string, std::string> files;
  for (const char* directory : {"d1", "d2"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / directory)) {
      if (!entry.is_regular_file()) continue;
      if (entry.path().filename().string().find("identity") != std::string::npos) continue;
      files[std::filesystem::relative(entry.path(), root).string()] =
          *ReadWholeFile(entry.path().native(), entry.file_size());
    }
  }
  return files;
}

/// All records of the catalog, with the root record, as one text. A child process reads them,
/// because RocksDB's threads do not survive the forks that follow.
inline std::string Records(const std::filesystem::path& root) {
  const std::string copy = root / "records";
  EXPECT_EQ(RunInChild("",
                       [&]() -> Status {
                         ASSIGN_OR_RETURN(const auto records, DumpRecords(root / "g.mill/catalog"));
                         std::string text;
                         for (const auto& [key, value] : records) {
                           text +=
                               StrCat(key.size(), " ", key, " ", value.size(), " ", value, "\n");
                         }
                         return WriteFileAtomically(copy, text);
                       }),
            0);
  return *ReadWholeFile(copy, std::filesystem::file_size(copy));
}

}  // namespace edgemill
