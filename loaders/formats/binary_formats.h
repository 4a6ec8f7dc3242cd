// The binary formats: pairs of ids, and GAPBS's serialized graphs.
#pragma once

#include <memory>

#include "common/status.h"
#include "loaders/formats/input.h"
#include "loaders/options/read_options.h"

namespace edgemill {

/// Little-endian pairs of ids of `id_bytes` (4 or 8) bytes, without header or weights.
StatusOr<std::unique_ptr<Input>> MakePairInput(RestingStream stream, const ReadOptions& options,
                                               size_t id_bytes);

/// GAPBS .sg, or .wsg with 32-bit integer weights: compressed sparse rows. Of a directed graph the
/// out-lists only are read. Read in two places at once, so not from a pipe (UsageError). 8 bytes of
/// offsets a vertex are read in blocks, never held whole.
StatusOr<std::unique_ptr<Input>> MakeSerializedInput(RestingStream stream, InputSpec spec,
                                                     const ReadOptions& options, bool weighted);

}  // namespace edgemill
