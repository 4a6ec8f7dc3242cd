// Edges from files: every supported format and compression behind one EdgeSource.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/status.h"
#include "loaders/options/read_options.h"
#include "loaders/source/edge_source.h"

namespace edgemill {

/// Opens `paths` to be read one after the other; "-" is standard input. Reads the first MiB of each
/// to find its format, columns and counts. All inputs must agree on weights and on being
/// undirected.
///
/// Errors name file, line and column: "FILE:LINE:COLUMN: what is wrong ("text"): what to do".
/// Columns count the bytes of a line, from 1. In binary and compressed data, errors name the byte
/// of the uncompressed data: "FILE: byte N: ...". The error is the first in input order, for any
/// number of threads.
///
/// Next parses raw chunks of options.chunk_bytes. Files that are not compressed are read by all
/// threads. Streams and compressed files are read by one thread at a time. All threads parse.
/// When Next returns false, the input has ended for every caller. info() may say more then: only at
/// the end is a METIS file known to be symmetric.
StatusOr<std::unique_ptr<EdgeSource>> OpenEdgeReader(const std::vector<std::string>& paths,
                                                     const ReadOptions& options);

}  // namespace edgemill
