// The arrays of a sparse matrix of SciPy.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "common/status.h"
#include "loaders/formats/npz/npy_reader.h"
#include "loaders/formats/npz/npz_values.h"
#include "loaders/formats/npz/zip_directory.h"
#include "loaders/options/read_options.h"
#include "loaders/source/input.h"
#include "loaders/stream/reopening_stream.h"

namespace edgemill {

inline constexpr std::string_view kNpzKind = "a sparse matrix of SciPy";

/// The arrays of a matrix.
struct NpzMatrix {
  std::string format;
  uint64_t rows = 0;
  uint64_t columns = 0;
  ZipMember first;   // indptr of csr and csc, row of coo
  ZipMember second;  // indices, or col
  ZipMember data;
  uint64_t num_edges = 0;
  NpzValueRule values;

  bool square() const { return rows == columns; }
};

/// Reads what the archive says of its matrix, but not `values`. UsageError for a format other than
/// csr, csc and coo.
StatusOr<NpzMatrix> ReadNpzMatrix(const InputStream& archive);

/// The open arrays of a matrix, each read in order.
class NpzArrays {
 public:
  /// Opens the arrays at `edge`. The first one has `first_size` elements, and is opened at its
  /// element `first_at`.
  static StatusOr<NpzArrays> Open(const InputStream& archive, const NpzMatrix& matrix,
                                  uint64_t first_size, uint64_t first_at, uint64_t edge);

  NpyReader& first() const { return *first_; }
  NpyReader& second() const { return *second_; }
  NpyReader* data() const { return data_.get(); }

  /// Checks, after the last elements, the checksums of all.
  Status CheckEnd() const;

 private:
  std::unique_ptr<NpyReader> first_, second_, data_;
};

/// Makes an input of a matrix in the format coo.
std::unique_ptr<Input> MakeCooInput(ReopeningStream stream, NpzMatrix matrix,
                                    const ReadOptions& options, std::vector<std::string> notes);

}  // namespace edgemill
