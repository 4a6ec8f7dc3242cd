// A reader's position as text, bound to its inputs and options.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/status.h"
#include "loaders/read/chunk_ledger.h"

namespace edgemill {

/// The position as one line of text; `options` and `fingerprints` (one an input) go in to be
/// compared later.
std::string FormatReaderPosition(const ReaderPosition& position, const std::string& options,
                                 const std::vector<uint64_t>& fingerprints);

/// Back from text. BadDataError when it is damaged, or naming the input that has changed;
/// UsageError when the options or the number of inputs are others.
StatusOr<ReaderPosition> ParseReaderPosition(const std::string& text, const std::string& options,
                                             const std::vector<std::string>& names,
                                             const std::vector<uint64_t>& fingerprints);

}  // namespace edgemill
