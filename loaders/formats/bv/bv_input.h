// Graphs in the BV format of WebGraph: NAME.graph, NAME.properties and perhaps NAME.offsets.
#pragma once

#include <memory>

#include "common/status.h"
#include "loaders/options/read_options.h"
#include "loaders/source/input.h"
#include "loaders/stream/reopening_stream.h"

namespace edgemill {

/// `stream` reads NAME.graph, and `spec` opened it. With NAME.offsets, lists are read in several
/// places at once. Without it, one thread finds where they begin. UsageError for a pipe or a
/// compressed file, BadDataError for what is damaged.
StatusOr<std::unique_ptr<Input>> MakeBvInput(ReopeningStream stream, const InputSpec& spec,
                                             const ReadOptions& options);

/// "web.properties" for "web.graph"; the path of another file that belongs to the graph.
std::string BvFileBeside(const std::string& graph_path, std::string_view suffix);

}  // namespace edgemill
