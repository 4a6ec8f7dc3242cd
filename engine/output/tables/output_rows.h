// Rows of a table in memory, column by column.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace edgemill {

/// A column of a table that is written.
struct OutputColumn {
  enum class Type : uint8_t {
    kInt64,   // whole numbers below 2^63
    kUint64,  // whole numbers below 2^64
    kReal,    // doubles
    kText,    // UTF-8
  };
  std::string name;
  Type type = Type::kInt64;
};

/// The values of a column in some rows.
struct ColumnValues {
  /// A number for each row: a whole one, or the bits of a double. None in columns of texts.
  std::vector<uint64_t> words;
  /// The texts of rows, one after the other, and where each ends.
  std::string bytes;
  std::vector<uint32_t> ends;
  /// A bit for each row, the lowest of a byte first: whether the row has a value. Rows beyond the
  /// last byte have values.
  std::vector<uint8_t> there;
  uint32_t num_missing = 0;

  bool has(size_t row) const {
    return row / 8 >= there.size() || (there[row / 8] >> row % 8 & 1) != 0;
  }
  std::string_view text(size_t row) const {
    const uint32_t begin = row == 0 ? 0 : ends[row - 1];
    return std::string_view(bytes).substr(begin, ends[row] - begin);
  }
};

/// Some rows of a table. Texts are added row by row; then SetRows gives the numbers their places.
/// Keeps its memory from one group of rows to the next. Not thread-safe.
class OutputRows {
 public:
  /// Rows have at most about so many bytes: the last text may go beyond.
  static constexpr size_t kMostBytes = size_t{4} << 20;

  explicit OutputRows(size_t num_columns) : columns_(num_columns) {}

  /// Removes all rows.
  void Clear();
  /// Add the value of the next row of a column of texts.
  void AddText(size_t column, std::string_view text);
  void AddMissingText(size_t column);
  /// Whether the texts take all bytes that the rows may have: the row that they end is the last.
  bool is_full() const { return text_bytes_ >= kMostBytes; }
  /// Ends the rows. Columns of texts have as many values; the numbers of others are set next.
  void SetRows(size_t num_rows) { num_rows_ = num_rows; }

  /// The numbers of a column, which the caller sets: whole ones, or the bits of doubles.
  std::span<uint64_t> Words(size_t column);
  /// The values of a column that are equal to `word` are missing.
  void SetMissing(size_t column, uint64_t word);

  size_t num_rows() const { return num_rows_; }
  size_t num_columns() const { return columns_.size(); }
  const ColumnValues& column(size_t column) const { return columns_[column]; }

 private:
  static void MarkMissing(size_t row, ColumnValues* values);

  std::vector<ColumnValues> columns_;
  size_t num_rows_ = 0;
  size_t text_bytes_ = 0;
};

}  // namespace edgemill
