// Checks the source tree and its Markdown files against the rules of style that a program can
// check: tidy ROOT. Prints each broken rule as "file:line: fault", and fails if there is one.
//
// tidy --messages FILE ROOT checks the words of all messages of errors and warnings. It writes them
// to a file for reviewers. Each line has a message, its place and its exit code.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "test/tidy/comments.h"
#include "test/tidy/limits.h"
#include "test/tidy/markdown.h"
#include "test/tidy/messages.h"
#include "test/tidy/rules.h"

namespace edgemill::tidy {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolders[] = {"common", "storage", "loaders", "kernels",
                                    "engine", "cli",     "bench",   "edgemill", "test"};

/// The texts of files, by their paths relative to the root.
using Texts = std::map<std::string, std::string>;

/// The text of a file, or an empty string without a file.
std::string TextOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// Adds `file` to `texts` when its name ends with one of `extensions`.
void AddFile(const fs::path& root, const fs::path& path, const std::set<std::string>& extensions,
             Texts* texts) {
  if (!extensions.contains(path.extension().string())) return;
  (*texts)[fs::relative(path, root).string()] = TextOf(path);
}

void AddFolder(const fs::path& root, const char* folder, const std::set<std::string>& extensions,
               Texts* texts) {
  if (!fs::is_directory(root / folder)) return;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
    AddFile(root, entry.path(), extensions, texts);
  }
}

Texts ReadSources(const fs::path& root) {
  Texts texts;
  for (const char* folder : kFolders) {
    AddFolder(root, folder, {".h", ".cc", ".cu", ".cuh"}, &texts);
  }
  return texts;
}

Texts ReadMarkdown(const fs::path& root) {
  Texts pages;
  for (const fs::directory_entry& entry : fs::directory_iterator(root)) {
    AddFile(root, entry.path(), {".md"}, &pages);
  }
  AddFolder(root, "docs", {".md"}, &pages);
  for (const char* folder : kFolders) AddFolder(root, folder, {".md"}, &pages);
  return pages;
}

constexpr const char* kExceptions = "test/tidy/exceptions.txt";

/// Prints the broken rules of `count` files or messages. Returns the exit code.
int Report(const Faults& faults, size_t count, const char* of_what) {
  for (const std::string& fault : faults) std::cout << fault << "\n";
  std::cout << count << " " << of_what << ", " << faults.size() << " broken rules\n";
  return faults.empty() && count > 0 ? 0 : 1;
}

int ListMessages(const fs::path& root, const fs::path& list) {
  const std::vector<Message> messages = FindMessages(ReadSources(root));
  Faults faults;
  CheckMessages(messages, &faults);
  std::ofstream file(list);
  for (const Message& message : messages) {
    file << message.text << "\t" << message.place << "\t" << message.code << "\n";
  }
  if (!file.flush()) faults.push_back(list.string() + ": cannot be written");
  return Report(faults, messages.size(), "messages");
}

int Run(const fs::path& root) {
  const Texts texts = ReadSources(root);
  const Texts pages = ReadMarkdown(root);
  Faults faults;
  Exceptions exceptions(kExceptions, TextOf(root / kExceptions), &faults);
  for (const auto& [path, text] : texts) {
    CheckFile(path, text, &faults);
    CheckDeclarations(path, text, &exceptions, &faults);
    CheckComments(path, text, &faults);
  }
  CheckForeignHeaders(texts, &faults);
  CheckFolderSizes(texts, &exceptions, &faults);
  CheckIncludeCycles(texts, &exceptions, &faults);
  CheckClassNames(texts, &faults);
  CheckMarkdown(root, pages, &faults);
  exceptions.CheckUsed(&faults);
  return Report(faults, texts.size() + pages.size(), "files");
}

}  // namespace
}  // namespace edgemill::tidy

int main(int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  if (argc == 4 && first == "--messages") return edgemill::tidy::ListMessages(argv[3], argv[2]);
  if (argc != 2) {
    std::cerr << "usage: tidy [--messages FILE] SOURCE_ROOT\n";
    return 64;
  }
  return edgemill::tidy::Run(argv[1]);
}
