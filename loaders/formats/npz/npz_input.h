// Sparse matrices of SciPy (scipy.sparse.save_npz): a ZIP archive of arrays of NumPy.
#pragma once

#include <memory>
#include <string_view>

#include "common/status.h"
#include "loaders/options/read_options.h"
#include "loaders/source/input.h"
#include "loaders/stream/reopening_stream.h"

namespace edgemill {

/// Reads a matrix in the format csr, csc or coo: entry (i, j) is an edge from vertex i to vertex j.
/// A matrix that is not square is a bipartite graph, as in MatrixMarket. Booleans are no weights,
/// and neither are values that are all 1, unless the options ask for weights: to find this out, the
/// values are read first. UsageError for a pipe, a compressed archive and other formats.
/// BadDataError for a damaged archive, and for indices outside the matrix. Memory: about 1 MiB for
/// each array.
StatusOr<std::unique_ptr<Input>> MakeNpzInput(ReopeningStream stream, const ReadOptions& options);

/// Whether a file that begins with `head` is an archive whose first member is an array of NumPy.
bool IsNpz(std::string_view head);

}  // namespace edgemill
