// Ingests in child processes that may be killed, and what they leave.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>

#include "common/status.h"
#include "storage/catalog/catalog.h"

namespace edgemill {

/// Does `work` in a child, which dies at `kill` (EDGEMILL_KILL_POINT; none when empty); its exit
/// code, or 1000 + the signal.
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
      std::ifstream in(entry.path(), std::ios::binary);
      std::stringstream contents;
      contents << in.rdbuf();
      files[std::filesystem::relative(entry.path(), root).string()] = contents.str();
    }
  }
  return files;
}

/// The catalog's records, the one that binds them all too, as one text. Read by a child: RocksDB's
/// threads do not survive the forks that follow.
inline std::string Records(const std::filesystem::path& root) {
  const std::filesystem::path copy = root / "records";
  EXPECT_EQ(RunInChild("",
                       [&]() -> Status {
                         const auto records = DumpRecords(root / "g.mill" / "catalog");
                         RETURN_IF_ERROR(records.status());
                         std::ofstream out(copy, std::ios::binary);
                         for (const auto& [key, value] : *records) {
                           out << key.size() << ' ' << key << ' ' << value.size() << ' ' << value
                               << '\n';
                         }
                         return OkStatus();
                       }),
            0);
  std::ifstream in(copy, std::ios::binary);
  std::stringstream contents;
  contents << in.rdbuf();
  return contents.str();
}

/// A directory whose path stays while its contents come and go.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "crashXXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~ScratchDirectory() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }
  /// Empties it: every run has the same path, which the catalog records.
  void Empty() const {
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      std::filesystem::remove_all(entry);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace edgemill
