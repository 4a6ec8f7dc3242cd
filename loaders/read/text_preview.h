// The first rows of an input, from its head.
#pragma once

#include "loaders/formats/lines/line_format.h"
#include "loaders/source/input.h"
#include "loaders/source/input_preview.h"

namespace edgemill {

/// The first rows of `input`, a text that begins with `head`. Skips bad lines. Parses only a part
/// of the head that is long enough for some rows.
InputPreview PreviewText(const Input& input, const TextHead& head);

}  // namespace edgemill
