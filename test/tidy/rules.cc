#include "test/tidy/rules.h"

#include <algorithm>
#include <regex>
#include <set>

#include "test/tidy/source_text.h"

namespace edgemill::tidy {
namespace {

constexpr size_t kMaxColumns = 100;
constexpr size_t kMaxFileLines = 800;
constexpr size_t kMaxTestFileLines = 1000;
constexpr size_t kMaxFunctionLines = 70;
// In the libraries that users link, a file with more lines must give a reason.
constexpr size_t kUsualFileLines = 400;
constexpr std::string_view kWhyLonger = "Above 400 lines:";

/// For each folder, the other folders whose headers it may include.
const std::map<std::string, std::set<std::string>, std::less<>>& IncludeArrows() {
  static const std::map<std::string, std::set<std::string>, std::less<>> arrows = {
      {"common", {}},
      {"storage", {"common"}},
      {"loaders", {"common", "storage"}},
      {"kernels", {"common", "storage/format"}},
      {"engine", {"common", "storage", "kernels"}},
      {"bench", {"common", "storage", "loaders", "kernels", "engine"}},
      {"cli", {"common", "storage", "loaders", "kernels", "engine", "bench"}},
      {"edgemill", {"common", "storage", "loaders", "kernels", "engine", "bench", "cli"}},
      {"test", {"common", "storage", "loaders", "kernels", "engine", "cli", "bench", "edgemill"}}};
  return arrows;
}

/// For each room, the other rooms whose headers it may include. Rooms are the subfolders of some
/// libraries.
const std::map<std::string, std::set<std::string>, std::less<>>& RoomArrows() {
  static const std::map<std::string, std::set<std::string>, std::less<>> arrows = {
      {"storage/format", {}},
      {"storage/io", {}},
      {"storage/catalog", {"format"}},
      {"storage/checkpoint", {"format", "catalog"}},
      {"storage/read", {"format", "io", "catalog"}},
      {"storage/write", {"format", "io", "catalog"}},
      {"loaders/options", {}},
      {"loaders/source", {}},
      {"loaders/stream", {}},
      {"loaders/formats", {"options", "source", "stream"}},
      {"loaders/tables", {"options", "source", "stream", "formats"}},
      {"loaders/read", {"options", "source", "stream", "formats", "tables"}},
      {"loaders/generate", {"options", "source"}},
      {"loaders/spill", {"source"}},
      {"loaders/names", {"source", "spill"}},
      {"loaders/buckets", {"source", "spill"}},
      {"loaders/ids", {"source", "spill", "names"}},
      {"loaders/sort", {"options", "source", "spill", "buckets", "ids"}},
      {"loaders/encode", {"spill", "buckets", "sort"}},
      {"loaders/context", {"options", "source", "spill", "names", "buckets", "ids", "sort"}},
      {"loaders/stages",
       {"options", "source", "spill", "names", "buckets", "ids", "sort", "encode", "context"}},
      {"loaders/ingest",
       {"options", "source", "spill", "names", "buckets", "ids", "sort", "encode", "context",
        "stages"}},
      {"engine/graph", {}},
      {"engine/device", {}},
      {"engine/program", {"device"}},
      {"engine/report", {"graph", "program", "device"}},
      {"engine/cost", {"device", "report"}},
      {"engine/plan", {"graph", "program", "device", "report", "cost"}},
      {"engine/cpu", {"graph", "program", "report", "plan", "transfer"}},
      {"engine/driver", {"program"}},
      {"engine/transfer", {"graph", "program", "device", "report", "cost", "plan"}},
      {"engine/state", {"graph", "program", "device"}},
      {"engine/gpu", {"graph", "program", "device", "report", "cost", "plan", "transfer", "state"}},
      {"engine/hybrid", {"graph", "program", "device", "report", "plan", "cpu"}},
      {"engine/checkpoint", {"program", "driver", "state"}},
      {"engine/api",
       {"graph", "program", "report", "plan", "driver", "state", "checkpoint", "gpu"}},
      {"engine/verify", {"graph", "program", "state", "api"}},
      {"engine/model", {"graph", "program", "state", "api", "verify"}},
      {"engine/compile", {"program", "cpu", "hybrid", "api", "verify"}},
      {"engine/algorithms", {"graph", "program", "state", "api", "verify"}},
      {"engine/run",
       {"graph", "program", "device", "report", "cost", "plan", "cpu", "state", "checkpoint", "gpu",
        "hybrid", "api"}},
      {"engine/estimate", {"program", "cost", "plan", "run"}},
      {"engine/stats", {"graph", "run"}},
       {"engine/output", {"graph", "report", "run"}},
       {"engine/truss", {"graph", "report", "cpu"}}};
  return arrows;
}

/// The start of the names of foreign headers, and the folders that may include them. Only one
/// source file of a folder may, but any source file may include nlohmann's.
struct ForeignHeader {
  std::string_view prefix;
  std::set<std::string, std::less<>> folders;
  bool one_file;
};
const std::vector<ForeignHeader> kForeignHeaders = {
    {"rocksdb/", {"storage"}, true},
    {"liburing", {"storage"}, true},
    {"xxhash", {"storage", "loaders"}, true},
    {"zstd", {"storage", "loaders"}, true},
    {"isa-l", {"loaders"}, true},
    {"bzlib", {"loaders"}, true},
    {"lzma", {"loaders"}, true},
    {"expat", {"loaders"}, true},
    {"nlohmann/", {"cli", "bench", "storage", "loaders", "engine"}, false},
    {"cuda", {"engine"}, true},  // functions of the runtime; kernels need no header
    {"iostream", {}, true},
};

struct BannedWord {
  std::string_view word;
  std::string_view instead;
};
constexpr BannedWord kBannedCalls[] = {
    {"atoi", "ParseNumber"},    {"atol", "ParseNumber"},     {"atof", "ParseNumber"},
    {"strtod", "ParseNumber"},  {"strtof", "ParseNumber"},   {"strtol", "ParseNumber"},
    {"strtoul", "ParseNumber"}, {"strtoull", "ParseNumber"}, {"sprintf", "StrCat"},
    {"vsprintf", "StrCat"},     {"strcpy", "std::string"},   {"strcat", "StrCat"},
    {"gets", "File"},           {"rand", "common/random.h"}, {"srand", "common/random.h"},
    {"exit", "a Status"},
};

std::string FolderOf(std::string_view path) { return std::string(path.substr(0, path.find('/'))); }

/// The subfolder of a library that a path is in, or an empty string.
std::string RoomOf(std::string_view path) {
  const size_t first = path.find('/');
  const size_t second = path.find('/', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return "";
  return std::string(path.substr(first + 1, second - first - 1));
}

/// Whether a library is divided into rooms.
bool HasRooms(std::string_view folder) {
  return std::any_of(RoomArrows().begin(), RoomArrows().end(),
                     [&](const auto& arrow) { return FolderOf(arrow.first) == folder; });
}

bool IsTest(std::string_view path) { return path.starts_with("test/"); }

/// Whether a path is in a library that users link.
bool IsOfLibrary(std::string_view path) {
  const std::string folder = FolderOf(path);
  return folder == "engine" || folder == "storage" || folder == "loaders";
}

/// The header that a line includes, without quotes or brackets, or an empty string.
std::string_view IncludedHeader(std::string_view line, bool* quoted) {
  if (!line.starts_with("#include ")) return "";
  const size_t open = line.find_first_of("\"<");
  if (open == std::string_view::npos) return "";
  *quoted = line[open] == '"';
  const size_t close = line.find_first_of("\">", open + 1);
  return line.substr(open + 1, close - open - 1);
}

class FileChecker {
 public:
  FileChecker(const std::string& path, std::string_view text, Faults* faults)
      : path_(path),
        text_(text),
        lines_(SplitLines(text)),
        stripped_(StripSource(text)),
        faults_(faults) {}

  void CheckAll() {
    CheckName();
    CheckSizes();
    for (size_t i = 0; i < lines_.size(); ++i) CheckLine(i + 1, lines_[i]);
    const std::vector<std::string_view> code = SplitLines(stripped_);
    for (size_t i = 0; i < code.size(); ++i) CheckCode(i + 1, code[i]);
  }

 private:
  void Fault(size_t line, const std::string& what) {
    faults_->push_back(path_ + ":" + std::to_string(line) + ": " + what);
  }

  void CheckName() {
    const std::string stem = path_.substr(0, path_.rfind('.'));
    for (const char* suffix : {"_utils", "_helpers", "_common", "_util", "_helper"}) {
      if (stem.ends_with(suffix))
        Fault(1, std::string("a file is named after its main type, not *") + suffix);
    }
    if (std::any_of(path_.begin(), path_.end(), [](char c) { return c >= 'A' && c <= 'Z'; })) {
      Fault(1, "file names are snake_case");
    }
    const std::string folder = FolderOf(path_);
    if (HasRooms(folder) && !RoomArrows().contains(folder + "/" + RoomOf(path_))) {
      Fault(1, folder + "/ is divided into rooms, and this is in none that RoomArrows lists");
    }
  }

  void CheckSizes() {
    const size_t limit = IsTest(path_) ? kMaxTestFileLines : kMaxFileLines;
    if (lines_.size() > limit) {
      Fault(limit, "the file has " + std::to_string(lines_.size()) + " lines, the limit is " +
                       std::to_string(limit));
    }
    if (IsOfLibrary(path_) && lines_.size() > kUsualFileLines &&
        text_.find(kWhyLonger) == std::string_view::npos) {
      Fault(kUsualFileLines, "the file has " + std::to_string(lines_.size()) +
                                 " lines: say why, after \"" + std::string(kWhyLonger) + "\"");
    }
    for (const FunctionExtent& function : FindFunctions(stripped_)) {
      const size_t lines = function.last_line - function.first_line + 1;
      if (lines > kMaxFunctionLines) {
        Fault(function.first_line, function.head + " has " + std::to_string(lines) +
                                       " lines, the limit is " + std::to_string(kMaxFunctionLines));
      }
    }
    // Headers that are included once for each instruction set end with "-inl.h".
    if ((path_.ends_with(".h") || path_.ends_with(".cuh")) && !path_.ends_with("-inl.h") &&
        std::find(lines_.begin(), lines_.end(), "#pragma once") == lines_.end()) {
      Fault(1, "a header starts with #pragma once");
    }
  }

  void CheckLine(size_t number, std::string_view line) {
    const size_t columns = CountColumns(line);
    if (columns > kMaxColumns) {
      Fault(number, "the line has " + std::to_string(columns) + " columns, the limit is 100");
    }
    if (line.find('\t') != std::string_view::npos) Fault(number, "a tab");
    if (!line.empty() && line.back() == ' ') Fault(number, "a space at the line's end");
    bool quoted = false;
    const std::string_view header = IncludedHeader(line, &quoted);
    if (quoted) CheckArrow(number, header);
  }

  void CheckArrow(size_t number, std::string_view header) {
    const std::string from = FolderOf(path_);
    const std::string to = FolderOf(header);
    bool may = true;
    if (from != to) {
      const auto arrows = IncludeArrows().find(from);
      may = arrows != IncludeArrows().end() &&
            (arrows->second.contains(to) || arrows->second.contains(to + "/" + RoomOf(header)));
    } else if (HasRooms(from) && RoomOf(path_) != RoomOf(header)) {
      const auto arrows = RoomArrows().find(from + "/" + RoomOf(path_));
      may = arrows == RoomArrows().end() || arrows->second.contains(RoomOf(header));
    }
    if (may) return;
    const std::string room = HasRooms(from) ? RoomOf(path_) + "/" : "";
    Fault(number, from + "/" + room + " may not include \"" + std::string(header) + "\"");
  }

  void CheckCode(size_t number, std::string_view line) {
    const bool is_main = path_.ends_with("main.cc");
    for (const auto& [word, instead] : kBannedCalls) {
      const size_t at = FindWord(line, word);
      if (at == std::string_view::npos || (is_main && word == "exit")) continue;
      const size_t next = at + word.size();
      const bool member = at > 0 && (line[at - 1] == '.' || line[at - 1] == '>');
      if (next < line.size() && line[next] == '(' && !member) {
        Fault(number, std::string(word) + " is banned: use " + std::string(instead));
      }
    }
    if (line.find("std::endl") != std::string_view::npos) {
      Fault(number, "std::endl is banned: write \\n");
    }
    const size_t made = FindWord(line, "new");
    const bool immortal = line.find("static ") != std::string_view::npos;  // *new: never destroyed
    const bool owned = line.find("_ptr<") != std::string_view::npos;
    if (made != std::string_view::npos && !owned && !immortal) {
      Fault(number, "new belongs inside a unique_ptr on the same line");
    }
    const size_t deleted = FindWord(line, "delete");
    if (deleted != std::string_view::npos && line.find("= delete") == std::string_view::npos) {
      Fault(number, "delete is banned: owners free");
    }
    // Searches the text with comments, because such words are in comments.
    for (const std::string_view word : {"TODO", "FIXME", "XXX"}) {
      if (FindWord(lines_[number - 1], word) != std::string_view::npos && !IsTest(path_)) {
        Fault(number, std::string(word) + " without a reason: do it or say why not");
      }
    }
  }

  const std::string& path_;
  const std::string_view text_;
  const std::vector<std::string_view> lines_;
  const std::string stripped_;
  Faults* faults_;
};

}  // namespace

void CheckFile(const std::string& path, std::string_view text, Faults* faults) {
  FileChecker(path, text, faults).CheckAll();
}

void CheckForeignHeaders(const std::map<std::string, std::string>& texts, Faults* faults) {
  std::map<std::string, std::string> first_user;  // by header prefix and folder
  for (const auto& [path, text] : texts) {
    const std::string folder = FolderOf(path);
    if (folder == "test") continue;
    for (const std::string_view line : SplitLines(text)) {
      bool quoted = false;
      const std::string_view header = IncludedHeader(line, &quoted);
      for (const ForeignHeader& foreign : kForeignHeaders) {
        if (header.empty() || quoted || !header.starts_with(foreign.prefix)) continue;
        if (!foreign.folders.contains(folder) || path.ends_with(".h")) {
          faults->push_back(path + ":1: may not include <" + std::string(header) + ">");
          continue;
        }
        const std::string key = std::string(foreign.prefix) + " in " + folder;
        const std::string& user = first_user.emplace(key, path).first->second;
        if (foreign.one_file && user != path) {
          faults->push_back(path + ":1: <" + std::string(header) + "> is included by " + user +
                            " already: one source file a folder");
        }
      }
    }
  }
}

void CheckClassNames(const std::map<std::string, std::string>& texts, Faults* faults) {
  static const std::regex kDefinition(
      R"((?:class|struct|union|enum class|enum) (\w+)(?: final)?(?: :.*| \{.*)?)");
  std::map<std::string, std::string> first_definition;  // by namespaces and name
  for (const auto& [path, text] : texts) {
    std::vector<std::string> namespaces;
    size_t number = 0;
    for (const std::string_view line : SplitLines(text)) {
      ++number;
      if (line.starts_with("namespace ") && line.ends_with("{")) namespaces.emplace_back(line);
      if (line.starts_with("inline namespace ")) namespaces.emplace_back();  // has no part in names
      if (line.starts_with("}  // namespace") && !namespaces.empty()) namespaces.pop_back();
      std::match_results<std::string_view::const_iterator> match;
      if (!std::regex_match(line.begin(), line.end(), match, kDefinition)) continue;
      std::string key;
      for (const std::string& name : namespaces) key += name;
      if (key.find("namespace {") != std::string::npos) continue;
      const std::string& first = first_definition.emplace(key + match.str(1), path).first->second;
      if (first == path) continue;
      faults->push_back(path + ":" + std::to_string(number) + ": " + match.str(1) +
                        " is defined by " + first + " too: the linker takes one for both");
    }
  }
}

}  // namespace edgemill::tidy
