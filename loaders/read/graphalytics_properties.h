// The .properties file of a graph of LDBC Graphalytics: its files, and what the benchmark runs on
// it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/status.h"

namespace edgemill {

/// What the lines "graph.NAME.key = value" say.
struct GraphalyticsProperties {
  std::string vertex_file;
  std::string edge_file;
  bool undirected = false;
  std::optional<uint64_t> vertices;
  std::optional<uint64_t> edges;
  std::string name;                     // NAME
  std::vector<std::string> algorithms;  // in small letters: "bfs", "pr"
  /// The other keys, without "graph.NAME.": "bfs.source-vertex".
  std::map<std::string, std::string> others;
};

/// Reads the file. MissingError; BadDataError, with line and column, for a value that cannot be.
StatusOr<GraphalyticsProperties> ReadGraphalyticsProperties(const std::string& path);

}  // namespace edgemill
