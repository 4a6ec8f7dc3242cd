// Turns rows of a table into the bytes of a file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/output/tables/output_rows.h"

namespace edgemill {

/// The bytes of some rows of a table, as they stand in its file.
struct TablePart {
  size_t num_rows = 0;
  std::string bytes;
  std::string labels;  // .npy: what goes to the file beside
  /// What the end of the file says of these rows: the bytes of each column, for example.
  std::vector<uint64_t> sizes;
  std::vector<uint64_t> greatest;  // .parquet: the greatest whole number of each column
};

/// A file's format. The file has the bytes of Begin, of all parts in their order, and of End.
class TableEncoder {
 public:
  virtual ~TableEncoder() = default;
  virtual std::string Begin() = 0;
  /// Makes a part of rows. Thread-safe. Its bytes depend on the rows alone.
  virtual void Encode(const OutputRows& rows, TablePart* part) const = 0;
  /// Notes a part for the file's end. Parts come in the order of the file.
  virtual void Note(const TablePart& part) = 0;
  virtual std::string End() = 0;
};

/// What stands between the values of a line of text, and in the place of missing ones.
struct LineStyle {
  char between = ' ';
  bool has_header = false;
  std::string missing_number = "inf";
  std::string missing_text = "inf";
};

/// Lines of text. Texts are written as AppendNameField does.
std::unique_ptr<TableEncoder> MakeLineEncoder(const std::vector<OutputColumn>& columns,
                                              const LineStyle& style);
/// A NumPy array of all columns but the first. The bytes of the first column, or of its texts as
/// lines, are the labels of parts.
std::unique_ptr<TableEncoder> MakeNumpyEncoder(const std::vector<OutputColumn>& columns,
                                               uint64_t num_rows);
/// The header of an array of one dimension, for labels.
std::string NumpyHeader(std::string_view type, uint64_t rows, size_t row_values = 1);
/// Parquet without compression. A part is a row group.
std::unique_ptr<TableEncoder> MakeParquetEncoder(const std::vector<OutputColumn>& columns);
/// Arrow's IPC file format. A part is a record batch.
std::unique_ptr<TableEncoder> MakeArrowEncoder(const std::vector<OutputColumn>& columns);

}  // namespace edgemill
