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
/// Errors name file, line and column ("FILE:LINE:COLUMN: what is wrong ("text"): what to do";
/// columns count the bytes of a line, from 1), of binary and compressed data the uncompressed byte
/// ("FILE: byte N: ..."). They are the first in input order whatever the number of threads.
///
/// Next parses raw chunks of options.chunk_bytes. Files that are not compressed are read by all
/// threads. Streams and compressed files are read by one thread at a time. All threads parse.
/// Next(false) is the end for every caller. After it, info() may have learnt more: a METIS file is
/// known to be symmetric only then. Memory: EdgeReaderBytes.
StatusOr<std::unique_ptr<EdgeSource>> OpenEdgeReader(const std::vector<std::string>& paths,
                                                     const ReadOptions& options);

/// The most memory that a reader with `threads` callers holds, for lines that are no longer than a
/// chunk or are cut. It includes the chunks that the reader fills. Per thread it has the raw chunk,
/// its edges, and one decompressor. The edges take at worst 8 bytes an input byte, for lines of
/// small numbers, and twice that while a chunk turns wide.
uint64_t EdgeReaderBytes(const ReadOptions& options, int threads);

}  // namespace edgemill
