// The binary formats that have pairs of ids.
#pragma once

#include <cstddef>
#include <memory>

#include "common/status.h"
#include "loaders/options/read_options.h"
#include "loaders/source/input.h"
#include "loaders/stream/reopening_stream.h"

namespace edgemill {

/// Makes an input of little-endian pairs of ids of `id_bytes` (4 or 8) bytes. Such files have no
/// header and no weights.
StatusOr<std::unique_ptr<Input>> MakePairInput(ReopeningStream stream, const ReadOptions& options,
                                               size_t id_bytes);

}  // namespace edgemill
