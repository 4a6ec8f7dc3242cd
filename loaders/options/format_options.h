// Which options about inputs can act on which formats.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "common/status.h"
#include "loaders/options/read_options.h"

namespace edgemill {

/// An option that does not act on some formats. A new one needs a row in format_options.cc and a
/// case in format_options_test.cc. Options without a row act on every format.
struct FormatOption {
  std::string_view name;  // "--header"
  bool (*given)(const ReadOptions& options);
  uint32_t formats;  // FormatBit of each format that the option acts on
  /// Whether the option describes columns and their delimiter, so that an edge list is read as CSV.
  bool asks_for_csv;

  bool ActsOn(EdgeFormat format) const;
};

std::span<const FormatOption> FormatOptions();

/// Whether any given option makes an edge list be read as CSV.
bool AsksForCsv(const ReadOptions& options);

/// UsageError for the first option given that cannot act on the input `name`, which is of `format`.
/// Not for kAuto.
Status CheckFormatOptions(EdgeFormat format, const std::string& name, const ReadOptions& options);

}  // namespace edgemill
