// Inputs of text.
#pragma once

#include <cstddef>
#include <memory>

#include "loaders/formats/lines/line_format.h"
#include "loaders/source/input.h"
#include "loaders/stream/reopening_stream.h"

namespace edgemill {

/// Text: cut at line ends, and lines longer than `max_line_bytes` where the format can.
std::unique_ptr<Input> MakeLineInput(ReopeningStream stream, std::unique_ptr<LineFormat> format,
                                     char line_end, size_t max_line_bytes);

}  // namespace edgemill
