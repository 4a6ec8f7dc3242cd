// Detects an input's format by the end of its name, or else by its first lines.
#pragma once

#include <string>
#include <string_view>

#include "common/status.h"
#include "loaders/formats/lines/line_format.h"
#include "loaders/options/read_options.h"

namespace edgemill {

/// The format of the suffix of `path` (without that of a compressed file); kAuto if the suffix has
/// no format.
/// ".txt" has none: the content of such files decides.
EdgeFormat FormatOfSuffix(std::string_view path);

/// Whether the format is binary: its first bytes can be anything.
bool IsBinaryFormat(EdgeFormat format);

/// The format of the first lines. If they do not show one, UsageError with the values of --format.
StatusOr<EdgeFormat> FormatOfContent(const TextHead& head, const ReadOptions& options);

}  // namespace edgemill
