// The formats of compressed sparse rows.
#pragma once

#include <memory>
#include <string_view>

#include "common/status.h"
#include "loaders/formats/lines/line_format.h"
#include "loaders/options/read_options.h"
#include "loaders/source/input.h"
#include "loaders/stream/reopening_stream.h"

namespace edgemill {

/// GAPBS .sg, or .wsg with 32-bit integer weights: compressed sparse rows. Only the out-lists of a
/// directed graph are read. Read in two places at once, so not from a pipe (UsageError). 8 bytes of
/// offsets a vertex are read in blocks, never held whole.
StatusOr<std::unique_ptr<Input>> MakeSerializedInput(ReopeningStream stream, InputSpec spec,
                                                     const ReadOptions& options, bool weighted);

/// Galois's .gr, versions 1 and 2, as MakeSerializedInput. Edges' data of 4 or 8 bytes is integers,
/// or floating point where options say so: the file does not tell which.
StatusOr<std::unique_ptr<Input>> MakeGaloisInput(ReopeningStream stream, InputSpec spec,
                                                 const ReadOptions& options);
/// Whether a file that begins so may be one of Galois; no text is.
bool IsGalois(std::string_view head);

/// Ligra's and PBBS's AdjacencyGraph and WeightedAdjacencyGraph, whose head is `head`, as
/// MakeSerializedInput; numbers are parsed by one thread.
StatusOr<std::unique_ptr<Input>> MakeLigraInput(const TextHead& head, ReopeningStream stream,
                                                InputSpec spec, const ReadOptions& options);
/// Whether a text begins so.
bool IsLigra(const TextHead& head);

}  // namespace edgemill
