// A reader's position as text, bound to its inputs and options.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/status.h"
#include "loaders/read/chunk_ledger.h"

namespace edgemill {

/// The position as one line of text. It includes `options` and `fingerprints` (one for each input),
/// which ParseReaderPosition compares.
std::string FormatReaderPosition(const ReaderPosition& position, const std::string& options,
                                 const std::vector<uint64_t>& fingerprints);

/// The position from its text. BadDataError when the text is damaged, or when an input has changed,
/// which the error names. UsageError when the options or the number of inputs are different.
StatusOr<ReaderPosition> ParseReaderPosition(const std::string& text, const std::string& options,
                                             const std::vector<std::string>& names,
                                             const std::vector<uint64_t>& fingerprints);

}  // namespace edgemill
