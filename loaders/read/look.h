// The first rows of an input, from its head.
#pragma once

#include "loaders/formats/lines/line_format.h"
#include "loaders/source/input.h"
#include "loaders/source/input_look.h"

namespace edgemill {

/// What `input`, a text that begins with `head`, holds first. Bad lines are passed over. Reads
/// nothing but the head, and of that no more than is needed for some rows.
InputLook LookAtText(const Input& input, const TextHead& head);

}  // namespace edgemill
