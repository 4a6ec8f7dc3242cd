// From the paths that a user gives to the inputs that are read: Graphalytics sets become their
// parts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/status.h"
#include "loaders/options/read_options.h"
#include "loaders/stream/input_stream.h"

namespace edgemill {

/// One input to open.
struct PlannedInput {
  enum class Role { kPlain, kVertices, kEdges, kNames };

  std::string path;
  EdgeFormat format = EdgeFormat::kAuto;  // kAuto: the content decides
  Role role = Role::kPlain;               // of a Graphalytics part, or kNames: names of vertices
  bool undirected = false;                // as the .properties say
  std::optional<uint64_t> declared;       // vertices or edges, as the .properties say
  bool lists_all_vertices = false;        // a list of all vertices, or edges after such a list
};

/// Expands `given` in order: a directory of Parquet files, and a pattern that no shell has
/// expanded, are their files. One or several files of a Graphalytics set may be given: each set is
/// read once. MissingError when a file that a .properties file names is missing. UsageError when
/// "-" is given twice, the vertex list included.
StatusOr<std::vector<PlannedInput>> PlanInputs(const std::vector<std::string>& given,
                                               const ReadOptions& options);

}  // namespace edgemill
