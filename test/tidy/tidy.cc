// Checks the source tree against the rules of style that a program can check: tidy ROOT. Prints
// each broken rule as file:line: what, and fails when there is one.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "test/tidy/rules.h"

namespace edgemill::tidy {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolders[] = {"common", "storage", "loaders", "kernels",
                                    "engine", "cli",     "bench",   "test"};

std::map<std::string, std::string> ReadSources(const fs::path& root) {
  std::map<std::string, std::string> texts;
  for (const char* folder : kFolders) {
    if (!fs::is_directory(root / folder)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cc" && extension != ".cu" && extension != ".cuh") {
        continue;
      }
      std::ifstream file(entry.path(), std::ios::binary);
      texts[fs::relative(entry.path(), root).string()] =
          std::string(std::istreambuf_iterator<char>(file), {});
    }
  }
  return texts;
}

int Run(const fs::path& root) {
  const std::map<std::string, std::string> texts = ReadSources(root);
  Faults faults;
  for (const auto& [path, text] : texts) CheckFile(path, text, &faults);
  CheckForeignHeaders(texts, &faults);
  CheckClassNames(texts, &faults);
  for (const std::string& fault : faults) std::cout << fault << "\n";
  std::cout << texts.size() << " files, " << faults.size() << " broken rules\n";
  return faults.empty() && !texts.empty() ? 0 : 1;
}

}  // namespace
}  // namespace edgemill::tidy

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: tidy SOURCE_ROOT\n";
    return 64;
  }
  return edgemill::tidy::Run(argv[1]);
}
