// The formats of pairs of ids.
#pragma once

#include <cstddef>
#include <memory>

#include "common/status.h"
#include "loaders/options/read_options.h"
#include "loaders/source/input.h"
#include "loaders/stream/reopening_stream.h"

namespace edgemill {

/// Little-endian pairs of ids of `id_bytes` (4 or 8) bytes, without header or weights.
StatusOr<std::unique_ptr<Input>> MakePairInput(ReopeningStream stream, const ReadOptions& options,
                                               size_t id_bytes);

}  // namespace edgemill
