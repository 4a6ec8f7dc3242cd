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

/// Reads .sg files of GAPBS, or .wsg files, which have 32-bit integer weights. Of a directed graph,
/// only the out-lists are read. The input reads offsets and neighbours at the same time, so a pipe
/// is refused (UsageError). The offsets take 8 bytes a vertex. They are read in blocks, so memory
/// never holds all of them.
StatusOr<std::unique_ptr<Input>> MakeSerializedInput(ReopeningStream stream, InputSpec spec,
                                                     const ReadOptions& options, bool weighted);

/// Reads .gr files of Galois, versions 1 and 2, in the way of MakeSerializedInput. The data of an
/// edge, if there is any, has 4 or 8 bytes. The file does not say its type: it is taken as an
/// integer, unless the options say floating point.
StatusOr<std::unique_ptr<Input>> MakeGaloisInput(ReopeningStream stream, InputSpec spec,
                                                 const ReadOptions& options);
/// Whether a file that begins with `head` may be a Galois file. False for every text.
bool IsGalois(std::string_view head);

/// Reads an AdjacencyGraph or WeightedAdjacencyGraph of Ligra and PBBS, in the way of
/// MakeSerializedInput. `head` is the beginning of the file. One thread parses the numbers.
StatusOr<std::unique_ptr<Input>> MakeLigraInput(const TextHead& head, ReopeningStream stream,
                                                InputSpec spec, const ReadOptions& options);
/// Whether a text that begins with `head` is a file of MakeLigraInput.
bool IsLigra(const TextHead& head);

}  // namespace edgemill
