#include "loaders/read/graphalytics_properties.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "common/os/file.h"
#include "common/strings.h"
#include "loaders/formats/format_detection.h"

namespace edgemill {
namespace {

constexpr size_t kMaxPropertiesBytes = size_t{1} << 20;

Status ReadCount(const std::string& where, std::string_view value, std::optional<uint64_t>* count) {
  uint64_t number = 0;
  if (!ParseNumber(value, &number)) return BadDataError(StrCat(where, "not a number: correct it"));
  *count = number;
  return OkStatus();
}

/// The words between commas, in small letters.
std::vector<std::string> ListOf(std::string_view value) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin <= value.size();) {
    const size_t end = std::min(value.find(',', begin), value.size());
    std::string word(StripSpace(value.substr(begin, end - begin)));
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (!word.empty()) words.push_back(std::move(word));
    begin = end + 1;
  }
  return words;
}

/// Notes one line's value. `key`: without "graph.NAME.". `where`: for errors.
Status Note(const std::string& where, std::string_view key, std::string_view value,
            GraphalyticsProperties* properties) {
  if (key == "vertex-file") {
    properties->vertex_file = value;
  } else if (key == "edge-file") {
    properties->edge_file = value;
  } else if (key == "meta.vertices") {
    return ReadCount(where, value, &properties->vertices);
  } else if (key == "meta.edges") {
    return ReadCount(where, value, &properties->edges);
  } else if (key == "algorithms") {
    properties->algorithms = ListOf(value);
  } else if (key == "directed") {
    if (value != "true" && value != "false") {
      return BadDataError(StrCat(where, "'directed' is neither true nor false: correct it"));
    }
    properties->undirected = value == "false";
  } else {
    properties->others[std::string(key)] = value;
  }
  return OkStatus();
}

}  // namespace

StatusOr<GraphalyticsProperties> ReadGraphalyticsProperties(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path, kMaxPropertiesBytes));
  constexpr std::string_view kGraph = "graph.";
  GraphalyticsProperties properties;
  // A name may have dots. Usually it is the file's.
  const std::string stem = std::filesystem::path(path).stem().string();
  uint64_t number = 0;
  for (size_t at = text.starts_with(kUtf8Mark) ? kUtf8Mark.size() : 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    ++number;
    at = end + 1;
    const size_t equals = line.find('=');
    if (StripSpace(line).empty() || StripSpace(line)[0] == '#' || equals == line.npos) continue;
    std::string_view key = StripSpace(line.substr(0, equals));
    const std::string_view value = StripSpace(line.substr(equals + 1));
    const bool is_stem = key.starts_with(StrCat(kGraph, stem, "."));
    const size_t dot = is_stem ? kGraph.size() + stem.size() : key.find('.', kGraph.size());
    if (!key.starts_with(kGraph) || dot == key.npos) continue;
    properties.name = key.substr(kGraph.size(), dot - kGraph.size());
    const size_t column =
        value.empty() ? line.size() + 1 : static_cast<size_t>(value.data() - line.data()) + 1;
    RETURN_IF_ERROR(Note(StrCat(path, ":", number, ":", column, ": "), key.substr(dot + 1), value,
                         &properties));
  }
  return properties;
}

}  // namespace edgemill
