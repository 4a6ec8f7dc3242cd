// Inputs that an OrderedParser reads.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "common/status.h"
#include "loaders/formats/ordered/ordered_parser.h"
#include "loaders/options/read_options.h"
#include "loaders/source/input.h"
#include "loaders/stream/reopening_stream.h"

namespace edgemill {

/// Makes a parser that is at the start of the text.
using OrderedParserMaker = std::function<StatusOr<std::unique_ptr<OrderedParser>>()>;

/// Makes an input of a text, which the calls of NextChunk parse. A Seek parses what comes before
/// the place again. Memory: the edges of a raw chunk, and what the parser keeps.
std::unique_ptr<Input> MakeOrderedInput(ReopeningStream stream, InputInfo info,
                                        const ReadOptions& options, OrderedParserMaker maker);

/// Reads the whole file, and calls `look` with one part after the other until it returns false.
/// Each part begins with the last `overlap` bytes of the part before it. Then closes the file: a
/// view of its head is no longer valid.
Status LookThrough(ReopeningStream* stream, size_t overlap,
                   const std::function<bool(std::string_view part)>& look);

}  // namespace edgemill
