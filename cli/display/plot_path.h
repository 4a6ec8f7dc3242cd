// The file that --plot names.
#pragma once

#include <string>
#include <string_view>

#include "common/status.h"
#include "common/strings.h"
#include "engine/output/output_file.h"

namespace edgemill::cli {

/// Checks, before work starts, the suffix of --plot and that the file can be made. Ok for an empty
/// path. UsageError for a suffix other than .html and .svg; the errors of CheckOutputPath.
inline Status CheckPlotPath(std::string_view command, const std::string& path) {
  if (path.empty()) return OkStatus();
  if (!path.ends_with(".html") && !path.ends_with(".svg")) {
    return UsageError(StrCat(command, ": --plot ", path,
                             ": the suffix names no format: end the name in .html or .svg"));
  }
  return CheckOutputPath(path, true);
}

}  // namespace edgemill::cli
