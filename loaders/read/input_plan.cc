#include "loaders/read/input_plan.h"

#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "common/os/file.h"
#include "loaders/formats/bv/bv_shape.h"
#include "loaders/formats/format_detection.h"
#include "loaders/read/graphalytics_properties.h"

namespace edgemill {
namespace {

std::string Directory(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

/// `path` if it exists, or else it with the first suffix of a compressed file with which it does.
/// Empty when none does.
StatusOr<std::string> FindFile(const std::string& path) {
  ASSIGN_OR_RETURN(const bool plain, Exists(path));
  if (plain) return path;
  for (const auto& [suffix, compression] : kCompressionSuffixes) {
    const std::string packed = StrCat(path, suffix);
    ASSIGN_OR_RETURN(const bool exists, Exists(packed));
    if (exists) return packed;
  }
  return std::string();
}

/// Adds the parts of the Graphalytics set `stem`.{v,e,properties}.
Status PlanGraphalytics(const std::string& stem, std::vector<PlannedInput>* inputs) {
  GraphalyticsProperties properties;
  const std::string properties_path = stem + ".properties";
  ASSIGN_OR_RETURN(const bool described, Exists(properties_path));
  if (described) {
    ASSIGN_OR_RETURN(properties, ReadGraphalyticsProperties(properties_path));
  }
  const auto locate = [&](const std::string& named, const char* suffix, const char* what,
                          std::string* found) -> Status {
    if (!named.empty()) {
      ASSIGN_OR_RETURN(*found, FindFile(Directory(stem) + named));
    }
    if (found->empty()) {
      ASSIGN_OR_RETURN(*found, FindFile(stem + suffix));
    }
    if (!found->empty() || (named.empty() && suffix[1] == 'v')) return OkStatus();
    return MissingError(StrCat(Directory(stem) + (named.empty() ? stem + suffix : named),
                               ": no such file: it should hold the ", what, " of ", stem));
  };
  std::string vertices;
  std::string edges;
  RETURN_IF_ERROR(locate(properties.vertex_file, ".v", "vertices", &vertices));
  RETURN_IF_ERROR(locate(properties.edge_file, ".e", "edges", &edges));
  if (!vertices.empty()) {
    inputs->push_back({vertices, EdgeFormat::kGraphalytics, PlannedInput::Role::kVertices,
                       properties.undirected, properties.vertices, true});
  }
  inputs->push_back({edges, EdgeFormat::kGraphalytics, PlannedInput::Role::kEdges,
                     properties.undirected, properties.edges, !vertices.empty()});
  return OkStatus();
}

/// The Parquet files in a directory and in those below it, in the order of their names.
std::vector<std::string> FilesBelow(const std::string& directory) {
  std::vector<std::string> files;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator at(directory, error), end; at != end;
       at.increment(error)) {
    const std::string path = at->path().string();
    if (FormatOfSuffix(path) == EdgeFormat::kParquet) files.push_back(path);
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// The files that a pattern such as "day/*.parquet" matches, in the order of their names.
std::vector<std::string> FilesLike(const std::string& pattern) {
  std::vector<std::string> files;
  glob_t found{};
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  }
  globfree(&found);
  return files;
}

/// The files that `path` means: those of a directory of Parquet files, or of a pattern in quotes,
/// which the shell has left as it is. Otherwise `path` itself.
std::vector<std::string> Expand(const std::string& path) {
  std::vector<std::string> files;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    files = FilesBelow(path);
  } else if (path.find('*') != std::string::npos && !std::filesystem::exists(path, ignored)) {
    files = FilesLike(path);
  }
  if (files.empty()) files.push_back(path);
  return files;
}

/// The .graph file of the BV graph that `path` means: it, its .properties, or its name without a
/// suffix. Empty: none. Other formats use both suffixes too. `plain` is `path` without the
/// suffix of a compressed file.
std::string BvGraphAt(const std::string& path, const std::string& plain, EdgeFormat asked) {
  constexpr std::string_view kGraph = ".graph", kProperties = ".properties";
  std::string stem = plain;
  for (const std::string_view suffix : {kGraph, kProperties}) {
    if (stem.ends_with(suffix)) stem.resize(stem.size() - suffix.size());
  }
  const std::string graph = StrCat(stem, kGraph, path.substr(plain.size()));
  if (asked == EdgeFormat::kBv) return path == "-" ? path : graph;
  std::error_code ignored;
  const bool has_suffix = stem != plain;
  const bool may_be = asked == EdgeFormat::kAuto && path != "-" &&
                      (has_suffix || (FormatOfSuffix(plain) == EdgeFormat::kAuto &&
                                      !std::filesystem::exists(path, ignored)));
  return may_be && DescribesBvGraph(StrCat(stem, kProperties)) ? graph : std::string();
}

}  // namespace

StatusOr<std::vector<PlannedInput>> PlanInputs(const std::vector<std::string>& given,
                                               const ReadOptions& options) {
  std::vector<PlannedInput> inputs;
  if (!options.names_file.empty()) {
    inputs.push_back({options.names_file, EdgeFormat::kGraphalytics, PlannedInput::Role::kNames});
  }
  if (!options.vertices_file.empty()) {
    inputs.push_back(
        {options.vertices_file, EdgeFormat::kGraphalytics, PlannedInput::Role::kVertices});
  }
  if (!options.sql.empty()) inputs.push_back({"", EdgeFormat::kQuery});
  std::set<std::string> stems;
  bool standard_input = options.vertices_file == "-";
  std::vector<std::string> paths;
  for (const std::string& one : given) {
    for (std::string& path : Expand(one)) paths.push_back(std::move(path));
  }
  for (const std::string& path : paths) {
    InputCompression compression;
    const std::string plain = StripCompression(path, &compression);
    const EdgeFormat suffix = FormatOfSuffix(plain);
    const EdgeFormat format = options.format == EdgeFormat::kAuto ? suffix : options.format;
    const std::string bv_graph = BvGraphAt(path, plain, options.format);
    if (!bv_graph.empty()) {
      if (stems.insert(bv_graph).second) inputs.push_back({bv_graph, EdgeFormat::kBv});
      continue;
    }
    if (path == "-" && std::exchange(standard_input, true)) {
      return UsageError("standard input (-) is given twice: give it once");
    }
    if (format != EdgeFormat::kGraphalytics || suffix != EdgeFormat::kGraphalytics) {
      const bool edges = format == EdgeFormat::kGraphalytics;
      inputs.push_back(
          {path, format, edges ? PlannedInput::Role::kEdges : PlannedInput::Role::kPlain});
      continue;
    }
    ASSIGN_OR_RETURN(const bool exists, Exists(path));
    if (!exists) return MissingError(StrCat(path, ": no such file"));
    const std::string stem = plain.substr(0, plain.rfind('.'));
    if (stems.insert(stem).second) RETURN_IF_ERROR(PlanGraphalytics(stem, &inputs));
  }
  return inputs;
}

}  // namespace edgemill
