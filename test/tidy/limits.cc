#include "test/tidy/limits.h"

#include <algorithm>
#include <regex>
#include <set>
#include <utility>

#include "test/tidy/declarations.h"
#include "test/tidy/source_text.h"

namespace edgemill::tidy {
namespace {

constexpr size_t kMaxPublicMethods = 20;
constexpr size_t kMaxDataMembers = 12;
constexpr size_t kMaxParameters = 5;
constexpr size_t kMaxLibraryFolderFiles = 20;
constexpr size_t kMaxFolderFiles = 25;

std::string WithoutExtension(const std::string& path) { return path.substr(0, path.rfind('.')); }

std::string FolderOfFile(const std::string& path) { return path.substr(0, path.rfind('/')); }

bool IsLibrary(const std::string& folder) {
  const std::string library = folder.substr(0, folder.find('/'));
  return library == "engine" || library == "storage" || library == "loaders";
}

/// The room of a folder: in libraries the first two folders of its path, elsewhere the first.
std::string RoomOfFolder(const std::string& folder) {
  const size_t first = folder.find('/');
  return folder.substr(0, IsLibrary(folder) ? folder.find('/', first + 1) : first);
}

/// For each folder, the folders whose headers it includes, each with a file that includes one.
using FolderArrows = std::map<std::string, std::map<std::string, std::string>>;

/// Removes folders from which no arrow leads to a remaining folder.
void RemoveEnds(FolderArrows* arrows) {
  bool found = true;
  while (found) {
    found = false;
    for (auto folder = arrows->begin(); folder != arrows->end();) {
      const bool is_end =
          std::none_of(folder->second.begin(), folder->second.end(),
                       [&](const auto& arrow) { return arrows->contains(arrow.first); });
      found |= is_end;
      folder = is_end ? arrows->erase(folder) : std::next(folder);
    }
  }
}

}  // namespace

Exceptions::Exceptions(std::string path, std::string_view text, Faults* faults)
    : path_(std::move(path)) {
  static const std::regex kLine(
      R"(((?:methods|members|parameters) [\w./]+ [\w:~]+|(?:files|circle) [\w./]+): \S.*)");
  size_t number = 0;
  for (const std::string_view view : SplitLines(text)) {
    ++number;
    const std::string line(view);
    if (line.empty() || line[0] == '#') continue;
    std::smatch match;
    const bool is_sound = std::regex_match(line, match, kLine);
    if (is_sound && lines_.emplace(match.str(1), Line{number}).second) continue;
    faults->push_back(path_ + ":" + std::to_string(number) +
                      (is_sound ? ": a line says so already" : ": not KIND PLACE NAME: REASON"));
  }
}

bool Exceptions::Allows(const std::string& what) {
  const auto line = lines_.find(what);
  if (line == lines_.end()) return false;
  line->second.is_used = true;
  return true;
}

void Exceptions::CheckUsed(Faults* faults) const {
  for (const auto& [what, line] : lines_) {
    if (line.is_used) continue;
    faults->push_back(path_ + ":" + std::to_string(line.number) + ": " + what +
                      " is within the limit: remove the line");
  }
}

void CheckDeclarations(const std::string& path, std::string_view text, Exceptions* exceptions,
                       Faults* faults) {
  if (path.starts_with("test/")) return;
  const auto check = [&](const char* kind, const std::string& name, size_t line, size_t count,
                         size_t limit) {
    if (count <= limit ||
        exceptions->Allows(std::string(kind) + " " + WithoutExtension(path) + " " + name)) {
      return;
    }
    faults->push_back(path + ":" + std::to_string(line) + ": " + name + " has " +
                      std::to_string(count) + " " + kind + ", the limit is " +
                      std::to_string(limit));
  };
  const Declarations found = FindDeclarations(StripSource(text));
  for (const ClassShape& shape : found.classes) {
    check("methods", shape.name, shape.line, shape.public_methods, kMaxPublicMethods);
    check("members", shape.name, shape.line, shape.data_members, kMaxDataMembers);
  }
  for (const Signature& function : found.functions) {
    check("parameters", function.name, function.line, function.parameters, kMaxParameters);
  }
}

void CheckFolderSizes(const std::map<std::string, std::string>& texts, Exceptions* exceptions,
                      Faults* faults) {
  std::map<std::string, size_t> num_files;
  for (const auto& [path, text] : texts) ++num_files[FolderOfFile(path)];
  for (const auto& [folder, count] : num_files) {
    const size_t limit = IsLibrary(folder) ? kMaxLibraryFolderFiles : kMaxFolderFiles;
    // This folder has one file for each algorithm.
    if (folder == "engine/algorithms") continue;
    if (count <= limit || exceptions->Allows("files " + folder)) continue;
    faults->push_back(folder + ": " + std::to_string(count) +
                      " sources and headers side by side, the limit is " + std::to_string(limit));
  }
}

void CheckIncludeCycles(const std::map<std::string, std::string>& texts, Exceptions* exceptions,
                        Faults* faults) {
  static const std::regex kInclude(R"re(#include "([^"]+)/[^"/]+")re");
  std::map<std::string, FolderArrows> rooms;
  for (const auto& [path, text] : texts) {
    const std::string folder = FolderOfFile(path);
    const std::string room = RoomOfFolder(folder);
    if (room == "test") continue;  // folders of test/model include each other's headers
    auto& arrows = rooms[room][folder];
    for (const std::string_view view : SplitLines(text)) {
      std::match_results<std::string_view::const_iterator> match;
      if (!std::regex_match(view.begin(), view.end(), match, kInclude)) continue;
      const std::string to = match.str(1);
      if (to != folder && RoomOfFolder(to) == room) arrows.emplace(to, path);
    }
  }
  for (auto& [room, arrows] : rooms) {
    RemoveEnds(&arrows);
    if (arrows.empty() || exceptions->Allows("circle " + room)) continue;
    for (const auto& [folder, targets] : arrows) {
      for (const auto& [to, path] : targets) {
        if (!arrows.contains(to)) continue;
        faults->push_back(path + ":1: " + folder + " includes headers of " + to +
                          ", from which a circle of includes leads back");
      }
    }
  }
}

}  // namespace edgemill::tidy
