// Names in one value, with commas between them: "bfs,cc".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"

namespace edgemill::cli {

/// The names in `text`, in order. Two commas in a row give an empty name.
std::vector<std::string> SplitNames(std::string_view text);

/// The names with `separator` between them.
std::string JoinNames(const std::vector<std::string>& names, std::string_view separator);

/// The places in `known` of the names in `text`, in order; empty for "none". Returns UsageError,
/// with `option`, for a name that is not known or is given twice.
StatusOr<std::vector<size_t>> ChosenNames(std::string_view text,
                                          const std::vector<std::string>& known,
                                          std::string_view option);

}  // namespace edgemill::cli
