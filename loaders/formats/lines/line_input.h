// Inputs of text.
#pragma once

#include <cstddef>
#include <memory>

#include "loaders/formats/lines/line_format.h"
#include "loaders/source/input.h"
#include "loaders/stream/reopening_stream.h"

namespace edgemill {

/// Makes an input of text, which is cut at line ends. A line longer than `max_line_bytes` is cut in
/// parts if the format can do this.
std::unique_ptr<Input> MakeLineInput(ReopeningStream stream, std::unique_ptr<LineFormat> format,
                                     char line_end, size_t max_line_bytes);

}  // namespace edgemill
