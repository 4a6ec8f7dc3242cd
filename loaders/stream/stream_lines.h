// The lines of small text inputs, such as values of vertices: one thread reads them, one after the
// other. Edges are read by loaders/read.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "common/status.h"
#include "loaders/stream/input_stream.h"

namespace edgemill {

/// Calls `parse` with the number of each line, from 1, and its text without the line feed. A mark
/// of UTF-8 before the first line is left out. Returns the first error of `parse` or of reading.
/// BadDataError for a line above 1 MiB, as edges have it; `advice` says what to give.
Status ForEachLine(InputStream& input, std::string_view advice,
                   const std::function<Status(uint64_t number, std::string_view line)>& parse);

}  // namespace edgemill
