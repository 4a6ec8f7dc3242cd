// Which options about inputs can act on which formats.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "common/status.h"
#include "loaders/options/read_options.h"

namespace edgemill {

/// An option that some formats cannot act on. A new one needs a row in format_options.cc, and a
/// case of it in format_options_test.cc; all others act on every format.
struct FormatOption {
  std::string_view name;  // "--header"
  bool (*given)(const ReadOptions& options);
  uint32_t formats;  // it acts on: FormatBit of each
  /// It says that the input has columns with something between, so what would be an edge list is
  /// read as CSV.
  bool asks_for_csv;

  bool ActsOn(EdgeFormat format) const;
};

std::span<const FormatOption> FormatOptions();

/// Whether an option is given that makes CSV of columns with blanks between.
bool AsksForCsv(const ReadOptions& options);

/// UsageError for the first option given that cannot act on the input `name`, which is of `format`.
/// Not for kAuto.
Status CheckFormatOptions(EdgeFormat format, const std::string& name, const ReadOptions& options);

}  // namespace edgemill
