// Telling an input's format: by the end of its name, then by its first lines.
#pragma once

#include <string>
#include <string_view>

#include "common/status.h"
#include "loaders/formats/lines/line_format.h"
#include "loaders/options/read_options.h"

namespace edgemill {

/// The format that the suffix of `path` (without .gz or .zst) names; kAuto when it names none.
/// ".txt" names none: the content of such files decides.
EdgeFormat FormatOfSuffix(std::string_view path);

/// Whether the format is binary: its first bytes can be anything.
bool IsBinaryFormat(EdgeFormat format);

/// The format that the first lines show. UsageError, which lists --format, when they show none.
StatusOr<EdgeFormat> FormatOfContent(const TextHead& head, const ReadOptions& options);

}  // namespace edgemill
